// Sound fabrics, damaged at random in one place: the damage is found, named at the right place with its LID and as many
// pairs as a walk of every pair (host/trace) says, and nothing else is reported.
#include "host/audit/audit.hpp"

#include "host/audit/consistency.hpp"
#include "host/formats/formats.hpp"
#include "host/trace.hpp"
#include "tests/support/dice.hpp"
#include "tests/support/nasty_networks.hpp"
#include "tests/support/reading.hpp"
#include "tests/support/shared_data.hpp"
#include "topologies/xgft.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <set>

namespace tailback {
namespace {

using Places = std::map<std::pair<FindingKind, std::string>, std::uint64_t>;

/// What must be found, by walking: (kind, place) -> pairs.
Places walked(Fabric const& fabric) {
    Network const& net = fabric.network;
    Places places;
    for (std::size_t s = 0; s < net.hosts().size(); ++s)
        for (std::size_t d = 0; d < net.hosts().size(); ++d) {
            HostRecord const& to = net[Host{d}];
            if (s == d || to.lid == 0) continue;
            for (Lid lid = to.lid; lid < to.lid + (Lid{1} << to.lmc); ++lid) {
                if (net.owner(lid).host != Host{d}) continue;
                Route const route = trace_from_host(fabric, Host{s}, lid);
                switch (route.cause) {
                    case Cause::none: break;
                    case Cause::source_without_cable:
                        ++places[{FindingKind::unreachable, port_place(net, route.end, net[Host{s}].port)}];
                        break;
                    case Cause::no_table:
                    case Cause::no_entry:
                    case Cause::own_port_zero: ++places[{FindingKind::unreachable, net.describe(route.end)}]; break;
                    case Cause::port_beyond_switch:
                    case Cause::port_without_cable:
                        ++places[{FindingKind::unreachable, port_place(net, route.end, route.entry)}];
                        break;
                    case Cause::wrong_host: {
                        LinkRecord const& last = net[route.links.back()];
                        ++places[{FindingKind::misdelivered, port_place(net, last.from, last.from_port)}];
                        break;
                    }
                    case Cause::met_twice: {  // the circle: from the first meeting of its end on
                        Link smallest;
                        bool in_circle = false;
                        for (Link const link : route.links) {
                            in_circle |= net[link].from == route.end;
                            if (in_circle && (!smallest.exists() || net[link].from < net[smallest].from))
                                smallest = link;
                        }
                        ++places[{FindingKind::loop, port_place(net, net[smallest].from, net[smallest].from_port)}];
                    }
                }
            }
        }
    return places;
}

bool is_fate(FindingKind kind) {
    return kind == FindingKind::unreachable || kind == FindingKind::loop || kind == FindingKind::misdelivered;
}

std::vector<Finding> audit(Fabric const& fabric, Disagreements const& disagreements = Disagreements()) {
    Audit audit(fabric);
    choose_endpoints(fabric.network, "", true, audit.request);
    audit.request.execution = {.device = DeviceChoice::cpu, .threads = 1};
    audit_routes(audit, disagreements);
    audit.sort_findings();
    std::uint64_t failing = 0;
    for (Finding const& finding : audit.findings) failing += is_fate(finding.kind) ? finding.pairs : 0;
    EXPECT_EQ(failing, audit.swept.pairs.total - audit.swept.pairs.delivered);
    return audit.findings;
}

Places fates_of(std::vector<Finding> const& findings) {
    Places places;
    for (Finding const& finding : findings)
        if (is_fate(finding.kind)) places[{finding.kind, finding.where}] += finding.pairs;
    return places;
}

std::vector<Finding> of_kind(std::vector<Finding> const& findings, FindingKind kind) {
    std::vector<Finding> some;
    std::copy_if(findings.begin(), findings.end(), std::back_inserter(some),
                 [&](Finding const& f) { return f.kind == kind; });
    return some;
}

/// Whether a text names the LID, alone or inside a range.
bool names_lid(std::string const& text, Lid lid) {
    for (std::size_t at = 0; at < text.size();) {
        if (!std::isdigit(static_cast<unsigned char>(text[at]))) {
            ++at;
            continue;
        }
        auto const number = [&] {
            Lid value = 0;
            for (; at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])); ++at)
                value = value * 10 + Lid(text[at] - '0');
            return value;
        };
        Lid const low = number();
        Lid high = low;
        if (at + 1 < text.size() && text[at] == '-' && std::isdigit(static_cast<unsigned char>(text[at + 1]))) {
            ++at;
            high = number();
        }
        if (low <= lid && lid <= high) return true;
    }
    return false;
}

