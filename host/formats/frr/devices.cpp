// What devices tell of themselves, and what names of interfaces say.
#include "host/formats/frr/devices.hpp"

#include "host/base/nearest.hpp"
#include "host/formats/interface_names.hpp"

#include <algorithm>

namespace tailback::formats {

std::string known_name(Devices const& devices, std::string const& name) {
    if (devices.contains(name)) return name;
    std::string const stem = name.substr(0, name.find('.'));
    std::string found;
    for (auto at = devices.lower_bound(stem); at != devices.end() && at->first.starts_with(stem); ++at)
        if (at->first.substr(0, at->first.find('.')) == stem) {
            if (!found.empty()) return name;
            found = at->first;
        }
    return found.empty() ? name : found;
}

std::vector<IpAddress> Device::own() const {
    std::vector<IpAddress> all = routes.own;
    all.insert(all.end(), addresses.begin(), addresses.end());
    return all;
}

bool Device::is_further_member(std::string const& interface) const {
    return std::ranges::any_of(lags, [&](auto const& one) {
        std::vector<std::string> const& members = one.second.members;
        return std::ranges::find(members, interface) != members.end() && members.front() != interface;
    });
}

bool are_of_one_kind(std::string_view one, std::string_view other) {
    auto const without_numbers = [](std::string_view name) {
        std::string text;
        for (char const c : name)
            if (c >= '0' && c <= '9') {
                if (!text.ends_with('#')) text += '#';
            } else {
                text += c;
            }
        return text;
    };
    return without_numbers(one) == without_numbers(other);
}

std::vector<Prefix> RoutedInterface::shared_networks() const {
    std::vector<Prefix> found;
    std::copy_if(networks.begin(), networks.end(), std::back_inserter(found),
                 [](Prefix const& one) { return one.length > 0 && one.length < 32; });
    return found;
}

std::map<std::string, RoutedInterface> routed_interfaces(Device const& device) {
    std::map<std::string, RoutedInterface> found;
    for (IpRoute const& route : device.routes.routes)
        for (IpNextHop const& hop : route.next_hops) {
            RoutedInterface& interface = found[hop.interface];
            if (!hop.has_gateway) interface.networks.push_back(route.prefix);
            else interface.goes_on |= route.prefix.length > 0;
        }
    return found;
}

bool is_management(std::string_view interface) {
    return is_management_interface(base::lower_case(std::string(interface)));
}

std::vector<std::pair<std::string, std::uint32_t>> routed_loopbacks(Device const& device) {
    std::vector<std::pair<std::string, std::uint32_t>> found;
    auto const add = [&](IpAddress const& one) {
        if (one.own.length == 32 && is_own_loopback(one)) found.emplace_back(one.interface, one.own.address);
    };
    for (IpRoute const& route : device.routes.routes)
        for (IpNextHop const& hop : route.next_hops)
            if (!hop.has_gateway) add({hop.interface, route.prefix});
    for (IpAddress const& one : device.routes.own) add(one);
    return found;
}

bool is_named_like_lag(std::string_view interface) {
    std::string const name = base::lower_case(std::string(interface));
    for (char const* const start : {"portchannel", "port-channel", "bond", "team", "lag", "bundle-ether", "peerlink"})
        if (name.starts_with(start)) return true;
    bool const numbered = name.size() > 2 && name.find_first_not_of("0123456789", 2) == std::string::npos;
    return numbered && (name.starts_with("po") || name.starts_with("ae"));
}

}  // namespace tailback::formats
