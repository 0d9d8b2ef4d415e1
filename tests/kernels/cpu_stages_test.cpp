// The CPU's stages come to the tallies and totals of the kernel's own body: over networks and routings of every row
// width, all patterns, subsets and metrics, rows as sums, wide seats, counters that pass 16 bits, pairs without routes
// and links of different rates, in every instruction set. Their permutations are draw_permutation's.
#include "host/evaluation/evaluation.hpp"
#include "kernels/cpu/fast/draw_places.hpp"
#include "kernels/cpu/fast/stages.hpp"
#include "kernels/cpu/fast/team.hpp"
#include "kernels/evaluate/route_sums.hpp"
#include "patterns/pattern.hpp"
#include "tests/support/networks/nasty_networks.hpp"
#include "tests/support/networks/regular.hpp"
#include "tests/support/programs/outcome.hpp"
#include "tests/support/rooms.hpp"
#include "tests/support/teams/isas.hpp"
#include "topologies/failures.hpp"
#include "topologies/families/xgft.hpp"
#include "topologies/routing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace tailback::cpu_stages_test {
namespace {

TAILBACK_IN_EACH_ISA(CpuStages);
TAILBACK_IN_EACH_ISA(DrawPlaces);

Fabric make_routed(std::string const& spec, std::string const& routing) {
    Topology topology = make_topology(spec);
    Fabric fabric;
    fabric.tables = make_tables(topology, {routing.empty() ? topology.usual_routing : routing, 7});
    fabric.network = std::move(topology.network);
    fabric.routed = true;
    return fabric;
}

/// A tenth of the cables between switches fails after routing, or before it.
Fabric make_broken(std::string const& spec, bool around) {
    Topology topology = make_topology(spec);
    Fabric fabric;
    if (!around) fabric.tables = make_tables(topology, {topology.usual_routing, 7});
    Failures failures;
    failures.cables = parse_failures("", around ? "switch:10%" : "10%", true);
    topology.network = degrade(topology.network, failures).network;
    if (around) fabric.tables = make_tables(topology, {"minhop", 7});
    fabric.network = std::move(topology.network);
    fabric.routed = true;
    return fabric;
}

Outcome run(Problem const& problem, unsigned threads, CpuVariant way, std::size_t mappings, std::uint64_t first = 3) {
    return tailback::run(*make_cpu_executor(problem, threads, way), mappings, first);
}

template <class HostWord>
void expect_same_by(stages::RowsBy by, Problem const& problem, Outcome const& want) {
    stages::Rows<HostWord> const rows = stages::make_rows<HostWord>(problem, by);
    if (!rows.finder) return;
    SCOPED_TRACE(::testing::Message() << "rows " << int(by) << ", seats of " << 8 * sizeof(HostWord) << " bits");
    stages::Mapping<HostWord> mapping(problem, rows);
    Outcome got{std::vector<MappingTally>(want.tallies.size()), Totals(problem)};
    for (std::size_t m = 0; m < got.tallies.size(); ++m) got.tallies[m] = mapping.evaluate(3 + m, got.totals.view());
    EXPECT_EQ(want.tallies, got.tallies);
    EXPECT_EQ(want.totals, got.totals);
}

void expect_same(Problem const& problem, std::size_t mappings) {
    Outcome const body = run(problem, 1, CpuVariant::kernel_body, mappings);
    Outcome const stages = run(problem, 2, CpuVariant::fastest, mappings);
    EXPECT_EQ(body.tallies, stages.tallies);
    EXPECT_EQ(body.totals, stages.totals);
    for (stages::RowsBy const by : {stages::RowsBy::usual, stages::RowsBy::table, stages::RowsBy::halves,
                                    stages::RowsBy::sums, stages::RowsBy::blocks}) {
        expect_same_by<std::uint32_t>(by, problem, body);
        if (!stages::host_indices_are_wide(problem)) expect_same_by<std::uint16_t>(by, problem, body);
    }
}

Study study_of(std::string const& pattern, std::vector<Metric> metrics) {
    Study study;
    study.traffic.pattern = pattern;
    study.measures.metrics = std::move(metrics);
    return study;
}

/// Each metric alone, as kernels do less then, and all at once.
std::vector<std::vector<Metric>> sets_of_metrics() {
    std::vector<std::vector<Metric>> sets(1);
    for (Metric const metric : metrics_of_all()) {
        sets.push_back({metric});
        sets[0].push_back(metric);
    }
    return sets;
}

// Definition: the tally of a mapping, whichever way it is evaluated.
TEST_P(CpuStages, EqualTheKernelsBodyOnEveryNetworkPatternAndMetric) {
    struct Case {
        char const *spec, *routing;
    };
    for (Case const& c :
         {Case{"xgft:m=4x6,w=1x4", ""}, Case{"xgft:m=3x3x4,w=1x3x3", ""}, Case{"xgft:m=2x2x2x3,w=1x2x2x2", ""},
          Case{"jellyfish:switches=14,degree=4,hosts=3", "minhop"}, Case{"torus:3x4x5", "dor"}, Case{"mesh:9x3", "dor"},
          Case{"dragonfly:a=4,p=2,h=2", "minimal"}, Case{"ring:n=24", "updn"}, Case{"star:n=7", ""}}) {
        SCOPED_TRACE(c.spec);
        Fabric const fabric = make_routed(c.spec, c.routing);
        for (char const* pattern : {"bisect", "bisect_fb_sym", "rand", "tree", "bruck", "gather", "scatter", "ring",
                                    "recdbl", "4neighbor", "null"}) {
            SCOPED_TRACE(pattern);
            for (std::vector<Metric> const& metrics : sets_of_metrics())
                expect_same(make_plan(fabric, study_of(pattern, metrics)).problem, 12);
            for (SubsetKind const subset : {SubsetKind::linear_bfs, SubsetKind::random}) {
                Study study = study_of(pattern, sets_of_metrics()[0]);
                study.placement.subset = subset;
                study.placement.ranks = 5;
                expect_same(make_plan(fabric, study).problem, 30);
            }
        }
    }
}

// Pairs without routes of every fate, links of different rates, hosts that forward.
TEST_P(CpuStages, EqualTheKernelsBodyOnNastyNetworks) {
    for (NastyNetwork const& network : nasty_networks()) {
        if (network.fabric.network.hosts().size() < 2) continue;
        SCOPED_TRACE(network.name);
        for (char const* pattern : {"bisect", "rand", "tree", "bruck", "gather", "4neighbor"}) {
            SCOPED_TRACE(pattern);
            for (std::vector<Metric> const& metrics : sets_of_metrics()) {
                Study study = study_of(pattern, metrics);
                expect_same(make_plan(network.fabric, study).problem, 12);
                study.sample.mappings = 1'000'000'000;  // without links that are not shared
                expect_same(make_plan(network.fabric, study).problem, 12);
            }
        }
    }
}

TEST_P(CpuStages, EqualTheKernelsBodyWhereCablesHaveFailed) {
    for (char const* spec : {"xgft:m=4x4x4,w=1x4x4", "jellyfish:switches=14,degree=4,hosts=3", "torus:3x4x5"})
        for (bool const around : {false, true}) {
            SCOPED_TRACE(std::string(spec) + (around ? ", routed around" : ", tables as they were"));
            Fabric const fabric = make_broken(spec, around);
            for (char const* pattern : {"bisect", "rand", "bruck", "gather", "4neighbor"})
                for (std::uint64_t const mappings : {20ull, 1'000'000'000ull}) {
                    Study study = study_of(pattern, {Metric::hist_acc_band, Metric::sum_max_cong});
                    study.sample.mappings = mappings;
                    expect_same(make_plan(fabric, study).problem, 20);
                }
        }
}

TEST_P(CpuStages, EqualTheKernelsBodyForTwoPatternsAtOnce) {
    Fabric const fabric = make_xgft({{3, 3, 4}, {1, 3, 3}, 0});
    for (char const* first : {"bisect", "rand", "bruck", "gather"})
        for (char const* second : {"rand", "tree", "scatter"}) {
            Study study = study_of("ptrnvsptrn", sets_of_metrics()[0]);
            study.traffic.first = first;
            study.traffic.second = second;
            study.traffic.first_ranks = 15;
            expect_same(make_plan(fabric, study).problem, 25);
        }
}

// Routes by arithmetic: rows that are computed.
TEST_P(CpuStages, EqualTheKernelsBodyForComputedRows) {
    struct Case {
        char const *spec, *routing;
    };
    for (Case const& c : {Case{"xgft:m=3x3x4,w=1x3x3", ""},
                          Case{"xgft:m=3x3x4,w=1x3x3", "smodk"},
                          Case{"xgft:m=3x3x4,w=1x3x3", "round-robin-up"},
                          Case{"xgft:m=4x6,w=1x3", ""},
                          Case{"xgft:m=4x6,w=1x3", "smodk"},
                          Case{"xgft:m=2x5x3,w=1x4x7", ""},
                          Case{"xgft:m=36x36x36,w=1x36x36", ""},  // 186,624 links between switches
                          Case{"dragonfly:a=4,p=2,h=2", ""},
                          Case{"dragonfly:a=4,p=2,h=2,groups=3", ""},  // parallel links
                          Case{"dragonfly:a=4,p=2,h=2,arrangement=helix", ""},
                          Case{"dragonfly:a=4,p=2,h=2", "valiant"},
                          Case{"dragonfly:a=3,p=2,h=2,groups=4", "valiant:via=group"},
                          Case{"kary-ntree:k=3,n=4", ""},
                          Case{"kary-ntree:k=3,n=4", "smodk"},
                          Case{"torus:4x5x3", ""},
                          Case{"torus:6", "dor:ties=minus"},
                          Case{"torus:4x6,hosts=3", "dor:ties=parity"},
                          Case{"mesh:7x4", ""},
                          Case{"torus:5x2x3,links=one", ""},
                          Case{"torus:4x5x3", "dor:order=zxy"},
                          Case{"torus:5x4", "valiant"},
                          Case{"hyperx:4x3x2,hosts=2", ""},
                          Case{"hyperx:5x4,hosts=2,cables=3", "dor:order=yx"},
                          Case{"hypercube:n=6", ""},  // rows of eight
                          Case{"hypercube:n=9", ""},  // no rows
                          Case{"hyperx:30x30,hosts=2", ""},
                          Case{"fully-connected:n=9,hosts=3", ""}}) {
        SCOPED_TRACE(c.spec);
        SCOPED_TRACE(c.routing);
        std::shared_ptr<RegularNetwork const> const network = regular_network(c.spec, c.routing);
        ASSERT_TRUE(network);
        if (network->hosts > 2000) {
            expect_same(make_plan(fabric_of(network), study_of("rand", sets_of_metrics()[0])).problem, 2);
            continue;
        }
        for (char const* pattern : {"bisect", "rand", "bruck"})
            expect_same(make_plan(fabric_of(network), study_of(pattern, sets_of_metrics()[0])).problem, 20);
    }
}

// 2^17 seats need 32 bits; 130,000 flows over one link need 17 bits of its counter.
TEST_P(CpuStages, WideSeatsAndCountersThatPass16Bits) {
    std::shared_ptr<RegularNetwork const> const large = regular_network("kary-ntree:k=51,n=3", "");
    ASSERT_GT(large->hosts, 0x10000u);
    expect_same(make_plan(fabric_of(large), study_of("bisect", {Metric::hist_acc_band, Metric::sum_max_cong})).problem,
                1);

    std::shared_ptr<RegularNetwork const> const three_leaves = regular_network("xgft:m=65000x3,w=1x1", "");
    ASSERT_TRUE(three_leaves);
    Fabric const fabric = fabric_of(three_leaves);
    StudyPlan const plan = make_plan(fabric, study_of("gather", sets_of_metrics()[0]));
    expect_same(plan.problem, 2);
    std::vector<std::uint64_t> const sums = run(plan.problem, 1, CpuVariant::fastest, 1).totals.link_sums;
    EXPECT_GT(*std::max_element(sums.begin(), sums.begin() + plan.problem.routes.inner), 0xFFFFu);

    std::shared_ptr<RegularNetwork const> const line = regular_network("mesh:3,hosts=65000", "");
    ASSERT_TRUE(line);
    expect_same(make_plan(fabric_of(line), study_of("gather", sets_of_metrics()[0])).problem, 2);
}

/// A problem of rows of eight, of which one in `one_in` has up to seven links; the others have four at most.
struct FewLongRoutes {
    StudyPlan plan;
    std::vector<std::uint16_t> rows;
    Problem problem;

    FewLongRoutes(Fabric const& fabric, Study const& study, std::size_t one_in) : plan(make_plan(fabric, study)) {
        problem = plan.problem;
        auto const* const four = static_cast<std::uint16_t const*>(problem.routes.rows);
        std::size_t const count = std::size_t{problem.routes.groups} * problem.placement.study_hosts;
        rows.assign(8 * count, static_cast<std::uint16_t>(problem.routes.inner));
        for (std::size_t i = 0; i < count; ++i) {
            std::uint16_t* const row = rows.data() + 8 * i;
            std::copy_n(four + 4 * i, 4, row);
            if (i % one_in != 0 || row[0] == problem.routes.inner) continue;
            std::uint16_t* const end = std::find(row, row + 8, problem.routes.inner);
            for (std::size_t k = 0; k < 3; ++k)
                end[k] = static_cast<std::uint16_t>((7 * i + 131 * k) % problem.routes.inner);
        }
        problem.routes.rows = rows.data();
        problem.routes.row_width = 8;
        problem.routes.longest_route += 3;
    }
};

// Definition: a table is read by rows half as wide where no more than one route in 256 is longer.
TEST(HalfRows, AreMadeWhereFewRoutesAreLong) {
    Fabric const fabric = make_xgft({{8, 8, 8}, {1, 8, 8}, 0});
    for (char const* pattern : {"bisect", "rand"}) {
        Study const study = study_of(pattern, sets_of_metrics()[0]);
        for (std::size_t const one_in : {101, 201, 301}) {
            SCOPED_TRACE(one_in);
            FewLongRoutes const few(fabric, study, one_in);
            EXPECT_EQ(one_in == 301, stages::make_half_rows<std::uint16_t>(few.problem).finder != nullptr);
            expect_same(few.problem, 40);
        }
    }
}

// Definition: row (group, seat) = source[group] + destination[seat] for all pairs of different blocks.
TEST(RouteSums, HoldForDmodkAndGiveTheSameTallies) {
    for (XgftSpec const& spec : {XgftSpec{{4, 4, 6}, {1, 4, 4}, 0}, XgftSpec{{3, 5, 7}, {1, 3, 5}, 101},
                                 XgftSpec{{2, 3, 2, 6}, {1, 2, 3, 2}, 0}}) {
        Fabric const fabric = make_xgft(spec);
        StudyPlan plan = make_plan(fabric, study_of("rand", sets_of_metrics()[0]));
        Problem problem = plan.problem;
        ASSERT_EQ(problem.routes.sums.source, nullptr);  // rows of this size are better read
        std::uint32_t const words = problem.routes.row_width * 16 / 64;
        std::vector<std::uint32_t> const group(problem.routes.group,
                                               problem.routes.group + problem.placement.study_hosts);
        auto const* const rows = static_cast<std::uint64_t const*>(problem.routes.rows);
        std::uint32_t const longest = 2 * (static_cast<std::uint32_t>(spec.children.size()) - 1);
        RouteSums const sums =
            find_route_sums({rows, words, 16, problem.routes.inner, longest, problem.routes.groups, group});
        ASSERT_FALSE(sums.empty());
        std::uint64_t far = 0;
        for (std::uint32_t g = 0; g < problem.routes.groups; ++g)
            for (std::uint32_t d = 0; d < problem.placement.study_hosts; ++d) {
                if (sums.block_of_group[g] == sums.block_of_host_index[d]) continue;
                ++far;
                for (std::uint32_t w = 0; w < words; ++w)
                    ASSERT_EQ(sums.source[g * words + w] + sums.destination[d * words + w],
                              rows[(std::size_t{g} * problem.placement.study_hosts + d) * words + w]);
            }
        EXPECT_GE(far, std::uint64_t{problem.routes.groups} * problem.placement.study_hosts * 3 / 4);
        problem.routes.sums = {sums.source.data(), sums.destination.data(), sums.block_of_group.data(),
                               sums.block_of_host_index.data()};
        expect_same(problem, 40);
    }
}

TEST(RouteSums, AreNotFoundWhereOneRowDiffers) {
    Fabric const fabric = make_xgft({{4, 4, 6}, {1, 4, 4}, 0});
    Study const whole_rows = study_of("bisect", {Metric::get_cable_cong});  // rows keep all their links: 64 bits
    StudyPlan const plan = make_plan(fabric, whole_rows);
    Problem const& p = plan.problem;
    ASSERT_EQ(p.routes.form, RouteForm::rows16);
    ASSERT_EQ(p.routes.row_width, 4u);
    std::vector<std::uint32_t> const group(p.routes.group, p.routes.group + p.placement.study_hosts);
    auto const* const rows = static_cast<std::uint64_t const*>(p.routes.rows);
    std::size_t const count = std::size_t{p.routes.groups} * p.placement.study_hosts;
    for (std::size_t const at : {std::size_t{20}, count / 2 + 3, count - 70}) {  // pairs of different blocks
        std::vector<std::uint64_t> changed(rows, rows + count);
        changed[at] ^= 1;
        EXPECT_TRUE(find_route_sums({changed.data(), 1, 16, p.routes.inner, 4, p.routes.groups, group}).empty()) << at;
    }
    Fabric const balanced = make_routed("xgft:m=4x4x6,w=1x4x4", "minhop");
    StudyPlan const other = make_plan(balanced, whole_rows);
    Problem const& q = other.problem;
    ASSERT_EQ(q.routes.row_width, 4u);
    EXPECT_NO_THROW(find_route_sums(
        {static_cast<std::uint64_t const*>(q.routes.rows), 1, 16, q.routes.inner, 4, q.routes.groups, group}));
}

TEST(RouteSums, ComeWithPlansWhoseRowsAreLarge) {
    Fabric const fabric = make_xgft({{12, 12, 12}, {1, 12, 12}, 0});
    StudyPlan const plan = make_plan(fabric, study_of("bisect", {Metric::hist_acc_band}));
    ASSERT_NE(plan.problem.routes.sums.source, nullptr);
    expect_same(plan.problem, 20);
}

// Definition: draw_places gives the first places of draw_permutation's order.
TEST_P(DrawPlaces, AreThoseOfTheKernelsPermutation) {
    auto const compare = [](std::uint32_t size, std::uint32_t steps, std::uint64_t m, auto host_index) {
        using HostWord = decltype(host_index);
        struct OneThread : CpuTeam {
            void draw_targets(std::uint64_t, Stream, std::uint64_t, std::uint32_t, std::uint32_t,
                              std::uint32_t*) = delete;
        } team;
        std::vector<std::uint32_t> targets(size + 4), order(size);
        draw_permutation(team, Draw{std::uint64_t{99}, Stream::subset, m, size, steps}, targets.data(), order.data());
        std::vector<HostWord> identity(size), places(size + 8);
        std::iota(identity.begin(), identity.end(), HostWord{0});
        stages::draw_places(PermutationDraws(99, Stream::subset, m, size), steps, identity.data(), places.data());
        for (std::uint32_t i = 0; i < steps; ++i) ASSERT_EQ(places[i], order[i]) << size << ' ' << steps << ' ' << i;
    };
    for (std::uint32_t size = 1; size <= 300; ++size) {
        compare(size, size, size, std::uint16_t{});
        compare(size, (size + 1) / 2, 5, std::uint16_t{});
        compare(size, size, std::uint64_t{1} << 40 | size, std::uint32_t{});
    }
    for (std::uint32_t size = 630; size <= 780; ++size)
        for (std::uint64_t m = 0; m < 20; ++m) compare(size, size, m, std::uint16_t{});
    for (std::uint32_t const size : {1142u, 11664u, 65535u, 65536u})
        for (std::uint64_t m = 0; m < 5; ++m) compare(size, size, m, std::uint16_t{});
    for (std::uint32_t const size : {65537u, 200000u}) compare(size, size / 3, 1, std::uint32_t{});
}

}  // namespace
}  // namespace tailback::cpu_stages_test
