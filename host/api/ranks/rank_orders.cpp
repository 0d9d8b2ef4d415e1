#include "host/api/ranks/rank_orders.hpp"

#include "host/base/error.hpp"
#include "host/base/numbers.hpp"
#include "host/base/scanner.hpp"
#include "host/io/progress.hpp"
#include "host/search/orders/bisection.hpp"
#include "host/search/places/zones.hpp"
#include "kernels/cpu/machine/stop.hpp"
#include "kernels/cpu/machine/threads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <optional>

namespace tailback::api {
namespace {

search::Order named_order(RankOrderChoice const& choice, model::Fabric const& fabric, study::RankOrder const& order,
                          std::uint32_t ranks, PlacesOfHosts const& places) {
    study::Study study = choice.study.study;
    study.placement.ranks = ranks;
    study.sample.mappings = 1;
    study.sample.first_mapping = 0;
    PlacementRequest request = choice.study.placement;
    request.order = order;
    place_study(study, request, fabric, {choice.study.network.spec, true, false});
    return places.order_of(study.placement.mapping_hosts);
}

/// The order, with ranks that stay and groups where they are to be. @param start tells where
/// @param visited of search::put_within_zones
search::Order allowed(search::PlaceProblem const& problem, search::Order order, search::Order const& start,
                      std::span<std::uint32_t const> visited = {}) {
    order = search::keep_staying(problem, std::move(order), start);
    return problem.zone.empty() ? order : search::put_within_zones(problem, std::move(order), start, visited);
}

/// @param start of what is allowed, where there are zones
search::Order random_order(search::PlaceProblem const& problem, search::Order const& start, std::uint64_t seed,
                           std::uint64_t number) {
    std::vector<std::uint32_t> const place_of = drawn_units(problem, seed, number);
    search::Order order(problem.ranks);
    for (std::uint32_t r = 0; r < problem.ranks; ++r)
        order[r] = place_of[r / problem.together] * problem.together + r % problem.together;
    return problem.zone.empty() ? order : allowed(problem, std::move(order), start, place_of);
}

/// @param found changed where a random order is better, and one that the search could have found.
RandomOrders judge_random(search::PlaceProblem const& problem, search::OrderJudge const& judge,
                          search::Order const& start, search::FoundOrder& found, std::uint64_t count,
                          std::uint64_t seed, unsigned threads) {
    RandomOrders random{count, 0, 0, 0, 0, 0};
    if (count == 0) return random;
    io::Progress progress("random orders", count, "orders");
    auto const stop = kernels::StopWish::now();
    std::vector<std::uint64_t> values(count);
    kernels::NextOf next(count);
    kernels::in_threads(kernels::threads_to_use(threads), [&] {
        for (std::size_t k; next.take(k) && !stop.asked();) {
            values[k] = judge(random_order(problem, start, seed, k));
            progress.add(1);
        }
    });
    if (stop.asked()) throw kernels::Stopped();
    random.best = std::uint64_t(std::min_element(values.begin(), values.end()) - values.begin());
    bool const is_open = std::find(problem.closed.begin(), problem.closed.end(), true) == problem.closed.end() &&
                         std::find(problem.stays.begin(), problem.stays.end(), true) == problem.stays.end();
    if (values[random.best] < found.cost && is_open)
        found.order = random_order(problem, start, seed, random.best), found.cost = values[random.best];
    std::sort(values.begin(), values.end());
    random.least = values.front();
    random.median = values[values.size() / 2];
    random.most = values.back();
    random.not_worse =
        static_cast<std::uint64_t>(std::upper_bound(values.begin(), values.end(), found.cost) - values.begin());
    return random;
}

/// The study with these orders as its mappings.
study::Study study_of_orders(study::Study study, std::span<JudgedOrder const> orders,
                             std::span<model::Host const> places) {
    study.placement.mapping = study::MappingKind::listed;
    study.placement.mapping_hosts.clear();
    for (JudgedOrder const& one : orders)
        for (std::uint32_t const place : one.order) study.placement.mapping_hosts.push_back(places[place]);
    study.placement.first_listed = study.sample.first_mapping = 0;
    study.sample.mappings = orders.size();
    return study;
}

}  // namespace

std::uint64_t moves_in(double seconds, std::uint64_t usual_moves, search::SharedSearch const* shared,
                       std::function<std::uint64_t(std::uint64_t moves)> const& search) {
    using Clock = std::chrono::steady_clock;
    constexpr std::uint64_t tried = 50, least = 1000;
    std::uint64_t const trial = std::max(usual_moves / tried, least);
    io::Progress const progress("measuring how many swaps take that long");
    auto const started = Clock::now();
    std::uint64_t const moves = search(trial);
    std::uint64_t past_us = static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - started).count());
    if (shared != nullptr) shared->largest({&past_us, 1});
    double const past = std::max(double(past_us) * 1e-6, 1e-3), left = seconds - past, most = 1e12;
    if (moves == 0 || left <= 0) return trial;
    return std::max(trial, std::uint64_t(std::min(most, left / past * double(moves))));
}

