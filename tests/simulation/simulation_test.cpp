// Graphs of dependencies: held to an oracle of exact fractions, to the kernels bit for bit, and to closed forms.
#include "host/evaluation/evaluation.hpp"
#include "host/simulation/engine.hpp"
#include "host/simulation/executor.hpp"
#include "host/simulation/mapping_routes.hpp"
#include "host/study/traffic_flows.hpp"
#include "host/traffic/formats.hpp"
#include "kernels/evaluate/dispatch.hpp"
#include "patterns/families.hpp"
#include "patterns/pattern.hpp"
#include "tests/support/networks/nasty_networks.hpp"
#include "tests/support/oracle/dependency_oracle.hpp"
#include "tests/support/oracle/oracle.hpp"
#include "tests/support/programs/outcome.hpp"
#include "tests/support/programs/reading.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/families/xgft.hpp"

#include <gtest/gtest.h>

#include <random>

namespace tailback::simulation_test {
namespace {

using oracle::Rational;
using traffic::GoalOperation;
using traffic::GoalSchedule;

std::vector<Metric> const times_alone = {Metric::makespan, Metric::completion_time, Metric::slowdown};

Study study_of(FlowList list) {
    Study study;
    study.traffic.pattern = listed_pattern;
    study.placement.ranks = list.ranks;
    study.traffic.listed_flows = std::move(list);
    study.measures.metrics = times_alone;
    study.sample.mappings = 2;
    return study;
}

Study study_of(GoalSchedule const& schedule) {
    Study study = study_of(flows_of(schedule, "some.goal"));
    study.measures.timing.schedule = std::make_shared<GoalSchedule const>(schedule);
    study.measures.timing.schedule_file = "some.goal";
    study.measures.timing.dependencies = Dependencies::causal;
    return study;
}

/// When nodes began and ended, in ticks.
struct Seen {
    std::vector<Ticks> began, ended;
    void started(std::uint32_t node, FlowFate, Ticks now) { began[node] = now, ended[node] = now; }
    void ended_at(std::uint32_t node, Ticks now) { ended[node] = now; }
    void rate(std::uint32_t, std::uint64_t, std::uint32_t, Ticks) {}
    void computed(std::uint32_t node, Ticks from, Ticks to) { began[node] = from, ended[node] = to; }
};
struct SeenWatch : Seen {
    void ended(std::uint32_t node, Ticks, Ticks now) { ended_at(node, now); }
};

struct Simulated {
    Graph graph;
    SeenWatch seen;
    Ticks makespan = 0;
    std::vector<std::uint32_t> destination;  ///< by pair
};

Simulated simulate(StudyPlan const& plan, std::uint64_t mapping) {
    Simulated run;
    run.graph = make_graph(plan);
    run.seen.began.resize(run.graph.tasks.size());
    run.seen.Seen::ended.resize(run.graph.tasks.size());
    Delays const delays = delays_of(plan);
    with_routes(plan.problem, [&]<class Routes>(Routes const& routes) {
        MappingRoutes<Routes> found(plan.problem, routes, run.graph, delays.store_and_forward);
        Engine<SeenWatch> engine(run.graph, plan.problem.measures.sharing, delays, run.seen);
        PairLinks const& links = found.find(mapping);
        run.makespan = engine.run(links);
        for (std::uint32_t p = 0; p < run.graph.pairs.size(); ++p) run.destination.push_back(links.destination(p));
    });
    return run;
}

Fabric star(std::uint32_t hosts) {
    Sketch sketch;
    Node const hub = sketch.add_switch(64);
    for (std::uint32_t h = 0; h < hosts; ++h) sketch.host_at(hub);
    return sketch.route();
}

Duration units(double value) {
    return {.value = value, .in_seconds = false, .text = std::to_string(std::int64_t(value))};
}

/// Flows of equal weights have size 1, and so much stands for it.
Rational in_units(StudyPlan const& plan, Duration const& duration) {
    return Rational(std::stoll(duration.text)) / (duration.in_seconds ? 1 : plan.common_weight);
}

double value_of(Rational const& x) { return x.convert_to<double>(); }

/// The links of a network and the flows of a plan as the oracle's operations.
class Asked {
public:
    Asked(StudyPlan const& plan, Fabric const& fabric, std::uint64_t mapping)
        : plan_(plan), fabric_(fabric), hosts_(plan.hosts_of_mapping(mapping)) {
        LinkCosts const costs = link_costs(fabric.network, plan.study.measures.capacities);
        for (std::size_t l = 0; l < fabric.network.links().size(); ++l)
            capacity.push_back(costs.cost.empty() ? Rational(1) : Rational(costs.denominator, costs.cost[l]));
    }
    oracle::Operation flow(std::uint32_t source, std::uint32_t destination, std::uint64_t size) const {
        oracle::Operation operation;
        if (source == destination) return operation;
        oracle::Walk const walk =
            oracle::walk(fabric_.network, fabric_.tables, hosts_[source].value, hosts_[destination].value);
        if (walk.end != oracle::End::delivered) return operation;
        Timing const& timing = plan_.study.measures.timing;
        Rational const link = in_units(plan_, timing.link_latency), node = in_units(plan_, timing.switch_latency);
        std::vector<std::size_t> const links(walk.links.begin(), walk.links.end());
        operation.size = Rational(size);
        if (timing.switching == Switching::store_and_forward) {
            for (std::size_t const l : links) operation.stages.push_back({l});
            operation.between = link + node;
            operation.behind = link;
        } else {
            operation.stages = {links};
            operation.behind = link * Rational(links.size()) + node * Rational(links.size() - 1);
        }
        return operation;
    }
    std::vector<Rational> capacity;

private:
    StudyPlan const& plan_;
    Fabric const& fabric_;
    std::vector<Host> const hosts_;
};

void expect_near(Ticks got, Rational const& want, StudyPlan const& plan, double scale, std::string const& what) {
    EXPECT_NEAR(double(got) / double(plan.problem.measures.sharing.time_unit), value_of(want), 1e-11 * scale) << what;
}

// ---- levels -------------------------------------------------------------------------------------------------------

/// The rule of levels, from the definition: what a rank, or everybody, has ended before, level by level.
std::optional<Rational> level_release(StudyPlan const& plan, std::uint32_t rank, std::size_t level,
                                      std::vector<oracle::Times> const& times) {
    bool const causal = plan.study.measures.timing.dependencies == Dependencies::causal;
    Rational at = 0;
    for (std::size_t l = 0; l < level; ++l) {
        patterns::Level const& before = plan.flow_list.levels[l];
        bool takes_part = !causal;
        for (std::size_t f = before.first_flow; f < before.first_flow + before.flow_count; ++f) {
            auto const [source, destination] = plan.flow_list.flows[f];
            for (bool const sends : {true, false}) {
                if (causal && (sends ? source : destination) != rank) continue;
                takes_part = true;
                std::optional<Rational> const& end = sends ? times[f].sent : times[f].ended;
                if (!end) return {};
                if (*end > at) at = *end;
            }
        }
        for (std::uint32_t const local : before.local_ranks) takes_part |= local == rank;
        if (takes_part) at += in_units(plan, plan.study.measures.timing.compute) * Rational(before.computing);
    }
    return at;
}

/// What ranks compute before their last level counts, too, even if they only receive there.
Rational last_computation(StudyPlan const& plan, std::vector<oracle::Times> const& times) {
    std::vector<patterns::Level> const& levels = plan.flow_list.levels;
    Rational last = 0;
    std::vector<std::size_t> last_level(plan.flow_list.ranks, levels.size() - 1);
    if (plan.study.measures.timing.dependencies == Dependencies::causal)
        for (std::size_t l = 0; l < levels.size(); ++l) {
            for (std::uint32_t const local : levels[l].local_ranks) last_level[local] = l;
            for (std::size_t f = levels[l].first_flow; f < levels[l].first_flow + levels[l].flow_count; ++f)
                last_level[plan.flow_list.flows[f].source] = last_level[plan.flow_list.flows[f].destination] = l;
        }
    for (std::uint32_t r = 0; r < plan.flow_list.ranks; ++r)
        last = std::max(last, *level_release(plan, r, last_level[r], times));
    return last;
}

/// Where times are in seconds: as many of them as a link of the base rate takes for so much.
void tell_in_seconds(Timing& timing, double unit) {
    for (Duration* const duration : {&timing.compute, &timing.link_latency, &timing.switch_latency})
        duration->value *= unit, duration->in_seconds = true;
}

/// The priority of the flow's class, and with --shared-by bytes its bytes.
void treat(StudyPlan const& plan, std::size_t f, oracle::Operation& operation) {
    std::string const& name =
        plan.flow_list.class_names[plan.flow_list.classes.empty() ? 0 : plan.flow_list.classes[f]];
    for (study::ClassPriority const& one : plan.study.measures.timing.priorities)
        if (one.name == name) operation.rank = one.priority.rank, operation.weight = one.priority.weight;
    if (plan.study.measures.shared_by_bytes) operation.weight *= operation.size;
}

void expect_levels(Fabric const& fabric, Study study) {
    Study bare = study;
    bare.measures.timing = {};
    if (StudyPlan const plan = make_plan(fabric, bare); plan.in_seconds())
        tell_in_seconds(study.measures.timing, plan.congestion_unit());
    StudyPlan const plan = make_plan(fabric, study);
    for (std::uint64_t const mapping : {0u, 1u}) {
        Asked const asked(plan, fabric, mapping);
        std::vector<oracle::Operation> operations;
        std::vector<std::size_t> level;
        for (std::size_t l = 0; l < plan.flow_list.levels.size(); ++l)
            for (std::size_t i = 0; i < plan.flow_list.levels[l].flow_count; ++i) {
                std::size_t const f = plan.flow_list.levels[l].first_flow + i;
                operations.push_back(
                    asked.flow(plan.flow_list.flows[f].source, plan.flow_list.flows[f].destination,
                               plan.problem.traffic.weights == nullptr ? 1 : plan.problem.traffic.weights[f]));
                level.push_back(l);
                treat(plan, f, operations.back());
            }
        std::vector<oracle::Times> const want =
            oracle::simulate(asked.capacity, operations, [&](std::size_t o, std::vector<oracle::Times> const& times) {
                return level_release(plan, plan.flow_list.flows[o].source, level[o], times);
            });
        Simulated const got = simulate(plan, mapping);
        Rational last = 0;
        for (oracle::Times const& times : want) last = std::max(last, *times.ended);
        last = std::max(last, last_computation(plan, want));
        double const scale = std::max(1.0, value_of(last));
        std::size_t f = 0;
        for (std::size_t n = 0; n < got.graph.tasks.size(); ++n) {
            if (!got.graph.tasks[n].is_flow) continue;
            std::string const what = "flow " + std::to_string(f);
            expect_near(got.seen.began[n], *want[f].begun, plan, scale, what + " begins");
            expect_near(got.seen.Seen::ended[n], *want[f].ended, plan, scale, what + " ends");
            ++f;
        }
        EXPECT_EQ(f, want.size());
        expect_near(got.makespan, last, plan, scale, "makespan");
    }
}

FlowList random_levels(std::uint32_t ranks, std::mt19937& random) {
    FlowList list;
    list.ranks = list.measured_ranks = ranks;
    bool const with_sizes = random() % 3 != 0;
    for (std::uint32_t l = 0, levels = 1 + random() % 4; l < levels; ++l) {
        std::size_t const first = list.flows.size();
        for (std::uint32_t i = 0, flows = random() % (2 * ranks); i < flows; ++i) {
            std::uint32_t const from = random() % ranks, to = random() % ranks;
            if (from == to) continue;
            list.flows.push_back({from, to});
            if (with_sizes) list.weights.push_back(1 + random() % 20);
        }
        list.levels.push_back({.first_flow = first, .flow_count = list.flows.size() - first});
    }
    return list;
}

void choose_delays(Timing& timing, std::mt19937& random, bool with_compute) {
    if (with_compute && random() % 2 == 0) timing.compute = units(1 + random() % 9);
    if (random() % 2 == 0) timing.link_latency = units(1 + random() % 3);
    if (random() % 2 == 0) timing.switch_latency = units(1 + random() % 3);
    if (random() % 3 == 0) timing.switching = Switching::store_and_forward;
}

TEST(Simulation, LevelsAreTheOraclesOnNastyNetworks) {
    std::mt19937 random(1);
    for (NastyNetwork const& nasty : nasty_networks())
        for (int i = 0; i < 4; ++i) {
            SCOPED_TRACE(nasty.name + ", study " + std::to_string(i));
            auto const hosts = std::uint32_t(oracle::breadth_first(nasty.fabric.network, false).size());
            if (hosts < 2) continue;
            Study study = study_of(random_levels(2 + random() % (std::min(hosts, 9u) - 1), random));
            if (study.traffic.listed_flows.flows.empty()) continue;
            study.sample.seed = random();
            study.measures.timing.dependencies = i % 2 == 0 ? Dependencies::causal : Dependencies::barrier;
            study.measures.capacities = i < 2 ? CapacityKind::unit : CapacityKind::from_rates;
            choose_delays(study.measures.timing, random, true);
            expect_levels(nasty.fabric, study);
        }
}

// ---- classes ------------------------------------------------------------------------------------------------------

/// Every flow of one of three classes, of ranks and weights that are drawn.
void choose_classes(Study& study, std::mt19937& random) {
    FlowList& list = study.traffic.listed_flows;
    list.class_names = {"application", "storage", "other"};
    for (std::size_t f = 0; f < list.flows.size(); ++f) list.classes.push_back(std::uint8_t(random() % 3));
    for (std::string const& name : list.class_names)
        if (random() % 4 != 0)
            study.measures.timing.priorities.push_back(
                {name, {std::uint32_t(random() % 3), std::uint32_t(random() % 2 == 0 ? 1 : 1 + random() % 5)}});
    if (study.measures.timing.priorities.empty()) study.measures.timing.priorities = {{"other", {2, 3}}};
}

/// Strict ranks are filled one after the other, flows of one rank in proportion to weights, times bytes.
TEST(Simulation, ClassesAreTheOraclesOnNastyNetworks) {
    std::mt19937 random(11);
    for (NastyNetwork const& nasty : nasty_networks())
        for (int i = 0; i < 5; ++i) {
            SCOPED_TRACE(nasty.name + ", study " + std::to_string(i));
            auto const hosts = std::uint32_t(oracle::breadth_first(nasty.fabric.network, false).size());
            if (hosts < 2) continue;
            Study study = study_of(random_levels(2 + random() % (std::min(hosts, 9u) - 1), random));
            if (study.traffic.listed_flows.flows.empty()) continue;
            study.sample.seed = random();
            study.measures.timing.dependencies = i % 2 == 0 ? Dependencies::causal : Dependencies::barrier;
            study.measures.capacities = i < 2 ? CapacityKind::unit : CapacityKind::from_rates;
            study.measures.shared_by_bytes = i == 4;
            choose_classes(study, random);
            choose_delays(study.measures.timing, random, true);
            expect_levels(nasty.fabric, study);
        }
}

/// A link of 1, 12 and 12: strict: 12 and 24; weights 3 and 1: 3/4 until 16, then 24. Between one that goes first on
/// one link and one on another, a flow over both gets nothing until both have ended.
TEST(Simulation, ClassesByHand) {
    Sketch sketch;
    Node const left = sketch.add_switch(), right = sketch.add_switch();
    sketch.cable(left, right);
    for (Node const node : {left, left, right, right}) sketch.host_at(node);
    Fabric const fabric = sketch.route();
    FlowList list;
    list.ranks = list.measured_ranks = 4;
    list.flows = {{0, 2}, {1, 3}};
    list.weights = {12, 12};
    list.classes = {0, 1};
    list.class_names = {"application", "storage"};
    list.levels = {{.first_flow = 0, .flow_count = 2}};
    auto const ends = [&](std::vector<study::ClassPriority> priorities) {
        Study study = study_of(list);
        study.placement.mapping = MappingKind::identity;
        study.measures.timing.priorities = std::move(priorities);
        StudyPlan const plan = make_plan(fabric, study);
        Simulated const run = simulate(plan, 0);
        double const unit = double(plan.problem.measures.sharing.time_unit) / double(plan.common_weight);
        return std::pair(double(run.seen.Seen::ended[0]) / unit, double(run.seen.Seen::ended[1]) / unit);
    };
    auto const near = [](std::pair<double, double> got, double first, double second) {
        EXPECT_NEAR(got.first, first, 1e-9);
        EXPECT_NEAR(got.second, second, 1e-9);
    };
    near(ends({{"storage", {1, 1}}}), 12, 24);
    near(ends({{"application", {1, 1}}}), 24, 12);
    near(ends({{"application", {0, 3}}}), 16, 24);
    near(ends({{"application", {7, 3}}, {"storage", {7, 1}}}), 16, 24);
    near(ends({{"storage", {0, 1}}}), 24, 24);
}

TEST(Simulation, PrioritiesOfClassesThatAreNotThereAreRefused) {
    Study study;
    study.traffic.pattern = "storage:hosts=2";
    study.measures.metrics = times_alone;
    study.measures.timing.priorities = {{"storgae", {1, 1}}};
    EXPECT_THROW(make_graph(make_plan(star(6), study)), InputError);
    study.measures.timing.priorities = {{"storage", {1, 1}}};
    EXPECT_EQ(make_graph(make_plan(star(6), study)).flows, 8u);
}

/// Whatever is drawn: the same as if the flows stood in a file.
TEST(Simulation, DrawnFlowsWaitAsFixedOnesDo) {
    std::mt19937 random(12);
    Fabric const fabric = make_xgft({{4, 3}, {1, 2}, 0});
    for (int i = 0; i < 20; ++i) {
        SCOPED_TRACE("study " + std::to_string(i));
        Study study = study_of(random_levels(8, random));
        FlowList& list = study.traffic.listed_flows;
        list.weights.clear();
        for (patterns::Level& level : list.levels)
            if (random() % 2 == 0) level.random = {{0, 8, 0}};
        study.sample.seed = random();
        study.measures.timing.dependencies = i % 3 == 0 ? Dependencies::barrier : Dependencies::causal;
        choose_delays(study.measures.timing, random, true);
        StudyPlan const plan = make_plan(fabric, study);
        Simulated const drawn = simulate(plan, 1);
        Study fixed = study;
        FlowList& flat = fixed.traffic.listed_flows;
        flat.flows.clear();
        for (std::size_t l = 0; l < list.levels.size(); ++l) {
            flat.levels[l] = {.first_flow = flat.flows.size()};
            for (std::size_t n = 0; n < drawn.graph.tasks.size(); ++n) {
                Task const& task = drawn.graph.tasks[n];
                if (!task.is_flow) continue;
                std::uint32_t const source = drawn.graph.pairs[task.subject].source,
                                    to = drawn.destination[task.subject];
                if (task.label != l || source == to) continue;
                flat.flows.push_back({source, to});
                ++flat.levels[l].flow_count;
            }
        }
        StudyPlan const flat_plan = make_plan(fabric, fixed);
        Simulated const want = simulate(flat_plan, 1);
        EXPECT_NEAR(double(drawn.makespan) / double(plan.problem.measures.sharing.time_unit),
                    double(want.makespan) / double(flat_plan.problem.measures.sharing.time_unit), 1e-9);
    }
}

TEST(Simulation, LevelsOfPatternsAreTheOracles) {
    std::mt19937 random(2);
    Fabric const fabric = make_xgft({{4, 3}, {1, 2}, 0});
    for (PatternInfo const& info : all_patterns()) {
        std::string const name = info.name;
        if (name == "ptrnvsptrn" || name == listed_pattern || name == "rand" || info.least_ranks > 12) continue;
        SCOPED_TRACE(name);
        Study study;
        study.traffic.pattern = name;
        study.placement.ranks = std::max(info.least_ranks, 5 + std::uint32_t(random() % 8));
        study.measures.metrics = times_alone;
        try {
            if (flows_of(study).flows.empty() || flows_of(study).flows.size() > 400) continue;
        } catch (InputError const&) {
            continue;
        }
        study.measures.timing.dependencies = Dependencies::causal;
        choose_delays(study.measures.timing, random, true);
        expect_levels(fabric, study);
    }
}

/// Barriers without anything else: what the kernels say, to the last bit.
TEST(Simulation, BarriersGiveTheKernelsBits) {
    std::mt19937 random(3);
    int compared = 0;
    for (NastyNetwork const& nasty : nasty_networks())
        for (int i = 0; i < 4; ++i) {
            SCOPED_TRACE(nasty.name + ", study " + std::to_string(i));
            auto const hosts = std::uint32_t(oracle::breadth_first(nasty.fabric.network, false).size());
            if (hosts < 2) continue;
            Study study = study_of(random_levels(std::min(hosts, 20u), random));
            if (i == 3) study.traffic.pattern = "rand";
            study.measures.shared_by_bytes = i == 2;
            study.sample.seed = random();
            StudyPlan const plan = make_plan(nasty.fabric, study);
            Outcome const want = run(*make_cpu_executor(plan.problem, 1), 4, 0);
            for (unsigned const threads : {1u, 3u}) {
                Outcome const got = run(*make_executor(plan, threads), 4, 0);
                EXPECT_EQ(got.totals.times, want.totals.times);
                for (std::size_t m = 0; m < got.tallies.size(); ++m) {
                    MappingTally tally = want.tallies[m];
                    tally.rate_sum = tally.least_rate = tally.jain = 0;
                    EXPECT_EQ(got.tallies[m], tally) << "mapping " << m;
                    compared += tally.makespan > 0;
                }
            }
        }
    EXPECT_GT(compared, 100);
}

// ---- schedules ----------------------------------------------------------------------------------------------------

GoalSchedule random_schedule(std::uint32_t ranks, std::mt19937& random) {
    GoalSchedule schedule;
    schedule.ranks = ranks;
    std::uint32_t line = 1;
    for (std::uint32_t i = 0, count = 4 + random() % 20; i < count; ++i) {
        std::uint32_t const from = random() % ranks, to = random() % ranks, tag = random() % 2;
        if (random() % 3 == 0) {
            schedule.operations.push_back(
                {.rank = from, .amount = random() % 30, .cpu = std::uint32_t(random() % 2), .line = ++line});
            continue;
        }
        std::uint64_t const bytes = random() % 12;
        schedule.operations.push_back({GoalOperation::Kind::send, from, to, bytes, tag, 0, 0, ++line});
        schedule.operations.push_back({GoalOperation::Kind::receive, to, from, bytes, tag, 0, 0, ++line});
    }
    // A later operation of a rank may wait for an earlier one: as the n-th message of a pair is the n-th there, too,
    // nothing waits for itself.
    for (std::size_t o = 0; o < schedule.operations.size(); ++o)
        for (std::size_t needs = 0; needs < o; ++needs)
            if (schedule.operations[needs].rank == schedule.operations[o].rank && random() % 3 == 0)
                schedule.dependencies.push_back({o, needs, random() % 4 == 0});
    schedule.operations.push_back({GoalOperation::Kind::send, 0, 1, 3, 9, 0, 0, ++line});
    schedule.operations.push_back({GoalOperation::Kind::receive, 1, 0, 3, 9, 0, 0, ++line});
    return schedule;
}

/// The send whose message a receive gets, by counting: the definition.
std::size_t send_of(GoalSchedule const& schedule, std::size_t receive) {
    GoalOperation const& wanted = schedule.operations[receive];
    auto const number = [&](std::size_t end, GoalOperation::Kind kind, std::uint32_t rank, std::uint32_t peer) {
        std::size_t count = 0;
        for (std::size_t o = 0; o < end; ++o) {
            GoalOperation const& other = schedule.operations[o];
            count += other.kind == kind && other.rank == rank && other.peer == peer && other.tag == wanted.tag;
        }
        return count;
    };
    std::size_t const place = number(receive, GoalOperation::Kind::receive, wanted.rank, wanted.peer);
    std::size_t send = 0;
    while (number(send, GoalOperation::Kind::send, wanted.peer, wanted.rank) <= place) ++send;
    return send - 1;
}

/// When an operation may begin by what it requires and irequires. A receive begins when it is posted, that is then; its
/// message is waited for by its end alone.
std::optional<Rational> posted(GoalSchedule const& schedule, std::size_t o, std::vector<oracle::Times> const& times) {
    Rational at = 0;
    auto const after = [&](std::optional<Rational> const& time) {
        if (time && *time > at) at = *time;
        return time.has_value();
    };
    auto const begun = [&](std::size_t needed) {
        return schedule.operations[needed].kind == GoalOperation::Kind::receive ? posted(schedule, needed, times)
                                                                                : times[needed].begun;
    };
    for (traffic::GoalDependency const& dependency : schedule.dependencies)
        if (dependency.operation == o)
            if (!after(dependency.start_is_enough ? begun(dependency.needs) : times[dependency.needs].sent)) return {};
    return at;
}

std::optional<Rational> schedule_release(GoalSchedule const& schedule, std::size_t o,
                                         std::vector<oracle::Times> const& times) {
    std::optional<Rational> at = posted(schedule, o, times);
    if (!at || schedule.operations[o].kind != GoalOperation::Kind::receive) return at;
    std::optional<Rational> const arrived = times[send_of(schedule, o)].ended;
    return arrived ? std::max(*at, *arrived) : arrived;
}

TEST(Simulation, SchedulesAreTheOracles) {
    std::mt19937 random(4);
    Fabric const fabric = make_xgft({{3, 2}, {1, 2}, 0});
    for (int i = 0; i < 300; ++i) {
        SCOPED_TRACE("schedule " + std::to_string(i));
        GoalSchedule const schedule = random_schedule(2 + random() % 5, random);
        Study study = study_of(schedule);
        study.sample.seed = random();
        choose_delays(study.measures.timing, random, false);
        StudyPlan const plan = make_plan(fabric, study);
        Asked const asked(plan, fabric, 1);
        std::vector<oracle::Operation> operations;
        for (GoalOperation const& operation : schedule.operations) {
            oracle::Operation wanted;
            if (operation.kind == GoalOperation::Kind::send)
                wanted = asked.flow(operation.rank, operation.peer, operation.amount);
            wanted.size /= plan.common_weight;  // sends of one size are of size 1
            if (operation.kind == GoalOperation::Kind::calculation && operation.amount > 0) {
                wanted.duration = Rational(operation.amount, plan.common_weight);
                wanted.core = operation.rank * 2 + operation.cpu;
            }
            operations.push_back(wanted);
        }
        std::vector<oracle::Times> const want =
            oracle::simulate(asked.capacity, operations, [&](std::size_t o, std::vector<oracle::Times> const& times) {
                return schedule_release(schedule, o, times);
            });
        Simulated const got = simulate(plan, 1);
        Rational last = 0;
        for (oracle::Times const& times : want) last = std::max(last, *times.ended);
        ASSERT_GE(got.graph.tasks.size(), want.size());  // behind them the posting of receives
        for (std::size_t o = 0; o < want.size(); ++o) {
            if (!got.graph.tasks[o].is_flow && got.graph.tasks[o].amount == 0) continue;
            expect_near(got.seen.began[o], *want[o].begun, plan, value_of(last), "begins " + std::to_string(o));
            expect_near(got.seen.Seen::ended[o], *want[o].ended, plan, value_of(last), "ends " + std::to_string(o));
        }
        expect_near(got.makespan, last, plan, value_of(last), "makespan");
    }
}

// ---- by hand ------------------------------------------------------------------------------------------------------

void expect_makespan(Fabric const& fabric, Study study, double want) {
    study.placement.mapping = MappingKind::identity;
    study.sample.mappings = 1;
    StudyPlan const plan = make_plan(fabric, study);
    Evaluation const result = evaluate(plan, {});
    EXPECT_NEAR(result.numbers.at(Metric::makespan).mean(), want, 1e-13 * want);
}

/// 2 (n - 1) steps of size/n bytes on links that nobody shares: each takes size/n, and so much compute and latency.
TEST(Simulation, RingAllreduceOnACrossbar) {
    Fabric const fabric = star(8);
    Study study;
    study.traffic.pattern = "allreduce:algorithm=ring,size=64KiB";
    study.placement.ranks = 8;
    study.measures.metrics = times_alone;
    for (Dependencies const dependencies : {Dependencies::barrier, Dependencies::causal}) {
        study.measures.timing = {};
        study.measures.timing.dependencies = dependencies;
        expect_makespan(fabric, study, 14 * 8192);
        study.measures.timing.compute = units(100);
        study.measures.timing.link_latency = units(7);
        study.measures.timing.switch_latency = units(5);
        expect_makespan(fabric, study, 14 * (8192 + 2 * 7 + 5) + 13 * 100);
        study.measures.timing.switching = Switching::store_and_forward;
        expect_makespan(fabric, study, 14 * (2 * 8192 + 2 * 7 + 5) + 13 * 100);
    }
}

/// A message of 100 over h links of rates 1: h x 100 and the latencies; three of them pass through the same links as a
/// pipeline: 2 x 100 more when stored and forwarded.
TEST(Simulation, StoreAndForwardChain) {
    Sketch sketch;
    Node const first = sketch.add_switch(), second = sketch.add_switch(), third = sketch.add_switch();
    sketch.cable(first, second);
    sketch.cable(second, third);
    sketch.host_at(first);
    sketch.host_at(third);
    Fabric const fabric = sketch.route();
    FlowList list;
    list.ranks = list.measured_ranks = 2;
    list.flows = {{0, 1}};
    list.weights = {100};
    list.levels = {{.first_flow = 0, .flow_count = 1}};
    Study study = study_of(list);
    study.measures.timing.switching = Switching::store_and_forward;
    expect_makespan(fabric, study, 400);
    study.measures.timing.link_latency = units(3);
    study.measures.timing.switch_latency = units(10);
    expect_makespan(fabric, study, 400 + 4 * 3 + 3 * 10);
    study.measures.timing.switching = Switching::cut_through;
    expect_makespan(fabric, study, 100 + 4 * 3 + 3 * 10);
    // One message after the other has left: stored and forwarded each is a link behind the one before.
    std::istringstream text(
        "num_ranks 2\nrank 0 {\na: send 100b to 1\nb: send 100b to 1\nc: send 100b to 1\n"
        "b requires a\nc requires b\n}\nrank 1 {\nrecv 100b from 0\nrecv 100b from 0\n"
        "recv 100b from 0\n}\n");
    LineReader lines = lines_of_text(text.str());
    Study chain = study_of(traffic::read_goal(lines));
    chain.measures.timing.switching = Switching::store_and_forward;
    expect_makespan(fabric, chain, 600);
    chain.measures.timing.switching = Switching::cut_through;
    expect_makespan(fabric, chain, 300);
}

/// Two flows of 100 and 10 on a link of 10 end at 11 and 2: the one that stays goes faster.
TEST(Simulation, RatesRise) {
    FlowList list;
    list.ranks = list.measured_ranks = 3;
    list.flows = {{0, 2}, {1, 2}};
    list.weights = {100, 10};
    list.levels = {{.first_flow = 0, .flow_count = 2}};
    Study study = study_of(list);
    study.measures.timing.dependencies = Dependencies::causal;
    StudyPlan const plan = make_plan(star(3), study);
    Simulated const run = simulate(plan, 0);
    std::vector<double> ends;
    for (Ticks const end : run.seen.Seen::ended)
        ends.push_back(double(end) / double(plan.problem.measures.sharing.time_unit));
    std::sort(ends.begin(), ends.end());
    EXPECT_EQ(ends, (std::vector<double>{20, 110}));  // the link has 1, and not 10
}

/// Without a barrier a rank that is ready does not wait: 0 -> 1 and 2 -> 3 of 1 and 9, then 1 -> 0.
TEST(Simulation, CausalRanksDoNotWaitForOthers) {
    FlowList list;
    list.ranks = list.measured_ranks = 4;
    list.flows = {{0, 1}, {2, 3}, {1, 0}};
    list.weights = {1, 9, 4};
    list.levels = {{.first_flow = 0, .flow_count = 2}, {.first_flow = 2, .flow_count = 1}};
    Study study = study_of(list);
    expect_makespan(star(4), study, 13);
    study.measures.timing.dependencies = Dependencies::causal;
    expect_makespan(star(4), study, 9);
}

// ---- what is refused ----------------------------------------------------------------------------------------------

std::string refusal_of(std::string const& text) {
    try {
        LineReader lines = lines_of_text(text);
        Study const study = study_of(traffic::read_goal(lines));
        make_graph(make_plan(star(4), study));
    } catch (InputError const& error) {
        return error.what();
    }
    return "";
}

GoalSchedule schedule_of(std::string const& text) {
    LineReader lines = lines_of_text(text);
    return traffic::read_goal(lines);
}

/// A receive has begun when it is posted, whenever its message comes.
TEST(Simulation, WhatIrequiresAReceiveDoesNotWaitForTheMessage) {
    char const* const exchange =
        "num_ranks 2\nrank 0 {\nr: recv 10b from 1\ns: send 10b to 1\ns irequires r\n}\n"
        "rank 1 {\nr: recv 10b from 0\ns: send 10b to 0\ns irequires r\n}\n";
    expect_makespan(star(2), study_of(schedule_of(exchange)), 10);
    char const* const computing =
        "num_ranks 2\nrank 0 {\nr: recv 50b from 1\nc: calc 100\nc irequires r\n}\n"
        "rank 1 {\ns: send 50b to 0\n}\n";
    expect_makespan(star(2), study_of(schedule_of(computing)), 100);
    // The posting waits for what the receive requires: a computation of 30, then the message leaves at 0 and is there.
    char const* const later =
        "num_ranks 2\nrank 0 {\na: calc 30\nr: recv 50b from 1\nr requires a\nc: calc 100\n"
        "c irequires r\n}\nrank 1 {\ns: send 50b to 0\n}\n";
    expect_makespan(star(2), study_of(schedule_of(later)), 130);
    // A chain of postings.
    char const* const chain =
        "num_ranks 2\nrank 0 {\na: recv 50b from 1 tag 1\nb: recv 50b from 1 tag 2\n"
        "b irequires a\nc: calc 10\nc irequires b\n}\n"
        "rank 1 {\ns: send 50b to 0 tag 1\nt: send 50b to 0 tag 2\n}\n";
    expect_makespan(star(2), study_of(schedule_of(chain)), 100);
}

/// delivered + local + within nodes + lost = the flows of all mappings, each flow in one of them.
TEST(Simulation, FlowsToOneselfAreCountedOnce) {
    auto const counted = [](Study study, std::uint64_t delivered, std::uint64_t local) {
        study.sample.mappings = 3;
        StudyPlan const plan = make_plan(star(4), study);
        Evaluation const result = evaluate(plan, {});
        EXPECT_EQ(result.delivered, 3 * delivered);
        EXPECT_EQ(result.local, 3 * local);
        EXPECT_EQ(result.within_nodes, 0u);
        EXPECT_EQ(result.delivered + result.local, 3 * plan.flows_per_mapping);
    };
    patterns::FlowListWriter out(4);
    out.begin_level();
    out.flow(0, 1, 6);
    out.flow(0, 0, 5);
    out.begin_level();
    out.flow(2, 2, 5);
    out.flow(2, 3, 5);
    FlowList const list = out.take();
    for (Dependencies const dependencies : {Dependencies::barrier, Dependencies::causal})
        for (bool const with_latency : {false, true}) {
            Study study = study_of(list);
            study.measures.timing.dependencies = dependencies;
            if (with_latency) study.measures.timing.link_latency = units(2);
            counted(study, 2, 2);
        }
    counted(study_of(schedule_of("num_ranks 2\nrank 0 {\na: send 10b to 0\nb: recv 10b from 0\nc: send 10b to 1\n}\n"
                                 "rank 1 {\nr: recv 10b from 0\n}\n")),
            1, 1);
}

/// A rank takes part in a level with a flow to itself alone, too: that takes no time, and what the rank computes after
/// the level does. Rank 0 computes 5 between its flows to itself and to rank 1; rank 1, which has none, waits for it.
TEST(Simulation, AFlowToOneselfIsPartOfALevel) {
    patterns::FlowListWriter out(2);
    out.begin_level();
    out.flow(0, 0, 3);
    out.begin_level();
    out.flow(0, 1, 7);
    FlowList const list = out.take();
    for (Dependencies const dependencies : {Dependencies::barrier, Dependencies::causal}) {
        Study study = study_of(list);
        study.measures.timing.dependencies = dependencies;
        study.measures.timing.compute = units(5);
        Evaluation const result = evaluate(make_plan(star(2), study), {});
        EXPECT_EQ(result.numbers.at(Metric::makespan).mean(), 12);
        expect_levels(star(2), study);
    }
}

TEST(Simulation, SchedulesThatCannotRunAreRefusedWithTheirLine) {
    std::string const head = "num_ranks 2\nrank 0 {\na: send 8b to 1\nb: calc 5\n",
                      foot = "}\nrank 1 {\nrecv 8b from 0\n}\n";
    EXPECT_EQ(refusal_of(head + foot), "");
    std::string const cycle = refusal_of(head + "c: calc 7\nb requires c\nc requires b\n" + foot);
    EXPECT_NE(cycle.find("some.goal:"), std::string::npos) << cycle;
    EXPECT_NE(cycle.find("can never end"), std::string::npos) << cycle;
    EXPECT_TRUE(cycle.find("goal:4:") != std::string::npos || cycle.find("goal:5:") != std::string::npos) << cycle;
    std::string const by_messages = refusal_of(
        "num_ranks 2\nrank 0 {\na: send 8b to 1\nb: recv 8b from 1\na requires b\n}\nrank 1 {\nc: send 8b to 0\n"
        "d: recv 8b from 0\nc requires d\n}\n");
    EXPECT_NE(by_messages.find("can never end"), std::string::npos) << by_messages;
    std::string const lonely_send = refusal_of(head + "send 9b to 1\n" + foot);
    EXPECT_NE(lonely_send.find("some.goal:5: the send of rank 0 to rank 1 with tag 0 has no receive"),
              std::string::npos)
        << lonely_send;
    std::string const lonely_receive = refusal_of(head + "recv 9b from 1 tag 3\n" + foot);
    EXPECT_NE(lonely_receive.find("some.goal:5: the receive of rank 0 from rank 1 with tag 3 has no send"),
              std::string::npos)
        << lonely_receive;
    std::string const sizes = refusal_of(head + "}\nrank 1 {\nrecv 9b from 0\n}\n");
    EXPECT_NE(sizes.find("some.goal:7: a receive of 9 bytes gets a message of 8 bytes"), std::string::npos) << sizes;
    EXPECT_NE(refusal_of(head + "x requires a\n" + foot).find("5"), std::string::npos);
}

TEST(Simulation, OtherMetricsAreRefused) {
    Study study;
    study.traffic.pattern = "bisect";
    study.measures.timing.dependencies = Dependencies::causal;
    Fabric const fabric = star(4);
    EXPECT_THROW(make_plan(fabric, study), InputError);
    study.measures.metrics = times_alone;
    make_plan(fabric, study);
    study.measures.timing.link_latency = {.value = 1e-6, .in_seconds = true, .text = "1us"};
    EXPECT_THROW(make_plan(fabric, study), InputError);  // no seconds here
}

}  // namespace
}  // namespace tailback::simulation_test
