// Cray Aries (Faanes et al., "Cray Cascade: A Scalable HPC System Based on a Dragonfly Network", SC 2012) from the
// cabling of a machine, as CODES keeps it (github.com/codes-org/codes): groups of routers in rows and columns, all of
// a row joined by green links, all of a column by black ones; blue links between groups as a file lists them.
#include "host/base/error.hpp"
#include "host/io/line_reader.hpp"
#include "topologies/families/families.hpp"
#include "topologies/families/parameters.hpp"
#include "topologies/forwarding_graph.hpp"
#include "topologies/layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

namespace tailback::topologies {
namespace {

constexpr std::uint64_t most_routers = std::uint64_t{1} << 20;
constexpr std::size_t largest_file = std::size_t{1} << 30;

/// Records of `each` little-endian integers of 32 bits.
std::vector<std::uint32_t> read_integers(std::string const& path, std::size_t each) {
    std::unique_ptr<io::ByteSource> const file = io::open_source(path);
    std::string bytes;
    for (std::size_t have = 0; have <= largest_file;) {
        bytes.resize(have + (std::size_t{1} << 16));
        std::size_t const got = file->read(bytes.data() + have, bytes.size() - have);
        bytes.resize(have += got);
        if (got == 0) break;
    }
    if (bytes.size() > largest_file)
        throw base::InputError({path, 0}, "the file is larger than 1 GiB", "no machine has so many links",
                               "check that this is the right file of the machine");
    if (bytes.empty() || bytes.size() % (4 * each) != 0)
        throw base::InputError({path, 0}, fmt::format("the file has {} bytes", bytes.size()),
                               fmt::format("it is records of {} integers of 4 bytes", each),
                               "check that this is the right file of the machine");
    std::vector<std::uint32_t> numbers(bytes.size() / 4);
    for (std::size_t i = 0; i < numbers.size(); ++i)
        for (std::size_t k = 0; k < 4; ++k)
            numbers[i] |= std::uint32_t{static_cast<unsigned char>(bytes[4 * i + k])} << 8 * k;
    return numbers;
}

[[noreturn]] void refuse_record(std::string const& path, std::size_t record, std::string const& problem,
                                std::string const& why) {
    throw base::InputError({path, 0}, fmt::format("record {}: {}", record, problem), why,
                           "check that this is the right file of the machine");
}

struct Cable {
    std::uint32_t a, b;
};

/// The k-th link from a to b and the k-th from b to a are a cable.
class Cables {
public:
    Cables(std::string path, std::uint64_t routers) : path_(std::move(path)), routers_(routers) {}

