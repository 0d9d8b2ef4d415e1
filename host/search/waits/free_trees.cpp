#include "host/search/waits/free_trees.hpp"

#include <algorithm>

namespace tailback::search {

FreeTrees::FreeTrees(SwitchGraph const& everybody, model::ForwardingTables const& tables, Trees const& trees)
    : of_others_(everybody) {
    for (std::uint32_t s = 0; s < everybody.switches(); ++s)
        if (everybody.hosts_at(s) > 0) senders_.push_back(s);
    std::vector<model::Lid> own;
    for (Target const& target : trees.targets()) own.push_back(target.lid);
    std::sort(own.begin(), own.end());
    std::vector<Target> others = targets_of_plane(everybody, 0);
    std::erase_if(others, [&](Target const& target) { return std::binary_search(own.begin(), own.end(), target.lid); });
    if (others.empty()) return;
    Trees routes(everybody, std::move(others));
    routes.take(tables);
    std::vector<std::uint32_t> met(everybody.switches(), SwitchGraph::none);
    for (std::uint32_t d = 0; d < routes.targets().size(); ++d)
        if (!routes.own_entry_differs(d, tables)) walk(routes, d, of_others_, met);
}

std::optional<bool> FreeTrees::are_free(Trees const& trees) const {
    Waits waits = of_others_;
    std::vector<std::uint32_t> met(trees.graph().switches(), SwitchGraph::none);
    for (std::uint32_t d = 0; d < trees.targets().size(); ++d)
        if (!walk(trees, d, waits, met)) return std::nullopt;
    return !waits.have_a_cycle();
}

/// Adds who waits on the ways of all who send. @param met by switch: on a way to which target @return false when
/// somebody has no way
bool FreeTrees::walk(Trees const& trees, std::uint32_t d, Waits& waits, std::vector<std::uint32_t>& met) const {
    std::uint32_t const at = trees.targets()[d].at;
    bool is_whole = true;
    for (std::uint32_t v : senders_) {
        for (std::uint32_t before = SwitchGraph::none; v != at;) {
            std::uint32_t const arc = trees.arc(d, v);
            is_whole = is_whole && arc != SwitchGraph::none;
            if (arc == SwitchGraph::none) break;
            if (before != SwitchGraph::none) waits.add(before, arc);
            if (met[v] == d) break;
            met[v] = d;
            before = arc;
            v = trees.head(arc);
        }
    }
    return is_whole;
}

}  // namespace tailback::search
