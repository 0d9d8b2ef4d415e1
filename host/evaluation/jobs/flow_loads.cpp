#include "host/evaluation/jobs/flow_loads.hpp"

#include "kernels/common/permutation.hpp"
#include "kernels/cpu/team.hpp"
#include "kernels/evaluate/dispatch.hpp"

#include <utility>

namespace tailback::evaluation {
namespace {

template <class Routes>
class FlowLoadsBy final : public FlowLoads {
public:
    FlowLoadsBy(kernels::Problem const& p, Routes const& routes) : p_(p), routes_(routes), load_(p.slots) {}

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
        kernels::draw_permutation(team, draw.seed, kernels::Stream{draw.stream}, draw.number, ranks, ranks,
                                  targets_.data(), drawn_.data());
    }
    void add_flow(patterns::Flow flow, std::uint64_t weight, FlowFates& fates, std::vector<LinkLoad>& loads) {
        kernels::HostIndex const own{host_index_[flow.source]}, destination{host_index_[flow.destination]};
        kernels::NodesView const& nodes = p_.nodes;
        if (nodes.node != nullptr && nodes.node[own.value] == nodes.node[destination.value]) {
            ++fates.within_nodes;
            return;
        }
        kernels::HostIndex const source = kernels::leaving_host(nodes, own, destination);
        auto const route = find(source.value, destination.value);
        if (!p_.all_delivered && routes_.fate(route) != 0) {
            ++fates.failed;
            return;
        }
        ++fates.delivered;
        auto const add = [&](std::uint32_t link) {
            if (load_[link] == 0) loads.push_back({link, 0});
            load_[link] += weight;
        };
        if (p_.host_links_implied) {
            add(p_.inner + 4 + source.value);
            add(p_.inner + 4 + p_.study_hosts + destination.value);
        }
        routes_.each(route, [&](std::uint32_t link) {
            if (link != p_.inner) add(link);
        });
    }
    auto find(std::uint32_t source, std::uint32_t destination) const {
        if constexpr (requires { Routes::by_seat; }) return routes_.find(source, destination);
        else return routes_.find(p_.group[source], destination);
    }

    kernels::Problem const& p_;
    Routes routes_;
    std::vector<std::uint64_t> load_;  ///< by link; zero between levels
    std::uint32_t const* host_index_ = nullptr;
    std::vector<std::uint32_t> drawn_, targets_;
};

}  // namespace

std::unique_ptr<FlowLoads> make_flow_loads(kernels::Problem const& problem) {
    std::unique_ptr<FlowLoads> made;
    kernels::with_routes(problem, [&]<class Routes>(Routes const& routes) {
        made = std::make_unique<FlowLoadsBy<Routes>>(problem, routes);
    });
    return made;
}

}  // namespace tailback::evaluation
