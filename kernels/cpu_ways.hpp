// Ways through the stages of a mapping that come to the same, and how the fastest of them is found.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace tailback::stages {

/// Where rows come from: a table of all pairs; or sums of two parts, these in tables of their own or in records with all that a seat needs.
enum class RowsBy : std::uint8_t { table, sums, records };
/// How the counters of a flow are read back: slot by slot; eight flows in a gather; or a vector load for each counter.
enum class ReadBackBy : std::uint8_t { slots, gathers, loads };

/// Which way is the fastest depends on the machine and on the size of the network.
struct Ways {
    RowsBy rows = RowsBy::table;
    bool draws_in_turns = false;  ///< the rounds of the draws stand between swaps
    bool counts_at_once = false;  ///< rows are counted while later ones are found
    ReadBackBy read_back = ReadBackBy::slots;

    bool operator==(Ways const&) const = default;
};

/// Finds the fastest of some ways while the work is done: all take turns, of which the second half is timed, as the first finds in the caches
/// what other ways left there; in the end that with the quickest turn stays. What is measured decides about time alone.
class Trial {
public:
    static constexpr int rounds = 4;

    /// `ways` in the order of preference, not empty.
    Trial(std::vector<Ways> ways, std::uint64_t flows_a_mapping)
        : ways_(std::move(ways)), quickest_(ways_.size(), Clock::duration::max()),
          turn_(std::clamp<std::uint64_t>((std::uint64_t{1} << 16) / std::max<std::uint64_t>(flows_a_mapping, 1), 2, 64)) {}

    bool over() const { return round_ == rounds || ways_.size() == 1; }
    Ways const& now() const { return ways_[at_]; }
    /// To be called before every mapping that is done in the way of now, until the trial is over.
    void next_mapping() {
        if (done_ == turn_ / 2) started_ = Clock::now();
        if (done_++ < turn_) return;
        quickest_[at_] = std::min(quickest_[at_], Clock::now() - started_);
        done_ = 1;
        if (++at_ < ways_.size()) return;
        at_ = 0;
        if (++round_ == rounds) at_ = std::size_t(std::min_element(quickest_.begin(), quickest_.end()) - quickest_.begin());
    }

private:
    using Clock = std::chrono::steady_clock;

    std::vector<Ways> ways_;
    std::vector<Clock::duration> quickest_;
    std::uint64_t turn_, done_ = 0;  ///< mappings a turn, and of this turn
    std::size_t at_ = 0;
    int round_ = 0;
    Clock::time_point started_;
};

}  // namespace tailback::stages
