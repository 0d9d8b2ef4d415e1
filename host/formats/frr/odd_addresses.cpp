#include "host/formats/frr/odd_addresses.hpp"

#include "host/base/numbers.hpp"
#include "host/model/routes/ip_plan.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace tailback::formats {
namespace {

std::string and_more(std::size_t count, std::string const& one, std::string const& many) {
    return count == 0 ? "" : "; so " + std::string(count == 1 ? "is " : "are ") + base::counted(count, one, many);
}

class OddAddresses {
public:
    OddAddresses(Devices const& devices, RouterCabling const& cabling, RouteLookup const& lookup,
                 std::map<Interface, std::uint32_t> const& host_addresses)
        : devices_(devices), cabling_(cabling), lookup_(lookup), host_addresses_(host_addresses) {
        for (auto const& [name, device] : devices) {
            for (auto const& [interface, routed] : routed_interfaces(device))
                networks_[{name, interface}] = routed.shared_networks();
            for (IpAddress const& one : device.own()) {
                own_[{name, one.interface}].push_back(one.own);
                owners_[one.own.address].insert({name, one.interface});
            }
        }
    }

    std::vector<OddAddress> find() {
        for (auto const& [name, device] : devices_)
            if (device.told_routes.whole) outside_networks(name, device);
        of_two_routers();
        of_two_cables();
        of_two_networks();
        of_hosts_and_routers();
        for (auto const& [name, device] : devices_) gateways_of(name, device);
        for (auto const& [name, device] : devices_)
            if (device.told_routes.whole) hosts_elsewhere(name, device);
        hosts_of_others();
        return std::move(found_);
    }

private:
    /// `swp1 of leaf1`
    static std::string text_of(Interface const& at) { return at.second + " of " + at.first; }
    Interface const* far_end(Interface const& at) const {
        auto const found = cabling_.far.find(at);
        return found == cabling_.far.end() ? nullptr : &found->second;
    }
    bool is_further_member(Interface const& at) const {
        auto const device = devices_.find(at.first);
        return device != devices_.end() && device->second.is_further_member(at.second);
    }
    template <class Key, class Value>
    static Value of(std::map<Key, Value> const& all, Key const& at) {
        auto const found = all.find(at);
        return found == all.end() ? Value() : found->second;
    }
    /// Do their cables end at members of one LAG? Routers at its members share the gateway that they are (MLAG).
    bool lead_to_one_lag(std::set<Interface> const& all) const {
        std::set<Interface> lags;
        for (Interface const& one : all) {
            Interface const* const far = far_end(one);
            auto const device = far == nullptr ? devices_.end() : devices_.find(far->first);
            if (device == devices_.end()) return false;
            auto const lag = std::ranges::find_if(device->second.lags, [&](auto const& told) {
                return std::ranges::find(told.second.members, far->second) != told.second.members.end();
            });
            if (lag == device->second.lags.end()) return false;
            lags.emplace(far->first, lag->first);
        }
        return lags.size() == 1;
    }
    /// The first interface of a device.
    static std::set<Interface>::const_iterator find_device(std::set<Interface> const& all, std::string const& name) {
        return std::find_if(all.begin(), all.end(), [&](Interface const& one) { return one.first == name; });
    }
    /// The two ends of the cable are told.
    void tell(Interface const& at) {
        told_.insert(at);
        if (Interface const* const far = far_end(at)) told_.insert(*far);
    }

    /// Is it one of a network with others? FRR tells addresses without their networks, which routes tell.
    bool has_network(Interface const& at, Prefix const& own) const {
        if (own.length < 32) return true;
        std::vector<Prefix> const networks = networks_of(at);
        return std::any_of(networks.begin(), networks.end(), [&](Prefix const& one) { return one.holds(own.address); });
    }
    /// Of two addresses or more.
    std::vector<Prefix> networks_of(Interface const& at) const { return of(networks_, at); }

