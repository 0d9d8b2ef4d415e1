#include "host/formats/frr/mend/lags.hpp"

#include "host/base/nearest.hpp"
#include "host/formats/frr/mend/heard.hpp"
#include "host/model/routes/ip_plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <set>

namespace tailback::formats {
namespace {

bool is_number(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}
bool is_named_like_bridge(std::string_view interface) {
    std::string const name = base::lower_case(std::string(interface));
    return std::ranges::any_of(std::initializer_list<char const*>{"br", "vmbr", "virbr", "docker", "vlan", "vrf"},
                               [&](char const* start) { return name.starts_with(start); });
}
bool is_kind_of_lag(std::string_view kind) { return kind == "bond" || kind == "team"; }

/// What one device tells of its LAGs.
class OwnLags {
public:
    explicit OwnLags(Device const& device) {
        for (IpLink const& one : device.links) links_.emplace(one.name, &one);
        for (IpLink const& one : device.links)
            if (!one.master.empty() && !one.name.empty()) members_[one.master].insert(one.name);
        std::erase_if(members_, [&](auto const& one) { return !is_lag(one.first, one.second); });
    }
    /// The LAG that an interface is, or is a VLAN on; empty: none.
    std::string lag_of(std::string const& interface) const {
        if (members_.contains(interface)) return interface;
        if (auto const link = links_.find(interface); link != links_.end() && members_.contains(link->second->below))
            return link->second->below;
        std::size_t const dot = interface.rfind('.');
        if (dot == std::string::npos || !is_number(std::string_view(interface).substr(dot + 1))) return {};
        std::string const below = interface.substr(0, dot);
        return members_.contains(below) ? below : std::string();
    }
    std::set<std::string, Natural> const& members(std::string const& lag) const { return members_.at(lag); }

private:
    bool is_lag(std::string const& master, std::set<std::string, Natural> const& members) const {
        IpLink const& member = *links_.at(*members.begin());
        if (!member.member_kind.empty()) return is_kind_of_lag(member.member_kind);
        auto const itself = links_.find(master);
        if (itself != links_.end() && !itself->second->kind.empty()) return is_kind_of_lag(itself->second->kind);
        if (member.is_bond_member || is_named_like_lag(master)) return true;
        return members.size() == 1 && !is_named_like_bridge(master) && !is_management(master);
    }
    std::map<std::string, IpLink const*> links_;
    std::map<std::string, std::set<std::string, Natural>> members_;
};

class LagReader {
public:
    LagReader(Devices& devices, model::Disagreements& disagreements)
        : devices_(devices), disagreements_(disagreements), heard_by_(hearers(devices)) {
        for (auto const& [name, device] : devices) {
            for (LldpNeighbour const& one : device.neighbours)
                hears_.try_emplace({name, one.interface}, known_name(devices, one.name), one.port);
            for (IpLink const& one : device.links)
                if (!one.idle.empty()) idle_.try_emplace({name, one.name}, one.idle);
        }
    }

    void take() {
        for (auto const& [name, device] : devices_)
            if (device.told_routes.whole) find_told(name, device);
        find_by_far_ends();
        for (auto& [name, lags] : found_)
            for (auto& [interface, lag] : lags) {
                Device& device = devices_.at(name);
                keep_those_of_gateways(name, device, interface, lag);
                spread(device, interface, lag);
                device.lags.emplace(interface, std::move(lag));
            }
    }

private:
    /// Whom a member leads to, by either end; nothing where nobody hears.
    std::optional<End> far_of(End const& member) const {
        if (auto const at = hears_.find(member); at != hears_.end()) return at->second;
        if (auto const at = heard_by_.find(member); at != heard_by_.end()) return at->second;
        return std::nullopt;
    }

    /// Why nothing is sent by a member; empty: it may be. A cable that is down at one end is down.
    std::string why_idle(End const& member) const {
        if (auto const at = idle_.find(member); at != idle_.end()) return at->second;
        std::optional<End> const far = far_of(member);
        if (!far) return "hears nobody and is heard by nobody";
        auto const at = idle_.find(*far);
        return at != idle_.end() && at->second == is_down ? fmt::format("{} at its other end", is_down) : "";
    }
    void add_member(Lag& lag, End const& member) const {
        if (std::string const why = why_idle(member); why.empty()) lag.members.push_back(member.second);
        else lag.idle.push_back({member.second, why});
    }

    void find_told(std::string const& name, Device const& device) {
        OwnLags const own(device);
        for (auto const& [interface, routed] : routed_interfaces(device)) {
            std::string const of = own.lag_of(interface);
            if (of.empty() || far_of({name, interface})) continue;
            Lag lag;
            for (std::string const& member : own.members(of)) add_member(lag, {name, member});
            if (!lag.members.empty()) found_[name].emplace(interface, std::move(lag));
        }
    }

