#include "host/api/ranks/node_sets.hpp"

#include "host/api/ranks/surroundings.hpp"
#include "host/base/error.hpp"
#include "host/base/numbers.hpp"
#include "host/io/progress.hpp"
#include "host/schedule/node_choice.hpp"
#include "host/search/places/zones.hpp"
#include "kernels/cpu/machine/stop.hpp"
#include "kernels/cpu/machine/threads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <optional>
#include <set>

namespace tailback::api {
namespace {

/// What whole nodes send each other: ranks are places of the first nodes. Flows that take the same way (those that
/// leave on the rail of their destination do) are one.
std::vector<search::PlacedLevel> flows_of_nodes(StudyPlaces const& found, std::uint32_t slots) {
    search::Ways const& ways = found.problem.ways;
    auto const same_way = [&] {
        for (std::uint32_t a = 0; a < ways.places(); ++a)
            for (std::uint32_t b = 0; b < ways.places(); ++b) {
                if (a / slots == b / slots) continue;
                auto const way = ways.way(a, b), by_rail = ways.way(a / slots * slots + b % slots, b);
                if (!std::equal(way.begin(), way.end(), by_rail.begin(), by_rail.end())) return false;
            }
        return true;
    };
    bool const by_rail = slots > 1 && same_way();
    search::PlacedLevel all = search::all_in_one(found.problem.levels);
    for (search::PlacedFlow& flow : all.flows) {
        flow.source = found.order[flow.source], flow.destination = found.order[flow.destination];
        if (flow.source / slots == flow.destination / slots) flow.weight = 0;
        else if (by_rail) flow.source = flow.source / slots * slots + flow.destination % slots;
    }
    return {search::all_in_one({&all, 1})};
}

std::uint32_t ranks_of(StudyRequest& request) {
    check_study(request);
    std::uint32_t const ranks = request.study.placement.ranks;
    if (ranks > 0) return ranks;
    if (request.study.traffic.listed_flows.ranks > 0) return request.study.traffic.listed_flows.ranks;
    throw base::InputError({}, "nothing says how many ranks the job has", "so many nodes are chosen as they need",
                           "give --ranks N", "ranks");
}

void tell_many_places(std::uint64_t places, Listener const& listener) {
    constexpr std::uint64_t most_at_once = 4096;
    if (places > most_at_once)
        listener.note(fmt::format("ways between all {} of free nodes are found, which takes long: --nodes names fewer",
                                  base::counted(places, "place", "places")));
}

/// Whole nodes are chosen: the adapters of their ranks may not depend on which nodes come before.
void check_rail(StudyRequest const& request, study::ComputeNodes const& nodes, std::vector<std::uint32_t> const& free,
                std::uint32_t slots) {
    if (!request.placement.rail || request.placement.rail->rule.kind != study::RailKind::round_robin) return;
    for (std::uint32_t const node : free)
        if (std::size_t const adapters = nodes.nodes[node].adapters.size(); slots % adapters != 0)
            throw base::InputError(
                {},
                fmt::format("--rail round-robin with {} on a node of {}", base::counted(slots, "rank", "ranks"),
                            base::counted(adapters, "adapter", "adapters")),
                "which adapters a node's ranks use would depend on the nodes before it",
                "choose --rail local-rank, or a multiple of the adapters for --ranks-per-node", "rail");
}

/// The search for nodes, and what other choices come to.
class NodeChooser {
public:
    NodeChooser(NodesChoice const& choice, StudyPlaces& places, std::vector<std::uint32_t> free, std::uint32_t slots,
                BusyLinks& links)
        : choice_(choice), free_(std::move(free)), slots_(slots) {
        std::vector<search::PlacedLevel> levels = flows_of_nodes(places, slots);
        if (levels.front().flows.empty())
            throw base::InputError({}, "the ranks send nothing from node to node", "all nodes are as good",
                                   "give them fewer --ranks-per-node, or take any nodes");
        std::uint32_t const ranks = places.problem.ranks;
        wanted_ = (ranks + slots - 1) / slots;
        std::swap(places.problem.levels, levels);
        std::swap(places.problem.ranks, whole_ranks_);
        places.problem.ranks = wanted_ * slots;
        links.unit = search::busiest_adapter(places.problem);
        std::uint64_t const scale = places.put_beside(links);
        problem_.places = places.problem;
        problem_.places.together = slots;
        keep_groups_of_nodes(problem_.places, choice.orders.groups());
        problem_.unit = links.unit * double(scale);
        for (model::Link const link : places.link) problem_.of.push_back(links.harm[link.value]);
        as_ranked_ = problem_;  // the ranks one by one
        as_ranked_.places.levels = {search::all_in_one(levels)};
        for (search::PlacedFlow& flow : as_ranked_.places.levels.front().flows) flow.weight *= scale;
        as_ranked_.places.ranks = ranks;
    }

