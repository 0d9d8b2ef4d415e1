// What if a cable is pulled or a switch fails, while the tables stay as they are; and which cable most pairs depend on.
#pragma once

#include "host/model/routes/forwarding.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tailback::audit {

/// Something that is taken away: a cable, both directions of it, or a switch with all its cables.
struct Removal {
    std::string text;                 ///< as a report calls it
    model::Link cable;                ///< one of its directions; none for a switch
    model::Node switch_node;          ///< none for a cable
    double pairs = 0;                 ///< that break there first
    std::uint64_t other_members = 0;  ///< of the cable's LAG: they stay, and take what it carried
};
/// `A:p`, the cable in port p of a node that host/model/locate finds by A (a name, a GUID, an LID).
/// @throws InputError when there is no such node or nothing is plugged in.
Removal cable_removal(model::Network const& network, std::string const& word);
/// @throws InputError when `word` means no switch.
Removal switch_removal(model::Network const& network, std::string const& word);

/// Pairs that a removal breaks: delivered now, and not any more. A cable whose LAG keeps other members breaks none.
/// Where flows divide, the part of each pair that meets it.
struct WhatIf {
    std::vector<Removal> removals;
    std::uint64_t delivered = 0;  ///< pairs that are delivered now, by all choices
    double broken = 0;
    bool divided = false;            ///< by equal division
    std::uint64_t met = 0, cut = 0;  ///< then: pairs of which a part breaks; of which all breaks
    struct Destination {
        model::Lid lid = 0;
        model::Host host;
        double broken = 0;  ///< pairs to it that break
        std::uint64_t delivered = 0;
    };
    struct Source {
        model::Node node;  ///< the switch where their packets enter (an adapter that forwards, or is cabled to another,
                           ///< is its own)
        double broken = 0;
    };
    std::vector<Destination> destinations;  ///< that lose pairs, most first
    std::vector<Source> sources;            ///< whose hosts lose pairs, most first
};
/// O(rows x destinations); where switches choose among sets, by equal division: O(ports x destinations). The answer is
/// the same with any number of threads.
WhatIf what_if(model::Forwarding const& forwarding, std::span<model::Host const> sources,
               std::span<model::Host const> destinations, std::vector<Removal> removals, unsigned threads = 0);

/// A cable and the delivered pairs whose routes use it, in either direction.
struct CablePairs {
    model::Link link;  ///< the direction of the lower number
    double pairs = 0;
};
/// Every cable, most pairs first. `load`: by Link, in 1/unit of a pair; no route uses both directions of a cable.
std::vector<CablePairs> criticality(model::Network const& network, std::span<std::uint64_t const> load,
                                    std::uint64_t unit = 1);

}  // namespace tailback::audit
