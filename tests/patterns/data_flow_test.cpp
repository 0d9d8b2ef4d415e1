// Every collective is followed from level to level: who has which part, or which sum of whose contributions. A flow
// must have the bytes of what its sender has at that moment and its receiver wants, and everyone must end with what the
// collective promises, sums with every contribution exactly once. Nothing here goes by the algorithms' formulas.
#include "patterns/pattern.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <bitset>
#include <functional>
#include <map>
#include <numeric>

namespace tailback::data_flow_test {
namespace {

using Set = std::bitset<512>;
struct Sent {
    std::uint32_t from, to;
    std::uint64_t bytes;
    auto operator<=>(Sent const&) const = default;
};
using Steps = std::vector<std::vector<Sent>>;  // by level

Steps steps_of(FlowList const& list) {
    Steps steps;
    for (Level const& level : list.levels) {
        steps.emplace_back();
        for (std::size_t f = level.first_flow; f < level.first_flow + level.flow_count; ++f)
            steps.back().push_back(
                {list.flows[f].source, list.flows[f].destination, list.weights.empty() ? 1 : list.weights[f]});
    }
    return steps;
}
Steps some(Steps const& all, std::size_t first, std::size_t end) {
    return {all.begin() + std::ptrdiff_t(first), all.begin() + std::ptrdiff_t(end)};
}
Steps reversed(Steps steps) {
    std::reverse(steps.begin(), steps.end());
    for (auto& level : steps)
        for (Sent& sent : level) std::swap(sent.from, sent.to);
    return steps;
}
/// Part k of so many bytes among n, as docs/patterns.md says.
std::vector<std::uint64_t> parts(std::uint64_t bytes, std::uint64_t n) {
    std::vector<std::uint64_t> sizes;
    for (std::uint64_t k = 0; k < n; ++k) sizes.push_back(bytes * (k + 1) / n - bytes * k / n);
    return sizes;
}
std::uint64_t bytes_of(Set const& set, std::vector<std::uint64_t> const& sizes) {
    std::uint64_t sum = 0;
    for (std::size_t p = 0; p < sizes.size(); ++p) sum += set[p] ? sizes[p] : 0;
    return sum;
}
/// Rank r begins with the part owned[r]; senders send all that the receiver lacks; everyone ends with everything, and
/// gets nothing twice.
void expect_gathered(Steps const& steps, std::vector<std::uint64_t> const& sizes,
                     std::vector<std::uint32_t> const& owned) {
    std::vector<Set> has(owned.size());
    for (std::size_t r = 0; r < owned.size(); ++r) has[r].set(owned[r]);
    for (auto const& level : steps) {
        std::vector<Set> const before = has;
        for (auto const& [from, to, bytes] : level) {
            Set const sent = before[from] & ~before[to];
            ASSERT_EQ(bytes, bytes_of(sent, sizes)) << from << " -> " << to;
            ASSERT_EQ(bytes_of(sent & has[to], sizes), 0u) << "twice in one level";
            has[to] |= sent;
        }
    }
    std::uint64_t const all = std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0});
    for (Set const& set : has) ASSERT_EQ(bytes_of(set, sizes), all);
}
/// A sum is gathered to its owner as a part is spread from there, backwards in time.
void expect_reduced(Steps const& steps, std::vector<std::uint64_t> const& sizes,
                    std::vector<std::uint32_t> const& owned) {
    expect_gathered(reversed(steps), sizes, owned);
}
/// Whole sums: two that meet have no contribution in common; who sends and gets nothing has given its own away;
/// everyone has had the sum of all.
void expect_summed(Steps const& steps, std::uint64_t bytes, std::uint32_t n) {
    std::vector<Set> has(n);
    std::vector<char> complete(n, n == 1);
    for (std::uint32_t r = 0; r < n; ++r) has[r].set(r);
    for (auto const& level : steps) {
        std::vector<Set> const before = has;
        std::vector<char> sends(n), gets(n);
        for (auto const& [from, to, sent] : level) {
            ASSERT_EQ(sent, bytes);
            ASSERT_TRUE((has[to] & before[from]).none()) << from << " -> " << to;
            ASSERT_TRUE(before[from].any()) << from << " has nothing for " << to;
            has[to] |= before[from];
            sends[from] = gets[to] = 1;
        }
        for (std::uint32_t r = 0; r < n; ++r) {
            if (sends[r] != 0 && gets[r] == 0) has[r].reset();
            complete[r] |= has[r].count() == n;
        }
    }
    for (char const one : complete) ASSERT_TRUE(one);
}
std::vector<std::uint32_t> count_up(std::uint32_t n, std::uint32_t from = 0) {
    std::vector<std::uint32_t> numbers(n);
    for (std::uint32_t i = 0; i < n; ++i) numbers[i] = (i + from) % n;
    return numbers;
}
std::uint32_t log2_up(std::uint32_t n) { return static_cast<std::uint32_t>(std::bit_width(n - 1)); }

