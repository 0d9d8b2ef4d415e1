#include "host/api/ranks/job_orders.hpp"

#include "host/base/error.hpp"
#include "host/search/orders/bisection.hpp"
#include "host/search/orders/find_order.hpp"
#include "host/search/orders/load_search.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace tailback::api {
namespace {

void check_orderable(JobRequest const& job) {
    auto const refuse = [&](std::string const& what, char const* why) {
        throw base::InputError(job.place, "job \"" + job.name.substr(0, 80) + "\" " + what, why,
                               "leave that out, or order the jobs one by one");
    };
    if (!job.with.empty()) refuse("runs with another", "a rank of both has one place");
    if (!job.class_name.empty() || job.priority) refuse("has a class or a priority", "loads do not know of any");
    std::optional<study::RankOrder> const& order = job.placement.order;
    if (order && order->kind == study::RankOrderKind::random)
        refuse("begins at a random mapping", "the search begins at one order");
    if (!job.placement.mapping_file.empty() && job.placement.nodes.empty())
        refuse("begins at a mapping of a file", "nodes= is to say which places its ranks may take");
    if (patterns::goes_by_nodes(job.pattern))
        refuse("has a pattern that goes by nodes", "what its ranks send depends on where they are");
}

/// The jobs with these orders, what they send aside: as many ranks as they have, or as their nodes have places for.
JobsRequest placed_alike(JobsRequest request, std::vector<evaluation::Job> const& jobs, study::RankOrder const& order,
                         bool on_all_places) {
    for (std::size_t j = 0; j < request.jobs.size(); ++j) {
        JobRequest& job = request.jobs[j];
        job.traffic.clear();
        job.pattern = "1shift";
        job.placement.order = order;
        job.placement.mapping_file.clear();
        job.ranks = on_all_places && !job.placement.nodes.empty() ? 0 : jobs[j].flows.ranks;
    }
    return request;
}

/// What a job's ranks send, all levels together, scaled so that the busiest rank has JobPlaces::busiest.
std::vector<search::PlacedFlow> flows_of_job(evaluation::Job const& job) {
    std::vector<search::PlacedLevel> const levels = levels_of(job.flows, job.name, WeightsOfFlows::own);
    std::vector<search::PlacedFlow> flows = search::all_in_one(levels).flows;
    std::vector<std::uint64_t> out(job.flows.ranks), in(job.flows.ranks);
    for (search::PlacedFlow const& flow : flows) out[flow.source] += flow.weight, in[flow.destination] += flow.weight;
    std::uint64_t most = 0;
    for (std::uint32_t r = 0; r < job.flows.ranks; ++r) most = std::max({most, out[r], in[r]});
    for (search::PlacedFlow& flow : flows)
        flow.weight = std::max<std::uint64_t>(
            1, static_cast<std::uint64_t>(std::llround(double(flow.weight) / double(most) * JobPlaces::busiest)));
    return flows;
}

/// The ranks of the other jobs beside those of jobs that stay, in this order.
search::PlaceProblem problem_beside(JobPlaces const& all, search::Order const& order, std::vector<bool> const& stays) {
    search::PlaceProblem lighter = all.places.problem;
    std::vector<bool> is_theirs(lighter.ranks);
    for (std::size_t j = 0; j < all.jobs.size(); ++j)
        if (stays[j]) std::fill_n(is_theirs.begin() + all.jobs[j].first_rank, all.jobs[j].ranks, true);
    lighter.stays.resize(lighter.ranks);
    std::transform(lighter.stays.begin(), lighter.stays.end(), is_theirs.begin(), lighter.stays.begin(),
                   std::logical_or());
    std::vector<search::PlacedFlow> theirs;
    for (search::PlacedLevel& level : lighter.levels) {
        auto const own = std::stable_partition(level.flows.begin(), level.flows.end(),
                                               [&](search::PlacedFlow const& flow) { return is_theirs[flow.source]; });
        theirs.insert(theirs.end(), level.flows.begin(), own);
        level.flows.erase(level.flows.begin(), own);
    }
    lighter.background.assign(lighter.cost.size(), 0);
    search::add_loads(lighter.ways, theirs, order, lighter.background);
    return lighter;
}

}  // namespace

JobPlaces find_places_of_jobs(JobsRequest request, std::shared_ptr<model::Fabric const> const& fabric, unsigned threads,
                              Listener const& listener) {
    for (JobRequest& job : request.jobs) check_orderable(job);
    request.mappings = 1;
    request.mappings_given = true;
    auto const on_it = [&](JobsRequest const&) -> model::Fabric const& { return *fabric; };
    PlacedJobs const placed = place_jobs(request, on_it, listener);
    PlacedJobs const everywhere = place_jobs(placed_alike(request, placed.jobs, {}, true), on_it, {});
    JobPlaces found{{}, {}, std::move(request)};
    study::Study study = placed.study, all = everywhere.study;
    patterns::FlowList& list = study.traffic.listed_flows;
    for (std::size_t j = 0; j < placed.jobs.size(); ++j) {
        evaluation::Job const &job = placed.jobs[j], &places = everywhere.jobs[j];
        found.jobs.push_back(
            {job.name, job.first_rank, job.flows.ranks, places.first_rank, places.flows.ranks, job.flows});
        for (search::PlacedFlow const& flow : flows_of_job(job)) {
            list.flows.push_back({job.first_rank + flow.source, job.first_rank + flow.destination});
            list.weights.push_back(flow.weight);
        }
    }
    list.levels = {{.first_flow = 0, .flow_count = list.flows.size()}};
    study.traffic.ranks_move = true;
    study.measures.metrics = {study::Metric::sum_max_cong, study::Metric::hist_acc_band, study::Metric::hop_bytes};
    all.traffic.listed_flows = patterns::make_pattern("1shift", all.placement.ranks);
    all.measures.metrics = {study::Metric::get_cable_cong};  // all links are looked at
    found.places.start = std::make_shared<study::StudyPlan const>(study::make_plan(*fabric, study));
    found.places.all = std::make_shared<study::StudyPlan const>(study::make_plan(*fabric, all));
    find_ways(found.places, threads);
    found.places.problem.levels = levels_of(found.places.start->flow_list, "jobs", WeightsOfFlows::own);
    return found;
}

