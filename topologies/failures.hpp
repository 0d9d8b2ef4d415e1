// Cables and switches that fail, drawn uniformly: every cable is as likely as any other.
#pragma once

#include "host/model/network.hpp"
#include "host/model/routes/lags.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tailback::topologies {

/// So many of them, or so many millionths of them.
struct FailureCount {
    std::uint64_t number = 0;
    bool is_share = false;          ///< then `number` counts millionths
    bool between_switches = false;  ///< cables: leave those of hosts alone

    /// Of `all`; a share is rounded to the nearest whole number.
    std::uint64_t of(std::uint64_t all) const;
};

/// Reads `12`, `2%`, `0.5%`; for cables also `switch:12`. @param option that it came from, for messages.
/// @throws InputError
FailureCount parse_failures(std::string const& option, std::string const& text, bool of_cables);

struct Failures {
    std::optional<FailureCount> cables, switches;
    std::uint64_t seed = 1;
    std::vector<std::string> named_cables = {};  ///< these, as model::locate_cable finds them, beside those drawn

    /// The switch that model::locate finds by a word, or all whose names a glob (`spine-*`) matches.
    std::vector<std::string> named_switches = {};

    bool draws() const { return cables.has_value() || switches.has_value(); }
    bool any() const { return draws() || !named_cables.empty() || !named_switches.empty(); }
};

struct DegradedNetwork {
    model::Network network;                           ///< the same nodes, ports and LIDs; fewer cables
    std::uint64_t failed_cables = 0, cables = 0;      ///< drawn or named, and of how many
    std::uint64_t failed_switches = 0, switches = 0;  ///< drawn or named, and of how many
    std::uint64_t failed_members = 0;                 ///< cables of LAGs that keep others
    /// Of the hosts before: endpoints on such cables. They are gone, as nobody hears them, and their hosts go on by the
    /// other members.
    std::vector<model::Host> on_others = {};
};

/// Takes the drawn cables out, and all cables of the drawn switches. @throws InputError when more are to fail than
/// there are.
/// @param lags null = there are none
DegradedNetwork degrade(model::Network const& network, Failures const& failures, model::Lags const* lags = nullptr);

}  // namespace tailback::topologies
