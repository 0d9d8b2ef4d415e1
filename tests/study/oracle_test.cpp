// The engine against the naive oracle: every number of every metric, for every pattern, on the nasty little networks.
// Loads, histograms, sums of congestion and delays agree exactly, mean bandwidths within 1e-12.
#include "tests/support/oracle/oracle.hpp"

#include "host/evaluation/evaluation.hpp"
#include "patterns/pattern.hpp"
#include "tests/support/networks/nasty_networks.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/families/xgft.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>

namespace tailback::oracle_test {
namespace {

/// Every pattern of the table that is written on its own: a new one is here by itself. Those whose flows have bytes are
/// held to their definitions in tests/patterns, and flows with bytes to the oracle in weights_test.cpp.
std::vector<std::string> const patterns = [] {
    std::vector<std::string> names;
    for (PatternInfo const& info : all_patterns()) {
        if (info.name == std::string("ptrnvsptrn") || info.name == std::string(listed_pattern)) continue;
        if (make_pattern(info.name, 16).weights.empty()) names.push_back(info.name);
    }
    return names;
}();
/// ORCS's come first in the table.
bool is_of_orcs(std::string const& pattern) {
    return std::find(patterns.begin(), patterns.end(), pattern) <
           std::find(patterns.begin(), patterns.end(), "all-to-all");
}

std::uint32_t least_ranks(std::string const& pattern) {
    for (PatternInfo const& info : all_patterns())
        if (info.name == pattern) return info.least_ranks;
    return 2;
}

Study to_study(oracle::Question const& q) {
    Study study;
    study.traffic.pattern = q.pattern;
    study.traffic.first = q.first;
    study.traffic.second = q.second;
    study.traffic.first_ranks = q.first_ranks;
    study.placement.ranks = q.ranks;
    study.placement.subset = q.subset == oracle::Subset::linear_bfs ? SubsetKind::linear_bfs
                             : q.subset == oracle::Subset::random   ? SubsetKind::random
                                                                    : SubsetKind::listed;
    for (std::uint32_t const h : q.subset_hosts) study.placement.subset_hosts.push_back(Host{h});
    study.placement.mapping = q.mapping == oracle::Mapping::random     ? MappingKind::random
                              : q.mapping == oracle::Mapping::identity ? MappingKind::identity
                                                                       : MappingKind::listed;
    for (std::uint32_t const h : q.mapping_hosts) study.placement.mapping_hosts.push_back(Host{h});
    study.sample.mappings = q.mappings;
    study.sample.seed = q.seed;
    study.traffic.level = q.level;
    study.measures.metrics.clear();
    study.measures.metrics = metrics_of_all();
    study.measures.capacities = q.unit_capacities ? CapacityKind::unit : CapacityKind::from_rates;
    study.placement.aggregation_nodes_are_hosts = q.aggregation_nodes_are_hosts;
    return study;
}

std::string describe(oracle::Question const& q) {
    std::string text = q.pattern;
    if (!q.first.empty()) text += " " + q.first + "(" + std::to_string(q.first_ranks) + ") vs " + q.second;
    return text + " on " + std::to_string(q.ranks) + " ranks, subset " + std::to_string(int(q.subset)) + ", mapping " +
           std::to_string(int(q.mapping)) + ", seed " + std::to_string(q.seed) +
           (q.level ? ", level " + std::to_string(*q.level) : "");
}

/// A network, its oracle and the hosts that may be used.
struct Subject {
    std::string name;
    Fabric const& fabric;
    oracle::Oracle oracle;
    std::vector<std::uint32_t> hosts;