Node random_switch(Network const& net, Dice& dice) {
    for (;;)
        if (Node const node{dice(static_cast<std::uint32_t>(net.nodes().size()))};
            net[node].kind == NodeKind::switch_node)
            return node;
}

/// Findings of `inconsistent` at a place that no damage explains are an error.
void expect_inconsistent(std::vector<Finding> const& findings, std::string const& where, Lid lid,
                         std::string const& what) {
    std::vector<Finding> const found = of_kind(findings, FindingKind::inconsistent);
    if (where.empty()) {
        EXPECT_TRUE(found.empty()) << what << ": " << found.front().where << ": " << found.front().message;
        return;
    }
    ASSERT_EQ(found.size(), 1u) << what;
    EXPECT_EQ(found.front().where, where) << what;
    EXPECT_TRUE(lid == 0 || names_lid(found.front().message, lid)) << what << ": " << found.front().message;
}

/// One entry of a sound table set to anything: no entry, the own port, any port up to some beyond the switch, of any
/// switch.
void damage_entries(Fabric const& sound, Dice& dice, int trials, std::map<FindingKind, int>& met) {
    Network const& net = sound.network;
    Fabric fabric = sound;
    for (int trial = 0; trial < trials; ++trial) {
        Node const node = random_switch(net, dice);
        Host const host{dice(static_cast<std::uint32_t>(net.hosts().size()))};
        Lid const lid = net[host].lid + dice(1u << net[host].lmc);
        Port const before = sound.tables.port(node, lid);
        Port port = dice(net[node].ports + 4);
        if (port == net[node].ports + 3) port = ForwardingTables::no_entry;
        fabric.tables.set(node, lid, port);
        std::string const what = net.describe(node) + " LID " + std::to_string(lid) + ": port " +
                                 std::to_string(before) + " became " + std::to_string(port);

        std::vector<Finding> const findings = audit(fabric);
        Places const places = fates_of(findings);
        EXPECT_EQ(places, walked(fabric)) << what;
        for (auto const& [place, pairs] : places) ++met[place.first];
        for (Finding const& finding : findings)
            if (is_fate(finding.kind)) {
                EXPECT_TRUE(names_lid(finding.message, lid)) << what << ": " << finding.message;
                EXPECT_TRUE(finding.where.starts_with(net.describe(node)) ||
                            finding.message.find(net.describe(node) + " port") != std::string::npos)
                    << what << ": " << finding.where;
            }
        bool const unplugged = port != ForwardingTables::no_entry && port != 0 && !net.link_at(node, port).exists();
        expect_inconsistent(findings, unplugged ? port_place(net, node, port) : "", lid, what);
        fabric.tables.set(node, lid, before);
    }
    EXPECT_TRUE(fates_of(audit(fabric)).empty());
}

TEST(AuditDamage, EntriesOfTrees) {
    Dice dice;
    std::map<FindingKind, int> met;
    damage_entries(make_xgft({{3, 4}, {1, 3}}), dice, 1500, met);
    damage_entries(make_xgft({{2, 3, 2}, {1, 2, 3}}), dice, 1500, met);
    for (FindingKind const kind : {FindingKind::unreachable, FindingKind::loop, FindingKind::misdelivered})
        EXPECT_GT(met[kind], 100);
}

