#include "topologies/lag_routes.hpp"

#include "host/base/error.hpp"
#include "host/base/numbers.hpp"
#include "host/model/routes/candidate_sets.hpp"
#include "host/model/routes/expected_routes.hpp"
#include "host/model/routes/lags.hpp"
#include "topologies/draws.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace tailback::topologies {
namespace {

/// Which members divide what goes by a port, for all nodes.
class Sharers {
public:
    explicit Sharers(Topology const& topology) : members_(topology.network.links().size()) {
        for (std::size_t l = 0; l < members_.size(); ++l) {
            std::vector<model::Link> members = topology.lags->sharers(topology.network, model::Link{l});
            if (members.size() > 1) members_[l] = std::move(members);
        }
    }
    /// Two at least; none: the link is alone.
    std::vector<model::Link> const& of(model::Link link) const { return link.exists() ? members_[link.value] : none_; }

private:
    std::vector<std::vector<model::Link>> members_;  // by link
    std::vector<model::Link> none_;
};

class OverMembers final : public model::PairRoutes, public model::ExpectedRoutes {
public:
    OverMembers(Topology const& topology, RoutingSpec const& spec, std::shared_ptr<model::Routing const> one_cable)
        : sharers_(topology), seed_(spec.seed()), one_cable_(std::move(one_cable)) {}

    std::string text() const override { return one_cable_->text() + ", over LAGs"; }
    bool append(model::Network const& network, model::Host source, model::Host destination,
                std::vector<model::Link>& links) const override {
        std::size_t const begin = links.size();
        bool const arrives = one_cable_->pairs()->append(network, source, destination, links);
        for (std::size_t i = begin; i < links.size(); ++i) {
            std::vector<model::Link> const& members = sharers_.of(links[i]);
            if (members.empty()) continue;
            std::uint64_t const word = kernels::philox(source.value, destination.value, network[links[i]].from.value,
                                                       static_cast<std::uint32_t>(BuildStream::lag_member), seed_)
                                           .word[0];
            links[i] = members[word * members.size() >> 32];
        }
        return arrives;
    }

    model::ExpectedRoutes const* law() const override { return one_cable_->law() != nullptr ? this : nullptr; }
    bool expect(model::Network const& network, model::Host source, model::Host destination,
                std::vector<model::LinkShare>& shares) const override {
        std::vector<model::LinkShare> by_one;
        bool const arrives = one_cable_->law()->expect(network, source, destination, by_one);
        for (model::LinkShare const& one : by_one) {
            std::vector<model::Link> const& members = sharers_.of(one.link);
            if (members.empty()) shares.push_back(one);
            for (model::Link const member : members) shares.push_back({member, one.share / double(members.size())});
        }
        return arrives;
    }

private:
    Sharers sharers_;
    std::uint64_t seed_;
    std::shared_ptr<model::Routing const> one_cable_;
};

/// How one node sends.
class NodeOverMembers {
public:
    NodeOverMembers(Topology const& topology, Sharers const& sharers, model::Node node)
        : network_(topology.network), sharers_(sharers), node_(node) {}

    std::vector<model::Link> const& members(model::Port port) const {
        return sharers_.of(network_.link_at(node_, port));
    }
    /// Every member of the LAG that a port is in takes its turn.
    model::Port in_turn(std::vector<model::Link> const& members) {
        return network_[members[turn_[members.front()]++ % members.size()]].from_port;
    }
    /// As many places for every port, those of a LAG for its members in equal parts.
    std::vector<model::Port> spread(std::span<model::Port const> ports) const {
        std::size_t places = 1;
        for (model::Port const port : ports) {
            places = std::lcm(places, std::max<std::size_t>(members(port).size(), 1));
            if (places * ports.size() > model::CandidateSets::most_places)
                throw base::InputError({}, "the LAGs of a route are too different",
                                       fmt::format("its next hops would have more than {} parts of equal weight",
                                                   base::grouped(model::CandidateSets::most_places)),
                                       "choose a routing of one next hop, such as minhop");
        }
        std::vector<model::Port> all;
        for (model::Port const port : ports) {
            std::vector<model::Link> const& of = members(port);
            if (of.empty()) all.insert(all.end(), places, port);
            for (model::Link const member : of) all.insert(all.end(), places / of.size(), network_[member].from_port);
        }
        return all;
    }

private:
    model::Network const& network_;
    Sharers const& sharers_;
    model::Node node_;
    std::map<model::Link, std::size_t> turn_;  // by first member
};

}  // namespace