    /// Own addresses of which none is in a connected network of its interface, by the routes.
    void outside_networks(std::string const& name, Device const& device) {
        std::map<std::string, std::vector<std::uint32_t>, Natural> own;
        std::map<std::string, std::vector<Prefix>> loopbacks;
        for (IpAddress const& one : device.has_addresses ? device.addresses : device.routes.own)
            if ((!is_loopback(one.interface) || is_own_loopback(one)) && !is_link_local(one.own.address) &&
                !device.is_further_member(one.interface))
                own[one.interface].push_back(one.own.address);
        for (auto const& [interface, address] : routed_loopbacks(device)) loopbacks[interface].push_back({address, 32});
        std::vector<std::pair<Interface, std::string>> odd;
        for (auto const& told : own) {
            std::string const& interface = told.first;
            std::vector<std::uint32_t> const& addresses = told.second;
            std::vector<Prefix> networks = networks_of({name, interface});
            std::vector<Prefix> const single = of(loopbacks, interface);
            networks.insert(networks.end(), single.begin(), single.end());
            bool const fits = std::any_of(addresses.begin(), addresses.end(), [&](std::uint32_t const address) {
                return owners_.at(address).size() > 1 ||  // that is what is odd
                       std::any_of(networks.begin(), networks.end(),
                                   [&](Prefix const& one) { return one.holds(address); });
            });
            if (networks.empty() || fits) continue;
            Interface const at{name, interface};
            odd.emplace_back(at, text_of(at) + " has address " + model::address_text(addresses.front()) +
                                     " and is in network " + formats::text_of(networks.front()) + " by its routes");
        }
        if (odd.empty()) return;
        found_.push_back(
            {diagnosis::Code::address_outside_network, odd.front().first,
             odd.front().second + and_more(odd.size() - 1, "more interface of it", "more interfaces of it")});
        for (auto const& [interface, text] : odd) tell(interface);
    }

    /// Loopbacks: a router has one of its own, beside those that several share on purpose.
    void of_two_routers() {
        std::map<std::set<std::uint32_t>, std::vector<Interface>> by_addresses;
        std::map<std::string, std::set<std::uint32_t>> all;
        std::map<std::string, Interface> at;
        for (auto const& [interface, addresses] : own_)
            if (is_loopback(interface.second) && devices_.at(interface.first).told_routes.whole)
                for (Prefix const& one : addresses)
                    if (!is_localhost(one.address))
                        all[interface.first].insert(one.address), at[interface.first] = interface;
        for (auto const& [name, addresses] : all) by_addresses[addresses].push_back(at.at(name));
        for (auto const& [addresses, interfaces] : by_addresses)
            if (interfaces.size() > 1) {
                told_pairs_.emplace(interfaces[0].first, interfaces[1].first);
                found_.push_back({diagnosis::Code::address_of_two_routers, interfaces[0],
                                  model::address_text(*addresses.begin()) + " is an address of " +
                                      text_of(interfaces[0]) + " and of " + text_of(interfaces[1]) +
                                      and_more(interfaces.size() - 2, "more router", "more routers") +
                                      ", which have no other there"});
            }
    }