TEST(AuditDamage, EntriesOfFabricsThatASubnetManagerRouted) {
    Dice dice;
    std::map<FindingKind, int> met;
    std::string const folder = (fixtures() / "opensm/ft2-16").string();
    for (auto const& [topology, run] : {std::pair{"minhop", "minhop"}, {"dfsssp-lmc2", "minhop-lmc2"}}) {
        Disagreements disagreements;
        Fabric const sound = read_fabric(folder + "/" + topology + "/ibnetdiscover.out.xz",
                                         folder + "/" + run + "/opensm-lfts.dump.xz", disagreements);
        ASSERT_FALSE(disagreements.any());
        damage_entries(sound, dice, 400, met);
    }
}

/// Many entries at once: only walking tells what comes of it.
TEST(AuditDamage, ManyEntriesAtOnce) {
    Dice dice;
    for (int trial = 0; trial < 600; ++trial) {
        Fabric fabric = make_xgft({{2, 3, 2}, {1, 2, 3}});
        Network const& net = fabric.network;
        for (int damage = 0; damage < 1 + trial / 8; ++damage) {
            Node const node = random_switch(net, dice);
            Port const port = dice(net[node].ports + 3);
            fabric.tables.set(node, net[Host{dice(static_cast<std::uint32_t>(net.hosts().size()))}].lid,
                              port == net[node].ports + 2 ? ForwardingTables::no_entry : port);
        }
        ASSERT_EQ(fates_of(audit(fabric)), walked(fabric)) << trial;
    }
}

/// Several ports a host, hosts that forward, one-way links, islands, wide tables, ...: still what a walk says.
TEST(AuditDamage, NastyNetworks) {
    for (NastyNetwork const& nasty : nasty_networks())
        EXPECT_EQ(fates_of(audit(nasty.fabric)), walked(nasty.fabric)) << nasty.name;
}

TEST(AuditDamage, MissingTables) {
    Dice dice;
    for (int trial = 0; trial < 100; ++trial) {
        Fabric fabric = make_xgft({{3, 4}, {1, 3}});
        Network const& net = fabric.network;
        Node const lost = random_switch(net, dice);
        ForwardingTables tables(net);
        for (std::size_t n = 0; n < net.nodes().size(); ++n) {
            if (!fabric.tables.has_table(Node{n}) || Node{n} == lost) continue;
            tables.add_table(Node{n});
            for (Lid lid = 1; lid < fabric.tables.lids(); ++lid)
                if (fabric.tables.port(Node{n}, lid) != ForwardingTables::no_entry)
                    tables.set(Node{n}, lid, fabric.tables.port(Node{n}, lid));
        }
        fabric.tables = std::move(tables);
        std::vector<Finding> const findings = audit(fabric);
        EXPECT_EQ(fates_of(findings), walked(fabric));
        EXPECT_EQ(fates_of(findings).size(), 1u);
        expect_inconsistent(findings, net.describe(lost), 0, "lost table");
    }
}

TEST(AuditDamage, StaleEntries) {
    Dice dice;
    for (int trial = 0; trial < 300; ++trial) {
        Fabric fabric = make_xgft({{3, 4}, {1, 3}});
        Network const& net = fabric.network;
        Lid const lid = net.max_lid() + 1 + dice(40);
        Node const node = random_switch(net, dice);
        Port const port = 1 + dice(net[node].ports);
        fabric.tables.set(node, lid, port);
        std::vector<Finding> const findings = audit(fabric);
        EXPECT_TRUE(fates_of(findings).empty());
        expect_inconsistent(findings, port_place(net, node, port), lid, "stale entry");
    }
}

std::string text_of(std::string const& path) {
    LineReader lines(open_source(path), path);
    return lines.rest(1 << 20);
}

