// From the files of all devices to one fabric: who they are, how they are cabled, which hosts have which addresses,
// and what every switch does with packets for each of them.
#include "host/base/error.hpp"
#include "host/formats/frr/frr.hpp"
#include "host/formats/frr/longest_prefix.hpp"
#include "host/model/routes/candidate_sets.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <numeric>
#include <set>

namespace tailback::formats {
namespace {

constexpr std::size_t most_files = 200'000;

/// Names with numbers in the order in which people count them: swp2 before swp10.
struct Natural {
    bool operator()(std::string const& a, std::string const& b) const {
        std::size_t i = 0, j = 0;
        auto const digits = [](std::string const& text, std::size_t at) {
            std::size_t end = at;
            while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
            return end - at;
        };
        while (i < a.size() && j < b.size()) {
            std::size_t const n = digits(a, i), m = digits(b, j);
            if (n > 0 && m > 0) {
                if (n != m) return n < m;
                if (int const order = a.compare(i, n, b, j, m); order != 0) return order < 0;
                i += n, j += m;
            } else if (a[i] != b[j]) {
                return a[i] < b[j];
            } else {
                ++i, ++j;
            }
        }
        return a.size() - i < b.size() - j;
    }
};

/// What the files of a device say.
struct Device {
    std::string file;  ///< of its routes, or another of its files
    bool has_routes = false, has_neighbours = false;
    IpRoutes routes;
    std::vector<LldpNeighbour> neighbours;
    HashSettings hash;
};
using Devices = std::map<std::string, Device, Natural>;

enum class FileKind : std::uint8_t { other, routes, addresses, neighbours, settings };

FileKind kind_of(std::string_view head) {
    auto const holds = [&](std::string_view word) { return head.find(word) != std::string_view::npos; };
    std::size_t const first = head.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return FileKind::other;
    if (head[first] == '{' && holds("\"lldp\"")) return FileKind::neighbours;
    if (head[first] == '[' && holds("\"addr_info\"")) return FileKind::addresses;
    if (head[first] == '[' && holds("\"dst\"")) return FileKind::routes;
    if (head[first] == '{' && (holds("\"nexthops\"") || holds("\"prefix\""))) return FileKind::routes;
    if (head[first] != '{' && head[first] != '[' && holds("fib_multipath_hash_")) return FileKind::settings;
    return FileKind::other;
}

void read_file(std::string const& path, Device& device, model::Disagreements& disagreements) {
    io::LineReader lines(io::open_source(path), path);
    FileKind const kind = kind_of(lines.peek());
    if (kind == FileKind::other) return;
    if (device.file.empty() || kind == FileKind::routes) device.file = path;
    try {
        switch (kind) {
            case FileKind::routes: {
                IpRoutes found = read_ip_routes(lines, disagreements);
                // FRR's routes and the kernel's tell the same: those of the kernel are what is done.
                if (!device.has_routes || device.routes.own.empty()) {
                    found.own.insert(found.own.end(), device.routes.own.begin(), device.routes.own.end());
                    device.routes = std::move(found);
                }
                device.has_routes = true;
                break;
            }
            case FileKind::addresses:
                for (IpAddress& one : read_ip_addresses(lines, disagreements))
                    device.routes.own.push_back(std::move(one));
                break;
            case FileKind::neighbours:
                device.neighbours = read_lldp(lines, disagreements);
                device.has_neighbours = true;
                break;
            case FileKind::settings: device.hash = read_hash_settings(lines); break;
            case FileKind::other: break;
        }
    } catch (base::InputError const& error) {  // one damaged file is data
        disagreements.note(model::Disagreement::damaged_section, {path, 0}, error.what());
    }
}

/// DEVICE.anything.json -> DEVICE
std::string device_of_file(std::filesystem::path const& file) {
    std::string name = file.filename().string();
    if (file.extension() == ".xz") name.resize(name.size() - 3);
    std::size_t const ending = name.rfind('.');
    if (ending == std::string::npos || ending == 0) return {};
    name.resize(ending);
    std::size_t const word = name.rfind('.');
    return word == std::string::npos || word == 0 ? name : name.substr(0, word);
}

Devices read_devices(std::string const& path, model::Disagreements& disagreements) {
    namespace fs = std::filesystem;
    std::vector<std::pair<std::string, std::string>> files;  // path, device
    std::error_code error;
    auto const take = [&](fs::path const& file, std::string device) {
        if (files.size() == most_files)
            throw base::InputError({path, 0}, "the folder has more than 200,000 files", "a device has two to four",
                                   "name a folder that holds one fabric alone");
        if (!device.empty()) files.emplace_back(file.string(), std::move(device));
    };
    for (fs::directory_iterator at(path, error), end; !error && at != end; at.increment(error)) {
        std::error_code ignored;
        if (at->is_regular_file(ignored)) take(at->path(), device_of_file(at->path()));
        if (!at->is_directory(ignored)) continue;
        for (fs::directory_iterator in(at->path(), ignored), last; !ignored && in != last; in.increment(ignored))
            if (std::error_code odd; in->is_regular_file(odd)) take(in->path(), at->path().filename().string());
    }
    if (error)
        throw base::InputError({path, 0}, "the folder of routers cannot be read", error.message(),
                               "give frr:DIR with a folder that has a folder for each device");
    std::sort(files.begin(), files.end());
    Devices devices;
    for (auto const& [file, device] : files) {
        Device read = std::move(devices[device]);
        read_file(file, read, disagreements);
        devices[device] = std::move(read);
    }
    std::erase_if(devices, [](auto const& one) { return one.second.file.empty(); });
    if (devices.empty())
        throw base::InputError({path, 0}, "the folder has no device",
                               std::to_string(files.size()) + " files, none of routes or neighbours",
                               "put `show ip route json` (or `ip -j route`) and `lldpctl -f json` of each device "
                               "into a folder with its name");
    return devices;
}

/// A cable by the names of its ends.
struct Cable {
    std::string from, from_port, to, to_port;
};

class Builder {
public:
    Builder(std::string path, Devices devices, model::Disagreements& disagreements)
        : path_(std::move(path)), devices_(std::move(devices)), disagreements_(disagreements) {}

