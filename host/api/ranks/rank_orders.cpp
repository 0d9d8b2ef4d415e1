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

namespace {

/// The steps of a search of orders, one after the other.
class RankOrderSearch {
public:
    RankOrderSearch(RankOrderChoice const& choice, Listener const& listener) : choice_(choice), listener_(listener) {}

    RankOrders run() {
        find_places_of_ranks();
        restrict_places();
        add_starts();
        judge_starts();
        choose_moves();
        search();
        judge_random_orders();
        tell_units();
        if (of_jobs_) tell_jobs();
        result_.plan = std::make_shared<study::StudyPlan const>(
            study::make_plan(*result_.fabric, study_of_orders(start_plan().study, result_.orders, places_->hosts())));
        return std::move(result_);
    }

private:
    study::StudyPlan const& start_plan() const { return *places_->start; }
    search::PlaceProblem& problem() const { return places_->problem; }
    search::Order const& first_order() const { return result_.orders[0].order; }

    void find_places_of_ranks() {
        result_.goal = choice_.goal;
        result_.seed = choice_.search.seed;
        request_.study.sample.mappings = 1;
        request_.study.traffic.ranks_move = true;
        request_.mappings_given = true;
        request_.study.measures.metrics = {study::Metric::sum_max_cong, study::Metric::hist_acc_band,
                                           study::Metric::hop_bytes};
        if (!request_.placement.order && request_.mapping_file.empty()) request_.placement.order.emplace();
        FabricRequest wanted = fabric_request(request_, listener_.note);
        wanted.names_nodes = true;
        wanted.wanted = Wanted::flows;  // routes of pairs, one by one
        result_.fabric = choice_.fabric ? choice_.fabric : obtain_shared(wanted, listener_);
        if (choice_.jobs)
            of_jobs_ = find_places_of_jobs(*choice_.jobs, result_.fabric, choice_.search.threads, listener_);
        else of_study_ = find_places(request_, {}, result_.fabric, choice_.search.threads, listener_);
        places_ = of_jobs_ ? &of_jobs_->places : &of_study_;
        if (of_jobs_) jobs_ = of_jobs_->jobs;
        result_.places = static_cast<std::uint32_t>(places_->hosts().size());
        result_.traffic_levels = start_plan().flow_list.levels.size();
        result_.different_levels = problem().levels.size();
        for (search::PlacedLevel const& level : problem().levels) result_.flows += level.flows.size();
    }

    /// Ranks that stay, groups that keep together, and what other jobs put on links.
    void restrict_places() {
        result_.together = choice_.together;
        result_.within = choice_.within;
        if (!choice_.stays.empty()) problem().stays = read_ranks(choice_.stays, problem().ranks);
        if (choice_.goal == search::OrderGoal::rack_bytes || choice_.within == KeptWithin::rack)
            problem().rack = racks_of(*result_.fabric, choice_.racks, places_->hosts());
        keep_groups(problem(), choice_.groups(), jobs_, places_->order);
        if (choice_.beside) scale_ = places_->put_beside(*choice_.beside);
    }

    /// Once each, groups kept.
    void add(std::string name, search::Order order) {
        if (order.size() < problem().ranks) return result_.without_places.push_back(std::move(name));
        bool is_changed = false;
        if (!problem().zone.empty()) {
            search::Order kept = allowed(problem(), order, result_.orders.empty() ? order : first_order());
            is_changed = kept != order;
            order = std::move(kept);
        }
        for (JudgedOrder const& one : result_.orders)
            if (one.order == order) return;
        result_.orders.push_back({std::move(name), std::move(order), 0, is_changed});
    }

    std::string words_of_start() const {
        auto const is_block = [](JobRequest const& job) {
            return !job.placement.order || job.placement.order->kind == study::RankOrderKind::block;
        };
        bool const is_named =
            request_.mapping_file.empty() && (!choice_.jobs || std::ranges::all_of(choice_.jobs->jobs, is_block));
        return is_named ? request_.placement.order->words : "as given";
    }

    void add_starts() {
        PlacesOfHosts const places_of(places_->hosts());
        std::string const words = words_of_start();
        add(words == "block" ? "block" : "start: " + words, places_->order);
        for (char const* const name : {"block", "cyclic", "shuffle"}) {
            study::RankOrder const order = study::read_rank_order(name);
            if (problem().together == 1 || order.kind == study::RankOrderKind::block)
                add(name, of_jobs_ ? of_jobs_->named_order(order, result_.fabric)
                                   : named_order(choice_, *result_.fabric, order, problem().ranks, places_of));
        }
        add("recursive bisection",
            search::keep_staying(problem(), of_jobs_ ? of_jobs_->bisected() : search::bisected(problem()),
                                 first_order()));
    }

    void judge_starts() {
        if (search::is_scored(choice_.goal))
            scores_.emplace(*places_, choice_.goal, choice_.hash, choice_.search.threads);
        judge_.emplace(problem(), choice_.goal, scores_ ? scores_->score() : search::OrderScore());
        for (JudgedOrder& one : result_.orders) {
            one.value = (*judge_)(one.order);
            starts_.push_back(allowed(problem(), one.order, first_order()));
        }
        result_.bound = judge_->bound();
        options_.enough = scores_ ? scores_->enough(result_.bound) : result_.bound;
    }

