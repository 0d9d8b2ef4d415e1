#include "host/study/plan/study_plan.hpp"

#include "host/study/placement/compute_nodes.hpp"
#include "host/study/placement/ranks_in_rows.hpp"
#include "host/study/plan/plan_storage.hpp"
#include "host/study/plan/seats.hpp"
#include "host/study/plan/shared_links.hpp"
#include "host/study/plan/shared_rates.hpp"
#include "host/study/plan/shares.hpp"
#include "host/study/plan/weighted_flows.hpp"
#include "kernels/cpu/fast/team.hpp"
#include "kernels/evaluate/dispatch.hpp"
#include "kernels/evaluate/evaluate.hpp"
#include "kernels/evaluate/reduction.hpp"

#include <algorithm>

namespace tailback::study {
namespace {

/// Larger of the loads that a flow's two host links get from its level.
void add_floors(patterns::FlowList const& list, StudyPlan::Storage& storage) {
    storage.min_congestions.assign(list.flows.size(), 1);
    std::vector<std::uint32_t> out(list.ranks), in(list.ranks);
    for (std::size_t l = 0; l < list.levels.size(); ++l) {
        patterns::Level const& level = list.levels[l];
        patterns::Flow const* const flows = list.flows.data() + level.first_flow;
        for (std::size_t f = 0; f < level.flow_count; ++f) ++out[flows[f].source], ++in[flows[f].destination];
        for (std::size_t f = 0; f < level.flow_count; ++f) {
            std::uint32_t const min_congestion = std::max(out[flows[f].source], in[flows[f].destination]);
            storage.min_congestions[level.first_flow + f] = min_congestion;
            if (min_congestion != 1) storage.levels[l].unit_min_congestion = false;
        }
        for (std::size_t f = 0; f < level.flow_count; ++f) out[flows[f].source] = in[flows[f].destination] = 0;
    }
}

void list_flows(patterns::FlowList const& list, StudyPlan& plan) {
    StudyPlan::Storage& storage = *plan.storage;
    kernels::Problem& problem = plan.problem;
    storage.levels.clear();
    storage.flows.reserve(list.flows.size());
    for (patterns::Flow const& flow : list.flows) storage.flows.push_back({flow.source, flow.destination});
    std::uint64_t total = 0, routes = 0;
    for (patterns::Level const& level : list.levels) {
        kernels::LevelView view{.first_flow = level.first_flow,
                                .flows = static_cast<std::uint32_t>(level.flow_count),
                                .routes_before = routes};
        std::uint64_t kept = level.flow_count;
        if (level.all_to_all) total += std::uint64_t{list.ranks} * (list.ranks - 1);
        std::size_t part = 0;
        for (patterns::RandomFlows const& random : level.random) {
            view.random[part++] = {random.first_rank, random.ranks, random.stream};
            problem.traffic.drawn_ranks[random.stream] = random.ranks;
            kept += random.ranks;
        }
        if (kept > 0x7FFFFFFF)
            throw base::InputError({}, "a level of the pattern has too many flows", std::to_string(kept) + " flows",
                                   "use fewer ranks");
        view.routes_to_keep = static_cast<std::uint32_t>(kept);
        problem.traffic.max_kept = std::max(problem.traffic.max_kept, view.routes_to_keep);
        routes += kept;
        total += kept + level.local;
        storage.levels.push_back(view);
    }
    plan.flows_per_mapping = total;
    problem.traffic.flows = storage.flows.data();
    problem.traffic.flow_count = storage.flows.size();
    problem.traffic.levels = storage.levels.data();
    problem.traffic.level_count = static_cast<std::uint32_t>(storage.levels.size());
    problem.traffic.measured_ranks = list.measured_ranks;
}

/// Weights that all flows share are left to reports; others to kernels, the flows in an order that they gain from.
void take_weights(StudyPlan& plan) {
    patterns::FlowList& list = plan.flow_list;
    bool const has_bytes = list.has_bytes();
    plan.common_weight = patterns::take_common_weight(list);
    if (plan.common_weight == 0) {
        plan.common_weight = 1;
        if (plan.study.measures.timing.schedule == nullptr)
            patterns::sort_flows(list);  // else in the order of its operations
        plan.problem.traffic.weights = list.weights.data();
    } else if (has_bytes) {
        plan.bytes = bytes_of_equal_flows(patterns::fixed_flows(list), plan.common_weight);
    }
}

/// Routes made on demand are found for listed flows, and kernels divide shares of 64 bits.
bool has_to_list_flows(StudyPlan const& plan, model::LinkCosts const& costs) {
    return plan.storage->routes->made_on_demand ||
           (!costs.cost.empty() && *std::min_element(costs.cost.begin(), costs.cost.end()) > plan.flows_per_mapping);
}

/// Leaves out links that cannot be shared, where nothing that is asked for depends on them and the study is long enough
/// to gain from it: looking at a row takes a few times as long as what a flow saves.
void drop_unshared_links(StudyPlan& plan) {
    kernels::Problem& p = plan.problem;
    StudyPlan::Storage& storage = *plan.storage;
    bool const in_rows = p.routes.rows != nullptr &&
                         (p.routes.form == kernels::RouteForm::rows16 || p.routes.form == kernels::RouteForm::rows32);
    if (!in_rows || p.routes.cost != nullptr || !storage.routes->host_links_implied || p.measures.wants_link_sums ||
        p.measures.sharing.bottlenecks || p.measures.wants_route_links ||
        plan.study.measures.timing.needs_whole_routes() || p.placement.source == kernels::MappingSource::listed)
        return;
    bool const one_mapping = p.placement.source == kernels::MappingSource::identity && !p.placement.draw_subset &&
                             p.traffic.drawn_ranks[0] + p.traffic.drawn_ranks[1] == 0;
    constexpr double flows_a_row = 16;
    if (one_mapping || double(plan.study.sample.mappings) * double(plan.flows_per_mapping) <
                           flows_a_row * double(p.routes.groups) * p.placement.study_hosts)
        return;
    storage.counted = keep_shared_links(*storage.routes, p);
    if (!storage.counted) return;
    storage.counted->describe(p);
    plan.link_of_index = storage.counted->link_of_index;
    plan.mean_counted_links = storage.counted->mean_links;
}

/// Is there a metric that is made of the flows' bandwidths?
bool wants_shares(StudyPlan const& plan) {
    for (Metric const metric : plan.study.measures.metrics) {
        MetricInfo const& info = info_of(metric);
        if (info.work.congestions) return true;
        if (info.number && info.number->scale(plan).integer.part == kernels::TallyPart::share_sum) return true;
    }
    return false;
}

void describe_all_to_all(StudyPlan& plan) {
    kernels::Problem& problem = plan.problem;
    std::uint64_t const whole_share = problem.traffic.all_to_all.whole_share;
    problem.traffic.all_to_all = plan.storage->classes.describe(problem);
    problem.traffic.all_to_all.whole_share = whole_share;
    if (problem.measures.wants_histogram) problem.measures.congestion_bins = largest_congestion(problem) + 1;
}

/// What the kernels are to count, over routes that are there.
void describe_counts(StudyPlan& plan) {
    Study const& study = plan.study;
    StudyPlan::Storage& storage = *plan.storage;
    kernels::Problem& problem = plan.problem;
    model::RouteStore const& routes = *storage.routes;
    if (routes.made_on_demand && (study.measures.timing.is_simulated() || study.measures.timing.keeps_routes_whole))
        throw base::InputError({}, "routes that are made on demand do not go with what follows every flow in time",
                               "dependencies, computing, latency, switching, priorities, timelines and estimates need "
                               "all routes in memory",
                               "use `--routes tables` where the network fits in memory, or a smaller network");
    plan.none_delivered = routes.none_delivered;
    routes.describe(problem);
    problem.routes.host_links_implied = routes.host_links_implied;
    problem.routes.longest_route =
        std::max(routes.longest, routes.length_bound) + (problem.routes.host_links_implied ? 2 : 0);
    storage.capacities = describe_sharing(plan);
    for (Metric const metric : study.measures.metrics) {
        KernelWork const& work = info_of(metric).work;
        problem.measures.wants_delay |= work.delays;
        problem.measures.wants_histogram |= work.congestions;
        problem.measures.wants_link_sums |= work.link_sums;
        problem.measures.wants_route_links |= work.route_links;
    }
    problem.measures.wants_shares = wants_shares(plan);
    problem.measures.wants_link_flows =
        problem.measures.wants_link_sums && problem.traffic.weights != nullptr && plan.routes_from != RoutesFrom::loads;
    problem.measures.count_host_links =
        routes.host_links_implied && (!problem.routes.all_delivered || problem.routes.cost != nullptr ||
                                      problem.measures.wants_link_sums || problem.placement.nodes.node != nullptr);
    if (problem.traffic.weights != nullptr) {
        storage.min_loads = min_loads_of(plan.flow_list, routes.host_links_implied);
        problem.traffic.min_loads = storage.min_loads.data();
    } else {
        if (routes.host_links_implied) add_floors(plan.flow_list, storage);
        else storage.min_congestions.assign(storage.flows.size(), 1);
        problem.traffic.min_congestions = storage.min_congestions.data();
    }
    plan.mean_counted_links = routes.host_links_implied ? std::max(0.0, plan.mean_links - 2) : plan.mean_links;
    if (leaves_flows_unlisted(plan)) return describe_all_to_all(plan);
    drop_unshared_links(plan);

    std::uint32_t const counters = problem.measures.count_host_links ? problem.routes.slots : problem.routes.inner;
    std::uint32_t const longest = (storage.counted ? *storage.counted : routes).longest;
    for (kernels::LevelView& level : storage.levels)
        level.sparse = std::uint64_t{level.routes_to_keep} * (longest + 2) * 4 < counters;
}

}  // namespace

patterns::FlowList flows_of(Study const& study) {
    patterns::FlowList list =
        study.traffic.pattern == patterns::listed_pattern
            ? patterns::make_listed_pattern(study.traffic.listed_flows, study.placement.ranks)
        : study.traffic.pattern == "ptrnvsptrn"
            ? patterns::make_pattern_vs_pattern(study.traffic.first, study.traffic.first_ranks, study.traffic.second,
                                                study.placement.ranks)
        : patterns::goes_by_nodes(study.traffic.pattern)
            ? patterns::make_pattern(study.traffic.pattern, study.placement.ranks, ranks_in_rows(study))
            : patterns::make_pattern(study.traffic.pattern, study.placement.ranks);
    return study.traffic.level ? patterns::only_level(list, *study.traffic.level) : list;
}

namespace {

/// Hosts seated and flows listed, for what comes of them.
StudyPlan begin_plan(model::Fabric const& fabric, Study const& asked) {
    StudyPlan plan;
    plan.study = asked;
    plan.fabric = &fabric;
    plan.storage = std::make_shared<StudyPlan::Storage>();
    Study& study = plan.study;
    if (study.sample.mappings == 0)
        throw base::InputError({}, "no mappings to evaluate", "--mappings is 0", "ask for at least 1");
    if (study.traffic.pattern == patterns::listed_pattern && study.placement.ranks == 0 &&
        study.placement.mapping != MappingKind::listed)
        study.placement.ranks = study.traffic.listed_flows.ranks;
    plan.study_hosts = seat_hosts(fabric, study);
    plan.flow_list = may_leave_flows_unlisted(study)
                         ? patterns::make_unlisted_all_to_all(study.traffic.pattern, study.placement.ranks)
                         : flows_of(study);
    take_weights(plan);
    list_flows(plan.flow_list, plan);
    return plan;
}

void finish_plan(StudyPlan& plan, model::LinkCosts const& costs) {
    plan.link_of_index = plan.storage->routes->link_of_index;
    plan.denominator = costs.denominator * plan.parts;
    plan.base_rate_elevenths = costs.base_rate_elevenths;
    tabulate_shares(plan, costs);
    describe_draws(plan);
    describe_counts(plan);
}

/// Every link of the network, and no route.
model::RouteStore links_alone(StudyPlan const& plan, std::uint64_t parts, model::LinkCosts const& costs) {
    model::Network const& network = plan.fabric->network;
    model::RouteStore const& routes = *plan.storage->routes;
    model::RouteStore store;
    for (std::size_t l = 0; l < network.links().size(); ++l) store.link_of_index.push_back(model::Link{l});
    store.inner = static_cast<std::uint32_t>(store.link_of_index.size());
    store.longest = static_cast<std::uint32_t>(std::min<std::uint64_t>((routes.longest + 2) * parts, store.inner));
    store.length_bound = store.inner;  // no route takes a link twice
    store.add_outer_slots(network, plan.study_hosts, {}, costs);
    return store;
}

}  // namespace

StudyPlan make_plan(model::Fabric const& fabric, Study const& asked, std::size_t row_byte_limit, StudyPlan const* like,
                    kernels::MakeRoutePacker make_packer) {
    if (!fabric.routed)
        throw base::InputError({}, "the network has no forwarding tables", "no table file was given",
                               "add --tables FILE (an LFT dump or .fdbs file of the same fabric), or --routing NAME");
    StudyPlan plan = begin_plan(fabric, asked);
    refuse_times_beforehand(plan);  // packing takes a while
    Study const& study = plan.study;
    model::LinkCosts const costs = model::link_costs(fabric.network, study.measures.capacities);
    bool const same = like != nullptr && like->fabric == &fabric && like->study_hosts == plan.study_hosts &&
                      like->study.measures.capacities == study.measures.capacities;
    plan.storage->routes = same ? like->storage->routes
                                : std::make_shared<model::RouteStore const>(fabric.routing->pack(
                                      fabric, plan.study_hosts, costs, row_byte_limit, make_packer));
    if (leaves_flows_unlisted(plan) && has_to_list_flows(plan, costs)) {
        plan.flow_list = flows_of(study);
        take_weights(plan);
        list_flows(plan.flow_list, plan);
    }
    plan.mean_links = plan.storage->routes->mean_links;
    finish_plan(plan, costs);
    return plan;
}

bool FlowDivision::measures(MetricInfo const& info) const {
    bool const whole = routes_from == RoutesFrom::finder && parts == 1;
    KernelWork const& work = info.work;
    if (!metrics.empty() && std::find(metrics.begin(), metrics.end(), info.metric) == metrics.end()) return false;
    return whole || !(work.route_links || work.rates || work.bottlenecks || work.times);
}

StudyPlan divided_plan(StudyPlan const& like, FlowDivision const& division) {
    Study study = like.study;
    study.traffic.may_leave_flows_unlisted = false;
    study.sample.mappings = std::min(study.sample.mappings, division.mappings);
    if (division.mappings != UINT64_MAX) study.sample.until.reset();
    std::erase_if(study.measures.metrics, [&](Metric metric) { return !division.measures(info_of(metric)); });
    std::uint64_t const end = study.sample.first_mapping + (study.sample.mappings - 1);
    if (end > UINT64_MAX / division.repeats - 1)
        throw base::InputError(
            {}, "numbers of mappings are out of range",
            "each is evaluated " + std::to_string(division.repeats) + (division.repeats == 1 ? " time" : " times"),
            "give a smaller --first-mapping");
    StudyPlan plan = begin_plan(*like.fabric, study);
    plan.parts = division.parts;
    plan.repeats = division.repeats;
    plan.routes_from = division.routes_from;
    plan.bytes = like.bytes;
    plan.mean_links = like.mean_links;
    model::LinkCosts const costs = model::link_costs(like.fabric->network, study.measures.capacities);
    plan.storage->routes = std::make_shared<model::RouteStore const>(links_alone(like, plan.parts, costs));
    if (plan.routes_from == RoutesFrom::loads) {                          // too large for tables of 31 bits
        plan.flow_list.weights.reserve(plan.flow_list.flows.size() + 1);  // not null where all flows are drawn
        plan.flow_list.weights.resize(plan.flow_list.flows.size(), 1);
        plan.problem.traffic.weights = plan.flow_list.weights.data();
    }
    finish_plan(plan, costs);
    plan.problem.placement.repeats = static_cast<std::uint32_t>(plan.repeats);
    plan.study.sample.first_mapping *= plan.repeats;
    plan.study.sample.mappings *= plan.repeats;
    return plan;
}

double StudyPlan::congestion_unit() const {
    if (!in_seconds()) return double(common_weight);
    constexpr double bits_a_byte = 8, elevenths_of_gbps = 1e9 / 11;
    return double(common_weight) * bits_a_byte / (base_rate_elevenths * elevenths_of_gbps);
}

std::vector<model::Host> StudyPlan::hosts_of_mapping(std::uint64_t number) const {
    std::uint64_t const m = number / repeats;
    kernels::Scratch<std::uint32_t, std::uint32_t> scratch;
    std::vector<std::byte> memory(scratch.lay_out(problem, nullptr, false) + 64);
    auto const misaligned = reinterpret_cast<std::uintptr_t>(memory.data()) % 16;
    scratch.lay_out(problem, memory.data() + (16 - misaligned), false);
    kernels::CpuTeam team;
    kernels::kernel::place_ranks(team, problem, m, scratch);
    std::vector<model::Host> hosts;
    for (std::uint32_t r = 0; r < problem.placement.ranks; ++r)
        hosts.push_back(study_hosts[scratch.host_index_of_rank[r]]);
    return hosts;
}

void StudyPlan::seat_again(std::uint64_t mapping, std::span<std::uint32_t const> seats) const {
    std::uint64_t const row = mapping - problem.placement.first_listed;
    std::copy(seats.begin(), seats.end(), storage->listed.begin() + static_cast<std::ptrdiff_t>(row * seats.size()));
}

bool makes_routes_on_demand(StudyPlan const& plan) { return plan.storage->routes->made_on_demand; }

bool draws_mappings(StudyPlan const& plan) {
    kernels::Problem const& p = plan.problem;
    if (plan.study.placement.nodes)
        return plan.study.placement.nodes->draws || p.traffic.drawn_ranks[0] > 0 || p.traffic.drawn_ranks[1] > 0;
    return p.placement.source != kernels::MappingSource::listed &&
           (p.placement.source == kernels::MappingSource::random || p.placement.draw_subset ||
            p.traffic.drawn_ranks[0] > 0 || p.traffic.drawn_ranks[1] > 0);
}

}  // namespace tailback::study
