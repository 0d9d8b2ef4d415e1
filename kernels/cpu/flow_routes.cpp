#include "kernels/cpu/flow_routes.hpp"

#include "kernels/cpu/machine/prefetch.hpp"
#include "kernels/cpu/machine/stop.hpp"
#include "kernels/evaluate/dispatch.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>

namespace tailback::kernels {
namespace {

/// Of the rows that routes come in; 0 where they have none, or such that are mostly padding.
template <class Routes>
constexpr std::uint32_t places_of() {
    std::uint32_t places = 0;
    if constexpr (requires { Routes::links_a_word; }) places = Routes::words * Routes::links_a_word;
    else if constexpr (Routes::pads) places = std::extent_v<decltype(Routes::Kept::slot)>;
    return places + 2 <= LocalBottlenecks::most_places ? places : 0;
}

template <class Routes>
class FinderBy final : public FlowRouteFinder {
public:
    FinderBy(Problem const& p, Routes const& routes, std::unique_ptr<stages::LevelRows> level_rows)
        : p_(p), routes_(routes), level_rows_(std::move(level_rows)) {}
    RoutesOfFlows find(std::uint64_t m, PlacedFlows const& placed, std::span<LevelView const> levels) override {
        lists_.begin(levels);
        CpuTeam team;
        Flows const flows{team, p_, routes_, placed, none_, lid_draw(p_.routes.lids, m)};
        for (LevelView const& level : levels) {
            ask_for(flows, level);
            kernel::each_flow(team, p_, level, placed, [&](RankFlow const& flow) {
                if (!flows.is_within_node(flow))
                    keep(level.routes_before + flow.number, flows.look_up(flow, flows.lid_of(level, flow)));
            });
        }
        return lists_.routes();
    }
    bool goes_by_level() const override { return p_.routes.lids.are_several(); }
    std::optional<MappingTally> list(std::uint64_t m, PlacedFlows const& placed, LevelView const& level,
                                     bool with_host_links, LocalBottlenecks& to) override {
        if (p_.routes.lids.are_several()) return std::nullopt;
        if (level_rows_ && !with_host_links && stages::LevelRows::can_hold(level)) {
            to.take_rows(*level_rows_);
            return level_rows_->find(m, placed.host_index_of_rank, placed.drawn, level);
        }
        if (is_plain(p_))
            return with_host_links ? list_by<true, true>(placed, level, to) : list_by<true, false>(placed, level, to);
        return with_host_links ? list_by<false, true>(placed, level, to) : list_by<false, false>(placed, level, to);
    }

private:
    using Flows = kernel::Evaluation<false, Routes, CpuTeam, PlacedFlows>;

    /// Keeps the links of a level's flows as lists.
    class ListsOf {
    public:
        explicit ListsOf(LocalBottlenecks& to) : to_(to) {}
        void begin_route() { to_.add_flow(); }
        void put(std::uint32_t, std::uint32_t slot, std::uint32_t padding) {
            if (slot != padding) to_.add_link(slot);
        }
        void end_row() {}

    private:
        LocalBottlenecks& to_;
    };
    template <bool plain, bool with_host_links>
    MappingTally list_by(PlacedFlows const& placed, LevelView const& level, LocalBottlenecks& to) {
        constexpr std::uint32_t heeded = 4096;  // flows between two looks
        constexpr std::uint32_t in_row = places_of<Routes>(), places = in_row == 0 ? 0 : in_row + 2 * with_host_links;
        StopWish const stop = StopWish::held();
        CpuTeam team;
        kernel::Evaluation<plain, Routes, CpuTeam, PlacedFlows> flows{team, p_, routes_, placed, none_};
        ask_for(Flows{team, p_, routes_, placed, none_}, level);
        to.begin_level(level.routes_to_keep, places);
        std::conditional_t<places == 0, ListsOf, LocalBottlenecks::Rows<std::max(places, 1u)>> rows(to);
        std::uint32_t const padding = p_.routes.inner;
        auto const list = [&](RankFlow const& flow) __attribute__((always_inline)) {
            if (flow.number % heeded == 0) stop.heed();
            if (flows.is_within_node(flow)) {
                ++flows.tally.within_nodes;
                return;
            }
            typename Routes::Kept const route = flows.look_up(flow);
            if (!flows.note_fate(flows.fate(route))) return;
            std::uint32_t place = 0;
            auto const put = [&](std::uint32_t slot) { rows.put(place++, slot, padding); };
            if constexpr (places == 0) rows.begin_route();
            if constexpr (with_host_links) flows.each_host_link(flow, put);
            routes_.each(route, put);
            rows.end_row();
        };
        flows.tally.local += kernel::each_flow(team, p_, level, placed, list);
        return flows.tally;
    }
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
    std::unique_ptr<stages::LevelRows> level_rows_;  ///< null: there are no such rows
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
    stages::MakeLevelRows const make_rows = stages::level_rows_maker(problem);
    with_routes(problem, [&]<class Routes>(Routes const& routes) {
        make = [&problem, routes, make_rows] {
            return std::make_unique<FinderBy<Routes>>(problem, routes, make_rows());
        };
    });
    return make;
}

MakeFinder flow_route_finder(FoundRoutes const& routes) {
    return [&routes] { return std::make_unique<FinderBefore>(routes); };
}

}  // namespace tailback::kernels
