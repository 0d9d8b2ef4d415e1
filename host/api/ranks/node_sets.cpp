#include "host/api/ranks/surroundings.hpp"
#include "host/base/error.hpp"
#include "host/base/numbers.hpp"
#include "host/schedule/node_choice.hpp"
#include "host/search/places/zones.hpp"

#include <fmt/format.h>

#include <algorithm>
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
    if (!request.placement.rail || request.placement.rail->kind != study::RailKind::round_robin) return;
    for (std::uint32_t const node : free)
        if (std::size_t const adapters = nodes.nodes[node].adapters.size(); slots % adapters != 0)
            throw base::InputError(
                {},
                fmt::format("--rail round-robin with {} on a node of {}", base::counted(slots, "rank", "ranks"),
                            base::counted(adapters, "adapter", "adapters")),
                "which adapters a node's ranks use would depend on the nodes before it",
                "choose --rail local-rank, or a multiple of the adapters for --ranks-per-node", "rail");
}

/// The study of a job for which nodes are chosen among all of the network.
StudyRequest request_of_job(RankOrderChoice const& choice, std::uint32_t& slots) {
    StudyRequest request = choice.study;
    std::uint32_t const ranks = ranks_of(request);
    slots = slots_for_groups(choice.groups(), ranks, std::max(1u, request.placement.ranks_per_node));
    if (request.placement.ranks_per_node > 0) request.placement.ranks_per_node = slots;
    request.study.placement.ranks = ranks;
    request.study.sample.mappings = 1;
    request.mappings_given = true;
    if (!request.placement.order) request.placement.order.emplace();
    return request;
}

/// The search for nodes, and what other choices come to.
class NodeChooser {
public:
    NodeChooser(RankOrderChoice const& choice, Listener const& listener)
        : choice_(choice),
          request_(request_of_job(choice, slots_)),
          fabric_(obtain_fabric_of(request_, listener)),
          around_(choice, fabric_, listener),
          free_(around_.free()),
          leaf_(schedule::leaf_numbers(around_.nodes(), fabric_->network)),
          free_nodes_(leaf_, around_.is_free()) {
        std::uint32_t const ranks = request_.study.placement.ranks;
        sets_.machine = static_cast<std::uint32_t>(around_.nodes().nodes.size());
        sets_.taken = around_.taken();
        sets_.free = static_cast<std::uint32_t>(free_.size());
        sets_.jobs = around_.jobs();
        sets_.wanted = (ranks + slots_ - 1) / slots_;
        check_free(listener);
        request_.placement.nodes.clear();
        request_.placement.among.assign(free_.begin(), free_.begin() + sets_.wanted);
        StudyPlaces places = find_places(request_, free_, fabric_, choice.search.threads, listener);
        if (choice.within == KeptWithin::rack) places.problem.rack = racks_of(*fabric_, choice.racks, places.hosts());
        make_problems(places);
        sets_.adapters_differ = search::adapters_differ(problem_.places);
    }

    report::OrdersReport run() {
        add_choices_of_schedulers();
        std::uint64_t const random_sets = fewer(choice_.random_orders, 50'000'000, problem_);
        std::vector<search::NodeValue> random =
            values_of_drawn<search::NodeValue>(random_sets, "random nodes", "sets", options_.threads,
                                               [&](std::uint64_t k) { return value_of(problem_, random_order(k)); });
        if (search::is_asked_anywhere(options_.shared, random.size() < random_sets)) random.clear();
        if (!random.empty())  // what is found is never worse than these
            starts_.push_back(random_order(std::uint64_t(std::ranges::min_element(random, is_less) - random.begin())));
        choose_moves();
        std::vector<std::uint32_t> const nodes = search();
        std::optional<Undisturbed> undisturbed;
        if (sets_.stopped) undisturbed.emplace();
        else add_random(std::move(random));
        return order_on(nodes);
    }

private:
    static std::shared_ptr<model::Fabric const> obtain_fabric_of(StudyRequest const& request,
                                                                 Listener const& listener) {
        FabricRequest wanted = fabric_request(request, listener.note);
        wanted.names_nodes = true;
        wanted.network.form = RoutesForm::tables;
        return obtain_shared(wanted, listener);
    }
    static bool is_less(search::NodeValue const& a, search::NodeValue const& b) {
        return std::pair(a.time, a.harm) < std::pair(b.time, b.harm);
    }
    /// As many as it takes some tenths of a second to judge, by links of flows.
    static std::uint64_t fewer(std::uint64_t wanted, std::uint64_t most_links, search::NodeProblem const& problem) {
        return std::min(wanted, most_links / search::links_of_flows(problem.places) + 10);
    }

