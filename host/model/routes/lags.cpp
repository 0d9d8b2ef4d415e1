#include "host/model/routes/lags.hpp"

#include "host/base/numbers.hpp"
#include "host/model/routes/candidate_sets.hpp"
#include "host/model/routes/ip_plan.hpp"
#include "host/model/tables.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tailback::model {

void Lags::add(Node node, std::vector<Port> members) {
    std::erase_if(members, [&](Port port) { return port == 0 || at_.contains({node, port}); });
    std::sort(members.begin(), members.end());
    if (members.size() < 2) return;
    for (Port const port : members) at_.emplace(std::pair(node, port), members_.size());
    members_.emplace_back(node, std::move(members));
}

Lags Lags::with_member(Node node, Port beside, Port port) const {
    Lags more = *this;
    auto const at = at_.find({node, beside});
    if (at == at_.end()) {
        more.add(node, {beside, port});
    } else if (!at_.contains({node, port})) {
        std::vector<Port>& members = more.members_[at->second].second;
        members.insert(std::upper_bound(members.begin(), members.end(), port), port);
        more.at_.emplace(std::pair(node, port), at->second);
    }
    return more;
}

std::span<Port const> Lags::of(Node node, Port port) const {
    auto const at = at_.find({node, port});
    return at == at_.end() ? std::span<Port const>() : members_[at->second].second;
}

/// The same for links in one LAG: a node and its first member.
std::pair<Node, Port> Lags::key_of(LinkRecord const& link) const {
    if (std::span const members = of(link.from, link.from_port); !members.empty()) return {link.from, members.front()};
    if (std::span const members = of(link.to, link.to_port); !members.empty()) return {link.to, members.front()};
    return {Node{}, 0};
}

std::vector<Link> Lags::sharers(Network const& network, Link link) const {
    LinkRecord const& own = network[link];
    std::pair<Node, Port> const key = key_of(own);
    if (key.second == 0) return {link};
    std::vector<Link> found;
    for (std::uint32_t i = 0; i < network.link_count(own.from); ++i) {
        Link const one{network.first_link(own.from).value + i};
        bool const shares = network[one].to == own.to && key_of(network[one]) == key && !is_idle(network[one]);
        if (one == link || shares) found.push_back(one);
    }
    return found;
}

Lags Lags::renumbered(std::function<Port(Node, Port)> const& renumber) const {
    Lags lags;
    for (auto const& [node, members] : members_) {
        std::vector<Port> ports;
        for (Port const port : members) ports.push_back(renumber(node, port));
        lags.add(node, std::move(ports));
    }
    for (auto const& [node, port] : idle_)
        if (Port const now = renumber(node, port); now != 0) lags.add_idle(node, now);
    return lags;
}

std::shared_ptr<Lags const> lags_of(Fabric const& fabric) {
    if (fabric.ip == nullptr || fabric.ip->lags.empty()) return nullptr;
    return {fabric.ip, &fabric.ip->lags};
}

void take_out_endpoints(Fabric& fabric, Network const& before, std::vector<Host> const& hosts) {
    if (hosts.empty()) return;
    auto plan = std::make_shared<IpPlan>(*fabric.ip);
    for (std::size_t i = hosts.size(); i-- > 0;) plan->address.erase(plan->address.begin() + hosts[i].value);
    fabric.ip = std::move(plan);
    auto sets = fabric.candidates == nullptr ? nullptr : std::make_shared<CandidateSets>(*fabric.candidates);
    for (std::size_t n = 0; n < before.nodes().size(); ++n)
        for (Host const host : hosts) {
            Node const node{n};
            Lid const lid = before[host].lid;
            if (fabric.tables.port(node, lid) != ForwardingTables::no_entry)
                fabric.tables.set(node, lid, ForwardingTables::no_entry);
            if (sets != nullptr && sets->group(node, lid) != CandidateSets::no_group)
                sets->set(node, lid, LidState::fixed, CandidateSets::no_group);
        }
    fabric.candidates = std::move(sets);
}

std::string taken_by_others_of_lag(std::uint64_t others) {
    return others == 1 ? "the other member of its LAG takes what it carried"
                       : fmt::format("the {} other members of its LAG take what it carried", base::grouped(others));
}

std::string failed_members_of_lags(std::uint64_t members) {
    return fmt::format("{} of LAGs that keep others failed: these take what {} carried",
                       base::counted(members, "member", "members"), members == 1 ? "it" : "they");
}

std::string collect_members_of_lag(std::string const& of_whom) {
    return "; if it is a LAG, `ip -j addr` of " + of_whom + " tells its members";
}

}  // namespace tailback::model
