// Rows that are no more than the two hosts of a flow: where routes are arithmetic, a block of them is computed whenever
// its links are wanted. What is read at random while routes are computed then waits for nothing else, the counters of a
// whole block are asked for before the first is needed, and no rows push them out of the caches.
#pragma once

#include "kernels/evaluate/regular_routes.hpp"

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace tailback::stages {

/// Flows computed together.
inline constexpr std::uint32_t block_flows = 16;

/// The links of a block's flows, each a slot; padding where a flow has fewer than `width`.
template <class Way, std::uint32_t width>
class BlockOfSlots {
public:
    static constexpr bool pads = true;

    void find(Way const& way, std::uint32_t i, std::uint32_t source, std::uint32_t destination, std::uint32_t padding) {
        find_padded(way, source, destination, padding, slots_[i]);
    }
    /// Calls visit(first slot, how many) for each run of flow i's slots.
    template <class Visit>
    void each_run(std::uint32_t i, Visit&& visit) const {
        for (std::uint32_t const slot : slots_[i]) visit(slot, std::integral_constant<std::uint32_t, 1>());
    }

private:
    std::uint32_t slots_[block_flows][width];
};

/// The same where a flow's links are a few runs of neighbours.
template <class Way>
class BlockOfRuns {
public:
    static constexpr bool pads = false;

    void find(Way const& way, std::uint32_t i, std::uint32_t source, std::uint32_t destination, std::uint32_t) {
        counts_[i] = 0;
        way.each_run(source, destination, [&](std::uint32_t first, std::uint32_t count) {
            runs_[i][counts_[i]++] = {first, count};
        });
    }
    template <class Visit>
    void each_run(std::uint32_t i, Visit&& visit) const {
        for (std::uint32_t k = 0; k < counts_[i]; ++k) visit(runs_[i][k].first, runs_[i][k].count);
    }

private:
    struct Run {
        std::uint32_t first, count;
    };
    std::uint32_t counts_[block_flows];
    Run runs_[block_flows][Way::most_runs];
};

/// Routes by a way, computed in blocks.
template <class Way_, class Block_>
class ByBlocks {
public:
    struct Row {
        std::uint32_t source, destination;
    };
    using Block = Block_;
    static constexpr bool fetches = false;

    explicit ByBlocks(Problem const& p) : way_(p), host_(p.group), padding_(p.inner) {}

    Row find(std::uint32_t source, std::uint32_t destination) const { return {host_[source], host_[destination]}; }
    void ask(std::uint32_t, std::uint32_t) const {}
    Row empty_row() const { return {0, 0}; }
    /// Calls visit(slot) for each link, without padding.
    template <class Visit>
    void each(Row const& row, Visit&& visit) const {
        way_.each(row.source, row.destination, visit);
    }
    /// The links of `count` <= block_flows rows.
    void find_block(Row const* rows, std::uint32_t count, Block& block) const {
        for (std::uint32_t i = 0; i < count; ++i) block.find(way_, i, rows[i].source, rows[i].destination, padding_);
    }

private:
    Way_ way_;
    std::uint32_t const* host_;
    std::uint32_t padding_;
};
template <class Way, std::uint32_t width>
using SlotsByBlocks = ByBlocks<Way, BlockOfSlots<Way, width>>;
template <class Way>
using RunsByBlocks = ByBlocks<Way, BlockOfRuns<Way>>;

/// Calls run(finder) with the problem's rows in blocks, where its routes are arithmetic and such a way exists. @return
/// false where not.
template <class Run>
bool with_blocks(Problem const& p, Run&& run) {
    switch (p.form) {
        case RouteForm::tree:  // up to 2 (height - 1) links
            if (p.tree.height <= 3) return run(SlotsByBlocks<TreeWay, 4>(p)), true;
            if (p.tree.height == 4) return run(SlotsByBlocks<TreeWay, 6>(p)), true;
            return false;
        case RouteForm::dragonfly: return run(SlotsByBlocks<DragonflyWay, 3>(p)), true;
        case RouteForm::dragonfly_by_middle: return run(SlotsByBlocks<DragonflyByMiddle, 6>(p)), true;
        case RouteForm::torus: return run(RunsByBlocks<TorusWay>(p)), true;
        case RouteForm::torus_by_middle: return run(RunsByBlocks<TorusByMiddle>(p)), true;
        default: return false;
    }
}

}  // namespace tailback::stages
