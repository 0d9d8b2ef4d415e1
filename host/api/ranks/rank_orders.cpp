#include "host/api/ranks/rank_orders.hpp"

#include "host/base/error.hpp"
#include "host/base/memory.hpp"
#include "host/base/numbers.hpp"
#include "host/base/scanner.hpp"
#include "host/io/progress.hpp"
#include "host/search/orders/bisection.hpp"
#include "host/study/placement/placer.hpp"
#include "kernels/cpu/body_executor.hpp"
#include "kernels/cpu/stop.hpp"
#include "kernels/cpu/threads.hpp"
#include "topologies/draws.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <numeric>
#include <optional>

namespace tailback::api {
namespace {

/// The links of the ways between the places that the ranks of a plan sit on.
class WaysOfPlan {
public:
    explicit WaysOfPlan(study::StudyPlan const& plan)
        : p_(plan.problem), flows_(p_, kernels::flow_route_finder(p_)), ranks_(p_.placement.ranks) {}
    WaysOfPlan(WaysOfPlan const&) = delete;  // the finder reads its problem

    /// @param cost out: by link
    search::Ways find(std::vector<std::uint32_t>& cost) {
        io::Progress progress("ways between places", ranks_, "places");
        auto const stop = kernels::StopWish::now();
        flows_.place(team_, p_, 0);
        std::vector<std::uint64_t> first = {0};
        first.reserve(std::size_t{ranks_} * ranks_ + 1);
        std::vector<std::uint32_t> links, number(p_.routes.slots, UINT32_MAX);
        std::uint64_t lost = 0;
        std::vector<kernels::RankPair> pairs;
        for (std::uint32_t source = 0; source < ranks_; ++source) {
            stop.heed();
            pairs.clear();
            for (std::uint32_t destination = 0; destination < ranks_; ++destination)
                pairs.push_back({source, destination});
            kernels::LevelView level;
            level.flows = level.routes_to_keep = ranks_;
            p_.traffic.flows = pairs.data();
            kernels::RoutesOfFlows routes = flows_.find(0, {&level, 1});
            Flows const flows{team_, p_, routes, flows_.scratch(), none_};
            kernels::kernel::each_flow(team_, p_, level, flows_.scratch(), [&](kernels::RankFlow const& flow) {
                if (flow.source.value != flow.destination.value && !flows.is_within_node(flow)) {
                    auto const route = routes.of_flow(flow.number);
                    if (routes.fate(route) != 0) ++lost;
                    else {
                        auto const add = [&](std::uint32_t slot) {
                            if (number[slot] == UINT32_MAX) {
                                number[slot] = static_cast<std::uint32_t>(cost.size());
                                cost.push_back(p_.routes.cost == nullptr ? 1 : p_.routes.cost[slot]);
                            }
                            links.push_back(number[slot]);
                        };
                        std::uint32_t const up = p_.routes.inner + 4, down = up + p_.placement.study_hosts;
                        if (p_.routes.host_links_implied) add(up + flows.source_of(flow).value);
                        routes.each(route, add);
                        if (p_.routes.host_links_implied) add(down + flows.host_of(flow.destination).value);
                    }
                }
                first.push_back(links.size());
            });
            progress.show(source + 1);
        }
        if (lost > 0)
            throw base::InputError(
                {}, fmt::format("{} of the places are not delivered", base::counted(lost, "pair", "pairs")),
                "an order could lose flows then", "look for the cause with `tailback audit`, or choose other nodes");
        return {ranks_, std::move(first), std::move(links)};
    }

private:
    using Flows = kernels::kernel::Evaluation<false, kernels::RoutesOfFlows, kernels::CpuTeam,
                                              kernels::FlowsOfMapping<std::uint64_t>::TeamScratch>;
    kernels::Problem p_;
    kernels::CpuTeam team_;
    kernels::FlowsOfMapping<std::uint64_t> flows_;
    kernels::TotalsView none_{};
    std::uint32_t ranks_;
};

/// The request with an order that puts a rank on every place, and a pattern that any number of ranks has.
StudyRequest request_of_places(StudyRequest request) {
    request.pattern_file.clear();
    request.traffic_file.clear();
    request.study.traffic = {};
    request.study.traffic.pattern = "1shift";
    request.study.placement.ranks = 0;
    request.placement.order = "block";
    request.study.placement.mapping = study::MappingKind::listed;
    request.study.measures.metrics = {study::Metric::get_cable_cong};  // all links are looked at
    request.study.sample.mappings = 1;
    request.study.sample.first_mapping = 0;
    request.mappings_given = true;
    return request;
}

std::vector<search::PlacedLevel> levels_of(study::StudyPlan const& plan) {
    patterns::FlowList const& list = plan.flow_list;
    std::vector<search::PlacedLevel> levels;
    for (patterns::Level const& level : list.levels) {
        if (!level.random.empty())
            throw base::InputError({}, "the flows of pattern \"" + plan.study.traffic.pattern + "\" are drawn",
                                   "no order of ranks is better than another for them", "choose a pattern with flows",
                                   "pattern");
        search::PlacedLevel& one = levels.emplace_back();
        if (level.all_to_all) {
            base::require_memory("the flows of the all-to-all",
                                 std::uint64_t{2} * sizeof(search::PlacedFlow) * list.ranks * list.ranks,
                                 "choose fewer ranks");
            for (std::uint32_t a = 0; a < list.ranks; ++a)
                for (std::uint32_t b = 0; b < list.ranks; ++b)
                    if (a != b) one.flows.push_back({a, b, 1});
            continue;
        }
        for (std::size_t f = level.first_flow; f < level.first_flow + level.flow_count; ++f)
            one.flows.push_back(
                {list.flows[f].source, list.flows[f].destination, list.weights.empty() ? 1 : list.weights[f]});
    }
    return levels;
}

/// Where ranks sit, as places: of places at one host those that are free yet, in their order.
class PlacesOfHosts {
public:
    explicit PlacesOfHosts(std::span<model::Host const> places) {
        for (std::uint32_t place = 0; place < places.size(); ++place) of_host_[places[place].value].push_back(place);
    }
    search::Order order_of(std::span<model::Host const> hosts) const {
        std::map<std::uint32_t, std::size_t> used;
        search::Order order;
        for (model::Host const host : hosts) {
            auto const at = of_host_.find(host.value);
            std::size_t& next = used[host.value];
            if (at == of_host_.end() || next == at->second.size())
                throw base::InputError({}, "the order puts ranks where the nodes have no place", "",
                                       "give orders as block or cyclic, or a rankfile of these nodes", "mapping");
            order.push_back(at->second[next++]);
        }
        return order;
    }

private:
    std::map<std::uint32_t, std::vector<std::uint32_t>> of_host_;
};

search::Order named_order(RankOrderChoice const& choice, model::Fabric const& fabric, std::string const& words,
                          std::uint32_t ranks, PlacesOfHosts const& places) {
    study::Study study = choice.study.study;
    study.placement.ranks = ranks;
    study.sample.mappings = 1;
    study.sample.first_mapping = 0;
    PlacementRequest request = choice.study.placement;
    request.order = words;
    place_study(study, request, fabric, {choice.study.network.spec, true, false});
    return places.order_of(study.placement.mapping_hosts);
}

RandomOrders judge_random(search::PlaceProblem const& problem, search::OrderJudge const& judge, std::uint64_t found,
                          std::uint64_t count, std::uint64_t seed, unsigned threads) {
    RandomOrders random{count, 0, 0, 0, 0};
    if (count == 0) return random;
    io::Progress progress("random orders", count, "orders");
    auto const stop = kernels::StopWish::now();
    std::vector<std::uint64_t> values(count);
    kernels::NextOf next(count);
    kernels::in_threads(kernels::threads_to_use(threads), [&] {
        std::uint32_t const units = problem.places() / problem.together;
        for (std::size_t k; next.take(k) && !stop.asked();) {
            topologies::Draws draws(seed, topologies::BuildStream::random_order, static_cast<std::uint32_t>(k));
            std::vector<std::uint32_t> place_of(units);
            std::iota(place_of.begin(), place_of.end(), 0u);
            for (std::uint32_t i = units; i > 1; --i) std::swap(place_of[i - 1], place_of[draws.below(i)]);
            search::Order order(problem.ranks);
            for (std::uint32_t r = 0; r < problem.ranks; ++r)
                order[r] = place_of[r / problem.together] * problem.together + r % problem.together;
            values[k] = judge(order);
            progress.add(1);
        }
    });
    if (stop.asked()) return {0, 0, 0, 0, 0};
    std::sort(values.begin(), values.end());
    random.least = values.front();
    random.median = values[values.size() / 2];
    random.most = values.back();
    random.not_worse =
        static_cast<std::uint64_t>(std::upper_bound(values.begin(), values.end(), found) - values.begin());
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
    if (choice.together == 0 || ranks % choice.together != 0 || places % choice.together != 0)
        throw base::InputError(
            {},
            fmt::format("--keep-together {} does not divide {} and {}", choice.together,
                        base::counted(ranks, "rank", "ranks"), base::counted(places, "place", "places")),
            "ranks move in groups of so many", "choose a divisor of both", "keep-together");
}

}  // namespace

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
    if (request.placement.order.empty() && request.mapping_file.empty()) request.placement.order = "block";
    FabricRequest wanted = fabric_request(request, listener.note);
    wanted.names_nodes = false;  // of a formula nothing is searched
    result.fabric = obtain_shared(wanted, listener);
    PreparedStudy const start(request, result.fabric, listener, evaluation::DeviceChoice::cpu);
    if (study::makes_routes_on_demand(start.plan()))
        throw base::InputError({}, "routes that are made on demand cannot be searched", "every pair is asked for often",
                               "choose a smaller network, or fewer nodes");
    std::uint32_t const ranks = start.plan().study.placement.ranks;

