// Which arcs a switch may send by towards a target's switch: all first links of shortest ways, or of up*/down* ways by
// an order of the switches.
#pragma once

#include "host/search/switch_graph.hpp"
#include "host/search/tables/valleys.hpp"

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace tailback::search {

/// Whatever arcs are chosen of these, ways lead to the target: each arc leads one link nearer.
struct WaysTo {
    std::vector<std::uint32_t> order;  ///< switches with a way, nearest first, without the target's own
    std::vector<std::uint32_t> first;  ///< arcs of order[i]: first[i] .. first[i + 1] - 1
    std::vector<std::uint32_t> arcs;
    std::span<std::uint32_t const> of(std::size_t i) const {
        return std::span(arcs).subspan(first[i], first[i + 1] - first[i]);
    }
};

class LegalWays {
public:
    /// Of fewest links. @param slack `allows` and `most_hops` let ways take so many links more
    static LegalWays shortest(SwitchGraph const& graph, std::uint32_t slack = 0);
    /// Up*/down*, free of deadlock on one lane whatever is chosen: up leads to an earlier place. Whoever has a way down
    /// takes it. One-way links are not used. @param place of each switch, 0 .. switches - 1, each once
    /// @param valleys that join those whom the order does not; the audit has to judge them
    static LegalWays by_order(SwitchGraph const& graph, std::span<std::uint32_t const> place,
                              std::span<Valley const> valleys = {}, std::uint32_t slack = 0);

    /// To a switch with seats, without slack.
    WaysTo const& to(std::uint32_t s) const { return ways_[s]; }
    std::uint32_t slack() const { return slack_; }
    /// Links that a way may take, with slack, where there is some.
    std::uint32_t most_hops(std::uint32_t target, std::uint32_t v) const {
        return most_hops_[std::size_t{number_[target]} * ways_.size() + v];
    }
    /// With slack not every choice of arcs leads to the target: MovableTrees::keeps knows.
    bool allows(std::uint32_t target, std::uint32_t arc) const {
        return (bits_[std::size_t{number_[target]} * words_ + arc / 64] >> (arc % 64) & 1) != 0;
    }
    /// How many of these arcs are allowed, and which is number n of them.
    std::uint32_t count_allowed(std::uint32_t target, std::uint32_t first, std::uint32_t end) const {
        std::uint32_t count = 0;
        each_word(target, first, end, [&](std::uint32_t, std::uint64_t word) {
            count += static_cast<std::uint32_t>(std::popcount(word));
            return true;
        });
        return count;
    }
    std::uint32_t allowed(std::uint32_t target, std::uint32_t first, std::uint32_t end, std::uint32_t n) const {
        std::uint32_t arc = SwitchGraph::none;
        each_word(target, first, end, [&](std::uint32_t at, std::uint64_t word) {
            auto const here = static_cast<std::uint32_t>(std::popcount(word));
            if (n >= here) return n -= here, true;
            for (; n > 0; --n) word &= word - 1;
            arc = at * 64 + static_cast<std::uint32_t>(std::countr_zero(word));
            return false;
        });
        return arc;
    }

private:
    /// `visit(number, bits)` until it returns false.
    template <class Visit>
    void each_word(std::uint32_t target, std::uint32_t first, std::uint32_t end, Visit const& visit) const {
        std::uint64_t const* const words = bits_.data() + std::size_t{number_[target]} * words_;
        for (std::uint32_t at = first / 64; at * 64 < end; ++at) {
            std::uint64_t word = words[at];
            if (at == first / 64) word &= ~std::uint64_t{0} << (first % 64);
            if (end - at * 64 < 64) word &= (std::uint64_t{1} << (end - at * 64)) - 1;
            if (!visit(at, word)) return;
        }
    }
    LegalWays(SwitchGraph const& graph, std::uint32_t slack);
    void set(std::uint32_t target, WaysTo ways);
    template <class May>
    void set(SwitchGraph const& graph, std::uint32_t target, std::span<std::uint32_t const> hops, May const& may);

    std::vector<WaysTo> ways_;           // by switch; empty where nobody sits
    std::vector<std::uint32_t> number_;  // by switch: among those with seats
    std::size_t words_ = 0;
    std::vector<std::uint64_t> bits_;  // [number][arc]
    std::uint32_t slack_ = 0;
    std::vector<std::uint16_t> most_hops_;  // [number][switch], where there is slack
};

/// Switches in the order of these hops, each with the arcs that lead one hop nearer and `may` be taken.
template <class May>
WaysTo ways_by_hops(SwitchGraph const& graph, std::span<std::uint32_t const> hops, May const& may) {
    std::vector<std::uint32_t> start;
    for (std::uint32_t v = 0; v < graph.switches(); ++v) {
        if (hops[v] == SwitchGraph::none || hops[v] == 0) continue;
        if (start.size() < hops[v] + std::size_t{1}) start.resize(hops[v] + std::size_t{1});
        ++start[hops[v]];
    }
    std::uint32_t sum = 0;
    std::size_t arcs = 0;
    for (Arc const& arc : graph.arcs())
        arcs += hops[arc.from] != SwitchGraph::none && hops[arc.to] + 1 == hops[arc.from];
    for (std::uint32_t& at : start) {
        std::uint32_t const here = at;
        at = sum;
        sum += here;
    }
    WaysTo ways;
    ways.arcs.reserve(arcs);
    ways.order.resize(sum);
    for (std::uint32_t v = 0; v < graph.switches(); ++v)
        if (hops[v] != SwitchGraph::none && hops[v] != 0) ways.order[start[hops[v]]++] = v;
    ways.first.reserve(ways.order.size() + 1);
    ways.first.push_back(0);
    for (std::uint32_t const v : ways.order) {
        for (std::uint32_t a = graph.first_arc(v); a < graph.first_arc(v + 1); ++a)
            if (std::uint32_t const to = hops[graph[a].to]; to != SwitchGraph::none && to + 1 == hops[v] && may(a))
                ways.arcs.push_back(a);
        ways.first.push_back(static_cast<std::uint32_t>(ways.arcs.size()));
    }
    return ways;
}

}  // namespace tailback::search