    /// LAGs of devices that tell no members: those of a LAG in the same network have their other ends there.
    void find_by_far_ends() {
        std::map<std::string, std::map<std::string, Lag, Natural>, Natural> more;
        for (auto const& [name, lags] : found_)
            for (auto const& [interface, lag] : lags)
                for (Prefix const& network : networks_of(name, interface))
                    for (std::string const& member : lag.members)
                        if (std::optional<End> const far = far_of({name, member}))
                            if (std::string const other = unheard_in(far->first, network); !other.empty())
                                add_member(more[far->first][other], *far);
        for (auto& [name, lags] : more) {
            std::erase_if(lags, [](auto const& one) { return one.second.members.empty(); });
            found_[name].merge(lags);
        }
    }
    std::vector<Prefix> networks_of(std::string const& name, std::string const& interface) const {
        std::vector<Prefix> found = routed_interfaces(devices_.at(name)).at(interface).shared_networks();
        std::erase_if(found, [](Prefix const& one) { return one.length < 29 || is_link_local(one.address); });
        return found;
    }
    /// The interface of a device in a network on which nobody hears, and whose members it does not tell; empty: none.
    std::string unheard_in(std::string const& name, Prefix const& network) const {
        auto const device = devices_.find(name);
        if (device == devices_.end() || !device->second.told_routes.whole) return {};
        for (auto const& [interface, routed] : routed_interfaces(device->second)) {
            std::vector<Prefix> const networks = routed.shared_networks();
            auto const told = found_.find(name);
            if (std::ranges::find(networks, network) != networks.end() && !far_of({name, interface}) &&
                (told == found_.end() || !told->second.contains(interface)))
                return interface;
        }
        return {};
    }

    /// Of members to several devices those to devices that have a gateway of the LAG; all where none is known to.
    void keep_those_of_gateways(std::string const& name, Device const& device, std::string const& interface, Lag& lag) {
        std::map<std::string, std::vector<std::string>> by_far;
        for (std::string const& member : lag.members) by_far[far_of({name, member})->first].push_back(member);
        lag.neighbours = by_far.size();
        if (by_far.size() < 2) return;
        std::set<std::uint32_t> gateways;
        for (IpRoute const& route : device.routes.routes)
            for (IpNextHop const& hop : route.next_hops)
                if (hop.interface == interface && hop.gateway != 0) gateways.insert(hop.gateway);
        std::set<std::string> owners;
        for (auto const& [far, members] : by_far)
            if (auto const at = devices_.find(far); at != devices_.end())
                for (IpAddress const& one : at->second.own())
                    if (gateways.contains(one.own.address)) owners.insert(far);
        if (owners.empty() || owners.size() == by_far.size()) return;
        lag.neighbours = owners.size();
        for (auto const& [far, members] : by_far) {
            if (owners.contains(far)) continue;
            note_contradiction(
                disagreements_, diagnosis::Code::lag_member_elsewhere, device.file, name + " " + members.front(),
                fmt::format("{} of {} is a LAG to {}, which has its gateway {}, and its member{} {} lead{} to {}: a "
                            "cable is in the wrong port; packets of the LAG are taken to go by its other members",
                            interface, name, *owners.begin(), model::address_text(*gateways.begin()),
                            members.size() == 1 ? "" : "s", fmt::join(members, ", "), members.size() == 1 ? "s" : "",
                            far));
            for (std::string const& one : members) std::erase(lag.members, one);
        }
    }

    /// The members in the place of the LAG.
    static void spread(Device& device, std::string const& interface, Lag const& lag) {
        for (IpRoute& route : device.routes.routes)
            if (std::ranges::find(route.next_hops, interface, &IpNextHop::interface) != route.next_hops.end())
                route.next_hops = spread(route.next_hops, interface, lag.members);
        for (std::vector<IpAddress>* const all : {&device.routes.own, &device.addresses}) {
            std::vector<IpAddress> spread_ones;
            for (IpAddress const& one : *all)
                if (one.interface == interface)
                    for (std::string const& member : lag.members) spread_ones.push_back({member, one.own});
                else spread_ones.push_back(one);
            *all = std::move(spread_ones);
        }
    }
    static std::vector<IpNextHop> spread(std::vector<IpNextHop> const& hops, std::string const& interface,
                                         std::vector<std::string> const& members) {
        std::vector<std::uint64_t> weights;
        std::vector<IpNextHop> found;
        for (IpNextHop const& hop : hops) {
            bool const is_lag = hop.interface == interface;
            for (std::string const& member : is_lag ? members : std::vector<std::string>{hop.interface}) {
                found.push_back(hop);
                found.back().interface = member;
                weights.push_back(is_lag ? hop.weight : std::uint64_t{hop.weight} * members.size());
            }
        }
        std::uint64_t divisor = 0;
        for (std::uint64_t const one : weights) divisor = std::gcd(divisor, one);
        for (std::size_t i = 0; i < found.size(); ++i)
            found[i].weight = static_cast<std::uint32_t>(
                std::min<std::uint64_t>(weights[i] / divisor, std::numeric_limits<std::uint32_t>::max()));
        return found;
    }

    Devices& devices_;
    model::Disagreements& disagreements_;
    std::map<End, End> heard_by_, hears_;
    std::map<End, std::string> idle_;                                            // IpLink::idle
    std::map<std::string, std::map<std::string, Lag, Natural>, Natural> found_;  // by device and interface
};

}  // namespace

void take_members_of_lags(Devices& devices, model::Disagreements& disagreements) {
    LagReader(devices, disagreements).take();
}

}  // namespace tailback::formats
