#include "host/api/ranks/rank_orders.hpp"

#include "host/base/error.hpp"
#include "host/base/numbers.hpp"
#include "host/base/scanner.hpp"
#include "host/search/orders/bisection.hpp"
#include "host/search/places/zones.hpp"
#include "host/study/fabric_digest.hpp"
#include "host/study/placement/compute_nodes.hpp"
#include "host/study/placement/ranks_in_rows.hpp"
#include "patterns/pattern.hpp"
#include "topologies/flow_hash.hpp"

#include <fmt/format.h>

#include <algorithm>
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

/// Of all ranks, or of all places.
patterns::NodesOfRanks in_rows(study::Study const& study, std::vector<model::Host> const& hosts) {
    if (!study.placement.nodes) return {};
    return study::ranks_in_rows(*study.placement.nodes->nodes, hosts, hosts.size(), 0, hosts.size());
}

/// @param start of what is allowed
search::Order random_order(search::PlaceProblem const& problem, search::Order const& start, std::uint64_t seed,
                           std::uint64_t number) {
    std::vector<std::uint32_t> const place_of = drawn_units(problem, seed, number);
    search::Order order(problem.ranks);
    for (std::uint32_t r = 0; r < problem.ranks; ++r)
        order[r] = place_of[r / problem.together] * problem.together + r % problem.together;
    return search::allowed(problem, std::move(order), start, place_of);
}

