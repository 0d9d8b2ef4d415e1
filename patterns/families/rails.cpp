#include "patterns/families/rails.hpp"

#include "host/base/numbers.hpp"

#include <fmt/format.h>

#include <map>

namespace tailback::patterns {

Rails::Rails(FlowListWriter& out, base::Arguments const& arguments, Use use) : Rails(out.ranks()) {
    NodesOfRanks const& known = out.nodes();
    bool const said = arguments.said("per-node");
    for (char const* const name : {"per-node", "rails", "channels"})
        if (use == Use::none && arguments.said(name))
            arguments.refuse(fmt::format("{} has no effect", name), "the algorithm does not go by compute nodes",
                             "leave it out, or take an algorithm that does: `tailback list patterns` tells which");
    if (use == Use::none) return;
    std::uint64_t const ranks = out.ranks(), per = said ? arguments.number("per-node") : known.per_node;
    if (per == 0 && use == Use::needed && ranks > 0)
        arguments.refuse("the algorithm wants to know which ranks share a compute node", known.irregular,
                         known.remedy.empty()
                             ? "say per-node=8 (ranks in a row), or place ranks on nodes by --ranks-per-node"
                             : known.remedy);
    if (ranks == 0) return;
    if (per <= 1 && use != Use::needed) {
        for (char const* const name : {"rails", "channels"})
            if (arguments.said(name))
                arguments.refuse(fmt::format("{} has no effect", name), "no node has several ranks",
                                 "say per-node=8, or place ranks on nodes by --ranks-per-node");
        if (!said && known.shared)
            out.set_note(
                fmt::format("{} does not go by compute nodes and rails, although nodes have several ranks: {} "
                            "({})",
                            base::name_of_spec(arguments.text()), known.irregular, known.remedy));
        return;
    }
    if (said && per > 1 && !known.irregular.empty())
        arguments.refuse(fmt::format("per-node is {}", per), known.irregular,
                         "leave per-node out, or " + (known.remedy.empty() ? "place ranks in blocks" : known.remedy));
    if (said && per > 1 && known.per_node > 0 && per != known.per_node && !known.guessed)
        arguments.refuse(fmt::format("per-node is {}", per),
                         fmt::format("the placement puts {} on a node", known.per_node),
                         "leave per-node out (1: as if every rank had a node of its own)");
    if (ranks % std::max<std::uint64_t>(per, 1) != 0)
        arguments.refuse(fmt::format("there are {} ranks", ranks), fmt::format("per-node is {}", per),
                         "give as many ranks as a multiple of it");
    bool const takes_known = known.per_node > 1 && per == known.per_node;
    std::map<std::uint32_t, std::vector<std::uint32_t>> slots;  // by adapter
    std::uint64_t const without = arguments.given("rails") ? arguments.number("rails") : per;
    for (std::uint32_t s = 0; s < per; ++s)
        slots[takes_known ? known.adapter_of_slot[s] : static_cast<std::uint32_t>(s % without)].push_back(s);
    if (arguments.given("rails") && per > 0 && slots.size() != arguments.number("rails"))
        arguments.refuse(
            fmt::format("rails is {}", arguments.number("rails")),
            fmt::format("the {} ranks of a node use {} adapter{}", per, slots.size(), slots.size() == 1 ? "" : "s"),
            "leave rails out");
    if (per == 0) return;
    if (use == Use::chosen && !said && slots.size() == 1 && !arguments.said("channels")) return;
    nodes = ranks / per;
    per_node = per;
    slots_.clear();
    sharers_.clear();
    for (auto const& [adapter, of_rail] : slots) {
        slots_.push_back(of_rail.front());
        sharers_.push_back(static_cast<std::uint32_t>(of_rail.size()));
    }
    channels = arguments.given("channels") ? arguments.number("channels") : slots_.size();
    if (!said && per > 1)
        out.set_note(
            fmt::format("{} goes by {} of {} ranks and {}, as ranks are placed; what "
                        "ranks of a node send each other is not listed (per-node=1: all ranks alike)",
                        base::name_of_spec(arguments.text()), base::counted(nodes, "compute node", "compute nodes"),
                        per_node, base::counted(rails(), "rail", "rails")));
}

}  // namespace tailback::patterns
