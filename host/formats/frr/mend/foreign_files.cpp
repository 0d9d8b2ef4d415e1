#include "host/formats/frr/mend/foreign_files.hpp"

#include "host/formats/frr/cabling.hpp"
#include "host/formats/frr/mend/heard.hpp"
#include "host/model/routes/ip_plan.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tailback::formats {
namespace {

constexpr std::size_t most_tried = 32;  // devices, each with each other

/// By interface: its networks, but for the default route and single addresses; of loopbacks those.
using Networks = std::map<std::string, std::vector<Prefix>>;

Networks networks_of(Device const& device) {
    Networks found;
    for (auto const& [name, interface] : routed_interfaces(device))
        if (std::vector<Prefix> shared = interface.shared_networks(); !shared.empty()) found[name] = std::move(shared);
    for (auto const& [interface, address] : routed_loopbacks(device)) found[interface].push_back({address, 32});
    return found;
}

bool hold(std::vector<Prefix> const& networks, Prefix const& one) {
    return std::find(networks.begin(), networks.end(), one) != networks.end();
}

/// Do the routes of a device fit its own addresses?
struct OwnFit {
    bool fits = false;       ///< an address of a loopback, or of a cable, is in the network of its interface
    bool fits_wide = false;  ///< one of a network of many hosts is, as on other routers perhaps
    std::string unlike;      ///< the first that is not
};

/// How well a device's routes go with its addresses and its neighbours.
struct Fit {
    OwnFit own;
    int loopback = 0;             ///< neighbours that reach that of its routes over its cables, less those elsewhere
    int told_loopback = 0;        ///< the same of that of its addresses
    std::size_t cables = 0;       ///< with one network at both ends, by routes
    std::size_t told_cables = 0;  ///< with its address in the far end's network
    std::size_t unlike = 0;       ///< cables with other networks at the two ends, none of another neighbour's
    std::string first_unlike;     ///< the first of them, or the loopback that neighbours reach elsewhere
    int for_routes() const { return int(cables) + loopback; }
    int for_addresses() const { return int(told_cables) + told_loopback; }
    bool contradicts_addresses() const { return !own.unlike.empty(); }
    bool has_foreign_addresses() const {
        if (!contradicts_addresses() || for_routes() < for_addresses()) return false;
        return cables > 0 || loopback > 0 || (told_loopback < 0 && unlike == 0);
    }
    bool has_foreign_routes() const {
        if (contradicts_addresses()) return !has_foreign_addresses();
        return cables == 0 && (unlike > 1 || (loopback < 0 && told_loopback <= 0));
    }
    bool is_sound() const {
        return !contradicts_addresses() && !has_foreign_routes() && (cables > 0 || loopback > 0 || own.fits);
    }
};

/// The devices, and what their routes say of their interfaces.
class Facts {
public:
    explicit Facts(Devices const& devices) : devices_(devices), heard_by_(hearers(devices)) {
        for (auto const& [name, device] : devices) {
            for (LldpNeighbour const& one : device.neighbours) {
                std::string const heard = known_name(devices, one.name);
                hears_[heard].emplace_back(name, one.interface);
                heard_at_.try_emplace({name, one.interface}, heard);
            }
            for (std::uint32_t const address : own_loopbacks(device)) ++owners_[address];
            for (std::uint32_t const address : routed_loopbacks(device)) ++owners_[address];
        }
        for (auto const& [name, device] : devices) take_routes(name);
    }

    /// Also of a device whose routes have changed.
    void take_routes(std::string const& name) {
        Device const& device = devices_.at(name);
        Networks& networks = networks_[name];
        for (auto const& [interface, own] : networks)
            for (Prefix const& one : own) ends_of_network_[{one.address, one.length}].erase({name, interface});
        networks = networks_of(device);
        for (auto const& [interface, own] : networks)
            for (Prefix const& one : own) ends_of_network_[{one.address, one.length}].emplace(name, interface);
        std::vector<std::uint32_t> const loopbacks = routed_loopbacks(device);
        loopbacks_[name] = {loopbacks.begin(), loopbacks.end()};
        auto& to_loopback = to_loopback_[name];
        to_loopback.clear();
        for (IpRoute const& route : device.routes.routes)
            if (route.prefix.length == 32 && owners_.contains(route.prefix.address))
                to_loopback.emplace(route.prefix.address, &route);
    }