    model::Fabric build() {
        find_cables();
        find_addresses();
        find_switches();
        add_nodes();
        model::Fabric fabric;
        fabric.network = builder_.finish(disagreements_, path_);
        note_one_sided(fabric.network);
        route(fabric);
        fabric.ip = std::make_shared<model::IpPlan const>(std::move(plan_));
        return fabric;
    }

private:
    using Port = std::pair<std::string, std::string>;  // node, interface

    /// A neighbour's name as the folder spells it: with or without its domain, where one device alone is meant.
    std::string known_name(std::string const& name) const {
        if (devices_.contains(name)) return name;
        std::string const stem = name.substr(0, name.find('.'));
        std::string found;
        for (auto at = devices_.lower_bound(stem); at != devices_.end() && at->first.starts_with(stem); ++at)
            if (at->first.substr(0, at->first.find('.')) == stem) {
                if (!found.empty()) return name;
                found = at->first;
            }
        return found.empty() ? name : found;
    }

    void find_cables() {
        for (auto const& [name, device] : devices_)
            for (LldpNeighbour const& heard : device.neighbours) {
                Port const here{name, heard.interface}, there{known_name(heard.name), heard.port};
                if (here == there) continue;
                if (!heard.addresses.empty()) told_address_[there] = heard.addresses;
                if (auto const at = far_.find(here); at != far_.end() && at->second != there) {
                    disagreements_.note(model::Disagreement::one_sided_cable, {device.file, 0},
                                        name + " hears both " + at->second.first + " and " + there.first + " on " +
                                            heard.interface + "; the first counts");
                    continue;
                }
                far_[here] = there;
            }
        // What only one end tells is a cable all the same.
        std::map<Port, Port> const told = far_;
        for (auto const& [here, there] : told) {
            auto const [at, added] = far_.try_emplace(there, here);
            auto const other = devices_.find(there.first);
            bool const listens = other != devices_.end() && other->second.has_neighbours;
            if (added && listens) one_sided_.emplace_back(here, there);
            if (at->second != here) one_sided_.emplace_back(here, there), far_.erase(here);
        }
    }

    bool has_routes(std::string const& name) const {
        auto const at = devices_.find(name);
        return at != devices_.end() && at->second.has_routes;
    }

    /// The address of what hangs off a switch's interface.
    std::uint32_t address_behind(Port const& at, Port const& host) const {
        Device const& device = devices_.at(at.first);
        if (auto const own = devices_.find(host.first); own != devices_.end())
            for (IpAddress const& one : own->second.routes.own)
                if (one.interface == host.second) return one.own.address;
        std::uint32_t own_address = 0, guess = 0;
        for (IpAddress const& one : device.routes.own)
            if (one.interface == at.second) own_address = one.own.address;
        std::vector<std::uint32_t> told;
        if (auto const found = told_address_.find(host); found != told_address_.end()) told = found->second;
        for (IpRoute const& route : device.routes.routes)
            for (IpNextHop const& hop : route.next_hops) {
                if (hop.has_gateway || hop.interface != at.second) continue;
                for (std::uint32_t const address : told)
                    if (route.prefix.holds(address)) return address;
                if (route.prefix.length == 32) guess = route.prefix.address;
                else if (guess == 0) guess = other_address(route.prefix, own_address);
            }
        if (guess != 0) return guess;
        for (std::uint32_t const address : told)
            if (find_route(table_of(device), address) != nullptr) return address;
        return 0;
    }
    /// The lowest host address of a network that is not the switch's own; that one has the lowest if nobody tells.
    static std::uint32_t other_address(Prefix const& network, std::uint32_t own) {
        std::uint32_t const base =
            network.length == 0 ? 0 : network.address & ~std::uint32_t{0} << (32 - network.length);
        std::uint32_t const first = network.length == 31 ? base : base + 1;
        if (own == 0) own = first;
        return first != own ? first : first + 1;
    }

