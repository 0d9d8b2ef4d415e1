// Routes packed by OpenMP threads, a tile of destinations at a time.
#include "kernels/route_packer.hpp"

#include "kernels/cpu/fast/team.hpp"
#include "kernels/cpu/machine/stop.hpp"

#include <algorithm>

namespace tailback::kernels {
namespace {

/// What pack_steps_of writes, a destination at a time: how the walk from a row ends is how that from the next one does,
/// so that every row is looked at once.
template <class Entry>
class StepColumn {
public:
    StepColumn(PackView const& view, TablesView<Entry> const& tables)
        : view_(view), tables_(tables), end_(view.forwarding.rows) {}

    void pack(std::uint32_t d, std::uint32_t* steps) {
        PackDestination const to = view_.destinations[d];
        std::uint32_t const rows = view_.forwarding.rows;
        auto const put = [&](std::uint32_t row, std::uint32_t slot) {
            steps[std::size_t{row} * view_.destination_count + d] = slot;
        };
        find_ends(to);
        for (std::uint32_t row = 0; row < rows; ++row) put(row, row == to.own_row ? view_.inner : step_of(row, to));
        for (std::uint32_t g = 0; g < view_.group_count; ++g) {
            RouteStart const start = view_.groups[g].start;
            if (start.row == no_row) put(rows + g, view_.inner + static_cast<std::uint32_t>(WalkEnd::unreachable));
            else if (end_[start.row] != delivered || start.first_slot == no_row) put(rows + g, step_of(start.row, to));
            else put(rows + g, start.first_slot);
        }
        put(rows + view_.group_count, view_.inner);
    }

private:
    static constexpr auto delivered = static_cast<std::uint8_t>(WalkEnd::delivered);
    static constexpr std::uint8_t unknown = 254, on_the_way = 255;

    std::uint32_t step_of(std::uint32_t row, PackDestination const& to) const {
        if (end_[row] != delivered) return view_.inner + end_[row];
        return view_.slots[std::size_t{row} * view_.forwarding.ports + tables_.port(row, to.target.lid)];
    }
    void find_ends(PackDestination const& to) {
        std::fill(end_.begin(), end_.end(), unknown);
        for (std::uint32_t start = 0; start < end_.size(); ++start) {
            if (end_[start] != unknown) continue;
            way_.clear();
            std::uint8_t end = unknown;
            for (std::uint32_t row = start; end == unknown;) {
                end_[row] = on_the_way;
                way_.push_back(row);
                std::uint32_t const next =
                    next_row(view_.forwarding, row, tables_.port(row, to.target.lid), to.target.endpoint);
                if (next == ends_unreachable) end = static_cast<std::uint8_t>(WalkEnd::unreachable);
                else if (next == ends_misdelivered) end = static_cast<std::uint8_t>(WalkEnd::misdelivered);
                else if (next == ends_delivered) end = delivered;
                else if (end_[next] == on_the_way) end = static_cast<std::uint8_t>(WalkEnd::loop);
                else end = end_[row = next];
            }
            for (std::uint32_t const row : way_) end_[row] = end;
        }
    }

    PackView const& view_;
    TablesView<Entry> const& tables_;
    std::vector<std::uint8_t> end_;  ///< by row: how the walk from it ends
    std::vector<std::uint32_t> way_;
};

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
            StepColumn<Entry> column(view_, tables_);
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
