// What differs between the candidate sets of two fabrics: groups of adaptive routing, routes of equal cost.
#pragma once

#include "host/model/fabric/network_match.hpp"
#include "host/model/tables.hpp"

#include <cstdint>
#include <vector>

namespace tailback::audit {

/// Of a switch in both fabrics: entries (LIDs owned in both) whose set of ports is another. An empty group and no group
/// are both the empty set: the static entry is used (of routers it is the set). A hash's ports count as often as they
/// stand there.
struct CandidateChange {
    model::Node before, after;
    std::uint64_t entries = 0;
    model::MatchedLid first;                             ///< the lowest such LID
    std::vector<model::Port> ports_before, ports_after;  ///< of the first, in ascending order
};

/// Most entries first; nothing where neither fabric has sets.
std::vector<CandidateChange> candidate_changes(model::Fabric const& before, model::Fabric const& after,
                                               model::NetworkMatch const& match);

}  // namespace tailback::audit