    std::string goal_words() const {
        std::string const name = search::name_of(choice_.goal);
        return choice_.goal != search::OrderGoal::hash
                   ? name
                   : name +
                         fmt::format(" ({} draws, {} queue pairs)", choice_.hash.hash_draws, choice_.hash.queue_pairs);
    }

    void choose_moves() {
        if (choice_.goal == search::OrderGoal::hash) result_.hash_draws = choice_.hash.hash_draws;
        if (options_.moves == 0) options_.moves = search::usual_moves(problem(), choice_.goal, choice_.hash.hash_draws);
        if (choice_.seconds > 0)
            options_.moves =
                moves_in(double(choice_.seconds), options_.moves, options_.shared, [&](std::uint64_t moves) {
                    search::OrderSearchOptions trial = options_;
                    trial.moves = moves;
                    return judge_->search(starts_, trial).moves;
                });
        result_.budget = options_.moves;
        if (options_.shared != nullptr)
            options_.shared->begin(search::identity_of(problem(), starts_, options_, goal_words()));
    }

    /// Half of the moves for jobs below the busiest link, where several are ordered by links.
    void search() {
        io::Progress progress("searching", options_.moves, "moves");
        options_.progress = [&, told = options_.progress](std::uint64_t done) {
            progress.show(done);
            if (told) told(done);
        };
        bool const is_by_load = choice_.goal == search::OrderGoal::load || choice_.goal == search::OrderGoal::time;
        bool const has_lighter = jobs_.size() > 1 && is_by_load;
        std::uint64_t const for_lighter = has_lighter ? options_.moves / 2 : 0;
        options_.moves -= for_lighter;
        found_ = judge_->search(starts_, options_);
        options_.moves = for_lighter;
        if (has_lighter) found_ = of_jobs_->relieve_lighter(std::move(found_), starts_, options_);
        options_.progress = {};
        result_.moves = found_.moves;
        result_.stopped = found_.stopped;
    }

    void judge_random_orders() {
        if (found_.stopped) undisturbed_.emplace(nobody());
        bool const is_told = !found_.stopped && (options_.shared == nullptr || options_.shared->process() == 0);
        try {
            result_.random = judge_random(problem(), *judge_, starts_[0], found_, is_told ? choice_.random_orders : 0,
                                          options_.seed, options_.threads);
        } catch (kernels::Stopped const&) {
            result_.stopped = true;  // what was found is reported without them
        }
        if (!undisturbed_) undisturbed_.emplace(nobody());
        result_.orders.push_back({"found", std::move(found_.order), found_.cost});
    }
    /// What was found is reported, whoever wished the search to end.
    static std::atomic<bool> const& nobody() {
        static std::atomic<bool> const never{false};
        return never;
    }

    void tell_units() {
        study::StudyPlan const& plan = start_plan();
        result_.unit = (search::is_distance(choice_.goal) ? double(plan.common_weight)
                                                          : plan.congestion_unit() / plan.denominator) /
                       double(scale_);
        if (scores_) result_.unit = scores_->unit(), result_.most = scores_->most();
    }

    void tell_jobs() {
        study::StudyPlan const& plan = start_plan();
        std::uint32_t const cheapest = *std::ranges::min_element(problem().cost);
        double const weight = JobPlaces::busiest, load = weight / double(plan.common_weight) * cheapest,
                     time = load * plan.congestion_unit() / plan.denominator;
        if (search::is_distance(choice_.goal)) result_.unit /= weight;
        else if (!search::more_is_better(choice_.goal)) result_.unit /= time;
        result_.time_unit = time;
        result_.weight_unit = weight;
        std::vector<std::uint64_t> const before = of_jobs_->busiest_links(result_.start().order),
                                         after = of_jobs_->busiest_links(result_.found().order);
        for (std::size_t j = 0; j < jobs_.size(); ++j)
            result_.jobs.push_back({jobs_[j], double(before[j]) / load, double(after[j]) / load,
                                    of_jobs_->plan_of(jobs_[j], result_.found().order)});
    }

    RankOrderChoice const& choice_;
    Listener const& listener_;
    RankOrders result_ = {};
    StudyRequest request_ = choice_.study;
    std::optional<JobPlaces> of_jobs_ = {};
    StudyPlaces of_study_ = {};
    StudyPlaces* places_ = nullptr;  ///< of one of them
    std::vector<OrderedJob> jobs_ = {};
    std::uint64_t scale_ = 1;  ///< of weights, for what other jobs put on links
    std::optional<OrderScores> scores_ = {};
    std::optional<search::OrderJudge> judge_ = {};
    std::vector<search::Order> starts_ = {};
    search::OrderSearchOptions options_ = choice_.search;
    search::FoundOrder found_ = {};
    std::optional<kernels::StopWish::Scope> undisturbed_ = {};
};

}  // namespace

RankOrders find_rank_order(RankOrderChoice const& choice, Listener const& listener) {
    return RankOrderSearch(choice, listener).run();
}

}  // namespace tailback::api
