// Routes that were found before, one for each flow: a row is the place of its length and slots.
#include "kernels/cpu/fast/rows.hpp"
#include "kernels/cpu/machine/prefetch.hpp"

#include <algorithm>

namespace tailback::kernels::stages {
namespace {

using Row = std::uint32_t const*;

/// How many flows ahead counters are asked for, and the words of routes.
constexpr std::uint32_t counters_ahead = 16, words_ahead = 32;

template <class HostWord>
class FoundFinder final : public RowFinder<HostWord> {
public:
    explicit FoundFinder(FoundRoutes const& found) : found_(found) {}
    void find(LevelSeats<HostWord> const& level, void* rows, OddFlows& odd) const override {
        std::uint32_t const* const* const found = found_.of_mapping(level.mapping) + level.level->routes_before;
        for (std::uint32_t place = 0; place < level.level->routes_to_keep; ++place) {
            Row route = found[place];
            if (route == FoundRoutes::local || route == FoundRoutes::unreachable) {
                odd.absent.add(place, route == FoundRoutes::unreachable ? 1 : 0);
                route = FoundRoutes::local;
            }
            static_cast<Row*>(rows)[place] = route;
        }
    }

private:
    FoundRoutes const& found_;
};

class FoundLinks final : public RowLinks {
public:
    std::size_t row_bytes() const override { return sizeof(Row); }
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
        for (std::uint32_t f = 0; f < count; ++f) lengths[f] = *static_cast<Row const*>(rows)[f];
    }

private:
    /// Calls visit(flow, its slots, how many) for each flow; words and counters are asked for some flows before.
    template <class Counter, class Visit>
    static void each_flow(void const* from, std::uint32_t count, Counter const* counters, Visit&& visit) {
        auto const* const rows = static_cast<Row const*>(from);
        for (std::uint32_t f = 0; f < count; ++f) {
            prefetch(rows[std::min(f + words_ahead, count - 1)]);
            Row const later = rows[std::min(f + counters_ahead, count - 1)];
            for (std::uint32_t k = 1; k <= *later; ++k) prefetch(counters + later[k]);
            visit(f, rows[f] + 1, *rows[f]);
        }
    }
    template <class Counter>
    bool count_in(FlowsToCount<Counter> const& flows) const {
        bool passed = false;
        each_flow(flows.rows, flows.count, flows.counters,
                  [&](std::uint32_t, std::uint32_t const* slots, std::uint32_t links) {
                      for (std::uint32_t k = 0; k < links; ++k) {
                          Counter& counter = flows.counters[slots[k]];
                          Counter const more = flows.costs != nullptr ? flows.costs[slots[k]] : Counter{1};
                          counter = static_cast<Counter>(counter + more);
                          passed |= counter < more;
                      }
                  });
        return !passed;
    }
    template <class Counter>
    ReadBack read_back_in(FlowsToRead<Counter> const& flows) const {
        ReadBack found;
        each_flow(flows.rows, flows.count, flows.counters,
                  [&](std::uint32_t f, std::uint32_t const* slots, std::uint32_t links) {
                      std::uint32_t congestion = flows.min_congestions != nullptr ? flows.min_congestions[f] : 1;
                      for (std::uint32_t k = 0; k < links; ++k)
                          congestion = std::max(congestion, std::uint32_t{flows.counters[slots[k]]});
                      found.note(congestion, flows.share);
                      if (flows.congestion != nullptr) flows.congestion[f] = congestion;
                  });
        return found;
    }
    template <class Counter>
    void clear_in(void const* rows, std::uint32_t count, Counter* counters, std::uint64_t* link_sums) const {
        each_flow(rows, count, counters, [&](std::uint32_t, std::uint32_t const* slots, std::uint32_t links) {
            for (std::uint32_t k = 0; k < links; ++k) {
                if (link_sums != nullptr) ++link_sums[slots[k]];
                counters[slots[k]] = 0;
            }
        });
    }
};

}  // namespace

template <class HostWord>
Rows<HostWord> make_found_rows(FoundRoutes const& found) {
    return {std::make_shared<FoundFinder<HostWord>>(found), std::make_shared<FoundLinks>()};
}

template Rows<std::uint16_t> make_found_rows(FoundRoutes const&);
template Rows<std::uint32_t> make_found_rows(FoundRoutes const&);

}  // namespace tailback::kernels::stages