    void add(std::uint32_t a, std::uint32_t b, std::size_t record) {
        if (a >= routers_ || b >= routers_)
            refuse_record(path_, record, fmt::format("there is no router {}", std::max(a, b)),
                          fmt::format("at most {} are understood, counted from 0", routers_));
        if (a == b) refuse_record(path_, record, fmt::format("router {} is joined to itself", a), "");
        auto& open = balance_[std::minmax(a, b)];
        // Positive: so many links upwards wait for the one that goes back.
        std::int64_t const step = a < b ? 1 : -1;
        if (open * step < 0) found_.push_back({std::min(a, b), std::max(a, b)});
        open += step;
    }
    /// In the order in which they are complete. @throws InputError where a link has none that goes back.
    std::vector<Cable> take() {
        for (auto const& [ends, open] : balance_)
            if (open != 0)
                throw base::InputError(
                    {path_, 0},
                    fmt::format("a link between routers {} and {} has none that goes back", ends.first, ends.second),
                    "every link is listed from both ends", "check that the file is complete");
        return std::move(found_);
    }

private:
    std::string path_;
    std::uint64_t routers_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::int64_t> balance_;
    std::vector<Cable> found_;
};

struct Machine {
    std::uint32_t group_size = 0, groups = 0;
    std::vector<Cable> green, black;  ///< of a group, which every group repeats
    std::vector<Cable> blue;          ///< between routers of different groups
};

Machine read_machine(Arguments const& a) {
    Machine machine;
    std::string const &intra = a.word("intra"), &inter = a.word("inter");
    std::vector<std::uint32_t> const within = read_integers(intra, 3), between = read_integers(inter, 2);
    Cables green(intra, most_routers), black(intra, most_routers), blue(inter, most_routers);
    for (std::size_t i = 0; i < within.size(); i += 3) {
        if (within[i + 2] > 1)
            refuse_record(intra, i / 3, fmt::format("type {}", within[i + 2]), "0 is green, 1 is black");
        (within[i + 2] == 0 ? green : black).add(within[i], within[i + 1], i / 3);
        machine.group_size = std::max({machine.group_size, within[i] + 1, within[i + 1] + 1});
    }
    std::uint32_t routers = 0;
    for (std::size_t i = 0; i < between.size(); i += 2) {
        blue.add(between[i], between[i + 1], i / 2);
        if (between[i] / machine.group_size == between[i + 1] / machine.group_size)
            refuse_record(inter, i / 2, fmt::format("routers {} and {} are of one group", between[i], between[i + 1]),
                          fmt::format("a group has {} routers", machine.group_size));
        routers = std::max({routers, between[i] + 1, between[i + 1] + 1});
    }
    machine.groups = (routers + machine.group_size - 1) / machine.group_size;
    machine.green = green.take();
    machine.black = black.take();
    machine.blue = blue.take();
    return machine;
}

/// Ports of routers towards each other, as cables were laid.
struct AriesShape {
    struct Way {
        std::uint32_t to;
        model::Port port;
    };
    std::uint32_t group_size, groups;
    std::vector<std::vector<Way>> green, black;                    ///< by router of a group (the same in each)
    std::vector<std::vector<std::pair<std::uint32_t, Way>>> blue;  ///< [group * groups + group]: router, its way out

