// Sums by groups: every node is in one group, every finding, link and pair is counted once, as a plain loop counts
// them.
#include "host/audit/loads/groups.hpp"

#include "tests/support/audited.hpp"
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/reading.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/families/xgft.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <map>
#include <numeric>

namespace tailback::groups_test {
namespace {

NodeGroups groups_of(Network const& net, std::string const& words) { return group_nodes(net, words); }

TEST(Groups, LeavesTakeTheirHosts) {
    Fabric const fabric = make_xgft({{3, 4}, {1, 2}});
    NodeGroups const groups = groups_of(fabric.network, "leaf");
    EXPECT_EQ(groups.names.size(), 5u);  // four leaves, and the switches of level 2
    for (HostRecord const& host : fabric.network.hosts())
        EXPECT_EQ(groups.of_node[host.node.value],
                  groups.of_node[fabric.network[fabric.network.link_at(host.node, 1)].to.value]);
}

TEST(Groups, NamesByAnExpression) {
    Fabric const fabric = make_xgft({{3, 4}, {1, 2}});
    EXPECT_EQ(groups_of(fabric.network, "name:^([HS])").names, (std::vector<std::string>{"H", "S"}));
    EXPECT_EQ(groups_of(fabric.network, "name:^H1[0-9]*$").names.front(), "(other)");
    EXPECT_NE(error_of([&] { groups_of(fabric.network, "name:^rack"); }).find("fits the name of no node"),
              std::string::npos);
    EXPECT_NE(error_of([&] { groups_of(fabric.network, "name:("); }).find("is not a regular expression"),
              std::string::npos);
    EXPECT_NE(error_of([&] { groups_of(fabric.network, "rack"); }).find("is unknown"), std::string::npos);
}

TEST(Groups, FileOfGroups) {
    Fabric const fabric = make_xgft({{3, 4}, {1, 2}});
    TemporaryFolder const folder;
    auto const read = [&](std::string const& text) {
        std::ofstream(folder / "groups") << text;
        return groups_of(fabric.network, "file:" + folder / "groups");
    };
    NodeGroups const groups = read("# racks\na H[1-6]\nb\tH7,H8 H1?\n");
    EXPECT_EQ(groups.names, (std::vector<std::string>{"(other)", "a", "b"}));
    EXPECT_NE(error_of([&] { read("a H1\nb H1\n"); }).find("groups:2: host \"H1\" is in two groups"), std::string::npos)
        << error_of([&] { read("a H1\nb H1\n"); });
    EXPECT_NE(error_of([&] { read("a H99\n"); }).find("groups:1: no node has the name \"H99\""), std::string::npos);
    EXPECT_NE(error_of([&] { read("# none\n"); }).find("groups: the file names no group"), std::string::npos);
    EXPECT_NE(error_of([&] { read("a\n"); }).find("groups:1: group \"a\" has no nodes"), std::string::npos);
    EXPECT_NE(error_of([&] { read("\na H[1-\n"); }).find("groups:2: \"H[1-\" is not a list of hosts"),
              std::string::npos);
}

/// Against a loop over everything, on a tree with a wrong entry.
TEST(Groups, SumsAreThoseOfALoop) {
    Fabric fabric = make_xgft({{3, 4}, {1, 2}});
    Network const& net = fabric.network;
    Node const leaf = net[net.up_link(Host{0})].to;
    fabric.tables.set(leaf, net[Host{5}].lid, ForwardingTables::no_entry);
    Audit audit(fabric);
    choose_endpoints(net, "", true, audit.request);
    audit.request.execution = {.device = DeviceChoice::cpu, .threads = 1};
    audit_routes(audit);
    audit_apart(audit);
    find_faults(audit, Disagreements());
    audit.sort_findings();
    for (std::string const words : {"leaf", "name:^([HS])", "name:^.*(.)$"}) {
        NodeGroups const groups = groups_of(net, words);
        std::vector<GroupSum> const sums = sum_groups(audit, groups);
        ASSERT_EQ(sums.size(), groups.names.size());
        std::uint64_t total = 0, links = 0, hosts = 0, faults = 0, in = 0, out = 0;
        for (std::size_t g = 0; g < sums.size(); ++g) {
            GroupSum const& sum = sums[g];
            std::uint64_t within = 0, leaves = 0;
            for (std::size_t l = 0; l < net.links().size(); ++l) {
                LinkRecord const& link = net[Link{l}];
                if (groups.of_node[link.from.value] != g) continue;
                ++leaves;
                if (groups.of_node[link.to.value] == g) within += audit.all_pairs.load[l];
            }
            EXPECT_EQ(sum.load_within, within);
            EXPECT_EQ(sum.links, leaves);
            total += sum.load_within + sum.load_out, links += sum.links, hosts += sum.hosts, faults += sum.faults;
            in += sum.load_in, out += sum.load_out;
        }
        EXPECT_EQ(total, std::accumulate(audit.all_pairs.load.begin(), audit.all_pairs.load.end(), std::uint64_t{0}));
        EXPECT_EQ(in, out);
        EXPECT_EQ(links, net.links().size());
        EXPECT_EQ(hosts, 12u);
        EXPECT_EQ(faults, 1u);
        EXPECT_EQ(sums[groups.of_node[leaf.value]].faults, 1u);
        EXPECT_EQ(sums[groups.of_node[leaf.value]].fault_pairs, 3u);
    }
}

TEST(Groups, InAllReports) {
    for (std::string const format : {"text", "json", "csv"}) {
        Finished const run = run_tailback(
            {"audit", "--network", "xgft:m=3x4,w=1x2", "--routing", "dmodk", "--group-by", "leaf", "--format", format});
        EXPECT_EQ(run.code, 0) << run.err;
        EXPECT_NE(run.out.find("S1_2"), std::string::npos) << format;
        EXPECT_NE(run.out.find("level 2"), std::string::npos) << format;
    }
}

/// `evaluate` sums the loads of the links that leave a group's nodes: against sums over its list of links.
TEST(Groups, LoadsOfAStudy) {
    for (Words const& network :
         {Words{"xgft:m=3x4,w=1x2", "--routing", "dmodk"}, Words{"torus:4x4", "--routes", "tables"}}) {
        Finished const run = run_tailback(joined(joined({"evaluate", "--network"}, network),
                                                 {"--mappings", "50", "--group-by", "leaf", "--format", "json"}));
        ASSERT_EQ(run.code, 0) << run.err;
        nlohmann::json const metric = nlohmann::json::parse(run.out)["metrics"]["get_cable_cong"];
        struct Sum {
            std::uint64_t links = 0, used = 0;
            double load = 0, most = 0;
        };
        std::map<std::string, std::string> leaf_of;  // of hosts
        for (auto const& link : metric["links"])
            if (std::string const from = link["from"], to = link["to"]; from.starts_with("H")) leaf_of[from] = to;
        bool const is_tree = network.front().starts_with("xgft");
        std::map<std::string, Sum> expected;
        for (auto const& link : metric["links"]) {
            std::string const from = link["from"];
            std::string const group = from.starts_with("H")               ? leaf_of[from]
                                      : is_tree && from.starts_with("S2") ? "level 2"
                                                                          : from;
            Sum& sum = expected[group];
            double const load = link["sum"].get<double>() / 50;
            ++sum.links, sum.used += load > 0, sum.load += load, sum.most = std::max(sum.most, load);
        }
        ASSERT_EQ(metric["groups"].size(), expected.size());
        for (auto const& group : metric["groups"]) {
            Sum const& sum = expected.at(group["group"]);
            EXPECT_EQ(group["links"], sum.links);
            EXPECT_EQ(group["used"], sum.used);
            EXPECT_NEAR(group["load"]["mean"].get<double>(), sum.load / double(sum.links), 1e-9);
            EXPECT_NEAR(group["load"]["max"].get<double>(), sum.most, 1e-9);
        }
    }
    Words const study = {"evaluate", "--network", "xgft:m=3x4,w=1x2", "--routing", "dmodk", "--mappings", "5"};
    EXPECT_NE(run_tailback(joined(study, {"--group-by", "leaf"})).out.find("links from"), std::string::npos);
    EXPECT_NE(run_tailback(joined(study, {"--group-by", "leaf", "--format", "csv"}))
                  .out.find("get_cable_cong,groups_load_mean,S1_2,"),
              std::string::npos);
    EXPECT_EQ(run_tailback(joined(study, {"--group-by", "rack"})).code, 2);
    EXPECT_EQ(run_tailback({"bracket", "--network", "torus:4x4", "--routing", "ar:minimal", "--group-by", "leaf"}).code,
              2);
    Finished const formula = run_tailback(
        {"evaluate", "--network", "torus:4x4", "--routes", "arithmetic", "--mappings", "5", "--group-by", "leaf"});
    EXPECT_EQ(formula.code, 2);
    EXPECT_NE(formula.err.find("add --routes tables"), std::string::npos) << formula.err;
}

/// Definition: of jobs the sums of a group are those of the links that leave its nodes and that several jobs use. Those
/// of all groups are all such links, which the report lists where they are not many.
TEST(Groups, OfJobsSumTheLinksTheyShare) {
    std::vector<std::string> const study = {"jobs",
                                            "--network",
                                            "xgft:m=4x6,w=1x2",
                                            "--job",
                                            "a:ranks=10,pattern=all-to-all,nodes=any:10",
                                            "--job",
                                            "b:ranks=12,pattern=bisect,nodes=any:12",
                                            "--mappings",
                                            "20",
                                            "--quiet"};
    nlohmann::json const plain = nlohmann::json::parse(run_tailback(joined(study, {"--format", "json"})).out);
    EXPECT_FALSE(plain.contains("groups"));
    nlohmann::json const report =
        nlohmann::json::parse(run_tailback(joined(study, {"--group-by", "leaf", "--format", "json"})).out);
    EXPECT_EQ(report["links"], plain["links"]);
    ASSERT_GT(report["shared_links"], 0);
    ASSERT_LE(report["shared_links"], 100);
    std::map<std::string, std::pair<std::uint64_t, double>> naive;  // by the name of the leaf: links, load
    for (nlohmann::json const& link : report["links"]) {
        std::string from = link["from"];
        if (from[0] == 'H') from = "S1_" + std::to_string((std::stoi(from.substr(1)) - 1) / 4);
        auto& [links, load] = naive[from.starts_with("S2") ? "level 2" : from];
        ++links, load += link["load"].get<double>();
    }
    ASSERT_EQ(report["groups"].size(), 7u) << report["groups"];
    for (nlohmann::json const& group : report["groups"]) {
        auto const& [links, load] = naive[group["name"]];
        EXPECT_EQ(group["shared_links"], links) << group;
        EXPECT_NEAR(group["load"].get<double>(), load, 1e-9 * load) << group;
        double of_jobs = 0;
        for (auto const& [job, part] : group["jobs"].items()) of_jobs += part.get<double>();
        EXPECT_NEAR(of_jobs, load, 1e-9 * load) << group;
        EXPECT_EQ(group["hottest"].is_null(), links == 0) << group;
    }
    EXPECT_NE(run_tailback(joined(study, {"--group-by", "leaf"})).out.find("by the group that they leave"),
              std::string::npos);
    EXPECT_NE(run_tailback(joined(study, {"--group-by", "leaf", "--format", "csv"})).out.find("groups,load,S1_0,"),
              std::string::npos);
    EXPECT_EQ(run_tailback(joined(study, {"--group-by", "rack"})).code, 2);
    for (Words const& other : {Words{"--picture-links", "a.svg"}, Words{"--queue-pairs", "2"}})
        EXPECT_EQ(run_tailback(joined(study, other)).code, 2) << other.front();
}

}  // namespace
}  // namespace tailback::groups_test
