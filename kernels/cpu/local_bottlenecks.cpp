#include "kernels/cpu/local_bottlenecks.hpp"

#include "kernels/cpu/machine/stop.hpp"

#include <algorithm>
#include <utility>

namespace tailback::kernels {
namespace {

/// Slots behind those of links: one for each place of a row.
constexpr std::uint32_t further_slots = LocalBottlenecks::most_places;

}  // namespace

LocalBottlenecks::LocalBottlenecks(Problem const& problem)
    : unit_(problem.measures.sharing.unit),
      padding_(problem.routes.slots),
      first_(1),
      entries_(1024),
      open_(padding_ + further_slots),
      beaten_(padding_ + further_slots),
      taken_(padding_ + further_slots),
      share_(padding_ + further_slots),
      least_(padding_ + further_slots),
      rate_of_count_{0} {
    // No share of padding is the least of its flows'.
    std::fill(beaten_.begin() + padding_, beaten_.end(), 1);
    std::fill(share_.begin() + padding_, share_.end(), ~std::uint64_t{0});
}

void LocalBottlenecks::begin_level(std::size_t flows, std::uint32_t places) {
    flows_ = 0;
    used_ = 0;
    places_ = places;
    if (places == 0 && first_.size() <= flows) first_.resize(flows + 1);
    if (entries_.size() < flows * places) entries_.resize(flows * places);
    if (most_.size() < flows) most_.resize(flows), waiting_.reserve(flows);
}

void LocalBottlenecks::note(std::uint64_t rate) {
    std::uint32_t& place = place_[(rate * 0x9E3779B97F4A7C15u >> 32) % known_rates];
    if (place >= rates_.size() || rates_[place].rate != rate) {
        place = static_cast<std::uint32_t>(rates_.size());
        rates_.push_back({rate, 0});
    }
    ++rates_[place].flows;
}

/// Before any flow has a rate the share of a link depends on how many it has alone: the least is that of the most. A
/// link is no bottleneck where one of its flows has a link with more.
/// @return the most flows of a link
template <std::uint32_t places>
std::uint32_t LocalBottlenecks::find_beaten() {
    std::uint32_t const* const open = open_.data();
    std::uint8_t* const beaten = beaten_.data();  // bytes may be anything's: members would be read again for each
    std::uint32_t* const most_of_flow = most_.data();
    std::uint32_t const flows = flows_;
    std::uint32_t most_of_all = 1;
    for (std::uint32_t f = 0; f < flows; ++f) {
        std::uint32_t most = 0;
        for (std::uint32_t const slot : links_of<places>(f)) most = std::max(most, open[slot]);
        for (std::uint32_t const slot : links_of<places>(f)) beaten[slot] |= std::uint8_t{open[slot] < most};
        most_of_flow[f] = most;
        most_of_all = std::max(most_of_all, most);
    }
    return most_of_all;
}

/// For links of up to so many flows.
void LocalBottlenecks::prepare_counts(std::uint32_t most) {
    for (std::size_t count = rate_of_count_.size(); count <= most; ++count) rate_of_count_.push_back(unit_ / count);
    if (settled_of_count_.size() <= most) settled_of_count_.resize(std::size_t{most} + 1);
}

template <std::uint32_t places>
void LocalBottlenecks::settle_by_counts() {
    waiting_.resize(flows_);
    std::uint8_t const* const beaten = beaten_.data();
    std::uint32_t *const most_of_flow = most_.data(), *const waiting = waiting_.data(), flows = flows_;
    std::uint64_t* const settled_of_count = settled_of_count_.data();
    std::size_t left = 0;
    for (std::uint32_t f = 0; f < flows; ++f) {
        std::uint32_t const most = most_of_flow[f];
        std::uint32_t waits = most == 0 ? 0 : 1;  // it has no link
        for (std::uint32_t const slot : links_of<places>(f)) waits &= beaten[slot];
        std::uint32_t const by = waits != 0 ? 0 : std::max(most, 1u);
        most_of_flow[f] = by;
        ++settled_of_count[by];
        waiting[left] = f;
        left += waits;
    }
    waiting_.resize(left);
}

void LocalBottlenecks::note_counts() {
    settled_of_count_[0] = 0;
    for (std::size_t count = 1; count < settled_of_count_.size(); ++count)
        if (std::uint64_t const flows = std::exchange(settled_of_count_[count], 0); flows > 0)
            rates_.push_back({rate_of_count_[count], flows});
}

template <std::uint32_t places>
void LocalBottlenecks::take_settled_off() {
    for (std::uint32_t f = 0; f < flows_; ++f) {
        std::uint64_t const rate = rate_of_count_[most_[f]];
        std::uint32_t const settled = rate == 0 ? 0 : 1;
        for (std::uint32_t const slot : links_of<places>(f)) open_[slot] -= settled, taken_[slot] += rate;
    }
}

/// Of the links of waiting flows.
template <std::uint32_t places>
void LocalBottlenecks::find_shares() {
    for (std::uint32_t const slot : links_) share_[slot] = 0;
    links_.clear();
    for (std::uint32_t const f : waiting_) {
        std::uint64_t least = ~std::uint64_t{0};
        for (std::uint32_t const slot : links_of<places>(f)) {
            if (share_[slot] == 0) {
                share_[slot] = (unit_ - taken_[slot]) / open_[slot];
                least_[slot] = share_[slot];
                links_.push_back(slot);
            }
            least = std::min(least, share_[slot]);
        }
        for (std::uint32_t const slot : links_of<places>(f)) least_[slot] = std::min(least_[slot], least);
    }
}

template <std::uint32_t places>
void LocalBottlenecks::settle_by_shares() {
    std::size_t kept = 0;
    settled_.clear();
    for (std::uint32_t const f : waiting_) {
        std::uint64_t rate = 0;
        for (std::uint32_t const slot : links_of<places>(f))
            if (share_[slot] == least_[slot]) rate = share_[slot];
        if (rate == 0) waiting_[kept++] = f;
        else settled_.push_back({f, rate});
    }
    waiting_.resize(kept);
    for (auto const& [f, rate] : settled_) {
        note(rate);
        for (std::uint32_t const slot : links_of<places>(f)) --open_[slot], taken_[slot] += rate;
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
    std::size_t const entries = places_ == 0 ? used_ : std::size_t{flows_} * places_;
    if (entries < padding_ / 4) {
        for (std::uint32_t const slot : std::span(entries_).first(entries))
            open_[slot] = 0, beaten_[slot] = slot >= padding_, taken_[slot] = 0;
    } else {
        std::fill_n(open_.begin(), padding_, 0);
        std::fill_n(beaten_.begin(), padding_, 0);
        if (!links_.empty()) std::fill_n(taken_.begin(), padding_, 0);
    }
    for (std::uint32_t const slot : links_) share_[slot] = 0;
    links_.clear();
}

template <std::uint32_t places>
void LocalBottlenecks::find_rates_of() {
    StopWish const stop = StopWish::held();
    std::fill(open_.begin() + padding_, open_.end(), 0);
    prepare_counts(find_beaten<places>());
    stop.heed();
    settle_by_counts<places>();
    note_counts();
    stop.heed();
    if (!waiting_.empty()) take_settled_off<places>();
    while (!waiting_.empty()) {
        stop.heed();
        find_shares<places>();
        settle_by_shares<places>();
    }
}

bool LocalBottlenecks::find_rates() {
    rates_.clear();
    if (places_ == 0) first_[flows_] = used_;  // the end of the last
    switch (places_) {
        case 2: find_rates_of<2>(); break;
        case 3: find_rates_of<3>(); break;
        case 4: find_rates_of<4>(); break;
        case 5: find_rates_of<5>(); break;
        case 6: find_rates_of<6>(); break;
        case 8: find_rates_of<8>(); break;
        case 10: find_rates_of<10>(); break;
        default: find_rates_of<0>();
    }
    clear_links();
    return are_apart();
}

}  // namespace tailback::kernels
