#include "kernels/cpu/flow_routes.hpp"

#include "kernels/cpu/machine/prefetch.hpp"
#include "kernels/evaluate/dispatch.hpp"

namespace tailback::kernels {
namespace {

template <class Routes>
class FinderBy final : public FlowRouteFinder {
public:
    FinderBy(Problem const& p, Routes const& routes) : p_(p), routes_(routes) {}
    RoutesOfFlows find(std::uint64_t, PlacedFlows const& placed, std::span<LevelView const> levels) override {
        lists_.begin(levels);
        CpuTeam team;
        Flows const flows{team, p_, routes_, placed, none_};
        for (LevelView const& level : levels) {
            ask_for(flows, level);
            kernel::each_flow(team, p_, level, placed, [&](RankFlow const& flow) {
                if (!flows.is_within_node(flow)) keep(level.routes_before + flow.number, flows.look_up(flow));
            });
        }
        return lists_.routes();
    }

private:
    using Flows = kernel::Evaluation<false, Routes, CpuTeam, PlacedFlows>;

    void keep(std::uint64_t place, typename Routes::Kept const& route) {
        lists_.begin_route();
        if (std::uint32_t const fate = p_.routes.all_delivered ? 0 : routes_.fate(route); fate != 0)
            return lists_.end_route(place, fate);
        routes_.each(route, [&](std::uint32_t slot) {
            if (slot != p_.routes.inner) lists_.add(slot);
        });
        lists_.end_route(place);
    }
    /// Rows are far apart: all of them are asked for first.
    void ask_for(Flows const& flows, LevelView const& level) const {
        if constexpr (requires { routes_.place(0u, 0u); })
            if (p_.routes.exceed_cache)
                kernel::each_flow(flows.team, p_, level, flows.s, [&](RankFlow const& flow) {
                    prefetch(routes_.place(p_.routes.group[flows.source_of(flow).value],
                                           flows.host_of(flow.destination).value));
                });
    }

    Problem const& p_;
    Routes routes_;
    TotalsView none_{};
    RouteLists lists_;
};

class FinderBefore final : public FlowRouteFinder {
public:
    explicit FinderBefore(FoundRoutes const& found) : found_(found) {}
    RoutesOfFlows find(std::uint64_t m, PlacedFlows const&, std::span<LevelView const>) override {
        return {found_.of_mapping(m), 0};
    }

private:
    FoundRoutes const& found_;
};

}  // namespace

MakeFinder flow_route_finder(Problem const& problem) {
    MakeFinder make;
    with_routes(problem, [&]<class Routes>(Routes const& routes) {
        make = [&problem, routes] { return std::make_unique<FinderBy<Routes>>(problem, routes); };
    });
    return make;
}

MakeFinder flow_route_finder(FoundRoutes const& routes) {
    return [&routes] { return std::make_unique<FinderBefore>(routes); };
}

}  // namespace tailback::kernels
