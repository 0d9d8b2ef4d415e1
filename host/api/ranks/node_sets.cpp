#include "host/api/ranks/node_sets.hpp"

#include "host/api/slurm/slurm.hpp"
#include "host/base/error.hpp"
#include "host/base/numbers.hpp"
#include "host/io/progress.hpp"
#include "host/model/capacities.hpp"
#include "host/schedule/node_choice.hpp"
#include "host/study/placement/hostlist.hpp"
#include "host/study/placement/node_finder.hpp"
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

/// Which nodes the new job may have, and what the others leave it.
class Surroundings {
public:
    Surroundings(NodesChoice const& choice, std::shared_ptr<model::Fabric const> const& fabric,
                 Listener const& listener)
        : choice_(choice),
          fabric_(fabric),
          nodes_(study::find_compute_nodes(
              *fabric, node_grouping(choice.orders.study.placement.adapters, choice.orders.study.network.spec),
              choice.orders.study.study.placement.aggregation_nodes_are_hosts)),
          is_free_(nodes_.nodes.size(), 0),
          is_taken_(nodes_.nodes.size(), 0) {
        find_allowed(listener);
        links_.busy.resize(fabric->network.links().size());
        links_.harm.resize(links_.busy.size());
        if (!choice.running.jobs.empty()) add_jobs(listener);
        take_lists();
        std::uint64_t lost = 0;
        for (std::size_t n = 0; n < is_free_.size(); ++n) {
            lost += is_free_[n] != 0 && is_taken_[n] != 0;
            if (is_taken_[n] != 0) is_free_[n] = 0;
        }
        if (lost > 0 && (!choice.orders.study.placement.nodes.empty() || !choice.sinfo.empty()))
            listener.note(fmt::format("{} that may be taken {} running jobs already, and {} left out",
                                      base::counted(lost, "node", "nodes"), lost == 1 ? "has" : "have",
                                      lost == 1 ? "is" : "are"));
    }

    study::ComputeNodes const& nodes() const { return nodes_; }
    std::vector<char> const& is_free() const { return is_free_; }
    std::uint32_t taken() const {
        return static_cast<std::uint32_t>(std::count(is_taken_.begin(), is_taken_.end(), 1));
    }
    std::vector<std::uint32_t> free() const {
        std::vector<std::uint32_t> free;
        for (std::uint32_t n = 0; n < is_free_.size(); ++n)
            if (is_free_[n] != 0) free.push_back(n);
        return free;
    }
    BusyLinks& links() { return links_; }
    std::uint32_t jobs() const { return jobs_; }

private:
    void find_allowed(Listener const& listener) {
        study::NodeSelection chosen = study::every_node(nodes_);
        PlacementRequest const& request = choice_.orders.study.placement;
        if (!request.nodes.empty()) chosen = study::read_node_selection(request.nodes, nodes_, fabric_->network);
        if (chosen.draw || !chosen.given.empty())
            throw base::InputError({}, "--nodes " + request.nodes.substr(0, 80) + " is no set of nodes to choose from",
                                   "they are drawn, or every rank has its own already", "name the nodes", "nodes");
        for (std::string const& note : chosen.notes) listener.note(note);
        std::vector<char> allowed(nodes_.nodes.size(), choice_.sinfo.empty());
        if (!choice_.sinfo.empty()) {
            io::LineReader lines(io::open_source(choice_.sinfo), choice_.sinfo);
            IdleNodes const idle = read_sinfo(lines);
            study::NodeFinder finder(nodes_, fabric_->network);
            std::vector<std::string> unknown;
            for (std::string const& name : idle.names) {
                if (!finder.knows(name)) unknown.push_back(name);
                else allowed[finder.find(name, {choice_.sinfo, 0}).node] = 1;
            }
            auto const tell = [&](std::vector<std::string> const& names, char const* what) {
                if (!names.empty()) listener.note(what + study::fold_hostlist(names));
            };
            tell(unknown, "free nodes that the network does not have are left out: ");
            tell(idle.other_idle, "nodes that are idle, but kept from jobs, are left out: ");
        }
        for (std::uint32_t const node : chosen.nodes) is_free_[node] = allowed[node];
    }
    void take_lists() {
        study::NodeFinder finder(nodes_, fabric_->network);
        for (std::string const& list : choice_.taken)
            for (std::string const& name : study::expand_hostlist(list))
                if (finder.knows(name)) is_taken_[finder.find(name, {}).node] = 1;
    }
    void add_jobs(Listener const& listener) {
        PreparedJobs const prepared(choice_.running, fabric_, listener);
        jobs_ = static_cast<std::uint32_t>(prepared.jobs().size());
        study::StudyPlan const& plan = prepared.plan();
        for (model::Host const host : plan.hosts_of_mapping(plan.study.sample.first_mapping))
            is_taken_[nodes_.node_of_host[host.value]] = 1;
        JobLoads const loads = link_loads(prepared);
        if (loads.failed > 0)
            listener.warn(fmt::format("{} of running jobs {} not delivered, and {} nothing",
                                      base::counted(loads.failed, "flow", "flows"), loads.failed == 1 ? "is" : "are",
                                      loads.failed == 1 ? "loads" : "load"));
        model::Network const& net = fabric_->network;
        std::vector<std::uint32_t> const cost = model::link_costs(net, choice_.running.capacities).cost;
        auto const congestion = [&](std::vector<std::uint64_t> const& load, std::size_t l) {
            return double(load[l]) * (cost.empty() ? 1 : cost[l]);
        };
        for (std::vector<std::uint64_t> const& load : loads.of_job) {
            double most = 0;
            for (std::size_t l = 0; l < load.size(); ++l)
                if (!net.is_switch(net[model::Link{l}].from) || !net.is_switch(net[model::Link{l}].to))
                    most = std::max(most, congestion(load, l));
            for (std::size_t l = 0; most > 0 && l < load.size(); ++l) links_.busy[l] += congestion(load, l) / most;
        }
        for (std::vector<std::uint64_t> const& load : loads.of_job) {
            double most = 0;
            for (std::size_t l = 0; l < load.size(); ++l)
                if (load[l] > 0) most = std::max(most, links_.busy[l]);
            for (std::size_t l = 0; l < load.size(); ++l)
                if (load[l] > 0 && most > 0) links_.harm[l] = std::max(links_.harm[l], 1 / most);
        }
    }

