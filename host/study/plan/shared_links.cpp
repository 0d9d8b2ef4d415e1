#include "host/study/plan/shared_links.hpp"

#include "host/base/memory.hpp"
#include "kernels/cpu/machine/stop.hpp"
#include "kernels/cpu/machine/threads.hpp"
#include "kernels/evaluate/dispatch.hpp"
#include "kernels/evaluate/load_bound.hpp"

#include <algorithm>

namespace tailback::study {
namespace {

constexpr std::uint32_t nobody = 0xFFFFFFFF, several = 0xFFFFFFFE;

/// Who meets it: nobody, one (by number), or several.
void note(std::uint32_t& who, std::uint32_t one) {
    if (who != one) who = who == nobody ? one : several;
}
void join(std::vector<std::uint32_t>& all, std::vector<std::uint32_t> const& more) {
    for (std::size_t slot = 0; slot < all.size(); ++slot)
        if (more[slot] != nobody) note(all[slot], more[slot]);
}

/// By slot: the one seat whose packets go over it, if it is one; likewise of those they go to.
struct LoneUsers {
    explicit LoneUsers(std::uint32_t slots) : source(slots, nobody), destination(slots, nobody) {}
    std::vector<std::uint32_t> source, destination;
};

template <class Routes>
LoneUsers lone_users_of(kernels::Problem const& p, Routes const& routes) {
    std::vector<std::uint32_t> seat_of_group(p.routes.groups, nobody);
    for (std::uint32_t host_index = 0; host_index < p.placement.study_hosts; ++host_index)
        note(seat_of_group[p.routes.group[host_index]], host_index);
    LoneUsers users(p.routes.inner);
    auto const stop = kernels::StopWish::now();
    std::mutex joining;
    kernels::NextOf next(p.routes.groups);
    kernels::in_threads(0, [&] {
        LoneUsers mine(p.routes.inner);
        for (std::size_t g; next.take(g);) {
            std::uint32_t const source = seat_of_group[g];
            if (source == nobody || stop.asked()) continue;
            for (std::uint32_t d = 0; d < p.placement.study_hosts; ++d)
                routes.each(routes.find(static_cast<std::uint32_t>(g), d), [&](std::uint32_t slot) {
                    if (slot >= p.routes.inner) return;
                    note(mine.source[slot], source);
                    note(mine.destination[slot], d);
                });
        }
        std::lock_guard const lock(joining);
        join(users.source, mine.source);
        join(users.destination, mine.destination);
    });
    stop.heed();
    return users;
}

template <class Routes>
std::optional<model::RouteStore> keep_links_of(model::RouteStore const& full, kernels::Problem const& p,
                                               kernels::RankDegrees const& degrees, Routes const& routes) {
    LoneUsers const users = lone_users_of(p, routes);
    model::RouteStore kept;
    std::vector<std::uint32_t> slot_of(std::size_t{p.routes.inner} + 4, nobody);  // also of the padding
    for (std::uint32_t slot = 0; slot < p.routes.inner; ++slot) {
        if ((degrees.in <= 1 && users.destination[slot] != several) ||
            (degrees.out <= 1 && users.source[slot] != several))
            continue;
        slot_of[slot] = static_cast<std::uint32_t>(kept.link_of_index.size());
        kept.link_of_index.push_back(full.link_of_index[slot]);
    }
    kept.inner = static_cast<std::uint32_t>(kept.link_of_index.size());
    if (kept.inner == p.routes.inner) return {};

    for (std::uint32_t code = 1; code < 4; ++code) slot_of[p.routes.inner + code] = kept.inner + code;

    std::vector<std::uint32_t> host_indices_of_group(p.routes.groups);
    for (std::uint32_t host_index = 0; host_index < p.placement.study_hosts; ++host_index)
        ++host_indices_of_group[p.routes.group[host_index]];
    std::uint32_t longest = 0;
    std::uint64_t links = 0, delivered = 0;
    auto const groups = std::int64_t{p.routes.groups};
    auto const stop = kernels::StopWish::now();
#pragma omp parallel for schedule(static) reduction(max : longest) reduction(+ : links, delivered)
    for (std::int64_t g = 0; g < groups; ++g)
        for (std::uint32_t d = 0; d < p.placement.study_hosts && !stop.asked(); ++d) {
            auto const route = routes.find(static_cast<std::uint32_t>(g), d);
            if (routes.fate(route) != 0) continue;
            std::uint32_t length = 0;
            routes.each(route, [&](std::uint32_t slot) { length += slot_of[slot] != nobody; });
            std::uint64_t const pairs = host_indices_of_group[std::size_t(g)] - (p.routes.group[d] == g);
            longest = std::max(longest, length);
            links += length * pairs;
            delivered += pairs;
        }
    stop.heed();
    kept.sum_up(delivered, std::uint64_t{p.placement.study_hosts} * (p.placement.study_hosts - 1) - delivered, links,
                longest);
    std::size_t const row_bytes = kept.choose_rows(kernels::pair_row_widths16, kernels::row_widths32),
                      rows = std::size_t{p.routes.groups} * p.placement.study_hosts;
    if (row_bytes == 0 || rows * row_bytes >= full.rows.size()) return {};
    if (std::optional<std::uint64_t> const left = base::available_memory(); left && rows * row_bytes > *left / 2)
        return {};

    kept.groups = full.groups;
    kept.group = full.group;
    kept.host_links_implied = true;
    kept.rows = kernels::HugeBuffer(rows * row_bytes);
    kernels::NextOf next(p.routes.groups);
    kernels::in_threads(0, [&] {
        std::vector<std::uint32_t> route(kept.row_width);
        for (std::size_t g; next.take(g);)
            for (std::uint32_t d = 0; d < p.placement.study_hosts && !stop.asked(); ++d) {
                std::fill(route.begin(), route.end(), kept.inner);
                std::size_t used = 0;
                routes.each(routes.find(static_cast<std::uint32_t>(g), d), [&](std::uint32_t slot) {
                    if (slot_of[slot] != nobody) route[used++] = slot_of[slot];
                });
                kept.put_row(g * p.placement.study_hosts + d, route);
            }
    });
    stop.heed();
    kept.find_sums();
    kept.link_of_index.insert(kept.link_of_index.end(), full.link_of_index.begin() + full.inner,
                              full.link_of_index.end());
    kept.slots = static_cast<std::uint32_t>(kept.link_of_index.size());
    return kept;
}

}  // namespace

std::optional<model::RouteStore> keep_shared_links(model::RouteStore const& full, kernels::Problem const& problem) {
    kernels::RankDegrees const degrees = kernels::most_flows_of_a_rank(problem);
    std::optional<model::RouteStore> kept;
    if (degrees.out > 1 && degrees.in > 1) return kept;
    kernels::with_routes(problem, [&]<class Routes>(Routes const& routes) {
        if constexpr (Routes::pads && Routes::stored) kept = keep_links_of(full, problem, degrees, routes);
    });
    return kept;
}

}  // namespace tailback::study
