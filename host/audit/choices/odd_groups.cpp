#include "host/audit/choices/choices.hpp"

#include "host/model/routes/fabric_words.hpp"
#include "host/model/routes/ip_plan.hpp"
#include "host/model/routes/next_hop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace tailback::audit {
namespace {

using model::CandidateSets;

/// Destination LIDs by the switches that they hang off: several where an address is on cables to several routers.
struct HomeOfHosts {
    std::vector<model::Node> nodes;
    std::vector<model::Lid> lids;
    bool is_at(model::Node node) const { return std::ranges::find(nodes, node) != nodes.end(); }
};

/// By address: the switches that endpoints with it hang off, each once. Empty where hosts have no addresses.
std::map<std::uint32_t, std::vector<model::Node>> nodes_of_addresses(model::Fabric const& fabric) {
    std::map<std::uint32_t, std::vector<model::Node>> nodes;
    if (fabric.ip == nullptr) return nodes;
    for (std::size_t h = 0; h < fabric.ip->address.size(); ++h)
        if (model::Link const up = fabric.network.up_link(model::Host{h}); up.exists()) {
            std::vector<model::Node>& at = nodes[fabric.ip->address[h]];
            if (std::ranges::find(at, fabric.network[up].to) == at.end()) at.push_back(fabric.network[up].to);
        }
    nodes.erase(0);  // not known
    for (auto& [address, at] : nodes) std::ranges::sort(at, {}, &model::Node::value);
    return nodes;
}

std::vector<HomeOfHosts> homes_of(model::Fabric const& fabric, std::span<model::Host const> hosts) {
    auto const nodes_of = nodes_of_addresses(fabric);
    std::map<std::vector<std::uint32_t>, HomeOfHosts> by_nodes;
    for (model::Destination const& to : model::destinations_of(fabric.network, hosts)) {
        model::Link const up = fabric.network.up_link(to.host);
        if (!up.exists()) continue;
        std::vector<model::Node> nodes{fabric.network[up].to};
        if (fabric.ip != nullptr)
            if (auto const at = nodes_of.find(fabric.ip->address[to.host.value]); at != nodes_of.end())
                nodes = at->second;
        std::vector<std::uint32_t> key;
        for (model::Node const node : nodes) key.push_back(node.value);
        HomeOfHosts& home = by_nodes[key];
        home.nodes = std::move(nodes);
        home.lids.push_back(to.lid);
    }
    std::vector<HomeOfHosts> homes;
    for (auto& [key, home] : by_nodes) homes.push_back(std::move(home));
    return homes;
}

/// LIDs that something is odd with at one switch, by what it is.
struct Oddities {
    std::map<std::uint32_t, std::vector<model::Lid>> empty, without_static;  // by group
    std::vector<model::Lid> alone;                                           // without a group
    std::map<std::uint32_t, std::vector<model::Lid>> unlike;                 // by group
};

class Groups {
public:
    Groups(model::Fabric const& fabric, GroupFacts& facts)
        : fabric_(fabric), sets_(*fabric.candidates), facts_(facts) {}

    void look(model::Node node, std::vector<HomeOfHosts> const& homes) {
        odd_ = {};
        used_.assign(sets_.groups(node), 0);
        for (HomeOfHosts const& home : homes)
            if (!home.is_at(node)) look(node, home);
        for (std::size_t group = 0; group < used_.size(); ++group) {
            auto const ports = static_cast<std::uint32_t>(sets_.ports(node, CandidateSets::Group(group)).size());
            if (used_[group] == 0) continue;
            if (ports == 0) {
                ++facts_.empty_groups, facts_.with_empty_group += used_[group];
                continue;
            }
            ++facts_.groups, facts_.with_group += used_[group], facts_.choices += used_[group] * ports;
            facts_.smallest = facts_.smallest == 0 ? ports : std::min(facts_.smallest, ports);
            facts_.largest = std::max(facts_.largest, ports);
        }
        bool const is_static = std::ranges::all_of(used_, [](std::uint64_t entries) { return entries == 0; });
        by_neighbours_[neighbours_of(node)].push_back({node, is_static});
        tell(node);
    }

    /// Switches whose entries are all static, while most switches with the same neighbours choose among several ports.
    void tell_static_switches() {
        for (auto const& [neighbours, switches] : by_neighbours_) {
            auto const choosing = std::ranges::count(switches, false, &Sibling::is_static);
            if (neighbours.size() < 2 || 2 * std::size_t(choosing) <= switches.size()) continue;
            for (Sibling const& one : switches)
                if (one.is_static)
                    finding_at(Code::switch_without_choices, one.node).message = fmt::format(
                        "all its entries are static, while {} of {} switches with the same neighbours "
                        "choose: adaptive routing is off there",
                        choosing, switches.size());
        }
    }
    std::vector<Finding> findings;

private:
    struct Sibling {
        model::Node node;
        bool is_static;
    };
    /// Of a switch, other switches; each once.
    std::vector<std::uint32_t> neighbours_of(model::Node node) const {
        model::Network const& net = fabric_.network;
        std::vector<std::uint32_t> found;
        for (std::uint32_t l = 0; l < net.link_count(node); ++l)
            if (model::Node const to = net[model::Link{net.first_link(node).value + l}].to; net.is_switch(to))
                found.push_back(to.value);
        std::sort(found.begin(), found.end());
        found.erase(std::unique(found.begin(), found.end()), found.end());
        return found;
    }

