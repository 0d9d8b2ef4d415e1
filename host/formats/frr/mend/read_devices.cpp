// The devices of a folder. Which file is what shows by its content; what a damaged one should be, by its name.
#include "host/formats/frr/devices.hpp"

#include "host/base/error.hpp"
#include "host/base/nearest.hpp"
#include "host/base/numbers.hpp"
#include "host/formats/frr/folder_files.hpp"
#include "host/formats/frr/mend/contradictions.hpp"
#include "host/io/progress.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>
#include <set>

namespace tailback::formats {
namespace {

enum class FileKind : std::uint8_t { other, routes, addresses, neighbours, next_hops, settings, rates };

FileKind kind_of(std::string_view head) {
    auto const holds = [&](std::string_view word) { return head.find(word) != std::string_view::npos; };
    std::size_t const first = head.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return FileKind::other;
    if (head[first] == '{' && holds("\"lldp\"")) return FileKind::neighbours;
    if (head[first] == '[' && holds("\"addr_info\"")) return FileKind::addresses;
    if (head[first] == '[' && holds("\"dst\"")) return FileKind::routes;
    if (head[first] == '[' && holds("\"id\"") && !holds("\"ifname\"") && (holds("\"dev\"") || holds("\"group\"")))
        return FileKind::next_hops;
    if (head[first] == '{' && (holds("\"nexthops\"") || holds("\"prefix\""))) return FileKind::routes;
    if (head[first] != '{' && head[first] != '[' && holds("fib_multipath_hash_")) return FileKind::settings;
    if (head[first] != '{' && head[first] != '[' && (holds("Speed:") || holds("/speed"))) return FileKind::rates;
    return FileKind::other;
}

/// What a file is meant to be that shows no such content.
FileKind kind_by_name(std::string const& path) {
    std::string const name = base::lower_case(std::filesystem::path(path).filename().string());
    auto const holds = [&](char const* word) { return name.find(word) != std::string::npos; };
    if (holds("lldp") || holds("neigh")) return FileKind::neighbours;
    if (name.ends_with(".speed") || holds("ethtool")) return FileKind::rates;
    if (holds("sysctl")) return FileKind::settings;
    if (holds("nexthop")) return FileKind::next_hops;
    if (holds("route")) return FileKind::routes;
    return holds("addr") ? FileKind::addresses : FileKind::other;
}

/// `leaf01/lldp.json`
std::string short_name(std::string const& path, std::string const& root) {
    return std::filesystem::path(path).lexically_relative(root).string();
}

/// How a file begins that is not what its name says: it may be anybody's, and what it holds is not told.
std::string begin_told(std::string_view line) {
    if (line.front() == '{' || line.front() == '[') return "is other JSON";
    for (char const* const word : {"Warning", "command not found", "Permission denied", "No such file",
                                   "Unknown command", "Connection", "not running", "timed out"})
        if (line.find(word) != std::string_view::npos)
            return std::string("begins with a line that has \"") + word + "\" in it";
    return "begins with other text";
}

/// What is wrong with a file that is no JSON of its kind.
std::string damage(std::string_view head, std::string const& name, FileKind kind) {
    std::size_t const first = head.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return name + " is empty";
    std::string_view line = head.substr(first);
    line = line.substr(0, line.find_first_of("\r\n"));
    char const* const what = kind == FileKind::neighbours  ? "`lldpctl -f json`"
                             : kind == FileKind::routes    ? "`show ip route json` or `ip -j route`"
                             : kind == FileKind::settings  ? "`sysctl net.ipv4`"
                             : kind == FileKind::rates     ? "`ethtool`"
                             : kind == FileKind::next_hops ? "`ip -j nexthop`"
                                                           : "`ip -j addr`";
    return name + " is not what " + what + " writes, and " + begin_told(line);
}

bool is_empty_json(std::string_view head) {
    std::string text(head.substr(0, 64));
    std::erase_if(text, [](char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; });
    return text == "{}" || text == "[]";
}

/// A file of one device, as it is read.
struct DeviceFile {
    std::string const& path;
    std::string name;  ///< `leaf01/lldp.json`, as a finding's place
    model::Disagreements& disagreements;
};

void note(DeviceFile const& file, diagnosis::Code code, std::string const& text) {
    file.disagreements.note(code, {file.path, 0}, text, 1, {file.name, {}, 0, 0, {}, {}});
}
void note_second(DeviceFile const& file, Told const& told, std::string const& what) {
    note(file, diagnosis::Code::second_file_differs,
         file.name + " tells other " + what + " than " + told.file + ", which counts");
}

/// FRR's routes and the kernel's tell the same: those of the kernel are what is done.
void take_routes(IpRoutes found, DeviceFile const& file, Device& device) {
    Told& told = device.told_routes;
    if (told.whole && found.of_kernel == device.routes.of_kernel) {
        if (found.routes != device.routes.routes) note_second(file, told, "routes");
    } else if (!told.whole || found.of_kernel) {
        device.routes = std::move(found);
        device.file = file.path;
        told.whole = true, told.file = file.name;
    }
}

void read_routes(io::LineReader& lines, DeviceFile const& file, Device& device) {
    IpRoutes found = read_ip_routes(lines, file.disagreements);
    for (auto& [number, hops] : found.objects) device.next_hop_objects[number] = std::move(hops);
    if (found.other_answers > 0) device.other_answers.push_back(file.name);
    if (found.routes.empty() && found.of_ipv6 > 0) device.ipv6_routes = file.name;
    else if (std::ranges::any_of(found.routes, [](IpRoute const& one) { return one.next_hop_object != 0; }))
        device.numbered.push_back({file.path, file.name, std::move(found)});
    else take_routes(std::move(found), file, device);
}

/// Routes whose next hops were told by the kernel's numbers, once all files of the device are read. Without those they
/// are as good as lost, and networks that the file names are kept.
void settle_numbered(Device& device, model::Disagreements& disagreements) {
    for (Device::Numbered& one : device.numbered) {
        std::vector<IpRoute>& routes = one.routes.routes;
        std::string first;
        std::size_t unknown = 0;
        for (IpRoute& route : routes) {
            if (route.next_hop_object == 0) continue;
            auto const at = device.next_hop_objects.find(route.next_hop_object);
            if (at != device.next_hop_objects.end()) {
                route.next_hops = at->second;
                route.next_hop_object = 0;
            } else if (unknown++ == 0) {
                first = text_of(route.prefix) + " by next hop " + std::to_string(route.next_hop_object);
            }
        }
        if (unknown == 0) {
            take_routes(std::move(one.routes), {one.path, one.name, disagreements}, device);
            continue;
        }
        Told& told = device.told_routes;
        told.damaged = one.name;
        told.why = one.name + " has " + base::counted(unknown, "route", "routes") +
                   " with next hops by number alone (the first: " + first +
                   "): put `ip -j nexthop` of the router beside it, or give `show ip route json`";
        if (told.whole) continue;
        std::erase_if(routes, [](IpRoute const& route) { return route.next_hop_object != 0; });
        device.routes = std::move(one.routes);
        if (device.file.empty()) device.file = one.path;
    }
    device.numbered.clear();
}

/// What is wrong with the file; nothing = it is whole.
std::string take_neighbours(io::LineReader& lines, DeviceFile const& file, Device& device) {
    std::size_t other_answers = 0;
    std::vector<LldpNeighbour> found = read_lldp(lines, file.disagreements, &other_answers);
    if (other_answers > 0) device.other_answers.push_back(file.name);
    Told& told = device.told_neighbours;
    if (found.empty()) return file.name + " has no neighbour";
    if (told.whole) {
        if (found != device.neighbours) note_second(file, told, "neighbours");
        return {};
    }
    device.neighbours = std::move(found);
    told.whole = true, told.file = file.name;
    return {};
}

void take_addresses(io::LineReader& lines, DeviceFile const& file, Device& device) {
    IpLinks found = read_ip_addresses(lines, file.disagreements);
    std::ranges::move(found.addresses, std::back_inserter(device.addresses));
    std::ranges::move(found.links, std::back_inserter(device.links));
    device.has_addresses = true;
    if (found.other_answers > 0) device.other_answers.push_back(file.name);
}

/// The begin of a file, as far as it tells what the file is; nothing, and `why`, of what is no text.
std::string begin_of(io::LineReader& lines, std::string& why) {
    try {
        return std::string(lines.peek());
    } catch (base::InputError const& error) {
        why = error.what();
        return {};
    }
}

/// A file that should be of a kind and is not.
void note_lost(DeviceFile const& file, Device& device, FileKind meant, std::string why) {
    if (meant == FileKind::other) return;
    if (device.file.empty()) device.file = file.path;
    if (meant != FileKind::routes && meant != FileKind::neighbours)
        return note(file, diagnosis::Code::file_damaged, why);
    Told& told = meant == FileKind::routes ? device.told_routes : device.told_neighbours;
    told.damaged = file.name;
    told.why = std::move(why);
}

/// Why a file cannot be opened; nothing = `lines` has it.
std::string open_file(std::string const& path, std::optional<io::LineReader>& lines) {
    try {
        lines.emplace(io::open_source(path), path);
        return {};
    } catch (base::InputError const& error) {
        return error.what();
    }
}

/// An error's text, which begins with the file.
std::string with_short_name(std::string text, DeviceFile const& file) {
    return text.starts_with(file.path) ? file.name + text.substr(file.path.size()) : file.name + ": " + text;
}

void read_file(DeviceFile const& file, Device& device) {
    std::optional<io::LineReader> opened;
    if (std::string const refused = open_file(file.path, opened); !refused.empty())
        return note_lost(file, device, kind_by_name(file.path), with_short_name(refused, file));
    io::LineReader& lines = *opened;
    std::string why;
    std::string const head = begin_of(lines, why);
    FileKind const kind = kind_of(head);
    FileKind const meant = kind == FileKind::other ? kind_by_name(file.path) : kind;
    std::string const base_name = std::filesystem::path(file.path).filename().string();
    if (base_name.ends_with(".speed") && head.find_first_not_of("0123456789-\r\n ") == head.npos) {
        device.rates.merge(read_interface_rates(lines, file.disagreements, base_name.substr(0, base_name.size() - 6)));
        return;
    }
    if (meant == FileKind::other) return;
    if (device.file.empty()) device.file = file.path;
    if (kind == FileKind::other && why.empty())
        why = meant == FileKind::routes && is_empty_json(head) ? file.name + " has no route"
                                                               : damage(head, file.name, meant);
    try {
        switch (kind) {
            case FileKind::routes: read_routes(lines, file, device); break;
            case FileKind::next_hops:
                for (auto& [number, hops] : read_next_hops(lines, file.disagreements))
                    device.next_hop_objects[number] = std::move(hops);
                break;
            case FileKind::addresses: take_addresses(lines, file, device); break;
            case FileKind::neighbours: why = take_neighbours(lines, file, device); break;
            case FileKind::rates: device.rates.merge(read_interface_rates(lines, file.disagreements)); break;
            case FileKind::settings: device.hash = read_hash_settings(lines); break;
            case FileKind::other: break;
        }
    } catch (base::InputError const& error) {  // one damaged file is data
        why = with_short_name(error.what(), file);
    }
    if (!why.empty()) note_lost(file, device, meant, std::move(why));
}

/// A file of that name that says nothing makes no device, unless somebody hears it.
void forget_strangers(Devices& devices) {
    auto const stem = [](std::string const& name) { return name.substr(0, name.find('.')); };
    std::set<std::string> heard;
    for (auto const& [name, device] : devices)
        for (LldpNeighbour const& one : device.neighbours) heard.insert(stem(one.name));
    std::erase_if(devices, [&](auto const& one) {
        Device const& device = one.second;
        bool const whole = device.told_routes.whole || device.told_neighbours.whole || device.has_addresses;
        return device.file.empty() || (!whole && !heard.contains(stem(one.first)));
    });
}

/// Why no file of routes or neighbours could be read, by the first that should be one; nothing where one could.
std::string why_none_is_whole(Devices const& devices) {
    std::string why;
    for (auto const& [name, device] : devices)
        for (Told const* told : {&device.told_routes, &device.told_neighbours}) {
            if (told->whole) return {};
            if (why.empty()) why = told->why;
        }
    return why;
}

/// Does any device send packets to this one, by what it hears?
bool is_sent_to(Devices const& devices, std::string const& name) {
    return std::ranges::any_of(devices, [&](auto const& one) {
        std::set<std::string> ports;
        for (LldpNeighbour const& heard : one.second.neighbours)
            if (known_name(devices, heard.name) == name && !is_management(heard.interface))
                ports.insert(heard.interface);
        return !ports.empty() && std::ranges::any_of(one.second.routes.routes, [&](IpRoute const& route) {
            return std::ranges::any_of(route.next_hops, [&](IpNextHop const& hop) {
                return hop.has_gateway && ports.contains(hop.interface);
            });
        });
    });
}

void forget_routes(Device& device, std::string const& why) {
    Told& told = device.told_routes;
    told.whole = false;
    told.damaged = told.file;
    told.why = told.file + why;
    device.routes = {};
}

/// Routes that lead through a management port alone, of a router that has others and is sent to: those of the table
/// (VRF) of management.
void forget_management_routes(Devices& devices) {
    for (auto& [name, device] : devices) {
        std::string port;
        bool others = !device.told_routes.whole;
        for (IpRoute const& route : device.routes.routes)
            for (IpNextHop const& hop : route.next_hops)
                if (is_management(hop.interface)) port = hop.interface;
                else others = true;
        bool const hears_others = std::ranges::any_of(
            device.neighbours, [](LldpNeighbour const& one) { return !is_management(one.interface); });
        if (others || port.empty() || !hears_others || !is_sent_to(devices, name)) continue;
        forget_routes(device,
                      " has routes by the management port " + port + " alone: give those of the fabric's table (VRF)");
    }
}

/// Routes of another table (VRF) than most routers'.
void forget_routes_of_other_tables(Devices& devices) {
    std::map<std::string, std::size_t> routers;  // by table
    std::size_t all = 0;
    for (auto const& [name, device] : devices)
        if (device.told_routes.whole && !device.routes.vrf.empty()) ++routers[device.routes.vrf], ++all;
    auto const usual = std::ranges::max_element(routers, {}, [](auto const& one) { return one.second; });
    if (routers.size() < 2 || 2 * usual->second <= all) return;
    for (auto& [name, device] : devices)
        if (device.told_routes.whole && !device.routes.vrf.empty() && device.routes.vrf != usual->first)
            forget_routes(device, " has the routes of VRF " + device.routes.vrf +
                                      ", and those of most routers are of " + usual->first);
}

}  // namespace

bool holds_routers(std::string const& path) {
    for (auto const& [file, device, refused, is_folder] : files_of_devices(path)) {
        std::error_code ignored;
        if (!refused.empty() || std::filesystem::file_size(file, ignored) == 0) continue;
        std::optional<io::LineReader> lines;
        if (!open_file(file, lines).empty()) continue;
        std::string why;
        FileKind const kind = kind_of(begin_of(*lines, why));
        if (kind == FileKind::routes || kind == FileKind::neighbours) return true;
    }
    return false;
}

Devices read_devices(std::string const& path, model::Disagreements& disagreements) {
    auto const files = files_of_devices(path);
    Devices devices;
    io::Progress progress("reading the files of routers", files.size(), "files");
    for (auto const& [file, device, refused, is_folder] : files) {
        progress.add(1);
        Device read = std::move(devices[device]);
        DeviceFile const at{file, short_name(file, path), disagreements};
        if (refused.empty()) read_file(at, read);
        else if (!is_folder) note_lost(at, read, kind_by_name(file), at.name + " " + refused);
        else
            for (FileKind const kind : {FileKind::routes, FileKind::neighbours})
                note_lost(at, read, kind, at.name + " " + refused);
        devices[device] = std::move(read);
    }
    for (auto& [name, device] : devices) settle_numbered(device, disagreements);
    for (auto& [name, device] : devices)
        if (Told& told = device.told_routes; !told.whole && !told.lost() && !device.ipv6_routes.empty())
            told.why = device.ipv6_routes + " has IPv6 routes alone, and those of IPv4 are followed";
    for (auto const& [name, device] : devices)
        for (Told const* told : {&device.told_routes, &device.told_neighbours})
            if (told->whole && !told->why.empty())  // what is lost is told where it is missed
                note({path, told->damaged, disagreements}, diagnosis::Code::file_damaged,
                     told->why + "; " + told->file + " counts");
    if (std::string const why = why_none_is_whole(devices); !why.empty())
        throw base::InputError({path, 0}, "no file of routes or neighbours can be read", why,
                               "collect the files again, without what a shell or ssh says before them (2>/dev/null)");
    forget_strangers(devices);
    forget_management_routes(devices);
    forget_routes_of_other_tables(devices);
    mend_contradictions(devices, path, disagreements);
    if (devices.empty())
        throw base::InputError({path, 0}, "the folder has no device",
                               std::to_string(files.size()) + " files, none of routes or neighbours",
                               "put `show ip route json` (or `ip -j route`) and `lldpctl -f json` of each device "
                               "into a folder with its name");
    return devices;
}

}  // namespace tailback::formats