    Fit fit(std::string const& name) const {
        Fit found;
        Device const& device = devices_.at(name);
        found.own = own_fit(name, device);
        found.loopback = reached(name, routed_loopbacks(device));
        found.told_loopback = reached(name, own_loopbacks(device));
        compare_cables(name, device, found);
        if (found.unlike == 0 && found.loopback < 0)
            found.first_unlike = "lo has address " + model::address_text(routed_loopbacks(device).front()) +
                                 " by them, which its neighbours reach elsewhere";
        return found;
    }

    /// Cables and hosts of a device that fit its routes.
    std::size_t points(std::string const& name) const {
        Fit const found = fit(name);
        auto const is_connected = [&](std::uint32_t const address) {
            return std::ranges::any_of(networks_.at(name), [&](auto const& of) {
                return std::ranges::any_of(of.second, [&](Prefix const& network) { return network.holds(address); });
            });
        };
        std::size_t hosts = 0;
        for (LldpNeighbour const& one : devices_.at(name).neighbours)
            hosts += std::ranges::any_of(one.addresses, is_connected);
        return found.cables + hosts + std::size_t(std::max(found.loopback, 0));
    }

private:
    static std::vector<std::uint32_t> own_loopbacks(Device const& device) {
        std::vector<std::uint32_t> found;
        for (IpAddress const& one : device.addresses)
            if (is_own_loopback(one)) found.push_back(one.own.address);
        return found;
    }
    static std::vector<std::uint32_t> routed_loopbacks(Device const& device) {
        std::vector<std::uint32_t> found;
        for (auto const& [interface, address] : formats::routed_loopbacks(device)) found.push_back(address);
        return found;
    }

    /// Those who hear a device and reach one of these addresses by their cables to it alone, less those who go
    /// elsewhere alone, or have it themselves. 0 = not known.
    int reached(std::string const& name, std::vector<std::uint32_t> const& addresses) const {
        auto const by = hears_.find(name);
        if (by == hears_.end() || addresses.empty()) return 0;
        std::set<std::string> here, elsewhere, have_it;
        bool shared = false;
        for (std::uint32_t const address : addresses)
            for (auto const& [neighbour, interface] : by->second) {
                if (neighbour == name) continue;
                if (loopbacks_.at(neighbour).contains(address)) have_it.insert(neighbour);
                auto const route = to_loopback_.at(neighbour).find(address);
                if (route == to_loopback_.at(neighbour).end()) continue;
                std::size_t to_it = 0, all = 0;
                for (IpNextHop const& hop : route->second->next_hops)
                    if (hop.has_gateway)
                        ++all, to_it += std::count(by->second.begin(), by->second.end(), End(neighbour, hop.interface));
                shared |= to_it > 0 && to_it < all;  // perhaps with another neighbour
                if (all > 0 && to_it == all) here.insert(neighbour);
                if (all > 0 && to_it == 0) elsewhere.insert(neighbour);
            }
        if (!shared) elsewhere.insert(have_it.begin(), have_it.end());
        std::erase_if(elsewhere, [&](std::string const& one) { return here.contains(one); });
        int const votes = int(here.size()) - int(elsewhere.size());
        return votes < 0 && hears_a_router_without_routes(name) ? 0 : votes;
    }
    /// One who alone may reach it by its cables.
    bool hears_a_router_without_routes(std::string const& name) const {
        return std::ranges::any_of(devices_.at(name).neighbours, [&](LldpNeighbour const& one) {
            std::string const other = known_name(devices_, one.name);
            auto const device = devices_.find(other);
            if (device != devices_.end())  // hosts tell addresses alone
                return device->second.told_routes.lost() ||
                       (!device->second.told_routes.whole && !device->second.has_addresses);
            auto const by = hears_.find(other);
            return by != hears_.end() &&
                   std::ranges::any_of(by->second, [&](End const& end) { return end.first != name; });
        });
    }

