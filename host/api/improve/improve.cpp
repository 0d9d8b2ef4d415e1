#include "host/api/improve/improve.hpp"

#include "host/api/improve/judge.hpp"
#include "host/api/improve/table_search.hpp"
#include "host/base/error.hpp"
#include "host/base/numbers.hpp"
#include "host/io/progress.hpp"
#include "host/model/fabric/fabric_traits.hpp"
#include "host/model/routes/candidate_sets.hpp"

#include <fmt/format.h>

namespace tailback::api {
namespace {

char const* objective_name(ImproveObjective objective) {
    switch (objective) {
        case ImproveObjective::max_load: return "max-load";
        case ImproveObjective::jobs: return "jobs";
        default: return "collisions";
    }
}

std::shared_ptr<model::Fabric> obtain_improved(ImproveRequest const& request, Listener const& listener) {
    NetworkChoice const& choice = request.network;
    auto fabric = std::make_shared<model::Fabric>(
        obtain({.network = choice, .wanted = Wanted::tables, .user = "a search for tables", .for_no_tables = "minhop"},
               listener));
    if (model::FabricTraits const traits = model::traits_of(*fabric); traits.is_ip || traits.by_hash)
        throw base::InputError({choice.network, 0}, "these routes are not forwarding tables by LID",
                               "routers choose by prefixes and hashes", "choose an InfiniBand fabric, or a --routing");
    for (std::size_t n = 0; n < fabric->network.nodes().size(); ++n)
        if (model::Node const node{n}; !fabric->network.is_switch(node) && fabric->tables.has_table(node))
            throw base::InputError({choice.network, 0}, "hosts of this network forward packets themselves",
                                   fabric->network.describe(node) + " has a table",
                                   "choose a network whose switches alone have tables");
    if (fabric->candidates != nullptr)
        listener.warn(
            "switches of this fabric choose among several ports: they follow static entries, which are all "
            "that is improved here, only where that is switched off");
    return fabric;
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
    if (outcome_ == report::ImproveOutcome::improved) {
        search::Trees old(graph, search::targets_of_plane(graph, 0)), now = old;
        old.take(before_->tables);
        now.take(after_->tables);
        rollout_ = search::find_rollout(old, now);
    }
    judge(request, graph, listener);
}

report::ImproveReport Improvement::report() const {
    return {*before_,  *after_,  was_,     is_,     outcome_,  objective_, start_, search_, trials_,
            by_order_, valleys_, entries_, blocks_, switches_, rollout_,   files_, 1000,    jobs_bound_};
}

}  // namespace tailback::api