    LongestPrefix const& table_of(Device const& device) const {
        auto const [at, added] = tables_.try_emplace(&device);
        if (added) at->second = LongestPrefix(device.routes.routes);
        return at->second;
    }
    static IpRoute const* find_route(LongestPrefix const& table, std::uint32_t address) { return table.find(address); }

    void find_addresses() {
        for (auto const& [here, there] : far_)
            if (has_routes(here.first) && !has_routes(there.first)) address_[there] = address_behind(here, there);
    }

    /// Nodes without routes that routes to others lead through.
    void find_switches() {
        for (auto const& [name, device] : devices_)
            if (device.has_routes) switches_.insert(name);
        std::set<std::string, Natural> through;
        for (auto const& [name, device] : devices_) {
            if (!device.has_routes) continue;
            for (auto const& [host, address] : address_) {
                IpRoute const* const route = address != 0 ? find_route(table_of(device), address) : nullptr;
                if (route == nullptr) continue;
                for (IpNextHop const& hop : route->next_hops)
                    if (auto const at = far_.find({name, hop.interface}); at != far_.end() && hop.has_gateway &&
                                                                          at->second.first != host.first &&
                                                                          !has_routes(at->second.first))
                        through.insert(at->second.first);
            }
        }
        switches_.insert(through.begin(), through.end());
    }

    void add_nodes() {
        std::map<std::string, std::set<std::string, Natural>, Natural> interfaces;
        for (std::string const& name : switches_) interfaces[name];
        for (auto const& [here, there] : far_) interfaces[here.first].insert(here.second);
        for (auto const& [name, device] : devices_)
            for (IpRoute const& route : device.routes.routes)
                for (IpNextHop const& hop : route.next_hops)
                    if (switches_.contains(name) && hop.has_gateway && !hop.interface.empty())
                        interfaces[name].insert(hop.interface);
        model::Lid lid = 0;
        for (bool const hosts : {false, true})
            for (auto const& [name, of] : interfaces) {
                if (switches_.contains(name) == hosts) continue;
                model::NodeRecord record;
                record.kind = hosts ? model::NodeKind::adapter : model::NodeKind::switch_node;
                record.name = name;
                record.ports = static_cast<model::Port>(of.size());
                model::Node const node = node_[name] = builder_.add_node(std::move(record));
                for (std::string const& interface : of) {
                    model::Port const port = 1 + static_cast<model::Port>(port_[name].size());
                    port_[name][interface] = port;
                    builder_.set_port_label(node, port, interface);
                    if (!hosts) continue;
                    auto const known = address_.find({name, interface});
                    std::uint32_t const address = known != address_.end() ? known->second : 0;
                    if (address != 0) ++lid;
                    builder_.add_host({node, port, 0, address != 0 ? lid : 0});
                    plan_.address.push_back(address);
                }
            }
        for (auto const& [here, there] : far_)
            builder_.add_link({node_.at(here.first), port_.at(here.first).at(here.second), node_.at(there.first),
                               port_.at(there.first).at(there.second)});
    }

    void note_one_sided(model::Network const& network) {
        for (auto const& [here, there] : one_sided_)
            disagreements_.note(model::Disagreement::one_sided_cable, {devices_.at(here.first).file, 0},
                                here.first + " hears " + there.first + " on " + here.second + ", but " + there.first +
                                    " does not hear it on " + there.second,
                                1, network.place_of(node_.at(here.first), port_.at(here.first).at(here.second)));
    }