    OwnFit own_fit(std::string const& name, Device const& device) const {
        std::map<std::string, std::vector<std::uint32_t>> own;
        for (IpAddress const& one : device.addresses)
            if (!is_loopback(one.interface) || is_own_loopback(one)) own[one.interface].push_back(one.own.address);
        OwnFit found;
        std::string unlike_wide;
        bool of_another = false;
        for (auto const& told : own) {
            std::string const& interface = told.first;
            std::vector<std::uint32_t> const& addresses = told.second;
            auto const at = networks_.at(name).find(interface);
            if (at == networks_.at(name).end()) continue;
            std::vector<Prefix> const& networks = at->second;
            bool const is_wide = networks.front().length < shortest_of_a_cable;
            bool const fits = std::any_of(networks.begin(), networks.end(), [&](Prefix const& network) {
                return std::any_of(addresses.begin(), addresses.end(),
                                   [&](std::uint32_t const address) { return network.holds(address); });
            });
            if (fits) {
                (is_wide ? found.fits_wide : found.fits) = true;
                continue;
            }
            std::string& unlike = is_wide ? unlike_wide : found.unlike;
            if (unlike.empty())
                unlike = interface + " is in network " + text_of(networks.front()) + ", and has address " +
                         model::address_text(addresses.front());
            of_another |= !is_wide && (!is_loopback(interface) || is_of_another(addresses));
        }
        // One wrong address is no address of another device.
        if (found.fits || (found.fits_wide && !of_another)) found.unlike.clear();
        else if (found.unlike.empty() && !found.fits_wide) found.unlike = unlike_wide;
        return found;
    }
    /// Do routes or addresses of another device have one of these loopbacks, too?
    bool is_of_another(std::vector<std::uint32_t> const& addresses) const {
        return std::any_of(addresses.begin(), addresses.end(),
                           [&](std::uint32_t const address) { return owners_.at(address) > 1; });
    }

    bool holds(std::string const& name, Prefix const& network) const {
        auto const ends = ends_of_network_.find({network.address, network.length});
        if (ends == ends_of_network_.end()) return false;
        auto const first = ends->second.lower_bound({name, ""});
        return first != ends->second.end() && first->first == name;
    }
    std::vector<Prefix> at(std::string const& device, std::string const& interface) const {
        Networks const& all = networks_.at(device);
        auto const found = all.find(interface);
        return found == all.end() ? std::vector<Prefix>() : found->second;
    }
    /// Does a neighbour of the device, but for one, have the network on any interface?
    bool of_another_neighbour(Device const& device, std::string const& but, Prefix const& network) const {
        for (LldpNeighbour const& neighbour : device.neighbours) {
            std::string const name = known_name(devices_, neighbour.name);
            if (name != but && holds(name, network)) return true;
        }
        return false;
    }