/// For all small numbers of ranks and sizes that they seldom divide, less than a byte a rank among them.
template <class Check>
void each(Check const& check) {
    for (std::uint32_t n = 2; n <= 40; ++n)
        for (std::uint64_t const size : {1u, 17u, 1000u, 1000003u}) {
            SCOPED_TRACE(std::to_string(n) + " ranks, " + std::to_string(size) + " bytes");
            check(n, size, [&](std::string const& spec) {
                return steps_of(make_pattern(spec + ",size=" + std::to_string(size), n));
            });
            if (testing::Test::HasFatalFailure()) return;
        }
}

TEST(DataFlow, AllgatherGivesEveryoneEveryPart) {
    each([](std::uint32_t n, std::uint64_t size, auto const& make) {
        expect_gathered(make("allgather:algorithm=ring"), parts(size, n), count_up(n));
        expect_gathered(make("allgather:algorithm=bruck"), parts(size, n), count_up(n));
        expect_gathered(make("allgather:algorithm=hierarchical,per-node=1"), parts(size, n), count_up(n));
        if (std::has_single_bit(n))
            expect_gathered(make("allgather:algorithm=recursive-doubling"), parts(size, n), count_up(n));
        std::vector<std::uint64_t> const bodies(n, size);
        expect_gathered(steps_of(make_pattern("n-bodies:size=" + std::to_string(size), n)), bodies, count_up(n));
    });
}

TEST(DataFlow, ReduceScatterGivesEveryoneItsPartOfEveryContribution) {
    each([](std::uint32_t n, std::uint64_t size, auto const& make) {
        expect_reduced(make("reduce-scatter:algorithm=ring"), parts(size, n), count_up(n));
        if (std::has_single_bit(n))
            expect_reduced(make("reduce-scatter:algorithm=recursive-halving"), parts(size, n), count_up(n));
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> direct;
        for (auto const& level : make("reduce-scatter:algorithm=pairwise"))
            for (auto const& [from, to, bytes] : level) direct[{from, to}] += bytes;
        for (std::uint32_t i = 0; i < n; ++i)
            for (std::uint32_t j = 0; j < n; ++j)
                if (i != j) {
                    ASSERT_EQ((direct[{i, j}]), parts(size, n)[j]);
                }
    });
}

TEST(DataFlow, AllreduceGivesEveryoneEveryContributionOnce) {
    each([](std::uint32_t n, std::uint64_t size, auto const& make) {
        Steps const ring = make("allreduce:algorithm=ring");
        expect_reduced(some(ring, 0, n - 1), parts(size, n), count_up(n, 1));
        expect_gathered(some(ring, n - 1, ring.size()), parts(size, n), count_up(n, 1));
        expect_summed(make("allreduce:algorithm=recursive-doubling"), size, n);

        // Ranks beyond a power of two give their data away beforehand; the others, in their order, own the parts.
        Steps steps = make("allreduce:algorithm=rabenseifner");
        std::uint32_t const p = std::bit_floor(n), rest = n - p, log_p = log2_up(p);
        if (rest > 0) {
            std::vector<Sent> before, after;
            for (std::uint32_t i = 0; i < rest; ++i) {
                before.push_back({2 * i + 1, 2 * i, size});
                after.push_back({2 * i, 2 * i + 1, size});
            }
            ASSERT_EQ(steps.front(), before);
            ASSERT_EQ(steps.back(), after);
            steps = some(steps, 1, steps.size() - 1);
        }
        for (auto& level : steps)
            for (Sent& sent : level)
                for (std::uint32_t* const rank : {&sent.from, &sent.to}) {
                    ASSERT_TRUE(*rank >= 2 * rest || *rank % 2 == 0);
                    *rank = *rank < 2 * rest ? *rank / 2 : *rank - rest;
                }
        expect_reduced(some(steps, 0, log_p), parts(size, p), count_up(p));
        expect_gathered(some(steps, log_p, steps.size()), parts(size, p), count_up(p));
    });
}