    /// One of the cables to a router that is joined directly, by the destination's number; port 0 = it is not.
    static model::Port direct(std::vector<Way> const& ways, std::uint32_t to, std::uint32_t number) {
        auto const first =
            std::lower_bound(ways.begin(), ways.end(), to, [](Way const& w, std::uint32_t t) { return w.to < t; });
        auto last = first;
        while (last != ways.end() && last->to == to) ++last;
        return first == last ? 0 : (first + number % (last - first))->port;
    }
    /// Within a group: directly, else by a green link to where a black one leads there, else black before green.
    model::Port local(std::uint32_t v, std::uint32_t t, std::uint32_t number) const {
        if (model::Port const port = direct(green[v], t, number)) return port;
        if (model::Port const port = direct(black[v], t, number)) return port;
        for (auto const& [first, second] : {std::pair{&green, &black}, std::pair{&black, &green}})
            for (Way const& way : (*first)[v])
                if (direct((*second)[way.to], t, number) != 0) return direct((*first)[v], way.to, number);
        return model::ForwardingTables::no_entry;
    }
    /// To another group by one blue link, which of them by the destination's number.
    model::Port next_port(std::uint32_t v, std::uint32_t t, std::uint32_t number) const {
        std::uint32_t const g = v / group_size, to = t / group_size;
        if (g == to) return local(v % group_size, t % group_size, number);
        auto const& ways = blue[g * groups + to];
        if (ways.empty()) return model::ForwardingTables::no_entry;
        auto const& [router, way] = ways[number % ways.size()];
        return router == v ? way.port : local(v % group_size, router % group_size, number);
    }
};

std::shared_ptr<AriesShape const> lay_cables(Layout& layout, Machine const& machine, std::uint32_t hosts) {
    auto const shape = std::make_shared<AriesShape>();
    std::uint32_t const size = machine.group_size, groups = machine.groups;
    *shape = {size, groups, std::vector<std::vector<AriesShape::Way>>(size),
              std::vector<std::vector<AriesShape::Way>>(size),
              std::vector<std::vector<std::pair<std::uint32_t, AriesShape::Way>>>(std::size_t{groups} * groups)};
    std::vector<model::Port> next(std::size_t{size} * groups, hosts + 1);
    for (auto const& [cables, ways] :
         {std::pair{&machine.green, &shape->green}, std::pair{&machine.black, &shape->black}})
        for (Cable const& cable : *cables) {
            (*ways)[cable.a].push_back({cable.b, next[cable.a]});
            (*ways)[cable.b].push_back({cable.a, next[cable.b]});
            for (std::uint32_t g = 0; g < groups; ++g) {
                std::uint32_t const a = g * size + cable.a, b = g * size + cable.b;
                layout.cable(layout.switch_at(a), next[a]++, layout.switch_at(b), next[b]++);
            }
        }
    for (auto* const ways : {&shape->green, &shape->black})
        for (auto& of_router : *ways)
            std::stable_sort(of_router.begin(), of_router.end(),
                             [](auto const& a, auto const& b) { return a.to < b.to; });
    for (Cable const& cable : machine.blue) {
        shape->blue[cable.a / size * groups + cable.b / size].push_back({cable.a, {cable.b, next[cable.a]}});
        shape->blue[cable.b / size * groups + cable.a / size].push_back({cable.b, {cable.a, next[cable.b]}});
        layout.cable(layout.switch_at(cable.a), next[cable.a]++, layout.switch_at(cable.b), next[cable.b]++);
    }
    return shape;
}

Topology make_aries(Arguments const& a) {
    Machine const machine = read_machine(a);
    std::uint32_t const hosts = a.number("hosts");
    std::uint64_t const routers = capped_product(machine.group_size, machine.groups),
                        all = capped_product(routers, hosts),
                        local = capped_product(machine.green.size() + machine.black.size(), machine.groups);
    if (std::uint64_t{machine.groups} * machine.groups > most_routers)
        a.refuse(fmt::format("{} groups", machine.groups), "1,024 are the most", "check the files of the machine");
    Layout layout(a, {all, routers, capped_sum(all, capped_sum(local, machine.blue.size()))});
    layout.attach_hosts(hosts);
    std::shared_ptr<AriesShape const> const shape = lay_cables(layout, machine, hosts);
    Topology topology;
    for (std::uint32_t r = 0; r < routers; ++r) {
        topology.groups.push_back(r / machine.group_size);
        layout.name(layout.switch_at(r), fmt::format("S{}_{}", r / machine.group_size, r % machine.group_size));
    }
    topology.network = layout.finish();
    topology.usual_routing = "minimal";
    topology.routings.push_back(
        {"minimal", {}, [shape](model::Network const& network, Arguments const& options, std::uint64_t) {
             if (options.word("lanes") != "one")
                 throw base::InputError({}, "there are no lanes for this network",
                                        "a route has up to two local links in "
                                        "each group",
                                        "choose dfsssp");
             return tables_by_destination(network, HostsDo::send,
                                          [&](std::uint32_t v, std::uint32_t t, std::uint32_t number) {
                                              return shape->next_port(v, t, number);
                                          });
         }});
    return topology;
}

}  // namespace

Family aries_family() {
    return {"aries",
            "a Cray Aries machine, as its cables are: groups of routers in rows (green) and columns (black), links "
            "between groups from a file",
            "routers as numbered; hosts each",
            {{.name = "inter",
              .kind = ParameterKind::file,
              .summary = "links between groups: pairs of routers, integers of 4 bytes (little-endian), each from both "
                         "ends"},
             {.name = "intra",
              .kind = ParameterKind::file,
              .summary = "links of a group, the same in all: router, router, 0 (green) or 1 (black)"},
             number_parameter("hosts", "hosts on every router", 1, 65000, "4")},
            "aries:inter=inter-theta,intra=intra-theta",
            make_aries};
}

}  // namespace tailback::topologies