    PreparedStudy const places(request_of_places(choice.study), result.fabric, {}, evaluation::DeviceChoice::cpu);
    std::vector<model::Host> const& hosts = places.plan().study.placement.mapping_hosts;
    search::PlaceProblem problem;
    problem.ranks = ranks;
    problem.together = choice.together;
    result.places = static_cast<std::uint32_t>(hosts.size());
    if (ranks < 2)
        throw base::InputError({}, "there is nothing to order", "the traffic has fewer than two ranks",
                               "give traffic of more ranks");
    check_together(choice, ranks, result.places);
    base::require_memory("ways between places", std::uint64_t{hosts.size()} * hosts.size() * 40,
                         "choose fewer nodes (--nodes)");
    problem.ways = WaysOfPlan(places.plan()).find(problem.cost);
    study::ComputeNodes const& nodes = *places.plan().study.placement.nodes->nodes;
    for (model::Host const host : hosts) {
        problem.node.push_back(nodes.node_of_host[host.value]);
        problem.leaf.push_back(result.fabric->network[result.fabric->network.up_link(host)].to.value);
    }
    result.traffic_levels = start.plan().flow_list.levels.size();
    problem.levels = search::tidied(levels_of(start.plan()));
    result.different_levels = problem.levels.size();
    for (search::PlacedLevel const& level : problem.levels) result.flows += level.flows.size();
    if (!choice.stays.empty()) problem.stays = read_ranks(choice.stays, ranks);

