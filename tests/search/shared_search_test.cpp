// Searches in parts: taken up from what was kept after any step, and shared by any number of processes (threads here),
// they find what one of them finds; words that no search wrote are refused, or come to an order that is one.
#include "host/search/shared_search.hpp"

#include "host/search/orders/distance_search.hpp"
#include "host/search/orders/load_search.hpp"
#include "host/search/tables/search_tables.hpp"
#include "host/search/tables/switch_order.hpp"
#include "tests/support/networks/all_hosts.hpp"
#include "tests/support/oracle/dice.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/routing.hpp"
#include "topologies/topology.hpp"

#include <gtest/gtest.h>

#include <barrier>
#include <thread>

namespace tailback::shared_search_test {
namespace {

struct Refused {};

/// Keeps every state that it is given; begins with one.
class Keeper final : public SharedSearch {
public:
    explicit Keeper(std::vector<Stage> before = {}) : now(before), before_(std::move(before)) {}
    void begin(Identity const&) override {}
    unsigned process() const override { return 0; }
    unsigned processes() const override { return 1; }
    void largest(std::span<std::uint64_t>) const override {}
    void exchange(std::vector<StateWords>&) const override {}
    Stage const* kept(std::size_t stage) const override {
        return stage < before_.size() && !before_[stage].parts.empty() ? &before_[stage] : nullptr;
    }
    bool is_due() const override { return true; }
    void keep(std::size_t stage, Stage&& state, bool) override {
        if (now.size() <= stage) now.resize(stage + 1);
        now[stage] = std::move(state);
        all.push_back(now);
    }
    bool keeps() const override { return true; }
    [[noreturn]] void refuse(std::string const&) const override { throw Refused{}; }