/// Cable lines ("[n]...") of a topology file: where each begins and how long it is.
std::vector<std::pair<std::size_t, std::size_t>> cable_lines(std::string const& text) {
    std::vector<std::pair<std::size_t, std::size_t>> found;
    for (std::size_t at = text.find("\n["); at != std::string::npos; at = text.find("\n[", at + 1))
        found.emplace_back(at + 1, text.find('\n', at + 1) - at);
    return found;
}

/// A line of a topology file lost, of either end of any cable: one finding, at an end of that cable; routes stay whole.
TEST(AuditDamage, CablesListedFromOneEnd) {
    std::string const folder = (fixtures() / "opensm/ft2-16").string();
    std::string const topology = text_of(folder + "/minhop/ibnetdiscover.out.xz"),
                      tables = text_of(folder + "/minhop/opensm-lfts.dump.xz");
    auto const lines = cable_lines(topology);
    ASSERT_EQ(lines.size(), 64u);
    for (auto const& [at, length] : lines) {
        Disagreements disagreements(false, kept_disagreements);
        std::string damaged = topology;
        damaged.erase(at, length);
        Fabric fabric;
        fabric.network = read_topology(damaged, disagreements);
        LineReader reader = lines_of_text(tables);
        fabric.tables = read_lft_dump(reader, fabric.network, disagreements);
        fabric.routed = true;
        std::vector<Finding> const findings = audit(fabric, disagreements);
        EXPECT_TRUE(fates_of(findings).empty());
        std::vector<Finding> const found = of_kind(findings, FindingKind::inconsistent);
        ASSERT_GE(found.size(), 1u);
        EXPECT_NE(found.front().message.find("is not listed there"), std::string::npos) << found.front().message;
        std::string const port = topology.substr(at + 1, topology.find(']', at) - at - 1);
        EXPECT_TRUE(found.front().where.ends_with(" port " + port)) << found.front().where;
        for (std::size_t i = 1; i < found.size(); ++i)  // a host's own line is where its LID stands
            EXPECT_NE(found[i].message.find("LID"), std::string::npos) << found[i].where << ": " << found[i].message;
    }
}

/// A cable pulled since the tables were made: every entry that still sends there is named.
TEST(AuditDamage, CablesPulled) {
    std::string const folder = (fixtures() / "opensm/ft2-16").string();
    std::string const topology = text_of(folder + "/minhop/ibnetdiscover.out.xz"),
                      tables = text_of(folder + "/minhop/opensm-lfts.dump.xz");
    Disagreements ignored;
    Network const whole = read_topology(topology, ignored);
    for (std::size_t l = 0; l < whole.links().size(); ++l) {
        LinkRecord const& pulled = whole[Link{l}];
        if (whole[pulled.from].kind != NodeKind::switch_node || whole[pulled.to].kind != NodeKind::switch_node ||
            pulled.reverse < Link{l})
            continue;
        NetworkBuilder builder;
        for (NodeRecord const& node : whole.nodes()) builder.add_node(node);
        for (HostRecord const& host : whole.hosts()) builder.add_host(host);
        for (std::size_t k = 0; k < whole.links().size(); ++k)
            if (Link{k} != Link{l} && Link{k} != pulled.reverse) builder.add_link(whole[Link{k}]);
        Disagreements disagreements(false, kept_disagreements);
        Fabric fabric;
        fabric.network = builder.finish(disagreements, "net");
        LineReader reader = lines_of_text(tables);
        fabric.tables = read_lft_dump(reader, fabric.network, disagreements);
        fabric.routed = true;
        std::vector<Finding> const findings = audit(fabric, disagreements);
        EXPECT_EQ(fates_of(findings), walked(fabric));
        std::set<std::string> const ends = {port_place(whole, pulled.from, pulled.from_port),
                                            port_place(whole, pulled.to, pulled.to_port)};
        std::set<std::string> unreachable, inconsistent;
        for (Finding const& finding : of_kind(findings, FindingKind::unreachable)) unreachable.insert(finding.where);
        for (Finding const& finding : of_kind(findings, FindingKind::inconsistent)) inconsistent.insert(finding.where);
        EXPECT_EQ(unreachable, ends);
        EXPECT_EQ(inconsistent, ends);
    }
}