    NodesChoice const& choice_;
    std::shared_ptr<model::Fabric const> fabric_;
    study::ComputeNodes nodes_;
    std::vector<char> is_free_, is_taken_;
    BusyLinks links_;
    std::uint32_t jobs_ = 0;
};

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
            leaves.insert(problem_.places.leaf[order[r]]);
        }
        valued.leaves = static_cast<std::uint32_t>(leaves.size());
        return valued;
    }
    search::Order random_order(schedule::FreeNodes free, std::uint64_t number) const {
        return order_of(free.take(wanted_, schedule::NodePolicy::random, choice_.orders.search.seed, number));
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
    return with_named(files, {{"sinfo", sinfo}});
}

NodeSets find_nodes(NodesChoice const& choice, Listener const& listener) {
    NodeSets result;
    StudyRequest request = choice.orders.study;
    std::uint32_t const ranks = ranks_of(request);
    std::uint32_t const slots = std::max(1u, request.placement.ranks_per_node);
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
    request.placement.nodes.clear();
    request.placement.among.assign(free.begin(), free.begin() + result.wanted);
    StudyPlaces places = find_places(request, free, fabric, listener);
    NodeChooser const chooser(choice, places, free, slots, around.links());

    std::vector<std::uint32_t> const leaf = schedule::leaf_numbers(around.nodes(), fabric->network);
    schedule::FreeNodes const free_nodes(leaf, around.is_free());
    std::vector<search::Order> starts;
    for (auto const& [policy, name] : {std::pair(schedule::NodePolicy::leaf, "fewest leaves"),
                                       {schedule::NodePolicy::contiguous, "contiguous"},
                                       {schedule::NodePolicy::first, "first"},
                                       {schedule::NodePolicy::random, "random"}}) {
        schedule::FreeNodes some = free_nodes;
        search::Order order = chooser.order_of(some.take(result.wanted, policy, choice.orders.search.seed, UINT64_MAX));
        if (std::find(starts.begin(), starts.end(), order) != starts.end()) continue;
        if (policy != schedule::NodePolicy::random) result.others.push_back(chooser.valued(name, order));
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
