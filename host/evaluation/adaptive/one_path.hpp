// Loads of flows that each take one path: that of the static entries, or one chosen by a hash at every switch.
#pragma once

#include "host/evaluation/adaptive/equal_split.hpp"

#include <optional>

namespace tailback::evaluation {

/// One thread's work. The graph and the costs must outlive it.
class OnePath {
public:
    /// @param hash the seed of the hash of (source, destination, switch) that picks a port of a group, as the routing
    /// `ecmp` does; none: groups have one port, as those of ChoicesOf::static_entries.
    OnePath(model::ChoiceGraph const& graph, model::LinkCosts const& costs, std::optional<std::uint64_t> hash);

    /// Carries the flows of one level; loads and congestion in units of a flow of weight 1.
    FlowLoads const& carry(std::span<HostFlow const> flows);

private:
    /// Appends the links of a flow's path. False where it fails.
    bool walk(HostFlow const& flow);

    model::ChoiceGraph const& graph_;
    model::LinkCosts const& costs_;
    std::optional<std::uint64_t> hash_;
    FlowLoads result_;
    std::vector<model::Link> links_;  // of all flows, one after the other
    std::vector<std::size_t> first_link_;
};

}  // namespace tailback::evaluation
