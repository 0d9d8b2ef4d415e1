// How many flows of a random permutation meet in trees.
#include "host/search/tables/trees.hpp"

#include "host/search/tables/turns.hpp"

#include <algorithm>

namespace tailback::search {

Trees::Collisions const& Trees::counted() const {
    if (!collisions_) collisions_ = count_collisions();
    return *collisions_;
}
WideCount Trees::collisions() const { return counted().once; }
WideCount Trees::collisions_by_link() const { return counted().by_link; }

namespace {

/// What sources send over links and turns, one source after the other: sums over these of the squared numbers of its
/// targets, times what they cost.
template <class Count>
class SourceSquares {
public:
    /// @param costs by place; empty: all are 1
    SourceSquares(std::size_t count, std::vector<std::uint32_t> costs) : here_(count), costs_(std::move(costs)) {}

    /// @param places a place for each of the source's targets and link, or turn
    WideCount of(std::span<std::uint32_t const> places) {
        std::uint64_t sum = 0;
        if (costs_.empty())
            for (std::uint32_t const place : places) sum += 2 * std::uint64_t{here_[place]++} + 1;
        else
            for (std::uint32_t const place : places) sum += (2 * std::uint64_t{here_[place]++} + 1) * costs_[place];
        for (std::uint32_t const place : places) here_[place] = 0;
        return sum;
    }

private:
    std::vector<Count> here_;
    std::vector<std::uint32_t> costs_;
};

/// The places that routes take, one after the other.
class Places {
public:
    void clear() { count_ = 0; }
    /// Room for so many more.
    void make_room(std::size_t more) {
        if (count_ + more > all_.size()) all_.resize(2 * all_.size() + more);
    }
    void add(std::size_t place) { all_[count_++] = static_cast<std::uint32_t>(place); }
    std::span<std::uint32_t const> all() const { return std::span(all_).first(count_); }

private:
    std::vector<std::uint32_t> all_;
    std::size_t count_ = 0;
};

}  // namespace

/// Sums over sources of the squared numbers of targets that they send to over links, and over turns.
template <class Count>
Trees::Collisions Trees::same_sources(TurnNumbers const& turns, std::vector<std::uint32_t> turn_costs) const {
    constexpr std::size_t together = 8;
    bool const turned = turns.count() > 0;
    SourceSquares<Count> of_links(load_.size(), turn_costs.empty() ? turn_costs : costs_),
        of_turns(turns.count(), std::move(turn_costs));
    std::vector<Places> links(together), turned_at(together);  // of sources that go through a target's tree together
    std::uint32_t const switches = graph_->switches();
    std::vector<std::uint32_t> firsts(switches);
    for (std::uint32_t v = 0; v < switches; ++v) firsts[v] = graph_->first_arc(v);
    Collisions sum;
    for (std::size_t first = 0; first < everybody_.size(); first += together) {
        auto const sources = std::span(everybody_).subspan(first, std::min(together, everybody_.size() - first));
        for (std::size_t k = 0; k < together; ++k) {
            links[k].clear();
            turned_at[k].clear();
        }
        for (std::uint32_t d = 0; d < targets_.size(); ++d) {
            std::uint16_t const* const next = next_.data() + std::size_t{d} * switches;
            std::uint32_t const at = targets_[d].at;
            for (std::size_t k = 0; k < sources.size(); ++k) {
                std::uint32_t v = sources[k].at;
                if (v == at || next[v] == cut) continue;
                links[k].make_room(switches);
                turned_at[k].make_room(switches);
                for (std::uint32_t before = none; v != at;) {
                    std::uint32_t const out = firsts[v] + next[v];
                    links[k].add(out);
                    if (turned && before != none) turned_at[k].add(turns.of(before, out));
                    before = out;
                    v = heads_[out];
                }
            }
        }
        for (std::size_t k = 0; k < sources.size(); ++k) {
            sum.by_link += of_links.of(links[k].all()) * sources[k].amount;
            sum.once += of_turns.of(turned_at[k].all()) * sources[k].amount;
        }
    }
    return sum;
}

Trees::Collisions Trees::count_collisions() const {
    std::uint32_t const arcs = static_cast<std::uint32_t>(load_.size()), switches = graph_->switches();
    TurnNumbers const turns(*graph_);
    bool const turned = turns.count() > 0;
    std::vector<std::uint32_t> costs;  // of turns, where not all are 1
    if (std::ranges::any_of(costs_, [](std::uint32_t cost) { return cost != 1; })) {
        costs.resize(turns.count() + 1);
        for (std::uint32_t a = 0; a < arcs && turned; ++a)
            for (std::uint32_t then = graph_->first_arc(heads_[a]); then < graph_->first_arc(heads_[a] + 1); ++then)
                costs[turns.of(a, then)] = std::min(costs_[a], costs_[then]);
    }
    auto const cost_of = [&](std::size_t turn) { return costs.empty() ? 1 : costs[turn]; };
    std::vector<std::uint64_t> flows(turns.count());
    Collisions twice;
    for (std::uint32_t d = 0; d < targets_.size(); ++d)
        for (std::uint32_t v = 0; v < switches; ++v)
            if (std::uint64_t const x = weight(d, v); x > 0) {
                std::uint32_t const out = arc(d, v);
                twice.by_link -= x * x * costs_[out];
                if (!turned || heads_[out] == targets_[d].at) continue;
                std::size_t const turn = turns.of(out, arc(d, heads_[out]));
                flows[turn] += x;
                twice.once -= x * x * cost_of(turn);
            }
    for (std::uint32_t a = 0; a < arcs; ++a) twice.by_link += (WideCount(load_[a]) * load_[a] + load_[a]) * costs_[a];
    for (std::size_t t = 0; t < flows.size(); ++t)
        twice.once += (WideCount(flows[t]) * flows[t] + flows[t]) * cost_of(t);
    Collisions const same = targets_.size() <= UINT16_MAX ? same_sources<std::uint16_t>(turns, std::move(costs))
                                                          : same_sources<std::uint32_t>(turns, std::move(costs));
    WideCount const by_link = (twice.by_link - same.by_link) / 2;
    return {by_link, by_link - (twice.once - same.once) / 2};
}

WideCount Trees::objective() const { return is_by_traffic_ ? objective_by_link() : collisions(); }

WideCount Trees::objective_by_link() const {
    if (!is_by_traffic_) return collisions_by_link();
    WideCount sum = 0;
    for (std::size_t a = 0; a < load_.size(); ++a) sum += WideCount(load_[a]) * load_[a] * costs_[a];
    return sum / 2;
}

double Trees::per_permutation(WideCount collisions) const {
    double const hosts = double(graph_->seats().size());
    return hosts < 2 ? 0 : double(collisions) / graph_->denominator() / (hosts * (hosts - 1));
}

}  // namespace tailback::search
