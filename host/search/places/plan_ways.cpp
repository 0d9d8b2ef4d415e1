#include "host/search/places/plan_ways.hpp"

#include "host/base/error.hpp"
#include "host/base/memory.hpp"
#include "host/base/numbers.hpp"
#include "host/io/progress.hpp"
#include "kernels/cpu/body_executor.hpp"
#include "kernels/cpu/machine/stop.hpp"

#include <fmt/format.h>

namespace tailback::search {
namespace {

/// The links of the ways between the places that the ranks of a plan sit on.
class WaysOfPlan {
public:
    explicit WaysOfPlan(study::StudyPlan const& plan)
        : p_(plan.problem), flows_(p_, kernels::flow_route_finder(p_)), ranks_(p_.placement.ranks) {}
    WaysOfPlan(WaysOfPlan const&) = delete;  // the finder reads its problem

    /// @param cost, slot out: by link, its cost and the plan's number of it
    Ways find(std::vector<std::uint32_t>& cost, std::vector<std::uint32_t>& slots) {
        io::Progress progress("ways between places", ranks_, "places");
        auto const stop = kernels::StopWish::now();
        flows_.place(team_, p_, 0);
        std::vector<std::uint64_t> first = {0};
        first.reserve(std::size_t{ranks_} * ranks_ + 1);
        std::vector<std::uint32_t> links, number(p_.routes.slots, UINT32_MAX);
        std::uint64_t lost = 0;
        std::vector<kernels::RankPair> pairs;
        for (std::uint32_t source = 0; source < ranks_; ++source) {
            stop.heed();
            pairs.clear();
            for (std::uint32_t destination = 0; destination < ranks_; ++destination)
                pairs.push_back({source, destination});
            kernels::LevelView level;
            level.flows = level.routes_to_keep = ranks_;
            p_.traffic.flows = pairs.data();
            kernels::RoutesOfFlows routes = flows_.find(0, {&level, 1});
            Flows const flows{team_, p_, routes, flows_.scratch(), none_};
            kernels::kernel::each_flow(team_, p_, level, flows_.scratch(), [&](kernels::RankFlow const& flow) {
                if (flow.source.value != flow.destination.value && !flows.is_within_node(flow)) {
                    auto const route = routes.of_flow(flow.number);
                    if (routes.fate(route) != 0) ++lost;
                    else {
                        auto const add = [&](std::uint32_t slot) {
                            if (number[slot] == UINT32_MAX) {
                                number[slot] = static_cast<std::uint32_t>(cost.size());
                                slots.push_back(slot);
                                cost.push_back(p_.routes.cost == nullptr ? 1 : p_.routes.cost[slot]);
                            }
                            links.push_back(number[slot]);
                        };
                        std::uint32_t const up = p_.routes.inner + 4, down = up + p_.placement.study_hosts;
                        if (p_.routes.host_links_implied) add(up + flows.source_of(flow).value);
                        routes.each(route, add);
                        if (p_.routes.host_links_implied) add(down + flows.host_of(flow.destination).value);
                    }
                }
                first.push_back(links.size());
            });
            progress.show(source + 1);
            if (source == 0) require_ways(links.size(), first, links);
        }
        if (lost > 0)
            throw base::InputError(
                {}, fmt::format("{} of the places are not delivered", base::counted(lost, "pair", "pairs")),
                "an order could lose flows then", "look for the cause with `tailback audit`, or choose other nodes");
        return {ranks_, std::move(first), std::move(links)};
    }

private:
    /// For all ways, by those of the first place.
    void require_ways(std::size_t of_one, std::vector<std::uint64_t> const& first, std::vector<std::uint32_t>& links) {
        std::uint64_t const all = std::uint64_t{of_one} * ranks_ + of_one * ranks_ / 8;
        base::require_memory("ways between places", first.capacity() * sizeof first[0] + all * sizeof links[0],
                             "choose fewer nodes");
        links.reserve(all);
    }

    using Flows = kernels::kernel::Evaluation<false, kernels::RoutesOfFlows, kernels::CpuTeam,
                                              kernels::FlowsOfMapping<std::uint64_t>::TeamScratch>;
    kernels::Problem p_;
    kernels::CpuTeam team_;
    kernels::FlowsOfMapping<std::uint64_t> flows_;
    kernels::TotalsView none_{};
    std::uint32_t ranks_;
};

}  // namespace

Ways ways_of(study::StudyPlan const& plan, std::vector<std::uint32_t>& cost, std::vector<std::uint32_t>& slots) {
    std::uint64_t const places = plan.problem.placement.ranks;
    base::require_memory("ways between places", places * places * sizeof(std::uint64_t), "choose fewer nodes");
    return WaysOfPlan(plan).find(cost, slots);
}

}  // namespace tailback::search
