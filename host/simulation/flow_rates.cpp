#include "host/simulation/flow_rates.hpp"

#include "kernels/sharing/max_min.hpp"

#include <algorithm>
#include <functional>

namespace tailback::simulation {

void FlowRates::begin(std::span<std::uint64_t const> capacity, std::uint64_t rate_without_link) {
    capacity_ = capacity;
    rate_without_link_ = rate_without_link;
    flows_.clear();
    free_.clear();
    started_.clear();
    ended_.clear();
    heap_.clear();
    links_.assign(capacity.size(), {});
    for (std::vector<Flow>& flows : on_) flows.clear();
    if (on_.size() < capacity.size()) on_.resize(capacity.size());
}

FlowRates::Flow FlowRates::start(std::span<std::uint32_t const> links, kernels::WideWord volume, std::uint32_t task) {
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
                    .rate = is_open,
                    .old_rate = 0,
                    .left = volume,
                    .since = 0,
                    .end = 0,
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

/// The links' lists of flows. @return below this rate nothing changes.
std::uint64_t FlowRates::take_off_and_put_on() {
    std::uint64_t threshold = no_share;
    for (Flow const f : ended_) {
        threshold = std::min(threshold, flows_[f].rate);
        meet_links(flows_[f]);
    }
    for (std::uint32_t const l : reached_links_) std::erase_if(on_[l], [&](Flow const f) { return !flows_[f].runs; });
    for (Flow const f : started_) {
        meet_links(flows_[f]);
        for (std::uint32_t i = 0; i < flows_[f].count; ++i) on_[flows_[f].links[i]].push_back(f);
    }
    for (Flow const f : started_)
        for (std::uint32_t i = 0; i < flows_[f].count; ++i) {
            std::uint32_t const l = flows_[f].links[i];
            threshold = std::min(threshold, kernels::fair_share<false>(capacity_[l], on_[l].size()));
        }
    return threshold;
}

/// Opens the flows whose rates may change, and finds their links' shares.
void FlowRates::spread(std::uint64_t threshold) {
    for (std::size_t at = 0; at < reached_links_.size(); ++at)
        for (Flow const f : on_[reached_links_[at]]) {
            Running& flow = flows_[f];
            if (flow.rate == is_open || flow.rate < threshold) continue;
            flow.old_rate = flow.rate;
            flow.rate = is_open;
            reached_flows_.push_back(f);
            meet_links(flow);
        }
    open_.clear();
    for (std::uint32_t const l : reached_links_) {
        Link& link = links_[l];
        link.met = false;
        link.remaining = capacity_[l];
        link.active = 0;
        for (Flow const f : on_[l]) {
            std::uint64_t const rate = flows_[f].rate;
            if (rate == is_open) ++link.active;
            else link.remaining -= rate;
        }
        link.share = link.active == 0 ? no_share : kernels::fair_share<false>(link.remaining, link.active);
        if (link.active > 0) open_.push_back(l);
    }
}

/// Rounds over the open links.
void FlowRates::fill() {
    for (;;) {
        std::uint64_t least = no_share;
        for (std::uint32_t const l : open_) least = std::min(least, links_[l].share);
        if (least == no_share) return;
        frozen_.clear();
        std::size_t kept = 0;
        for (std::uint32_t const l : open_) {
            std::uint64_t const share = links_[l].share;
            if (share != least) {
                open_[kept] = l;
                kept += share != no_share;
                continue;
            }
            for (Flow const f : on_[l]) {
                if (flows_[f].rate != is_open) continue;
                flows_[f].rate = least;
                frozen_.push_back(f);
            }
        }
        open_.resize(kept);
        freeze(least);
    }
}

/// Takes the flows that were frozen off their links.
void FlowRates::freeze(std::uint64_t share) {
    changed_.clear();
    for (Flow const f : frozen_)
        for (std::uint32_t i = 0; i < flows_[f].count; ++i) {
            std::uint32_t const l = flows_[f].links[i];
            Link& link = links_[l];
            link.remaining -= share;
            --link.active;
            if (!link.touched) changed_.push_back(l);
            link.touched = true;
        }
    for (std::uint32_t const l : changed_) {
        Link& link = links_[l];
        link.touched = false;
        link.share = link.active == 0 ? no_share : kernels::fair_share<false>(link.remaining, link.active);
    }
}

void FlowRates::find_end(Flow f, Ticks now) {
    Running& flow = flows_[f];
    flow.left -= static_cast<kernels::WideWord>(flow.old_rate) * (now - flow.since);
    flow.since = now;
    flow.end = now + static_cast<Ticks>((flow.left + flow.rate - 1) / flow.rate);
    heap_.push_back({flow.end, f});
    std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
}

void FlowRates::share(Ticks now) {
    reached_links_.clear();
    reached_flows_.clear();
    std::uint64_t const threshold = take_off_and_put_on();
    for (Flow const f : started_) {
        reached_flows_.push_back(f);
        flows_[f].since = now;
        if (flows_[f].count == 0) flows_[f].rate = rate_without_link_;
    }
    started_.clear();
    spread(threshold);
    fill();
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
