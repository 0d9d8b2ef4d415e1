// From the form routes are stored in, known at run time, to the type kernels are compiled for.
#pragma once

#include "kernels/evaluate/regular_routes.hpp"
#include "kernels/evaluate/routes.hpp"

#include <stdexcept>

namespace tailback::kernels {

/// Widths of packed rows that kernels exist for; host/study/plan/study_plan pads to the next of them.
inline constexpr std::uint32_t row_widths16[] = {2, 4, 8, 16};
inline constexpr std::uint32_t row_widths32[] = {4, 16};
/// The same for routes that depend on the source, which have no other form to give way to.
inline constexpr std::uint32_t pair_row_widths16[] = {2, 4, 8, 16, 32};

/// Calls run(routes) with the problem's routes in their own type.
template <class Run>
void with_routes(Problem const& p, Run&& run) {
    switch (p.routes.form) {
        case RouteForm::rows16:
            switch (p.routes.row_width) {
                case 2: return run(RouteRows<std::uint16_t, 2>(p));
                case 4: return run(RouteRows<std::uint16_t, 4>(p));
                case 8: return run(RouteRows<std::uint16_t, 8>(p));
                case 16: return run(RouteRows<std::uint16_t, 16>(p));
                case 32: return run(RouteRows<std::uint16_t, 32>(p));
            }
            break;
        case RouteForm::rows32:
            switch (p.routes.row_width) {
                case 4: return run(RouteRows<std::uint32_t, 4>(p));
                case 16: return run(RouteRows<std::uint32_t, 16>(p));
            }
            break;
        case RouteForm::steps: return run(RouteSteps(p));
        case RouteForm::torus: return run(ComputedRoutes<TorusFormula>(p));
        case RouteForm::tree:  // up to 2 (height - 1) links
            if (p.routes.formula.tree.height <= 4) return run(RememberedRoutes<TreeFormula, 6>(p));
            return run(ComputedRoutes<TreeFormula>(p));
        case RouteForm::dragonfly: return run(RememberedRoutes<DragonflyFormula, 3>(p));
        case RouteForm::torus_by_middle: return run(ComputedRoutes<TorusByMiddle>(p));
        case RouteForm::dragonfly_by_middle: return run(RememberedRoutes<DragonflyByMiddle, 6>(p));
        case RouteForm::hyperx:
            if (p.routes.formula.hyperx.dimensions <= 4) return run(RememberedRoutes<HyperxFormula, 4>(p));
            return run(ComputedRoutes<HyperxFormula>(p));
    }
    throw std::logic_error("no kernel for rows of this width");
}

/// True when the fast body applies: unit costs, every pair delivered, host links known from the pattern, a node for
/// every rank, a route for every pair.
inline bool is_plain(Problem const& p) {
    return p.routes.all_delivered && p.routes.cost == nullptr && !p.measures.count_host_links &&
           p.placement.nodes.node == nullptr && !p.routes.lids.are_several();
}

}  // namespace tailback::kernels