    search::NodeProblem const& problem() const { return problem_; }
    /// The same, with ranks one by one.
    search::NodeProblem const& ranked() const { return as_ranked_; }
    std::uint32_t wanted() const { return wanted_; }

    /// The nodes in the order of ranks, as places.
    search::Order order_of(std::vector<std::uint32_t> const& nodes) const {
        search::Order order;
        for (std::uint32_t const node : nodes) {
            auto const at =
                static_cast<std::uint32_t>(std::lower_bound(free_.begin(), free_.end(), node) - free_.begin());
            for (std::uint32_t s = 0; s < slots_; ++s) order.push_back(at * slots_ + s);
        }
        return order;
    }
    ValuedNodes valued(std::string name, search::Order const& order) const {
        ValuedNodes valued{std::move(name), {}, value_of(problem_, order), 0};
        std::set<std::uint32_t> leaves;
        for (std::size_t r = 0; r < order.size(); r += slots_) {
            valued.nodes.push_back(free_[order[r] / slots_]);
            for (std::uint32_t s = 0; s < slots_; ++s) leaves.insert(problem_.places.leaf[order[r + s]]);
        }
        valued.leaves = static_cast<std::uint32_t>(leaves.size());
        return valued;
    }
    /// The same with groups kept: nodes that have to make way do so for others in this order. @param visited of units
    search::Order kept(search::Order const& order, std::span<std::uint32_t const> visited = {}) const {
        search::PlaceProblem const& places = problem_.places;
        return places.zone.empty() ? order : search::put_within_zones(places, order, order, visited);
    }
    search::Order random_order(schedule::FreeNodes free, std::uint64_t number) const {
        std::uint64_t const seed = choice_.orders.search.seed;
        search::Order const order = order_of(free.take(wanted_, schedule::NodePolicy::random, seed, number));
        return problem_.places.zone.empty() ? order : kept(order, drawn_units(problem_.places, seed, number));
    }
    /// Of random sets 0 to count - 1; none where somebody wishes it to end.
    std::vector<search::NodeValue> random_values(schedule::FreeNodes const& free, std::uint64_t count,
                                                 unsigned threads) const {
        io::Progress progress("random nodes", count, "sets");
        auto const stop = kernels::StopWish::now();
        std::vector<search::NodeValue> values(count);
        kernels::NextOf next(count);
        kernels::in_threads(kernels::threads_to_use(threads), [&] {
            for (std::size_t k; next.take(k) && !stop.asked();) {
                values[k] = value_of(problem_, random_order(free, k));
                progress.add(1);
            }
        });
        if (stop.asked()) values.clear();
        return values;
    }
    static void add_random(NodeSets& result, std::vector<search::NodeValue> values) {
        std::uint64_t const count = values.size();
        if (count == 0) return;
        result.random_sets = count;
        std::sort(values.begin(), values.end(), [](search::NodeValue const& a, search::NodeValue const& b) {
            return std::pair(a.time, a.harm) < std::pair(b.time, b.harm);
        });
        result.random_least = values.front();
        result.random_median.time = values[count / 2].time;
        for (search::NodeValue const& one : values) result.not_worse += one.time <= result.sets.front().value.time;
        std::nth_element(values.begin(), values.begin() + std::ptrdiff_t(count / 2), values.end(),
                         [](search::NodeValue const& a, search::NodeValue const& b) { return a.harm < b.harm; });
        result.random_median.harm = values[count / 2].harm;
    }

private:
    NodesChoice const& choice_;
    std::vector<std::uint32_t> free_;  ///< ascending
    std::uint32_t slots_, wanted_ = 0, whole_ranks_ = 0;
    search::NodeProblem problem_, as_ranked_;
};

}  // namespace

model::NamedFiles NodesChoice::named_files() const {
    model::NamedFiles files = orders.study.named_files();
    for (auto const& file : running.named_files())
        if (std::find(files.begin(), files.end(), file) == files.end()) files.push_back(file);
    return with_named(files, {{idle.name, idle.path}});
}

NodeSets find_nodes(NodesChoice const& choice, Listener const& listener) {
    NodeSets result;
    StudyRequest request = choice.orders.study;
    std::uint32_t const ranks = ranks_of(request);
    std::uint32_t const slots =
        slots_for_groups(choice.orders.groups(), ranks, std::max(1u, request.placement.ranks_per_node));
    if (request.placement.ranks_per_node > 0) request.placement.ranks_per_node = slots;
    result.wanted = (ranks + slots - 1) / slots;
    request.study.placement.ranks = ranks;
    request.study.sample.mappings = 1;
    request.mappings_given = true;
    if (!request.placement.order) request.placement.order.emplace();
    FabricRequest wanted = fabric_request(request, listener.note);
    wanted.names_nodes = true;
    wanted.network.form = RoutesForm::tables;
    std::shared_ptr<model::Fabric const> const fabric = obtain_shared(wanted, listener);

    Surroundings around(choice, fabric, listener);
    std::vector<std::uint32_t> const free = around.free();
    result.machine = static_cast<std::uint32_t>(around.nodes().nodes.size());
    result.taken = around.taken();
    result.free = static_cast<std::uint32_t>(free.size());
    result.jobs = around.jobs();
    if (free.size() < result.wanted)
        throw base::InputError(
            {},
            fmt::format("the job needs {}, and {} free", base::counted(result.wanted, "node", "nodes"),
                        free.size() == 1 ? "1 is" : fmt::format("{} are", free.size())),
            fmt::format("running jobs have {} of {}", result.taken, result.machine),
            "ask for fewer ranks, or give more --ranks-per-node", "ranks");
    check_rail(request, around.nodes(), free, slots);
    tell_many_places(std::uint64_t{free.size()} * slots, listener);
    request.placement.nodes.clear();
    request.placement.among.assign(free.begin(), free.begin() + result.wanted);
    StudyPlaces places = find_places(request, free, fabric, choice.orders.search.threads, listener);
    if (choice.orders.within == KeptWithin::rack)
        places.problem.rack = racks_of(*fabric, choice.orders.racks, places.hosts());
    NodeChooser const chooser(choice, places, free, slots, around.links());
    result.adapters_differ = search::adapters_differ(chooser.problem().places);

    std::vector<std::uint32_t> const leaf = schedule::leaf_numbers(around.nodes(), fabric->network);
    schedule::FreeNodes const free_nodes(leaf, around.is_free());
    std::vector<search::Order> starts;
    for (auto const& [policy, name] : {std::pair(schedule::NodePolicy::leaf, "fewest leaves"),
                                       {schedule::NodePolicy::contiguous, "contiguous"},
                                       {schedule::NodePolicy::first, "first"},
                                       {schedule::NodePolicy::random, "random"}}) {
        schedule::FreeNodes some = free_nodes;
        search::Order const taken =
            chooser.order_of(some.take(result.wanted, policy, choice.orders.search.seed, UINT64_MAX));
        search::Order order = chooser.kept(taken);
        if (std::find(starts.begin(), starts.end(), order) != starts.end()) continue;
        if (policy != schedule::NodePolicy::random)
            result.others.push_back(
                chooser.valued(order == taken ? name : name + std::string(" with groups kept"), order));
        starts.push_back(std::move(order));
    }
    search::OrderSearchOptions search = choice.orders.search;
    constexpr std::uint64_t most_judged = 50'000'000;  // links of flows: some tenths of a second
    std::uint64_t const random_sets =
        std::min(choice.orders.random_orders, most_judged / search::links_of_flows(chooser.problem().places) + 10);
    std::vector<search::NodeValue> random = chooser.random_values(free_nodes, random_sets, search.threads);
    if (search::is_asked_anywhere(search.shared, random.size() < random_sets)) random.clear();
    if (!random.empty()) {  // what is found is never worse than these
        auto const best = std::min_element(random.begin(), random.end(), [](auto const& a, auto const& b) {
            return std::pair(a.time, a.harm) < std::pair(b.time, b.harm);
        });
        starts.push_back(chooser.random_order(free_nodes, std::uint64_t(best - random.begin())));
    }
    if (search.moves == 0) search.moves = search::usual_node_moves(chooser.problem().places);
    constexpr double for_nodes = 0.8;  // of the time; the order of ranks then goes by the same number of moves
    if (choice.orders.seconds > 0)
        search.moves =
            moves_in(for_nodes * double(choice.orders.seconds), search.moves, search.shared, [&](std::uint64_t moves) {
                search::OrderSearchOptions trial = search;
                trial.moves = moves;
                return search::search_nodes(chooser.problem(), starts, trial).moves;
            });
    result.budget = search.moves;
    if (search.shared != nullptr) {
        search::PlaceProblem const& all = chooser.problem().places;
        search.shared->begin(search::identity_of(all, starts, search, "nodes, set " + std::to_string(choice.set)));
    }
    search::FoundNodeSets found;
    {
        io::Progress progress("searching nodes", search.moves, "moves");
        search.progress = [&, told = search.progress](std::uint64_t done) {
            progress.show(done);
            if (told) told(done);
        };
        found = search::search_nodes(chooser.problem(), starts, search);
    }
    for (search::FoundNodes const& one : found.sets)
        result.sets.push_back(chooser.valued(std::to_string(result.sets.size() + 1), one.order));
    result.moves = found.moves;
    result.stopped = found.stopped;
    if (choice.set == 0 || choice.set > result.sets.size())
        throw base::InputError({}, fmt::format("there is no set {}", choice.set),
                               base::counted(result.sets.size(), "set was found", "sets were found"),
                               "choose one of the list", "set");
    result.chosen = choice.set - 1;
    static std::atomic<bool> const nobody{false};
    std::optional<kernels::StopWish::Scope> undisturbed;  // what was found is reported, whoever wished it to end
    if (found.stopped) undisturbed.emplace(nobody);
    else chooser.add_random(result, std::move(random));

    RankOrderChoice orders = choice.orders;
    orders.seconds = 0;
    orders.study = request;
    orders.study.placement.among = result.sets[result.chosen].nodes;
    orders.fabric = fabric;
    orders.beside = std::make_shared<BusyLinks const>(around.links());
    std::uint64_t const usual = search::usual_node_moves(chooser.ranked().places);
    orders.search.moves = found.stopped ? 1 : std::max<std::uint64_t>(1, std::min(search.moves, usual) / 4);
    constexpr std::uint64_t most_links = 100'000'000;
    orders.random_orders =
        std::min(orders.random_orders, most_links / search::links_of_flows(chooser.ranked().places) + 10);
    result.orders = find_rank_order(orders, {});
    result.stopped = result.stopped || result.orders.stopped;
    search::Order on_free;
    search::Order const whole = chooser.order_of(result.sets[result.chosen].nodes);
    for (std::uint32_t const place : result.orders.found().order) on_free.push_back(whole[place]);
    result.ordered = search::value_of(chooser.ranked(), on_free);
    return result;
}

}  // namespace tailback::api