/// Of an odd number of bytes the trees have halves of different sizes, which tell them apart; what goes along an edge
/// comes out in the order in which it went in.
void expect_two_trees(Steps const& steps, std::uint32_t n, std::uint64_t segment, std::uint64_t rest) {
    std::map<std::tuple<bool, std::uint32_t, std::uint32_t>, std::size_t> sent_on;
    std::map<std::pair<bool, std::size_t>, Steps> by_segment;
    for (std::size_t l = 0; l < steps.size(); ++l)
        for (Sent const& sent : steps[l]) {
            bool const second = sent.bytes == (segment + 1) / 2 || sent.bytes == (rest + 1) / 2;
            ASSERT_TRUE(second || sent.bytes == segment / 2 || sent.bytes == rest / 2) << sent.bytes;
            Steps& own = by_segment[{second, sent_on[{second, sent.from, sent.to}]++}];
            own.resize(steps.size());
            own[l].push_back(sent);
        }
    for (auto const& [which, own] : by_segment) {
        std::uint64_t const bytes =
            which.second * segment < segment * (by_segment.size() / 2) - segment || rest == 0 ? segment : rest;
        expect_summed(own, bytes / 2 + (which.first ? bytes % 2 : 0), n);
    }
}

TEST(DataFlow, TreesOfAllSegmentsSumUpEverywhere) {
    for (std::uint32_t n = 2; n <= 40; ++n) {
        SCOPED_TRACE(n);
        auto const make = [&](std::string const& words) {
            return steps_of(make_pattern("allreduce:algorithm=double-binary-tree," + words, n));
        };
        expect_two_trees(make("size=1001"), n, 1001, 0);
        expect_two_trees(make("size=1001,segment=2000"), n, 1001, 0);
        expect_two_trees(make("size=1001,segment=143"), n, 143, 0);
        Steps const steps = make("size=1001,segment=99");  // ten, and 11 bytes
        expect_two_trees(steps, n, 99, 11);
        std::size_t const whole = make("size=1001").size();  // up and down: 10 more steps each
        EXPECT_EQ(steps.size(), whole + 20);
        if (HasFatalFailure()) return;
    }
}

TEST(DataFlow, BroadcastGivesEveryoneTheMessage) {
    each([](std::uint32_t n, std::uint64_t size, auto const& make) {
        for (std::string const algorithm : {"binomial", "chain"})
            for (std::uint64_t const segment : {std::uint64_t{0}, std::uint64_t{300}, size}) {
                if (segment != 0 && size / segment > 4) continue;
                std::string const words = segment == 0 ? "" : ",segment=" + std::to_string(segment);
                std::vector<std::uint64_t> has(n);
                has[0] = size;
                for (auto const& level : make("broadcast:algorithm=" + algorithm + words)) {
                    std::vector<std::uint64_t> const before = has;
                    for (auto const& [from, to, bytes] : level) {
                        ASSERT_GE(before[from], before[to] + bytes);
                        has[to] += bytes;
                    }
                }
                for (std::uint64_t const bytes : has) ASSERT_EQ(bytes, size);
            }
        // What is scattered to a rank is what it and those that it sends to are to own.
        Steps const steps = make("broadcast:algorithm=scatter-allgather");
        std::uint32_t const scatters = log2_up(n);
        std::vector<Set> reaches(n);
        for (std::uint32_t r = 0; r < n; ++r) reaches[r].set(r);
        for (std::uint32_t l = scatters; l-- > 0;)
            for (auto const& [from, to, bytes] : steps[l]) {
                ASSERT_EQ(bytes, bytes_of(reaches[to], parts(size, n))) << from << " -> " << to;
                ASSERT_TRUE((reaches[from] & reaches[to]).none());
                reaches[from] |= reaches[to];
            }
        ASSERT_EQ(bytes_of(reaches[0], parts(size, n)), size);
        expect_gathered(some(steps, scatters, steps.size()), parts(size, n), count_up(n));
    });
}