    void compare_cables(std::string const& name, Device const& device, Fit& found) const {
        std::set<std::string> compared;
        for (LldpNeighbour const& one : device.neighbours) {
            std::string const other = known_name(devices_, one.name);
            if (other == name || !devices_.contains(other) || !heard_by_.contains({name, one.interface})) continue;
            std::vector<Prefix> const here = at(name, one.interface), there = at(other, one.port);
            found.told_cables += std::ranges::any_of(device.addresses, [&](IpAddress const& own) {
                return own.interface == one.interface && std::ranges::any_of(there, [&](Prefix const& network) {
                           return network.holds(own.own.address);
                       });
            });
            if (here.empty() || there.empty()) continue;
            compared.insert(one.interface);
            if (std::any_of(here.begin(), here.end(), [&](Prefix const& network) { return hold(there, network); })) {
                ++found.cables;
                continue;
            }
            // A network of another neighbour: it may be LLDP that mixes up the interfaces.
            if (of_another_neighbour(device, other, here.front())) continue;
            if (found.unlike++ == 0)
                found.first_unlike = one.interface + " is in network " + text_of(here.front()) + " by them, and " +
                                     one.port + " of " + other + " at the other end of its cable in " +
                                     text_of(there.front());
        }
        for (auto const& [interface, networks] : networks_.at(name)) {
            Prefix const& network = networks.front();
            if (compared.contains(interface) || network.length < shortest_of_a_cable || network.length == 32) continue;
            auto const far = heard_at_.find({name, interface});
            if (far != heard_at_.end() && holds(far->second, network)) continue;
            std::string const of = cable_of_others(name, network);
            if (!of.empty() && found.unlike++ == 0)
                found.first_unlike =
                    interface + " is in network " + text_of(network) + " by them, which is that of the cable " + of;
        }
    }
    /// `from swp50 of leaf2 to spine2`, if a cable between others has the network; empty if none has.
    std::string cable_of_others(std::string const& name, Prefix const& network) const {
        auto const ends = ends_of_network_.find({network.address, network.length});
        if (ends == ends_of_network_.end()) return {};
        for (auto const& [device, interface] : ends->second) {
            auto const far = heard_at_.find({device, interface});
            if (device != name && far != heard_at_.end() && far->second != name && devices_.contains(far->second))
                return "from " + interface + " of " + device + " to " + far->second;
        }
        return {};
    }

    Devices const& devices_;
    std::map<End, End> heard_by_;
    std::map<std::string, std::vector<End>> hears_;  // who hears a device, and on which interfaces
    std::map<End, std::string> heard_at_;            // whom an interface hears
    std::map<std::string, Networks> networks_;
    using Key = std::pair<std::uint32_t, std::uint32_t>;  // address and length
    std::map<Key, std::set<End>> ends_of_network_;
    std::unordered_map<std::uint32_t, std::size_t> owners_;     // files that tell a loopback, by its address
    std::map<std::string, std::set<std::uint32_t>> loopbacks_;  // by its routes
    std::map<std::string, std::unordered_map<std::uint32_t, IpRoute const*>> to_loopback_;
};

void swap_neighbours(Device& one, Device& other) {
    std::swap(one.neighbours, other.neighbours);
    std::swap(one.told_neighbours, other.told_neighbours);
}
void swap_addresses(Device& one, Device& other) {
    std::swap(one.addresses, other.addresses);
    std::swap(one.has_addresses, other.has_addresses);
}
void swap_routes(Device& one, Device& other) {
    std::swap(one.routes, other.routes);
    std::swap(one.told_routes, other.told_routes);
}

/// What of two devices may be swapped.
struct Part {
    void (*swap)(Device&, Device&);
    char const* name;
};
constexpr Part parts_with_routes[] = {
    {swap_routes, "routes"},
    {[](Device& one, Device& other) { swap_routes(one, other), swap_addresses(one, other); }, "routes and addresses"}};
constexpr Part addresses_alone[] = {{swap_addresses, "addresses"}};

/// Devices with something that is another's, and why it is.
using Reasons = std::map<std::string, std::string>;

class Sorter {
public:
    Sorter(Devices& devices, std::string const& path, model::Disagreements& disagreements)
        : devices_(devices), path_(path), disagreements_(disagreements), facts_(devices) {}