    void check_free(Listener const& listener) const {
        if (free_.size() < sets_.wanted)
            throw base::InputError(
                {},
                fmt::format("the job needs {}, and {} free", base::counted(sets_.wanted, "node", "nodes"),
                            free_.size() == 1 ? "1 is" : fmt::format("{} are", free_.size())),
                fmt::format("running jobs have {} of {}", sets_.taken, sets_.machine),
                "ask for fewer ranks, or give more --ranks-per-node", "ranks");
        check_rail(request_, around_.nodes(), free_, slots_);
        tell_many_places(std::uint64_t{free_.size()} * slots_, listener);
    }

    /// Whole nodes, and the ranks one by one.
    void make_problems(StudyPlaces& places) {
        std::vector<search::PlacedLevel> levels = flows_of_nodes(places, slots_);
        if (levels.front().flows.empty())
            throw base::InputError({}, "the ranks send nothing from node to node", "all nodes are as good",
                                   "give them fewer --ranks-per-node, or take any nodes");
        std::uint32_t const ranks = places.problem.ranks;
        std::swap(places.problem.levels, levels);
        places.problem.ranks = sets_.wanted * slots_;
        around_.links().unit = search::busiest_adapter(places.problem);
        std::uint64_t const scale = places.put_beside(around_.links());
        problem_.places = places.problem;
        problem_.places.together = slots_;
        keep_groups_of_nodes(problem_.places, choice_.groups());
        problem_.unit = around_.links().unit * double(scale);
        for (model::Link const link : places.link) problem_.of.push_back(around_.links().harm[link.value]);
        as_ranked_ = problem_;
        as_ranked_.places.levels = {search::all_in_one(levels)};
        for (search::PlacedFlow& flow : as_ranked_.places.levels.front().flows) flow.weight *= scale;
        as_ranked_.places.ranks = ranks;
    }

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
    std::vector<std::uint32_t> nodes_of(search::Order const& order) const {
        std::vector<std::uint32_t> nodes;
        for (std::size_t r = 0; r < order.size(); r += slots_) nodes.push_back(free_[order[r] / slots_]);
        return nodes;
    }
    report::ReportedNodes reported(std::string name, search::Order const& order) const {
        report::ReportedNodes one{std::move(name), {}, value_of(problem_, order), 0};
        std::set<std::uint32_t> leaves;
        for (std::uint32_t const place : order) leaves.insert(problem_.places.leaf[place]);
        for (std::uint32_t const node : nodes_of(order)) one.nodes.push_back(around_.nodes().nodes[node].name);
        one.leaves = static_cast<std::uint32_t>(leaves.size());
        return one;
    }
    search::Order taken_by(schedule::NodePolicy policy, std::uint64_t number) const {
        schedule::FreeNodes free = free_nodes_;
        return order_of(free.take(sets_.wanted, policy, choice_.search.seed, number));
    }
    /// With groups kept: nodes that have to make way do so for others in this order. @param visited of units
    search::Order kept(search::Order const& order, std::span<std::uint32_t const> visited = {}) const {
        return search::allowed(problem_.places, order, order, visited);
    }
    search::Order random_order(std::uint64_t number) const {
        search::Order const order = taken_by(schedule::NodePolicy::random, number);
        if (problem_.places.zone.empty()) return order;
        return kept(order, drawn_units(problem_.places, choice_.search.seed, number));
    }

    void add_choices_of_schedulers() {
        for (auto const& [policy, name] : {std::pair(schedule::NodePolicy::leaf, "fewest leaves"),
                                           {schedule::NodePolicy::contiguous, "contiguous"},
                                           {schedule::NodePolicy::first, "first"},
                                           {schedule::NodePolicy::random, "random"}}) {
            search::Order const taken = taken_by(policy, UINT64_MAX);
            search::Order order = kept(taken);
            if (std::find(starts_.begin(), starts_.end(), order) != starts_.end()) continue;
            if (policy != schedule::NodePolicy::random)
                sets_.others.push_back(
                    reported(order == taken ? name : name + std::string(" with groups kept"), order));
            starts_.push_back(std::move(order));
        }
    }

