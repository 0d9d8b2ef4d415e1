// What every executor can do that evaluates: reduce, tally by tally.
#include "kernels/executor.hpp"

#include <algorithm>
#include <utility>

namespace tailback::kernels {

void Totals::add(Totals const& more) {
    for (std::size_t k = 0; k < parts().size(); ++k) {
        std::vector<std::uint64_t>& sums = *parts()[k];
        std::vector<std::uint64_t> const& others = *more.parts()[k];
        for (std::size_t i = 0; i < sums.size() && i < others.size(); ++i) sums[i] += others[i];
    }
}

void Executor::evaluate_and_reduce(std::uint64_t first, std::uint64_t count, WantedNumbers const& wanted) {
    for (std::uint64_t done = 0; done < count; done += tallies_.size()) {
        tallies_.resize(std::size_t(std::min(count - done, good_batch())));
        evaluate(first + done, tallies_);
        for (std::size_t i = 0; i < tallies_.size(); ++i) reduction_.add(wanted, first + done + i, tallies_[i]);
    }
}

Reduction Executor::take_reduction() { return std::exchange(reduction_, {}); }

}  // namespace tailback::kernels