/// The text of the sound 16-host tree, to be damaged.
struct Dumps {
    std::string topology = text_of((fixtures() / "opensm/ft2-16/minhop/ibnetdiscover.out.xz").string());
    std::string tables = text_of((fixtures() / "opensm/ft2-16/minhop/opensm-lfts.dump.xz").string());

    struct Audited {
        std::unique_ptr<Fabric> fabric = std::make_unique<Fabric>();
        std::vector<Finding> findings;
        std::map<std::string, std::string> inconsistent;  ///< message by place
    };
    Audited audited() const {
        Audited result;
        Disagreements disagreements(false, kept_disagreements);
        result.fabric->network = read_topology(topology, disagreements);
        LineReader reader = lines_of_text(tables);
        result.fabric->tables = read_lft_dump(reader, result.fabric->network, disagreements);
        result.fabric->routed = true;
        result.findings = audit(*result.fabric, disagreements);
        EXPECT_EQ(fates_of(result.findings), walked(*result.fabric));
        for (Finding const& f : of_kind(result.findings, FindingKind::inconsistent))
            result.inconsistent[f.where] += f.message;
        return result;
    }
};

void expect_places(Dumps::Audited const& audited, std::map<std::string, std::string> const& wanted) {
    for (auto const& [where, message] : wanted) {
        auto const at = audited.inconsistent.find(where);
        ASSERT_TRUE(at != audited.inconsistent.end())
            << where << " is not among " << testing::PrintToString(audited.inconsistent);
        EXPECT_NE(at->second.find(message), std::string::npos) << at->second;
    }
    EXPECT_EQ(audited.inconsistent.size(), wanted.size()) << testing::PrintToString(audited.inconsistent);
}

void replace_once(std::string& text, std::string const& from, std::string const& to) {
    std::size_t const at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
}

/// Every pair of hosts: one takes the other's LID, or its port GUID. What the taken LID's own one was is then stale.
TEST(AuditDamage, LidsAndGuidsOfTwoHosts) {
    Dumps const sound;
    auto const whole = sound.audited();
    EXPECT_TRUE(whole.inconsistent.empty());
    Network const& net = whole.fabric->network;
    for (std::size_t a = 0; a < net.hosts().size(); ++a)
        for (std::size_t b = a + 1; b < net.hosts().size(); ++b) {
            HostRecord const &first = net[Host{a}], &second = net[Host{b}];
            std::string const place_a = port_place(net, first.node, first.port),
                              place_b = port_place(net, second.node, second.port);
            Dumps lids = sound, guids = sound;
            replace_once(lids.topology, "# lid " + std::to_string(second.lid) + " lmc 0 ",
                         "# lid " + std::to_string(first.lid) + " lmc 0 ");
            expect_places(
                lids.audited(),
                {{place_b, "LID " + std::to_string(first.lid) + " is owned by " + place_a + " too"},
                 {"LID " + std::to_string(second.lid), "nobody owns it, and 6 switches have an entry for it"}});
            auto const hex = [](std::uint64_t guid) {
                char text[32];
                std::snprintf(text, sizeof text, "(%llx)", static_cast<unsigned long long>(guid));
                return std::string(text);
            };
            for (int end = 0; end < 2; ++end) replace_once(guids.topology, hex(second.port_guid), hex(first.port_guid));
            expect_places(guids.audited(), {{place_b, "is that of " + place_a + " too"}});
        }
}

