// Routes packed by OpenMP threads, a tile of destinations at a time.
#include "kernels/route_packer.hpp"

#include "kernels/cpu/fast/team.hpp"
#include "kernels/cpu/machine/stop.hpp"
#include "kernels/routes/step_column.hpp"

#include <algorithm>

namespace tailback::kernels {
namespace {

/// Destinations whose steps lie in one line of memory.
constexpr std::uint32_t columns_at_once = 16;

template <class Entry>
class CpuRoutePacker final : public RoutePacker {
public:
    explicit CpuRoutePacker(PackProblem const& p)
        : view_(p.view), tables_{static_cast<Entry const*>(p.entries), p.table_of_row, p.lids}, walked_(p.walked) {}

    PairSums look(std::uint32_t step) override {
        PairBlock const all{.count = (view_.destination_count + step - 1) / step, .step = step};
        return walk_tiles(all, destinations_a_tile, RowsOut<std::uint16_t>{});
    }
    PairSums pack_rows(std::byte* rows, std::uint32_t width, bool slots32) override {
        if (slots32) return walk_all(RowsOut<std::uint32_t>{reinterpret_cast<std::uint32_t*>(rows), width});
        return walk_all(RowsOut<std::uint16_t>{reinterpret_cast<std::uint16_t*>(rows), width});
    }
    void pack_steps(std::uint32_t* steps) override {
        auto const tiles = std::int64_t{(view_.destination_count + columns_at_once - 1) / columns_at_once};
        StopWish const stop = StopWish::now();
#pragma omp parallel
        {
            std::vector<std::uint8_t> ends(view_.forwarding.rows);
            std::vector<std::uint32_t> way(view_.forwarding.rows);
            StepColumn<Entry> const column{view_, tables_, ends.data(), 1, way.data(), 1};
#pragma omp for schedule(dynamic, 1)
            for (std::int64_t t = 0; t < tiles; ++t) {
                auto const first = static_cast<std::uint32_t>(t) * columns_at_once,
                           end = std::min(first + columns_at_once, view_.destination_count);
                for (std::uint32_t d = first; d < end && !stop.asked(); ++d) column.pack(d, steps);
                if (walked_ != nullptr) walked_->fetch_add(end - first, std::memory_order_relaxed);
            }
        }
        stop.heed();
    }

private:
    template <class LinkWord>
    PairSums walk_all(RowsOut<LinkWord> const& out) {
        return walk_tiles({.count = view_.destination_count}, destinations_a_tile, out);
    }
    /// All groups to a tile of the destinations, then to the next: so the tables' entries stay in the caches.
    template <class LinkWord>
    PairSums walk_tiles(PairBlock const& all, std::uint32_t tile, RowsOut<LinkWord> const& out) {
        PairSums sums;
        auto const tiles = std::int64_t{(all.count + tile - 1) / tile};
        StopWish const stop = StopWish::now();
#pragma omp parallel
        {
            PairSums mine;
#pragma omp for schedule(dynamic, 1)
            for (std::int64_t t = 0; t < tiles; ++t) {
                PairBlock pairs = all;
                pairs.first = static_cast<std::uint32_t>(t) * tile * all.step;
                pairs.count = std::min(tile, all.count - static_cast<std::uint32_t>(t) * tile);
                CpuTeam team;
                for (pairs.group = 0; pairs.group < view_.group_count && !stop.asked(); ++pairs.group)
                    mine.add(pack_pairs(team, view_, tables_, pairs, out));
                if (walked_ != nullptr) walked_->fetch_add(pairs.count, std::memory_order_relaxed);
            }
#pragma omp critical
            sums.add(mine);
        }
        stop.heed();
        return sums;
    }

    PackView view_;
    TablesView<Entry> tables_;
    std::atomic<std::uint64_t>* walked_;
};

}  // namespace

std::unique_ptr<RoutePacker> make_cpu_route_packer(PackProblem const& problem) {
    if (problem.wide) return std::make_unique<CpuRoutePacker<std::uint16_t>>(problem);
    return std::make_unique<CpuRoutePacker<std::uint8_t>>(problem);
}

}  // namespace tailback::kernels
