// A finding: one thing that is wrong or worth knowing, where, and how many pairs it costs.
#pragma once

#include "host/audit/findings/lid_list.hpp"
#include "host/model/disagreements.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tailback::audit {

/// What `--fail-on` chooses from, and what a finding's `kind` is.
enum class FindingKind : std::uint8_t {
    inconsistent,  ///< the dumps disagree with each other or with themselves
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

struct Finding {
    FindingKind kind = FindingKind::inconsistent;
    std::string where;        ///< `switch "leaf-07" (0x0002c90200400028) port 5`: description, GUID, port
    std::uint64_t pairs = 0;  ///< (source endpoint, destination LID) pairs it concerns; 0 where it concerns none
    std::string message;      ///< one sentence: what is wrong, with LIDs and names
    /// The same for programs, where it is about one place.
    model::Node node;
    model::Port port = 0;  ///< 0 = of no port
    LidList lids;
    std::uint64_t guid = 0;  ///< of a node that the topology does not have
    /// LIDs and nodes that may have troubles because of this one (host/audit/causes/folding.hpp).
    std::vector<model::Lid> explains_lids = {};
    std::vector<model::Node> explains_nodes = {};
    std::optional<model::Disagreement> noted = {};  ///< what a reader noted this as
    /// What would be findings of their own if this one were not their cause. Their pairs are counted here.
    std::vector<Finding> symptoms = {};

    /// Itself or a symptom of it.
    bool has_kind(FindingKind wanted) const;
};

}  // namespace tailback::audit
