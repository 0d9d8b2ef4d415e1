// What differs between two dumps of a fabric: parts that came or went, tables, and what becomes of the routes and the
// loads.
#pragma once

#include "host/audit/changes/candidate_changes.hpp"
#include "host/audit/changes/note_changes.hpp"
#include "host/model/fabric/network_differences.hpp"
#include "host/model/routes/trace.hpp"
#include "host/model/tables.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace tailback::audit {

/// Numbers and lists are the same with any number of threads. `rates` has one direction of a cable. `before` and
/// `after` say which fabric an index is of.
struct FabricDiff : model::NetworkDifferences {
    std::vector<PortChange> lids;  ///< of `ports` those with other LIDs
    struct TableChange {
        model::Node before, after;
        std::uint64_t entries = 0;  ///< that differ, among LIDs owned in both
    };
    std::vector<TableChange> tables;          ///< most entries first
    bool has_candidates = false;              ///< one fabric has candidate sets
    std::vector<CandidateChange> candidates;  ///< most entries first
    std::uint64_t candidate_entries() const;
    NoteChanges notes;  ///< filled by those who read the files

    bool routed = false;                                  ///< false: neither has tables; what follows is empty
    std::uint64_t pairs = 0;                              ///< (source endpoint, destination LID) in both
    std::uint64_t pairs_before = 0, pairs_after = 0;      ///< in each
    std::uint64_t rerouted = 0;                           ///< delivered in both, by other links
    std::array<std::array<std::uint64_t, 4>, 4> fates{};  ///< [before][after], of pairs whose fate changed
    std::uint64_t refated() const;
    struct DestinationChange {
        model::MatchedLid lid;
        std::uint64_t rerouted = 0, refated = 0;
    };
    std::vector<DestinationChange> destinations;  ///< of pairs that changed, most pairs first
    struct LoadChange {
        model::Link before, after;               ///< none where the link is in one alone
        double load_before = 0, load_after = 0;  ///< delivered pairs over it; by equal division where there are sets
    };
    std::vector<LoadChange> rose;  ///< links with more load than before, the largest rise first
    std::uint64_t fell = 0;        ///< links with less

    bool equal() const;
};

struct DiffRequest {
    bool aggregation_nodes_are_hosts = false;
    unsigned threads = 0;
    std::string group_by = {};  ///< see group_nodes; what audits of both say, by group; empty = not asked
};
/// O(rows x destinations): trees are compared, not pairs. Both fabrics have tables, or neither.
FabricDiff diff(model::Fabric const& before, model::Fabric const& after, DiffRequest const& request);

}  // namespace tailback::audit