    explicit Subject(NastyNetwork const& network)
        : name(network.name),
          fabric(network.fabric),
          oracle(fabric.network, fabric.tables),
          hosts(oracle::breadth_first(fabric.network, false)) {}
    std::uint32_t most_ranks() const { return std::min<std::uint32_t>(40, std::uint32_t(hosts.size())); }
};

std::vector<std::unique_ptr<Subject>> subjects() {
    std::vector<std::unique_ptr<Subject>> all;
    for (NastyNetwork const& network : nasty_networks()) all.push_back(std::make_unique<Subject>(network));
    return all;
}

/// Hosts for the listed kinds: in an order of their own.
void fill_lists(oracle::Question& q, Subject const& subject) {
    std::mt19937 random(static_cast<std::uint32_t>(q.seed));
    std::vector<std::uint32_t> hosts = subject.hosts;
    auto shuffle = [&] {
        for (std::size_t i = hosts.size(); i-- > 1;) std::swap(hosts[i], hosts[random() % (i + 1)]);
    };
    if (q.subset == oracle::Subset::listed) {
        shuffle();
        q.subset_hosts.assign(hosts.begin(), hosts.begin() + q.ranks);
    }
    if (q.mapping == oracle::Mapping::listed)
        for (std::uint64_t m = 0; m < q.mappings; ++m) {
            shuffle();
            q.mapping_hosts.insert(q.mapping_hosts.end(), hosts.begin(), hosts.begin() + q.ranks);
        }
}

void expect_number(double got, std::optional<double> want) {
    EXPECT_EQ(std::isnan(got), !want) << got;
    if (want) {
        EXPECT_NEAR(got, *want, 1e-12);
    }
}

void compare(Subject& subject, oracle::Question q) {
    fill_lists(q, subject);
    std::string const trace = subject.name + ": " + describe(q);
    SCOPED_TRACE(trace);
    oracle::Answer const want = subject.oracle.answer(q);

    StudyPlan const plan = make_plan(subject.fabric, to_study(q));
    std::vector<MappingTally> tallies;
    ExecutionOptions options;
    options.device = DeviceChoice::cpu;
    options.threads = 1;
    options.per_mapping = [&](std::uint64_t m, std::span<MappingTally const> row) {
        MappingTally const& tally = row.front();

        EXPECT_EQ(m, tallies.size());
        tallies.push_back(tally);
    };
    Evaluation const got = evaluate(plan, options);

    std::uint64_t delivered = 0, unreachable = 0, loop = 0, misdelivered = 0, local = 0, undefined = 0, with_flows = 0;
    double of_all = 0;
    ASSERT_EQ(tallies.size(), want.mappings.size());
    for (std::size_t m = 0; m < tallies.size(); ++m) {
        oracle::MappingAnswer const& one = want.mappings[m];
        std::vector<std::uint32_t> hosts;
        for (Host const h : plan.hosts_of_mapping(m)) hosts.push_back(h.value);
        EXPECT_EQ(hosts, one.hosts);
        auto const number = [&](Metric metric) { return number_of(plan, metric, tallies[m]); };
        // Of a barrier, whose flows have a byte each, in seconds.
        EXPECT_DOUBLE_EQ(number(Metric::sum_max_cong), one.sum_max_cong.value() * plan.congestion_unit());
        EXPECT_DOUBLE_EQ(number(Metric::dep_max_delay), one.dep_max_delay.value() * plan.congestion_unit());
        expect_number(number(Metric::hist_acc_band), one.hist_acc_band);
        EXPECT_EQ(tallies[m].delivered, one.delivered);
        EXPECT_EQ(tallies[m].unreachable, one.unreachable);
        EXPECT_EQ(tallies[m].loop, one.loop);
        EXPECT_EQ(tallies[m].misdelivered, one.misdelivered);
        delivered += one.delivered;
        unreachable += one.unreachable;
        loop += one.loop;
        misdelivered += one.misdelivered;
        local += one.local;
        undefined += !one.hist_acc_band;
        with_flows += one.hist_acc_band_of_all.has_value();
        of_all += one.hist_acc_band_of_all.value_or(0);
    }
    EXPECT_EQ(got.delivered, delivered);
    EXPECT_EQ(got.unreachable, unreachable);
    EXPECT_EQ(got.loop, loop);
    EXPECT_EQ(got.misdelivered, misdelivered);
    EXPECT_EQ(got.local, local);
    EXPECT_EQ(plan.flows_per_mapping * q.mappings, delivered + unreachable + loop + misdelivered + local);
    EXPECT_EQ(got.numbers.at(Metric::sum_max_cong).count(), q.mappings);
    EXPECT_EQ(got.numbers.at(Metric::dep_max_delay).count(), q.mappings);
    EXPECT_EQ(got.numbers.at(Metric::hist_acc_band).count(), q.mappings - undefined);
    EXPECT_EQ(got.numbers.at(Metric::hist_acc_band).undefined(), undefined);

    std::vector<std::pair<double, std::uint64_t>> histogram;
    for (auto const& [congestion, flows] : want.hist_max_cong)
        histogram.emplace_back(congestion.value() * plan.congestion_unit(), flows);
    auto const& counts = got.flows.at(Metric::hist_max_cong).counts;
    ASSERT_EQ(counts.size(), histogram.size());
    for (std::size_t i = 0; i < counts.size(); ++i) {
        EXPECT_DOUBLE_EQ(counts[i].first, histogram[i].first);
        EXPECT_EQ(counts[i].second, histogram[i].second);
    }
    expect_number(got.flows.at(Metric::hist_max_cong).mean_of_inverse, want.bw);
    expect_number(got.flows.at(Metric::hist_max_cong).mean_of_inverse_of_all, want.bw_of_all);
    bool const told_apart = got.numbers_of_all.contains(Metric::hist_acc_band);
    EXPECT_TRUE(told_apart || unreachable + loop + misdelivered == 0);
    expect_number((told_apart ? got.numbers_of_all : got.numbers).at(Metric::hist_acc_band).mean(),
                  with_flows > 0 ? std::optional(of_all / double(with_flows)) : std::nullopt);

    std::uint64_t largest = 0;
    for (auto const& [link, sum] : want.get_cable_cong) largest = std::max(largest, sum);
    EXPECT_EQ(got.largest_link_sum, largest);
    ASSERT_EQ(got.links.size(), subject.fabric.network.links().size());
    for (std::uint32_t l = 0; l < got.links.size(); ++l) {
        auto const at = want.get_cable_cong.find(l);
        std::uint64_t const sum = at == want.get_cable_cong.end() ? 0 : at->second;
        EXPECT_EQ(got.links[l].link, Link{l});
        EXPECT_EQ(got.links[l].sum, sum) << "link " << l;
        EXPECT_DOUBLE_EQ(got.links[l].scaled, largest == 0 ? 0 : double(sum) / double(largest));
    }
}

/// The question number i: kinds of subset and mapping, mappings and seed change with it.
oracle::Question question(std::string const& pattern, std::uint32_t ranks, std::uint64_t i) {
    oracle::Question q;
    q.pattern = pattern;
    q.ranks = ranks;
    q.subset = static_cast<oracle::Subset>(i % 3);
    q.mapping = static_cast<oracle::Mapping>(i / 3 % 3);
    q.mappings = 2 + i / 9 % 2;
    q.seed = i % 5 == 4 ? i * 0x9E3779B97F4A7C15u : i;
    return q;
}

TEST(Oracle, HasADefinitionOfEveryPattern) {
    for (std::string const& pattern : patterns)
        EXPECT_NO_THROW(oracle::levels_of(pattern, 8, std::vector<std::uint32_t>(8)))
            << pattern
            << " has no definition of its own in tests/support/oracle/oracle_patterns.cpp: write it there, from "
            << "docs/semantics.md and not from patterns/, so that every number of it is checked";
}

TEST(Oracle, EveryPatternOnOneToFortyRanks) {
    for (auto const& subject : subjects()) {
        std::uint64_t i = subject->name.size();
        for (std::string const& pattern : patterns)
            for (std::uint32_t n = least_ranks(pattern); n <= subject->most_ranks(); ++n) {
                compare(*subject, question(pattern, n, i++));
                if (HasFatalFailure() || HasNonfatalFailure()) return;  // one disagreement says enough
            }
    }
}

TEST(Oracle, EveryPatternAgainstEveryOther) {
    std::uint64_t i = 0, skipped = 0;
    std::uint32_t const sizes[] = {2, 3, 5, 8, 13, 20, 31, 40};
    for (auto const& subject : subjects()) {
        if (subject->most_ranks() < 2) continue;
        for (std::string const& first : patterns)
            for (std::string const& second : patterns) {
                if (!(is_of_orcs(first) && is_of_orcs(second)) && ++skipped % 7 != 0) continue;
                std::uint32_t const n = std::min(subject->most_ranks(), sizes[i % 8]);
                oracle::Question q = question("ptrnvsptrn", n, i);
                q.first = first;
                q.second = second;
                q.first_ranks = 1 + std::uint32_t(i * 7 % (n - 1));
                compare(*subject, q);
                ++i;
                if (HasFatalFailure() || HasNonfatalFailure()) return;
            }
    }
}

TEST(Oracle, EverySubsetWithEveryMapping) {
    for (auto const& subject : subjects())
        for (std::uint64_t i = 0; i < 9; ++i)
            for (std::string const pattern : {"bruck", "bisect", "rand"})
                for (std::uint32_t const n : {subject->most_ranks() / 2, subject->most_ranks()}) {
                    if (n < 2) continue;
                    compare(*subject, question(pattern, n, i));
                    if (HasFatalFailure() || HasNonfatalFailure()) return;
                }
}

TEST(Oracle, OneLevelAlone) {
    std::uint64_t i = 0;
    for (auto const& subject : subjects())
        for (std::string const pattern : {"tree", "bruck", "ring", "recdbl", "gather", "rand"}) {
            std::uint32_t const n = std::min(subject->most_ranks(), 11u);
            if (n < 2) continue;
            for (std::uint32_t level = 0; level < oracle::levels_of(pattern, n, std::vector<std::uint32_t>(n)).size();
                 ++level) {
                oracle::Question q = question(pattern, n, i++);
                q.level = level;
                compare(*subject, q);
                q.first = q.pattern;
                q.first_ranks = std::max(2u, n / 2);
                q.second = i % 2 == 0 ? "bruck" : "rand";
                q.pattern = "ptrnvsptrn";
                if (q.first_ranks < n &&
                    level < oracle::levels_of(q.first, q.first_ranks, std::vector<std::uint32_t>(n)).size())
                    compare(*subject, q);
                if (HasFatalFailure() || HasNonfatalFailure()) return;
            }
        }
}

TEST(Oracle, UnitCapacities) {
    for (auto const& subject : subjects())
        for (std::string const& pattern : patterns) {
            if (subject->most_ranks() < 2) continue;
            oracle::Question q = question(pattern, subject->most_ranks(), pattern.size());
            q.unit_capacities = true;
            compare(*subject, q);
        }
}

TEST(Oracle, AggregationNodesAsHosts) {
    for (NastyNetwork const& network : nasty_networks()) {
        Subject subject(network);
        std::vector<std::uint32_t> const more = oracle::breadth_first(network.fabric.network, true);
        EXPECT_EQ(more.size(), subject.hosts.size() + (network.name == "strange endpoints" ? 1 : 0));
        subject.hosts = more;
        if (more.size() < 2) continue;
        for (std::uint64_t i = 0; i < 9; ++i) {
            oracle::Question q = question("gather", subject.most_ranks(), i);
            q.aggregation_nodes_are_hosts = true;
            compare(subject, q);
        }
    }
}

/// More links between switches than 16 bits can number, with short routes and with long ones.
TEST(Oracle, LinkNumbersBeyond16Bits) {
    for (XgftSpec const& spec : {XgftSpec{{1, 260}, {1, 130}}, XgftSpec{{1, 2, 2, 90}, {1, 1, 4, 90}}}) {
        NastyNetwork const network{spec.text(), make_xgft(spec)};
        ASSERT_GT(network.fabric.network.links().size(), 0x10000u);
        Subject subject(network);
        for (std::uint64_t i = 0; i < 9; ++i)
            for (std::string const pattern : {"bruck", "bisect", "rand"}) compare(subject, question(pattern, 40, i));
    }
}

/// More flows on one link than 16 bits can count: 257 x 257 hosts of one leaf to the other leaf's.
TEST(Oracle, LoadsBeyond16Bits) {
    NastyNetwork const network{"two leaves, one spine", make_xgft({{257, 2}, {1, 1}})};
    Subject subject(network);
    oracle::Question q = question("513neighbor", 514, 0);
    q.mappings = 1;
    EXPECT_EQ(subject.oracle.answer(q).mappings.at(0).sum_max_cong, oracle::Fraction(257 * 257));
    compare(subject, q);
}

TEST(Oracle, BreadthFirstOrder) {
    for (NastyNetwork const& network : nasty_networks())
        for (bool const aggregation : {false, true}) {
            std::vector<std::uint32_t> got;
            for (Host const h : breadth_first_hosts(network.fabric.network, aggregation)) got.push_back(h.value);
            EXPECT_EQ(got, oracle::breadth_first(network.fabric.network, aggregation)) << network.name;
        }
}

TEST(Oracle, NoRanksGivenMeansEveryHost) {
    for (auto const& subject : subjects()) {
        Study study;
        study.traffic.pattern = "rand";
        study.sample.mappings = 1;
        StudyPlan const plan = make_plan(subject->fabric, study);
        EXPECT_EQ(plan.study.placement.ranks, subject->hosts.size()) << subject->name;
    }
}

TEST(Oracle, FailedPairsAreCountedAndNamed) {
    std::uint64_t all_failed = 0;
    for (auto const& subject : subjects()) {
        Study study;
        study.traffic.pattern = "rand";
        StudyPlan const plan = make_plan(subject->fabric, study);
        FailedPairs const got = failed_pairs(plan, 3);
        std::uint64_t ends[4] = {};
        for (std::uint32_t const s : subject->hosts)
            for (std::uint32_t const d : subject->hosts)
                if (s != d) ++ends[int(oracle::walk(subject->fabric.network, subject->fabric.tables, s, d).end)];
        EXPECT_EQ(got.pairs, ends[0] + ends[1] + ends[2] + ends[3]) << subject->name;
        EXPECT_EQ(got.unreachable, ends[1]) << subject->name;
        EXPECT_EQ(got.loop, ends[2]) << subject->name;
        EXPECT_EQ(got.misdelivered, ends[3]) << subject->name;
        EXPECT_EQ(got.first.size(), std::min<std::uint64_t>(3, ends[1] + ends[2] + ends[3])) << subject->name;
        for (FailedPair const& pair : got.first) {
            EXPECT_EQ(int(pair.fate), int(oracle::walk(subject->fabric.network, subject->fabric.tables,
                                                       pair.source.value, pair.destination.value)
                                              .end));
            EXPECT_NE(pair.why, "");
        }
        all_failed += got.failed();
    }
    EXPECT_GT(all_failed, 400u);  // or the nasty networks are not nasty
}

}  // namespace
}  // namespace tailback::oracle_test
