#include "host/search/tables/rounds.hpp"

#include <algorithm>

namespace tailback::search {
namespace {

constexpr std::uint32_t no_arc = SwitchGraph::none;

/// What links cost beside their loads for a LID of a host: those that trees of its other LIDs take, which stay, as much
/// as a link carries on the average.
class OtherLids {
public:
    explicit OtherLids(Trees const& trees) : trees_(trees) {
        for (std::uint32_t d = 0; d < trees.targets().size(); ++d) {
            if (!trees.targets()[d].stays) continue;
            if (of_seat_.empty()) of_seat_.resize(trees.graph().seats().size());
            of_seat_[trees.targets()[d].seat].push_back(d);
        }
        std::uint64_t sum = 0;
        for (std::uint32_t a = 0; a < trees.loads().size(); ++a) sum += trees.load(a) * trees.cost(a);
        mean_ = trees.loads().empty() ? 0 : sum / trees.loads().size() + 1;
    }
    void turn_to(std::uint32_t d) {
        if (of_seat_.empty()) return;
        taken_.clear();
        for (std::uint32_t const other : of_seat_[trees_.targets()[d].seat])
            for (std::uint32_t v = 0; v < trees_.graph().switches(); ++v)
                if (trees_.weight(other, v) > 0) taken_.push_back(trees_.arc(other, v));
    }
    template <class Visit>
    void each_taken(Visit&& visit) const {
        for (std::uint32_t const arc : taken_) visit(arc, mean_);
    }

private:
    Trees const& trees_;
    std::vector<std::uint32_t> taken_;
    std::vector<std::vector<std::uint32_t>> of_seat_;
    std::uint64_t mean_ = 0;
};

/// The price of the way on from each switch, and who has one.
class Chooser {
public:
    explicit Chooser(Trees& trees)
        : trees_(trees),
          others_(trees),
          priced_(trees.loads().size()),
          price_(trees.graph().switches()),
          has_way_(trees.graph().switches()) {
        for (std::uint32_t a = 0; a < priced_.size(); ++a) priced_[a] = trees.load(a) * trees.cost(a);
    }

    /// @return entries that are other ones now
    std::uint64_t choose(std::uint32_t d, WaysTo const& ways) {
        std::uint64_t changed = 0;
        std::fill(has_way_.begin(), has_way_.end(), 0);
        for (std::uint32_t const v : ways.order) has_way_[v] = 1;
        others_.turn_to(d);
        carry_away(d);
        price_[trees_.targets()[d].at] = 0;
        for (std::size_t i = 0; i < ways.order.size(); ++i) {
            std::uint32_t const v = ways.order[i], old = trees_.arc(d, v);
            std::uint32_t best = no_arc;
            std::uint64_t least = UINT64_MAX;
            for (std::uint32_t const a : ways.of(i)) {
                std::uint64_t const sum = priced_[a] + price_[trees_.head(a)];
                if (sum < least || (sum == least && a == old)) {
                    least = sum;
                    best = a;
                }
            }
            price_[v] = least;
            if (best != old) {
                trees_.set_arc(d, v, best);
                ++changed;
            }
        }
        for (std::uint32_t v = 0; v < has_way_.size(); ++v)
            if (has_way_[v] == 0) trees_.set_arc(d, v, no_arc);
        bring_back(d);
        return changed;
    }
    /// Another tree of a target.
    void replace(std::uint32_t d, Trees const& other) {
        each_carrying(d, [&](std::uint32_t arc, std::uint64_t price) { priced_[arc] -= price; });
        trees_.replace(d, other);
        each_carrying(d, [&](std::uint32_t arc, std::uint64_t price) { priced_[arc] += price; });
    }

private:
    template <class Visit>
    void each_carrying(std::uint32_t d, Visit&& visit) const {
        for (std::uint32_t v = 0; v < has_way_.size(); ++v)
            if (std::uint64_t const weight = trees_.weight(d, v); weight > 0)
                visit(trees_.arc(d, v), weight * trees_.cost(trees_.arc(d, v)));
    }
    void carry_away(std::uint32_t d) {
        each_carrying(d, [&](std::uint32_t arc, std::uint64_t price) { priced_[arc] -= price; });
        others_.each_taken([&](std::uint32_t arc, std::uint64_t price) { priced_[arc] += price; });
        trees_.lift(d);
    }
    void bring_back(std::uint32_t d) {
        trees_.plant(d);
        others_.each_taken([&](std::uint32_t arc, std::uint64_t price) { priced_[arc] -= price; });
        each_carrying(d, [&](std::uint32_t arc, std::uint64_t price) { priced_[arc] += price; });
    }

    Trees& trees_;
    OtherLids others_;
    std::vector<std::uint64_t> priced_;  // by arc: its load times its cost, and that of other LIDs
    std::vector<std::uint64_t> price_;
    std::vector<std::uint8_t> has_way_;
};

void keep_unused_of(Trees& trees, std::uint32_t d, LegalWays const& legal, Trees const& before) {
    std::uint32_t const t = trees.targets()[d].at;
    auto const leads_back = [&](std::uint32_t v, std::uint32_t u) {  // slack allows arcs that do
        for (; u != t && u != v; u = trees.head(trees.arc(d, u)))
            if (trees.arc(d, u) == no_arc) return true;
        return u == v;
    };
    for (std::uint32_t const v : legal.to(t).order)
        if (std::uint32_t const old = before.arc(d, v); trees.weight(d, v) == 0 && old != no_arc &&
                                                        legal.allows(t, old) &&
                                                        (legal.slack() == 0 || !leads_back(v, trees.head(old))))
            trees.set_arc(d, v, old);
}

}  // namespace

std::uint64_t run_round(Trees& trees, LegalWays const& legal) {
    std::uint64_t changed = 0;
    Chooser chooser(trees);
    for (std::uint32_t t = 0; t < trees.graph().switches(); ++t)
        for (std::uint32_t const d : trees.targets_at(t))
            if (!trees.targets()[d].stays) changed += chooser.choose(d, legal.to(t));
    return changed;
}

void choose_trees(Trees& trees, std::span<std::uint32_t const> targets, LegalWays const& legal,
                  std::function<bool(std::uint32_t d, Trees const& chosen)> const& take) {
    Trees chosen = trees;
    Chooser chooser(chosen);
    for (std::uint32_t const d : targets) {
        if (chooser.choose(d, legal.to(trees.targets()[d].at)) > 0) keep_unused_of(chosen, d, legal, trees);
        if (take(d, chosen)) trees.replace(d, chosen);
        else chooser.replace(d, trees);
    }
}

void keep_unused(Trees& trees, LegalWays const& legal, Trees const& before) {
    for (std::uint32_t d = 0; d < trees.targets().size(); ++d) keep_unused_of(trees, d, legal, before);
}

}  // namespace tailback::search
