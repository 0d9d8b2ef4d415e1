// Routes by arithmetic whose rows are not kept: a row is the two hosts, a block of rows is computed whenever its links
// are wanted. What is read at random while routes are computed then waits for nothing else, the counters of a whole
// block are asked for before the first is needed, and no rows push them out of the caches.
#include "kernels/cpu/fast/rows.hpp"
#include "kernels/cpu/machine/prefetch.hpp"
#include "kernels/evaluate/regular_routes.hpp"

#include <algorithm>
#include <type_traits>

namespace tailback::kernels::stages {
namespace {

/// Flows computed together.
constexpr std::uint32_t block_flows = 16;

struct HostPair {
    std::uint32_t source, destination;
};

struct HostView {
    using Row = HostPair;
    std::uint32_t const* host;  ///< by seat

    Row find(std::uint32_t source, std::uint32_t destination) const { return {host[source], host[destination]}; }
    Row empty() const { return {0, 0}; }
};

template <class HostWord>
class HostFinder final : public RowFinder<HostWord> {
public:
    explicit HostFinder(Problem const& p) : view_{p.routes.group} {}
    void find(LevelSeats<HostWord> const& level, void* rows, OddFlows& odd) const override {
        find_rows<false, false>(view_, level, rows, odd);
    }

private:
    HostView view_;
};

/// The links of a block's flows, each a slot; padding where a flow has fewer than `width`.
template <class Way_, std::uint32_t width>
class BlockOfSlots {
public:
    using Formula = Way_;

