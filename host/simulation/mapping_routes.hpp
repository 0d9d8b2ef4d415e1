// Looks the routes of a graph's pairs up for one mapping.
#pragma once

#include "host/simulation/pair_links.hpp"
#include "kernels/cpu/huge_buffer.hpp"
#include "kernels/cpu/team.hpp"
#include "kernels/evaluate/evaluate.hpp"
#include "kernels/executor.hpp"
#include "kernels/sharing/max_min.hpp"

#include <cstring>

namespace tailback::simulation {

/// Routes: one of kernels/evaluate.
template <class Routes>
class MappingRoutes {
public:
    MappingRoutes(kernels::Problem const& problem, Routes const& routes, Graph const& graph, bool keeps_all)
        : problem_(problem), routes_(routes), graph_(graph), links_(problem.slots, keeps_all) {
        memory_ = kernels::HugeBuffer(scratch_.lay_out(problem_, nullptr, true));
        std::memset(memory_.data(), 0, memory_.size());
        scratch_.lay_out(problem_, memory_.data(), true);
    }

    PairLinks const& find(std::uint64_t mapping) {
        kernels::CpuTeam team;
        kernels::TotalsView const totals{};
        kernels::kernel::place_ranks(team, problem_, mapping, scratch_);
        Flows flows{team, problem_, routes_, scratch_, totals};
        links_.begin();
        for (Pair const& pair : graph_.pairs) {
            std::uint32_t const destination =
                pair.drawn == none ? pair.destination
                                   : pair.first + scratch_.permutation(pair.drawn)[pair.source - pair.first];
            if (destination == pair.source) links_.add_pair(FlowFate::local, destination);
            else add(flows, {0, kernels::Rank{pair.source}, kernels::Rank{destination}});
        }
        links_.end();
        return links_;
    }

private:
    using TeamScratch = kernels::Scratch<std::uint32_t, typename Routes::Kept>;
    using Flows = kernels::kernel::Evaluation<false, Routes, kernels::CpuTeam, TeamScratch>;

    void add(Flows const& flows, kernels::RankFlow const& flow) {
        if (flows.is_within_node(flow)) return links_.add_pair(FlowFate::within_node, flow.destination.value);
        auto const route = flows.look_up(flow);
        std::uint32_t const fate = flows.fate(route), padding = problem_.inner;
        links_.add_pair(static_cast<FlowFate>(fate), flow.destination.value);
        if (fate != 0) return;
        auto const add_link = [&](std::uint32_t slot) {
            if (slot != padding) links_.add_link(slot, kernels::capacity_of(problem_, slot));
        };
        // A host's up link first, its down link last.
        std::uint32_t const first_up = problem_.inner + 4, first_down = first_up + problem_.study_hosts;
        if (problem_.host_links_implied) add_link(first_up + flows.source_of(flow).value);
        routes_.each(route, add_link);
        if (problem_.host_links_implied) add_link(first_down + flows.host_of(flow.destination).value);
    }

    kernels::Problem const problem_;
    Routes const routes_;
    Graph const& graph_;
    PairLinks links_;
    TeamScratch scratch_;
    kernels::HugeBuffer memory_;
};

}  // namespace tailback::simulation
