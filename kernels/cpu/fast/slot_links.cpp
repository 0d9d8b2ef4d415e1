// Counting, and reading back slot by slot.
#include "kernels/cpu/fast/slot_rows.hpp"
#include "kernels/cpu/machine/isa.hpp"

#include <algorithm>
#include <cstring>

namespace tailback::kernels::stages {
namespace {

/// Rows one after the other are slots one after the other, whatever their width.
template <class LinkWord, class Counter>
class SlotCounter {
public:
    SlotCounter(FlowsToCount<Counter> const& flows, std::uint32_t width)
        : slots_(static_cast<LinkWord const*>(flows.rows)),
          count_(std::size_t{flows.count} * width),
          counters_(flows.counters),
          costs_(flows.costs) {}

    /// Slots leave memory by the word: loads are what else the counters need.
    void add_ones() const {
        constexpr std::size_t links_a_word = sizeof(std::uint64_t) / sizeof(LinkWord);
        std::size_t i = 0;
        for (; i + links_a_word <= count_; i += links_a_word) {
            std::uint64_t word;
            std::memcpy(&word, slots_ + i, sizeof word);
            for (std::size_t k = 0; k < links_a_word; ++k, word >>= 8 * sizeof(LinkWord))
                ++counters_[static_cast<LinkWord>(word)];
        }
        for (; i < count_; ++i) ++counters_[slots_[i]];
    }
    void add_costs() const {
        for (std::size_t i = 0; i < count_; ++i) {
            LinkWord const slot = slots_[i];
            counters_[slot] = static_cast<Counter>(counters_[slot] + costs_[slot]);
        }
    }
    /// @return true when a counter below `padding` came to zero.
    bool add_ones_and_watch(std::uint32_t padding) const {
        bool passed = false;
        for (std::size_t i = 0; i < count_; ++i) passed |= ++counters_[slots_[i]] == 0 && slots_[i] < padding;
        return passed;
    }

private:
    LinkWord const* slots_;
    std::size_t count_;
    Counter* counters_;
    Counter const* costs_;
};

template <class LinkWord, std::uint32_t width, class Counter>
ReadBack read_back_slots(FlowsToRead<Counter> const& flows) {
    auto const* const rows = static_cast<SlotRow<LinkWord, width> const*>(flows.rows);
    ReadBack found;
    for (std::uint32_t f = 0; f < flows.count; ++f) {
        std::uint32_t congestion = flows.min_congestions != nullptr ? flows.min_congestions[f] : 1;
        for (LinkWord const slot : rows[f].slot) congestion = std::max(congestion, std::uint32_t{flows.counters[slot]});
        found.note(congestion, flows.share);
        if (flows.congestion != nullptr) flows.congestion[f] = congestion;
    }
    return found;
}

class SlotLinks final : public RowLinks {
    template <class Act>
    auto with_slots(Act&& act) const {
        return kind_.link_index_bits == 16 ? act(std::uint16_t{}) : act(std::uint32_t{});
    }

public:
    SlotLinks(RowKind kind, std::uint32_t padding) : kind_(kind), padding_(padding) {}

    std::size_t row_bytes() const override { return std::size_t{kind_.width} * kind_.link_index_bits / 8; }
    bool count(FlowsToCount<std::uint16_t> const& flows) const override { return count_in(flows); }
    bool count(FlowsToCount<std::uint32_t> const& flows) const override { return count_in(flows); }
    ReadBack read_back(FlowsToRead<std::uint16_t> const& flows) const override {
        return has_avx2() ? read_back_by_vectors(kind_, flows) : read_back_in(flows);
    }
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
        with_slots([&](auto type) {
            auto const* slots = static_cast<decltype(type) const*>(rows);
            for (std::uint32_t f = 0; f < count; ++f, slots += kind_.width)
                lengths[f] = static_cast<std::uint32_t>(
                    std::count_if(slots, slots + kind_.width, [&](auto slot) { return slot < padding_; }));
        });
    }

private:
    template <class Counter>
    bool count_in(FlowsToCount<Counter> const& flows) const {
        bool const passed = with_slots([&](auto slot) {
            SlotCounter<decltype(slot), Counter> const counter(flows, kind_.width);
            if (flows.costs != nullptr) return counter.add_costs(), false;
            if (sizeof(Counter) == 2 && flows.max_value > 0xFFFF) return counter.add_ones_and_watch(padding_);
            return counter.add_ones(), false;
        });
        std::fill_n(flows.counters + padding_, padding_counters, Counter{0});
        return !passed;
    }
    template <class Counter>
    ReadBack read_back_in(FlowsToRead<Counter> const& flows) const {
        return with_kind(kind_, [&]<class LinkWord, std::uint32_t width>() {
            return read_back_slots<LinkWord, width, Counter>(flows);
        });
    }
    template <class Counter>
    void clear_in(void const* rows, std::uint32_t count, Counter* counters, std::uint64_t* link_sums) const {
        with_slots([&](auto type) {
            auto const* const slots = static_cast<decltype(type) const*>(rows);
            for (std::size_t i = 0; i < std::size_t{count} * kind_.width; ++i) {
                if (link_sums != nullptr && slots[i] < padding_) ++link_sums[slots[i]];
                counters[slots[i]] = 0;
            }
        });
    }

    RowKind kind_;
    std::uint32_t padding_;
};

}  // namespace

std::unique_ptr<RowLinks> make_slot_links(RowKind kind, std::uint32_t padding) {
    return std::make_unique<SlotLinks>(kind, padding);
}

}  // namespace tailback::kernels::stages