    void find(Formula const& way, std::uint32_t i, HostPair pair, std::uint32_t padding) {
        find_padded(way, pair.source, pair.destination, padding, slots_[i]);
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
template <class Way_>
class BlockOfRuns {
public:
    using Formula = Way_;

    void find(Formula const& way, std::uint32_t i, HostPair pair, std::uint32_t) {
        counts_[i] = 0;
        way.each_run(pair.source, pair.destination, [&](std::uint32_t first, std::uint32_t count) {
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
    Run runs_[block_flows][Formula::most_runs];
};

template <class Block>
class BlockLinks final : public RowLinks {
public:
    explicit BlockLinks(Problem const& p) : way_(p), padding_(p.routes.inner) {}

    std::size_t row_bytes() const override { return sizeof(HostPair); }
    bool count(FlowsToCount<std::uint16_t> const& flows) const override { return count_in(flows); }
    bool count(FlowsToCount<std::uint32_t> const& flows) const override { return count_in(flows); }
    ReadBack read_back(FlowsToRead<std::uint16_t> const& flows) const override { return read_back_in(flows); }
    ReadBack read_back(FlowsToRead<std::uint32_t> const& flows) const override { return read_back_in(flows); }
    void clear(void const* rows, std::uint32_t count, std::uint16_t* counters,
               std::uint64_t* link_sums) const override {
        clear_in(rows, count, counters, link_sums);
    }
    void clear(void const* rows, std::uint32_t count, std::uint32_t* counters,
               std::uint64_t* link_sums) const override {
        clear_in(rows, count, counters, link_sums);
    }
    void measure(void const* rows, std::uint32_t count, std::uint32_t* lengths) const override {
        Block block;
        for (std::uint32_t f = 0; f < count; ++f) {
            block.find(way_, 0, static_cast<HostPair const*>(rows)[f], padding_);
            lengths[f] = 0;
            block.each_run(0, [&](std::uint32_t slot, auto run) { lengths[f] += slot != padding_ ? run : 0; });
        }
    }

private:
    /// Computes a block, and asks for its counters.
    template <class Counter>
    void prepare(HostPair const* rows, std::uint32_t count, Counter const* counters, Block& block) const {
        constexpr std::uint32_t line = 64 / sizeof(Counter);
        for (std::uint32_t i = 0; i < count; ++i) block.find(way_, i, rows[i], padding_);
        for (std::uint32_t i = 0; i < count; ++i)
            block.each_run(i, [&](std::uint32_t slot, auto run) {
                prefetch(counters + slot);
                for (std::uint32_t k = line; k < run + line - 1; k += line)
                    prefetch(counters + slot + std::min<std::uint32_t>(k, run - 1));
            });
    }
    /// Calls visit(flow, block, its number there) for all flows; the counters of a block are asked for while the one
    /// before is visited.
    template <class Counter, class Visit>
    void each_flow(void const* from, std::uint32_t count, Counter const* counters, Visit&& visit) const {
        auto const* const rows = static_cast<HostPair const*>(from);
        Block blocks[2];
        prepare(rows, std::min(count, block_flows), counters, blocks[0]);
        for (std::uint32_t first = 0, now = 0; first < count; first += block_flows, now ^= 1) {
            std::uint32_t const flows = std::min(count - first, block_flows), next = first + flows;
            if (next < count) prepare(rows + next, std::min(count - next, block_flows), counters, blocks[now ^ 1]);
            for (std::uint32_t i = 0; i < flows; ++i) visit(first + i, blocks[now], i);
        }
    }
    template <class Counter>
    bool count_in(FlowsToCount<Counter> const& flows) const {
        bool passed = false;
        bool const watch = sizeof(Counter) == 2 && flows.max_value > 0xFFFF;
        auto const each_run = [&](auto&& visit) {
            each_flow(flows.rows, flows.count, flows.counters,
                      [&](std::uint32_t, Block const& block, std::uint32_t i) { block.each_run(i, visit); });
        };
        Counter* const counters = flows.counters;
        if (watch) {
            each_run([&](std::uint32_t slot, auto run) {
                for (std::uint32_t k = 0; k < run; ++k) passed |= ++counters[slot + k] == 0 && slot != padding_;
            });
        } else {
            each_run([&](std::uint32_t slot, auto run) {
                for (std::uint32_t k = 0; k < run; ++k) ++counters[slot + k];
            });
        }
        counters[padding_] = 0;
        return !passed;
    }
    template <class Counter>
    ReadBack read_back_in(FlowsToRead<Counter> const& flows) const {
        ReadBack found;
        each_flow(flows.rows, flows.count, flows.counters, [&](std::uint32_t f, Block const& block, std::uint32_t i) {
            std::uint32_t congestion = flows.min_congestions != nullptr ? flows.min_congestions[f] : 1;
            block.each_run(i, [&](std::uint32_t slot, auto run) {
                Counter most = 0;
                for (std::uint32_t k = 0; k < run; ++k) most = std::max(most, flows.counters[slot + k]);
                congestion = std::max(congestion, std::uint32_t{most});
            });
            found.note(congestion, flows.share);
            if (flows.congestion != nullptr) flows.congestion[f] = congestion;
        });
        return found;
    }
    template <class Counter>
    void clear_in(void const* rows, std::uint32_t count, Counter* counters, std::uint64_t* link_sums) const {
        each_flow(rows, count, counters, [&](std::uint32_t, Block const& block, std::uint32_t i) {
            block.each_run(i, [&](std::uint32_t slot, auto run) {
                for (std::uint32_t k = slot; k < slot + run; ++k) {
                    if (link_sums != nullptr && k != padding_) ++link_sums[k];
                    counters[k] = 0;
                }
            });
        });
    }

    typename Block::Formula way_;
    std::uint32_t padding_;
};

/// Null where the problem's routes have no such form. Links of regular networks have no costs.
std::shared_ptr<RowLinks> make_block_links(Problem const& p) {
    switch (p.routes.form) {
        case RouteForm::tree:  // up to 2 (height - 1) links
            if (p.routes.formula.tree.height <= 3) return std::make_shared<BlockLinks<BlockOfSlots<TreeFormula, 4>>>(p);
            if (p.routes.formula.tree.height == 4) return std::make_shared<BlockLinks<BlockOfSlots<TreeFormula, 6>>>(p);
            return nullptr;
        case RouteForm::dragonfly: return std::make_shared<BlockLinks<BlockOfSlots<DragonflyFormula, 3>>>(p);
        case RouteForm::dragonfly_by_middle: return std::make_shared<BlockLinks<BlockOfSlots<DragonflyByMiddle, 6>>>(p);
        case RouteForm::torus: return std::make_shared<BlockLinks<BlockOfRuns<TorusFormula>>>(p);
        case RouteForm::torus_by_middle: return std::make_shared<BlockLinks<BlockOfRuns<TorusByMiddle>>>(p);
        case RouteForm::hyperx:
            if (p.routes.formula.hyperx.dimensions > 4) return nullptr;
            return std::make_shared<BlockLinks<BlockOfSlots<HyperxFormula, 4>>>(p);
        default: return nullptr;
    }
}

}  // namespace

template <class HostWord>
Rows<HostWord> make_block_rows(Problem const& p) {
    Rows<HostWord> made;
    if (p.routes.cost != nullptr) return made;
    made.links = make_block_links(p);
    if (made.links) made.finder = std::make_shared<HostFinder<HostWord>>(p);
    return made;
}

template Rows<std::uint16_t> make_block_rows(Problem const&);
template Rows<std::uint32_t> make_block_rows(Problem const&);

}  // namespace tailback::kernels::stages