/// The study with these orders as its mappings.
study::Study study_of_orders(study::Study study, std::span<report::ReportedOrder const> orders,
                             std::span<model::Host const> places) {
    study.placement.mapping = study::MappingKind::listed;
    study.placement.mapping_hosts.clear();
    for (report::ReportedOrder const& one : orders)
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

    report::OrdersReport run() {
        find_places_of_ranks();
        restrict_places();
        add_starts();
        judge_starts();
        choose_moves();
        search();
        std::vector<std::uint64_t> const random = judge_random_orders();
        prefer_named_order();
        report_.is_least = found_.cost == 0 && !search::more_is_better(choice_.goal);
        report_.orders.push_back({.name = "found", .order = std::move(found_.order), .cost = found_.cost});
        tell(random);
        evaluate();
        return std::move(report_);
    }

private:
    study::StudyPlan const& start_plan() const { return *places_->start; }
    search::PlaceProblem& problem() const { return places_->problem; }
    search::Order const& first_order() const { return report_.orders[0].order; }

    void find_places_of_ranks() {
        report_.goal = choice_.goal;
        report_.seed = choice_.search.seed;
        request_.study.sample.mappings = 1;
        request_.mappings_given = true;
        request_.study.measures.metrics = {study::Metric::sum_max_cong, study::Metric::hist_acc_band,
                                           study::Metric::hop_bytes};
        if (!request_.placement.order && request_.mapping_file.empty()) request_.placement.order.emplace();
        FabricRequest wanted = fabric_request(request_, listener_.note);
        wanted.names_nodes = true;
        wanted.wanted = Wanted::flows;  // routes of pairs, one by one
        report_.fabric = choice_.fabric ? choice_.fabric : obtain_shared(wanted, listener_);
        if (choice_.jobs)
            of_jobs_ = find_places_of_jobs(*choice_.jobs, report_.fabric, choice_.search.threads, listener_);
        else find_places_of_study();
        places_ = of_jobs_ ? &of_jobs_->places : &of_study_;
        if (of_jobs_) jobs_ = of_jobs_->jobs;
        report_.digest = study::digest(*report_.fabric);
        report_.places = static_cast<std::uint32_t>(places_->hosts().size());
        report_.levels = start_plan().flow_list.levels.size();
        report_.different_levels = problem().levels.size();
        for (search::PlacedLevel const& level : problem().levels) report_.flows += level.flows.size();
    }

    /// A pattern may go by nodes and rails where the ranks of a node keep together, in their order, wherever they go.
    void find_places_of_study() {
        bool const goes_by_nodes = patterns::goes_by_nodes(request_.study.traffic.pattern);
        auto const find = [&](bool ranks_move, Listener const& listener) {
            request_.study.traffic.ranks_move = ranks_move;
            of_study_ = find_places(request_, {}, report_.fabric, choice_.search.threads, listener);
        };
        if (goes_by_nodes && choice_.together > 1 && choice_.within == KeptWithin::neighbours) {
            std::vector<std::function<void()>> sayings;  // told if it stays so
            auto const later = [&](TakeSentence const& take) {
                return [&](std::string const& sentence) { sayings.push_back([&take, sentence] { take(sentence); }); };
            };
            find(false, {later(listener_.note), later(listener_.warn)});
            study::Study const& study = of_study_.start->study;
            if (in_rows(study, study.placement.mapping_hosts).per_node == choice_.together &&
                in_rows(study, of_study_.hosts()).per_node == choice_.together) {
                for (auto const& say : sayings) say();
                return;
            }
        }
        find(true, listener_);
        if (goes_by_nodes) warn_of_rails(of_study_.start->study);
    }
    void warn_of_rails(study::Study const& study) const {
        std::string const& pattern = study.traffic.pattern;
        patterns::NodesOfRanks const rows = in_rows(study, study.placement.mapping_hosts);
        if (rows.per_node > 1 && !patterns::make_pattern(pattern, study.placement.ranks, rows).note.empty())
            listener_.warn(
                fmt::format("{} goes by compute nodes and rails where it is run, but not here, where ranks "
                            "move one by one: its times are other ones than those of `evaluate`. "
                            "--keep-together {} moves whole nodes (per-node=1: ranks are all alike)",
                            pattern.substr(0, 60), rows.per_node));
    }

    /// Ranks that stay, groups that keep together, and what other jobs put on links.
    void restrict_places() {
        report_.together = choice_.together;
        report_.within = name_of(choice_.within);
        report_.has_ranks_that_stay = !choice_.stays.empty();
        if (!choice_.stays.empty()) problem().stays = read_ranks(choice_.stays, problem().ranks);
        if (choice_.goal == search::OrderGoal::rack_bytes || choice_.within == KeptWithin::rack)
            problem().rack = racks_of(*report_.fabric, choice_.racks, places_->hosts());
        keep_groups(problem(), choice_.groups(), jobs_, places_->order);
        if (choice_.beside) scale_ = places_->put_beside(*choice_.beside);
    }

    /// Once each, as it is allowed.
    void add(std::string name, search::Order order) {
        if (order.size() < problem().ranks) return report_.without_places.push_back(std::move(name));
        search::Order kept = search::allowed(problem(), order, report_.orders.empty() ? order : first_order());
        bool const is_changed = kept != order;
        if (std::ranges::find(report_.orders, kept, &report::ReportedOrder::order) == report_.orders.end())
            report_.orders.push_back({.name = std::move(name), .order = std::move(kept), .is_changed = is_changed});
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
                add(name, of_jobs_ ? of_jobs_->named_order(order, report_.fabric)
                                   : named_order(choice_, *report_.fabric, order, problem().ranks, places_of));
        }
        add("recursive bisection",
            search::allowed(problem(), of_jobs_ ? of_jobs_->bisected() : search::bisected(problem()), first_order()));
    }

    void choose_hash_draws() {
        report_.hash_is_drawn = topologies::FlowHash(hash_.hash, report_.fabric->ip.get()).draws(*report_.fabric);
        if (!report_.hash_is_drawn && !choice_.hash_draws_are_asked_for) hash_.hash_draws = 1;
        report_.hash_draws = hash_.hash_draws;
    }

    void judge_starts() {
        if (choice_.goal == search::OrderGoal::hash) choose_hash_draws();
        if (search::is_scored(choice_.goal)) scores_.emplace(*places_, choice_.goal, hash_, choice_.search.threads);
        judge_.emplace(problem(), choice_.goal, scores_ ? scores_->score() : search::OrderScore());
        for (report::ReportedOrder& one : report_.orders) {
            one.cost = (*judge_)(one.order);
            starts_.push_back(one.order);
        }
        bound_ = judge_->bound();
        options_.enough = scores_ ? scores_->enough(bound_) : bound_;
    }

    std::string goal_words() const {
        std::string const name = search::name_of(choice_.goal);
        return choice_.goal != search::OrderGoal::hash
                   ? name
                   : name + fmt::format(" ({} draws, {} queue pairs)", hash_.hash_draws, hash_.queue_pairs);
    }

    void choose_moves() {
        if (options_.moves == 0) options_.moves = search::usual_moves(problem(), choice_.goal, hash_.hash_draws);
        if (choice_.seconds > 0)
            options_.moves =
                moves_in(double(choice_.seconds), options_.moves, options_.shared, [&](std::uint64_t moves) {
                    search::OrderSearchOptions trial = options_;
                    trial.moves = moves;
                    return judge_->search(starts_, trial).moves;
                });
        report_.budget = options_.moves;
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
        report_.moves = found_.moves;
        report_.stopped = found_.stopped;
        report_.is_proven = found_.is_proven;
    }

    /// Costs, ascending; none where somebody wished the search to end. Where one is better than what was found, and the
    /// search could have found it, it is taken.
    std::vector<std::uint64_t> judge_random_orders() {
        if (found_.stopped) undisturbed_.emplace();
        bool const is_told = !found_.stopped && (options_.shared == nullptr || options_.shared->process() == 0);
        std::uint64_t const count = is_told ? choice_.random_orders : 0;
        auto const drawn = [&](std::uint64_t number) {
            return random_order(problem(), starts_[0], options_.seed, number);
        };
        std::vector<std::uint64_t> values =
            values_of_drawn<std::uint64_t>(count, "random orders", "orders", options_.threads,
                                           [&](std::uint64_t number) { return (*judge_)(drawn(number)); });
        report_.stopped = report_.stopped || values.size() < count;  // what was found is reported without them
        if (!undisturbed_) undisturbed_.emplace();
        if (values.empty()) return values;
        auto const best = std::ranges::min_element(values);
        if (*best < found_.cost && std::ranges::count(problem().closed, true) == 0) {
            found_.cost = *best;
            found_.order = drawn(std::uint64_t(best - values.begin()));
        }
        std::ranges::sort(values);
        return values;
    }

    /// Of orders that are as good the start, or one that has a name, is the one found: nobody moves for nothing.
    void prefer_named_order() {
        auto const one = std::ranges::find(report_.orders, found_.cost, &report::ReportedOrder::cost);
        if (one != report_.orders.end() && jobs_.size() <= 1) found_.order = one->order;
    }

    /// In the units of the goal.
    void tell(std::vector<std::uint64_t> const& random) {
        study::StudyPlan const& plan = start_plan();
        double const congestion = plan.congestion_unit() / plan.denominator;
        double unit = (search::is_distance(choice_.goal) ? double(plan.common_weight) : congestion) / double(scale_);
        if (scores_) unit = scores_->unit();
        if (of_jobs_) unit /= tell_jobs(congestion);
        std::uint64_t const most = scores_ ? scores_->most() : 0;  // where more is better: what a cost of 0 stands for
        auto const number = [&](std::uint64_t cost) { return double(most > 0 ? most - cost : cost) * unit; };
        for (report::ReportedOrder& one : report_.orders) one.value = number(one.cost);
        report_.bound = bound_ > 0 ? number(bound_) : 0;
        if (random.empty()) return;
        auto const worse = std::ranges::upper_bound(random, found_.cost);
        report_.random = {random.size(), std::uint64_t(worse - random.begin()), number(random.front()),
                          number(random[random.size() / 2]), number(random.back())};
    }

    /// @return what the goal of jobs is divided by
    double tell_jobs(double congestion) {
        std::uint32_t const cheapest = *std::ranges::min_element(problem().cost);
        double const load = double(JobPlaces::busiest) / double(start_plan().common_weight) * cheapest;
        time_unit_ = load * congestion;
        weight_unit_ = JobPlaces::busiest;
        std::vector<std::uint64_t> const before = of_jobs_->busiest_links(report_.start().order),
                                         after = of_jobs_->busiest_links(report_.found().order);
        for (std::size_t j = 0; j < jobs_.size(); ++j)
            report_.jobs.push_back({jobs_[j].name, jobs_[j].first_rank, jobs_[j].ranks, double(before[j]) / load,
                                    double(after[j]) / load, of_jobs_->plan_of(jobs_[j], report_.found().order)});
        return search::is_distance(choice_.goal) ? weight_unit_ : search::more_is_better(choice_.goal) ? 1 : time_unit_;
    }

    /// What `evaluate` says of every order.
    void evaluate() {
        report_.plan = std::make_shared<study::StudyPlan const>(
            study::make_plan(*report_.fabric, study_of_orders(start_plan().study, report_.orders, places_->hosts())));
        evaluation::ExecutionOptions execution{.device = evaluation::DeviceChoice::cpu, .threads = options_.threads};
        execution.per_mapping = [&](std::uint64_t m, std::span<kernels::MappingTally const> row) {
            auto const number = [&](study::Metric metric) {
                return evaluation::number_of(*report_.plan, metric, row.front());
            };
            report::ReportedOrder& one = report_.orders[m];
            one.time = number(study::Metric::sum_max_cong) / time_unit_;
            one.bandwidth = number(study::Metric::hist_acc_band);
            one.hop_bytes = number(study::Metric::hop_bytes) / weight_unit_;
        };
        evaluation::evaluate(*report_.plan, execution);
    }

    RankOrderChoice const& choice_;
    Listener const& listener_;
    report::OrdersReport report_ = {};
    StudyRequest request_ = choice_.study;
    evaluation::BracketOptions hash_ = choice_.hash;
    std::optional<JobPlaces> of_jobs_ = {};
    StudyPlaces of_study_ = {};
    StudyPlaces* places_ = nullptr;  ///< of one of them
    std::vector<OrderedJob> jobs_ = {};
    std::uint64_t scale_ = 1;                 ///< of weights, for what other jobs put on links
    double time_unit_ = 1, weight_unit_ = 1;  ///< what sum_max_cong and hop_bytes are divided by
    std::optional<OrderScores> scores_ = {};
    std::optional<search::OrderJudge> judge_ = {};
    std::vector<search::Order> starts_ = {};
    std::uint64_t bound_ = 0;
    search::OrderSearchOptions options_ = choice_.search;
    search::FoundOrder found_ = {};
    std::optional<Undisturbed> undisturbed_ = {};
};

}  // namespace

report::OrdersReport find_rank_order(RankOrderChoice const& choice, Listener const& listener) {
    return choice.nodes ? find_nodes(choice, listener) : RankOrderSearch(choice, listener).run();
}

}  // namespace tailback::api
