#include "topologies/routings/trees.hpp"

#include "host/io/progress.hpp"
#include "kernels/cpu/machine/threads.hpp"

#include <algorithm>

namespace tailback::topologies {
namespace {

/// Choices that are held at once: 2 bytes each.
constexpr std::uint64_t most_choices = std::uint64_t{1} << 27;
/// Forwarders x targets that are worth more than one thread.
constexpr std::uint64_t worth_threads = std::uint64_t{1} << 18;

}  // namespace

DestinationTrees::DestinationTrees(ForwardingGraph const& graph, DestinationTreesFor const& what)
    : graph_(graph),
      to_(what.to),
      threads_(std::uint64_t{graph.size()} * graph.size() < worth_threads ? 1 : kernels::threads_to_use(what.threads)) {
}

bool DestinationTrees::is_wanted(std::uint32_t target) const {
    std::uint32_t const begin = graph_.first_destination[target], end = graph_.first_destination[target + 1];
    return begin != end &&
           (to_ == DestinationTreesTo::fill_tables || graph_.destinations[begin].host);  // hosts come first
}

bool DestinationTrees::next() {
    first_target_ = last_target_;
    while (first_target_ < graph_.size() && !is_wanted(first_target_)) ++first_target_;
    last_target_ = first_target_;
    if (first_target_ == graph_.size()) return false;
    std::uint32_t const most = targets_at_once();
    while (last_target_ < graph_.size() && last_target_ - first_target_ < most) {
        std::uint64_t const destinations = graph_.first_destination[last_target_ + 1] - first();
        if (last_target_ > first_target_ && (destinations * graph_.size() > most_choices || !is_wanted(last_target_)))
            break;
        ++last_target_;
    }
    if (has_rows()) chosen_.resize(std::size_t{graph_.size()} * (last() - first()));
    make();
    return true;
}

std::uint32_t DestinationTrees::arc(std::uint32_t v, std::uint32_t, std::uint32_t d) const {
    std::uint16_t const chosen = chosen_[std::size_t{v} * (last() - first()) + (d - first())];
    return chosen == no_path ? ForwardingGraph::none : graph_.first_arc[v] + chosen;
}

model::ForwardingTables tables_of(ForwardingGraph const& graph, model::Network const& network,
                                  DestinationTrees& trees) {
    model::ForwardingTables tables = tables_of(graph, network);
    io::Progress progress("computing the routes", graph.size(), "switches");
    while (trees.next()) {
        for (std::uint32_t v = 0; v < graph.size(); ++v)
            for (std::uint32_t t = trees.first_target(); t < trees.last_target(); ++t)
                for (std::uint32_t d = graph.first_destination[t]; d < graph.first_destination[t + 1]; ++d) {
                    ForwardingGraph::Destination const& to = graph.destinations[d];
                    std::uint32_t const arc = v == t ? ForwardingGraph::none : trees.arc(v, t, d);
                    if (v == t) tables.set(graph.nodes[v], to.lid, to.port);
                    else if (arc != ForwardingGraph::none) tables.set(graph.nodes[v], to.lid, graph.arcs[arc].port);
                }
        progress.show(trees.last_target());
    }
    return tables;
}

void LeastLoaded::operator()(std::uint32_t v, std::span<std::uint32_t const> arcs,
                             std::span<ForwardingGraph::Destination const> to, std::uint16_t* chosen) {
    std::size_t hosts = 0;  // they come first
    while (hosts < to.size() && to[hosts].host) ++hosts;
    std::uint16_t* const end = chosen + hosts;
    if (arcs.size() == 1) {
        load_[arcs[0]] += static_cast<std::uint32_t>(hosts);
        std::fill_n(chosen, to.size(), from_first(v, arcs[0]));
        return;
    }
    // Arcs of the least load take one host each, in turn, until they are as loaded as the next ones.
    while (chosen < end) {
        std::uint32_t least = load_[arcs[0]], next = ~0u;
        for (std::uint32_t const arc : arcs.subspan(1)) {
            std::uint32_t const load = load_[arc];
            next = std::min(next, load == least ? next : std::max(load, least));
            least = std::min(least, load);
        }
        for (std::uint32_t round = least; round < next && chosen < end; ++round)
            for (std::uint32_t const arc : arcs) {
                if (load_[arc] != round || chosen == end) continue;
                ++load_[arc];
                *chosen++ = from_first(v, arc);
            }
    }
    std::uint32_t best = arcs[0];
    for (std::uint32_t const arc : arcs.subspan(1))
        if (load_[arc] < load_[best]) best = arc;
    std::fill_n(chosen, to.size() - hosts, from_first(v, best));
}

}  // namespace tailback::topologies
