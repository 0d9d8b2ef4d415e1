// A digest of what a study can see of a fabric: FNV-1a over 64-bit words, the same on every machine.
#include "host/study/fabric_digest.hpp"

#include "host/base/digest.hpp"
#include "host/model/routes/candidate_sets.hpp"
#include "host/model/routes/ip_plan.hpp"

namespace tailback::study {
namespace {

void add(base::Digest& sum, model::CandidateSets const& sets, std::size_t nodes) {
    sum.add(std::string("sets"));
    sum.add(std::uint64_t(sets.chosen_by()));
    for (std::size_t n = 0; n < nodes; ++n) {
        model::Node const node{n};
        if (!sets.has_row(node)) continue;
        sum.add(n);
        for (std::size_t group = 0; group < sets.groups(node); ++group) {
            std::span<model::Port const> const ports =
                sets.ports(node, static_cast<model::CandidateSets::Group>(group));
            sum.add(ports.size());
            for (model::Port const port : ports) sum.add(port);
        }
        for (model::Lid lid = 0; lid < sets.lids(); ++lid)
            if (auto const group = sets.group(node, lid); group != model::CandidateSets::no_group)
                sum.add(std::uint64_t{lid} << 32 | std::uint64_t{group} << 8 | std::uint64_t(sets.state(node, lid)));
    }
}

void add(base::Digest& sum, model::IpPlan const& ip) {
    sum.add(std::string("addresses"));
    for (std::uint32_t const address : ip.address) sum.add(address);
    sum.add(std::string("seeds"));
    for (std::size_t n = 0; n < ip.seed.size(); ++n)
        if (ip.seed[n]) sum.add(std::uint64_t{n} << 32 | *ip.seed[n]);
    sum.add(std::string("policies"));
    for (std::size_t n = 0; n < ip.policy.size(); ++n)
        if (ip.policy[n])
            sum.add(std::uint64_t{n} << 32 | ip.policy[n]->fields << 1 | unsigned{ip.policy[n]->by_choice});
    sum.add(std::string("lags"));
    for (auto const& [node, ports] : ip.lags.all()) {
        sum.add(node.value);
        sum.add(ports.size());
        for (model::Port const port : ports) sum.add(port);
    }
    sum.add(std::string("idle"));
    for (model::IpPlan::IdleMember const& one : ip.idle) sum.add(std::uint64_t{one.node.value} << 32 | one.port);
}

}  // namespace

std::string digest(model::Fabric const& fabric) {
    base::Digest sum;
    std::string const text = fabric.routing->text();
    if (fabric.formula) {  // its words are its network and its routing
        sum.add(text);
        return sum.text();
    }
    model::Network const& net = fabric.network;
    for (model::NodeRecord const& node : net.nodes()) {
        sum.add(std::uint64_t(node.kind));
        sum.add(node.guid);
        sum.add(node.name);
        sum.add(node.lid);
    }
    for (model::HostRecord const& host : net.hosts()) {
        sum.add(host.node.value);
        sum.add(host.port);
        sum.add(host.lid);
        sum.add(host.lmc);
    }
    for (model::LinkRecord const& link : net.links()) {
        sum.add(link.from.value);
        sum.add(link.from_port);
        sum.add(link.to.value);
        sum.add(link.to_port);
        sum.add(link.rate.elevenths_of_gbps());
        if (link.capacity != 0) sum.add(link.capacity);
    }
    if (!text.empty()) sum.add(text);
    for (std::size_t n = 0; n < net.nodes().size(); ++n) {
        if (!fabric.tables.has_table(model::Node{n})) continue;
        sum.add(n);
        for (model::Lid lid = 0; lid < fabric.tables.lids(); ++lid)
            if (model::Port const port = fabric.tables.port(model::Node{n}, lid);
                port != model::ForwardingTables::no_entry)
                sum.add(std::uint64_t{lid} << 32 | port);
    }
    if (fabric.candidates) add(sum, *fabric.candidates, net.nodes().size());
    if (fabric.ip) add(sum, *fabric.ip);
    return sum.text();
}

}  // namespace tailback::study
