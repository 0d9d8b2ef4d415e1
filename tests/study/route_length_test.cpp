// route_length. Definition: the length of a flow's route is the number of its links, those of its two hosts included. A
// mapping's number is the mean length over the delivered flows of all its levels; a mapping without one has no number.
// The metric also sorts the delivered flows of all levels and mappings by length. Local flows, and flows that are not
// delivered, count nowhere.
#include "host/evaluation/evaluation.hpp"
#include "tests/support/networks/nasty_networks.hpp"
#include "tests/support/oracle/oracle.hpp"
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>
#include <map>

namespace tailback::route_length_test {
namespace {

using Json = nlohmann::json;
using FlowsByLength = std::map<std::uint64_t, std::uint64_t>;

// ---- against the oracle -------------------------------------------------------------------------------------------

struct Expected {
    std::vector<std::uint64_t> links, flows;  ///< by mapping: of its delivered flows
    FlowsByLength by_length;
};

/// Every route walked by the oracle.
Expected expected(Fabric const& fabric, oracle::Question const& q) {
    Expected want;
    oracle::Oracle asked(fabric.network, fabric.tables);
    oracle::Answer const answer = asked.answer(q);
    for (std::uint64_t m = 0; m < q.mappings; ++m) {
        std::vector<std::uint32_t> const& hosts = answer.mappings[m].hosts;
        std::uint64_t links = 0, flows = 0;
        for (oracle::Flows const& level :
             oracle::levels_of(q.pattern, q.ranks, oracle::permutation(q.seed, 3, m, q.ranks, q.ranks)))
            for (auto const& [from, to] : level) {
                if (from == to) continue;
                oracle::Walk const walk = oracle::walk(fabric.network, fabric.tables, hosts[from], hosts[to]);
                if (walk.end != oracle::End::delivered) continue;
                links += walk.links.size();
                ++flows;
                ++want.by_length[walk.links.size()];
            }
        want.links.push_back(links);
        want.flows.push_back(flows);
    }
    return want;
}

TEST(RouteLength, IsTheOraclesOnNastyNetworks) {
    Metric const metric = metric_named("route_length");
    std::uint64_t failed = 0;
    for (NastyNetwork const& nasty : nasty_networks())
        for (char const* const pattern : {"rand", "bisect", "bruck", "gather", "null"}) {
            SCOPED_TRACE(nasty.name + ", " + pattern);
            auto const hosts = static_cast<std::uint32_t>(oracle::breadth_first(nasty.fabric.network, false).size());
            if (hosts < 2) continue;
            oracle::Question q;
            q.pattern = pattern;
            q.ranks = std::min(hosts, 24u);
            q.mappings = 4;
            q.seed = 17;
            Study study;
            study.traffic.pattern = q.pattern;
            study.placement.ranks = q.ranks;
            study.sample.mappings = q.mappings;
            study.sample.seed = q.seed;
            study.measures.metrics = {metric};
            StudyPlan const plan = make_plan(nasty.fabric, study);
            std::vector<MappingTally> tallies;
            ExecutionOptions options{.device = DeviceChoice::cpu, .threads = 1};
            options.per_mapping = [&](std::uint64_t, std::span<MappingTally const> row) {
                MappingTally const& tally = row.front();
                tallies.push_back(tally);
            };
            Evaluation const got = evaluate(plan, options);

            Expected const want = expected(nasty.fabric, q);
            std::uint64_t undefined = 0;
            ASSERT_EQ(tallies.size(), q.mappings);
            for (std::size_t m = 0; m < q.mappings; ++m) {
                EXPECT_EQ(tallies[m].route_links, want.links[m]);
                EXPECT_EQ(tallies[m].delivered, want.flows[m]);
                double const number = number_of(plan, metric, tallies[m]);
                if (want.flows[m] == 0) EXPECT_TRUE(std::isnan(number));
                else EXPECT_NEAR(number, double(want.links[m]) / double(want.flows[m]), 1e-12);
                undefined += want.flows[m] == 0;
            }
            EXPECT_EQ(got.numbers.at(metric).undefined(), undefined);
            EXPECT_EQ(got.numbers.at(metric).count(), q.mappings - undefined);
            FlowsByLength by_length;
            for (auto const& [length, flows] : got.flows.at(metric).counts) by_length[std::uint64_t(length)] = flows;
            EXPECT_EQ(by_length, want.by_length);
            failed += got.unreachable + got.loop + got.misdelivered;
        }
    EXPECT_GT(failed, 0u);  // some flows are left out
}

// ---- closed forms, on every form of routes ------------------------------------------------------------------------

/// The report's part of a study of all ordered pairs of different hosts.
Json over_all_pairs(std::uint32_t hosts, Words const& network) {
    TemporaryFolder const folder;
    std::string const path = folder / "pairs";
    std::ofstream file(path);
    for (std::uint32_t s = 0; s < hosts; ++s)
        for (std::uint32_t d = 0; d < hosts; ++d)
            if (s != d) file << s << ' ' << d << '\n';
    file.close();
    Finished const run = run_tailback(
        joined(joined({"evaluate", "--network"}, network), {"--pattern", "file:" + path, "--mappings", "2", "--device",
                                                            "cpu", "--metric", "route_length", "--format", "json"}));
    EXPECT_EQ(run.code, 0) << run.err;
    return Json::parse(run.out).at("metrics").at("route_length");
}

FlowsByLength flows_in(Json const& metric) {
    FlowsByLength flows;
    for (Json const& bin : metric.at("flows")) flows[bin.at("links")] = bin.at("flows");
    return flows;
}

TEST(RouteLength, OfTreesIsTwiceTheLevelWhereTheHostsMeet) {
    // 4 x 3 x 2 hosts; 3, 8 and 12 others meet a host on level 1, 2 and 3. Two mappings.
    FlowsByLength const want = {{2, 2 * 24 * 3}, {4, 2 * 24 * 8}, {6, 2 * 24 * 12}};
    for (Words const& how :
         {Words{"--routes", "tables"}, Words{"--routes", "arithmetic"},
          Words{"--routes", "trees", "--routing", "minhop"}, Words{"--routes", "tables", "--routing", "smodk"},
          Words{"--routes", "tables", "--routing", "minhop"}}) {
        SCOPED_TRACE(how.back());
        Json const got = over_all_pairs(24, joined({"xgft:m=4x3x2,w=1x2x2"}, how));
        EXPECT_EQ(flows_in(got), want);
        EXPECT_NEAR(got.at("mean").get<double>(), (2 * 3 + 4 * 8 + 6 * 12) / 23.0, 1e-11);
    }
}

TEST(RouteLength, OfHypercubesIsTheDistanceAndTwo) {
    FlowsByLength want;
    std::uint64_t choose = 1;  // of d dimensions out of 6
    for (std::uint64_t d = 1; d <= 6; ++d) {
        choose = choose * (7 - d) / d;
        want[d + 2] = 2 * 64 * choose;
    }
    for (Words const& how : {Words{"--routes", "tables"}, Words{"--routes", "trees", "--routing", "minhop"}}) {
        Json const got = over_all_pairs(64, joined({"hypercube:n=6"}, how));
        EXPECT_EQ(flows_in(got), want);
        EXPECT_NEAR(got.at("mean").get<double>(), 2 + 6 * 32 / 63.0, 1e-11);
    }
}

/// Mean distance on a ring of k to all k, itself included: k/4, or (k^2 - 1)/(4k) where k is odd. Dimensions add up.
TEST(RouteLength, OfToriIsTheMeanDistanceAndTwo) {
    for (Words const& how : {Words{"--routes", "tables"}, Words{"--routes", "arithmetic"},
                             Words{"--routes", "trees", "--routing", "minhop"}}) {
        SCOPED_TRACE(how[1]);
        Json const got = over_all_pairs(30, joined({"torus:6x5"}, how));
        EXPECT_NEAR(got.at("mean").get<double>(), 2 + (1.5 + 1.2) * 30 / 29, 1e-11);
    }
}

// ---- as a metric --------------------------------------------------------------------------------------------------

/// What `tailback trace` lists is what is counted: a flow alone, between two hosts at a time.
TEST(RouteLength, IsWhatTraceLists) {
    TemporaryFolder const folder;
    std::ofstream(folder / "one") << "0 1\n";
    for (char const* const last : {"H2", "H7", "H12", "H18"}) {
        std::ofstream(folder / "hosts") << "H1 " << last << '\n';
        Words const network = {"--network", "dragonfly:a=4,p=2,h=2", "--routing", "minimal"};
        Finished const trace = run_tailback(joined(joined({"trace"}, network), {"H1", last}));
        ASSERT_EQ(trace.code, 0) << trace.err;
        std::uint64_t links = 0;
        for (std::size_t at = 0; (at = trace.out.find(" -> ", at)) != std::string::npos; ++at) ++links;
        Finished const study =
            run_tailback(joined(joined({"evaluate"}, network),
                                {"--pattern", "file:" + (folder / "one"), "--mapping", "file:" + (folder / "hosts"),
                                 "--metric", "route_length", "--format", "json"}));
        ASSERT_EQ(study.code, 0) << study.err;
        EXPECT_EQ(Json::parse(study.out).at("metrics").at("route_length").at("mean"), links) << trace.out;
    }
}

TEST(RouteLength, StopsAtAGoalAndIsAColumnOfEveryMapping) {
    TemporaryFolder const folder;
    Finished const run = run_tailback({"evaluate", "--network", "torus:4x4", "--metric", "route_length", "--until",
                                       "ci=0.05", "--per-mapping", folder / "rows", "--format", "json"});
    ASSERT_EQ(run.code, 0) << run.err;
    Json const report = Json::parse(run.out);
    EXPECT_EQ(report.at("until").at("metric"), "route_length");
    EXPECT_TRUE(report.at("until").at("reached"));
    std::ifstream rows(folder / "rows");
    std::string line;
    ASSERT_TRUE(std::getline(rows, line));
    EXPECT_EQ(line, "mapping,route_length,delivered,unreachable,loop,misdelivered,local");
    double sum = 0;
    std::uint64_t mappings = 0;
    for (; std::getline(rows, line); ++mappings) {
        std::size_t const comma = line.find(',');
        double const mean = std::stod(line.substr(comma + 1));
        EXPECT_NEAR(8 * mean, std::round(8 * mean), 1e-9) << "a mean over 8 flows";
        sum += mean;
    }
    EXPECT_EQ(mappings, report.at("study").at("mappings"));
    EXPECT_NEAR(report.at("metrics").at("route_length").at("mean"), sum / double(mappings), 1e-9);
}

}  // namespace
}  // namespace tailback::route_length_test