search::Order JobPlaces::named_order(study::RankOrder const& order,
                                     std::shared_ptr<model::Fabric const> const& fabric) const {
    std::vector<evaluation::Job> as_many;
    for (OrderedJob const& job : jobs) as_many.push_back({job.name, {.ranks = job.ranks}, job.first_rank});
    auto const on_it = [&](JobsRequest const&) -> model::Fabric const& { return *fabric; };
    PlacedJobs const placed = place_jobs(placed_alike(request, as_many, order, false), on_it, {});
    return PlacesOfHosts(places.hosts()).order_of(placed.study.placement.mapping_hosts);
}

search::Order JobPlaces::bisected() const {
    search::Order order(places.problem.ranks);
    for (OrderedJob const& job : jobs) {
        search::PlaceProblem alone;
        alone.ranks = job.ranks;
        alone.together = places.problem.together;
        alone.levels = levels_of(job.flows, job.name, WeightsOfFlows::own);
        search::Order const own = search::bisected(alone);
        for (std::uint32_t r = 0; r < job.ranks; ++r) order[job.first_rank + r] = job.first_place + own[r];
    }
    return order;
}

std::vector<std::uint64_t> JobPlaces::busiest_links(search::Order const& order) const {
    search::PlaceProblem const& problem = places.problem;
    std::vector<search::PlacedFlow> const flows = search::all_in_one(problem.levels).flows;
    std::vector<std::uint64_t> all(problem.cost.size()), busiest_link;
    search::add_loads(problem.ways, flows, order, all);
    for (OrderedJob const& job : jobs) {
        std::uint64_t most = 0;
        for (search::PlacedFlow const& flow : flows)
            if (flow.source - job.first_rank < job.ranks)
                for (std::uint32_t const link : problem.ways.way(order[flow.source], order[flow.destination]))
                    most = std::max(most, all[link] * problem.cost[link]);
        busiest_link.push_back(most);
    }
    return busiest_link;
}

search::FoundOrder JobPlaces::relieve_lighter(search::FoundOrder found, std::span<search::Order const> starts,
                                              search::OrderSearchOptions const& options) const {
    std::vector<bool> stays(jobs.size());
    for (std::size_t left = jobs.size(); left > 1 && !found.stopped; --left) {
        std::vector<std::uint64_t> const busiest = busiest_links(found.order);
        std::size_t worst = jobs.size();
        for (std::size_t j = 0; j < jobs.size(); ++j)
            if (!stays[j] && (worst == jobs.size() || busiest[j] > busiest[worst])) worst = j;
        stays[worst] = true;
        search::PlaceProblem const lighter = problem_beside(*this, found.order, stays);
        search::OrderJudge const judge(lighter, search::OrderGoal::load);
        std::vector<search::Order> from = {found.order};
        for (search::Order order : starts) {
            for (std::size_t j = 0; j < jobs.size(); ++j)
                if (stays[j])
                    std::copy_n(found.order.begin() + jobs[j].first_rank, jobs[j].ranks,
                                order.begin() + jobs[j].first_rank);
            from.push_back(std::move(order));
        }
        search::OrderSearchOptions part = options;
        part.moves = options.moves / (jobs.size() - 1);
        part.enough = judge.bound();
        std::uint64_t const before = found.moves;
        if (options.progress) part.progress = [&](std::uint64_t done) { options.progress(before + done); };
        search::FoundOrder better = judge.search(from, part);
        if (better.cost < judge(found.order)) found.order = std::move(better.order);
        found.moves += better.moves;
        found.stopped = better.stopped;
    }
    found.cost = search::OrderJudge(places.problem, search::OrderGoal::load)(found.order);
    return found;
}

std::shared_ptr<study::StudyPlan const> JobPlaces::plan_of(OrderedJob const& job, search::Order const& order) const {
    study::Study study = places.start->study;
    study.traffic.listed_flows = job.flows;
    study.traffic.listed_flows.measured_ranks = study.placement.ranks = job.ranks;
    for (JobRequest const& one : request.jobs)  // by which its file is read back
        if (one.name == job.name && one.placement.rail) study.placement.nodes->rail = *one.placement.rail;
    study.placement.mapping_hosts.clear();
    for (std::uint32_t r = 0; r < job.ranks; ++r)
        study.placement.mapping_hosts.push_back(places.hosts()[order[job.first_rank + r]]);
    return std::make_shared<study::StudyPlan const>(study::make_plan(*places.start->fabric, study));
}

}  // namespace tailback::api
