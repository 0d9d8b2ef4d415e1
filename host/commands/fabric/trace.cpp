// tailback trace: routes, link by link, as ibtracert prints them; and what went wrong where one breaks off.
#include "host/base/error.hpp"
#include "host/commands/command.hpp"
#include "host/commands/options/network_options.hpp"
#include "host/commands/threads.hpp"
#include "host/io/output_file.hpp"
#include "host/model/fabric/fabric_traits.hpp"
#include "host/model/routes/fabric_words.hpp"
#include "host/model/routes/ip_plan.hpp"
#include "host/model/routes/route_text.hpp"
#include "host/options/parsed_options.hpp"
#include "topologies/routings/hashed_sets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace tailback::commands {
namespace {

/// Hosts of a folder of routers also by their addresses.
model::Located locate(model::Fabric const& fabric, std::string const& word) {
    if (fabric.ip != nullptr)
        for (std::size_t h = 0; h < fabric.ip->address.size(); ++h)
            if (model::HostRecord const& host = fabric.network[model::Host{h}];
                fabric.ip->address[h] != 0 && model::address_text(fabric.ip->address[h]) == word)
                return {host.node, model::Host{h}, host.lid};
    return model::locate(fabric.network, word);
}

constexpr char const* trace_text = R"(
SRC and DST are LIDs (14 or 0xe; any of a host's 2^LMC), GUIDs of a port or a node
(0x0002c90300100071), or names ("node0008 HCA-1"; in an ORCS dot graph H07); of routers also
addresses of hosts (10.1.1.2). Either may be a switch. Of several pairs (SRC DST SRC DST ..) routes
come in this order, with an empty line between them.

Exit code: 0 if every route is delivered, 1 if one is not, 2 bad input or usage.

Examples:
  tailback trace --network ibnetdiscover.out --tables opensm-lfts.dump 12 10
  tailback trace --network ibnetdiscover.out --tables opensm.fdbs "node0006 HCA-1" 0x0002c90300100031
  tailback trace --network fabric.dot H00 H07
  tailback trace --network torus:4x4x4 --routing dor H1 H64
  tailback trace --network frr:routers --source-port 49152..49407 node01 node17
  xargs -n 1000 tailback trace --network ibnetdiscover.out --tables opensm-lfts.dump < slow-pairs.txt
)";

/// `49152` or `49152..49407`
std::pair<std::uint32_t, std::uint32_t> port_range(std::string const& text) {
    std::size_t const dots = text.find("..");
    auto const port = [](std::string const& word) {
        return static_cast<std::uint32_t>(options::whole_number("--source-port", word, 1, 65535));
    };
    if (dots == std::string::npos) return {port(text), port(text)};
    std::pair<std::uint32_t, std::uint32_t> const range{port(text.substr(0, dots)), port(text.substr(dots + 2))};
    if (range.first > range.second)
        throw base::InputError({}, "--source-port " + text + " is not a range", "", "give the lower port first");
    return range;
}

/// A line a packet: its source port, and the ports by which it leaves host and switches.
std::string packet_text(model::Fabric const& fabric, topologies::FlowHash const& hash, model::FiveTuple const& packet,
                        model::Host source, model::Host destination, bool& delivered) {
    std::vector<model::Link> links;
    bool const there = topologies::follow_packet(fabric, hash, packet, source, destination, links);
    delivered = delivered && there;
    std::string text = std::to_string(packet.source_port);
    for (model::Link const link : links) {
        model::LinkRecord const& record = fabric.network[link];
        text += fmt::format(" {}:{}", fabric.network[record.from].name,
                            fabric.network.port_name(record.from, record.from_port));
    }
    if (there) return text + "\n";
    if (links.empty()) return text + " not delivered\n";
    model::Node const end = fabric.network[links.back()].to;
    bool const loops = model::meets_twice(fabric.network, links);
    return text + fmt::format(" not delivered: {} {}\n", loops ? "comes back to" : "ends at", fabric.network[end].name);
}

/// What packets of a pair are to be traced: those of a range of source ports.
struct Packets {
    topologies::FlowHash hash;
    std::pair<std::uint32_t, std::uint32_t> source_ports;
    std::uint16_t destination_port;
};

Packets packets_of(model::Fabric const& fabric, api::NetworkChoice const& choice,
                   options::ParsedOptions const& options) {
    if (!model::traits_of(fabric).by_hash)
        throw base::InputError({}, "--source-port has no effect",
                               fabric.candidates == nullptr
                                   ? "the switches of this network have no choice"
                                   : "the switches of this network choose by load, and by no hash of packets",
                               "give --network frr:DIR, or leave it out");
    topologies::RoutingSpec const spec(
        choice.routing && choice.routing->name() == "ecmp" ? choice.routing->text() : "ecmp:hash=linux",
        choice.routing_seed);
    if (!choice.routing && !api::tells_all_seeds(fabric))
        tell_note(
            "routers whose files tell no seed (sysctl net.ipv4.fib_multipath_hash_seed) have drawn ones here; what "
            "they choose is a guess");
    return {topologies::FlowHash(topologies::hash_options(spec.arguments(), spec.seed()), fabric.ip.get()),
            port_range(*options.text("source-port")), static_cast<std::uint16_t>(options.number("destination-port"))};
}

model::Host host_of_packets(model::Fabric const& fabric, std::string const& word) {
    model::Host const host = fabric.network.owner(locate(fabric, word).lid).host;
    if (!host.exists())
        throw base::InputError({}, "\"" + word + "\" is not a host with an address", "packets go between hosts",
                               "choose a host");
    return host;
}

/// The ways of packets of a pair that the kernel's hash picks. @return are all delivered?
bool write_packets(std::ostream& out, model::Fabric const& fabric, Packets const& packets, model::Host source,
                   model::Host destination) {
    bool delivered = true;
    for (std::uint32_t port = packets.source_ports.first; port <= packets.source_ports.second; ++port) {
        model::FiveTuple packet = packets.hash.tuple({source, destination});
        packet.source_port = static_cast<std::uint16_t>(port);
        packet.destination_port = packets.destination_port;
        out << packet_text(fabric, packets.hash, packet, source, destination, delivered);
    }
    return delivered;
}

model::Located destination_of(model::Fabric const& fabric, std::string const& word) {
    model::Located const destination = locate(fabric, word);
    if (destination.lid == 0)
        throw base::InputError({}, "\"" + word + "\" has no " + model::words_of(fabric).destination,
                               fabric.network.describe(destination.node),
                               fabric.ip != nullptr ? "choose a host whose address the files tell"
                                                    : "choose a destination that has a LID");
    return destination;
}

/// The route of a pair, as ibtracert prints it. @return is it delivered?
bool write_route(std::ostream& out, model::Fabric const& fabric, model::Located const& source, model::Lid to) {
    model::Route const route = model::trace_between(fabric, source, to);
    bool const delivered = route.fate == model::Fate::delivered;
    out << model::ibtracert_text(fabric, source, to, route);
    if (!delivered) out << model::failure_text(fabric, to, route) << "\n";
    return delivered;
}

/// Every word is understood before anything is written. @return are all delivered?
bool write_pairs(std::string const& output, model::Fabric const& fabric, std::optional<Packets> const& packets,
                 std::vector<std::string> const& ends) {
    std::vector<model::Located> found;
    std::vector<model::Host> hosts;
    for (std::size_t i = 0; i < ends.size(); ++i)
        if (packets) hosts.push_back(host_of_packets(fabric, ends[i]));
        else found.push_back(i % 2 == 0 ? locate(fabric, ends[i]) : destination_of(fabric, ends[i]));
    bool delivered = true;
    io::OutputFile file(output);
    for (std::size_t i = 0; i < ends.size(); i += 2) {
        if (i > 0) file.stream() << "\n";
        bool const is_there = packets ? write_packets(file.stream(), fabric, *packets, hosts[i], hosts[i + 1])
                                      : write_route(file.stream(), fabric, found[i], found[i + 1].lid);
        delivered = delivered && is_there;
    }
    file.commit();
    return delivered;
}

}  // namespace