/// Every host's range made wider, so that it runs into its neighbour's LID.
TEST(AuditDamage, RangesThatOverlap) {
    Dumps const sound;
    auto const whole = sound.audited();
    Network const& net = whole.fabric->network;
    for (HostRecord const& host : net.hosts()) {
        Dumps damaged = sound;
        std::string const lid = "# lid " + std::to_string(host.lid) + " lmc ";
        replace_once(damaged.topology, lid + "0 ", lid + "1 ");
        LidOwner const next = net.owner(host.lid + 1);
        if (!next.node.exists()) continue;
        std::string const own = port_place(net, host.node, host.port);
        std::string const other =
            next.host.exists() ? port_place(net, next.node, net[next.host].port) : net.describe(next.node);
        expect_places(damaged.audited(), {{other, "overlaps " + std::to_string(host.lid) + "-" +
                                                      std::to_string(host.lid + 1) + " of " + own}});
    }
}

/// Each switch's table cut out, or under another GUID.
TEST(AuditDamage, TablesWithoutSwitchesAndSwitchesWithoutTables) {
    Dumps const sound;
    auto const whole = sound.audited();
    Network const& net = whole.fabric->network;
    for (std::size_t n = 0; n < net.nodes().size(); ++n) {
        if (net[Node{n}].kind != NodeKind::switch_node) continue;
        std::string const described = net.describe(Node{n});
        std::string const guid = described.substr(described.rfind("0x"), 18);
        Dumps lost = sound, renamed = sound;
        std::size_t const begin = sound.tables.rfind("Unicast lids", sound.tables.find(" guid " + guid));
        ASSERT_NE(begin, std::string::npos);
        lost.tables.erase(begin, sound.tables.find("lids dumped\n", begin) + 12 - begin);
        expect_places(lost.audited(), {{described, "it has no forwarding table"}});
        replace_once(renamed.tables, " guid " + guid, " guid 0x00000000deadbee" + std::to_string(n % 10));
        expect_places(renamed.audited(),
                      {{described, "it has no forwarding table"},
                       {"switch \"" + net[Node{n}].name + "\" (0x00000000deadbee" + std::to_string(n % 10) + ")",
                        "does not have"}});
    }
}

/// A ring of five switches; one destination goes the long way from its neighbour's neighbour on.
TEST(AuditDamage, LongWaysAreNonminimalAtTheSwitchThatTurnsThemAway) {
    NetworkBuilder builder(true);
    constexpr std::uint32_t size = 5;
    for (std::uint32_t i = 0; i < size; ++i)
        builder.add_node({.kind = NodeKind::switch_node, .name = "S" + std::to_string(i), .ports = 3});
    for (std::uint32_t i = 0; i < size; ++i) {
        Node const host = builder.add_node({.kind = NodeKind::adapter, .name = "H" + std::to_string(i), .ports = 1});
        builder.add_host({.node = host, .port = 1, .lid = i + 1});
        builder.add_link({Node{i}, 1, host, 1});
        builder.add_link({host, 1, Node{i}, 1});
        builder.add_link({Node{i}, 2, Node{(i + 1) % size}, 3});
        builder.add_link({Node{(i + 1) % size}, 3, Node{i}, 2});
    }
    Disagreements disagreements;
    Fabric sound;
    sound.network = builder.finish(disagreements, "ring");
    sound.tables = ForwardingTables(sound.network);
    sound.routed = true;
    for (std::uint32_t i = 0; i < size; ++i) {
        sound.tables.add_table(Node{i});
        for (std::uint32_t d = 0; d < size; ++d) {
            std::uint32_t const right = (d + size - i) % size;
            sound.tables.set(Node{i}, d + 1, right == 0 ? 1 : right <= size / 2 ? 2 : 3);
        }
    }
    EXPECT_TRUE(audit(sound).empty());
    for (std::uint32_t d = 0; d < size; ++d) {
        Fabric fabric = sound;
        for (std::uint32_t i = 0; i < size; ++i)
            if (i != d) fabric.tables.set(Node{i}, d + 1, 2);  // all to the right
        std::vector<Finding> const findings = audit(fabric);
        std::map<std::string, std::uint64_t> places;
        for (Finding const& finding : of_kind(findings, FindingKind::nonminimal)) {
            places[finding.where] = finding.pairs;
            EXPECT_TRUE(names_lid(finding.message, d + 1)) << finding.message;
        }
        // One place right of d has 4 links where 1 would do, the next 3 where 2 would: both bring packets no nearer.
        std::map<std::string, std::uint64_t> const want = {{port_place(sound.network, Node{(d + 1) % size}, 2), 1},
                                                           {port_place(sound.network, Node{(d + 2) % size}, 2), 2}};
        EXPECT_EQ(places, want);
        EXPECT_TRUE(fates_of(findings).empty());
        EXPECT_TRUE(of_kind(findings, FindingKind::inconsistent).empty());
    }
}