std::vector<bool> read_ranks(std::string const& words, std::uint32_t ranks) {
    std::vector<bool> chosen(ranks);
    base::Scanner scan(words);
    do {
        std::uint64_t first = 0, last = 0;
        bool const is_number = scan.decimal(first);
        last = first;
        if (!is_number || (scan.accept('-') && !scan.decimal(last)) || first > last || last >= ranks)
            throw base::InputError({}, "\"" + words.substr(0, 80) + "\" does not name ranks",
                                   fmt::format("ranks are 0 to {}", ranks - 1), "write them as 0-3,7", "stay");
        for (std::uint64_t r = first; r <= last; ++r) chosen[r] = true;
    } while (scan.accept(','));
    if (!scan.at_end())
        throw base::InputError({}, "\"" + words.substr(0, 80) + "\" does not name ranks", "", "write them as 0-3,7",
                               "stay");
    return chosen;
}

RankOrders find_rank_order(RankOrderChoice const& choice, Listener const& listener) {
    RankOrders result;
    result.goal = choice.goal;
    result.seed = choice.search.seed;
    StudyRequest request = choice.study;
    request.study.sample.mappings = 1;
    request.study.traffic.ranks_move = true;
    request.mappings_given = true;
    request.study.measures.metrics = {study::Metric::sum_max_cong, study::Metric::hist_acc_band,
                                      study::Metric::hop_bytes};
    if (!request.placement.order && request.mapping_file.empty()) request.placement.order.emplace();
    FabricRequest wanted = fabric_request(request, listener.note);
    wanted.names_nodes = true;
    wanted.wanted = Wanted::flows;  // routes of pairs, one by one
    result.fabric = choice.fabric ? choice.fabric : obtain_shared(wanted, listener);
    std::optional<JobPlaces> of_jobs;
    if (choice.jobs) of_jobs = find_places_of_jobs(*choice.jobs, result.fabric, listener);
    StudyPlaces of_study;
    if (!of_jobs) of_study = find_places(request, {}, result.fabric, listener);
    StudyPlaces& found_places = of_jobs ? of_jobs->places : of_study;
    std::vector<OrderedJob> const jobs = of_jobs ? of_jobs->jobs : std::vector<OrderedJob>();
    search::PlaceProblem& problem = found_places.problem;
    study::StudyPlan const& start = *found_places.start;
    std::vector<model::Host> const& hosts = found_places.hosts();
    std::uint32_t const ranks = problem.ranks;
    result.places = static_cast<std::uint32_t>(hosts.size());
    result.together = choice.together;
    result.within = choice.within;
    result.traffic_levels = start.flow_list.levels.size();
    result.different_levels = problem.levels.size();
    for (search::PlacedLevel const& level : problem.levels) result.flows += level.flows.size();
    if (!choice.stays.empty()) problem.stays = read_ranks(choice.stays, ranks);
    if (choice.goal == search::OrderGoal::rack_bytes || choice.within == KeptWithin::rack)
        problem.rack = racks_of(*result.fabric, choice.racks, hosts);
    keep_groups(problem, choice.groups(), jobs, found_places.order);
    std::uint64_t const scale = choice.beside ? found_places.put_beside(*choice.beside) : 1;

    PlacesOfHosts const places_of(hosts);
    auto const add = [&](std::string name, search::Order order) {
        if (order.size() < ranks) return result.without_places.push_back(std::move(name));
        bool is_changed = false;
        if (!problem.zone.empty()) {
            search::Order kept = allowed(problem, order, result.orders.empty() ? order : result.orders[0].order);
            is_changed = kept != order;
            order = std::move(kept);
        }
        for (JudgedOrder const& one : result.orders)
            if (one.order == order) return;
        result.orders.push_back({std::move(name), std::move(order), 0, is_changed});
    };
    auto const is_block = [](JobRequest const& job) {
        return !job.placement.order || job.placement.order->kind == study::RankOrderKind::block;
    };
    bool const is_named = request.mapping_file.empty() &&
                          (!choice.jobs || std::all_of(choice.jobs->jobs.begin(), choice.jobs->jobs.end(), is_block));
    std::string const words = is_named ? request.placement.order->words : "as given";
    add(words == "block" ? "block" : "start: " + words, found_places.order);
    for (char const* const name : {"block", "cyclic", "shuffle"}) {
        study::RankOrder const order = study::read_rank_order(name);
        if (problem.together == 1 || order.kind == study::RankOrderKind::block)
            add(name, of_jobs ? of_jobs->named_order(order, result.fabric)
                              : named_order(choice, *result.fabric, order, ranks, places_of));
    }
    add("recursive bisection", search::keep_staying(problem, of_jobs ? of_jobs->bisected() : search::bisected(problem),
                                                    result.orders[0].order));

    std::optional<OrderScores> scores;
    if (search::is_scored(choice.goal)) scores.emplace(found_places, choice.goal, choice.hash, choice.search.threads);
    search::OrderJudge const judge(problem, choice.goal, scores ? scores->score() : search::OrderScore());
    std::vector<search::Order> starts;
    for (JudgedOrder& one : result.orders) {
        one.value = judge(one.order);
        starts.push_back(allowed(problem, one.order, result.orders[0].order));
    }
    search::OrderSearchOptions search = choice.search;
    result.bound = judge.bound();
    search.enough = scores ? scores->enough(result.bound) : result.bound;
    search::FoundOrder found;
    if (choice.goal == search::OrderGoal::hash) result.hash_draws = choice.hash.hash_draws;
    if (search.moves == 0) search.moves = search::usual_moves(problem, choice.goal, choice.hash.hash_draws);
    bool const is_by_load = choice.goal == search::OrderGoal::load || choice.goal == search::OrderGoal::time,
               has_lighter = jobs.size() > 1 && is_by_load;
    if (choice.seconds > 0)
        search.moves = moves_in(double(choice.seconds), search.moves, search.shared, [&](std::uint64_t moves) {
            search::OrderSearchOptions trial = search;
            trial.moves = moves;
            return judge.search(starts, trial).moves;
        });
    result.budget = search.moves;
    std::string goal = search::name_of(choice.goal);
    if (choice.goal == search::OrderGoal::hash)
        goal += fmt::format(" ({} draws, {} queue pairs)", choice.hash.hash_draws, choice.hash.queue_pairs);
    if (search.shared != nullptr) search.shared->begin(search::identity_of(problem, starts, search, goal));
    {
        io::Progress progress("searching", search.moves, "moves");
        search.progress = [&, told = search.progress](std::uint64_t done) {
            progress.show(done);
            if (told) told(done);
        };
        std::uint64_t const for_lighter = has_lighter ? search.moves / 2 : 0;
        search.moves -= for_lighter;
        found = judge.search(starts, search);
        search.moves = for_lighter;
        if (has_lighter) found = of_jobs->relieve_lighter(std::move(found), starts, search);
    }
    result.moves = found.moves;
    result.stopped = found.stopped;
    static std::atomic<bool> const nobody{false};  // what was found is reported, whoever wished the search to end
    std::optional<kernels::StopWish::Scope> undisturbed;
    if (found.stopped) undisturbed.emplace(nobody);
    bool const is_told = !found.stopped && (search.shared == nullptr || search.shared->process() == 0);
    try {
        result.random = judge_random(problem, judge, starts[0], found, is_told ? choice.random_orders : 0, search.seed,
                                     search.threads);
    } catch (kernels::Stopped const&) {
        result.stopped = true;  // what was found is reported without them
    }
    if (!undisturbed) undisturbed.emplace(nobody);
    result.orders.push_back({"found", std::move(found.order), found.cost});

    result.unit =
        (search::is_distance(choice.goal) ? double(start.common_weight) : start.congestion_unit() / start.denominator) /
        double(scale);
    if (scores) result.unit = scores->unit(), result.most = scores->most();
    if (of_jobs) {
        std::uint32_t const cheapest = *std::min_element(problem.cost.begin(), problem.cost.end());
        double const weight = JobPlaces::busiest, load = weight / double(start.common_weight) * cheapest,
                     time = load * start.congestion_unit() / start.denominator;
        if (search::is_distance(choice.goal)) result.unit /= weight;
        else if (!search::more_is_better(choice.goal)) result.unit /= time;
        result.time_unit = time;
        result.weight_unit = weight;
        std::vector<std::uint64_t> const before = of_jobs->busiest_links(result.start().order),
                                         after = of_jobs->busiest_links(result.found().order);
        for (std::size_t j = 0; j < jobs.size(); ++j)
            result.jobs.push_back({jobs[j], double(before[j]) / load, double(after[j]) / load,
                                   of_jobs->plan_of(jobs[j], result.found().order)});
    }
    result.plan = std::make_shared<study::StudyPlan const>(
        study::make_plan(*result.fabric, study_of_orders(start.study, result.orders, hosts)));
    return result;
}

}  // namespace tailback::api
