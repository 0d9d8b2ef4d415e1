#include "host/evaluation/jobs/flow_loads.hpp"

#include "kernels/common/permutation.hpp"
#include "kernels/cpu/fast/team.hpp"
#include "kernels/evaluate/dispatch.hpp"

#include <utility>

namespace tailback::evaluation {
namespace {

template <class Routes>
class LoadCounterBy final : public LoadCounter {
public:
    LoadCounterBy(kernels::Problem const& p, Routes const& routes) : p_(p), routes_(routes), load_(p.routes.slots) {}

    void count(patterns::FlowList const& list, patterns::Level const& level, std::uint32_t const* host_index,
               FlowDraw const& draw, FlowFates& fates, std::vector<LinkLoad>& loads) override {
        host_index_ = host_index;
        loads.clear();
        fates.local += level.local;
        for (std::size_t f = level.first_flow; f < level.first_flow + level.flow_count; ++f)
            add_flow(list.flows[f], list.weights.empty() ? 1 : list.weights[f], fates, loads);
        for (patterns::RandomFlows const& random : level.random) {
            permute(draw, random.ranks);
            for (std::uint32_t r = 0; r < random.ranks; ++r) {
                if (drawn_[r] == r) ++fates.local;
                else add_flow({random.first_rank + r, random.first_rank + drawn_[r]}, 1, fates, loads);
            }
        }
        for (LinkLoad& one : loads) one.load = std::exchange(load_[one.link], 0);
    }

private:
    void permute(FlowDraw const& draw, std::uint32_t ranks) {
        drawn_.resize(std::size_t{ranks} + 4);
        targets_.resize(std::size_t{ranks} + 4);
        kernels::CpuTeam team;
        kernels::draw_permutation(team,
                                  kernels::Draw{draw.seed, kernels::Stream{draw.stream}, draw.number, ranks, ranks},
                                  targets_.data(), drawn_.data());
    }
    void add_flow(patterns::Flow flow, std::uint64_t weight, FlowFates& fates, std::vector<LinkLoad>& loads) {
        kernels::HostIndex const own{host_index_[flow.source]}, destination{host_index_[flow.destination]};
        kernels::NodesView const& nodes = p_.placement.nodes;
        if (nodes.node != nullptr && nodes.node[own.value] == nodes.node[destination.value]) {
            ++fates.within_nodes;
            return;
        }
        kernels::HostIndex const source = kernels::leaving_host(nodes, own, destination);
        auto const route = find(source.value, destination.value);
        if (!p_.routes.all_delivered && routes_.fate(route) != 0) {
            ++fates.failed;
            return;
        }
        ++fates.delivered;
        auto const add = [&](std::uint32_t link) {
            if (load_[link] == 0) loads.push_back({link, 0});
            load_[link] += weight;
        };
        if (p_.routes.host_links_implied) {
            add(p_.routes.inner + 4 + source.value);
            add(p_.routes.inner + 4 + p_.placement.study_hosts + destination.value);
        }
        routes_.each(route, [&](std::uint32_t link) {
            if (link != p_.routes.inner) add(link);
        });
    }
    auto find(std::uint32_t source, std::uint32_t destination) const {
        if constexpr (requires { Routes::by_seat; }) return routes_.find(source, destination);
        else return routes_.find(p_.routes.group[source], destination);
    }

    kernels::Problem const& p_;
    Routes routes_;
    std::vector<std::uint64_t> load_;  ///< by link; zero between levels
    std::uint32_t const* host_index_ = nullptr;
    std::vector<std::uint32_t> drawn_, targets_;
};

/// Along the routes to several LIDs of a destination.
class SpreadCounter final : public LoadCounter {
public:
    SpreadCounter(study::StudyPlan const& plan, SpreadPlan const& spread)
        : plan_(plan),
          spread_(spread),
          paths_(spread.forwarding, spread.spread, plan.study.sample.seed),
          load_(plan.problem.routes.slots) {}

