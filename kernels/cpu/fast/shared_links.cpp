#include "kernels/cpu/fast/shared_links.hpp"
#include "kernels/cpu/machine/stop.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace tailback::kernels {

SharedLinks::SharedLinks(Problem const& problem)
    : problem_(problem),
      least_load_(problem.measures.sharing.capacity == nullptr ? 2 : 1),
      load_(problem.routes.slots),
      number_of_slot_(problem.routes.slots, none) {}

void SharedLinks::begin_level() {
    entries_.clear();
    first_.clear();
    weight_.clear();
}

std::uint64_t SharedLinks::slowest(std::uint32_t flow) const {
    if (problem_.measures.sharing.capacity == nullptr) return problem_.measures.sharing.unit;
    std::uint64_t slowest = no_share;
    for (std::uint32_t e = first_[flow]; e < last_[flow]; ++e)
        slowest = std::min(slowest, capacity_of(problem_, slot_[entries_[e]]));
    return slowest;
}

/// Links that several flows use get numbers; others are left out of the flows' lists.
void SharedLinks::number_links() {
    slot_.clear();
    flows_on_.clear();
    std::uint32_t const end = static_cast<std::uint32_t>(entries_.size());
    last_.resize(flows());
    for (std::uint32_t f = 0; f < flows(); ++f) {
        std::uint32_t kept = first_[f];
        std::uint32_t const stop = f + 1 < flows() ? first_[f + 1] : end;
        for (std::uint32_t e = first_[f]; e < stop; ++e) {
            std::uint32_t const slot = entries_[e];
            if (load_[slot] < least_load_) {
                load_[slot] = 0;
                continue;
            }
            std::uint32_t& number = number_of_slot_[slot];
            if (number == none) {
                number = static_cast<std::uint32_t>(slot_.size());
                slot_.push_back(slot);
                flows_on_.push_back(load_[slot]);
            }
            entries_[kept++] = number;
        }
        last_[f] = kept;
    }
    for (std::uint32_t const slot : slot_) load_[slot] = 0, number_of_slot_[slot] = none;
}

void SharedLinks::list_flows_of_links() {
    std::size_t const links = slot_.size();
    first_on_.resize(links);
    active_.resize(links);
    remaining_.resize(links);
    share_.resize(links);
    touched_.assign(links, 0);
    met_.assign(links, 0);
    std::uint32_t used = 0;
    for (std::size_t l = 0; l < links; ++l) {
        first_on_[l] = used;
        used += flows_on_[l];
        active_[l] = 0;  // counts them for now
    }
    on_.resize(used);
    for (std::uint32_t f = 0; f < flows(); ++f)
        for (std::uint32_t e = first_[f]; e < last_[f]; ++e) {
            std::uint32_t const l = entries_[e];
            on_[first_on_[l] + active_[l]++] = f;
        }
    open_.resize(links);
    for (std::uint32_t l = 0; l < links; ++l) {
        remaining_[l] = capacity_of(problem_, slot_[l]);
        share_[l] = remaining_[l] / active_[l];
        open_[l] = l;
    }
}

void SharedLinks::find_rates() {
    number_links();
    list_flows_of_links();
    rate_.resize(flows());
    for (std::uint32_t f = 0; f < flows(); ++f)
        rate_[f] = first_[f] < last_[f] ? is_open : problem_.measures.sharing.unit;
    fill(open_);
}

void SharedLinks::keep_rates() {
    kept_rate_ = rate_;
    kept_flows_on_ = flows_on_;
    kept_on_ = on_;
}

void SharedLinks::give_back_rates() {
    rate_ = kept_rate_;
    flows_on_ = kept_flows_on_;
    on_ = kept_on_;
}

/// Rounds over these links, whose shares are known; those of other links have no open flows.
void SharedLinks::fill(std::vector<std::uint32_t>& links) {
    for (;;) {
        std::uint64_t least = no_share;
        for (std::uint32_t const l : links) least = std::min(least, share_[l]);
        if (least == no_share) return;
        frozen_.clear();
        std::size_t kept = 0;
        for (std::uint32_t const l : links) {
            if (share_[l] != least) {
                links[kept] = l;
                kept += share_[l] != no_share;
                continue;
            }
            for (std::uint32_t i = first_on_[l]; i < first_on_[l] + flows_on_[l]; ++i) {
                std::uint32_t const f = on_[i];
                if (rate_[f] != is_open) continue;
                rate_[f] = least;
                frozen_.push_back(f);
            }
        }
        links.resize(kept);
        freeze(least);
    }
}

/// Takes the flows that were frozen off their links.
void SharedLinks::freeze(std::uint64_t share) {
    changed_.clear();
    for (std::uint32_t const f : frozen_)
        for (std::uint32_t e = first_[f]; e < last_[f]; ++e) {
            std::uint32_t const l = entries_[e];
            remaining_[l] -= share;
            --active_[l];
            if (touched_[l] == 0) changed_.push_back(l);
            touched_[l] = 1;
        }
    for (std::uint32_t const l : changed_) {
        touched_[l] = 0;
        share_[l] = active_[l] == 0 ? no_share : remaining_[l] / active_[l];
    }
}

