#include "kernels/cpu/fast/stages.hpp"

#include "kernels/cpu/fast/draw_places.hpp"
#include "kernels/cpu/fast/team.hpp"
#include "kernels/evaluate/place_ranks.hpp"
#include "kernels/evaluate/weights.hpp"

#include <algorithm>

namespace tailback::kernels::stages {

template <class HostWord>
Mapping<HostWord>::Mapping(Problem const& p, Rows<HostWord> const& rows)
    : p_(p), rows_(rows), scratch_(p, rows.links->row_bytes(), rows.finder->splits()) {
    pairs_only_ = p.traffic.level_count == 1 && in_pairs(p.traffic.levels[0]);
    if (p.routes.cost == nullptr) return;
    wide_costs_.assign(p.routes.cost, p.routes.cost + p.routes.inner);
    largest_cost_ = std::max(1u, wide_costs_.empty() ? 1u : *std::max_element(wide_costs_.begin(), wide_costs_.end()));
    wide_costs_.resize(std::size_t{p.routes.inner} + padding_counters);
    for (std::uint32_t const cost : wide_costs_) narrow_costs_.push_back(static_cast<std::uint16_t>(cost));
}

template <class HostWord>
MappingTally Mapping<HostWord>::evaluate(std::uint64_t m, TotalsView const& totals) {
    MappingTally tally;
    auto& s = scratch_;
    place_ranks(m);
    if (passes_delays(p_)) std::fill_n(s.after, p_.placement.ranks, 0);
    for (std::uint32_t l = 0; l < p_.traffic.level_count; ++l) {
        LevelView const& level = p_.traffic.levels[l];
        AbsentFlows const& absent = find_rows(level);
        tally.local += absent.by_fate[0];
        tally.unreachable += absent.by_fate[1];
        tally.loop += absent.by_fate[2];
        tally.misdelivered += absent.by_fate[3];
        tally.delivered += level.routes_to_keep - absent.count;
        count(level);
        ReadBack const found = read_back(level, totals);
        tally.share_sum += found.share_sum;
        tally.congestion_sum += found.largest;
        if (p_.measures.wants_route_links) count_route_links(level, tally, totals);
        note_links(level, totals);
    }
    if (passes_delays(p_))
        for (std::uint32_t r = 0; r < p_.traffic.measured_ranks; ++r) tally.delay = std::max(tally.delay, s.after[r]);
    else if (p_.measures.wants_delay) tally.delay = tally.congestion_sum;
    if (p_.measures.wants_histogram)
        for (std::uint32_t c = 0; c < near_bins; ++c) {
            if (s.histogram[c] != 0) totals.histogram[c] += s.histogram[c];  // the totals may be shorter
            s.histogram[c] = 0;
        }
    return tally;
}

template <class HostWord>
void Mapping<HostWord>::place_ranks(std::uint64_t m) {
    auto& s = scratch_;
    mapping_ = m;
    switch (p_.placement.source) {
        case MappingSource::random:
            draw(Stream::mapping, m, p_.placement.ranks, p_.placement.ranks, s.host_index_of_rank);
            break;
        case MappingSource::identity: std::copy_n(s.identity, p_.placement.ranks, s.host_index_of_rank); break;
        case MappingSource::listed:
            for (std::uint32_t r = 0; r < p_.placement.ranks; ++r)
                s.host_index_of_rank[r] = static_cast<HostWord>(
                    p_.placement.listed[(m - p_.placement.first_listed) * p_.placement.ranks + r]);
            break;
    }
    if (p_.placement.draw_subset) {
        draw_places(PermutationDraws(p_.seed, Stream::subset, m, p_.placement.study_hosts), p_.placement.ranks, nullptr,
                    s.subset);
        CpuTeam alone;
        kernel::settle_subset(alone, p_.placement.ranks, s.host_index_of_rank, s.subset, true);
    }
    for (std::uint32_t k = 0; k < 2; ++k)
        if (p_.traffic.drawn_ranks[k] > 0)
            draw(k == 0 ? Stream::first_pattern : Stream::second_pattern, m, p_.traffic.drawn_ranks[k],
                 p_.traffic.drawn_ranks[k], s.drawn[k]);
}

template <class HostWord>
void Mapping<HostWord>::draw(Stream stream, std::uint64_t m, std::uint32_t size, std::uint32_t steps,
                             HostWord* places) {
    draw_places(PermutationDraws(p_.seed, stream, m, size), steps, scratch_.identity, places);
}

template <class HostWord>
bool Mapping<HostWord>::in_pairs(LevelView const& level) const {
    if (level.flows != level.routes_to_keep) return false;
    RankPair const* const flows = p_.traffic.flows + level.first_flow;
    for (std::uint32_t f = 0; f < level.flows; ++f)
        if (flows[f].source != 2 * f + 1 || flows[f].destination != 2 * f) return false;
    return true;
}

template <class HostWord>
AbsentFlows const& Mapping<HostWord>::find_rows(LevelView const& level) {
    odd_ = {{scratch_.absent}, {scratch_.split}};
    rows_.finder->find({mapping_,
                        p_.traffic.flows + level.first_flow,
                        &level,
                        scratch_.host_index_of_rank,
                        {scratch_.drawn[0], scratch_.drawn[1]},
                        pairs_only_},
                       scratch_.rows, odd_);
    return odd_.absent;
}

template <class HostWord>
template <class Counter>
FlowsToCount<Counter> Mapping<HostWord>::to_count(LevelView const& level, Counter* counters,
                                                  std::vector<Counter> const& costs) const {
    return {scratch_.rows, rows_of(level), counters, costs.empty() ? nullptr : costs.data(), level.routes_to_keep};
}

template <class HostWord>
void Mapping<HostWord>::count(LevelView const& level) {
    auto& s = scratch_;
    wide_ = p_.routes.cost != nullptr && std::uint64_t{level.routes_to_keep} * largest_cost_ > 0xFFFF;
    if (!wide_ && rows_.links->count(to_count(level, s.counters, narrow_costs_))) return;
    // Some counter passes 65,535.
    std::fill_n(s.counters, p_.routes.inner, std::uint16_t{0});
    wide_ = true;
    s.wide_counters.resize(std::size_t{p_.routes.inner} + padding_counters);
    rows_.links->count(to_count(level, s.wide_counters.data(), wide_costs_));
}

template <class HostWord>
template <class Act>
void Mapping<HostWord>::with_counters(Act&& act) {
    if (wide_) act(scratch_.wide_counters.data());
    else act(scratch_.counters);
}

template <class HostWord>
ReadBack Mapping<HostWord>::read_back(LevelView const& level, TotalsView const& totals) {
    ReadBack found;
    with_counters([&](auto* counters) { found = read_back(level, counters); });
    if (odd_.absent.count > 0) note_absent(level, found);
    if (p_.measures.wants_histogram) note_histogram(level, totals);
    if (passes_delays(p_)) note_delays(level);
    return found;
}

template <class HostWord>
template <class Counter>
ReadBack Mapping<HostWord>::read_back(LevelView const& level, Counter const* counters) {
    std::uint32_t const all = level.routes_to_keep;
    if (finds_floors(level)) {
        find_floors(level);
        return read_back(level, 0, all, counters, scratch_.min_congestions);
    }
    if (level.unit_min_congestion) return read_back(level, 0, all, counters, nullptr);
    ReadBack found = read_back(level, 0, level.flows, counters, p_.traffic.min_congestions + level.first_flow);
    found.add(read_back(level, level.flows, all, counters, nullptr));
    return found;
}

template <class HostWord>
template <class Counter>
ReadBack Mapping<HostWord>::read_back(LevelView const& level, std::uint32_t from, std::uint32_t to,
                                      Counter const* counters, std::uint32_t const* min_congestions) {
    if (from == to) return {};
    auto& s = scratch_;
    FlowsToRead<Counter> const flows{s.rows + from * rows_.links->row_bytes(),
                                     to - from,
                                     counters,
                                     min_congestions,
                                     p_.measures.share,
                                     p_.measures.max_congestion,
                                     p_.measures.wants_histogram || passes_delays(p_) ? s.congestion + from : nullptr};
    ReadBack found = rows_.links->read_back(flows);
    if (odd_.split.count > 0) add_further(flows, from, level.routes_to_keep, found);
    return found;
}

/// The further rows, which begin at row `all`, of flows `from` .. : these were read as if they had none.
template <class HostWord>
template <class Counter>
void Mapping<HostWord>::add_further(FlowsToRead<Counter> const& flows, std::uint32_t from, std::uint32_t all,
                                    ReadBack& found) {
    std::size_t const row_bytes = rows_.links->row_bytes();
    auto const congestion_of = [&](std::uint32_t row, std::uint32_t const* min_congestion) {
        std::uint32_t congestion = 0;
        rows_.links->read_back(FlowsToRead<Counter>{scratch_.rows + row * row_bytes, 1, flows.counters, min_congestion,
                                                    flows.share, flows.max_congestion, &congestion});
        return congestion;
    };
    for (std::uint32_t i = 0; i < odd_.split.count; ++i) {
        std::uint32_t const place = odd_.split.places[i], f = place - from;
        if (place < from || f >= flows.count) continue;
        std::uint32_t const near =
            congestion_of(place, flows.min_congestions != nullptr ? flows.min_congestions + f : nullptr);
        std::uint32_t const all_links = std::max(near, congestion_of(all + i, nullptr));
        found.share_sum += flows.share[all_links] - flows.share[near];
        found.largest = std::max(found.largest, all_links);
        if (flows.congestion != nullptr) flows.congestion[f] = all_links;
    }
}

template <class HostWord>
void Mapping<HostWord>::note_links(LevelView const& level, TotalsView const& totals) {
    if (p_.measures.wants_link_sums && p_.measures.count_host_links) add_host_links(level, totals);
    with_counters([&](auto* counters) { note_links(level, counters, totals); });
}

template <class HostWord>
template <class Counter>
void Mapping<HostWord>::note_links(LevelView const& level, Counter* counters, TotalsView const& totals) {
    std::uint64_t* const sums = p_.measures.wants_link_sums ? totals.link_sums : nullptr;
    if (level.sparse) return rows_.links->clear(scratch_.rows, rows_of(level), counters, sums);
    if (sums != nullptr && p_.routes.cost == nullptr)
        for (std::uint32_t slot = 0; slot < p_.routes.inner; ++slot) sums[slot] += counters[slot];
    else if (sums != nullptr)
        for (std::uint32_t slot = 0; slot < p_.routes.inner; ++slot)
            if (counters[slot] != 0) sums[slot] += counters[slot] / wide_costs_[slot];
    std::fill_n(counters, p_.routes.inner, Counter{0});
}

/// Do the floors of the level's flows depend on the mapping?
template <class HostWord>
bool Mapping<HostWord>::finds_floors(LevelView const& level) const {
    return counts_host_links(p_) &&
           (p_.routes.cost != nullptr || (odd_.absent.count > 0 && !level.unit_min_congestion));
}

/// The larger congestion of each flow's two host links.
template <class HostWord>
void Mapping<HostWord>::find_floors(LevelView const& level) {
    HostWord const* const host_index = scratch_.host_index_of_rank;
    std::uint32_t *const up = scratch_.host_loads, *const down = up + p_.placement.study_hosts;
    each_flow(level, [&](std::uint32_t, std::uint32_t from, std::uint32_t to) {
        ++up[host_index[from]];
        ++down[host_index[to]];
    });
    auto const congestion = [&](std::uint32_t const* load) {
        std::size_t const slot = p_.routes.inner + 4 + std::size_t(load - scratch_.host_loads);
        return *load * (p_.routes.cost != nullptr ? p_.routes.cost[slot] : 1);
    };
    std::fill_n(scratch_.min_congestions, level.routes_to_keep, 1);
    each_flow(level, [&](std::uint32_t place, std::uint32_t from, std::uint32_t to) {
        scratch_.min_congestions[place] =
            std::max(congestion(up + host_index[from]), congestion(down + host_index[to]));
    });
    each_flow(level, [&](std::uint32_t, std::uint32_t from, std::uint32_t to) {
        up[host_index[from]] = down[host_index[to]] = 0;
    });
}

/// Absent flows were read as alone on their way.
template <class HostWord>
void Mapping<HostWord>::note_absent(LevelView const& level, ReadBack& found) {
    AbsentFlows const& absent = odd_.absent;
    found.share_sum -= absent.count * p_.measures.share[1];
    if (absent.count == level.routes_to_keep) found.largest = 0;
    if (p_.measures.wants_histogram || passes_delays(p_))
        for (std::uint32_t i = 0; i < absent.count; ++i) scratch_.congestion[absent.places[i]] = 0;
}

template <class HostWord>
void Mapping<HostWord>::note_histogram(LevelView const& level, TotalsView const& totals) {
    for (std::uint32_t f = 0; f < level.routes_to_keep; ++f) {
        std::uint32_t const c = scratch_.congestion[f];
        if (c == 0) continue;
        if (c < near_bins) ++scratch_.histogram[c];
        else ++totals.histogram[c];
    }
}

template <class HostWord>
void Mapping<HostWord>::note_delays(LevelView const& level) {
    auto& s = scratch_;
    std::copy_n(s.after, p_.traffic.measured_ranks, s.before);
    each_flow(level, [&](std::uint32_t place, std::uint32_t from, std::uint32_t to) {
        if (from < p_.traffic.measured_ranks && to < p_.traffic.measured_ranks)
            s.after[to] = std::max(s.after[to], s.before[from] + s.congestion[place]);
    });
}

template <class HostWord>
void Mapping<HostWord>::count_route_links(LevelView const& level, MappingTally& tally, TotalsView const& totals) {
    rows_.links->measure(scratch_.rows, rows_of(level), scratch_.lengths);
    for (std::uint32_t i = 0; i < odd_.split.count; ++i)
        scratch_.lengths[odd_.split.places[i]] += scratch_.lengths[level.routes_to_keep + i];
    each_flow(level, [&](std::uint32_t place, std::uint32_t, std::uint32_t) {
        std::uint32_t const links = scratch_.lengths[place] + (p_.routes.host_links_implied ? 2 : 0);
        tally.route_links += links;
        tally.hop_weight += hops_of(links);
        ++tally.flow_weight;
        ++totals.lengths[links];
    });
}

template <class HostWord>
void Mapping<HostWord>::add_host_links(LevelView const& level, TotalsView const& totals) {
    HostWord const* const host_index = scratch_.host_index_of_rank;
    std::uint64_t* const up = totals.link_sums + p_.routes.inner + 4;
    std::uint64_t* const down = up + p_.placement.study_hosts;
    each_flow(level, [&](std::uint32_t, std::uint32_t from, std::uint32_t to) {
        ++up[host_index[from]];
        ++down[host_index[to]];
    });
}

/// Calls visit(place, source rank, destination rank) for every flow that is not absent.
template <class HostWord>
template <class Visit>
void Mapping<HostWord>::each_flow(LevelView const& level, Visit&& visit) const {
    std::uint32_t const* absent = odd_.absent.places;
    std::uint32_t const* const end = absent + odd_.absent.count;
    auto const is_absent = [&](std::uint32_t place) { return absent != end && *absent == place && (++absent, true); };
    RankPair const* const flows = p_.traffic.flows + level.first_flow;
    std::uint32_t place = 0;
    for (; place < level.flows; ++place)
        if (!is_absent(place)) visit(place, flows[place].source, flows[place].destination);
    for (RandomPart const& part : level.random) {
        HostWord const* const pi = scratch_.drawn[part.drawn];
        for (std::uint32_t i = 0; i < part.ranks; ++i, ++place)
            if (!is_absent(place)) visit(place, part.first_rank + i, part.first_rank + pi[i]);
    }
}

template class Mapping<std::uint16_t>;
template class Mapping<std::uint32_t>;

}  // namespace tailback::kernels::stages
