// Counters of ports: what was really sent, from ibdiagnet2.db_csv, perfquery or ibqueryerrors.
#pragma once

#include "host/io/line_reader.hpp"
#include "host/model/network.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace tailback::formats {

/// Counters of one port, as far as they are known. What one that has stopped at its end has sent is not.
struct PortCounters {
    model::Node node;
    model::Port port = 0;
    std::optional<std::uint64_t> sent;    ///< PortXmitData: words of 4 bytes
    std::optional<std::uint64_t> waited;  ///< PortXmitWait: ticks in which it had data and no credit
    bool waited_longer = false;           ///< that counter has stopped at its end
};

struct Counters {
    std::vector<PortCounters> ports;  ///< each once
    /// Counters that stand at the end of 32 bits and have no longer one, or at the end of 64.
    std::uint64_t saturated = 0;
    std::uint64_t saturated_waits = 0;  ///< of them: PortXmitWait
    std::uint64_t missing = 0;          ///< ports in the file without PortXmitData
    std::uint64_t unknown = 0;          ///< records of ports that the network does not have
};

/// - `ibdiagnet2.db_csv`: section PM_DELTA, where there is none PM_INFO; the extended counters where they are;
/// - `perfquery` (also -x): `# Port counters: Lid 3 port 1`, `PortXmitData:....123`;
/// - `ibqueryerrors --data`: `GUID 0x.. port 1: [PortXmitData == 123 (..)]`.
/// @throws InputError for a file without any counter of this network.
Counters read_counters(io::LineReader& lines, model::Network const& network, model::Disagreements& disagreements);

}  // namespace tailback::formats