/// Down to a leaf that does not have the host, up again by another spine, and down: named at that leaf.
TEST(AuditDamage, DownAndUpAgainIsNamedAtTheTurn) {
    Fabric const sound = make_xgft({{3, 4}, {1, 3}});
    Network const& net = sound.network;
    EXPECT_TRUE(of_kind(audit(sound), FindingKind::updown).empty());
    for (std::uint32_t d = 0; d < 12; ++d)
        for (std::uint32_t leaf = 0; leaf < 4; ++leaf) {
            if (leaf == d / 3) continue;
            Fabric fabric = sound;
            Node const turn{12 + leaf}, spine{16 + d % 3};
            fabric.tables.set(spine, d + 1, leaf + 1);        // down to the wrong leaf
            fabric.tables.set(turn, d + 1, 4 + (d + 1) % 3);  // which sends it to the next spine
            std::vector<Finding> const findings = audit(fabric);
            EXPECT_TRUE(fates_of(findings).empty());
            std::vector<Finding> const found = of_kind(findings, FindingKind::updown);
            ASSERT_EQ(found.size(), 1u);
            EXPECT_EQ(found.front().where, port_place(net, turn, 4 + (d + 1) % 3));
            EXPECT_TRUE(names_lid(found.front().message, d + 1)) << found.front().message;
            EXPECT_EQ(found.front().pairs, 6u);  // the hosts of the two leaves that still use the damaged spine
        }
}

TEST(AuditDamage, SourcesWithoutCable) {
    for (std::uint32_t lost = 0; lost < 12; ++lost) {
        Fabric const whole = make_xgft({{3, 4}, {1, 3}});
        Network const& net = whole.network;
        NetworkBuilder builder(true);
        for (NodeRecord const& node : net.nodes()) builder.add_node(node);
        for (HostRecord const& host : net.hosts()) builder.add_host(host);
        for (LinkRecord const& link : net.links())
            if (link.from != net[Host{lost}].node && link.to != net[Host{lost}].node) builder.add_link(link);
        Disagreements disagreements(false, kept_disagreements);
        Fabric fabric;
        fabric.network = builder.finish(disagreements, "net");
        fabric.tables = whole.tables;
        fabric.routed = true;
        std::vector<Finding> const findings = audit(fabric, disagreements);
        EXPECT_EQ(fates_of(findings), walked(fabric));
        std::string const port = port_place(net, net[Host{lost}].node, 1);
        EXPECT_EQ(fates_of(findings).at({FindingKind::unreachable, port}), 11u);
        std::vector<Finding> const found =
            of_kind(findings, FindingKind::inconsistent);  // the port, and the leaf's entry for it
        ASSERT_EQ(found.size(), 2u);
        EXPECT_EQ(found[0].where, port);
        EXPECT_EQ(found[1].where, port_place(net, Node{12 + lost / 3}, lost % 3 + 1));
    }
}

}  // namespace
}  // namespace tailback