    void count(patterns::FlowList const& list, patterns::Level const& level, std::uint32_t const* host_index,
               FlowDraw const& draw, FlowFates& fates, std::vector<LinkLoad>& loads) override {
        if (level.first_flow == list.levels.front().first_flow && &level == &list.levels.front()) paths_.begin();
        place_ = {draw.number, static_cast<std::uint32_t>(&level - list.levels.data()), draw.stream};
        message_ = 0;
        loads.clear();
        fates.local += level.local;
        for (std::size_t f = level.first_flow; f < level.first_flow + level.flow_count; ++f)
            add_flow(host_index[list.flows[f].source], host_index[list.flows[f].destination],
                     list.weights.empty() ? 1 : list.weights[f], fates, loads);
        for (patterns::RandomFlows const& random : level.random) {
            drawn_.resize(std::size_t{random.ranks} + 4);
            targets_.resize(drawn_.size());
            kernels::CpuTeam team;
            kernels::draw_permutation(
                team, kernels::Draw{draw.seed, kernels::Stream{draw.stream}, draw.number, random.ranks, random.ranks},
                targets_.data(), drawn_.data());
            for (std::uint32_t r = 0; r < random.ranks; ++r) {
                if (drawn_[r] == r) ++fates.local, ++message_;
                else
                    add_flow(host_index[random.first_rank + r], host_index[random.first_rank + drawn_[r]], 1, fates,
                             loads);
            }
        }
        for (LinkLoad& one : loads) one.load = std::exchange(load_[one.link], 0);
    }

private:
    void add_flow(std::uint32_t source, std::uint32_t destination, std::uint64_t weight, FlowFates& fates,
                  std::vector<LinkLoad>& loads) {
        std::uint32_t const message = message_++;
        std::uint32_t const* const node = plan_.problem.placement.nodes.node;
        if (node != nullptr && node[source] == node[destination]) return ++fates.within_nodes, void();
        model::Host const from = plan_.study_hosts[source], to = plan_.study_hosts[destination];
        std::span const offsets = paths_.choose(from, to, place_, message);
        links_.clear();
        for (std::uint32_t const offset : offsets)
            if (!paths_.walk(from, to, spread_.forwarding.fabric().network[to].lid + offset, links_))
                return ++fates.failed, void();
        ++fates.delivered;
        for (model::Link const link : links_) {
            std::uint32_t const slot = spread_.index_of_link[link.value];
            if (load_[slot] == 0) loads.push_back({slot, 0});
            load_[slot] += weight * spread_.parts / offsets.size();
        }
    }

    study::StudyPlan const& plan_;
    SpreadPlan const& spread_;
    LidPaths paths_;
    LevelPlace place_;
    std::uint32_t message_ = 0;        ///< of the level: those that are not sent count, too
    std::vector<std::uint64_t> load_;  ///< by link; zero between levels
    std::vector<std::uint32_t> drawn_, targets_;
    std::vector<model::Link> links_;
};

}  // namespace

SpreadPlan::SpreadPlan(study::StudyPlan const& plan, LidSpread how)
    : forwarding(*plan.fabric), spread(how), index_of_link(plan.fabric->network.links().size()) {
    std::uint32_t const lmc = largest_lmc(plan.fabric->network, plan.study_hosts);
    require_several_lids(plan, lmc);
    if (how == LidSpread::all) parts = std::uint64_t{1} << lmc;
    for (std::uint32_t slot = 0; slot < index_of_link.size(); ++slot) index_of_link[slot] = slot;
    for (std::uint32_t slot = 0; slot < plan.link_of_index.size(); ++slot)
        if (plan.link_of_index[slot].exists()) index_of_link[plan.link_of_index[slot].value] = slot;
}

std::unique_ptr<LoadCounter> make_load_counter(study::StudyPlan const& plan, SpreadPlan const& spread) {
    return std::make_unique<SpreadCounter>(plan, spread);
}

std::unique_ptr<LoadCounter> make_load_counter(kernels::Problem const& problem) {
    std::unique_ptr<LoadCounter> made;
    kernels::with_routes(problem, [&]<class Routes>(Routes const& routes) {
        made = std::make_unique<LoadCounterBy<Routes>>(problem, routes);
    });
    return made;
}

}  // namespace tailback::evaluation
