#include "host/search/tables/rounds.hpp"

#include <algorithm>

namespace tailback::search {
namespace {

constexpr std::uint32_t no_arc = SwitchGraph::none;

/// What links cost beside their loads for a LID of a host: those that trees of its other LIDs take, which stay, as much
/// as a link carries on the average.
class OtherLids {
public:
    explicit OtherLids(Trees const& trees) : trees_(trees), extra_(trees.loads().size()) {
        for (std::uint32_t d = 0; d < trees.targets().size(); ++d) {
            if (!trees.targets()[d].stays) continue;
            if (of_seat_.empty()) of_seat_.resize(trees.graph().seats().size());
            of_seat_[trees.targets()[d].seat].push_back(d);
        }
        std::uint64_t sum = 0;
        for (std::uint32_t a = 0; a < extra_.size(); ++a) sum += trees.load(a) * trees.cost(a);
        mean_ = extra_.empty() ? 0 : sum / extra_.size() + 1;
    }
    void turn_to(std::uint32_t d) {
        if (of_seat_.empty()) return;
        for (std::uint32_t const arc : taken_) extra_[arc] = 0;
        taken_.clear();
        for (std::uint32_t const other : of_seat_[trees_.targets()[d].seat])
            for (std::uint32_t v = 0; v < trees_.graph().switches(); ++v)
                if (trees_.weight(other, v) > 0) {
                    taken_.push_back(trees_.arc(other, v));
                    extra_[taken_.back()] += mean_;
                }
    }
    std::uint64_t on(std::uint32_t arc) const { return extra_[arc]; }

private:
    Trees const& trees_;
    std::vector<std::uint64_t> extra_;
    std::vector<std::uint32_t> taken_;
    std::vector<std::vector<std::uint32_t>> of_seat_;
    std::uint64_t mean_ = 0;
};

}  // namespace

std::uint64_t run_round(Trees& trees, LegalWays const& legal) {
    SwitchGraph const& graph = trees.graph();
    std::uint64_t changed = 0;
    OtherLids others(trees);
    std::vector<std::uint64_t> price(graph.switches());  // of the way on from a switch
    std::vector<std::uint8_t> has_way(graph.switches());
    for (std::uint32_t t = 0; t < graph.switches(); ++t) {
        std::span const targets = trees.targets_at(t);
        if (targets.empty()) continue;
        WaysTo const& ways = legal.to(t);
        std::fill(has_way.begin(), has_way.end(), 0);
        for (std::uint32_t const v : ways.order) has_way[v] = 1;
        for (std::uint32_t const d : targets) {
            if (trees.targets()[d].stays) continue;
            trees.lift(d);
            others.turn_to(d);
            price[t] = 0;
            for (std::size_t i = 0; i < ways.order.size(); ++i) {
                std::uint32_t const v = ways.order[i], old = trees.arc(d, v);
                std::uint32_t best = no_arc;
                std::uint64_t least = UINT64_MAX;
                for (std::uint32_t const a : ways.of(i)) {
                    std::uint64_t const sum = trees.load(a) * trees.cost(a) + others.on(a) + price[trees.head(a)];
                    if (sum < least || (sum == least && a == old)) {
                        least = sum;
                        best = a;
                    }
                }
                price[v] = least;
                if (best != old) {
                    trees.set_arc(d, v, best);
                    ++changed;
                }
            }
            for (std::uint32_t v = 0; v < graph.switches(); ++v)
                if (has_way[v] == 0) trees.set_arc(d, v, no_arc);
            trees.plant(d);
        }
    }
    return changed;
}

void keep_unused(Trees& trees, LegalWays const& legal, Trees const& before) {
    for (std::uint32_t d = 0; d < trees.targets().size(); ++d) {
        std::uint32_t const t = trees.targets()[d].at;
        for (std::uint32_t const v : legal.to(t).order)
            if (std::uint32_t const old = before.arc(d, v);
                trees.weight(d, v) == 0 && old != no_arc && legal.allows(t, old))
                trees.set_arc(d, v, old);
    }
}

}  // namespace tailback::search