bool has_lags(Topology const& topology) { return topology.lags != nullptr; }

Topology without_further_members(Topology const& topology) {
    model::Network const& network = topology.network;
    std::vector<bool> goes(network.links().size());
    // Both ends keep the same cable, though their ports may be in another order.
    auto const cable_of = [&](model::Link link) {
        model::Link const back = network[link].reverse;
        return back.exists() ? std::min(link, back) : link;
    };
    for (std::size_t l = 0; l < goes.size(); ++l) {
        model::Link const link{l}, back = network[link].reverse;
        std::vector<model::Link> const members = topology.lags->sharers(network, link);
        bool const further =
            std::ranges::any_of(members, [&](model::Link one) { return cable_of(one) < cable_of(link); });
        if (!further && !topology.lags->is_idle(network[link])) continue;
        goes[l] = true;
        if (back.exists()) goes[back.value] = true;
    }
    model::NetworkBuilder builder(network.named());
    for (model::NodeRecord const& node : network.nodes()) builder.add_node(node);
    for (model::HostRecord const& host : network.hosts()) builder.add_host(host);
    for (std::size_t l = 0; l < goes.size(); ++l) {
        model::LinkRecord link = network[model::Link{l}];
        builder.set_port_label(link.from, link.from_port, network.port_label(link.from, link.from_port));
        if (goes[l]) continue;
        link.reverse = model::Link{};
        builder.add_link(link);
    }
    model::Disagreements told_already;
    Topology reduced;
    reduced.network = builder.finish(told_already, "");
    reduced.hosts_do = topology.hosts_do;
    reduced.usual_routing = topology.usual_routing;
    reduced.groups = topology.groups;
    return reduced;
}

Routes over_all_members(Topology const& topology, RoutingSpec const& spec, Routes routes) {
    if (routes.routing->depends_on_source()) {
        routes.routing = std::make_shared<OverMembers>(topology, spec, std::move(routes.routing));
        return routes;
    }
    model::Network const& network = topology.network;
    Sharers const sharers(topology);
    bool const are_sets = routes.candidates != nullptr;
    auto const sets = are_sets ? std::make_shared<model::CandidateSets>(*routes.candidates)
                               : std::make_shared<model::CandidateSets>(network.nodes().size(), routes.tables.lids(),
                                                                        spec.text(), model::ChosenBy::hash);
    for (std::size_t n = 0; n < network.nodes().size(); ++n) {
        model::Node const node{n};
        if (!routes.tables.has_table(node)) continue;
        sets->add_row(node);
        NodeOverMembers here(topology, sharers, node);
        for (model::Lid lid = 0; lid < routes.tables.lids(); ++lid) {
            model::Port const port = routes.tables.port(node, lid);
            model::CandidateSets::Group const group = sets->group(node, lid);
            bool const in_set = group != model::CandidateSets::no_group;
            if (port == model::ForwardingTables::no_entry || port == 0) continue;
            std::vector<model::Link> const& members = here.members(port);
            if (!members.empty()) routes.tables.set(node, lid, here.in_turn(members));
            if (!in_set && members.empty()) continue;
            std::vector<model::Port> const of_entry = {port};
            std::span<model::Port const> const before = in_set ? sets->ports(node, group) : std::span(of_entry);
            std::vector<model::Port> const ports = here.spread(before);
            if (ports.size() == before.size()) continue;
            sets->set(node, lid, in_set ? sets->state(node, lid) : model::LidState::hashed,
                      sets->group_of(node, ports));
        }
    }
    routes.candidates = sets;
    return routes;
}

}  // namespace tailback::topologies
