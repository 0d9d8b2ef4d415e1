// Adaptive routing over all choices (docs/audit.md): fates, lengths and dependencies against a search of every choice;
// .far files there and back; and every damage of groups is found at its place, and nothing else.
#include "host/audit/choices/choices.hpp"

#include "host/audit/audit.hpp"
#include "host/formats/fabric/folder.hpp"
#include "tests/support/oracle/dice.hpp"
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/reading.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/routing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include <functional>
#include <set>
#include <sstream>

namespace tailback::choices_test {
namespace {

Fabric routed(std::string const& spec, std::string const& routing) {
    Topology const topology = make_topology(spec);
    Routes routes = make_routes(topology, {routing, 1});
    Fabric fabric{topology.network, std::move(routes.tables), true, std::move(routes.routing), nullptr, {}};
    fabric.candidates = std::move(routes.candidates);
    return fabric;
}

/// Every way that choices lead from a switch, one after the other; ends in `fates`, lengths of what is delivered.
struct AllWays {
    Fabric const& fabric;
    Lid lid;
    std::uint8_t fates = 0;
    std::set<std::uint32_t> lengths;
    std::vector<Node> way;

    void go(Node at) {
        if (std::find(way.begin(), way.end(), at) != way.end()) {
            fates |= 1u << unsigned(Fate::loop);
            return;
        }
        way.push_back(at);
        auto const group = fabric.candidates->group(at, lid);
        Port const fixed = fabric.tables.port(at, lid);
        std::span<Port const> ports(&fixed, 1);
        if (group != CandidateSets::no_group && !fabric.candidates->ports(at, group).empty())
            ports = fabric.candidates->ports(at, group);
        for (Port const port : ports) {
            Link const link =
                port == ForwardingTables::no_entry || port == 0 ? Link{} : fabric.network.link_at(at, port);
            if (!link.exists()) fates |= 1u << unsigned(Fate::unreachable);
            else if (Node const to = fabric.network[link].to; fabric.network.owner(lid).node == to) {
                fates |= 1u << unsigned(Fate::delivered);
                lengths.insert(static_cast<std::uint32_t>(way.size()));
            } else if (fabric.network[to].kind == NodeKind::switch_node) go(to);
            else fates |= 1u << unsigned(Fate::misdelivered);
        }
        way.pop_back();
    }
};

/// Random groups and random static entries, sound and not.
Fabric damaged(std::string const& spec, std::uint32_t trial) {
    Fabric fabric = routed(spec, "ar:minimal");
    Dice dice{0x9E3779B97F4A7C15u + trial};
    auto sets = std::make_shared<CandidateSets>(*fabric.candidates);
    Network const& net = fabric.network;
    for (std::uint32_t damage = 0; damage < trial; ++damage) {
        Node const node{net.hosts().size() + dice(static_cast<std::uint32_t>(net.switches()))};
        Lid const lid = 1 + dice(static_cast<std::uint32_t>(net.hosts().size()));
        std::vector<Port> ports;
        for (Port port = 1; port <= net[node].ports + 1; ++port)
            if (dice(2) == 1) ports.push_back(port);
        sets->set(node, lid, LidState::free, sets->group_of(node, ports));
        if (dice(3) == 0) sets->set(node, lid, LidState::fixed, 0);
        if (dice(3) == 0) fabric.tables.set(node, lid, 1 + dice(net[node].ports));
    }
    fabric.candidates = sets;
    return fabric;
}

TEST(Choices, FatesAndLengthsAreThoseOfEveryWay) {
    for (std::string const spec : {"xgft:2;2,3;1,2", "ring:4", "fully-connected:4", "torus:3x2", "star:3"})
        for (std::uint32_t trial = 0; trial < 12; ++trial) {
            SCOPED_TRACE(spec + " " + std::to_string(trial));
            Fabric const fabric = damaged(spec, trial);
            Network const& net = fabric.network;
            std::vector<Host> hosts;
            for (std::size_t h = 0; h < net.hosts().size(); ++h) hosts.emplace_back(h);
            Forwarding const forwarding(fabric);
            ChoiceGraph const graph(forwarding, ChoicesOf::sets, hosts);
            ChoiceWalk walk(graph);
            std::vector<std::uint32_t> starts;
            for (Host const host : hosts) starts.push_back(forwarding.entry_of(host).row);
            std::size_t members = 0;
            for (ChoiceGraph::Class const& one : graph.classes()) {
                walk.grow(one, starts);
                for (ChoiceGraph::Member const& member : graph.members(one)) {
                    ++members;
                    for (std::uint32_t const row : starts) {
                        AllWays ways{fabric, member.to.lid, 0, {}, {}};
                        ways.go(forwarding.node_of(row));
                        ASSERT_EQ(walk.fates(row), ways.fates) << "LID " << member.to.lid << " row " << row;
                        if (!walk.always_delivered(row)) continue;
                        EXPECT_EQ(walk.shortest(row), *ways.lengths.begin());
                        EXPECT_EQ(walk.longest(row), *ways.lengths.rbegin());
                    }
                }
            }
            EXPECT_EQ(members, hosts.size());
        }
}

/// What `tailback audit` finds in a folder.
nlohmann::json audited(std::string const& folder) {
    Finished const run =
        run_tailback({"audit", "--network", folder, "--path-sl", "none", "--format", "json", "--worst-case", "none"});
    EXPECT_TRUE(run.code == 0 || run.code == 1) << run.err;
    return nlohmann::json::parse(run.out);
}
std::vector<std::string> kinds_of(nlohmann::json const& audit) {
    std::vector<std::string> kinds;
    for (auto const& finding : audit.at("findings"))
        if (finding.at("kind") != "asymmetric" && finding.at("kind") != "unused" &&
            finding.at("kind") != "switch_lids" && finding.at("kind") != "nonminimal")
            kinds.push_back(finding.at("kind"));
    return kinds;
}
nlohmann::json finding_of(nlohmann::json const& audit, std::string const& kind) {
    for (auto const& finding : audit.at("findings"))
        if (finding.at("kind") == kind) return finding;
    return {};
}

std::vector<std::string> const ten_networks = {"xgft:2;4,4;1,2",
                                               "xgft:2;6,3;1,3",
                                               "xgft:3;2,3,2;1,2,3",
                                               "torus:4x4",
                                               "dragonfly:a=4,p=2,h=2",
                                               "hyperx:3x3",
                                               "ring:6",
                                               "star:9",
                                               "jellyfish:switches=12,degree=3,hosts=2",
                                               "hypercube:4"};

/// A generated folder, with its .far as lines.
struct FarFolder {
    explicit FarFolder(std::string const& spec, std::string const& routing) : path(folder / "run") {
        Finished const run =
            run_tailback({"generate", spec, "--routing", routing, "--to", "ibdiagnet2", "--output", path});
        EXPECT_EQ(run.code, 0) << run.err;
        text = read_whole(path + "/ibdiagnet2.far");
    }
    void write() const { std::ofstream(path + "/ibdiagnet2.far") << text; }
    /// Replaces the first `what` behind the first `mark`.
    void damage(std::string const& mark, std::string const& what, std::string const& by) {
        std::size_t const at = text.find(what, text.find(mark));
        ASSERT_NE(at, std::string::npos) << what;
        text.replace(at, what.size(), by);
        write();
    }
    TemporaryFolder folder;
    std::string path, text;
};

TEST(FarFiles, ThereAndBackIsTheSameAndSound) {
    for (std::string const& spec : ten_networks) {
        SCOPED_TRACE(spec);
        FarFolder const run(spec, "ar:updn");
        EXPECT_EQ(kinds_of(audited(run.path)), std::vector<std::string>{});
        Finished const back = run_tailback({"convert", "--network", run.path, "--to", "far", "--output", "-"});
        EXPECT_EQ(back.out, run.text);
        // Alone beside a topology it is tables and groups, too.
        Finished const alone = run_tailback({"bracket", "--network", run.path + "/ibdiagnet2.db_csv", "--tables",
                                             run.path + "/ibdiagnet2.far", "--format", "csv"});
        Finished const whole = run_tailback({"bracket", "--network", run.path, "--format", "csv"});
        EXPECT_EQ(alone.code, 0) << alone.err;
        auto const but_files = [](std::string const& csv) {  // which are the folder, or two of its files
            std::istringstream lines(csv);
            std::string kept;
            for (std::string line; std::getline(lines, line);)
                if (!line.starts_with("files,")) kept += line + "\n";
            return kept;
        };
        EXPECT_EQ(but_files(alone.out), but_files(whole.out));
    }
}

TEST(FarFiles, AGroupThatIsNotDefined) {
    FarFolder run("xgft:2;4,4;1,2", "ar:ftree");
    run.damage("\"S1_2\"", "Free       1", "Free       9");
    nlohmann::json const audit = audited(run.path);
    EXPECT_EQ(kinds_of(audit), std::vector<std::string>{"inconsistent"});
    nlohmann::json const finding = finding_of(audit, "inconsistent");
    EXPECT_NE(finding.at("where").get<std::string>().find("S1_2"), std::string::npos);
    nlohmann::json const& symptom = finding.at("symptoms").at(0);  // its entry is without a group
    EXPECT_NE(symptom.at("message").get<std::string>().find("without a group"), std::string::npos);
}

TEST(FarFiles, AWrongGroup) {
    FarFolder run("xgft:2;4,4;1,2", "ar:ftree");
    run.damage("\"S1_2\"", "Free       1", "Free       2");
    nlohmann::json const audit = audited(run.path);
    EXPECT_EQ(kinds_of(audit), std::vector<std::string>{"groups"});
    nlohmann::json const finding = finding_of(audit, "groups");
    EXPECT_EQ(finding.at("node"), "S1_2");
    EXPECT_EQ(finding.at("lids"), nlohmann::json::parse("[[1,1]]"));
}

TEST(FarFiles, AnEmptyGroup) {
    FarFolder run("xgft:2;4,4;1,2", "ar:ftree");
    run.damage("\"S1_2\"", "5,6,", "");
    nlohmann::json const audit = audited(run.path);
    EXPECT_EQ(kinds_of(audit), std::vector<std::string>{"groups"});
    EXPECT_EQ(finding_of(audit, "groups").at("node"), "S1_2");
    EXPECT_EQ(finding_of(audit, "groups").at("lid_count"), 12);
    // 12 LIDs of hosts of other leaves at each of 4 leaves, 16 at each of 2 spines; the groups of 3 leaves, and 4 of
    // one port at each spine, have ports.
    nlohmann::json const groups = audit.at("choices").at("groups");
    EXPECT_EQ(groups.at("empty"), 1);
    EXPECT_EQ(groups.at("with_empty_group"), 12);
    EXPECT_EQ(groups.at("with_group"), 3 * 12 + 2 * 16);
    EXPECT_EQ(groups.at("groups"), 3 + 2 * 4);
}

/// Empty groups are no fault: the static entries are used. That is said first of all, and no entry is said to choose.
TEST(FarFiles, AllGroupsEmptyIsSaidInTheHeadline) {
    FarFolder run("xgft:2;4,4;1,2", "ar:ftree");
    for (char const* const leaf : {"\"S1_0\"", "\"S1_1\"", "\"S1_2\"", "\"S1_3\""}) run.damage(leaf, "5,6,", "");
    Finished const text = run_tailback({"audit", "--network", run.path, "--quiet"});
    EXPECT_EQ(text.code, 0) << text.err;
    EXPECT_NE(text.out.find("SOUND, but 4 adaptive-routing groups are empty: their static entries are used"),
              std::string::npos)
        << text.out;
    EXPECT_EQ(text.out.find("0.00 ports"), std::string::npos);
    nlohmann::json const audit = audited(run.path);
    nlohmann::json const groups = audit.at("choices").at("groups");
    EXPECT_EQ(groups.at("empty"), 4);
    EXPECT_EQ(groups.at("with_empty_group"), 4 * 12);
    EXPECT_EQ(groups.at("with_group"), 2 * 16);  // of the spines
}

TEST(FarFiles, APortWithoutACableInAGroup) {
    FarFolder run("mesh:3x3", "ar:minimal");  // a corner's switch has ports that nothing is plugged into
    nlohmann::json const sound = audited(run.path);
    run.damage("\"S0_0\"", "     2,", "     2,9,");
    nlohmann::json const audit = audited(run.path);
    nlohmann::json const finding = finding_of(audit, "choices");
    ASSERT_FALSE(finding.is_null()) << audit.at("findings").dump(1);
    EXPECT_EQ(finding.at("node"), "S0_0");
    EXPECT_EQ(finding.at("port"), 9);
    EXPECT_TRUE(finding_of(sound, "choices").is_null());
}

/// The static entries of those that choose, for one LID: all by one switch above them.
void enter_by(Fabric& fabric, CandidateSets const& sets, Node above, Lid lid) {
    Network const& net = fabric.network;
    for (std::size_t n = 0; n < net.nodes().size(); ++n)
        for (Port port = 5; port <= 6; ++port)
            if (Link const link = net.link_at(Node{n}, port);
                link.exists() && net[Node{n}].kind == NodeKind::switch_node && net[link].to == above &&
                sets.group(Node{n}, lid) != CandidateSets::no_group)
                fabric.tables.set(Node{n}, lid, port);
}

void audit_all_pairs(Audit& audit) {
    for (std::size_t h = 0; h < audit.network().hosts().size(); ++h) audit.request.hosts.emplace_back(h);
    audit.request.execution.threads = 2;
    audit_routes(audit);
    audit_apart(audit);
    find_faults(audit, Disagreements());
    audit_deadlock(audit, nullptr, nullptr);
    audit_choices(audit);
}

TEST(FarFiles, AStaticEntryIntoALoopThatOnlyAChoiceReaches) {
    // At the second spine the entry for a LID of the first leaf goes back down to the third leaf, which may send it up
    // to the second spine again. The static entries of all leaves go by the first spine.
    Fabric fabric = routed("xgft:2;4,4;1,2", "ar:ftree");
    Network const& net = fabric.network;
    auto sets = std::make_shared<CandidateSets>(*fabric.candidates);
    Node const spine = net.node_by_name("S2_1"), first = net.node_by_name("S2_0");
    Lid const lid = net[Host{0u}].lid;
    sets->set(spine, lid, LidState::fixed, 0);
    fabric.tables.set(spine, lid, 3);
    enter_by(fabric, *sets, first, lid);
    fabric.candidates = sets;
    Audit audit(fabric);
    audit_all_pairs(audit);
    EXPECT_EQ(audit.count(FindingKind::loop), 0u);
    ASSERT_EQ(audit.count(FindingKind::choices), 1u);
    for (Finding const& finding : audit.findings)
        if (finding.kind == FindingKind::choices) {
            EXPECT_EQ(finding.lids.first(), lid);
            EXPECT_NE(finding.message.find("circle"), std::string::npos) << finding.message;
            EXPECT_NE(finding.message.find("S1_2"), std::string::npos) << finding.message;
            EXPECT_NE(finding.message.find("S2_1"), std::string::npos) << finding.message;
        }
    ASSERT_TRUE(audit.choices);
    EXPECT_EQ(audit.choices->some[unsigned(Fate::loop)], 12u);
    EXPECT_EQ(audit.choices->always, 16u * 15 - 12);
}

/// Static entries that fail at one place do not hide what choices reach at another, for the same LID; and a place where
/// they fail for every pair that choices lead there is told once, though choices fail in the same way elsewhere.
TEST(Choices, FailuresOfStaticEntriesHideNoOthers) {
    Fabric fabric = routed("xgft:2;4,4;1,2", "ar:ftree");
    Network const& net = fabric.network;
    auto sets = std::make_shared<CandidateSets>(*fabric.candidates);
    Node const spine = net.node_by_name("S2_1"), leaf = net.node_by_name("S1_3");
    Lid const lid = net[Host{0u}].lid;
    for (Node const node : {spine, leaf}) {  // neither has an entry
        sets->set(node, lid, LidState::fixed, 0);
        fabric.tables.set(node, lid, ForwardingTables::no_entry);
    }
    enter_by(fabric, *sets, net.node_by_name("S2_0"), lid);  // but by choice
    fabric.candidates = sets;
    Audit audit(fabric);
    audit_all_pairs(audit);
    EXPECT_EQ(audit.count(FindingKind::unreachable), 1u);  // the leaf
    EXPECT_TRUE(std::any_of(audit.findings.begin(), audit.findings.end(), [&](Finding const& finding) {
        return finding.kind == FindingKind::choices && finding.where == net.describe(spine);
    }));
    EXPECT_EQ(audit.count(FindingKind::choices), 1u);
}

TEST(FarFiles, EntriesUnlikeTheOtherTablesAndCutFiles) {
    FarFolder run("xgft:2;4,4;1,2", "ar:ftree");
    std::string const sound = run.text;
    run.damage("\"S1_2\"", "0x0001  5 ", "0x0001  6 ");
    nlohmann::json audit = audited(run.path);
    ASSERT_EQ(kinds_of(audit), std::vector<std::string>{"inconsistent"});
    EXPECT_NE(finding_of(audit, "inconsistent").at("where").get<std::string>().find("S1_2"), std::string::npos);
    run.text = sound.substr(0, sound.size() - 60);
    run.write();
    audit = audited(run.path);
    ASSERT_FALSE(kinds_of(audit).empty());  // the table is not whole, and what it lacks differs from the other file
    for (auto const& finding : audit.at("findings"))
        if (finding.at("kind") == "inconsistent") {
            std::string const told = finding.dump();
            EXPECT_TRUE(told.find("S2_1") != std::string::npos) << told;
        }
    for (std::string const& kind : kinds_of(audit)) EXPECT_EQ(kind, "inconsistent");
    for (char const* const odd :
         {"Group 99999999999 0 0 1,", "1 0 0 0,", "1 0 0 999,", "0x0001 1 Sideways 3", "Switch 0x"}) {
        run.text = sound + "Groups Definition:\n" + odd + "\n";
        run.write();
        Finished const told = run_tailback({"audit", "--network", run.path, "--path-sl", "none"});
        EXPECT_TRUE(told.code == 0 || told.code == 1) << odd << told.err;
    }
}

TEST(Choices, DeadlockIsJudgedOverAllChoices) {
    // Minimal adaptive routing on a ring waits in a circle; up*/down* sets never do.
    for (auto const& [routing, free] : {std::pair{"ar:minimal", false}, {"ar:updn", true}})
        for (std::string const spec : {"torus:4x4", "ring:6", "hyperx:3x3", "jellyfish:switches=12,degree=3,hosts=2"}) {
            SCOPED_TRACE(spec + " " + routing);
            Finished const run = run_tailback(
                {"audit", "--network", spec, "--routing", routing, "--format", "json", "--worst-case", "none"});
            bool const found = nlohmann::json::parse(run.out).at("choices").at("deadlock").at("free");
            if (free) {
                EXPECT_TRUE(found);
            } else if (spec != "hyperx:3x3" && !spec.starts_with("jelly")) {
                EXPECT_FALSE(found);
            }
        }
}

}  // namespace
}  // namespace tailback::choices_test
