// Looks routes up for the ranks of one mapping.
#pragma once

#include "host/simulation/pair_links.hpp"
#include "kernels/common/huge_buffer.hpp"
#include "kernels/cpu/fast/team.hpp"
#include "kernels/evaluate/evaluate.hpp"
#include "kernels/executor.hpp"
#include "kernels/sharing/max_min.hpp"

#include <cstring>

namespace tailback::simulation {

/// Where the ranks of a mapping sit, and the routes between them. Routes: one of kernels/evaluate.
template <class Routes>
class PlacedRanks {
public:
    PlacedRanks(kernels::Problem const& problem, Routes const& routes) : problem_(problem), routes_(routes) {
        memory_ = kernels::HugeBuffer(scratch_.lay_out(problem_, nullptr, true));
        std::memset(memory_.data(), 0, memory_.size());
        scratch_.lay_out(problem_, memory_.data(), true);
    }
    PlacedRanks(kernels::Problem const& problem, Routes const& routes, std::uint64_t mapping)
        : PlacedRanks(problem, routes) {
        place(mapping);
    }

    void place(std::uint64_t mapping) {
        kernels::CpuTeam team;
        kernels::kernel::place_ranks(team, problem_, mapping, scratch_);
    }
    /// Of a drawn permutation of the pattern.
    std::uint32_t drawn(std::uint32_t number, std::uint32_t i) const { return scratch_.permutation(number)[i]; }
    bool is_within_node(kernels::RankFlow const& flow) { return with_flows().is_within_node(flow); }
    /// Calls visit(slot) for the links of the flow's route in their order, those of hosts included, if it is delivered.
    /// @return 0 = delivered, else 1..3 (unreachable, loop, misdelivered)
    template <class Visit>
    std::uint32_t each_link(kernels::RankFlow const& flow, Visit&& visit) {
        Flows const flows = with_flows();
        auto const route = flows.look_up(flow);
        std::uint32_t const fate = flows.fate(route), padding = problem_.routes.inner;
        if (fate != 0) return fate;
        std::uint32_t const first_up = problem_.routes.inner + 4,
                            first_down = first_up + problem_.placement.study_hosts;
        if (problem_.routes.host_links_implied) visit(first_up + flows.source_of(flow).value);
        routes_.each(route, [&](std::uint32_t slot) {
            if (slot != padding) visit(slot);
        });
        if (problem_.routes.host_links_implied) visit(first_down + flows.host_of(flow.destination).value);
        return 0;
    }

private:
    using TeamScratch = kernels::Scratch<std::uint32_t, typename Routes::Kept>;
    using Flows = kernels::kernel::Evaluation<false, Routes, kernels::CpuTeam, TeamScratch>;

    Flows with_flows() { return {team_, problem_, routes_, scratch_, totals_}; }

    kernels::Problem const problem_;
    Routes const routes_;
    TeamScratch scratch_;
    kernels::HugeBuffer memory_;
    kernels::CpuTeam team_;
    kernels::TotalsView const totals_{};
};

/// The routes of a graph's pairs, mapping by mapping.
template <class Routes>
class MappingRoutes {
public:
    MappingRoutes(kernels::Problem const& problem, Routes const& routes, Graph const& graph, bool keeps_all)
        : problem_(problem), ranks_(problem, routes), graph_(graph), links_(problem.routes.slots, keeps_all) {}

    PairLinks const& find(std::uint64_t mapping) {
        ranks_.place(mapping);
        links_.begin();
        for (Pair const& pair : graph_.pairs) {
            std::uint32_t const destination =
                pair.drawn == none ? pair.destination : pair.first + ranks_.drawn(pair.drawn, pair.source - pair.first);
            if (destination == pair.source) links_.add_pair(FlowFate::local, destination);
            else add({0, kernels::Rank{pair.source}, kernels::Rank{destination}});
        }
        links_.end();
        return links_;
    }

private:
    void add(kernels::RankFlow const& flow) {
        if (ranks_.is_within_node(flow)) return links_.add_pair(FlowFate::within_node, flow.destination.value);
        links_.add_pair(FlowFate::delivered, flow.destination.value);
        std::uint32_t const fate = ranks_.each_link(
            flow, [&](std::uint32_t slot) { links_.add_link(slot, kernels::capacity_of(problem_, slot)); });
        links_.set_fate(static_cast<FlowFate>(fate));
    }

    kernels::Problem const problem_;
    PlacedRanks<Routes> ranks_;
    Graph const& graph_;
    PairLinks links_;
};

}  // namespace tailback::simulation