std::string trace_notes() { return trace_text; }

int run_trace(std::vector<std::string> const& arguments) {
    options::ParsedOptions const options(options::trace, arguments);
    std::vector<std::string> ends = options.words();
    bool const names_network = ends.size() % 2 == 1 && ends.size() > 1 && !options.given("network");
    api::NetworkChoice choice = network_choice(
        names_network ? ends.front() : options.required("network", "it says in which network to trace"), options);
    choice.by_static_entries = options.given("source-port");   // packets are hashed one by one
    if (choice.by_static_entries) choice.wants_draws = false;  // the hash draws, no routes do
    if (names_network) ends.erase(ends.begin());
    if (ends.empty() || ends.size() % 2 != 0)
        throw base::InputError({}, "a source and a destination are needed",
                               std::to_string(ends.size()) + (ends.size() == 1 ? " word is given" : " words are given"),
                               "quote names with blanks; `tailback trace --help` shows examples");
    std::string const output = *options.text("output");
    check_files(choice.files(), {output});

    Threads const threads(0);
    model::Fabric const fabric = api::obtain({.network = choice, .wanted = api::Wanted::routes}, listener());
    std::optional<Packets> const packets =
        options.given("source-port") ? std::optional(packets_of(fabric, choice, options)) : std::nullopt;
    return write_pairs(output, fabric, packets, ends) ? success : faults_found;
}

}  // namespace tailback::commands