    PlacesOfHosts const places_of(hosts);
    auto const add = [&](std::string name, search::Order order) {
        for (JudgedOrder const& one : result.orders)
            if (one.order == order) return;
        result.orders.push_back({std::move(name), std::move(order), 0});
    };
    std::string const words = request.mapping_file.empty() ? request.placement.order : "as given";
    add(words == "block" ? "block" : "start: " + words, places_of.order_of(start.plan().study.placement.mapping_hosts));
    for (char const* const order : {"block", "cyclic", "shuffle"})
        if (choice.together == 1 || std::string(order) == "block")
            add(order, named_order(choice, *result.fabric, order, ranks, places_of));
    add("recursive bisection", search::keep_staying(problem, search::bisected(problem), result.orders[0].order));

    search::OrderJudge const judge(problem, choice.goal);
    std::vector<search::Order> starts;
    for (JudgedOrder& one : result.orders) {
        one.value = judge(one.order);
        starts.push_back(search::keep_staying(problem, one.order, result.orders[0].order));
    }
    search::OrderSearchOptions search = choice.search;
    search.enough = result.bound = judge.bound();
    search::FoundOrder found;
    if (search.moves == 0) search.moves = search::usual_moves(choice.goal);
    {
        io::Progress progress("searching", search.moves, "moves");
        search.progress = [&](std::uint64_t done) { progress.show(done); };
        found = judge.search(starts, search);
    }
    result.moves = found.moves;
    result.stopped = found.stopped;
    static std::atomic<bool> const nobody{false};  // what was found is reported, whoever wished the search to end
    std::optional<kernels::StopWish::Scope> undisturbed;
    if (found.stopped) undisturbed.emplace(nobody);
    result.random =
        judge_random(problem, judge, found.cost, found.stopped ? 0 : choice.random_orders, search.seed, search.threads);
    result.orders.push_back({"found", std::move(found.order), found.cost});

    bool const is_time = choice.goal == search::OrderGoal::time || choice.goal == search::OrderGoal::load;
    result.unit =
        is_time ? start.plan().congestion_unit() / start.plan().denominator : double(start.plan().common_weight);
    result.plan = std::make_shared<study::StudyPlan const>(
        study::make_plan(*result.fabric, study_of_orders(start.plan().study, result.orders, hosts)));
    return result;
}

}  // namespace tailback::api