    void sort_out() {
        Reasons routes, addresses;
        for (auto const& [name, device] : devices_) {
            if (!device.told_routes.whole) continue;
            Fit const fit = facts_.fit(name);
            if (fit.has_foreign_addresses()) addresses[name] = fit.own.unlike;
            else if (fit.has_foreign_routes())
                routes[name] = fit.own.unlike.empty() ? fit.first_unlike : fit.own.unlike;
        }
        swap_back(addresses, addresses_alone);
        swap_back(routes, parts_with_routes);
        for (auto const& [name, why] : addresses) {
            devices_.at(name).addresses.clear();
            note_contradiction(disagreements_, diagnosis::Code::addresses_of_another_device, path_, name,
                               name + " has the addresses of another device: by its routes " + why +
                                   "; its routes count, which fit its neighbours'");
        }
        // Others may fit once those are left out that contradict their own addresses.
        for (auto const& [name, why] : routes)
            if (facts_.fit(name).contradicts_addresses()) leave_out_routes(name, why);
        for (auto const& [name, why] : routes)
            if (devices_.at(name).told_routes.whole && facts_.fit(name).has_foreign_routes())
                leave_out_routes(name, why);
    }

private:
    void leave_out_routes(std::string const& name, std::string const& why) {
        Device& device = devices_.at(name);
        device.told_routes.whole = false;
        device.told_routes.why = device.told_routes.file + " is of another device (" + why + ")";
        device.routes = {};
        facts_.take_routes(name);
    }

    /// Those that fit when they are swapped are no longer among the reasons.
    void swap_back(Reasons& reasons, std::span<Part const> parts) {
        if (reasons.size() > most_tried) return;
        for (auto one = reasons.begin(); one != reasons.end();) {
            auto const other = std::find_if(std::next(one), reasons.end(), [&](auto const& candidate) {
                return std::any_of(parts.begin(), parts.end(),
                                   [&](Part const& part) { return swaps(part, *one, candidate.first); });
            });
            if (other == reasons.end()) {
                ++one;
                continue;
            }
            reasons.erase(other);
            one = reasons.erase(one);
        }
    }

    bool swaps(Part const& part, Reasons::value_type const& one, std::string const& other) {
        auto const& [name, why] = one;
        exchange(part, name, other);
        if (facts_.fit(name).is_sound() && facts_.fit(other).is_sound()) {
            note_contradiction(disagreements_, diagnosis::Code::swapped_files, path_, name,
                               "the " + std::string(part.name) + " of " + name + " and " + other + " are swapped (" +
                                   why + "); they are read so");
            return true;
        }
        exchange(part, name, other);
        return false;
    }
    void exchange(Part const& part, std::string const& one, std::string const& other) {
        part.swap(devices_.at(one), devices_.at(other));
        facts_.take_routes(one);
        facts_.take_routes(other);
    }

    Devices& devices_;
    std::string const& path_;
    model::Disagreements& disagreements_;
    Facts facts_;
};

/// Cables, hosts and loopbacks of two devices that fit their routes.
std::size_t points(Devices const& devices, std::string const& one, std::string const& other) {
    Facts const facts(devices);
    return facts.points(one) + facts.points(other);
}

}  // namespace

void swap_back_neighbours(Devices& devices, std::string const& path, model::Disagreements& disagreements) {
    std::map<std::string, std::string> as;
    for (auto const& [name, device] : devices)
        if (auto const names = heard_as(devices, device); names.size() == 1 && names.begin()->first != name)
            as[name] = names.begin()->first;
    for (auto const& [name, other] : as) {
        auto const back = as.find(other);
        if (back == as.end() || back->second != name || other < name || !devices.contains(other)) continue;
        Device &one = devices.at(name), &two = devices.at(other);
        swap_neighbours(one, two);
        std::size_t const with_neighbours = as.size() <= most_tried ? points(devices, name, other) : 0;
        swap_neighbours(one, two);
        std::swap(one, two);
        bool const all = with_neighbours == 0 || points(devices, name, other) >= with_neighbours;
        if (!all) {
            std::swap(one, two);
            swap_neighbours(one, two);
        }
        note_contradiction(disagreements, diagnosis::Code::swapped_files, path, name,
                           (all ? "the files of " : "the neighbours by LLDP of ") + name + " and " + other +
                               " are swapped: all neighbours of each hear the other; they are read so");
    }
}

void sort_out_routes_and_addresses(Devices& devices, std::string const& path, model::Disagreements& disagreements) {
    Sorter(devices, path, disagreements).sort_out();
}

}  // namespace tailback::formats