    std::vector<Stage> now;
    std::vector<std::vector<Stage>> all;  ///< after every step

private:
    std::vector<Stage> before_;
};

/// Processes as threads, each with memory of its own.
struct Room {
    explicit Room(unsigned count) : together(count), words(count), all(count), count(count) {}
    std::barrier<> together;
    std::vector<std::vector<std::uint64_t>> words;
    std::vector<std::vector<StateWords>> all;
    unsigned count;
};
class Member final : public SharedSearch {
public:
    Member(Room& room, unsigned number) : room_(room), number_(number) {}
    void begin(Identity const&) override {}
    unsigned process() const override { return number_; }
    unsigned processes() const override { return room_.count; }
    void largest(std::span<std::uint64_t> words) const override {
        room_.words[number_].assign(words.begin(), words.end());
        room_.together.arrive_and_wait();
        for (auto const& others : room_.words)
            for (std::size_t w = 0; w < words.size(); ++w) words[w] = std::max(words[w], others[w]);
        room_.together.arrive_and_wait();
    }
    void exchange(std::vector<StateWords>& parts) const override {
        room_.all[number_] = parts;
        room_.together.arrive_and_wait();
        for (std::size_t k = 0; k < parts.size(); ++k) parts[k] = room_.all[k % room_.count][k];
        room_.together.arrive_and_wait();
    }
    Stage const* kept(std::size_t) const override { return nullptr; }
    bool is_due() const override { return false; }
    void keep(std::size_t, Stage&&, bool) override {}
    bool keeps() const override { return false; }
    [[noreturn]] void refuse(std::string const&) const override { throw Refused{}; }

private:
    Room& room_;
    unsigned number_;
};

using Numbers = std::vector<std::uint64_t>;  // what a search finds, all of it
struct Case {
    char const* name;
    std::function<Numbers(SharedSearch*)> search;
    std::function<bool(Numbers const&)> is_sound;
};

/// Ranks on the places of a ring, a way in each direction: as long as the shorter one.
PlaceProblem ring_problem(std::uint32_t places, std::uint32_t ranks, std::uint32_t together) {
    std::vector<std::uint64_t> first = {0};
    std::vector<std::uint32_t> links;
    for (std::uint32_t a = 0; a < places; ++a)
        for (std::uint32_t b = 0; b < places; ++b) {
            bool const is_up = (b + places - a) % places <= places / 2;
            for (std::uint32_t at = a; at != b; at = (at + (is_up ? 1 : places - 1)) % places)
                links.push_back(2 * at + !is_up);
            first.push_back(links.size());
        }
    PlaceProblem problem;
    problem.ranks = ranks;
    Dice dice;
    PlacedLevel level;
    for (std::uint32_t f = 0; f < 4 * ranks; ++f) level.flows.push_back({dice(ranks), dice(ranks), 1 + dice(9)});
    problem.levels = tidied({level});
    problem.ways = {places, first, links};
    problem.cost.assign(2 * std::size_t{places}, 1);
    for (std::uint32_t p = 0; p < places; ++p) problem.node.push_back(p);
    problem.leaf = problem.node;
    problem.together = together;
    return problem;
}

Numbers of_order(FoundOrder const& found) {
    Numbers numbers = {found.cost, found.moves};
    numbers.insert(numbers.end(), found.order.begin(), found.order.end());
    return numbers;
}

std::vector<Case> order_cases() {
    std::vector<Case> cases;
    for (bool const timed : {true, false})
        for (std::uint32_t const places : {40u, 200u}) {  // by tabu search, and not
            auto const problem = std::make_shared<PlaceProblem const>(ring_problem(places, 30, places == 40 ? 1 : 2));
            Order start(30);
            for (std::uint32_t r = 0; r < 30; ++r) start[r] = r;
            Order other = start;
            for (std::uint32_t r = 0; r < 30; ++r) other[r] = (r + 10) % 30;
            auto const distances = std::make_shared<Distances const>(distances_by_links(problem->ways));
            cases.push_back({timed ? "times" : "distances",
                             [=](SharedSearch* shared) {
                                 OrderSearchOptions const options{
                                     .moves = 1'200'000, .seed = 3, .restarts = 2, .threads = 2, .shared = shared};
                                 std::vector<Order> const starts = {start, other};
                                 return of_order(timed ? search_times(*problem, starts, options)
                                                       : search_near(*problem, *distances, starts, options));
                             },
                             [=](Numbers const& found) {
                                 Order const order(found.begin() + 2, found.end());
                                 std::vector<bool> taken(places);
                                 for (std::uint32_t r = 0; r < order.size(); ++r) {
                                     if (order[r] >= places || taken[order[r]]) return false;
                                     if (order[r] % problem->together != r % problem->together) return false;
                                     taken[order[r]] = true;
                                 }
                                 return order.size() == 30 &&
                                        found[0] == (timed ? time_of(*problem, order)
                                                           : cost_of(problem->levels.front().flows, *distances, order));
                             }});
        }
    return cases;
}

struct Tables {
    explicit Tables(char const* spec)
        : topology(make_topology(spec)), graph(topology.network, all_hosts(topology.network), CapacityKind::unit) {}
    Trees start() const {
        Trees trees(graph, targets_of_plane(graph, 0));
        trees.take(make_tables(topology, "minhop"));
        return trees;
    }
    Topology topology;
    SwitchGraph graph;
};

Numbers of_trees(Trees const& trees) {
    Numbers numbers;
    trees.write_arcs(numbers);
    return numbers;
}

std::vector<Case> table_cases() {
    auto const tables = std::make_shared<Tables const>("torus:4x4");
    auto const delivers = [=](Numbers const& arcs) {
        Trees trees = tables->start();
        WordReader reader(
            std::span<std::uint64_t const>(arcs).first((trees.targets().size() * tables->graph.switches() + 3) / 4));
        trees.read_arcs(reader, [](std::uint32_t, std::uint32_t, std::uint32_t) { return true; });
        return trees.lost() == 0;
    };
    std::vector<Case> cases;
    for (std::uint32_t const slack : {0u, 1u})
        cases.push_back({"tables",
                         [=](SharedSearch* shared) {
                             SearchBudget budget{.moves = 300'000, .descents = 2, .heat = 0.3, .shared = shared};
                             SearchReport report;
                             Trees other = tables->start();
                             run_round(other, LegalWays::shortest(tables->graph));
                             Numbers found = of_trees(search_tables(
                                 {tables->start(), other}, LegalWays::shortest(tables->graph, slack), budget, report));
                             found.insert(found.end(), {report.rounds, report.moves, report.start});
                             return found;
                         },
                         delivers});
    cases.push_back({"switches",
                     [=](SharedSearch* shared) {
                         std::vector<std::uint32_t> const place = order_from_hosts(tables->graph);
                         Trees trees = tables->start();
                         run_round(trees, LegalWays::by_order(tables->graph, place));
                         std::uint64_t tried = 0;
                         auto const found = search_order(
                             trees, place, {.trials = 120, .descents = 2, .threads = 2, .shared = shared}, tried);
                         Numbers numbers = of_trees(trees);
                         numbers.insert(numbers.end(), found.begin(), found.end());
                         numbers.push_back(tried);
                         return numbers;
                     },
                     delivers});
    return cases;
}

std::vector<Case> all_cases() {
    std::vector<Case> cases = order_cases();
    for (Case& one : table_cases()) cases.push_back(std::move(one));
    return cases;
}

TEST(SharedSearch, GoesOnFromAnyStep) {
    for (Case const& one : all_cases()) {
        Numbers const want = one.search(nullptr);
        EXPECT_TRUE(one.is_sound(want)) << one.name;
        Keeper whole;
        EXPECT_EQ(one.search(&whole), want) << one.name;
        ASSERT_GE(whole.all.size(), 3u) << one.name;
        for (std::size_t k = 0; k < whole.all.size(); k += 1 + whole.all.size() / 4) {
            Keeper later(whole.all[k]);
            EXPECT_EQ(one.search(&later), want) << one.name;
            EXPECT_LE(later.all.size(), whole.all.size());
        }
    }
}

TEST(SharedSearch, IsTheSameForAnyNumberOfProcesses) {
    for (Case const& one : all_cases()) {
        Numbers const want = one.search(nullptr);
        for (unsigned const count : {2u, 5u}) {
            Room room(count);
            std::vector<Numbers> found(count);
            std::vector<std::thread> threads;
            for (unsigned n = 0; n < count; ++n)
                threads.emplace_back([&, n] {
                    Member member(room, n);
                    found[n] = one.search(&member);
                });
            for (std::thread& thread : threads) thread.join();
            for (Numbers const& numbers : found) EXPECT_EQ(numbers, want) << one.name << count;
        }
    }
}

/// Bits changed, words cut off, put in, exchanged between searches.
TEST(SharedSearch, TrustsNoWords) {
    Dice dice;
    for (Case const& one : all_cases()) {
        Keeper whole;
        one.search(&whole);
        int refused = 0;
        constexpr int trials = 20;
        for (int trial = 0; trial < trials; ++trial) {
            std::vector<SharedSearch::Stage> state = whole.all[dice(static_cast<std::uint32_t>(whole.all.size()))];
            std::vector<StateWords*> parts;
            for (SharedSearch::Stage& stage : state)
                for (StateWords& part : stage.parts)
                    if (!part.empty()) parts.push_back(&part);
            StateWords& part = *parts[dice(static_cast<std::uint32_t>(parts.size()))];
            auto const at = std::ptrdiff_t(dice(static_cast<std::uint32_t>(part.size())));
            switch (dice(5)) {
                case 0: part[std::size_t(at)] ^= std::uint64_t{1} << dice(64); break;
                case 1: part[std::size_t(at)] = dice(2) == 0 ? UINT64_MAX : dice(50); break;
                case 2: part.resize(std::size_t(at)); break;
                case 3: part.insert(part.begin() + at, dice(100)); break;
                default: std::swap(part[std::size_t(at)], part[dice(static_cast<std::uint32_t>(part.size()))]);
            }
            Keeper later(state);
            try {
                EXPECT_TRUE(one.is_sound(one.search(&later))) << one.name << trial;
            } catch (Refused const&) {
                ++refused;
            }
        }
        EXPECT_GT(refused, trials / 5) << one.name;
    }
    Keeper other({{1, {{1, 2, 3}}}});
    EXPECT_THROW(all_cases().front().search(&other), Refused);
}

}  // namespace
}  // namespace tailback::shared_search_test
