// Ends of planned cables as ports of a network.
#pragma once

#include "host/formats/interface_names.hpp"
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

    /// No node: the network does not have it, or several of that name; port 0: not that port.
    std::pair<model::Node, model::Port> find(formats::PlannedEnd const& end) const {
        if (model::Node const node = only(end.unit.empty() ? end.name : end.name + "/" + end.unit); node.exists()) {
            if (end.number > 0 && network_.given_port_name(node, end.number).empty() &&
                network_.link_at(node, end.number).exists())
                return {node, end.number};  // beside ports that have names
            if (model::Port const port = end.number > 0 ? port_of(node, end) : 0; port != 0) return {node, port};
            if (end.number > 0 && network_.given_port_name(node, end.number).empty()) return {node, end.number};
            if (end.of_switch || network_.is_switch(node)) return {node, port_of(node, end)};
            std::span<model::Host const> const hosts = network_.hosts_of(node);
            return {node, hosts.size() == 1 ? network_[hosts.front()].port : 0};
        }
        // Interfaces of routers, and adapters that are called as their host.
        if (model::Node const node = only(formats::folded_name(end.device)); node.exists()) {
            if (model::Port const port = port_of(node, end); port != 0) return {node, port};
            return {node, network_.is_switch(node) ? 0 : end.number};
        }
        return {};
    }

    /// Is there one of that name, or are there several?
    bool has_device(formats::PlannedEnd const& end) const {
        return by_name_.contains(end.unit.empty() ? end.name : end.name + "/" + end.unit) ||
               by_name_.contains(formats::folded_name(end.device));
    }

private:
    /// By its name, in any of its spellings; by its number, where one port alone has it.
    model::Port port_of(model::Node node, formats::PlannedEnd const& end) const {
        if (model::Port const port = network_.port_called(node, end.port); port != 0) return port;
        if (!network_.named_ports()) return 0;
        std::string const wanted = end.number > 0 ? std::to_string(end.number) : formats::folded_interface(end.port);
        bool const is_number = wanted.find_first_not_of("0123456789/:") == wanted.npos;
        model::Port found = 0;
        for (model::Port port = 1; port <= network_[node].ports; ++port) {
            std::string const& name = network_.given_port_name(node, port);
            if (name.empty() || formats::is_management_interface(name)) continue;
            if ((is_number ? formats::interface_number(name) : formats::folded_interface(name)) != wanted) continue;
            if (found != 0) return 0;
            found = port;
        }
        return found;
    }

    model::Node only(std::string const& name) const {
        auto const at = by_name_.find(name);
        return at == by_name_.end() || at->second.size() != 1 ? model::Node{} : at->second.front();
    }

    model::Network const& network_;
    std::vector<std::string> folded_;  // by node
    std::unordered_map<std::string, std::vector<model::Node>> by_name_;
};

}  // namespace tailback::audit
