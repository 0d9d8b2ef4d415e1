// Patterns whose flows have bytes: how many flows and bytes each has on n ranks (the closed forms of `tailback list
// patterns`), what single ranks send and receive, and what the algorithms are known for.
#include "host/base/error.hpp"
#include "patterns/arguments.hpp"
#include "patterns/pattern.hpp"
#include "tests/support/programs/reading.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <set>

namespace tailback::collectives_test {
namespace {

std::uint64_t weight(FlowList const& list, std::size_t f) { return list.weights.empty() ? 1 : list.weights[f]; }
std::uint64_t bytes(FlowList const& list) {
    std::uint64_t sum = 0;
    for (std::size_t f = 0; f < list.flows.size(); ++f) sum += weight(list, f);
    return sum;
}
std::vector<std::uint64_t> bytes_sent(FlowList const& list) {
    std::vector<std::uint64_t> sums(list.ranks);
    for (std::size_t f = 0; f < list.flows.size(); ++f) sums[list.flows[f].source] += weight(list, f);
    return sums;
}
std::vector<std::uint64_t> bytes_received(FlowList const& list) {
    std::vector<std::uint64_t> sums(list.ranks);
    for (std::size_t f = 0; f < list.flows.size(); ++f) sums[list.flows[f].destination] += weight(list, f);
    return sums;
}
std::uint64_t log2_floor(std::uint64_t n) { return std::uint64_t(std::bit_width(n)) - 1; }
std::uint64_t log2_ceil(std::uint64_t n) { return n < 2 ? 0 : std::uint64_t(std::bit_width(n - 1)); }

/// A size that every n up to 40 divides, so that parts are equal: lcm(1 .. 40).
constexpr std::uint64_t size = 5342931457063200;
std::string sized(std::string const& spec) { return spec + ",size=" + std::to_string(size); }

struct Counts {
    std::uint64_t levels, flows, bytes;
    bool operator==(Counts const&) const = default;
};
std::ostream& operator<<(std::ostream& out, Counts const& c) {
    return out << c.levels << " levels, " << c.flows << " flows, " << c.bytes << " bytes";
}
Counts counts(std::string const& spec, std::uint32_t n) {
    FlowList const list = make_pattern(spec, n);
    return {list.levels.size(), list.flows.size(), bytes(list)};
}

TEST(Collectives, HaveTheFlowsAndBytesOfTheirClosedForms) {
    for (std::uint64_t n = 2; n <= 40; ++n) {
        SCOPED_TRACE(n);
        auto const m = static_cast<std::uint32_t>(n);
        std::uint64_t const p = std::uint64_t{1} << log2_floor(n), r = n - p, log_p = log2_floor(n);
        std::uint64_t const folds = r > 0 ? 2 : 0;
        EXPECT_EQ(counts(sized("allreduce:algorithm=ring"), m),
                  (Counts{2 * (n - 1), 2 * n * (n - 1), 2 * (n - 1) * size}));
        EXPECT_EQ(counts(sized("allreduce:algorithm=recursive-doubling"), m),
                  (Counts{log_p + folds, p * log_p + 2 * r, (p * log_p + 2 * r) * size}));
        EXPECT_EQ(counts(sized("allreduce:algorithm=rabenseifner"), m),
                  (Counts{2 * log_p + folds, 2 * p * log_p + 2 * r, 2 * (p - 1) * size + 2 * r * size}));
        Counts const trees = counts(sized("allreduce:algorithm=double-binary-tree"), m);
        EXPECT_EQ(trees.flows, 4 * (n - 1));
        EXPECT_EQ(trees.bytes, 2 * (n - 1) * size);
        EXPECT_LE(trees.levels, 2 * (log2_ceil(n) + 1));
        for (char const* algorithm : {"ring", "pairwise"})
            EXPECT_EQ(counts(sized(std::string("reduce-scatter:algorithm=") + algorithm), m),
                      (Counts{n - 1, n * (n - 1), (n - 1) * size}));
        EXPECT_EQ(counts(sized("allgather:algorithm=ring"), m), (Counts{n - 1, n * (n - 1), (n - 1) * size}));
        EXPECT_EQ(counts(sized("allgather:algorithm=bruck"), m),
                  (Counts{log2_ceil(n), n * log2_ceil(n), (n - 1) * size}));
        if (r == 0) {
            EXPECT_EQ(counts(sized("reduce-scatter:algorithm=recursive-halving"), m),
                      (Counts{log_p, n * log_p, (n - 1) * size}));
            EXPECT_EQ(counts(sized("allgather:algorithm=recursive-doubling"), m),
                      (Counts{log_p, n * log_p, (n - 1) * size}));
        }
        EXPECT_EQ(counts("alltoall:size=7", m), (Counts{n - 1, n * (n - 1), 7 * n * (n - 1)}));
        std::uint64_t moves = 0;  // block k is moved once for each bit of k
        for (std::uint64_t k = 0; k < n; ++k) moves += std::uint64_t(std::popcount(k));
        EXPECT_EQ(counts("alltoall:algorithm=bruck,size=7", m),
                  (Counts{log2_ceil(n), n * log2_ceil(n), 7 * n * moves}));
        EXPECT_EQ(counts("broadcast:size=7", m), (Counts{log2_ceil(n), n - 1, 7 * (n - 1)}));
        EXPECT_EQ(counts("broadcast:algorithm=chain,size=7", m), (Counts{n - 1, n - 1, 7 * (n - 1)}));
        for (std::string const root : {"0", "1"})
            for (std::string const name : {"broadcast", "reduce"}) {
                std::string const with = ",size=7,root=" + root;
                EXPECT_EQ(counts(name + ":algorithm=binomial" + with, m), (Counts{log2_ceil(n), n - 1, 7 * (n - 1)}));
                EXPECT_EQ(counts(name + ":algorithm=chain" + with, m), (Counts{n - 1, n - 1, 7 * (n - 1)}));
                EXPECT_EQ(counts(name + ":algorithm=chain,segment=1" + with, m),
                          (Counts{n - 1 + 6, 7 * (n - 1), 7 * (n - 1)}));
            }
        EXPECT_EQ(counts(sized("reduce:algorithm=reduce-scatter-gather"), m),
                  counts(sized("broadcast:algorithm=scatter-allgather"), m));
        EXPECT_EQ(counts("barrier", m), (Counts{log2_ceil(n), n * log2_ceil(n), n * log2_ceil(n)}));
        EXPECT_EQ(counts("n-bodies:size=7", m), (Counts{log2_ceil(n), n * log2_ceil(n), 7 * n * (n - 1)}));
        EXPECT_EQ(counts("gups:updates=5", m), (Counts{1, 5 * n, 40 * n}));
    }
}

/// Parts that are not equal add up all the same, and none is sent that has no byte.
TEST(Collectives, SizesThatRanksDoNotDivide) {
    for (std::uint32_t n = 2; n <= 40; ++n)
        for (std::uint64_t const odd : {std::uint64_t{1}, std::uint64_t{17}, std::uint64_t{1000003}}) {
            std::string const with = ",size=" + std::to_string(odd);
            EXPECT_EQ(bytes(make_pattern("allreduce:algorithm=ring" + with, n)), 2 * (n - 1) * odd);
            EXPECT_EQ(bytes(make_pattern("allgather:algorithm=bruck" + with, n)), (n - 1) * odd);
            EXPECT_EQ(bytes(make_pattern("reduce-scatter:algorithm=pairwise" + with, n)), (n - 1) * odd);
            EXPECT_EQ(bytes(make_pattern("allreduce:algorithm=double-binary-tree" + with, n)), 2 * (n - 1) * odd);
            for (std::uint64_t const w : make_pattern("allreduce:algorithm=rabenseifner" + with, n).weights)
                EXPECT_GT(w, 0u);
        }
}

/// Bandwidth-optimal: each rank sends and receives 2 (n-1)/n of the data. (Patarasuk and Yuan 2009)
TEST(Collectives, RingAllreduceSendsTwoTimesNMinusOneOverN) {
    for (std::uint64_t n = 2; n <= 40; ++n) {
        FlowList const list = make_pattern(sized("allreduce:algorithm=ring"), std::uint32_t(n));
        for (std::uint64_t const sent : bytes_sent(list)) EXPECT_EQ(sent, size / n * 2 * (n - 1));
        for (std::uint64_t const received : bytes_received(list)) EXPECT_EQ(received, size / n * 2 * (n - 1));
        for (Level const& level : list.levels)
            for (std::size_t f = 0; f < level.flow_count; ++f) {
                Flow const flow = list.flows[level.first_flow + f];
                EXPECT_EQ(flow.destination, (flow.source + 1) % n);
            }
    }
}

TEST(Collectives, RabenseifnerHalvesAndDoubles) {
    FlowList const list = make_pattern("allreduce:algorithm=rabenseifner,size=64KiB", 16);
    std::vector<std::uint64_t> sizes;
    for (Level const& level : list.levels) sizes.push_back(list.weights[level.first_flow]);
    EXPECT_EQ(sizes, (std::vector<std::uint64_t>{32768, 16384, 8192, 4096, 4096, 8192, 16384, 32768}));
    for (std::uint64_t const sent : bytes_sent(list)) EXPECT_EQ(sent, 65536u / 16 * 2 * 15);
}

/// Each tree spans all ranks; a rank inside one is a leaf of the other, so that nobody sends more than twice the data.
TEST(Collectives, DoubleBinaryTreeSharesTheWork) {
    for (std::uint32_t n = 2; n <= 40; ++n) {
        FlowList const list = make_pattern("allreduce:algorithm=double-binary-tree,size=2000", n);
        std::size_t const up = list.flows.size() / 2;  // the first half goes to the roots
        std::map<std::uint32_t, std::uint32_t> parents, children;
        for (std::size_t f = 0; f < up; ++f) {
            ++parents[list.flows[f].source];
            ++children[list.flows[f].destination];
            EXPECT_EQ(weight(list, f), 1000u);
        }
        for (std::uint32_t rank = 0; rank < n; ++rank) {
            EXPECT_LE(children[rank], 3u) << rank << " of " << n;  // two in one tree, a root's one in the other
            EXPECT_GE(parents[rank] + (parents[rank] < 2 ? 1u : 0u), 2u) << rank << " of " << n;
        }
        std::multiset<std::pair<std::uint32_t, std::uint32_t>> there, back;
        for (std::size_t f = 0; f < up; ++f) there.emplace(list.flows[f].source, list.flows[f].destination);
        for (std::size_t f = up; f < 2 * up; ++f) back.emplace(list.flows[f].destination, list.flows[f].source);
        EXPECT_EQ(there, back);
    }
}

/// Levels one after the other, each as long as its busiest rank sends or receives: the formula of docs/patterns.md.
TEST(Collectives, DoubleBinaryTreeTakesWhatItsFormulaSays) {
    constexpr std::uint64_t g = 2;  // bytes of a segment: half of it is a byte
    for (std::uint32_t n = 3; n <= 70; ++n)
        for (std::uint64_t const segments : {1u, 2u, 3u, 7u}) {
            FlowList const list =
                make_pattern("allreduce:algorithm=double-binary-tree,size=" + std::to_string(segments * g) +
                                 ",segment=" + std::to_string(g),
                             n);
            std::uint64_t takes = 0;
            for (Level const& level : list.levels) {
                std::vector<std::uint64_t> sent(n), received(n);
                for (std::size_t f = level.first_flow; f < level.first_flow + level.flow_count; ++f) {
                    sent[list.flows[f].source] += weight(list, f);
                    received[list.flows[f].destination] += weight(list, f);
                }
                takes += std::max(*std::max_element(sent.begin(), sent.end()),
                                  *std::max_element(received.begin(), received.end()));
            }
            std::uint64_t const h = log2_ceil(n), below = std::uint64_t{1} << (h - 2);
            std::uint64_t halves = n > 3 * below ? 2 : 3;  // of g, that the first and last levels do not fill
            if (n == 2 * below + 1) halves = n == 3 || segments == 1 ? 4 : 2;
            EXPECT_EQ(takes, 2 * (segments + h - 1) * g - halves * g / 2) << n << " ranks, " << segments << " segments";
        }
}

/// Everyone ends with every block: who has what is followed from level to level.
TEST(Collectives, BruckAllgatherGivesEveryoneEverything) {
    for (std::uint32_t n = 2; n <= 40; ++n) {
        FlowList const list = make_pattern("allgather:algorithm=bruck,size=" + std::to_string(n), n);  // a byte each
        std::vector<std::uint64_t> has(n, 1);
        for (Level const& level : list.levels) {
            std::vector<std::uint64_t> const before = has;
            for (std::size_t f = level.first_flow; f < level.first_flow + level.flow_count; ++f) {
                EXPECT_LE(weight(list, f), before[list.flows[f].source]);
                has[list.flows[f].destination] += weight(list, f);
            }
        }
        for (std::uint64_t const blocks : has) EXPECT_EQ(blocks, n);
    }
}

TEST(Collectives, TrainingOfKnownVolumes) {
    FlowList const list =
        make_pattern("training:tp=4,pp=3,ep=2,tp-size=400,ep-size=10,pp-size=7,dp-size=8000", 4 * 3 * 2);  // dp = 2
    std::map<std::uint32_t, std::uint64_t> by_distance;
    for (std::size_t f = 0; f < list.flows.size(); ++f) {
        Flow const flow = list.flows[f];
        bool const tp = flow.source / 4 == flow.destination / 4, pp = flow.source % 8 == flow.destination % 8;
        by_distance[tp ? 0 : pp ? 1 : 2] += list.weights[f];
    }
    EXPECT_EQ(by_distance[0], 6u * 2 * 3 * 400);          // six groups, 2 (tp - 1) S each
    EXPECT_EQ(by_distance[1], 2u * 2 * 8 * 7);            // two ways, two gaps, 8 ranks a stage
    EXPECT_EQ(by_distance[2], 12u * 2 * 8000 + 24u * 5);  // 12 groups of 2; half of ep-size to the other replica
    EXPECT_EQ(list.levels.size(), 6u + 1 + 2 + 2);
}

TEST(Collectives, WrongOnesAreRefused) {
    auto const problem = [](std::string const& spec, std::uint32_t n) {
        return error_of([&] { make_pattern(spec, n); });
    };
    auto const expect = [&](std::string const& spec, std::uint32_t n, std::string const& part) {
        EXPECT_NE(problem(spec, n).find(part), std::string::npos) << spec << ": " << problem(spec, n);
    };
    expect("allreduce:algorithm=rings", 4, "nearest is \"ring\"");
    expect("allreduce:size=0", 4, "out of range");
    expect("allreduce:size=9EiB", 4, "not a number of bytes");
    expect("allreduce:size=9223372036854775808", 4, "not a number of bytes");
    expect("allgather:algorithm=recursive-doubling", 6, "power of two");
    expect("stencil-2d:dims=4x4", 15, "there are 15 ranks");
    expect("stencil-2d:dims=4x4x4", 64, "2 dimensions");
    expect("stencil-3d:dims=70000x70000x70000", 64, "too large");
    expect("training:tp=3", 8, "dp x tp x pp");
    expect("training:tp=2,ep=3", 8, "not a multiple");
    expect("training:tp=111620,pp=429509837,dp=384773", 4, "too large");  // the product is 2^64 + 4
    expect("training:tp=1,pp=1", 1000000, "2^30 flows");
    expect("allreduce", 1000000, "2^30 flows");
    expect("allgather", 1000000, "2^30 flows");
    expect("reduce-scatter:algorithm=pairwise", 1000000, "2^30 flows");
    expect("broadcast:algorithm=scatter-allgather", 1000000, "2^30 flows");
    expect("alltoall", 1000000, "2^30 flows");
    expect("n-bodies:size=4611686018427387904", 8, "2^63 bytes");
    expect("alltoall:algorithm=bruck,size=4611686018427387904", 8, "2^63 bytes");
    expect("0shift", 8, "unknown pattern");
    expect("3shift:by=4", 8, "not a parameter");
    EXPECT_EQ(bytes(make_pattern("3shift:size=5", 8)), 40u);
    EXPECT_EQ(bytes(make_pattern("3neighbor:size=5", 4)), 60u);
    expect("one-to-all:root=9", 8, "no such root");
    expect("allreduce:algorithm=rabenseifner,per-node=8", 64, "per-node has no effect");
    expect("allreduce:rails=8", 64, "no node has several ranks");
    expect("allreduce:per-node=8", 60, "per-node is 8");
    expect("allreduce:per-node=8,rails=9", 64, "use 8 adapters");
    expect("allreduce:algorithm=hierarchical", 64, "wants to know which ranks share a compute node");
    expect("alltoall:algorithm=pxn,per-node=8,channels=8", 64, "not a parameter");
    expect("allreduce:segment=1MiB", 64, "segment has no effect");
    expect("broadcast:algorithm=scatter-allgather,segment=1MiB", 64, "segment has no effect");
    expect("broadcast:algorithm=chain,segment=1,size=1GiB", 64, "2^30 flows");
    expect("allreduce:per-node=4294967295", 64, "per-node is 4294967295");
    auto const on = [&](NodesOfRanks const& nodes, std::string const& spec, std::string const& part) {
        std::string const told = error_of([&] { make_pattern(spec, 16, nodes); });
        EXPECT_NE(told.find(part), std::string::npos) << spec << ": " << told;
    };
    on({8, {0, 1, 2, 3, 4, 5, 6, 7}}, "allreduce:per-node=4", "the placement puts 8 on a node");
    on({8, {0, 1, 0, 1, 0, 1, 0, 1}}, "allreduce:rails=4", "the 8 ranks of a node use 2 adapters");
    on({0, {}, "they are anywhere"}, "allreduce:per-node=4", "they are anywhere");
    on({0, {}, "they are anywhere"}, "allgather:algorithm=hierarchical", "they are anywhere");
    expect("bisect:sise=4", 8, "not a parameter");
    expect("all-to-all", 70000, "2^32 flows");
    expect("rand:size=8", 8, "not a parameter");
    EXPECT_EQ(bytes(make_pattern("bisect:size=1kB", 8)), 4000u);
    EXPECT_EQ(bytes(make_pattern("6neighbor:size=2", 7)), 84u);
}

TEST(Grids, NearCubic) {
    EXPECT_EQ(near_cubic(12, 2), (std::vector<std::uint32_t>{4, 3}));
    EXPECT_EQ(near_cubic(64, 3), (std::vector<std::uint32_t>{4, 4, 4}));
    EXPECT_EQ(near_cubic(13, 2), (std::vector<std::uint32_t>{13, 1}));
    EXPECT_EQ(near_cubic(1152, 3), (std::vector<std::uint32_t>{12, 12, 8}));
    for (std::uint32_t n = 1; n < 500; ++n)
        for (std::size_t const d : {1u, 2u, 3u}) {
            std::vector<std::uint32_t> const sizes = near_cubic(n, d);
            ASSERT_EQ(sizes.size(), d);
            EXPECT_EQ(std::accumulate(sizes.begin(), sizes.end(), 1u, std::multiplies<>()), n);
        }
}

/// Closed forms: 2 n (k-1)/k flows a dimension on a mesh, 2 n where the ends meet; all 26 around with diagonals.
TEST(Grids, StencilsHaveTheFlowsOfTheirClosedForms) {
    for (std::uint32_t n = 2; n <= 40; ++n)
        for (std::size_t const d : {2u, 3u}) {
            std::string const name = d == 2 ? "stencil-2d" : "stencil-3d";
            std::uint64_t mesh = 0, around = 0, box = 1, wide = 1;
            for (std::uint32_t const k : near_cubic(n, d)) {
                mesh += 2 * n / k * (k - 1);
                around += k > 1 ? 2 * n : 0;
                box *= 3 * k - 2;
                wide *= k > 1 ? 3 : 1;
            }
            EXPECT_EQ(counts(name, n).flows, mesh);
            EXPECT_EQ(counts(name + ":periodic=yes", n).flows, around);
            EXPECT_EQ(counts(name + ":diagonals=yes", n).flows, box - n);
            EXPECT_EQ(counts(name + ":periodic=yes,diagonals=yes", n).flows, n * (wide - 1));
            std::string const sweep = d == 2 ? "sweep-2d" : "sweep-3d";
            EXPECT_EQ(counts(sweep, n).flows, mesh / 2);
        }
}

}  // namespace
}  // namespace tailback::collectives_test