    void look(model::Node node, HomeOfHosts const& home) {
        counts_.clear();
        std::size_t most = 0, with = 0;
        CandidateSets::Group usual = CandidateSets::no_group;
        for (model::Lid const lid : home.lids) {
            CandidateSets::Group const group = sets_.group(node, lid);
            ++facts_.entries;
            if (group == CandidateSets::no_group) continue;
            ++with, ++used_[group];
            auto at = std::find_if(counts_.begin(), counts_.end(), [&](auto const& one) { return one.first == group; });
            if (at == counts_.end()) at = counts_.insert(counts_.end(), {group, 0});
            if (++at->second > most) most = at->second, usual = group;
        }
        for (model::Lid const lid : home.lids) {
            CandidateSets::Group const group = sets_.group(node, lid);
            if (group == CandidateSets::no_group) {
                bool const has_entry = fabric_.tables.port(node, lid) != model::ForwardingTables::no_entry;
                if (has_entry && 2 * with > home.lids.size()) odd_.alone.push_back(lid);
                continue;
            }
            std::span const ports = sets_.ports(node, group);
            model::Port const fixed = fabric_.tables.port(node, lid);
            if (ports.empty()) odd_.empty[group].push_back(lid);
            else if (fixed != model::ForwardingTables::no_entry &&
                     std::find(ports.begin(), ports.end(), fixed) == ports.end())
                odd_.without_static[group].push_back(lid);
            // Equal sets with other numbers are alike.
            if (group != usual && 2 * most > home.lids.size() && !ports.empty() &&
                !std::ranges::is_permutation(ports, sets_.ports(node, usual)))
                odd_.unlike[group].push_back(lid);
        }
    }

    Finding& finding_at(Code code, model::Node node) {
        Finding& finding = findings.emplace_back(code);
        finding.node = node;
        finding.where = fabric_.network.describe(node);
        return finding;
    }

    void tell(model::Node node) {
        auto const add = [&](Code code, std::vector<model::Lid> lids, auto&& message) {
            Finding& finding = finding_at(code, node);
            std::sort(lids.begin(), lids.end());
            for (model::Lid const lid : lids) finding.lids.add(lid);
            finding.message = message(finding.lids.text(fabric_));
        };
        bool const is_ip = !model::words_of(fabric_).sets_have_numbers;
        auto const number = [&](std::uint32_t group) { return sets_.number(node, CandidateSets::Group(group)); };
        for (auto const& [group, lids] : odd_.empty)
            add(Code::group_empty, lids, [&, id = number(group)](std::string const& text) {
                return fmt::format("group {} has no port: packets for {} take the static entries", id, text);
            });
        for (auto const& [group, lids] : odd_.without_static)
            add(Code::group_without_static, lids, [&, id = number(group)](std::string const& text) {
                return fmt::format("group {} does not have the ports of the static entries for {}", id, text);
            });
        if (!odd_.alone.empty())
            add(Code::entry_without_group, odd_.alone, [&](std::string const& text) {
                return is_ip ? "one next hop alone for " + text + ", while most hosts of the same router have several"
                             : "static entries without a group for " + text +
                                   ", while most LIDs of the same switch have one";
            });
        for (auto const& [group, lids] : odd_.unlike)
            add(Code::group_unlike_others, lids, [&, id = number(group)](std::string const& text) {
                return is_ip
                           ? fmt::format("other next hops for {} than for most hosts of the same router", text)
                           : fmt::format("group {} for {}, while most LIDs of the same switch have another", id, text);
            });
    }

    model::Fabric const& fabric_;
    CandidateSets const& sets_;
    GroupFacts& facts_;
    Oddities odd_;
    std::map<std::vector<std::uint32_t>, std::vector<Sibling>> by_neighbours_;
    std::vector<std::uint64_t> used_;  // by group
    std::vector<std::pair<CandidateSets::Group, std::size_t>> counts_;
};

}  // namespace

std::vector<Finding> odd_groups(model::Fabric const& fabric, std::span<model::Host const> hosts, GroupFacts& facts) {
    std::vector<HomeOfHosts> const homes = homes_of(fabric, hosts);
    Groups groups(fabric, facts);
    for (std::size_t n = 0; n < fabric.network.nodes().size(); ++n)
        if (model::Node const node{n}; fabric.candidates->has_row(node)) groups.look(node, homes);
    if (model::words_of(fabric).sets_have_numbers) groups.tell_static_switches();
    return std::move(groups.findings);
}

}  // namespace tailback::audit
