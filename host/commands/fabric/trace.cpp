// tailback trace: one route, link by link, as ibtracert prints it; and what went wrong when it breaks off.
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
addresses of hosts (10.1.1.2). Either may be a switch.

Exit code: 0 if the route is delivered, 1 if it is not, 2 bad input or usage.

Examples:
  tailback trace --network ibnetdiscover.out --tables opensm-lfts.dump 12 10
  tailback trace --network ibnetdiscover.out --tables opensm.fdbs "node0006 HCA-1" 0x0002c90300100031
  tailback trace --network fabric.dot H00 H07
  tailback trace --network torus:4x4x4 --routing dor H1 H64
  tailback trace --network frr:routers --source-port 49152..49407 node01 node17
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

/// The ways of packets that the kernel's hash picks.
int trace_packets(model::Fabric const& fabric, api::NetworkChoice const& choice, options::ParsedOptions const& options,
                  std::vector<std::string> const& ends) {
    if (!model::traits_of(fabric).by_hash)
        throw base::InputError({}, "--source-port has no effect",
                               fabric.candidates == nullptr
                                   ? "the switches of this network have no choice"
                                   : "the switches of this network choose by load, and by no hash of packets",
                               "give --network frr:DIR, or leave it out");
    topologies::RoutingSpec const spec(
        choice.routing && choice.routing->name() == "ecmp" ? choice.routing->text() : "ecmp:hash=linux",
        choice.routing_seed);
    topologies::FlowHash const hash(topologies::hash_options(spec.arguments(), spec.seed()), fabric.ip.get());
    model::Host hosts[2];
    for (std::size_t i = 0; i < 2; ++i) {
        model::Located const found = locate(fabric, ends[i]);
        hosts[i] = fabric.network.owner(found.lid).host;
        if (!hosts[i].exists())
            throw base::InputError({}, "\"" + ends[i] + "\" is not a host with an address", "packets go between hosts",
                                   "choose a host");
    }
    if (!choice.routing && !api::tells_all_seeds(fabric))
        tell_note(
            "routers whose files tell no seed (sysctl net.ipv4.fib_multipath_hash_seed) have drawn ones here; what "
            "they choose is a guess");
    auto const [first, last] = port_range(*options.text("source-port"));
    bool delivered = true;
    io::OutputFile file(*options.text("output"));
    for (std::uint32_t port = first; port <= last; ++port) {
        model::FiveTuple packet = hash.tuple({hosts[0], hosts[1]});
        packet.source_port = static_cast<std::uint16_t>(port);
        packet.destination_port = static_cast<std::uint16_t>(options.number("destination-port"));
        file.stream() << packet_text(fabric, hash, packet, hosts[0], hosts[1], delivered);
    }
    file.commit();
    return delivered ? success : faults_found;
}

}  // namespace

std::string trace_notes() { return trace_text; }

int run_trace(std::vector<std::string> const& arguments) {
    options::ParsedOptions const options(options::trace, arguments);
    std::vector<std::string> ends = options.words();
    bool const names_network = ends.size() == 3 && !options.given("network");
    api::NetworkChoice choice = network_choice(
        names_network ? ends.front() : options.required("network", "it says in which network to trace"), options);
    choice.by_static_entries = options.given("source-port");   // packets are hashed one by one
    if (choice.by_static_entries) choice.wants_draws = false;  // the hash draws, no routes do
    if (names_network) ends.erase(ends.begin());
    if (ends.size() != 2)
        throw base::InputError({}, "a source and a destination are needed",
                               std::to_string(ends.size()) + (ends.size() == 1 ? " word is given" : " words are given"),
                               "quote names with blanks; `tailback trace --help` shows examples");
    std::string const output = *options.text("output");
    check_files(choice.files(), {output});

    Threads const threads(0);
    model::Fabric const fabric = api::obtain({.network = choice, .wanted = api::Wanted::routes}, listener());
    if (options.given("source-port")) return trace_packets(fabric, choice, options, ends);
    model::Located const source = locate(fabric, ends[0]);
    model::Located const destination = locate(fabric, ends[1]);
    if (destination.lid == 0)
        throw base::InputError({}, "\"" + ends[1] + "\" has no " + model::words_of(fabric).destination,
                               fabric.network.describe(destination.node),
                               fabric.ip != nullptr ? "choose a host whose address the files tell"
                                                    : "choose a destination that has a LID");
    model::Route const route = model::trace_between(fabric, source, destination.lid);
    std::string text = model::ibtracert_text(fabric, source, destination.lid, route);
    if (route.fate != model::Fate::delivered) text += model::failure_text(fabric, destination.lid, route) + "\n";
    io::OutputFile file(output);
    file.stream() << text;
    file.commit();
    return route.fate == model::Fate::delivered ? success : faults_found;
}

}  // namespace tailback::commands