/// Whoever is the root: the same among ranks that are counted from it.
TEST(DataFlow, RootsAreCountedFrom) {
    for (std::uint32_t n = 2; n <= 40; ++n)
        for (std::uint32_t const root : {1u, n / 2, n - 1})
            for (std::string const spec :
                 {"broadcast:algorithm=binomial,segment=300", "broadcast:algorithm=chain", "gather", "scatter",
                  "broadcast:algorithm=scatter-allgather", "reduce:algorithm=binomial", "reduce:algorithm=chain",
                  "reduce:algorithm=reduce-scatter-gather"}) {
                std::string const sized = spec + (spec.find(':') == spec.npos ? ":" : ",") + "size=1001";
                Steps counted = steps_of(make_pattern(sized, n));
                Steps own = steps_of(make_pattern(sized + ",root=" + std::to_string(root), n));
                for (auto& level : counted) {
                    for (Sent& sent : level) sent.from = (sent.from + root) % n, sent.to = (sent.to + root) % n;
                    std::sort(level.begin(), level.end());
                }
                for (auto& level : own) std::sort(level.begin(), level.end());
                ASSERT_EQ(own, counted) << sized << " from " << root << " of " << n;
            }
}

/// Everyone's contribution comes to the root once: a reduce is a broadcast backwards, whole or in parts.
TEST(DataFlow, ReduceBringsEverySumToTheRoot) {
    each([](std::uint32_t n, std::uint64_t size, auto const& make) {
        for (std::string const algorithm : {"binomial", "chain"}) {
            std::vector<Set> has(n);
            for (std::uint32_t r = 0; r < n; ++r) has[r].set(r);
            for (auto const& level : make("reduce:algorithm=" + algorithm)) {
                std::vector<Set> const before = has;
                for (auto const& [from, to, bytes] : level) {
                    ASSERT_EQ(bytes, size);
                    ASSERT_TRUE((has[to] & before[from]).none());
                    has[to] |= before[from], has[from].reset();
                }
            }
            ASSERT_EQ(has[0].count(), n);
            Steps const parts = make("reduce:algorithm=" + algorithm + ",segment=300");
            if (size / 300 > 4) continue;
            std::vector<std::uint64_t> sent(n);
            for (auto const& level : parts)
                for (auto const& [from, to, bytes] : level) sent[from] += bytes;
            for (std::uint32_t r = 0; r < n; ++r) ASSERT_EQ(sent[r], r == 0 ? 0 : size);
        }
        // Parts are reduced to their owners, and gathered with all that comes from behind.
        Steps const steps = make("reduce:algorithm=reduce-scatter-gather");
        expect_reduced(some(steps, 0, n - 1), parts(size, n), count_up(n));
        std::vector<Set> has(n);
        for (std::uint32_t r = 0; r < n; ++r) has[r].set(r);
        for (auto const& level : some(steps, n - 1, steps.size()))
            for (auto const& [from, to, bytes] : level) {
                ASSERT_EQ(bytes, bytes_of(has[from], parts(size, n)));
                has[to] |= has[from], has[from].reset();
            }
        ASSERT_EQ(bytes_of(has[0], parts(size, n)), size);
    });
}