    /// Cables between routers whose two ends are in networks of their own.
    void of_two_networks() {
        struct Cable {
            Interface near, far;
            Prefix here, there;
        };
        std::vector<Cable> unlike;
        for (auto const& [at, networks] : networks_) {
            Interface const* const far = far_end(at);
            if (far == nullptr || !(at < *far) || told_.contains(at) || is_further_member(at)) continue;
            std::vector<Prefix> const there = networks_of(*far);
            if (!is_of_a_cable(networks) || !is_of_a_cable(there)) continue;
            if (std::none_of(networks.begin(), networks.end(), [&](Prefix const& one) {
                    return std::find(there.begin(), there.end(), one) != there.end();
                }))
                unlike.push_back({at, *far, networks.front(), there.front()});
        }
        for (Cable const& one : unlike) {
            if (told_.contains(one.near)) continue;
            std::string text = text_of(one.near) + " is in network " + formats::text_of(one.here) + ", and " +
                               text_of(one.far) + " at the other end of the cable in " + formats::text_of(one.there);
            auto const other = std::find_if(unlike.begin(), unlike.end(), [&](Cable const& cable) {
                return cable.here == one.there && cable.there == one.here;
            });
            bool const are_swapped = other != unlike.end();
            if (are_swapped)
                text += "; so are " + text_of(other->near) + " and " + text_of(other->far) +
                        ", the other way round: the two cables are swapped";
            found_.push_back({diagnosis::Code::networks_of_cable_differ, one.near, text});
            tell(one.near);
            if (!are_swapped) continue;
            found_.push_back({diagnosis::Code::networks_of_cable_differ, other->near, text});
            tell(other->near);
        }
    }
    static bool is_of_a_cable(std::vector<Prefix> const& networks) {
        return !networks.empty() && std::all_of(networks.begin(), networks.end(), [](Prefix const& one) {
            return one.length >= shortest_of_a_cable && !is_link_local(one.address);
        });
    }

    /// Hosts that have an address of a router, by what they or LLDP tell.
    void of_hosts_and_routers() {
        for (auto const& known : host_addresses_) {
            Interface const& at = known.first;
            std::set<std::uint32_t> addresses;
            for (std::uint32_t const one : of(cabling_.told_addresses, at)) addresses.insert(one);
            if (auto const itself = devices_.find(at.first); itself != devices_.end())
                for (IpAddress const& one : itself->second.own())
                    if (!is_localhost(one.own.address) && !is_link_local(one.own.address))
                        addresses.insert(one.own.address);
            for (std::uint32_t const one : addresses) {
                std::set<Interface> const all = of(owners_, one);
                auto const router = std::find_if(all.begin(), all.end(), [&](Interface const& owner) {
                    return owner.first != at.first && !is_management(owner.second) &&
                           devices_.at(owner.first).told_routes.whole;
                });
                Interface const* const here = far_end(at);
                if (router == all.end() || here == nullptr || !told_hosts_.insert(at.first).second) continue;
                found_.push_back(
                    {diagnosis::Code::address_of_host_and_router, *here,
                     at.first + " has address " + model::address_text(one) + ", as " + text_of(*router) + " has"});
            }
        }
    }

    void of_two_cables() {
        std::map<std::uint32_t, std::set<Interface>> by_address;
        for (auto const& [at, addresses] : own_) {
            Interface const* const far = far_end(at);
            if (far == nullptr || !devices_.contains(far->first) || host_addresses_.contains(at)) continue;
            if (is_further_member(at)) continue;
            for (Prefix const& one : addresses)
                if (has_network(at, one) && !is_link_local(one.address)) by_address[one.address].insert(at);
        }
        struct Shared {
            std::uint32_t address;
            Interface one, other;
        };
        std::map<std::pair<std::string, std::string>, std::vector<Shared>> by_devices;
        for (auto const& [address, at] : by_address)
            if (at.size() > 1 && !lead_to_one_lag(at))
                by_devices[{at.begin()->first, std::next(at.begin())->first}].push_back(
                    {address, *at.begin(), *std::next(at.begin())});
        std::vector<std::vector<Shared>> all;
        for (auto& [devices, shared] : by_devices)
            if (!told_pairs_.contains(devices)) all.push_back(std::move(shared));
        std::stable_sort(all.begin(), all.end(), [](auto const& a, auto const& b) { return a.size() > b.size(); });
        for (std::vector<Shared> const& shared : all) {  // the rarer ones may follow from these
            auto const& [address, one, other] = shared.front();
            if (std::all_of(shared.begin(), shared.end(),
                            [&](Shared const& at) { return told_.contains(at.one) && told_.contains(at.other); }))
                continue;
            found_.push_back({diagnosis::Code::address_of_two_cables, one,
                              model::address_text(address) + " is an address of " + text_of(one) + " and of " +
                                  text_of(other) + and_more(shared.size() - 1, "more of the two", "more of the two")});
            for (Shared const& at : shared) tell(at.one), tell(at.other);
        }
    }

