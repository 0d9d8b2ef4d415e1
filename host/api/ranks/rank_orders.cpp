#include "host/api/ranks/rank_orders.hpp"

#include "host/audit/loads/groups.hpp"
#include "host/base/error.hpp"
#include "host/base/numbers.hpp"
#include "host/base/scanner.hpp"
#include "host/io/progress.hpp"
#include "host/search/orders/bisection.hpp"
#include "host/search/places/zones.hpp"
#include "kernels/cpu/machine/stop.hpp"
#include "kernels/cpu/machine/threads.hpp"
#include "topologies/draws.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <numeric>
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
    std::uint32_t const units = problem.places() / problem.together;
    topologies::Draws draws(seed, topologies::BuildStream::random_order, static_cast<std::uint32_t>(number));
    std::vector<std::uint32_t> place_of(units);
    std::iota(place_of.begin(), place_of.end(), 0u);
    for (std::uint32_t i = units; i > 1; --i) std::swap(place_of[i - 1], place_of[draws.below(i)]);
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

void check_together(RankOrderChoice const& choice, std::uint32_t ranks, std::uint32_t places) {
    bool const by_places = choice.within == KeptWithin::neighbours;
    if (choice.together > 0 && ranks % choice.together == 0 && (!by_places || places % choice.together == 0)) return;
    throw base::InputError(
        {},
        fmt::format("--keep-together {} does not divide {}{}", choice.together, base::counted(ranks, "rank", "ranks"),
                    by_places ? " and " + base::counted(places, "place", "places") : ""),
        "ranks move in groups of so many", by_places ? "choose a divisor of both" : "choose a divisor",
        "keep-together");
}

/// Numbers from 0 on in place of these, in their order.
std::vector<std::uint32_t> numbered(std::vector<std::uint32_t> const& groups) {
    std::vector<std::uint32_t> names = groups, numbers;
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    for (std::uint32_t const group : groups)
        numbers.push_back(
            static_cast<std::uint32_t>(std::lower_bound(names.begin(), names.end(), group) - names.begin()));
    return numbers;
}

/// Groups of ranks, and the zones that they stay in: each job has its own. @throws InputError where no order keeps them
/// there
void keep_groups(search::PlaceProblem& problem, RankOrderChoice const& choice, std::span<OrderedJob const> jobs,
                 search::Order const& start) {
    if (jobs.empty()) check_together(choice, problem.ranks, problem.places());
    for (OrderedJob const& job : jobs) check_together(choice, job.ranks, job.places);
    problem.kept = choice.together;
    if (choice.within == KeptWithin::neighbours) problem.together = choice.together;
    std::vector<std::uint32_t> zone;
    switch (choice.within) {
        case KeptWithin::neighbours:
            if (jobs.empty()) return;
            zone.resize(problem.places());
            break;
        case KeptWithin::node: zone = numbered(problem.node); break;
        case KeptWithin::leaf: zone = numbered(problem.leaf); break;
        case KeptWithin::rack: zone = numbered(problem.rack); break;
    }
    std::uint32_t const zones = *std::max_element(zone.begin(), zone.end()) + 1;
    for (std::uint32_t j = 0; j < jobs.size(); ++j)
        for (std::uint32_t p = jobs[j].first_place; p < jobs[j].first_place + jobs[j].places; ++p) zone[p] += j * zones;
    problem.zone = numbered(zone);
    problem.field.resize(*std::max_element(problem.zone.begin(), problem.zone.end()) + 1);
    for (std::uint32_t p = 0; p < problem.places(); ++p) problem.field[problem.zone[p]] = zone[p] / zones;
    search::ZoneRoom const room = search::room_in_zones(problem, start);
    if (room.is_enough()) return;
    char const* const what = name_of(choice.within);
    if (room.groups <= room.room)
        throw base::InputError(
            {}, fmt::format("ranks {} to {} cannot be in one {}", room.torn, room.torn + problem.kept - 1, what),
            "ranks that stay are elsewhere", "let fewer --stay, or begin at another --mapping", "stay");
    throw base::InputError(
        {},
        fmt::format("{} of {} find no room: each needs one {}", base::counted(room.groups, "group", "groups"),
                    base::counted(problem.kept, "rank", "ranks"), what),
        room.room == 0 ? fmt::format("the largest {} has {}", what, base::counted(room.largest, "place", "places"))
                       : fmt::format("there is room for {}", room.room),
        "give more nodes, more --ranks-per-node, or smaller groups", "keep-together");
}

}  // namespace

char const* name_of(KeptWithin within) {
    switch (within) {
        case KeptWithin::neighbours: return "neighbours";
        case KeptWithin::node: return "node";
        case KeptWithin::leaf: return "leaf";
        case KeptWithin::rack: return "rack";
    }
    return "";
}

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
    wanted.names_nodes = choice.jobs != nullptr;  // of a formula nothing is searched
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
    if (choice.goal == search::OrderGoal::rack_bytes || choice.within == KeptWithin::rack) {
        audit::NodeGroups const racks =
            audit::group_nodes(result.fabric->network, choice.racks, audit::MissingNodes::are_refused, "--racks");
        for (model::Host const host : hosts)
            problem.rack.push_back(racks.of_node[result.fabric->network[host].node.value]);
    }
    keep_groups(problem, choice, jobs, found_places.order);
    std::uint64_t const scale = choice.beside ? found_places.put_beside(*choice.beside) : 1;

    PlacesOfHosts const places_of(hosts);
    auto const add = [&](std::string name, search::Order order) {
        if (!problem.zone.empty()) {
            search::Order kept = allowed(problem, order, result.orders.empty() ? order : result.orders[0].order);
            if (kept != order) name += " with groups kept";
            order = std::move(kept);
        }
        for (JudgedOrder const& one : result.orders)
            if (one.order == order) return;
        result.orders.push_back({std::move(name), std::move(order), 0});
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
    search.enough = result.bound = judge.bound();
    search::FoundOrder found;
    if (choice.goal == search::OrderGoal::hash) result.hash_draws = choice.hash.hash_draws;
    if (search.moves == 0) search.moves = search::usual_moves(problem, choice.goal, choice.hash.hash_draws);
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
        found = judge.search(starts, search);
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
