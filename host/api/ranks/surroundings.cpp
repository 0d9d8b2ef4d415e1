#include "host/api/ranks/surroundings.hpp"

#include "host/base/error.hpp"
#include "host/base/numbers.hpp"
#include "host/model/capacities.hpp"
#include "host/result/undelivered.hpp"
#include "host/study/placement/hostlist.hpp"
#include "host/study/placement/node_finder.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tailback::api {

Surroundings::Surroundings(RankOrderChoice const& choice, std::shared_ptr<model::Fabric const> const& fabric,
                           Listener const& listener)
    : choice_(choice),
      fabric_(fabric),
      nodes_(study::find_compute_nodes(*fabric,
                                       node_grouping(choice.study.placement.adapters, choice.study.network.spec),
                                       choice.study.study.placement.aggregation_nodes_are_hosts)),
      is_free_(nodes_.nodes.size(), 0),
      is_taken_(nodes_.nodes.size(), 0) {
    find_allowed(listener);
    links_.busy.resize(fabric->network.links().size());
    links_.harm.resize(links_.busy.size());
    if (!choice.nodes->running.jobs.empty()) add_jobs(listener);
    take_lists();
    leave_out_taken(listener);
}

std::uint32_t Surroundings::taken() const {
    return static_cast<std::uint32_t>(std::count(is_taken_.begin(), is_taken_.end(), 1));
}

std::vector<std::uint32_t> Surroundings::free() const {
    std::vector<std::uint32_t> free;
    for (std::uint32_t n = 0; n < is_free_.size(); ++n)
        if (is_free_[n] != 0) free.push_back(n);
    return free;
}

void Surroundings::find_allowed(Listener const& listener) {
    study::NodeSelection chosen = study::every_node(nodes_);
    PlacementRequest const& request = choice_.study.placement;
    if (!request.nodes.empty()) chosen = study::read_node_selection(request.nodes, nodes_, fabric_->network);
    if (chosen.draw || !chosen.given.empty())
        throw base::InputError({}, "--nodes " + request.nodes.substr(0, 80) + " is no set of nodes to choose from",
                               "they are drawn, or every rank has its own already", "name the nodes", "nodes");
    for (std::string const& note : chosen.notes) listener.note(note);
    std::vector<char> allowed(nodes_.nodes.size(), choice_.nodes->idle.path.empty());
    if (!choice_.nodes->idle.path.empty()) {
        io::LineReader lines(io::open_source(choice_.nodes->idle.path), choice_.nodes->idle.path);
        IdleNodes const idle = choice_.nodes->idle.read(lines);
        study::NodeFinder finder(nodes_, fabric_->network);
        std::vector<std::string> unknown;
        for (std::string const& name : idle.names) {
            if (!finder.knows(name)) unknown.push_back(name);
            else allowed[finder.find(name, {choice_.nodes->idle.path, 0}).node] = 1;
        }
        auto const tell = [&](std::vector<std::string> const& names, char const* what) {
            if (!names.empty()) listener.note(what + study::fold_hostlist(names));
        };
        tell(unknown, "free nodes that the network does not have are left out: ");
        tell(idle.other_idle, "nodes that are idle, but kept from jobs, are left out: ");
    }
    for (std::uint32_t const node : chosen.nodes) is_free_[node] = allowed[node];
}

void Surroundings::take_lists() {
    study::NodeFinder finder(nodes_, fabric_->network);
    for (std::string const& list : choice_.nodes->taken)
        for (std::string const& name : study::expand_hostlist(list))
            if (finder.knows(name)) is_taken_[finder.find(name, {}).node] = 1;
}

void Surroundings::add_jobs(Listener const& listener) {
    PreparedJobs const prepared(choice_.nodes->running, fabric_, listener);
    DrawnParts const drawn = drawn_parts(prepared);
    if (drawn.nodes)
        listener.note(
            "the nodes of running jobs, or the order of their ranks, are drawn: the first draw stands for what runs. "
            "Give each job nodes=.. and mapping=block, or a file");
    if (!drawn.flows_of.empty())
        listener.note(fmt::format("job \"{}\" draws flows: the first draw stands for what it sends", drawn.flows_of));
    jobs_ = static_cast<std::uint32_t>(prepared.jobs().size());
    study::StudyPlan const& plan = prepared.plan();
    for (model::Host const host : plan.hosts_of_mapping(plan.study.sample.first_mapping))
        is_taken_[nodes_.node_of_host[host.value]] = 1;
    JobLoads const loads = link_loads(prepared);
    if (loads.failed > 0)
        listener.warn(result::load_nothing(
            {.count = loads.failed, .one = "flow of running jobs", .many = "flows of running jobs"}));
    model::Network const& net = fabric_->network;
    std::vector<std::uint32_t> const cost = model::link_costs(net, choice_.nodes->running.capacities).cost;
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

void Surroundings::leave_out_taken(Listener const& listener) {
    std::uint64_t lost = 0;
    for (std::size_t n = 0; n < is_free_.size(); ++n) {
        lost += is_free_[n] != 0 && is_taken_[n] != 0;
        if (is_taken_[n] != 0) is_free_[n] = 0;
    }
    if (lost > 0 && (!choice_.study.placement.nodes.empty() || !choice_.nodes->idle.path.empty()))
        listener.note(fmt::format("{} that may be taken {} running jobs already, and {} left out",
                                  base::counted(lost, "node", "nodes"), lost == 1 ? "has" : "have",
                                  lost == 1 ? "is" : "are"));
}

}  // namespace tailback::api
