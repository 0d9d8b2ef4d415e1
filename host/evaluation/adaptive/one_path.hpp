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

    /// Appends the links of a path of a flow. False where it fails.
    bool walk(HostFlow const& flow, std::uint32_t queue_pair, std::vector<model::Link>& links) const;

private:
    model::ChoiceGraph const& graph_;
    model::LinkCosts const& costs_;
    std::optional<topologies::FlowHash> hash_;
    std::uint32_t queue_pairs_;
    FlowLoads result_;
    std::vector<model::Link> links_;  // of all flows, one after the other
    std::vector<std::size_t> first_link_;
};

}  // namespace tailback::evaluation
