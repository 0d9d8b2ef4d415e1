// Kinds of findings: what is wrong for whom, as `--fail-on` and reports spell it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tailback::diagnosis {

/// What `--fail-on` chooses from, and what a finding's `kind` is.
enum class FindingKind : std::uint8_t {
    inconsistent,  ///< the files disagree with each other or with themselves, or the fabric with what it should be
    unreachable,   ///< pairs that are dropped
    loop,          ///< pairs that run in a circle
    misdelivered,  ///< pairs that arrive at another host
    deadlock,      ///< a cycle of channel dependencies on one virtual lane
    nonminimal,    ///< routes longer than the shortest path
    updown,        ///< routes that go up after they went down
    asymmetric,    ///< pairs whose two directions take different cables
    unused,        ///< links that no pair uses
    aggregation,   ///< pairs with an aggregation node at one end that fail (kept apart from hosts)
    switch_lids,   ///< switches that the LID of another switch cannot be reached from
    degraded,      ///< cables slower than others of their kind
    choices,       ///< choices of adaptive routing that do not deliver, where the static entries do
    groups,        ///< groups of adaptive routing that are unlike their neighbours, or do not fit the static entries
    virtual_lids,  ///< LIDs of virtual ports, and behind routers: that nobody owns, and all tables deliver to one port
};
struct FindingKindInfo {
    FindingKind kind;
    char const* name;  ///< as `--fail-on` and reports spell it
    char const* meaning;
    bool fails;  ///< exit code 1 unless `--fail-on` says otherwise
};
/// In the order of the enumeration.
std::span<FindingKindInfo const> finding_kinds();
/// Those that fail unless somebody says otherwise.
std::vector<FindingKind> kinds_that_fail();

}  // namespace tailback::diagnosis
