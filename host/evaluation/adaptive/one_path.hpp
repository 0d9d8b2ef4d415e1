// Loads of flows that each take one path: that of the static entries, or one chosen by a hash at every switch.
#pragma once

#include "host/evaluation/adaptive/equal_split.hpp"
#include "topologies/flow_hash.hpp"

#include <optional>

namespace tailback::evaluation {

/// Whether every switch on the way of a flow may send it on by the next of these links.
/// @param links of the whole way, that of the source host first, where it has a link of its own
bool takes_options(model::ChoiceGraph const& graph, HostFlow const& flow, std::span<model::Link const> links);

/// One thread's work. The graph and the costs must outlive it.
class OnePath {
public:
    /// @param hash picks a port of a group, as the routing `ecmp` does; none: groups have one port, as those of
    /// ChoicesOf::static_entries. @param queue_pairs into so many equal parts flows are divided, each hashed on its own
    OnePath(model::ChoiceGraph const& graph, model::LinkCosts const& costs, std::optional<topologies::FlowHash> hash,
            std::uint32_t queue_pairs = 1);

    /// From now on another hash picks.
    void set_hash(topologies::FlowHash const& hash) { hash_ = hash; }
    /// Carries the flows of one level; loads and congestion in units of a part of a flow of weight 1. A flow's
    /// congestion is that of its slowest part; it fails where one of them does.
    FlowLoads const& carry(std::span<HostFlow const> flows);
    /// Of a flow carried last; of its queue pairs one after the other.
    std::span<model::Link const> links_of(std::size_t flow) const {
        return {links_.data() + first_link_[flow], links_.data() + first_link_[flow + 1]};
    }

    /// Appends the links of a path of a flow (`push_back`). False where it fails.
    template <class Links>
    bool walk(HostFlow const& flow, std::uint32_t queue_pair, Links&& links) const;

private:
    model::ChoiceGraph const& graph_;
    model::LinkCosts const& costs_;
    std::optional<topologies::FlowHash> hash_;
    std::uint32_t queue_pairs_;
    FlowLoads result_;
    std::vector<model::Link> links_;  // of all flows, one after the other
    std::vector<std::size_t> first_link_;
};

template <class Links>
bool OnePath::walk(HostFlow const& flow, std::uint32_t queue_pair, Links&& links) const {
    std::uint32_t const c = graph_.class_of(flow.destination);
    model::Forwarding::Entry const& entry = graph_.forwarding().entry_of(flow.source);
    if (c == model::ChoiceGraph::none || entry.row == kernels::no_row) return false;
    if (entry.up.exists()) links.push_back(entry.up);
    model::ChoiceGraph::Class const& to = graph_.classes()[c];
    model::ChoiceGraph::Member const& member = graph_.members(to)[graph_.member_of(flow.destination)];
    std::span const column = graph_.column(to);
    std::uint32_t row = entry.row;
    for (std::uint32_t steps = 0; steps <= graph_.rows(); ++steps) {
        std::uint32_t const group = column[row];
        if (group == model::ChoiceGraph::arrived) return true;
        if (group == model::ChoiceGraph::exit) {
            links.push_back(member.exit);
            return true;
        }
        if (group == model::ChoiceGraph::no_way) return false;
        auto const options = graph_.options(group);
        std::size_t pick = 0;
        if (hash_ && options.size() > 1)
            pick = hash_->pick({flow.source, flow.destination, queue_pair, flow.connection},
                               graph_.forwarding().node_of(row), options.size());
        model::ChoiceGraph::Option const& option = options[pick];
        if (!option.link.exists()) return false;
        links.push_back(option.link);
        if (option.target >= kernels::arrival_bit) return graph_.delivers(option, member);
        row = option.target;
    }
    return false;
}

}  // namespace tailback::evaluation