    void route(model::Fabric& fabric) {
        model::Network const& net = fabric.network;
        plan_.seed.resize(net.nodes().size());
        plan_.policy.resize(net.nodes().size());
        fabric.tables = model::ForwardingTables(net);
        sets_ = std::make_shared<model::CandidateSets>(net.nodes().size(), std::size_t{net.max_lid()} + 1,
                                                       "routes of equal cost", model::ChosenBy::hash);
        for (std::string const& name : switches_) {
            model::Node const node = node_.at(name);
            if (!has_routes(name)) {
                disagreements_.note(model::Disagreement::switch_without_table, {path_, 0},
                                    name + " forwards, and the folder has no routes of it", 1, net.place_of(node));
                continue;
            }
            Device const& device = devices_.at(name);
            plan_.seed[node.value] = device.hash.seed;
            plan_.policy[node.value] = device.hash.policy;
            fabric.tables.add_table(node);
            sets_->add_row(node);
            for (std::size_t h = 0; h < net.hosts().size(); ++h)
                if (model::Host const host{h}; net[host].lid != 0) route_to(fabric, node, name, device, host);
        }
        fabric.candidates = std::move(sets_);
        fabric.routed = true;
    }

    /// The ports of a route, with their weights, in its order.
    using WeightedPorts = std::vector<std::pair<model::Port, std::uint32_t>>;
    WeightedPorts ports_of(model::Network const& net, model::Node node, std::string const& name, Device const& device,
                           IpRoute const& route, model::Host host, int depth) const {
        WeightedPorts found;
        for (IpNextHop const& hop : route.next_hops) {
            if (!hop.has_gateway) {  // on the link, or on a bridge that the host hangs off
                model::Link const up = net.up_link(host);
                if (up.exists() && net[up].to == node) found.emplace_back(net[up].to_port, hop.weight);
                continue;
            }
            auto const& own = port_.at(name);
            if (auto const port = own.find(hop.interface); port != own.end()) {
                found.emplace_back(port->second, hop.weight);
            } else if (depth < 4 && hop.gateway != 0) {
                IpRoute const* const further = find_route(table_of(device), hop.gateway);
                if (further == nullptr) continue;
                for (auto const& one : ports_of(net, node, name, device, *further, host, depth + 1))
                    found.push_back(one);
            }
        }
        return found;
    }

    void route_to(model::Fabric& fabric, model::Node node, std::string const& name, Device const& device,
                  model::Host host) {
        model::Network const& net = fabric.network;
        IpRoute const* const route = find_route(table_of(device), plan_.address[host.value]);
        if (route == nullptr) return;
        WeightedPorts const ports = ports_of(net, node, name, device, *route, host, 0);
        if (ports.empty()) return;
        auto& used = entries_of_port_[node.value];
        model::Port const chosen = std::min_element(ports.begin(), ports.end(), [&](auto const& a, auto const& b) {
                                       return used[a.first] < used[b.first];
                                   })->first;
        ++used[chosen];
        fabric.tables.set(node, net[host].lid, chosen);
        for (auto const& [port, weight] : ports)
            if (!net.link_at(node, port).exists() &&
                disagreements_.wants_example(model::Disagreement::port_without_cable))
                disagreements_.note(model::Disagreement::port_without_cable, {device.file, 0},
                                    name + " sends packets for " + model::address_text(plan_.address[host.value]) +
                                        " to " + net.port_label(node, port) + ", where LLDP hears nobody",
                                    1, net.place_of(node, port));
        if (ports.size() == 1) return;
        std::uint32_t divisor = 0;
        for (auto const& [port, weight] : ports) divisor = std::gcd(divisor, weight);
        std::vector<model::Port> weighted;
        for (auto const& [port, weight] : ports)
            weighted.insert(weighted.end(), divisor > 0 ? weight / divisor : 1, port);
        if (weighted.size() > most_places)
            throw base::InputError({device.file, 0}, "the weights of a route are too different",
                                   std::to_string(weighted.size()) + " parts of equal weight",
                                   "65,536 is the limit; round the weights");
        sets_->set(node, net[host].lid, model::LidState::hashed, sets_->group_of(node, weighted));
    }

    static constexpr std::size_t most_places = 65'536;

    std::string path_;
    Devices devices_;
    model::Disagreements& disagreements_;
    model::NetworkBuilder builder_{true};
    model::IpPlan plan_;
    std::map<Port, Port> far_;
    std::vector<std::pair<Port, Port>> one_sided_;
    std::map<Port, std::vector<std::uint32_t>> told_address_;
    std::map<Port, std::uint32_t> address_;  // of ports of nodes without routes
    std::set<std::string, Natural> switches_;
    std::map<std::string, model::Node> node_;
    std::map<std::string, std::map<std::string, model::Port>> port_;
    std::shared_ptr<model::CandidateSets> sets_;
    std::map<std::uint32_t, std::map<model::Port, std::uint64_t>> entries_of_port_;  // by node
    mutable std::map<Device const*, LongestPrefix> tables_;
};

}  // namespace

model::Fabric read_router_folder(std::string const& path, model::Disagreements& disagreements) {
    return Builder(path, read_devices(path, disagreements), disagreements).build();
}

}  // namespace tailback::formats
