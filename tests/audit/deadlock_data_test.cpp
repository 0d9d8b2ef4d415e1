// Fabrics routed by a real subnet manager: the verdict is ibdmchk's, with service levels and SL2VL tables where the
// routing needs them (all endpoints counted, as ibdmchk counts them).
#include "host/audit/deadlock/deadlock.hpp"
#include "host/formats/lane_files.hpp"
#include "tests/support/programs/opensm_run.hpp"
#include "tests/support/programs/shared_data.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>

namespace tailback::deadlock_data_test {
namespace {

std::vector<OpensmRun> judged_runs() {
    std::vector<OpensmRun> runs;
    for (auto const& root : {fixtures() / "opensm", shared_data() / "opensm", shared_data() / "public"})
        for (OpensmRun& run : opensm_runs(root))
            if (run.credit_loops || run.path("path-sl.txt")) runs.push_back(std::move(run));
    return runs;
}

template <class Read>
auto read_file(std::string const& path, Network const& net, Disagreements& disagreements, Read read) {
    LineReader lines(open_source(path), path);
    return read(lines, net, disagreements);
}

class DeadlockData : public testing::TestWithParam<OpensmRun> {};

TEST_P(DeadlockData, VerdictIsThatOfIbdmchk) {
    OpensmRun const& run = GetParam();
    Disagreements disagreements;
    Fabric const fabric = run.read(disagreements);
    Forwarding const forwarding(fabric);
    std::vector<Host> hosts;
    for (std::size_t h = 0; h < fabric.network.hosts().size(); ++h) hosts.emplace_back(h);

    std::optional<std::string> const levels_path = run.path("path-sl.txt"), maps_path = run.path("opensm-sl2vl.dump");
    if (!levels_path) {
        DeadlockReport const report = find_deadlocks_on_one_lane(forwarding, hosts, hosts);
        EXPECT_EQ(report.free, !*run.credit_loops);
        std::ifstream in(run.fabric / run.name / "result.json");
        nlohmann::json const reference = nlohmann::json::parse(in);
        if (!reference.contains("cdg")) return;
        EXPECT_EQ(report.free, !reference["cdg"]["cyclic"].get<bool>());
        if (!report.free) {  // the reference's circle is any, ours the shortest
            std::size_t shortest = report.cycles.front().steps.size();
            for (DeadlockCycle const& cycle : report.cycles) shortest = std::min(shortest, cycle.steps.size());
            EXPECT_LE(shortest, reference["cdg"]["cycle_len"].get<std::size_t>());
        }
        return;
    }
    ASSERT_TRUE(maps_path);
    Disagreements of_lanes;
    LaneMaps const maps = read_file(*maps_path, fabric.network, of_lanes, read_lane_maps);
    ServiceLevels const levels = read_file(*levels_path, fabric.network, of_lanes, read_service_levels);
    EXPECT_TRUE(of_lanes.warnings().empty()) << of_lanes.warnings().front();
    DeadlockReport const report = find_deadlocks(forwarding, {hosts, hosts, &maps, &levels, 0});
    EXPECT_TRUE(report.free);
    EXPECT_EQ(report.pairs_without_level, 0u);
    EXPECT_EQ(report.turns_without_map, 0u);
    EXPECT_TRUE(report.drops.empty());
    RecordProperty("lanes", std::to_string(report.lanes));
    RecordProperty("free_on_one_lane", std::to_string(find_deadlocks_on_one_lane(forwarding, hosts, hosts).free));
}

INSTANTIATE_TEST_SUITE_P(Runs, DeadlockData, testing::ValuesIn(judged_runs()), [](auto const& one) {
    std::string name = one.param.fabric.string().find("fixtures") != std::string::npos ? "fixture_" : "";
    name += one.param.fabric.filename().string() + "_" + one.param.name;
    for (char& c : name)
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
    return name;
});

TEST(DeadlockDataShared, HasVerdicts) {
    if (!shared_data_is_there()) GTEST_SKIP() << "only the small fixtures are here, not the developers' larger data";
    EXPECT_GT(judged_runs().size(), 30u);
}

/// A 4x4x4 torus routed in the order of dimensions has circles of four on one lane.
TEST(DeadlockDataShared, TorusRoutedByDimensionsIsCyclic) {
    std::vector<OpensmRun> const runs = opensm_runs(shared_data() / "opensm");
    auto const run = std::find_if(runs.begin(), runs.end(), [](OpensmRun const& r) {
        return r.name == "dor" && r.fabric.filename() == "torus3d-444";
    });
    if (run == runs.end()) GTEST_SKIP() << "the developers' larger data is not here";
    Disagreements disagreements;
    Fabric const fabric = run->read(disagreements);
    Forwarding const forwarding(fabric);
    std::vector<Host> hosts;
    for (std::size_t h = 0; h < fabric.network.hosts().size(); ++h) hosts.emplace_back(h);
    DeadlockReport const report = find_deadlocks_on_one_lane(forwarding, hosts, hosts);
    ASSERT_FALSE(report.free);
    EXPECT_EQ(report.cycles.front().steps.size(), 4u);
}

}  // namespace
}  // namespace tailback::deadlock_data_test