TEST(DataFlow, AlltoallBringsEveryBlockToItsDestination) {
    for (std::uint32_t n = 2; n <= 40; ++n) {
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> direct;
        for (auto const& level : steps_of(make_pattern("alltoall:size=7", n)))
            for (auto const& [from, to, bytes] : level) direct[{from, to}] += bytes;
        ASSERT_EQ(direct.size(), n * (n - 1));
        for (auto const& [pair, bytes] : direct) ASSERT_EQ(bytes, 7u);
        // Bruck: a block goes as far as a bit of its distance says, or stays.
        std::vector<std::vector<std::uint32_t>> at(n, count_up(n));  // [destination][source]: where the block is
        for (auto& row : at) row = count_up(n);
        Steps const steps = steps_of(make_pattern("alltoall:algorithm=bruck,size=7", n));
        for (std::size_t l = 0; l < steps.size(); ++l) {
            std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> moved;
            for (std::uint32_t d = 0; d < n; ++d)
                for (std::uint32_t s = 0; s < n; ++s)
                    if (((d + n - s) % n >> l & 1) != 0) {
                        std::uint32_t const to = (at[d][s] + (1u << l)) % n;
                        moved[{at[d][s], to}] += 7;
                        at[d][s] = to;
                    }
            for (auto const& [from, to, bytes] : steps[l]) ASSERT_EQ((moved[{from, to}]), bytes);
            ASSERT_EQ(moved.size(), steps[l].size());
        }
        for (std::uint32_t d = 0; d < n; ++d)
            for (std::uint32_t const where : at[d]) ASSERT_EQ(where, d);
    }
}

TEST(DataFlow, AfterABarrierEveryoneHasHeardOfEveryone) {
    for (std::uint32_t n = 2; n <= 40; ++n) {
        std::vector<Set> heard(n);
        for (std::uint32_t r = 0; r < n; ++r) heard[r].set(r);
        for (auto const& level : steps_of(make_pattern("barrier", n))) {
            std::vector<Set> const before = heard;
            for (auto const& [from, to, bytes] : level) heard[to] |= before[from];
        }
        for (Set const& set : heard) ASSERT_EQ(set.count(), n);
    }
}

// ---- on rails

/// Channel c's flows between nodes; others must not be there.
Steps of_channel(Steps const& steps, std::uint32_t per_node, std::uint32_t channel) {
    Steps own(steps.size());
    for (std::size_t l = 0; l < steps.size(); ++l)
        for (auto const& [from, to, bytes] : steps[l]) {
            EXPECT_EQ(from % per_node, to % per_node) << "leaves its rail";
            if (from % per_node == channel) own[l].push_back({from / per_node, to / per_node, bytes});
        }
    return own;
}

struct Machine {
    std::uint32_t nodes, rails;
    std::uint64_t size;
    std::uint32_t ranks() const { return nodes * rails; }
    Steps make(std::string const& spec) const {
        return steps_of(
            make_pattern(spec + ",per-node=" + std::to_string(rails) + ",size=" + std::to_string(size), ranks()));
    }
    std::uint64_t share_of(std::uint32_t rank, std::uint32_t channel) const {
        return parts(parts(size, ranks())[rank], rails)[channel];
    }
};
template <class Check>
void each_machine(Check const& check) {
    for (std::uint32_t nodes = 2; nodes <= 40; nodes += nodes < 9 ? 1 : 7)
        for (std::uint32_t rails = 2; rails <= 8; ++rails)
            for (std::uint64_t const size : {17u, 100003u}) {
                SCOPED_TRACE(std::to_string(nodes) + " nodes, " + std::to_string(rails) + " rails");
                check(Machine{nodes, rails, size});
                if (testing::Test::HasFatalFailure()) return;
            }
}

/// Bytes that leave node j in step t, where what member i of the channel's ring has at first moves on by one a step.
/// The ring goes through all ranks of a node, from the channel's own on, and to the next node by its adapter.
Steps tokens(Machine const& m, std::uint32_t channel, std::uint32_t begins) {
    std::vector<std::uint64_t> at(m.ranks());
    for (std::uint32_t i = 0; i < m.ranks(); ++i) {
        std::uint32_t const part = (i + begins) % m.ranks();
        at[i] = m.share_of(part / m.rails * m.rails + (channel + part) % m.rails, channel);
    }
    Steps steps;
    for (std::uint32_t t = 0; t + 1 < m.ranks(); ++t) {
        steps.emplace_back();
        for (std::uint32_t j = 0; j < m.nodes; ++j)
            if (std::uint64_t const bytes = at[(j + 1) * m.rails - 1]; bytes > 0)
                steps.back().push_back({j, (j + 1) % m.nodes, bytes});
        std::rotate(at.begin(), at.end() - 1, at.end());
    }
    return steps;
}