    void choose_moves() {
        if (options_.moves == 0) options_.moves = search::usual_node_moves(problem_.places);
        constexpr double for_nodes = 0.8;  // of the time; the order of ranks then goes by the same number of moves
        if (choice_.seconds > 0)
            options_.moves = moves_in(for_nodes * double(choice_.seconds), options_.moves, options_.shared,
                                      [&](std::uint64_t moves) {
                                          search::OrderSearchOptions trial = options_;
                                          trial.moves = moves;
                                          return search::search_nodes(problem_, starts_, trial).moves;
                                      });
        if (options_.shared != nullptr)
            options_.shared->begin(search::identity_of(problem_.places, starts_, options_,
                                                       "nodes, set " + std::to_string(choice_.nodes->set)));
    }

    /// @return the nodes of the chosen set
    std::vector<std::uint32_t> search() {
        io::Progress progress("searching nodes", options_.moves, "moves");
        search::OrderSearchOptions shown = options_;
        shown.progress = [&](std::uint64_t done) {
            progress.show(done);
            if (options_.progress) options_.progress(done);
        };
        search::FoundNodeSets const found = search::search_nodes(problem_, starts_, shown);
        for (search::FoundNodes const& one : found.sets)
            sets_.sets.push_back(reported(std::to_string(sets_.sets.size() + 1), one.order));
        sets_.moves = found.moves;
        sets_.stopped = found.stopped;
        sets_.is_proven = found.is_proven;
        std::uint32_t const set = choice_.nodes->set;
        if (set == 0 || set > found.sets.size())
            throw base::InputError({}, fmt::format("there is no set {}", set),
                                   base::counted(found.sets.size(), "set was found", "sets were found"),
                                   "choose one of the list", "set");
        sets_.chosen = set - 1;
        return nodes_of(found.sets[sets_.chosen].order);
    }

    void add_random(std::vector<search::NodeValue> values) {
        std::uint64_t const count = values.size();
        if (count == 0) return;
        sets_.random_sets = count;
        std::ranges::sort(values, is_less);
        sets_.random_least = values.front();
        sets_.random_median.time = values[count / 2].time;
        sets_.random_not_worse = std::uint64_t(std::ranges::count_if(
            values, [&](search::NodeValue const& one) { return one.time <= sets_.sets.front().value.time; }));
        std::ranges::nth_element(values, values.begin() + std::ptrdiff_t(count / 2), {}, &search::NodeValue::harm);
        sets_.random_median.harm = values[count / 2].harm;
    }

    report::OrdersReport order_on(std::vector<std::uint32_t> const& nodes) {
        RankOrderChoice orders = choice_;
        orders.nodes.reset();
        orders.seconds = 0;
        orders.study = request_;
        orders.study.placement.among = nodes;
        orders.fabric = fabric_;
        orders.beside = std::make_shared<BusyLinks const>(around_.links());
        std::uint64_t const usual = search::usual_node_moves(as_ranked_.places);
        orders.search.moves = sets_.stopped ? 1 : std::max<std::uint64_t>(1, std::min(options_.moves, usual) / 4);
        orders.random_orders = fewer(orders.random_orders, 100'000'000, as_ranked_);
        report::OrdersReport report = find_rank_order(orders, {});
        search::Order on_free;
        search::Order const whole = order_of(nodes);
        for (std::uint32_t const place : report.found().order) on_free.push_back(whole[place]);
        sets_.ordered = value_of(as_ranked_, on_free);
        sets_.stopped = sets_.stopped || report.stopped;
        report.budget = options_.moves;
        report.beside = std::move(sets_);
        return report;
    }

    RankOrderChoice const& choice_;
    std::uint32_t slots_ = 0;  ///< of a node
    StudyRequest request_;
    std::shared_ptr<model::Fabric const> fabric_;
    Surroundings around_;
    std::vector<std::uint32_t> free_, leaf_;  ///< nodes, ascending; by node
    schedule::FreeNodes free_nodes_;
    search::NodeProblem problem_, as_ranked_;  ///< of whole nodes; of ranks one by one
    std::vector<search::Order> starts_ = {};
    search::OrderSearchOptions options_ = choice_.search;
    report::NodeSets sets_ = {};
};

}  // namespace

report::OrdersReport find_nodes(RankOrderChoice const& choice, Listener const& listener) {
    return NodeChooser(choice, listener).run();
}

}  // namespace tailback::api
