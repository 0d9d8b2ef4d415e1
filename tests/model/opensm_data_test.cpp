// Fabrics routed by a real subnet manager: routes agree with ibtracert line by line, the fates and lengths of all pairs
// with an independent reference, and every form of the tables with every other.
#include "host/model/routes/route_text.hpp"
#include "tests/support/programs/opensm_run.hpp"
#include "tests/support/programs/shared_data.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>

namespace tailback::opensm_data_test {
namespace {

std::vector<OpensmRun> all_runs() {
    std::vector<OpensmRun> runs;
    for (auto const& root : {fixtures() / "opensm", shared_data() / "opensm", shared_data() / "public"})
        for (OpensmRun& run : opensm_runs(root)) runs.push_back(std::move(run));
    return runs;
}

nlohmann::json result_of(OpensmRun const& run) {
    std::ifstream in(run.fabric / run.name / "result.json");
    return nlohmann::json::parse(in);
}

/// The reference's word for how a route ends.
std::string word_of(Route const& route) {
    switch (route.cause) {
        case Cause::none: return "ok";
        case Cause::met_twice: return "loop";
        case Cause::wrong_host: return "wrong";
        case Cause::port_beyond_switch:
        case Cause::port_without_cable:
        case Cause::source_without_cable: return "deadport";
        case Cause::no_table:
        case Cause::no_entry:
        case Cause::own_port_zero:
        case Cause::no_path: break;
    }
    return "noentry";
}

std::vector<std::string> lines_of(std::string const& text) {
    std::vector<std::string> lines;
    for (std::size_t from = 0; from < text.size();) {
        std::size_t const to = text.find('\n', from);
        lines.push_back(text.substr(from, to - from));
        from = to + 1;
    }
    return lines;
}

bool is_prefix(std::vector<std::string> const& a, std::vector<std::string> const& b) {
    return a.size() <= b.size() && std::equal(a.begin(), a.end(), b.begin());
}

/// Whether our route and ibtracert's block tell the same: the same hops, the same fate at the same place.
bool agrees(IbtracertBlock const& block, Route const& route, Located const& source,
            std::vector<std::string> const& ours) {
    if (block.exit_code == 0) return route.fate == Fate::delivered && ours == block.route;
    switch (route.cause) {
        case Cause::no_entry:
        case Cause::port_beyond_switch:
            return block.says("Bad forwarding table entry") && !block.says(" is 0 ") && ours == block.route;
        case Cause::own_port_zero:
            return block.says("Bad forwarding table entry") && block.says(" is 0 ") && ours == block.route;
        case Cause::port_without_cable: return block.says("can't reach port at DR path") && ours == block.route;
        case Cause::wrong_host:  // back at the source it walks out again, to 63 hops
            return is_prefix(ours, block.route) &&
                   (block.says("can't continue: reached CA")
                        ? ours == block.route
                        : route.end == source.node && block.says("no route found after"));
        case Cause::met_twice:
            return is_prefix(ours, block.route) &&
                   (block.says("no route found after") || block.says("Direct path too long"));
        default: return false;
    }
}

class OpensmData : public testing::TestWithParam<OpensmRun> {
protected:
    void SetUp() override {
        Disagreements disagreements;
        fabric_ = GetParam().read(disagreements);
        if (GetParam().pairs.size() == 1 && GetParam().pairs.contains("ok")) {
            EXPECT_TRUE(disagreements.warnings().empty()) << disagreements.warnings().front();
        }
    }
    Fabric fabric_;
};

// ibtracert first reads both ends with packets of its own, from the node it runs on: where that node cannot reach an
// end or the end cannot answer, its failure says nothing about the route.
TEST_P(OpensmData, RoutesAgreeWithIbtracertHopByHopAndInFate) {
    OpensmRun const& run = GetParam();
    std::optional<std::string> const file = run.path("ibtracert.out");
    if (!file) GTEST_SKIP() << "the run has no ibtracert.out";
    Network const& net = fabric_.network;
    Host tool;
    std::uint64_t const tool_guid = measuring_port(run.topology);
    for (std::size_t h = 0; h < net.hosts().size(); ++h)
        if (net[Host{h}].port_guid == tool_guid) tool = Host{h};
    ASSERT_TRUE(tool.exists());
    auto const probed = [&](Located const& end) {
        return trace_from_host(fabric_, tool, end.lid).fate == Fate::delivered &&
               trace_between(fabric_, end, net[tool].lid).fate == Fate::delivered;
    };
    std::uint64_t agree = 0, unprobed = 0;
    for (IbtracertBlock const& block : read_ibtracert(*file)) {
        Located const source = locate(net, std::to_string(block.source));
        Located const destination = locate(net, std::to_string(block.destination));
        Route const route = trace_between(fabric_, source, block.destination);
        std::string const text = ibtracert_text(fabric_, source, block.destination, route);
        if (agrees(block, route, source, lines_of(text))) ++agree;
        else if (!probed(source) || !probed(destination)) ++unprobed;
        else
            ADD_FAILURE() << block.source << " -> " << block.destination << "\n"
                          << text << failure_text(fabric_, block.destination, route)
                          << "\nibtracert: " << testing::PrintToString(block.route)
                          << testing::PrintToString(block.messages);
    }
    EXPECT_GE(agree, run.agree);
    EXPECT_LE(unprobed, run.unprobed);
    EXPECT_EQ(agree + unprobed, run.agree + run.unprobed);
    RecordProperty("agree", std::to_string(agree));
    RecordProperty("unprobed", std::to_string(unprobed));
}

TEST_P(OpensmData, FatesAndLengthsOfAllPairsAreThoseOfTheReference) {
    Network const& net = fabric_.network;
#ifdef __SANITIZE_ADDRESS__
    if (GetParam().pairs.at("ok") > 2'000'000) GTEST_SKIP() << "too many pairs for a build with sanitizers";
#endif
    std::map<std::string, std::uint64_t> fates, lengths;
    for (std::size_t s = 0; s < net.hosts().size(); ++s)
        for (std::size_t d = 0; d < net.hosts().size(); ++d) {
            if (s == d) continue;
            HostRecord const& to = net[Host{d}];
            for (Lid lid = to.lid; lid < to.lid + (Lid{1} << to.lmc); ++lid) {
                Route const route = trace_from_host(fabric_, Host{s}, lid);
                ++fates[word_of(route)];
                if (route.fate == Fate::delivered) ++lengths[std::to_string(route.links.size())];
            }
        }
    EXPECT_EQ(fates, GetParam().pairs);
    nlohmann::json const expected = result_of(GetParam())["all_pairs"];
    EXPECT_EQ(fates, (expected["pairs"].get<std::map<std::string, std::uint64_t>>()));
    EXPECT_EQ(lengths, (expected["links"].get<std::map<std::string, std::uint64_t>>()));
    EXPECT_EQ(net.hosts().size(), expected["caports"].get<std::size_t>());
}

// opensm.fdbs hides the entries of LIDs nobody owns, ibroute tells of one switch, dump_fts forgets the largest LID when
// it is a multiple of 64 (the reference found those runs unequal): what they have must be the same.
TEST_P(OpensmData, AllFormsOfTheTablesAreTheSame) {
    OpensmRun const& run = GetParam();
    Network const& net = fabric_.network;
    bool const forgets_largest = result_of(run).value("fts_equal", true) == false;
    int compared = 0;
    for (char const* const file : {"opensm-lfts.dump", "dump_fts.out", "dump_fts-a.out", "dump_fts-n.out",
                                   "ibroute.out", "ibroute-a.out", "opensm.fdbs", "ibdiag/ibdiagnet.fdbs"}) {
        std::optional<std::string> const path = run.path(file);
        if (!path) continue;
        Disagreements disagreements;
        Fabric const other = read_fabric(run.topology, path, disagreements);
        bool const fdbs = path->find("fdbs") != std::string::npos;
        bool const one_switch = path->find("ibroute") != std::string::npos;
        EXPECT_EQ(other.tables.tables(), one_switch ? 1 : net.switches()) << *path;
        for (std::size_t n = 0; n < net.nodes().size(); ++n) {
            if (!other.tables.has_table(Node{n})) continue;
            for (Lid lid = 1; lid <= std::max<std::size_t>(fabric_.tables.lids(), other.tables.lids()); ++lid)
                if ((!fdbs || net.owner(lid).node.exists()) &&
                    !(forgets_largest && lid % 64 == 0 && lid == net.max_lid())) {
                    ASSERT_EQ(other.tables.port(Node{n}, lid), fabric_.tables.port(Node{n}, lid))
                        << *path << ": " << net.describe(Node{n}) << " LID " << lid;
                }
        }
        ++compared;
    }
    if (compared < 2) GTEST_SKIP() << "the run has its tables in one form";
}

std::string cable_end(Network const& net, Node node, Port port) {
    return net.describe(node) + " " + std::to_string(port);
}

// What opensm-subnet.lst does not tell is the LMC.
TEST_P(OpensmData, TheListOfCablesGivesTheSameNetwork) {
    std::optional<std::string> path;
    for (char const* const file : {"opensm-subnet.lst", "ibdiag/ibdiagnet.lst"}) {
        path = GetParam().path(file);
        if (!path) continue;
        Disagreements disagreements;
        Network const other = read_fabric(*path, std::nullopt, disagreements).network;
        Network const& net = fabric_.network;
        ASSERT_EQ(other.nodes().size(), net.nodes().size());
        ASSERT_EQ(other.links().size(), net.links().size());
        ASSERT_EQ(other.hosts().size(), net.hosts().size());
        for (LinkRecord const& link : net.links()) {
            Node const from = other.node_by_guid(net[link.from].guid);
            ASSERT_TRUE(from.exists());
            Link const same = other.link_at(from, link.from_port);
            ASSERT_TRUE(same.exists()) << cable_end(net, link.from, link.from_port);
            ASSERT_EQ(cable_end(other, other[same].to, other[same].to_port), cable_end(net, link.to, link.to_port));
            if (other[same].rate.stated()) {
                ASSERT_EQ(other[same].rate, link.rate);
            }
        }
        for (HostRecord const& host : net.hosts())
            ASSERT_EQ(other.owner(host.lid).node, other.node_by_guid(net[host.node].guid));
        for (NodeRecord const& node : net.nodes())
            if (node.kind == NodeKind::switch_node) {
                NodeRecord const& same = other[other.node_by_guid(node.guid)];
                ASSERT_EQ(same.lid, node.lid);
                ASSERT_EQ(same.ports, node.ports);
                ASSERT_EQ(same.device, node.device);
            }
    }
    if (!path && !GetParam().path("opensm-subnet.lst")) GTEST_SKIP() << "the run has no list of cables";
}

INSTANTIATE_TEST_SUITE_P(Runs, OpensmData, testing::ValuesIn(all_runs()), [](auto const& one) {
    std::string name = one.param.fabric.parent_path().filename().string() == "opensm" &&
                               one.param.fabric.string().find("fixtures") != std::string::npos
                           ? "fixture_"
                           : "";
    name += one.param.fabric.filename().string() + "_" + one.param.name;
    for (char& c : name)
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
    return name;
});

TEST(OpensmDataShared, IsThere) {
    if (!shared_data_is_there()) GTEST_SKIP() << "only the small fixtures are here, not the developers' larger data";
    EXPECT_GT(all_runs().size(), 50u);
}

}  // namespace
}  // namespace tailback::opensm_data_test
