// Flows with weights (docs/semantics.md): the load of a link is the sum of the weights of its flows, the congestion of
// a flow the largest load/capacity on its route, its bandwidth its weight over that. Held to the naive oracle with
// exact fractions, to the kernel's body, to published sums; weights that are all the same change nothing but the unit.
#include "host/evaluation/evaluation.hpp"
#include "host/report/evaluate/evaluate_report.hpp"
#include "host/study/flow_file.hpp"
#include "patterns/pattern.hpp"
#include "tests/support/networks/nasty_networks.hpp"
#include "tests/support/oracle/oracle.hpp"
#include "tests/support/programs/outcome.hpp"
#include "tests/support/programs/reading.hpp"
#include "tests/support/programs/shared_data.hpp"
#include "tests/support/rooms.hpp"
#include "tests/support/teams/isas.hpp"
#include "topologies/families/xgft.hpp"
#include "topologies/routing.hpp"
#include "topologies/topology.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <random>
#include <sstream>

namespace tailback::weights_test {
namespace {

FlowList read(std::string const& text) {
    LineReader lines = lines_of_text(text, "flows");
    return read_flows(lines);
}

Study study_of(FlowList list, std::uint32_t ranks = 0) {
    Study study;
    study.traffic.pattern = listed_pattern;
    study.traffic.listed_flows = std::move(list);
    study.placement.ranks = ranks;
    study.measures.metrics = every_metric();
    study.sample.mappings = 3;
    return study;
}

Evaluation evaluate_on_cpu(StudyPlan const& plan, unsigned threads = 1) {
    ExecutionOptions options;
    options.device = DeviceChoice::cpu;
    options.threads = threads;
    return evaluate(plan, options);
}

std::string json_of(Fabric const& fabric, Study const& study, unsigned threads = 1) {
    StudyPlan const plan = make_plan(fabric, study);
    std::ostringstream out;
    write_json(out, value_of(make_report(plan, evaluate_on_cpu(plan, threads))));
    return out.str();
}

/// Random levels of flows, some from a rank to itself, some twice, of weights that differ by orders of magnitude.
oracle::Question random_question(std::uint32_t ranks, std::uint32_t seed) {
    std::mt19937 random(seed);
    oracle::Question q;
    q.pattern = "file";
    q.ranks = ranks;
    q.seed = seed;
    q.mappings = 2;
    q.mapping = seed % 3 == 0 ? oracle::Mapping::identity : oracle::Mapping::random;
    q.subset = seed % 4 == 1 ? oracle::Subset::random : oracle::Subset::linear_bfs;
    for (std::size_t level = 0; level < 1 + seed % 3; ++level) {
        q.listed.emplace_back();
        q.weights.emplace_back();
        for (std::uint32_t f = 0; f < 1 + random() % (3 * ranks); ++f) {
            q.listed.back().emplace_back(random() % ranks, random() % ranks);
            q.weights.back().push_back(1 + random() % (std::uint32_t{1} << random() % 20));
        }
    }
    return q;
}

std::string file_of(oracle::Question const& q) {
    std::string text = "ranks " + std::to_string(q.ranks) + "\n";
    for (std::size_t l = 0; l < q.listed.size(); ++l) {
        text += "level\n";
        for (std::size_t f = 0; f < q.listed[l].size(); ++f)
            text += std::to_string(q.listed[l][f].first) + " " + std::to_string(q.listed[l][f].second) + " " +
                    std::to_string(q.weights[l][f]) + "\n";
    }
    return text;
}

void expect_near(double got, std::optional<double> want) {
    EXPECT_EQ(std::isnan(got), !want);
    if (want) {
        EXPECT_NEAR(got, *want, 1e-12);
    }
}

/// The histogram by exact congestion, put into the bins that reports have.
void expect_binned(FlowsSorted const& got, std::map<oracle::Fraction, std::uint64_t> const& want) {
    ASSERT_EQ(got.counts.size(), got.ends.size());
    std::uint64_t flows = 0, wanted = 0;
    for (auto const& [congestion, count] : want) wanted += count;
    for (std::size_t b = 0; b < got.counts.size(); ++b) {
        std::uint64_t inside = 0;
        for (auto const& [congestion, count] : want)
            if (got.counts[b].first <= congestion.value() && congestion.value() < got.ends[b]) inside += count;
        EXPECT_EQ(got.counts[b].second, inside) << got.counts[b].first;
        flows += inside;
    }
    EXPECT_EQ(flows, wanted);
}

void compare(Fabric const& fabric, oracle::Oracle& oracle, oracle::Question q) {
    q.unit_capacities = fabric.network.links().size() % 2 == 0 && q.seed % 2 == 0;
    oracle::Answer const want = oracle.answer(q);
    Study study = study_of(read(file_of(q)), q.ranks);
    study.sample.mappings = q.mappings;
    study.sample.seed = q.seed;
    study.placement.mapping = q.mapping == oracle::Mapping::identity ? MappingKind::identity : MappingKind::random;
    study.placement.subset = q.subset == oracle::Subset::random ? SubsetKind::random : SubsetKind::linear_bfs;
    study.measures.capacities = q.unit_capacities ? CapacityKind::unit : CapacityKind::from_rates;
    StudyPlan const plan = make_plan(fabric, study);
    if (plan.problem.traffic.weights == nullptr) return;  // all the same
    double const unit = plan.congestion_unit();
    std::vector<MappingTally> tallies;
    ExecutionOptions options;
    options.device = DeviceChoice::cpu;
    options.threads = 1;
    options.per_mapping = [&](std::uint64_t, std::span<MappingTally const> row) {
        MappingTally const& tally = row.front();
        tallies.push_back(tally);
    };
    Evaluation const got = evaluate(plan, options);
    ASSERT_EQ(tallies.size(), want.mappings.size());
    for (std::size_t m = 0; m < tallies.size(); ++m) {
        oracle::MappingAnswer const& one = want.mappings[m];
        EXPECT_EQ(double(tallies[m].congestion_sum) / plan.denominator, one.sum_max_cong.value());
        EXPECT_EQ(double(tallies[m].delay) / plan.denominator, one.dep_max_delay.value());
        EXPECT_DOUBLE_EQ(number_of(plan, Metric::sum_max_cong, tallies[m]), one.sum_max_cong.value() * unit);
        EXPECT_DOUBLE_EQ(number_of(plan, Metric::dep_max_delay, tallies[m]), one.dep_max_delay.value() * unit);
        expect_near(number_of(plan, Metric::hist_acc_band, tallies[m]), one.hist_acc_band);
        EXPECT_EQ(tallies[m].delivered, one.delivered);
        EXPECT_EQ(tallies[m].unreachable, one.unreachable);
    }
    FlowsSorted by_congestion = got.flows.at(Metric::hist_max_cong);
    for (auto& [low, count] : by_congestion.counts) low /= unit;
    for (double& end : by_congestion.ends) end /= unit;
    if (unit == 1) expect_binned(by_congestion, want.hist_max_cong);
    expect_near(by_congestion.mean_of_inverse, want.bw);
    for (LinkSum const& link : got.links) {
        auto const at = want.get_cable_cong.find(link.link.value);
        EXPECT_EQ(link.sum, at == want.get_cable_cong.end() ? 0 : at->second);
    }
}

TEST(Weights, AgreeWithTheOracle) {
    std::uint32_t seed = 0;
    for (NastyNetwork const& network : nasty_networks()) {
        SCOPED_TRACE(network.name);
        oracle::Oracle oracle(network.fabric.network, network.fabric.tables);
        auto const hosts = std::uint32_t(oracle::breadth_first(network.fabric.network, false).size());
        if (hosts < 2) continue;
        for (int i = 0; i < 12; ++i)
            compare(network.fabric, oracle, random_question(2 + seed % std::min(39u, hosts - 1), seed)), ++seed;
        if (HasFailure()) return;
    }
    EXPECT_GT(seed, 100u);
}

/// Every metric at once takes the kernel's body; bandwidth and congestion alone take rows, by each instruction set.
TAILBACK_IN_EACH_ISA(WeightedRows);

TEST_P(WeightedRows, AreTheBodys) {
    std::mt19937 random(3);
    for (XgftSpec const& spec : {XgftSpec{{4, 6}, {1, 4}, 0}, XgftSpec{{3, 3, 4}, {1, 3, 3}, 0},
                                 XgftSpec{{2, 2, 2, 2, 2, 2}, {1, 2, 2, 2, 2, 1}, 60}}) {
        Fabric const fabric = make_xgft(spec);
        auto const hosts = static_cast<std::uint32_t>(fabric.network.hosts().size());
        for (std::uint32_t flows : {1u, 7u, 8u, 9u, 511u, 512u, 2000u}) {
            std::string text = "ranks " + std::to_string(hosts) + "\n";
            for (std::uint32_t f = 0; f < flows; ++f)
                text += std::to_string(random() % hosts) + " " + std::to_string(random() % hosts) + " " +
                        std::to_string(1 + std::uint64_t{random()} * (random() % 100 == 0 ? random() >> 14 : 1)) +
                        "\n" + (f % 300 == 299 ? "level\n" : "");
            Study study = study_of(read(text));
            study.measures.metrics = {Metric::hist_acc_band, Metric::sum_max_cong, Metric::hist_max_cong};
            StudyPlan const plan = make_plan(fabric, study);
            if (plan.problem.traffic.weights == nullptr) continue;
            Outcome const body = run(*make_cpu_executor(plan.problem, 1, CpuVariant::kernel_body), 40);
            EXPECT_GT(body.tallies[0].share_sum, 0u);
            Outcome const fast = run(*make_cpu_executor(plan.problem, 1), 40);
            EXPECT_EQ(fast.tallies, body.tallies);
            EXPECT_EQ(fast.totals, body.totals);
        }
    }
}

/// Bytes that are given are bytes: of one byte a flow, numbers are as without, in bytes (here no rates are known).
TEST(Weights, OfOneByteAreBytes) {
    Fabric const fabric = make_xgft({{3, 3, 4}, {1, 3, 3}, 0});
    FlowList list = make_pattern("bruck", 36);
    StudyPlan const plain = make_plan(fabric, study_of(list));
    std::ostringstream text;
    list.bytes_given = true;
    write_flows(text, list);
    StudyPlan const bytes = make_plan(fabric, study_of(read(text.str())));
    EXPECT_FALSE(plain.has_bytes());
    EXPECT_EQ(bytes.bytes, list.flows.size());
    EXPECT_EQ(bytes.problem.traffic.weights, nullptr);
    Evaluation const a = evaluate_on_cpu(plain), b = evaluate_on_cpu(bytes);
    EXPECT_EQ(a.numbers.at(Metric::sum_max_cong).mean(), b.numbers.at(Metric::sum_max_cong).mean());
    EXPECT_EQ(a.numbers.at(Metric::hist_acc_band).mean(), b.numbers.at(Metric::hist_acc_band).mean());
    EXPECT_EQ(a.largest_link_sum, b.largest_link_sum);
}

TEST(Weights, TheSameForAllFlowsIsAUnit) {
    Fabric const fabric = make_xgft({{3, 3, 4}, {1, 3, 3}, 0});
    FlowList list = make_pattern("recdbl", 36);
    StudyPlan const plain = make_plan(fabric, study_of(list));
    list.weights.assign(list.flows.size(), 1'000'000);
    StudyPlan const weighted = make_plan(fabric, study_of(list));
    EXPECT_EQ(weighted.problem.traffic.weights, nullptr);
    Evaluation const a = evaluate_on_cpu(plain), b = evaluate_on_cpu(weighted);
    EXPECT_EQ(weighted.bytes, 1'000'000 * list.flows.size());
    EXPECT_EQ(b.numbers.at(Metric::sum_max_cong).mean(), 1e6 * a.numbers.at(Metric::sum_max_cong).mean());
    EXPECT_EQ(b.numbers.at(Metric::dep_max_delay).max(), 1e6 * a.numbers.at(Metric::dep_max_delay).max());
    EXPECT_EQ(b.numbers.at(Metric::hist_acc_band).mean(), a.numbers.at(Metric::hist_acc_band).mean());
    EXPECT_EQ(b.flows.at(Metric::hist_max_cong).mean_of_inverse, a.flows.at(Metric::hist_max_cong).mean_of_inverse);
    EXPECT_EQ(b.flows.at(Metric::hist_max_cong).counts[0].first,
              1e6 * a.flows.at(Metric::hist_max_cong).counts[0].first);
    EXPECT_EQ(b.largest_link_sum, 1'000'000 * a.largest_link_sum);
}

/// One more byte on one flow sends the same study through the kernels for weights: the numbers are all but the same.
TEST(Weights, NearlyTheSameAreNearlyTheUnit) {
    Fabric const fabric = make_xgft({{3, 3, 4}, {1, 3, 3}, 0});
    FlowList list = make_pattern("bruck", 36);
    list.weights.assign(list.flows.size(), std::uint64_t{1} << 40);
    Evaluation const same = evaluate_on_cpu(make_plan(fabric, study_of(list)));
    ++list.weights.back();
    Evaluation const other = evaluate_on_cpu(make_plan(fabric, study_of(list)));
    for (Metric const metric :
         {Metric::sum_max_cong, Metric::dep_max_delay, Metric::hist_acc_band, Metric::route_length})
        EXPECT_NEAR(other.numbers.at(metric).mean() / same.numbers.at(metric).mean(), 1, 1e-11) << int(metric);
    EXPECT_EQ(other.flows.at(Metric::route_length).counts, same.flows.at(Metric::route_length).counts);
}

/// Known by hand: 10^9 bytes over 4xEDR (100 Gb/s) between hosts of 4xHDR (200 Gb/s) take 0.08 s, alone on the link.
TEST(Weights, SecondsWhereRatesAreKnown) {
    Disagreements disagreements;
    Fabric fabric;
    fabric.network = read_topology(two_leaves, disagreements);
    fabric.tables = ForwardingTables(fabric.network);
    fabric.routed = true;
    Network const& net = fabric.network;
    for (HostRecord const& host : net.hosts()) {
        Node const leaf = net[net.first_link(host.node)].to;
        fabric.tables.add_table(leaf);
        for (HostRecord const& to : net.hosts()) fabric.tables.set(leaf, to.lid, to.lid == host.lid ? 1 : 3);
    }
    Study study = study_of(read("0 1 1000000000\nlevel\n1 0 500000000\n0 1 1\n"));
    StudyPlan const plan = make_plan(fabric, study);
    EXPECT_TRUE(plan.in_seconds());
    Evaluation const result = evaluate_on_cpu(plan);
    EXPECT_DOUBLE_EQ(result.numbers.at(Metric::sum_max_cong).mean(), 0.08 + 0.04);
    EXPECT_DOUBLE_EQ(result.numbers.at(Metric::dep_max_delay).mean(), 0.08 + 0.04);
    EXPECT_NEAR(result.numbers.at(Metric::hist_acc_band).mean(), 0.5, 1e-12);
}

/// Sum over links of load = sum over flows of bytes x links of the route, on any network and routing.
TEST(Weights, LoadsAreConserved) {
    for (NastyNetwork const& network : nasty_networks()) {
        SCOPED_TRACE(network.name);
        oracle::Oracle oracle(network.fabric.network, network.fabric.tables);
        auto const hosts = oracle::breadth_first(network.fabric.network, false);
        if (hosts.size() < 2) continue;
        oracle::Question const q = random_question(std::uint32_t(hosts.size()), 3);
        Study study = study_of(read(file_of(q)));
        study.placement.mapping = MappingKind::identity;
        study.sample.mappings = 1;
        std::uint64_t on_links = 0, sent = 0;
        for (LinkSum const& link : evaluate_on_cpu(make_plan(network.fabric, study)).links) on_links += link.sum;
        for (std::size_t l = 0; l < q.listed.size(); ++l)
            for (std::size_t f = 0; f < q.listed[l].size(); ++f) {
                auto const [from, to] = q.listed[l][f];
                if (from == to) continue;
                oracle::Walk const route =
                    oracle::walk(network.fabric.network, network.fabric.tables, hosts[from], hosts[to]);
                if (route.end == oracle::End::delivered) sent += std::uint64_t(q.weights[l][f]) * route.links.size();
            }
        EXPECT_EQ(on_links, sent);
    }
}

/// QAPLIB: flows between as many ranks as a mesh has switches, and a placement of known hop-bytes, that is of the sum
/// of the loads of the links between switches.
TEST(Weights, PublishedHopBytes) {
    if (!shared_data_is_there()) GTEST_SKIP() << "no ../shared/data";
    struct Case {
        char const* name;
        std::uint32_t rows, columns;
        std::uint64_t hop_bytes;
    };
    for (Case const& c : {Case{"nug12", 3, 4, 578}, Case{"nug15", 3, 5, 1150}, Case{"nug20", 4, 5, 2570},
                          Case{"nug30", 5, 6, 6124}, Case{"sko42", 6, 7, 15812}, Case{"sko64", 8, 8, 48498}}) {
        SCOPED_TRACE(c.name);
        std::ifstream file(shared_data() / "placement" / (std::string(c.name) + ".matrix"));
        std::string line;
        std::getline(file, line);
        std::getline(file, line);
        std::istringstream places(line.substr(line.find(':', line.find("1, ..")) + 1));
        std::uint32_t const ranks = c.rows * c.columns;
        std::vector<std::uint32_t> place(ranks);
        for (std::uint32_t& p : place) places >> p;
        std::string flows;
        for (std::uint32_t i = 0; i < ranks; ++i)
            for (std::uint32_t j = 0; j < ranks; ++j) {
                std::uint64_t bytes = 0;
                ASSERT_TRUE(file >> bytes);
                if (bytes > 0)
                    flows += std::to_string(i) + " " + std::to_string(j) + " " + std::to_string(bytes) + "\n";
            }
        Topology const mesh = make_topology("mesh:" + std::to_string(c.columns) + "x" + std::to_string(c.rows));
        Routes routes = make_routes(mesh, {"dor", 1});
        Fabric const fabric{mesh.network, std::move(routes.tables), true, std::move(routes.routing)};
        Study study = study_of(read(flows));
        study.placement.mapping = MappingKind::listed;
        study.placement.ranks = ranks;
        for (std::uint32_t const p : place) study.placement.mapping_hosts.emplace_back(p);
        std::uint64_t sum = 0;
        Evaluation const result = evaluate_on_cpu(make_plan(fabric, study));
        for (LinkSum const& link : result.links)
            if (fabric.between_switches(link.link)) sum += link.sum;
        EXPECT_EQ(sum, c.hop_bytes);
        EXPECT_EQ(result.numbers.at(Metric::hop_bytes).mean(), double(c.hop_bytes));
    }
}

TEST(Weights, BinsAreOrderedAndNarrow) {
    EXPECT_EQ(weighted_bin(UINT64_MAX), weighted_bins - 1);
    for (std::uint32_t bin = 1; bin < weighted_bins; ++bin) {
        std::uint64_t const first = first_of_weighted_bin(bin), next = first_of_weighted_bin(bin + 1);
        ASSERT_LT(first, next);
        ASSERT_EQ(weighted_bin(first), bin);
        ASSERT_EQ(weighted_bin(next - (bin + 1 < weighted_bins ? 1 : 0)), bin);
        ASSERT_EQ(weighted_bin(first - 1), bin - 1);
        ASSERT_LE(double(next - first), std::max(1.0, double(first) / 32));
    }
}

TEST(Weights, AnyNumberOfThreadsAndAnyOrderOfTheFile) {
    Fabric const fabric = make_xgft({{3, 3, 4}, {1, 3, 3}, 0});
    oracle::Question q = random_question(36, 2);
    Study study = study_of(read(file_of(q)));
    study.sample.mappings = 100;
    std::string const one = json_of(fabric, study, 1);
    EXPECT_EQ(one, json_of(fabric, study, 3));
    std::reverse(q.listed[1].begin(), q.listed[1].end());
    std::reverse(q.weights[1].begin(), q.weights[1].end());
    Study reversed = study_of(read(file_of(q)));
    reversed.sample.mappings = 100;
    EXPECT_EQ(one, json_of(fabric, reversed, 2));
}

TEST(Weights, ThirdColumnOfPatternFiles) {
    FlowList const list = read("0 1 5\n1 1 7\n1 0\nlevel\n2 0 9223372036854775807\n");
    EXPECT_EQ(list.weights, (std::vector<std::uint64_t>{5, 1, 9223372036854775807u}));
    std::ostringstream text;
    write_flows(text, list);
    EXPECT_EQ(read(text.str()).weights, list.weights);
    EXPECT_TRUE(read("0 1 1\n1 0\n").weights.empty());
    EXPECT_EQ(error_of([] { read("0 1\n0 1 0\n"); }).substr(0, 24), "flows:2: a flow of 0 byt");
    EXPECT_NE(error_of([] { read("0 1 9223372036854775808\n"); }).find("flows:1: number of bytes"), std::string::npos);
    EXPECT_NE(error_of([] { read("0 1 x\n"); }).find("is not a number of bytes"), std::string::npos);
    EXPECT_NE(error_of([] { read("0 1 -5\n"); }).find("is not a number of bytes"), std::string::npos);
    EXPECT_NE(error_of([] { read("0 1 5 6\n"); }).find("one word too many"), std::string::npos);
}

TEST(Weights, SumsBeyond63BitsAreRefusedBeforehand) {
    Fabric const fabric = make_xgft({{4, 6}, {1, 4}, 0});
    std::string const half = std::to_string(std::uint64_t{1} << 62);
    EXPECT_NE(error_of([&] {
                  make_plan(fabric, study_of(read("0 1 " + half + "\n1 2 " + half + "\n2 3 1\n")));
              }).find("too many bytes"),
              std::string::npos);
    Study study = study_of(read("0 1 " + half + "\n2 3 1\n"));
    study.sample.mappings = 1;
    EXPECT_NO_THROW(evaluate_on_cpu(make_plan(fabric, study)));
    study.sample.mappings = 4;
    EXPECT_NE(error_of([&] { evaluate_on_cpu(make_plan(fabric, study)); }).find("over all mappings"),
              std::string::npos);
    study.measures.metrics = {Metric::hist_acc_band};
    EXPECT_NO_THROW(evaluate_on_cpu(make_plan(fabric, study)));
}

TEST(Weights, OneLevelAndTwoPatternsKeepTheirs) {
    FlowList const list = read("0 1 5\nlevel\n1 0 6\n0 1 7\n");
    EXPECT_EQ(only_level(list, 1).weights, (std::vector<std::uint64_t>{6, 7}));
    FlowList merged;
    merged.ranks = 4;
    FlowList const plain = read("0 1\n");
    append_merged_level(merged, plain, 0, list, 1);
    append_merged_level(merged, plain, 0, plain, 0);
    EXPECT_EQ(merged.weights, (std::vector<std::uint64_t>{1, 6, 7, 1, 1}));
}

}  // namespace
}  // namespace tailback::weights_test
