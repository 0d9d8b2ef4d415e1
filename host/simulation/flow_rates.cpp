#include "host/simulation/flow_rates.hpp"

#include <algorithm>
#include <functional>

namespace tailback::simulation {

void FlowRates::begin(std::span<std::uint64_t const> capacity, std::uint64_t rate_without_link, Shape shape) {
    capacity_ = capacity;
    rate_without_link_ = rate_without_link;
    shape_ = shape;
    flows_.clear();
    free_.clear();
    started_.clear();
    ended_.clear();
    heap_.clear();
    links_.assign(capacity.size(), {});
    for (std::vector<Flow>& flows : on_) flows.clear();
    if (on_.size() < capacity.size() * shape.ranks) on_.resize(capacity.size() * shape.ranks);
    left_.clear();
    for (std::uint32_t rank = 1; rank < shape.ranks; ++rank)
        left_.insert(left_.end(), capacity.begin(), capacity.end());
}

FlowRates::Flow FlowRates::start(std::span<std::uint32_t const> links, kernels::WideWord volume, std::uint32_t task,
                                 FlowClass treatment) {
    Flow flow;
    if (free_.empty()) {
        flow = static_cast<Flow>(flows_.size());
        flows_.emplace_back();
    } else {
        flow = free_.back();
        free_.pop_back();
    }
    flows_[flow] = {.links = links.data(),
                    .count = static_cast<std::uint32_t>(links.size()),
                    .task = task,
                    .rank = treatment.rank,
                    .weight = treatment.weight,
                    .rate = is_open,
                    .old_rate = 0,
                    .share = no_share,
                    .left = volume,
                    .since = 0,
                    .end = never,
                    .runs = true};
    started_.push_back(flow);
    return flow;
}

void FlowRates::meet_links(Running const& flow) {
    for (std::uint32_t i = 0; i < flow.count; ++i) {
        std::uint32_t const l = flow.links[i];
        if (links_[l].met) continue;
        links_[l].met = true;
        reached_links_.push_back(l);
    }
}

std::uint64_t FlowRates::weight_on(std::uint32_t rank, std::uint32_t link) {
    std::vector<Flow> const& flows = on(rank, link);
    if (!shape_.by_weight) return flows.size();
    std::uint64_t weight = 0;
    for (Flow const f : flows) weight += flows_[f].weight;
    return weight;
}

/// The links' lists of flows of the rank. @return below this share nothing changes.
FlowRates::Share FlowRates::take_off_and_put_on(std::uint32_t rank) {
    Share threshold = no_share;
    for (Flow const f : ended_) {
        if (flows_[f].rank != rank) continue;
        threshold = std::min(threshold, flows_[f].share);
        meet_links(flows_[f]);
    }
    for (std::uint32_t const l : reached_links_)
        std::erase_if(on(rank, l), [&](Flow const f) { return !flows_[f].runs; });
    for (Flow const f : started_) {
        if (flows_[f].rank != rank) continue;
        meet_links(flows_[f]);
        for (std::uint32_t i = 0; i < flows_[f].count; ++i) on(rank, flows_[f].links[i]).push_back(f);
    }
    for (Flow const f : started_)
        for (std::uint32_t i = 0; flows_[f].rank == rank && i < flows_[f].count; ++i) {
            std::uint32_t const l = flows_[f].links[i];
            threshold = std::min(threshold, share_of(capacity(rank, l), weight_on(rank, l)));
        }
    for (Changed const& changed : changed_) {
        if (std::uint64_t const weight = weight_on(rank, changed.link); weight > 0)
            threshold = std::min(threshold, share_of(changed.capacity, weight));
        if (links_[changed.link].met) continue;
        links_[changed.link].met = true;
        reached_links_.push_back(changed.link);
    }
    return threshold;
}

/// Opens the flows whose rates may change, and finds their links' shares.
void FlowRates::spread(std::uint32_t rank, Share threshold) {
    for (std::size_t at = 0; at < reached_links_.size(); ++at)
        for (Flow const f : on(rank, reached_links_[at])) {
            Running& flow = flows_[f];
            if (flow.rate == is_open || flow.share < threshold) continue;
            flow.old_rate = flow.rate;
            flow.rate = is_open;
            reached_flows_.push_back(f);
            meet_links(flow);
        }
    open_.clear();
    for (std::uint32_t const l : reached_links_) {
        Link& link = links_[l];
        link.met = false;
        link.remaining = capacity(rank, l);
        link.active = 0;
        for (Flow const f : on(rank, l)) {
            std::uint64_t const rate = flows_[f].rate;
            if (rate == is_open) link.active += shape_.by_weight ? flows_[f].weight : 1;
            else link.remaining -= rate;
        }
        link.share = link.active == 0 ? no_share : share_of(link.remaining, link.active);
        if (link.active > 0) open_.push_back(l);
    }
}

/// Rounds over the open links.
void FlowRates::fill(std::uint32_t rank) {
    for (;;) {
        Share least = no_share;
        for (std::uint32_t const l : open_) least = std::min(least, links_[l].share);
        if (least == no_share) return;
        frozen_.clear();
        std::size_t kept = 0;
        for (std::uint32_t const l : open_) {
            Share const share = links_[l].share;
            if (share != least) {
                open_[kept] = l;
                kept += share != no_share;
                continue;
            }
            for (Flow const f : on(rank, l)) {
                if (flows_[f].rate != is_open) continue;
                flows_[f].rate = rate_of(least, flows_[f].weight);
                flows_[f].share = least;
                frozen_.push_back(f);
            }
        }
        open_.resize(kept);
        freeze();
    }
}

/// Takes the flows that were frozen off their links.
void FlowRates::freeze() {
    touched_.clear();
    for (Flow const f : frozen_)
        for (std::uint32_t i = 0; i < flows_[f].count; ++i) {
            std::uint32_t const l = flows_[f].links[i];
            Link& link = links_[l];
            link.remaining -= flows_[f].rate;
            link.active -= shape_.by_weight ? flows_[f].weight : 1;
            if (!link.touched) touched_.push_back(l);
            link.touched = true;
        }
    for (std::uint32_t const l : touched_) {
        Link& link = links_[l];
        link.touched = false;
        link.share = link.active == 0 ? no_share : share_of(link.remaining, link.active);
    }
}

/// What the rank leaves of its links goes to the next. What rounding has left of a full link is nothing.
void FlowRates::hand_down(std::uint32_t rank) {
    std::uint64_t const negligible = rate_without_link_ >> negligible_bits;
    changed_.clear();
    for (std::uint32_t const l : reached_links_) {
        std::uint64_t const rest = links_[l].remaining < negligible ? 0 : links_[l].remaining;
        std::uint64_t& left = left_[rank * capacity_.size() + l];
        if (rest != left) changed_.push_back({l, std::min(rest, left)});
        left = rest;
    }
}

void FlowRates::share_rank(std::uint32_t rank) {
    reached_links_.clear();
    Share const threshold = take_off_and_put_on(rank);
    changed_.clear();
    if (reached_links_.empty()) return;
    spread(rank, threshold);
    fill(rank);
    if (rank + 1 < shape_.ranks) hand_down(rank);
}

void FlowRates::find_end(Flow f, Ticks now) {
    Running& flow = flows_[f];
    flow.left -= static_cast<kernels::WideWord>(flow.old_rate) * (now - flow.since);
    flow.since = now;
    kernels::WideWord const wait = flow.rate == 0 ? never : (flow.left + flow.rate - 1) / flow.rate;
    flow.end = wait >= never - now ? never : now + static_cast<Ticks>(wait);
    if (flow.end == never) return;
    heap_.push_back({flow.end, f});
    std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
}

void FlowRates::share(Ticks now) {
    reached_flows_.clear();
    for (Flow const f : started_) {
        reached_flows_.push_back(f);
        flows_[f].since = now;
        if (flows_[f].count == 0) flows_[f].rate = rate_without_link_;
    }
    changed_.clear();
    for (std::uint32_t rank = 0; rank < shape_.ranks; ++rank) share_rank(rank);
    started_.clear();
    for (Flow const f : reached_flows_)
        if (flows_[f].rate != flows_[f].old_rate) find_end(f, now);
    drop_stale();
}

void FlowRates::forget_ended() {
    free_.insert(free_.end(), ended_.begin(), ended_.end());
    ended_.clear();
}

void FlowRates::pop() {
    std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
    heap_.pop_back();
}

Ticks FlowRates::next_end() {
    while (!heap_.empty() && is_stale(heap_.front())) pop();
    return heap_.empty() ? ~Ticks{0} : heap_.front().time;
}

/// Keeps the heap from growing with entries that are not true any more.
void FlowRates::drop_stale() {
    if (heap_.size() < 4 * flows_.size() + 1024) return;
    std::erase_if(heap_, [&](End const& end) { return is_stale(end); });
    std::sort(heap_.begin(), heap_.end(), [](End const& a, End const& b) { return b > a; });
    auto const same = [](End const& a, End const& b) { return a.time == b.time && a.flow == b.flow; };
    heap_.erase(std::unique(heap_.begin(), heap_.end(), same), heap_.end());
}

}  // namespace tailback::simulation
