// Ends of planned cables as ports of a network.
#pragma once

#include "host/formats/plan/cable_plan.hpp"
#include "host/model/network.hpp"

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tailback::audit {

/// By folded names (formats::folded_name).
class PortsOfNames {
public:
    explicit PortsOfNames(model::Network const& network) : network_(network) {
        for (std::uint32_t n = 0; n < network.nodes().size(); ++n) {
            folded_.push_back(formats::folded_name(network[model::Node{n}].name));
            by_name_[folded_.back()].emplace_back(n);
        }
    }
    std::string const& folded(model::Node node) const { return folded_[node.value]; }

    /// Port 0: the network does not have it.
    std::pair<model::Node, model::Port> find(formats::PlannedEnd const& end) const {
        if (model::Node const node = only(end.unit.empty() ? end.name : end.name + "/" + end.unit); node.exists()) {
            if (end.number > 0 && (network_.is_switch(node) || network_.given_port_name(node, end.number).empty()))
                return {node, end.number};
            if (end.of_switch || network_.is_switch(node)) return {node, network_.port_called(node, end.port)};
            std::span<model::Host const> const hosts = network_.hosts_of(node);
            return {node, hosts.size() == 1 ? network_[hosts.front()].port : 0};
        }
        // Interfaces of routers, and adapters that are called as their host.
        if (model::Node const node = only(formats::folded_name(end.device)); node.exists()) {
            if (model::Port const port = network_.port_called(node, end.port); port != 0) return {node, port};
            if (end.number > 0 && !network_.is_switch(node)) return {node, end.number};
        }
        return {};
    }

    /// Is there one of that name, or are there several?
    bool has_device(formats::PlannedEnd const& end) const {
        return by_name_.contains(end.unit.empty() ? end.name : end.name + "/" + end.unit) ||
               by_name_.contains(formats::folded_name(end.device));
    }

private:
    model::Node only(std::string const& name) const {
        auto const at = by_name_.find(name);
        return at == by_name_.end() || at->second.size() != 1 ? model::Node{} : at->second.front();
    }

    model::Network const& network_;
    std::vector<std::string> folded_;  // by node
    std::unordered_map<std::string, std::vector<model::Node>> by_name_;
};

}  // namespace tailback::audit
