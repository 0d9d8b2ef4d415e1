#include "kernels/cpu/flow_routes.hpp"

#include "kernels/cpu/fast/prefetch.hpp"
#include "kernels/evaluate/dispatch.hpp"

#include <vector>

namespace tailback::kernels {
namespace {

template <class Routes>
class FinderBy final : public FlowRouteFinder {
public:
    FinderBy(Problem const& p, Routes const& routes) : p_(p), routes_(routes) {}
    RoutesOfFlows find(std::uint64_t, PlacedFlows const& placed, std::span<LevelView const> levels) override {
        std::uint64_t const first = levels.front().routes_before;
        std::size_t const count = levels.back().routes_before - first + levels.back().routes_to_keep;
        words_.assign(1, 0);  // the route without links
        first_word_.assign(count, 0);
        of_flow_.resize(count);
        CpuTeam team;
        Flows const flows{team, p_, routes_, placed, none_};
        for (LevelView const& level : levels) {
            ask_for(flows, level);
            kernel::each_flow(team, p_, level, placed, [&](RankFlow const& flow) {
                if (!flows.is_within_node(flow))
                    first_word_[level.routes_before - first + flow.number] = keep(flows.look_up(flow));
            });
        }
        for (std::size_t f = 0; f < of_flow_.size(); ++f)
            of_flow_[f] = first_word_[f] <= last_code ? words_.data() + first_word_[f]
                                                      : FoundRoutes::failed(first_word_[f] - last_code);
        return {of_flow_.data(), first};
    }

private:
    using Flows = kernel::Evaluation<false, Routes, CpuTeam, PlacedFlows>;
    /// Above it: fates 1..3.
    static constexpr std::uint64_t last_code = ~std::uint64_t{0} - 3;

    /// Where the route begins: its length, then its links. Or the fate of a pair without.
    std::uint64_t keep(typename Routes::Kept const& route) {
        std::uint32_t const fate = p_.routes.all_delivered ? 0 : routes_.fate(route);
        if (fate != 0) return last_code + fate;
        std::size_t const first = words_.size();
        words_.push_back(0);
        routes_.each(route, [&](std::uint32_t slot) {
            if (slot != p_.routes.inner) words_.push_back(slot);
        });
        words_[first] = static_cast<std::uint32_t>(words_.size() - first - 1);
        return first;
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
    std::vector<std::uint32_t> words_;
    std::vector<std::uint64_t> first_word_;  ///< by flow: see keep; 0 for those without a link
    std::vector<std::uint32_t const*> of_flow_;
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
