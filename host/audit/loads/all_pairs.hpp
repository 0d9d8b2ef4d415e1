// All pairs, destination by destination: fates, lengths, loads, detours and turns of all pairs, without walking any.
#pragma once

#include "host/evaluation/evaluation.hpp"
#include "host/model/routes/forwarding.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace tailback::audit {

/// Pairs (source endpoint, destination LID); a destination's own endpoint is no source for it.
struct PairCounts {
    std::uint64_t total = 0, delivered = 0, unreachable = 0, loop = 0, misdelivered = 0;
    PairCounts& operator+=(PairCounts const& more) {
        total += more.total;
        delivered += more.delivered;
        unreachable += more.unreachable;
        loop += more.loop;
        misdelivered += more.misdelivered;
        return *this;
    }
    bool operator==(PairCounts const&) const = default;
};

/// Which turns routes take: for a row, from the port a packet came in by to the port it leaves by.
struct TurnSet {
    std::uint32_t ports = 0;           ///< stride in both directions (Forwarding::ports)
    std::vector<std::uint32_t> words;  ///< [row][in port][words of out ports]
    std::uint32_t words_per_port() const { return (ports + 31) / 32; }
    bool has(std::uint32_t row, model::Port in, model::Port out) const {
        return (words[(std::size_t{row} * ports + in) * words_per_port() + out / 32] >> (out % 32) & 1) != 0;
    }
    /// Those of another set of the same fabric, too.
    TurnSet& operator|=(TurnSet const& other) {
        if (words.empty()) return *this = other;
        for (std::size_t i = 0; i < other.words.size(); ++i) words[i] |= other.words[i];
        return *this;
    }
    bool operator==(TurnSet const&) const = default;
};

/// What to look at.
struct AllPairsRequest {
    std::vector<model::Host> sources;       ///< endpoints that send
    std::vector<model::Host> destinations;  ///< endpoints whose LIDs are sent to
    /// [row][port] 1 = up, 2 = down, 0 = neither (host links); empty = up*/down* is not asked.
    std::vector<std::uint8_t> directions = {};
    bool shortest = true;  ///< compare with shortest paths
    bool turns = true;
    bool base_lids_only = false;  ///< one LID an endpoint, whatever its LMC
};

/// Numbers that do not depend on device, threads or order.
struct AllPairsResult {
    PairCounts pairs;
    std::vector<std::uint64_t> hops;          ///< [links of a route] delivered pairs, host links counted
    std::vector<std::uint64_t> load;          ///< by Link: delivered pairs over it (the edge forwarding index)
    std::vector<std::uint64_t> destinations;  ///< by Link: destination LIDs that delivered pairs reach over it
    std::vector<model::Destination> towards;  ///< the LIDs that were sent to
    std::vector<PairCounts> by_destination;   ///< in the order of `towards`
    std::uint64_t longer = 0;                 ///< delivered pairs whose route is longer than the shortest path
    std::vector<std::uint64_t> excess;        ///< [links too many] delivered pairs
    std::vector<std::uint64_t> detours;  ///< by row: delivered pairs that it sends by a port that brings them no nearer
    std::uint64_t down_then_up = 0;      ///< delivered pairs that go up again after they went down
    std::vector<std::uint64_t> wrong_turns;  ///< by row: delivered pairs that turn from down to up there
    TurnSet turns;                           ///< of delivered pairs
    bool operator==(AllPairsResult const&) const = default;
};

/// O(rows x destinations): every entry of the tables is read once. The report is the same on every device.
/// @throws InputError when CUDA is asked for and there is none.
AllPairsResult count_all_pairs(model::Forwarding const& forwarding, AllPairsRequest const& request,
                               evaluation::ExecutionOptions const& options);

/// Unordered pairs of endpoints, both directions delivered (base LIDs), and how many of them do not come back by the
/// cables they went. O(leaf switches x hosts x links of a route).
struct Asymmetry {
    std::uint64_t pairs = 0, differing = 0;
    bool operator==(Asymmetry const&) const = default;
};
Asymmetry find_asymmetry(model::Forwarding const& forwarding, std::span<model::Host const> hosts, unsigned threads);

}  // namespace tailback::audit
