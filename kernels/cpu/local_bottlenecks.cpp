#include "kernels/cpu/local_bottlenecks.hpp"

#include "kernels/cpu/machine/stop.hpp"

#include <algorithm>
#include <utility>

namespace tailback::kernels {

LocalBottlenecks::LocalBottlenecks(Problem const& problem)
    : unit_(problem.measures.sharing.unit),
      first_(1024),
      entries_(1024),
      open_(problem.routes.slots),
      most_open_(problem.routes.slots),
      taken_(problem.routes.slots),
      share_(problem.routes.slots),
      least_(problem.routes.slots) {}

void LocalBottlenecks::begin_level() {
    flows_ = 0;
    used_ = 0;
}

void LocalBottlenecks::note(std::uint64_t rate) {
    std::uint32_t& place = place_[(rate * 0x9E3779B97F4A7C15u >> 32) % known_rates];
    if (place >= rates_.size() || rates_[place].rate != rate) {
        place = static_cast<std::uint32_t>(rates_.size());
        rates_.push_back({rate, 0});
    }
    ++rates_[place].flows;
}

/// Before any flow has a rate the share of a link depends on how many it has alone: the least is that of the most.
void LocalBottlenecks::find_most_open() {
    std::uint32_t most_of_all = 1;
    for (std::uint32_t f = 0; f < flows_; ++f) {
        std::uint32_t most = 0;
        for (std::uint32_t const slot : links_of(f)) most = std::max(most, open_[slot]);
        for (std::uint32_t const slot : links_of(f)) most_open_[slot] = std::max(most_open_[slot], most);
        most_of_all = std::max(most_of_all, most);
    }
    for (std::size_t count = rate_of_count_.size(); count <= most_of_all; ++count)
        rate_of_count_.push_back(unit_ / std::max<std::size_t>(count, 1));
    settled_of_count_.resize(most_of_all + 1);
}

void LocalBottlenecks::settle_by_counts() {
    for (std::uint32_t f = 0; f < flows_; ++f) {
        std::uint32_t settled_by = first_[f] == first_[f + 1] ? 1 : 0;
        for (std::uint32_t const slot : links_of(f))
            if (open_[slot] == most_open_[slot]) settled_by = open_[slot];
        rate_[f] = settled_by == 0 ? 0 : rate_of_count_[settled_by];
        if (settled_by == 0) waiting_.push_back(f);
        else ++settled_of_count_[settled_by];
    }
    for (std::size_t count = 1; count < settled_of_count_.size(); ++count)
        if (std::uint64_t const flows = std::exchange(settled_of_count_[count], 0); flows > 0)
            rates_.push_back({rate_of_count_[count], flows});
}

/// Off the links that have open flows.
void LocalBottlenecks::take_settled_off() {
    for (std::uint32_t f = 0; f < flows_; ++f) {
        if (rate_[f] == 0) continue;
        for (std::uint32_t const slot : links_of(f)) {
            if (open_[slot] == most_open_[slot]) continue;
            --open_[slot];
            taken_[slot] += rate_[f];
        }
    }
}

/// Of the links of waiting flows.
void LocalBottlenecks::find_shares() {
    for (std::uint32_t const slot : links_) share_[slot] = 0;
    links_.clear();
    for (std::uint32_t const f : waiting_) {
        std::uint64_t least = ~std::uint64_t{0};
        for (std::uint32_t const slot : links_of(f)) {
            if (share_[slot] == 0) {
                share_[slot] = (unit_ - taken_[slot]) / open_[slot];
                least_[slot] = share_[slot];
                links_.push_back(slot);
            }
            least = std::min(least, share_[slot]);
        }
        for (std::uint32_t const slot : links_of(f)) least_[slot] = std::min(least_[slot], least);
    }
}

void LocalBottlenecks::settle_by_shares() {
    std::size_t kept = 0;
    settled_.clear();
    for (std::uint32_t const f : waiting_) {
        for (std::uint32_t const slot : links_of(f))
            if (share_[slot] == least_[slot]) rate_[f] = share_[slot];
        if (rate_[f] == 0) waiting_[kept++] = f;
        else settled_.push_back(f);
    }
    waiting_.resize(kept);
    for (std::uint32_t const f : settled_) {
        note(rate_[f]);
        for (std::uint32_t const slot : links_of(f)) --open_[slot], taken_[slot] += rate_[f];
    }
}

/// Whether rates that differ do so by more than what divisions leave over on a link.
bool LocalBottlenecks::are_apart() {
    sorted_.clear();
    for (Rate const& rate : rates_) sorted_.push_back(rate.rate);
    std::sort(sorted_.begin(), sorted_.end());
    for (std::size_t r = 1; r < sorted_.size(); ++r)
        if (sorted_[r] != sorted_[r - 1] && sorted_[r] - sorted_[r - 1] <= flows_) return false;
    return true;
}

void LocalBottlenecks::clear_links() {
    if (used_ < open_.size() / 4) {
        for (std::uint32_t const slot : std::span(entries_).first(used_))
            open_[slot] = most_open_[slot] = 0, taken_[slot] = 0;
    } else {
        std::fill(open_.begin(), open_.end(), 0);
        std::fill(most_open_.begin(), most_open_.end(), 0);
        std::fill(taken_.begin(), taken_.end(), 0);
    }
}

bool LocalBottlenecks::find_rates() {
    StopWish const stop = StopWish::held();
    first_[flows_] = used_;  // the end of the last
    rate_.resize(flows_);
    rates_.clear();
    find_most_open();
    stop.heed();
    settle_by_counts();
    stop.heed();
    if (!waiting_.empty()) take_settled_off();
    while (!waiting_.empty()) {
        stop.heed();
        find_shares();
        settle_by_shares();
    }
    for (std::uint32_t const slot : links_) share_[slot] = 0;
    links_.clear();
    clear_links();
    return are_apart();
}

}  // namespace tailback::kernels
