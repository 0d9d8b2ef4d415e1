// The audit on the CPU: OpenMP over runs of LIDs whose columns of the tables fit the cache, one team of one thread
// each.
#include "kernels/audit/audit_body.hpp"
#include "kernels/audit_executor.hpp"
#include "kernels/cpu/fast/team.hpp"
#include "kernels/cpu/machine/stop.hpp"
#include "kernels/cpu/machine/threads.hpp"

#include <algorithm>
#include <cstring>

namespace tailback::kernels {

AuditSums::AuditSums(AuditView const& view, bool with_turns) {
    ForwardingView const& f = view.forwarding;
    std::size_t const slots = std::size_t{f.rows} * f.ports;
    hops.resize(std::size_t{f.rows} + 2 + near_links);
    bool const wants_distances = view.distances8 != nullptr || view.distances16 != nullptr;
    excess.resize(wants_distances ? std::size_t{f.rows} + 2 : 0);
    load.resize(slots);
    destinations.resize(slots);
    reached.resize(f.rows);
    detours.resize(wants_distances ? f.rows : 0);
    wrong_turns.resize(view.directions != nullptr ? f.rows : 0);
    bool const wants_turns = with_turns && (view.in_port8 != nullptr || view.in_port16 != nullptr);
    turns.resize(wants_turns ? slots * view.turn_words : 0);
}

AuditTotals AuditSums::view() {
    return {hops.data(),    excess.data(),  load.data(),        destinations.data(),
            reached.data(), detours.data(), wrong_turns.data(), turns.empty() ? nullptr : turns.data()};
}

void AuditSums::add(AuditSums const& other) {
    auto const plus = [](std::vector<std::uint64_t>& to, std::vector<std::uint64_t> const& from) {
        for (std::size_t i = 0; i < from.size(); ++i) to[i] += from[i];
    };
    plus(hops, other.hops);
    plus(excess, other.excess);
    plus(load, other.load);
    plus(destinations, other.destinations);
    plus(reached, other.reached);
    plus(detours, other.detours);
    plus(wrong_turns, other.wrong_turns);
}

namespace {

/// LIDs of one run: as wide as a cache line of a table's row.
constexpr std::uint32_t run_of_lids = 64;

struct Run {
    std::size_t first, last;  ///< destinations [first, last)
};

std::vector<Run> runs_of(std::span<AuditDestination const> destinations) {
    std::vector<Run> runs;
    for (std::size_t i = 0; i < destinations.size();) {
        std::uint32_t const end = destinations[i].lid / run_of_lids * run_of_lids + run_of_lids;
        std::size_t last = i;
        while (last < destinations.size() && destinations[last].lid < end) ++last;
        runs.push_back({i, last});
        i = last;
    }
    return runs;
}

template <class Entry>
void run_audit(AuditView const& view, AuditTables const& tables, std::span<AuditDestination const> destinations,
               std::span<AuditTally> tallies, AuditSums& sums, unsigned threads) {
    std::vector<Run> const runs = runs_of(destinations);
    std::size_t const rows = view.forwarding.rows;
    threads = static_cast<unsigned>(std::clamp<std::size_t>(runs.size(), 1, threads));
    StopWish const stop = StopWish::now();
    std::vector<AuditSums> of_others(threads);  // added up when the first thread, which counts in `sums`, has ended
    NextOf next(runs.size());
    in_threads(threads, [&] {
        bool const first_thread = this_thread() == 0;  // counts in `sums` itself: one copy fewer
        AuditSums& own = of_others[std::size_t(this_thread())];
        if (!first_thread) own = AuditSums(view, false);
        AuditScratch scratch;
        std::vector<std::uint64_t> memory((scratch.lay_out(view.forwarding.rows, nullptr) + 7) / 8);
        scratch.lay_out(view.forwarding.rows, reinterpret_cast<std::byte*>(memory.data()));
        std::vector<Entry> columns(run_of_lids * rows);
        AuditTotals totals = first_thread ? sums.view() : own.view();
        totals.turns = sums.view().turns;  // bits that all set
        CpuTeam team;
        for (std::size_t r; next.take(r) && !stop.asked();) {
            Run const run = runs[r];
            std::uint32_t const first = destinations[run.first].lid;
            tables.columns(first, destinations[run.last - 1].lid - first + 1, columns.data());
            for (std::size_t i = run.first; i < run.last; ++i) {
                Entry const* const column = columns.data() + (destinations[i].lid - first) * rows;
                tallies[i] = audit_destination(team, view, column, destinations[i], scratch, totals);
            }
            if (tables.audited != nullptr) tables.audited->fetch_add(run.last - run.first, std::memory_order_relaxed);
        }
    });
    for (std::size_t t = 1; t < of_others.size(); ++t)
        if (!of_others[t].load.empty()) sums.add(of_others[t]);
    stop.heed();
}

}  // namespace

void audit_on_cpu(AuditView const& view, AuditTables const& tables, std::span<AuditDestination const> destinations,
                  std::span<AuditTally> tallies, AuditSums& sums, unsigned threads) {
    threads = threads_to_use(threads);
    if (tables.wide) run_audit<std::uint16_t>(view, tables, destinations, tallies, sums, threads);
    else run_audit<std::uint8_t>(view, tables, destinations, tallies, sums, threads);
}

}  // namespace tailback::kernels