/// The flows whose rates may change, and their links, which lose those that have ended: their rate is 0.
void SharedLinks::spread_from(std::vector<std::uint32_t> const& ended, std::uint64_t least_rate) {
    reached_links_.clear();
    reached_flows_.clear();
    auto const reach = [&](std::uint32_t flow) {
        for (std::uint32_t e = first_[flow]; e < last_[flow]; ++e) {
            if (met_[entries_[e]] != 0) continue;
            met_[entries_[e]] = 1;
            reached_links_.push_back(entries_[e]);
        }
    };
    for (std::uint32_t const f : ended) reach(f);
    for (std::size_t at = 0; at < reached_links_.size(); ++at) {
        std::uint32_t const l = reached_links_[at];
        for (std::uint32_t i = first_on_[l]; i < first_on_[l] + flows_on_[l]; ++i) {
            while (rate_[on_[i]] == 0 && i < first_on_[l] + --flows_on_[l]) on_[i] = on_[first_on_[l] + flows_on_[l]];
            if (i == first_on_[l] + flows_on_[l]) break;
            std::uint32_t const f = on_[i];
            if (rate_[f] == is_open || rate_[f] < least_rate) continue;
            old_rate_[f] = rate_[f];
            rate_[f] = is_open;
            reached_flows_.push_back(f);
            reach(f);
        }
    }
    for (std::uint32_t const l : reached_links_) {
        met_[l] = 0;
        remaining_[l] = capacity_of(problem_, slot_[l]);
        active_[l] = 0;
        for (std::uint32_t i = first_on_[l]; i < first_on_[l] + flows_on_[l]; ++i) {
            std::uint64_t const rate = rate_[on_[i]];
            if (rate == is_open) ++active_[l];
            else remaining_[l] -= rate;
        }
        share_[l] = active_[l] == 0 ? no_share : remaining_[l] / active_[l];
    }
}

/// New rates, and with them new times to end at, of what spread_from has found. @return the first of these
std::uint64_t SharedLinks::share_anew(std::uint64_t clock) {
    std::uint64_t first = no_share;
    fill(reached_links_);
    for (std::uint32_t const f : reached_flows_) {
        if (rate_[f] == old_rate_[f]) continue;
        left_[f] -= static_cast<WideWord>(old_rate_[f]) * (clock - since_[f]);
        since_[f] = clock;
        end_[f] = clock + static_cast<std::uint64_t>((left_[f] + rate_[f] - 1) / rate_[f]);
        first = std::min(first, end_[f]);
    }
    return first;
}

std::uint64_t SharedLinks::find_times() {
    SharingView const& sharing = problem_.measures.sharing;
    std::uint32_t const count = flows();
    left_.resize(count);
    end_.resize(count);
    old_rate_.resize(count);
    since_.assign(count, 0);
    std::vector<std::uint32_t>& running = running_;
    running.clear();
    std::uint64_t clock = 0;
    for (std::uint32_t f = 0; f < count; ++f) {
        left_[f] = static_cast<WideWord>(weight_[f] * sharing.time_unit) * sharing.unit;
        end_[f] = time_at(weight_[f], rate_[f]);
        if (first_[f] < last_[f]) running.push_back(f);
        else clock = std::max(clock, end_[f]);  // disturbs nobody
    }
    // Where all have one size, one that ends has a larger rate than those that still run: they have no more without it.
    if (std::adjacent_find(weight_.begin(), weight_.end(), std::not_equal_to<>()) == weight_.end())
        return count == 0 ? 0 : *std::max_element(end_.begin(), end_.end());
    std::uint64_t last = clock, next = no_share;  // next: nobody ends before
    for (std::uint32_t const f : running) next = std::min(next, end_[f]);
    StopWish const stop = StopWish::held();
    while (!running.empty()) {
        stop.heed();
        clock = std::exchange(next, no_share);
        ended_now_.clear();
        std::uint64_t least_rate = no_share;
        std::size_t kept = 0;
        for (std::uint32_t const f : running) {
            std::uint64_t const end = end_[f];
            running[kept] = f;
            kept += end != clock;
            next = end != clock && end < next ? end : next;
            if (end != clock) continue;
            ended_now_.push_back(f);
            least_rate = std::min(least_rate, std::exchange(rate_[f], 0));
        }
        running.resize(kept);
        if (ended_now_.empty()) continue;  // that of a flow which was to end then, and has become slower
        spread_from(ended_now_, least_rate);
        next = std::min(next, share_anew(clock));
        last = std::max(last, clock);
    }
    return last;
}

}  // namespace tailback::kernels