TEST(DataFlow, RingsOnRailsPassThePartsOfAllRanksFromNodeToNode) {
    each_machine([](Machine const& m) {
        Steps const gather = m.make("allgather:algorithm=ring"), scatter = m.make("reduce-scatter:algorithm=ring"),
                    both = m.make("allreduce:algorithm=ring");
        ASSERT_EQ(both.size(), 2 * (m.ranks() - 1));
        for (std::uint32_t c = 0; c < m.rails; ++c) {
            ASSERT_EQ(of_channel(gather, m.rails, c), tokens(m, c, 0));
            // The sum of a part ends at its owner: it begins one behind.
            ASSERT_EQ(of_channel(scatter, m.rails, c), tokens(m, c, m.ranks() - 1));
            Steps expected = tokens(m, c, 0);
            for (auto& level : tokens(m, c, 1)) expected.push_back(level);
            ASSERT_EQ(of_channel(both, m.rails, c), expected);
        }
    });
}

TEST(DataFlow, HierarchicalOnesGatherAndReduceTheNodesParts) {
    each_machine([](Machine const& m) {
        Steps const gather = m.make("allgather:algorithm=hierarchical"),
                    scatter = m.make("reduce-scatter:algorithm=hierarchical"),
                    both = m.make("allreduce:algorithm=hierarchical");
        ASSERT_EQ(both.size(), 2 * (m.nodes - 1));
        for (std::uint32_t c = 0; c < m.rails; ++c) {
            std::vector<std::uint64_t> sizes(m.nodes);
            for (std::uint32_t j = 0; j < m.nodes; ++j) {
                std::uint64_t of_node = 0;
                for (std::uint32_t s = 0; s < m.rails; ++s) of_node += parts(m.size, m.ranks())[j * m.rails + s];
                sizes[j] = parts(of_node, m.rails)[c];
            }
            expect_gathered(of_channel(gather, m.rails, c), sizes, count_up(m.nodes));
            expect_reduced(of_channel(scatter, m.rails, c), sizes, count_up(m.nodes));
            Steps const own = of_channel(both, m.rails, c);
            expect_reduced(some(own, 0, m.nodes - 1), sizes, count_up(m.nodes, 1));
            expect_gathered(some(own, m.nodes - 1, own.size()), sizes, count_up(m.nodes, 1));
        }
    });
}

TEST(DataFlow, TreesOnRailsSumUpOnEachOfThem) {
    for (std::uint32_t nodes = 2; nodes <= 40; ++nodes)
        for (std::uint32_t rails = 2; rails <= 8; rails += 3) {
            Machine const m{nodes, rails, 33 * rails};
            Steps const steps = m.make("allreduce:algorithm=double-binary-tree,segment=11");
            for (std::uint32_t c = 0; c < rails; ++c) expect_two_trees(of_channel(steps, rails, c), nodes, 11, 0);
        }
}

TEST(DataFlow, PxnBringsEveryBlockOverTheRailOfItsDestination) {
    each_machine([](Machine const& m) {
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> wanted, sent;
        for (std::uint32_t s = 0; s < m.ranks(); ++s)
            for (std::uint32_t d = 0; d < m.ranks(); ++d)
                if (s / m.rails != d / m.rails) wanted[{s / m.rails * m.rails + d % m.rails, d}] += m.size;
        Steps const steps = m.make("alltoall:algorithm=pxn");
        ASSERT_EQ(steps.size(), m.nodes - 1);
        for (auto const& level : steps)
            for (auto const& [from, to, bytes] : level) sent[{from, to}] += bytes;
        ASSERT_EQ(sent, wanted);
    });
}

