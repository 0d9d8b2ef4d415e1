// What routings by pairs share: hosts enter and leave at forwarders, and a routing finds the way between two of these.
#pragma once

#include "host/model/routes/expected_routes.hpp"
#include "topologies/forwarding_graph.hpp"
#include "topologies/topology.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace tailback::topologies {

/// Routes of hosts as ways between the forwarders where they enter and leave.
class PairsOnGraph : public model::PairRoutes {
public:
    PairsOnGraph(Topology const& topology, std::string text)
        : graph_(topology.network, topology.hosts_do), leave_(topology.network.hosts().size()), text_(std::move(text)) {
        for (std::uint32_t v = 0; v < graph_.size(); ++v)
            for (std::uint32_t i = graph_.first_destination[v]; i < graph_.first_destination[v + 1]; ++i) {
                model::Host const host = topology.network.owner(graph_.destinations[i].lid).host;
                if (host.exists() && !leave_[host.value].known)
                    leave_[host.value] = {v, graph_.destinations[i].port, true, graph_.destinations[i].aggregation};
            }
    }
    std::string text() const override { return text_; }

    bool append(model::Network const& network, model::Host source, model::Host destination,
                std::vector<model::Link>& links) const override {
        std::uint32_t at = graph_.index[network[source].node.value];
        if (at == ForwardingGraph::none) {
            model::Link const up = network.up_link(source);
            if (!up.exists()) return false;
            links.push_back(up);
            if (network[up].to == network[destination].node) return true;
            at = graph_.index[network[up].to.value];
        }
        Leave const& leave = leave_[destination.value];
        if (at == ForwardingGraph::none || !leave.known) return false;
        std::size_t const begin = links.size();
        if (at != leave.at && !way(network, at, leave.at, source, destination, links)) return false;
        cut_repeats(links, begin);
        if (leave.port == 0) return true;
        model::Link const down = network.link_at(graph_.nodes[leave.at], leave.port);
        if (down.exists()) links.push_back(down);
        return down.exists();
    }

protected:
    /// Appends the links from forwarder `from` to forwarder `to`, another one.
    virtual bool way(model::Network const& network, std::uint32_t from, std::uint32_t to, model::Host source,
                     model::Host destination, std::vector<model::Link>& links) const = 0;

    /// As `append`, where `way(from, to)` appends to `shares` what lies between two forwarders.
    template <class Way>
    bool expect_with(model::Network const& network, model::Host source, model::Host destination,
                     std::vector<model::LinkShare>& shares, Way&& way) const {
        std::uint32_t at = graph_.index[network[source].node.value];
        if (at == ForwardingGraph::none) {
            model::Link const up = network.up_link(source);
            if (!up.exists()) return false;
            shares.push_back({up, 1});
            if (network[up].to == network[destination].node) return true;
            at = graph_.index[network[up].to.value];
        }
        Leave const& leave = leave_[destination.value];
        if (at == ForwardingGraph::none || !leave.known || (at != leave.at && !way(at, leave.at))) return false;
        if (leave.port == 0) return true;
        model::Link const down = network.link_at(graph_.nodes[leave.at], leave.port);
        if (down.exists()) shares.push_back({down, 1});
        return down.exists();
    }
    /// Where a host's packets enter and leave; none = nowhere.
    std::uint32_t entrance(model::Network const& network, model::Host host) const {
        return graph_.entrance(network, host);
    }
    std::uint32_t exit_of(model::Host host) const {
        return leave_[host.value].known ? leave_[host.value].at : ForwardingGraph::none;
    }
    model::Link link_of(model::Network const& network, std::uint32_t arc, std::uint32_t at) const {
        return network.link_at(graph_.nodes[at], graph_.arcs[arc].port);
    }
    bool usable(std::uint32_t v, std::uint32_t target) const { return v == target || graph_.transit[v] != 0; }
    /// Forwarders where hosts enter or leave; with or without those of aggregation nodes alone.
    std::vector<std::uint32_t> ends(bool with_aggregation = true) const {
        std::vector<std::uint8_t> is_end(graph_.size());
        for (std::uint32_t v = 0; v < graph_.size(); ++v)
            is_end[v] = graph_.sources[v] > (with_aggregation ? 0 : graph_.aggregation[v]);
        for (Leave const& leave : leave_)
            if (leave.known && (with_aggregation || !leave.aggregation)) is_end[leave.at] = 1;
        std::vector<std::uint32_t> found;
        for (std::uint32_t v = 0; v < graph_.size(); ++v)
            if (is_end[v]) found.push_back(v);
        return found;
    }

    /// A route takes a link once: what it did between two uses of one is left out.
    static void cut_repeats(std::vector<model::Link>& links, std::size_t begin) {
        for (std::size_t i = begin; i < links.size(); ++i)
            for (std::size_t j = links.size() - 1; j > i; --j)
                if (links[j] == links[i]) {
                    links.erase(links.begin() + std::ptrdiff_t(i), links.begin() + std::ptrdiff_t(j));
                    break;
                }
    }

    ForwardingGraph graph_;

private:
    struct Leave {
        std::uint32_t at = 0;
        model::Port port = 0;
        bool known = false;
        bool aggregation = false;
    };
    std::vector<Leave> leave_;
    std::string text_;
};

}  // namespace tailback::topologies
