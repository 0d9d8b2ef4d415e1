// Shifts one after the other over packed routes: the next shift reads nearly the rows of the last one, from the cache.
#include "host/audit/worst_case/worst_shift.hpp"

#include "host/model/pack/route_store.hpp"
#include "host/model/routes/trace.hpp"
#include "kernels/cpu/machine/stop.hpp"
#include "kernels/cpu/machine/threads.hpp"
#include "kernels/evaluate/dispatch.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>

namespace tailback::audit {
namespace {

/// Flows on the most loaded link of shift k. `loads`: zero for all slots, and left so.
template <class Routes>
std::uint32_t largest_load(kernels::Problem const& problem, Routes const& routes, std::uint32_t k,
                           std::vector<std::uint32_t>& loads) {
    std::uint32_t const n = problem.placement.study_hosts;
    bool any = false;
    auto const send = [&](std::uint32_t s, std::uint32_t d) {
        auto const route = routes.find(problem.routes.group[s], d);
        if (routes.fate(route) != 0) return;
        any = true;
        routes.each(route, [&](std::uint32_t slot) { ++loads[slot]; });
    };
    for (std::uint32_t s = 0; s < n - k; ++s) send(s, s + k);
    for (std::uint32_t s = n - k; s < n; ++s) send(s, s + k - n);
    std::uint32_t most = any ? 1 : 0;  // links of hosts that are not stored carry one flow each
    for (std::uint32_t slot = 0; slot < problem.routes.inner; ++slot) most = std::max(most, loads[slot]);
    std::fill(loads.begin(), loads.end(), 0);
    return most;
}

/// The first link with so many flows in shift k, found by walking.
model::Link first_link(model::Fabric const& fabric, std::vector<model::Host> const& order, std::uint32_t k,
                       std::uint32_t load) {
    model::Network const& net = fabric.network;
    std::vector<std::uint32_t> loads(net.links().size());
    for (std::size_t s = 0; s < order.size(); ++s) {
        model::Host const destination = order[(s + k) % order.size()];
        if (net[destination].lid == 0 || net.owner(net[destination].lid).host != destination) continue;
        model::Route const route = model::trace_from_host(fabric, order[s], net[destination].lid);
        if (route.fate != model::Fate::delivered) continue;
        for (model::Link const link : route.links) ++loads[link.value];
    }
    auto const at = std::find(loads.begin(), loads.end(), load);
    return at == loads.end() ? model::Link{} : model::Link{std::size_t(at - loads.begin())};
}

}  // namespace

std::uint64_t ShiftLoads::without_contention() const {
    return std::uint64_t(std::count_if(largest.begin(), largest.end(), [](std::uint32_t load) { return load <= 1; })) -
           (largest.empty() ? 0 : 1);
}

ShiftLoads all_shift_loads(model::Fabric const& fabric, std::vector<model::Host> const& order, unsigned threads,
                           std::function<void(std::uint64_t done)> const& progress) {
    ShiftLoads result;
    result.largest.assign(order.size(), 0);
    if (order.size() < 2) return result;
    model::RouteStore const store = model::pack_routes(fabric, order, model::LinkCosts{}, std::size_t{4} << 30);
    kernels::Problem problem;
    problem.placement.study_hosts = static_cast<std::uint32_t>(order.size());
    store.describe(problem);

    threads = kernels::threads_to_use(threads);
    constexpr std::size_t at_once = 64;
    std::size_t const shifts = order.size();
    kernels::NextOf next(shifts, at_once);
    std::uint64_t done = 0;
    std::mutex telling;
    auto const stop = kernels::StopWish::now();
    kernels::with_routes(problem, [&](auto const& routes) {
        kernels::in_threads(threads, [&] {
            std::vector<std::uint32_t> loads(problem.routes.slots);
            for (std::size_t first; next.take(first) && !stop.asked();) {
                std::size_t const end = std::min(shifts, first + at_once);
                for (std::size_t k = std::max<std::size_t>(1, first); k < end; ++k)
                    result.largest[k] = largest_load(problem, routes, static_cast<std::uint32_t>(k), loads);
                if (!progress) continue;
                std::lock_guard const lock(telling);
                progress(done += end - first);
            }
        });
    });
    stop.heed();
    auto const worst = std::max_element(result.largest.begin(), result.largest.end());
    result.worst_load = *worst;
    if (result.worst_load == 0) return result;
    result.worst_shift = static_cast<std::uint32_t>(worst - result.largest.begin());
    result.worst_link = first_link(fabric, order, result.worst_shift, result.worst_load);
    return result;
}

}  // namespace tailback::audit