/// Bytes that leave an adapter: 2 (N-1)/N S/k by rings of all N = n k ranks, 2 (n-1)/n S/k by rings of the nodes alone,
/// k (n-1) S by PXN.
TEST(DataFlow, BytesOfAnAdapterHaveTheirClosedForms) {
    for (std::uint64_t n = 2; n <= 40; ++n)
        for (std::uint64_t k = 1; k <= 8; ++k) {
            SCOPED_TRACE(std::to_string(n) + " nodes, " + std::to_string(k) + " rails");
            auto const ranks = static_cast<std::uint32_t>(n * k);
            std::uint64_t const size = 6 * n * k * k;
            auto const sent = [&](std::string const& words) {
                FlowList const list = make_pattern(words + ",per-node=" + std::to_string(k), ranks);
                std::vector<std::uint64_t> sums(ranks), got(ranks);
                for (auto const& level : steps_of(list))
                    for (auto const& [from, to, bytes] : level) sums[from] += bytes, got[to] += bytes;
                for (std::uint32_t r = 0; r < ranks; ++r) {
                    EXPECT_EQ(sums[r], sums[0]);
                    EXPECT_EQ(got[r], sums[0]);
                }
                return sums[0];
            };
            std::string const with = ",size=" + std::to_string(size), one = ",size=1";
            EXPECT_EQ(sent("allreduce:algorithm=ring" + with), 2 * (n * k - 1) * (size / (n * k)) / k);
            EXPECT_EQ(sent("allgather:algorithm=ring" + with), (n * k - 1) * (size / (n * k)) / k);
            EXPECT_EQ(sent("allreduce:algorithm=hierarchical" + with), 2 * (n - 1) * (size / n) / k);
            EXPECT_EQ(sent("reduce-scatter:algorithm=hierarchical" + with), (n - 1) * (size / n) / k);
            EXPECT_EQ(sent("alltoall:algorithm=pxn" + one), k * (n - 1));
        }
}

TEST(DataFlow, NothingLeavesASingleNode) {
    for (std::string const k : {"2", "8"})
        for (char const* words : {"allreduce", "allreduce:algorithm=hierarchical", "allgather:algorithm=ring",
                                  "allreduce:algorithm=double-binary-tree", "alltoall:algorithm=pxn"}) {
            std::string const spec = words + std::string(std::string(words).find(':') == std::string::npos ? ":" : ",");
            EXPECT_EQ(make_pattern(spec + "per-node=" + k, std::uint32_t(std::stoul(k))).flows.size(), 0u) << spec;
        }
}

TEST(DataFlow, MoreChannelsThanRailsShareThem) {
    FlowList const two = make_pattern("allreduce:per-node=2,size=4096", 8);
    FlowList const eight = make_pattern("allreduce:per-node=2,channels=8,size=4096", 8);
    EXPECT_EQ(eight.flows.size(), 4 * two.flows.size());
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::int64_t> differ;
    for (auto const& [list, sign] : {std::pair(&two, 1), std::pair(&eight, -1)})
        for (auto const& level : steps_of(*list))
            for (auto const& [from, to, bytes] : level) differ[{from, to}] += sign * std::int64_t(bytes);
    for (auto const& [pair, bytes] : differ) EXPECT_EQ(bytes, 0);
}

/// Four ranks of a node that take two adapters in turn, or the first two the one and the others the other.
TEST(DataFlow, ChannelsGoByTheAdaptersThatRanksHave) {
    NodesOfRanks const in_turn{4, {0, 1, 0, 1}}, halves{4, {0, 0, 1, 1}};
    auto const senders = [](NodesOfRanks const& nodes) {
        std::vector<std::uint32_t> ranks;
        for (Flow const& flow : make_pattern("allreduce:size=64", 8, nodes).flows) ranks.push_back(flow.source);
        std::sort(ranks.begin(), ranks.end());
        ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
        return ranks;
    };
    EXPECT_EQ(senders(in_turn), (std::vector<std::uint32_t>{0, 1, 4, 5}));
    EXPECT_EQ(senders(halves), (std::vector<std::uint32_t>{0, 2, 4, 6}));
}

}  // namespace
}  // namespace tailback::data_flow_test
