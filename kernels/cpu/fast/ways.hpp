// Ways through the stages of a mapping that come to the same, and how the fastest of them is found.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tailback::stages {

/// Where rows come from: a table of all pairs; or sums of two parts, these in tables of their own or in records with
/// all that a seat needs.
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

/// Finds the fastest of some ways while the work is done: all take turns, of which the second half is timed, as the
/// first finds in the caches what other ways left there; after some rounds the half with the quicker turns stays, until
/// one is left. Who wins by little had many turns to show it, as another process may take a core's time at any moment.
/// What is measured decides about time alone.
class Trial {
public:
    static constexpr int rounds = 4;  ///< before the slower half goes

    /// `ways` in the order of preference, not empty.
    Trial(std::vector<Ways> const& ways, std::uint64_t flows_a_mapping)
        : turn_(std::clamp<std::uint64_t>((std::uint64_t{1} << 16) / std::max<std::uint64_t>(flows_a_mapping, 1), 2,
                                          64)) {
        for (Ways const& way : ways) runners_.push_back({way, Clock::duration::max()});
    }

    bool over() const { return runners_.size() == 1; }
    Ways const& now() const { return runners_[at_].ways; }
    /// To be called before every mapping that is done in the way of now, until the trial is over.
    void next_mapping() {
        if (done_ == turn_ / 2) started_ = Clock::now();
        if (done_++ < turn_) return;
        runners_[at_].quickest = std::min(runners_[at_].quickest, Clock::now() - started_);
        done_ = 1;
        if (++at_ < runners_.size()) return;
        at_ = 0;
        if (++round_ % rounds != 0) return;
        std::stable_sort(runners_.begin(), runners_.end(),
                         [](Runner const& a, Runner const& b) { return a.quickest < b.quickest; });
        runners_.resize((runners_.size() + 1) / 2);
    }

private:
    using Clock = std::chrono::steady_clock;
    struct Runner {
        Ways ways;
        Clock::duration quickest;
    };

    std::vector<Runner> runners_;
    std::uint64_t turn_, done_ = 0;  ///< mappings a turn, and of this turn
    std::size_t at_ = 0;
    int round_ = 0;
    Clock::time_point started_;
};

}  // namespace tailback::stages