    /// Why the far end of a cable does not answer for a gateway; nothing = it does, or nobody knows.
    std::string unlike_far_end(Interface const& near_end, Interface const& far, std::uint32_t gateway) const {
        std::set<Interface> const owners = of(owners_, gateway);
        if (owners.contains(far)) return {};
        std::vector<Prefix> const near = networks_of(near_end);
        bool const is_on_link = near.empty() || std::any_of(near.begin(), near.end(),
                                                            [&](Prefix const& one) { return one.holds(gateway); });
        auto const at = find_device(owners, far.first);
        if (at != owners.end()) return is_on_link ? std::string() : "it is that of " + text_of(*at);
        std::string const there = text_of(far);
        std::vector<Prefix> const own = of(own_, far), networks = networks_of(far);
        if (!own.empty()) return there + " has " + model::address_text(own.front().address);
        if (!networks.empty() &&
            std::none_of(networks.begin(), networks.end(), [&](Prefix const& one) { return one.holds(gateway); }))
            return there + " is in network " + formats::text_of(networks.front());
        return owners.empty() ? std::string() : "it is that of " + text_of(*owners.begin());
    }

    void gateways_of(std::string const& name, Device const& device) {
        std::set<std::pair<std::string, std::uint32_t>> seen;
        std::map<std::string, std::string, Natural> odd;  // by interface
        for (IpRoute const& route : device.routes.routes)
            for (IpNextHop const& hop : route.next_hops) {
                if (hop.gateway == 0 || is_link_local(hop.gateway)) continue;
                if (!seen.emplace(hop.interface, hop.gateway).second) continue;
                Interface const at{name, hop.interface};
                Interface const* const far = far_end(at);
                if (far == nullptr || !devices_.contains(far->first) || told_.contains(at)) continue;
                if (std::string const why = unlike_far_end(at, *far, hop.gateway); !why.empty())
                    odd.try_emplace(hop.interface, name + " sends to gateway " + model::address_text(hop.gateway) +
                                                       " on " + hop.interface + ", which is not an address of " +
                                                       far->first + " at the other end of the cable: " + why);
            }
        if (odd.empty()) return;
        found_.push_back({diagnosis::Code::gateway_not_at_far_end,
                          {name, odd.begin()->first},
                          odd.begin()->second +
                              and_more(odd.size() - 1, "more interface of it", "more interfaces of it") +
                              "; the cable counts"});
        for (auto const& [interface, text] : odd) tell({name, interface});
    }

    /// A route to the host itself, or into the network of a cable.
    static bool is_of_cable(IpRoute const& route) { return route.prefix.length >= shortest_of_a_cable; }

