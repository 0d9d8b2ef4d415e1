// Two fabrics compared: routes and fates as walking every pair of both tells them, loads as counted on the way; nothing
// for a fabric and itself; every kind of change found by itself.
#include "host/audit/changes/diff.hpp"

#include "host/model/routes/forwarding.hpp"
#include "tests/support/networks/nasty_networks.hpp"
#include "tests/support/oracle/dice.hpp"
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/reading.hpp"
#include "tests/support/programs/shared_data.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/families/xgft.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <map>
#include <set>

namespace tailback::diff_test {
namespace {

using End = std::tuple<std::string, std::uint64_t, Port>;

std::string key(Network const& net, Node node) {
    NodeRecord const& record = net[node];
    return (record.guid != 0 ? std::to_string(record.guid) : "\"" + record.name) +
           (record.kind == NodeKind::switch_node ? " switch" : " other" + std::to_string(int(record.kind)));
}
std::string key(Network const& net, Link link) {
    LinkRecord const& record = net[link];
    return key(net, record.from) + ":" + std::to_string(record.from_port) + ">" + key(net, record.to) + ":" +
           std::to_string(record.to_port);
}
std::string key(Network const& net, Host host) {
    return key(net, net[host].node) + ":" + std::to_string(net[host].port);
}

struct Walked {
    std::map<std::pair<std::string, std::string>, std::pair<Fate, std::vector<std::string>>>
        pairs;  // (source, destination and place in its range)
    std::map<std::string, std::uint64_t> load;
};

Walked walk_all(Fabric const& fabric) {
    Walked walked;
    Network const& net = fabric.network;
    std::vector<Host> hosts;
    for (std::size_t h = 0; h < net.hosts().size(); ++h)
        if (net[Host{h}].role != HostRole::aggregation) hosts.emplace_back(h);
    for (std::size_t l = 0; l < net.links().size(); ++l) walked.load[key(net, Link{l})] = 0;
    for (Destination const to : destinations_of(net, hosts))
        for (Host const source : hosts) {
            if (source == to.host) continue;
            Route const route = trace_from_host(fabric, source, to.lid);
            std::vector<std::string> links;
            for (Link const link : route.links) links.push_back(key(net, link));
            if (route.fate == Fate::delivered)
                for (std::string const& link : links) ++walked.load[link];
            walked.pairs[{key(net, source), key(net, to.host) + "+" + std::to_string(to.lid - net[to.host].lid)}] = {
                route.fate, links};
        }
    return walked;
}

void expect_walks(Fabric const& before, Fabric const& after, std::string const& what) {
    SCOPED_TRACE(what);
    Walked const was = walk_all(before), now = walk_all(after);
    FabricDiff const found = diff(before, after, {});
    std::uint64_t pairs = 0, rerouted = 0;
    std::array<std::array<std::uint64_t, 4>, 4> fates{};
    std::map<std::string, std::uint64_t> by_destination;
    for (auto const& [pair, route] : was.pairs) {
        auto const other = now.pairs.find(pair);
        if (other == now.pairs.end()) continue;
        ++pairs;
        Fate const a = route.first, b = other->second.first;
        if (a != b) ++fates[std::size_t(a)][std::size_t(b)];
        else if (a == Fate::delivered && route.second != other->second.second) ++rerouted;
        else continue;
        ++by_destination[pair.second];
    }
    EXPECT_EQ(found.pairs, pairs);
    EXPECT_EQ(found.pairs_before, was.pairs.size());
    EXPECT_EQ(found.pairs_after, now.pairs.size());
    EXPECT_EQ(found.rerouted, rerouted);
    EXPECT_EQ(found.fates, fates);
    std::uint64_t last = ~std::uint64_t{0};
    for (FabricDiff::DestinationChange const& change : found.destinations) {
        std::string const name = key(before.network, change.lid.host_before) + "+" +
                                 std::to_string(change.lid.before - before.network[change.lid.host_before].lid);
        EXPECT_EQ(change.rerouted + change.refated, by_destination[name]) << name;
        EXPECT_LE(change.rerouted + change.refated, last);
        last = change.rerouted + change.refated;
        by_destination.erase(name);
    }
    EXPECT_TRUE(by_destination.empty());
    std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> rose;
    for (auto const& [link, load] : now.load)
        if (std::uint64_t const then = was.load.contains(link) ? was.load.at(link) : 0; load > then)
            rose[link] = {then, load};
    EXPECT_EQ(found.rose.size(), rose.size());
    for (FabricDiff::LoadChange const& change : found.rose)
        EXPECT_EQ((rose[key(after.network, change.after)]),
                  (std::pair{std::uint64_t(change.load_before), std::uint64_t(change.load_after)}))
            << key(after.network, change.after);
    FabricDiff const threaded = diff(before, after, {false, 3});
    EXPECT_EQ(threaded.rerouted, found.rerouted);
    EXPECT_EQ(threaded.fates, found.fates);
    EXPECT_EQ(threaded.destinations.size(), found.destinations.size());
}

TEST(Diff, AFabricAndItselfAreEqual) {
    for (NastyNetwork const& nasty : nasty_networks()) {
        FabricDiff const found = diff(nasty.fabric, nasty.fabric, {});
        EXPECT_TRUE(found.equal()) << nasty.name;
        EXPECT_EQ(found.pairs, found.pairs_before) << nasty.name;
        expect_walks(nasty.fabric, nasty.fabric, nasty.name);
    }
}

TEST(Diff, NastyNetworksWithTheirNeighbours) {
    auto const& all = nasty_networks();
    for (std::size_t i = 0; i + 1 < all.size(); ++i) {
        bool const names[] = {all[i].fabric.network.nodes().front().guid == 0,
                              all[i + 1].fabric.network.nodes().front().guid == 0};
        if (names[0] != names[1]) continue;
        EXPECT_FALSE(diff(all[i].fabric, all[i + 1].fabric, {}).equal());
        expect_walks(all[i].fabric, all[i + 1].fabric, all[i].name + " -> " + all[i + 1].name);
        expect_walks(all[i + 1].fabric, all[i].fabric, all[i + 1].name + " -> " + all[i].name);
    }
}

TEST(Diff, DamagedTrees) {
    Dice dice;
    Fabric before = make_xgft({{3, 2, 2}, {1, 2, 3}});
    for (int trial = 0; trial < 40; ++trial) {
        Fabric after = before;
        Network const& net = after.network;
        std::set<std::pair<std::uint32_t, Lid>> changed;
        for (int damage = 0; damage < 1 + trial % 9; ++damage) {
            Node const node{net.hosts().size() + dice(static_cast<std::uint32_t>(net.switches()))};
            after.tables.set(node, 1 + dice(static_cast<std::uint32_t>(net.hosts().size())), dice(net[node].ports + 1));
        }
        for (std::size_t n = 0; n < net.nodes().size(); ++n)
            for (Lid lid = 1; lid <= net.max_lid(); ++lid)
                if (before.tables.port(Node{n}, lid) != after.tables.port(Node{n}, lid))
                    changed.insert({static_cast<std::uint32_t>(n), lid});
        FabricDiff const found = diff(before, after, {});
        std::uint64_t entries = 0;
        for (FabricDiff::TableChange const& table : found.tables) entries += table.entries;
        EXPECT_EQ(entries, changed.size());
        EXPECT_EQ(found.equal(), changed.empty());
        expect_walks(before, after, "trial " + std::to_string(trial));
        before = std::move(after);
    }
}

/// Two leaves and two hosts (LIDs 3, 4), with tables as `ports` says: for LIDs 3 and 4, at leaf one and leaf two.
Fabric small(std::string const& topology, std::array<Port, 4> const& ports = {1, 3, 3, 1}) {
    Disagreements ignored;
    Fabric fabric{read_topology(topology, ignored), {}, true};
    fabric.tables = ForwardingTables(fabric.network);
    int at = 0;
    for (std::uint64_t const guid : {0xa1, 0xa2}) {
        Node const node = fabric.network.node_by_guid(guid);
        if (!node.exists()) continue;
        fabric.tables.add_table(node);
        for (Lid const lid : {3, 4}) fabric.tables.set(node, lid, ports[at++]);
    }
    return fabric;
}

TEST(Diff, EveryKindOfChange) {
    Fabric const before = small(two_leaves);
    EXPECT_TRUE(diff(before, small(two_leaves), {}).equal());

    FabricDiff const other_route = diff(before, small(two_leaves, {1, 4, 3, 1}), {});
    EXPECT_EQ(other_route.rerouted, 1u);
    EXPECT_EQ(other_route.refated(), 0u);
    ASSERT_EQ(other_route.tables.size(), 1u);
    EXPECT_EQ(other_route.tables[0].entries, 1u);
    ASSERT_EQ(other_route.destinations.size(), 1u);
    EXPECT_EQ(other_route.destinations[0].lid.before, 4u);
    ASSERT_EQ(other_route.rose.size(), 1u);
    EXPECT_EQ(other_route.rose[0].load_before, 0u);
    EXPECT_EQ(other_route.rose[0].load_after, 1u);
    EXPECT_EQ(other_route.fell, 1u);

    std::string const pulled =
        replaced(replaced(two_leaves, "[3]\t\"S-00000000000000a2\"[3]\t\t# \"leaf-2\" lid 2 4xEDR\n", ""),
                 "[3]\t\"S-00000000000000a1\"[3]\t\t# \"leaf one\" lid 1 4xEDR\n", "");
    FabricDiff const cable = diff(before, small(pulled), {});
    EXPECT_EQ(cable.cables_gone.size(), 1u);
    EXPECT_EQ(cable.fates[0][1], 2u);
    FabricDiff const back = diff(small(pulled), before, {});
    EXPECT_EQ(back.cables_new.size(), 1u);
    EXPECT_EQ(back.fates[1][0], 2u);

    EXPECT_EQ(diff(before, small(replaced(two_leaves, "4xEDR", "1xEDR")), {}).rates.size(), 2u);
    FabricDiff const renamed = diff(before, small(replaced(two_leaves, "leaf-2", "leaf two")), {});
    EXPECT_EQ(renamed.renamed.size(), 1u);
    EXPECT_EQ(renamed.rerouted, 0u);
    EXPECT_FALSE(renamed.equal());
    FabricDiff const lids = diff(before, small(replaced(two_leaves, "lid 4 ", "lid 9 ")), {});
    ASSERT_EQ(lids.lids.size(), 1u);
    EXPECT_EQ(lids.lids[0].before, 4u);
    EXPECT_EQ(lids.lids[0].after, 9u);
    EXPECT_EQ(diff(before,
                   small(replaced(replaced(two_leaves, "00000000000000b2", "00000000000000b9"), "caguid=0xb2",
                                  "caguid=0xb9")),
                   {})
                  .nodes_new.size(),
              1u);
    EXPECT_EQ(diff(before,
                   small(replaced(replaced(two_leaves, "00000000000000b2", "00000000000000b9"), "caguid=0xb2",
                                  "caguid=0xb9")),
                   {})
                  .nodes_gone.size(),
              1u);
}

// A LID that moves with its routes is told as such, and changes no route.
TEST(Diff, RenumberedLidsKeepTheirRoutes) {
    Fabric const before = small(two_leaves);
    Fabric after = small(replaced(two_leaves, "lid 4 ", "lid 9 "));
    after.tables.set(after.network.node_by_guid(0xa1), 9, 3);
    after.tables.set(after.network.node_by_guid(0xa2), 9, 1);
    FabricDiff const found = diff(before, after, {});
    EXPECT_EQ(found.lids.size(), 1u);
    EXPECT_EQ(found.rerouted + found.refated(), 0u);
    EXPECT_TRUE(found.tables.empty());
    EXPECT_EQ(found.pairs, 2u);
}

std::string tree16(std::string const& run) {
    std::string const folder = (fixtures() / "opensm/ft2-16").string();
    return folder + "/minhop/ibnetdiscover.out.xz," + folder + "/" + run + "/opensm-lfts.dump.xz";
}

TEST(DiffCommand, EqualFabricsPrintNothingAndExitWithZero) {
    Finished const ran = run_tailback({"diff", tree16("minhop"), tree16("minhop")});
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(ran.out, "");
    Finished const json = run_tailback({"diff", tree16("minhop"), tree16("minhop"), "--format", "json"});
    EXPECT_EQ(json.code, 0);
    EXPECT_EQ(nlohmann::json::parse(json.out)["equal"], true);
}

TEST(DiffCommand, BrokenTablesExitWithOneAndSayWhatBroke) {
    Finished const ran = run_tailback({"diff", tree16("minhop"), tree16("file-broken")});
    EXPECT_EQ(ran.code, 1) << ran.err;
    EXPECT_NE(ran.out.find("Of 240 pairs in both fabrics, "), std::string::npos) << ran.out;
    Finished const other =
        run_tailback({"diff", tree16("minhop"), tree16("file-broken"), "--format=json", "--threads", "2"});
    EXPECT_EQ(other.code, 1);
    auto const json = nlohmann::json::parse(other.out);
    EXPECT_EQ(json["pairs"]["in_both"], 240);
    EXPECT_EQ(json["pairs"]["other_fate"], 28);
    EXPECT_EQ(json["pairs"]["fates"],
              (nlohmann::json{{"delivered->unreachable", 8}, {"delivered->loop", 16}, {"delivered->misdelivered", 4}}));
    EXPECT_FALSE(json["tables"].empty());
}

/// The sums of either side are those that `audit --group-by` tells of it.
TEST(DiffCommand, GroupsStandSideBySide) {
    auto const sums = [](std::string const& fabric) {
        std::size_t const comma = fabric.find(',');
        Finished const ran = run_tailback({"audit", "--network", fabric.substr(0, comma), "--tables",
                                           fabric.substr(comma + 1), "--group-by", "leaf", "--format", "json"});
        return nlohmann::json::parse(ran.out)["groups"];
    };
    std::string const before = tree16("minhop"), after = tree16("file-broken");
    Finished const ran = run_tailback({"diff", before, after, "--group-by", "leaf", "--format", "json"});
    EXPECT_EQ(ran.code, 1) << ran.err;
    nlohmann::json const groups = nlohmann::json::parse(ran.out)["verdict"]["groups"];
    nlohmann::json const was = sums(before), now = sums(after);
    ASSERT_EQ(groups.size(), was.size());
    ASSERT_EQ(groups.size(), now.size());
    bool changed = false;
    for (std::size_t g = 0; g < groups.size(); ++g) {
        EXPECT_EQ(groups[g]["name"], was[g]["name"]);
        for (auto const& [key, value] : groups[g]["old"].items()) EXPECT_EQ(value, was[g][key]) << key;
        for (auto const& [key, value] : groups[g]["new"].items()) EXPECT_EQ(value, now[g][key]) << key;
        changed = changed || groups[g]["old"] != groups[g]["new"];
    }
    EXPECT_TRUE(changed);
    Finished const text = run_tailback({"diff", before, after, "--group-by", "leaf"});
    EXPECT_NE(text.out.find("By group ("), std::string::npos) << text.out;
    // Names of a file that a fabric does not have are left out; so a rack may lose hosts.
    TemporaryFolder folder;
    std::string const file = "file:" + folder.write("racks", "left no-such-host\n");
    EXPECT_EQ(run_tailback({"diff", before, after, "--group-by", file}).code, 1);
    EXPECT_EQ(run_tailback({"diff", before, after, "--group-by", "racks"}).code, 2);
}

/// A fabric whose topology, tables or all come from standard input has the report of its files, on either side.
TEST(DiffCommand, StandardInputIsAFileLikeOthers) {
    std::string const folder = (fixtures() / "opensm/ft2-16").string();
    std::string const topology = folder + "/minhop/ibnetdiscover.out.xz";
    std::string const tables = folder + "/file-broken/opensm-lfts.dump.xz";
    auto const bytes_of = [](std::string const& path) {
        std::ifstream file(path, std::ios::binary);
        return std::string(std::istreambuf_iterator<char>(file), {});
    };
    auto const expect_same = [](Words const& named, Words const& piped, std::string const& input) {
        Finished const wanted = run_tailback(named), ran = run_tailback(piped, input);
        EXPECT_EQ(ran.code, 1) << ran.err;
        EXPECT_EQ(ran.code, wanted.code) << wanted.err;
        EXPECT_EQ(ran.out, wanted.out) << testing::PrintToString(piped);
    };
    std::string const other = tree16("minhop"), named = topology + "," + tables;
    expect_same({"diff", named, other}, {"diff", "-," + tables, other}, bytes_of(topology));
    expect_same({"diff", named, other}, {"diff", topology + ",-", other}, bytes_of(tables));
    expect_same({"diff", other, named}, {"diff", other, "-," + tables}, bytes_of(topology));
    expect_same({"diff", other, named}, {"diff", other, topology + ",-"}, bytes_of(tables));
    expect_same({"diff", named, other}, {"diff", "-", other, "--old-tables", tables}, bytes_of(topology));
    expect_same({"diff", other, named}, {"diff", other, topology, "--new-tables", "-"}, bytes_of(tables));
    expect_same({"diff", other, named, "--top", "3"}, {"diff", other, "--top", "3", "-," + tables}, bytes_of(topology));
    Finished const twice = run_tailback({"diff", "-," + tables, topology + ",-"}, bytes_of(topology));
    EXPECT_EQ(twice.code, 2);
    EXPECT_NE(twice.err.find("standard input"), std::string::npos) << twice.err;
}

TEST(DiffCommand, BadUseExitsWithTwo) {
    std::string const topology = (fixtures() / "opensm/ft2-16/minhop/ibnetdiscover.out.xz").string();
    for (auto const& [words, message] : {
             std::pair{std::vector<std::string>{"diff"}, "two fabrics are needed"},
             {{"diff", tree16("minhop")}, "1 word is given"},
             {{"diff", tree16("minhop"), topology}, "there are no forwarding tables"},
             {{"diff", tree16("minhop"), "/nowhere/net,/nowhere/tables"}, "/nowhere/net"},
             {{"diff", tree16("minhop"), tree16("minhop"), "--old-tables", "x"}, "both name tables"},
             {{"diff", tree16("minhop"), tree16("minhop"), "--bogus", "x"}, "unknown option \"--bogus\""},
             {{"diff", tree16("minhop"), tree16("minhop"), "--format", "xml"}, "--format \"xml\" is unknown"},
         }) {
        Finished const ran = run_tailback(words);
        EXPECT_EQ(ran.code, 2) << message;
        EXPECT_EQ(ran.out, "");
        EXPECT_NE(ran.err.find(message), std::string::npos) << ran.err;
    }
    EXPECT_EQ(run_tailback({"diff", "--help"}).code, 0);
}

TEST(DiffCommand, TopologiesAloneCanBeCompared) {
    std::string const topology = (fixtures() / "opensm/ft2-16/minhop/ibnetdiscover.out.xz").string();
    EXPECT_EQ(run_tailback({"diff", topology, topology}).code, 0);
}

}  // namespace
}  // namespace tailback::diff_test
