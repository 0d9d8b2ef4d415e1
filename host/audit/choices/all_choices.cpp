// What all choices of a fabric's switches come to, without saying where.
#include "host/audit/choices/choice_dependencies.hpp"
#include "host/audit/choices/choices.hpp"
#include "host/model/routes/for_each_destination.hpp"

namespace tailback::audit {

AllChoices judge_all_choices(model::ChoiceGraph const& graph, std::span<model::Host const> hosts) {
    std::vector<std::uint32_t> const senders = model::sources_by_row(graph.forwarding(), hosts);
    std::vector<std::uint32_t> starts;
    for (std::uint32_t row = 0; row < senders.size(); ++row)
        if (senders[row] > 0) starts.push_back(row);
    ChannelDependencies dependencies(graph.forwarding(), 1);
    ChoiceDependencies choices(graph, dependencies);
    model::ChoiceWalk walk(graph);
    AllChoices found;
    for (model::ChoiceGraph::Class const& one : graph.classes()) {
        walk.grow(one, starts);
        choices.add(walk, graph.column(one));
        for (std::uint32_t const row : starts) {
            if (walk.always_delivered(row)) continue;
            found.not_always += std::uint64_t{senders[row]} * one.count;
            for (model::ChoiceGraph::Member const& member : graph.members(one))  // nobody sends to itself
                found.not_always -= graph.forwarding().entry_of(member.to.host).row == row;
        }
    }
    found.free = !has_cycles(graph.forwarding(), dependencies);
    return found;
}

}  // namespace tailback::audit
