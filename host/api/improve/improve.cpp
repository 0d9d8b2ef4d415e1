#include "host/api/improve/improve.hpp"

#include "host/api/improve/judge.hpp"
#include "host/api/improve/table_search.hpp"
#include "host/base/error.hpp"
#include "host/base/memory.hpp"
#include "host/base/numbers.hpp"
#include "host/io/progress.hpp"
#include "host/model/fabric/fabric_traits.hpp"
#include "host/model/port_lids.hpp"
#include "host/model/routes/candidate_sets.hpp"
#include "host/search/bounds/fabric_bound.hpp"
#include "host/study/fabric_digest.hpp"
#include "topologies/layout.hpp"
#include "version.hpp"

#include <fmt/format.h>

namespace tailback::api {
namespace {

char const* objective_name(ImproveObjective objective) {
    switch (objective) {
        case ImproveObjective::max_load: return "max-load";
        case ImproveObjective::jobs: return "jobs";
        case ImproveObjective::permutation: return "permutation";
        default: return "collisions";
    }
}

/// Of a network that is not made yet: its tables, and what a search keeps of them, by targets and switches.
void require_memory_of_search(NetworkChoice const& choice) {
    if (!choice.spec) return;
    topologies::LayoutSizes const sizes = topologies::sizes_of(*choice.spec);
    std::uint64_t const lids = topologies::capped_sum(sizes.hosts, sizes.switches),
                        entries =
                            topologies::capped_product(sizes.switches, topologies::capped_sum(lids, 6 * sizes.hosts));
    base::require_memory("forwarding tables of " + choice.network + " and a search for better ones", entries,
                         "choose a smaller network");
}

std::shared_ptr<model::Fabric> obtain_improved(ImproveRequest const& request, Listener const& listener) {
    NetworkChoice const& choice = request.network;
    require_memory_of_search(choice);
    auto fabric = std::make_shared<model::Fabric>(
        obtain({.network = choice, .wanted = Wanted::tables, .user = "a search for tables", .for_no_tables = "minhop"},
               listener));
    if (model::FabricTraits const traits = model::traits_of(*fabric); traits.is_ip || traits.by_hash)
        throw base::InputError({choice.network, 0}, "these routes are not forwarding tables by LID",
                               "routers choose by prefixes and hashes", "choose an InfiniBand fabric, or a --routing");
    if (model::Node const host = model::host_that_forwards(*fabric); host.exists())
        throw base::InputError({choice.network, 0}, "hosts of this network forward packets themselves",
                               fabric->network.describe(host) + " has a table",
                               "choose a network whose switches alone have tables");
    if (fabric->candidates != nullptr)
        listener.warn(
            "switches of this fabric choose among several ports: they follow static entries, which are all "
            "that is improved here, only where that is switched off");
    return fabric;
}

/// What makes a search this one: with the same of all of it come the same tables.
search::SharedSearch::Identity identity_of(ImproveRequest const& request, model::Fabric const& fabric,
                                           search::Trees const& input) {
    auto const text = [](std::optional<std::uint64_t> number) { return number ? std::to_string(*number) : "usual"; };
    base::Digest trees, traffic;
    search::StateWords arcs;
    input.write_arcs(arcs);
    for (std::uint64_t const word : arcs) trees.add(word);
    for (std::uint32_t d = 0; d < input.targets().size() && input.is_by_traffic(); ++d)
        for (search::Sender const& sender : input.senders_to(d))
            traffic.add(std::uint64_t{sender.at} << 32 | sender.amount);
    return {{"version", version},
            {"search", "tables"},
            {"network", study::digest(fabric)},
            {"hosts", fmt::format("{} {}", input.graph().seats().size(), request.hosts)},
            {"trees", trees.text()},
            {"capacities", request.capacities == model::CapacityKind::unit ? "unit" : "rates"},
            {"objective", objective_name(request.objective)},
            {"jobs", traffic.text()},
            {"lanes", std::to_string(request.lanes)},
            {"slack", std::to_string(request.slack)},
            {"changes", text(request.changes)},
            {"rounds", text(request.rounds)},
            {"moves", text(request.moves)},
            {"orders", text(request.trials)},
            {"restarts", text(request.restarts)},
            {"seed", std::to_string(request.seed)}};
}

/// What no tables can beat at hosts' base LIDs: where ways may be longer than the shortest, none of any ways.
report::LoadBound load_bound_of(model::Network const& all_lids, std::vector<model::Host> const& hosts,
                                model::CapacityKind capacities, bool is_shortest) {
    model::Network const network = model::with_base_lids(all_lids);
    search::SwitchGraph const graph(network, hosts, capacities);
    auto const routes = is_shortest ? search::BoundRoutes::shortest : search::BoundRoutes::any;
    if (search::has_like_links(graph))
        return report::LoadBound{double(search::find_fabric_bound(graph.network(), hosts, routes).least), is_shortest};
    search::Bundles const bundles(graph);
    return report::LoadBound{search::find_load_bound(bundles, search::Demand::all_pairs(graph), routes).bound.value(),
                             is_shortest};
}

}  // namespace

Improvement::Improvement(ImproveRequest const& request, Listener const& listener)
    : before_(obtain_improved(request, listener)),
      objective_(objective_name(request.objective)),
      files_(request.named_files()) {
    std::vector<model::Host> const hosts = hosts_of(*before_, request.hosts);
    search::SwitchGraph const graph(before_->network, hosts, request.capacities);
    std::vector<search::Target> targets = search::targets_of_plane(graph, 0);
    std::optional<search::Trees> input;
    if (request.objective == ImproveObjective::jobs) {
        JobTraffic traffic = traffic_of_jobs(request, graph, before_, listener);
        jobs_bound_ = bound_of_jobs(graph, traffic);
        std::vector<std::vector<search::Sender>> senders;
        for (search::Target const& target : targets) senders.push_back(std::move(traffic.senders[target.seat]));
        input.emplace(graph, std::move(targets), std::move(senders));
    } else {
        input.emplace(graph, std::move(targets));
    }
    input->take(before_->tables);
    if (request.shared != nullptr) request.shared->begin(identity_of(request, *before_, *input));
    TableSearch search(request, before_, graph, hosts, std::move(*input));
    {
        io::Progress const progress("searching tables");
        search.run();
    }
    after_ = search.fabric();
    outcome_ = search.outcome();
    start_ = search.start;
    search_ = search.report;
    trials_ = search.trials;
    valleys_ = search.valleys;
    by_order_ = search.by_order;
    if (request.shared != nullptr && request.shared->process() > 0) return;
    judge(request, graph, search, listener);
    bool const input_fits = search.input_fits();
    may_be_loaded_ = outcome_ == report::ImproveOutcome::improved || input_fits;
    lanes_ = request.lanes;
    if (!input_fits) best_routing_ = search.best_routing();
    by_capacity_ = !search::has_like_links(graph);
    if (request.objective == ImproveObjective::max_load)
        load_bound_ = load_bound_of(before_->network, hosts, request.capacities, request.slack == 0 && is_.longer == 0);
}

report::ImproveReport Improvement::report() const {
    return {*before_, *after_,     was_,        is_,           outcome_,        objective_,   start_,         search_,
            trials_,  by_order_,   valleys_,    entries_,      blocks_,         switches_,    rollout_,       files_,
            1000,     jobs_bound_, load_bound_, best_routing_, most_bandwidth_, by_capacity_, may_be_loaded_, lanes_};
}

}  // namespace tailback::api
