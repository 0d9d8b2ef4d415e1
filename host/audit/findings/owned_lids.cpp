#include "host/audit/findings/consistency.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

namespace tailback::audit {
namespace {

/// Whoever owns LIDs: a switch, or a port of an adapter.
struct Owner {
    model::Lid lid;
    model::Lid end;  ///< one past the last
    model::Node node;
    model::Port port;
};

std::string owner_location(model::Network const& net, Owner const& owner) {
    return net.is_switch(owner.node) ? net.describe(owner.node) : port_location(net, owner.node, owner.port);
}

std::string lids_text(model::Lid first, model::Lid end) {
    return end == first + 1 ? fmt::format("LID {}", first) : fmt::format("LIDs {}-{}", first, end - 1);
}

/// A port takes the lowest bits of a LID for its own: a base LID that has some of them set is none.
std::optional<Finding> misalignment(model::Network const& net, Owner const& owner) {
    model::Lid const size = owner.end - owner.lid;
    if (owner.lid % size == 0) return std::nullopt;
    Finding one(Code::lid_misaligned, owner_location(net, owner), 0,
                fmt::format("its base LID {} is not a multiple of {}, the LIDs it has by its LMC", owner.lid, size),
                owner.node, owner.port);
    for (model::Lid lid = owner.lid; lid < owner.end; ++lid) one.explains_lids.push_back(lid);
    return one;
}

/// LIDs that nobody owns, by the port of a switch that its table sends them to.
using StrayLids = std::map<model::Port, LidList>;

StrayLids stray_lids(model::Fabric const& fabric, model::Node node) {
    StrayLids lids;
    if (!fabric.tables.has_table(node)) return lids;
    for (model::Lid lid = 1; lid < fabric.tables.lids(); ++lid)
        if (model::Port const port = fabric.tables.port(node, lid);
            port != model::ForwardingTables::no_entry && !fabric.network.owner(lid).node.exists())
            lids[port].add(lid);
    return lids;
}

class BarePorts {
public:
    explicit BarePorts(Dumps const& dumps) : fabric_(dumps.fabric), net_(dumps.fabric.network) {
        for (model::NotedDisagreement const& noted : dumps.disagreements.noted())
            if (noted.code == Code::odd_lid && noted.where.node.exists())
                told_.emplace(noted.where.node.value, noted.where.port);
    }

    void find(std::vector<Finding>& found) {
        for (std::size_t h = 0; h < net_.hosts().size(); ++h) {
            model::HostRecord const& host = net_[model::Host{h}];
            if (!net_.up_link(model::Host{h}).exists())
                found.push_back(finding_at(Code::host_without_cable, net_, host.node, host.port, "it has no cable"));
            else if (host.lid == 0) add_without_lid(found, host, net_[net_.up_link(model::Host{h})]);
        }
    }

private:
    /// Where its switch sends a LID that nobody owns to the port, that LID is the port's: told once.
    void add_without_lid(std::vector<Finding>& found, model::HostRecord const& host, model::LinkRecord const& up) {
        if (told_.contains({host.node.value, host.port})) return;  // a reader has told why
        auto const [at, is_new] = stray_.try_emplace(up.to.value);
        if (is_new && fabric_.routed && net_.is_switch(up.to)) at->second = stray_lids(fabric_, up.to);
        Finding one = finding_at(Code::port_without_lid, net_, host.node, host.port, "it is cabled and has no LID");
        if (auto const lids = at->second.find(up.to_port); lids != at->second.end()) {
            one.message += fmt::format("; its switch sends it {}, which nobody owns", lids->second.text(fabric_));
            for (auto const& [first, last] : lids->second.ranges())
                for (model::Lid lid = first; lid <= last; ++lid) one.explains_lids.push_back(lid);
        }
        found.push_back(std::move(one));
    }

    model::Fabric const& fabric_;
    model::Network const& net_;
    std::set<std::pair<std::uint32_t, model::Port>> told_;
    std::unordered_map<std::uint32_t, StrayLids> stray_;  // by switch
};

}  // namespace

void find_shared_lids(Dumps const& dumps, std::vector<Finding>& found) {
    model::Network const& net = dumps.fabric.network;
    std::vector<Owner> owners;
    for (std::size_t n = 0; n < net.nodes().size(); ++n)
        if (model::NodeRecord const& node = net[model::Node{n}];
            node.kind == model::NodeKind::switch_node && node.lid != 0)
            owners.push_back({node.lid, node.lid + (model::Lid{1} << node.lmc), model::Node{n}, 0});
    for (model::HostRecord const& host : net.hosts())
        if (host.lid != 0) owners.push_back({host.lid, host.lid + (model::Lid{1} << host.lmc), host.node, host.port});
    std::stable_sort(owners.begin(), owners.end(), [](Owner const& a, Owner const& b) { return a.lid < b.lid; });
    // Compared with the range that reaches farthest so far: one finding for every owner that comes too late.
    for (std::size_t i = 0, farthest = 0; i < owners.size(); ++i) {
        if (std::optional<Finding> misaligned = misalignment(net, owners[i])) found.push_back(std::move(*misaligned));
        if (i == 0) continue;
        Owner const& first = owners[farthest];
        Owner const& second = owners[i];
        if (second.lid < first.end) {
            bool const same = first.lid == second.lid && first.end == second.end;
            std::string const shared = lids_text(second.lid, std::min(first.end, second.end));
            found.emplace_back(same ? Code::lid_owned_twice : Code::lid_ranges_overlap, owner_location(net, second), 0,
                               same ? fmt::format("{} {} owned by {} too", shared,
                                                  first.end == first.lid + 1 ? "is" : "are", owner_location(net, first))
                                    : fmt::format("its LID range {}-{} overlaps {}-{} of {}", second.lid,
                                                  second.end - 1, first.lid, first.end - 1, owner_location(net, first)),
                               second.node, second.port);
            for (model::Lid lid = second.lid; lid < std::min(first.end, second.end); ++lid) found.back().lids.add(lid);
        }
        if (second.end > first.end) farthest = i;
    }
}

void find_shared_guids(Dumps const& dumps, std::vector<Finding>& found) {
    model::Network const& net = dumps.fabric.network;
    std::unordered_map<std::uint64_t, model::Host> seen;
    for (std::size_t h = 0; h < net.hosts().size(); ++h) {
        model::HostRecord const& host = net[model::Host{h}];
        if (host.port_guid == 0) continue;
        auto const [at, is_new] = seen.emplace(host.port_guid, model::Host{h});
        if (is_new) continue;
        model::HostRecord const& first = net[at->second];
        found.push_back(finding_at(Code::port_guid_of_two_ports, net, host.node, host.port,
                                   fmt::format("its port GUID {:#018x} is that of {} too", host.port_guid,
                                               port_location(net, first.node, first.port))));
        if (host.lid != 0) found.back().explains_lids = {host.lid};
    }
}

void find_bare_ports(Dumps const& dumps, std::vector<Finding>& found) { BarePorts(dumps).find(found); }

}  // namespace tailback::audit
