#include "topologies/routings/hashed_sets.hpp"

#include "host/model/routes/next_hop.hpp"
#include "host/model/routes/trace.hpp"
#include "topologies/routings/pairs.hpp"

#include <algorithm>
#include <map>

namespace tailback::topologies {
namespace {

/// What switches may send by.
struct NextHops {
    model::Network const& network;
    model::ForwardingTables const& tables;
    model::CandidateSets const* sets;
};

/// From `source`, into links that are none yet, where `pick(node, ports)` chooses.
template <class Pick>
bool walk(NextHops const& hops, model::Host source, model::Host destination, std::vector<model::Link>& links,
          Pick&& pick) {
    auto const& [network, tables, sets] = hops;
    model::Link at = network.up_link(source);
    std::vector<model::Port> ports;
    while (at.exists()) {
        links.push_back(at);
        model::LinkRecord const& link = network[at];
        if (leads_into(network, link, destination)) return true;
        // What is met twice chooses the same again.
        if (model::meets_twice(network, links) || !tables.has_table(link.to)) return false;
        usable_ports(network, tables, sets, link.to, network[destination].lid, ports);
        if (ports.empty()) return false;
        at = network.link_at(link.to, ports[ports.size() == 1 ? 0 : pick(link.to, ports.size())]);
    }
    return false;
}

class HashedSets : public model::PairRoutes, public model::ExpectedRoutes {
public:
    HashedSets(model::Fabric const& fabric, RoutingSpec const& spec, std::string const& over)
        : tables_(fabric.tables),
          sets_(fabric.candidates),
          ip_(fabric.ip),
          hash_(hash_options(spec.arguments(), spec.seed()), ip_.get()),
          text_(pairs_text(spec.arguments(), spec.seed()) + ", over " + over) {}

    std::string text() const override { return text_; }
    bool append(model::Network const& network, model::Host source, model::Host destination,
                std::vector<model::Link>& links) const override {
        return walk({network, tables_, sets_.get()}, source, destination, links,
                    [&](model::Node at, std::size_t count) {
                        return hash_.pick({source, destination}, at, count);
                    });
    }

    model::ExpectedRoutes const* law() const override { return this; }
    /// Every next hop is as probable as its weight.
    bool expect(model::Network const& network, model::Host source, model::Host destination,
                std::vector<model::LinkShare>& shares) const override {
        model::Link const up = network.up_link(source);
        if (!up.exists()) return false;
        shares.push_back({up, 1});
        std::map<std::uint32_t, double> here, next;
        if (leads_into(network, network[up], destination)) return true;
        here[network[up].to.value] = 1;
        std::vector<model::Port> ports;
        for (std::size_t steps = 0; !here.empty(); ++steps, here.swap(next), next.clear()) {
            if (steps > network.nodes().size()) return false;
            for (auto const& [node, share] : here) {
                model::Node const at{node};
                if (!tables_.has_table(at)) return false;
                usable_ports(network, tables_, sets_.get(), at, network[destination].lid, ports);
                if (ports.empty()) return false;
                for (model::Port const port : ports) {
                    model::Link const link = network.link_at(at, port);
                    if (!link.exists()) return false;
                    shares.push_back({link, share / double(ports.size())});
                    if (!leads_into(network, network[link], destination))
                        next[network[link].to.value] += share / double(ports.size());
                }
            }
        }
        return true;
    }

private:
    model::ForwardingTables tables_;
    std::shared_ptr<model::CandidateSets const> sets_;
    std::shared_ptr<model::IpPlan const> ip_;
    FlowHash hash_;
    std::string text_;
};

}  // namespace

FlowHashOptions hash_options(Arguments const& options, std::uint64_t seed) {
    FlowHashOptions found;
    found.seed = seed;
    found.linux_kernel = options.word("hash") == "linux";
    found.same = options.word("hash") == "same";
    found.by_source = options.word("fields") != "destination";
    found.by_destination = options.word("fields") != "source";
    if (found.linux_kernel && options.given("fields") && options.word("fields") != "both")
        options.refuse("hash=linux does not go with fields=" + options.word("fields"),
                       "the kernel hashes both addresses", "leave out fields, or choose policy=l3");
    if (!found.linux_kernel && (options.given("seed") || options.word("policy") != "l4"))
        options.refuse("seed and policy are of hash=linux", "another hash is asked for", "add hash=linux");
    if (options.given("seed")) found.kernel_seed = options.number("seed");
    if (options.word("policy") == "l3") found.policy = model::LinuxHashPolicy::layer3;
    return found;
}

std::shared_ptr<model::PairRoutes const> pairs_by_sets(model::Fabric const& fabric, RoutingSpec const& spec,
                                                       std::string const& over) {
    return std::make_shared<HashedSets>(fabric, spec, over);
}

void usable_ports(model::Network const& network, model::ForwardingTables const& tables,
                  model::CandidateSets const* sets, model::Node at, model::Lid lid, std::vector<model::Port>& ports) {
    ports.clear();
    // A router hashes over all next hops that its file tells, those without a cable among them.
    bool const all = sets != nullptr && sets->chosen_by() == model::ChosenBy::hash;
    auto const add = [&](model::Port port) {
        if (port != 0 && port != model::ForwardingTables::no_entry && (all || network.link_at(at, port).exists()))
            ports.push_back(port);
    };
    model::CandidateSets::Group const group = sets != nullptr ? sets->group(at, lid) : model::CandidateSets::no_group;
    if (group != model::CandidateSets::no_group)
        for (model::Port const port : sets->ports(at, group)) add(port);
    if (group == model::CandidateSets::no_group || sets->ports(at, group).empty()) add(tables.port(at, lid));
}

bool follow_packet(model::Fabric const& fabric, FlowHash const& hash, model::FiveTuple const& packet,
                   model::Host source, model::Host destination, std::vector<model::Link>& links) {
    return walk({fabric.network, fabric.tables, fabric.candidates.get()}, source, destination, links,
                [&](model::Node at, std::size_t count) { return hash.pick(packet, at, count); });
}

}  // namespace tailback::topologies