    void hosts_elsewhere(std::string const& name, Device const& device) {
        std::vector<std::pair<std::string, std::string>> odd;  // interface, what is odd
        for (auto const& [interface, host] : interfaces_to_hosts(name))
            for (std::uint32_t const address : of(cabling_.told_addresses, host)) {
                std::string const other = interface_elsewhere(device, {name, interface}, host.first, address);
                if (other.empty()) continue;
                Interface const* const there = far_end({name, other});
                odd.emplace_back(interface, host.first + " tells address " + model::address_text(address) +
                                                " by LLDP on " + interface + " of " + name +
                                                ", whose route for it goes by " + other + ", where " +
                                                (there == nullptr ? "it hears nobody" : there->first + " is"));
                told_hosts_.insert(host.first);
                break;
            }
        if (odd.empty()) return;
        found_.push_back({diagnosis::Code::address_elsewhere,
                          {name, odd.front().first},
                          odd.front().second + and_more(odd.size() - 1, "more host of it", "more hosts of it") +
                              "; the cable counts"});
    }
    /// By which a router reaches an address in the network of a cable, if neither is that of the host at `here`.
    std::string interface_elsewhere(Device const& device, Interface const& here, std::string const& host,
                                    std::uint32_t address) const {
        IpRoute const* const route = lookup_.find(device, address);
        if (route == nullptr || !is_of_cable(*route) || route->next_hops.empty()) return {};
        for (IpNextHop const& hop : route->next_hops) {
            Interface const* const there = far_end({here.first, hop.interface});
            if (hop.has_gateway || hop.interface == here.second || (there != nullptr && there->first == host))
                return {};
        }
        std::string const& other = route->next_hops.front().interface;  // a bridge is no cable
        return far_end({here.first, other}) != nullptr || are_of_one_kind(other, here.second) ? other : std::string();
    }
    /// Interfaces of a router, with the hosts at their cables.
    std::vector<std::pair<std::string, Interface>> interfaces_to_hosts(std::string const& name) const {
        std::vector<std::pair<std::string, Interface>> found;
        for (auto at = cabling_.far.lower_bound({name, ""}); at != cabling_.far.end() && at->first.first == name; ++at)
            if (host_addresses_.contains(at->second)) found.emplace_back(at->first.second, at->second);
        return found;
    }

    bool tells(Interface const& host, std::uint32_t address) const {
        std::vector<std::uint32_t> const told = of(cabling_.told_addresses, host);
        return address != 0 && std::ranges::find(told, address) != told.end();
    }

    void hosts_of_others() {
        std::map<std::uint32_t, std::set<Interface>> owners;
        for (auto const& [at, address] : host_addresses_)
            if (address != 0) owners[address].insert(at);
        for (auto const& [at, addresses] : cabling_.told_addresses) {
            Interface const* const here = far_end(at);
            if (here == nullptr || !host_addresses_.contains(at)) continue;
            for (std::uint32_t const address : addresses) {
                std::set<Interface> const of_it = of(owners, address);
                if (of_it.empty() || find_device(of_it, at.first) != of_it.end()) continue;
                if (!told_hosts_.insert(at.first).second) continue;
                Interface const& other = *of_it.begin();
                Interface const* const there = far_end(other);
                std::string text = at.first + " tells address " + model::address_text(address) +
                                   " by LLDP, which by the routes is that of " + other.first +
                                   (there == nullptr ? "" : " on " + text_of(*there));
                if (std::uint32_t const own = of(host_addresses_, at); tells(other, own)) {  // each tells the other's
                    told_hosts_.insert(other.first);
                    text += ", and " + other.first + " tells " + model::address_text(own) + ", which is that of " +
                            at.first + " on " + text_of(*here) + ": their cables, or their addresses, are swapped";
                }
                found_.push_back({diagnosis::Code::address_of_another_host, *here, text});
            }
        }
    }

    Devices const& devices_;
    RouterCabling const& cabling_;
    RouteLookup const& lookup_;
    std::map<Interface, std::uint32_t> const& host_addresses_;
    std::map<Interface, std::vector<Prefix>> own_, networks_;
    std::map<std::uint32_t, std::set<Interface>> owners_;
    std::set<Interface> told_;  // ends of cables
    std::set<std::string> told_hosts_;
    std::set<std::pair<std::string, std::string>> told_pairs_;  // of devices
    std::vector<OddAddress> found_;
};

}  // namespace

std::vector<OddAddress> find_odd_addresses(Devices const& devices, RouterCabling const& cabling,
                                           RouteLookup const& lookup,
                                           std::map<Interface, std::uint32_t> const& host_addresses) {
    return OddAddresses(devices, cabling, lookup, host_addresses).find();
}

}  // namespace tailback::formats
