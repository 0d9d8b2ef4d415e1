#include "host/diagnosis/kind.hpp"

namespace tailback::diagnosis {
namespace {

constexpr FindingKindInfo kinds[] = {
    {FindingKind::inconsistent, "inconsistent", "the dumps disagree with each other or with themselves", true},
    {FindingKind::unreachable, "unreachable", "pairs that are dropped on the way", true},
    {FindingKind::loop, "loop", "pairs that run in a circle", true},
    {FindingKind::misdelivered, "misdelivered", "pairs that arrive at another host", true},
    {FindingKind::deadlock, "deadlock", "a cycle of channel dependencies on one virtual lane", true},
    {FindingKind::nonminimal, "nonminimal", "routes longer than the shortest path", false},
    {FindingKind::updown, "updown", "routes that go up again after they went down", false},
    {FindingKind::asymmetric, "asymmetric", "pairs whose two directions take different cables", false},
    {FindingKind::unused, "unused", "links between switches that no pair uses", false},
    {FindingKind::aggregation, "aggregation", "failing pairs with an aggregation node at one end", false},
    {FindingKind::switch_lids, "switch_lids", "failing routes from switches to the LIDs of other switches", false},
    {FindingKind::degraded, "degraded", "cables slower than others of their kind", false},
    {FindingKind::choices, "choices", "choices of adaptive routing that fail, where the static entries do not", true},
    {FindingKind::groups, "groups", "groups of adaptive routing unlike their neighbours or the static entries", false},
    {FindingKind::virtual_lids, "virtual_lids", "LIDs of virtual ports, and behind routers", false},
};

}  // namespace

std::span<FindingKindInfo const> finding_kinds() { return kinds; }

std::vector<FindingKind> kinds_that_fail() {
    std::vector<FindingKind> failing;
    for (FindingKindInfo const& info : kinds)
        if (info.fails) failing.push_back(info.kind);
    return failing;
}

}  // namespace tailback::diagnosis
