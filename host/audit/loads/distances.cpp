#include "host/audit/loads/distances.hpp"

#include "host/base/memory.hpp"
#include "host/base/numbers.hpp"
#include "host/io/progress.hpp"
#include "host/model/routes/ip_plan.hpp"
#include "kernels/audit/audit_problem.hpp"
#include "kernels/cpu/machine/stop.hpp"
#include "kernels/cpu/machine/threads.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <stdexcept>

namespace tailback::audit {
namespace {

/// Rows by the row they lead to.
struct Predecessors {
    std::vector<std::uint32_t> first, rows;

    explicit Predecessors(kernels::ForwardingView const& f) : first(f.rows + 1) {
        auto const each_edge = [&](auto visit) {
            for (std::uint32_t row = 0; row < f.rows; ++row)
                for (std::uint32_t port = 1; port < f.ports; ++port)
                    if (std::uint32_t const to = row_behind(f, row, port); to != kernels::no_row) visit(row, to);
        };
        each_edge([&](std::uint32_t, std::uint32_t to) { ++first[to + 1]; });
        for (std::uint32_t row = 0; row < f.rows; ++row) first[row + 1] += first[row];
        rows.resize(first.back());
        std::vector<std::uint32_t> at(first.begin(), first.end() - 1);
        each_edge([&](std::uint32_t row, std::uint32_t to) { rows[at[to]++] = row; });
    }
    static std::uint32_t row_behind(kernels::ForwardingView const& f, std::uint32_t row, std::uint32_t port) {
        kernels::Target const target = f.targets[std::size_t{row} * f.ports + port];
        if (target < kernels::arrival_bit) return target;
        return target >= kernels::foreign_port ? kernels::no_row : f.row_of_arrival[target & ~kernels::arrival_bit];
    }
};

/// The rows from which one link leads to an arrival, by arrival.
std::vector<std::vector<std::uint32_t>> last_rows(kernels::ForwardingView const& f, std::size_t arrivals) {
    std::vector<std::vector<std::uint32_t>> last(arrivals);
    for (std::uint32_t row = 0; row < f.rows; ++row)
        for (std::uint32_t port = 1; port < f.ports; ++port) {
            kernels::Target const target = f.targets[std::size_t{row} * f.ports + port];
            if (target < kernels::arrival_bit || target >= kernels::foreign_port) continue;
            auto& rows = last[target & ~kernels::arrival_bit];
            if (rows.empty() || rows.back() != row) rows.push_back(row);
        }
    return last;
}

/// Fills [group][row]; false when some way has more links than Entry can tell from none.
template <class Entry>
bool search(kernels::ForwardingView const& f, Predecessors const& before,
            std::vector<std::vector<std::uint32_t> const*> const& starts, unsigned threads, std::vector<Entry>& found) {
    constexpr Entry none = Entry(~Entry{0});
    base::require_memory("the lengths of the shortest paths from " + base::counted(f.rows, "switch", "switches") +
                             " to " + base::counted(starts.size(), "place", "places"),
                         starts.size() * std::uint64_t{f.rows} * sizeof(Entry), "audit some of the hosts (--hosts)");
    found.assign(starts.size() * f.rows, none);
    std::atomic<bool> all_fit = true;
    kernels::NextOf next(starts.size(), 64);
    io::Progress progress("finding the shortest paths", starts.size(), "switches");
    auto const stop = kernels::StopWish::now();
    auto const search_from = [&](std::size_t first) {
        std::vector<std::uint64_t> seen(f.rows), fresh(f.rows), coming(f.rows);
        std::size_t const groups = std::min<std::size_t>(64, starts.size() - first);
        bool fits = true;
        for (std::size_t g = 0; g < groups; ++g)
            for (std::uint32_t const row : *starts[first + g]) coming[row] |= std::uint64_t{1} << g;
        for (std::uint32_t links = 1; fits; ++links) {
            bool any = false;
            for (std::uint32_t row = 0; row < f.rows; ++row) {
                fresh[row] = coming[row] & ~seen[row];
                seen[row] |= coming[row];
                coming[row] = 0;
                any |= fresh[row] != 0;
                for (std::uint64_t bits = fresh[row]; bits != 0; bits &= bits - 1) {
                    auto const g = first + static_cast<std::size_t>(__builtin_ctzll(bits));
                    found[g * f.rows + row] = static_cast<Entry>(std::min<std::uint32_t>(links, none));
                }
            }
            if (!any) break;
            fits = fits && (links < none || sizeof(Entry) > 1);
            for (std::uint32_t row = 0; row < f.rows; ++row) {
                if (fresh[row] == 0) continue;
                for (std::uint32_t k = before.first[row]; k < before.first[row + 1]; ++k)
                    coming[before.rows[k]] |= fresh[row];
            }
        }
        if (!fits) all_fit = false;
    };
    kernels::in_threads(threads, [&] {
        for (std::size_t first; next.take(first) && !stop.asked(); progress.add(64)) search_from(first);
    });
    stop.heed();
    return all_fit;
}

/// The rows at whose cables a host has its address; none in fabrics without addresses.
std::vector<std::uint32_t> rows_of_address(model::Forwarding const& forwarding, model::Host host) {
    model::Fabric const& fabric = forwarding.fabric();
    std::vector<std::uint32_t> rows;
    if (fabric.ip == nullptr || fabric.ip->address[host.value] == 0) return rows;
    for (model::Host const other : fabric.network.hosts_of(fabric.network[host].node)) {
        model::Link const up = fabric.network.up_link(other);
        if (!up.exists() || fabric.ip->address[other.value] != fabric.ip->address[host.value]) continue;
        std::uint32_t const row = forwarding.row_of(fabric.network[up].to);
        if (row != kernels::no_row) rows.push_back(row);
    }
    std::ranges::sort(rows);
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    return rows;
}

}  // namespace

Distances find_distances(model::Forwarding const& forwarding, std::span<model::Destination const> destinations,
                         unsigned threads) {
    kernels::ForwardingView const& f = forwarding.view();
    std::size_t const arrivals = forwarding.fabric().network.hosts().size();
    auto const last = last_rows(f, arrivals);
    Predecessors const before(f);

    Distances found;
    found.group_of_host.assign(arrivals, kernels::no_row);
    std::map<std::vector<std::uint32_t>, std::uint32_t> group_of;
    std::vector<std::vector<std::uint32_t> const*> starts;
    for (model::Destination const& destination : destinations) {
        std::uint32_t& group = found.group_of_host[destination.host.value];
        if (group != kernels::no_row) continue;
        std::vector<std::uint32_t> rows = rows_of_address(forwarding, destination.host);
        if (rows.empty()) rows = last[forwarding.arrival_of(destination.host)];
        auto const [at, is_new] = group_of.emplace(std::move(rows), static_cast<std::uint32_t>(starts.size()));
        if (is_new) starts.push_back(&at->first);
        group = at->second;
    }
    found.groups = static_cast<std::uint32_t>(starts.size());
    if (!search(f, before, starts, threads, found.links8)) {
        found.links8 = {};
        search(f, before, starts, threads, found.links16);
    }
    return found;
}

}  // namespace tailback::audit
