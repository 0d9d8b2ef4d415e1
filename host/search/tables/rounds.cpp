#include "host/search/tables/rounds.hpp"

#include "host/search/tables/turns.hpp"

#include <algorithm>
#include <optional>

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
    bool are_there() const { return !of_seat_.empty(); }
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
    Chooser(Trees& trees, Meetings meetings)
        : trees_(trees),
          others_(trees),
          priced_(trees.loads().size()),
          on_(trees.graph().switches()),
          old_(trees.graph().switches()),
          has_way_(trees.graph().switches()) {
        for (std::uint32_t a = 0; a < priced_.size(); ++a) priced_[a] = trees.load(a) * trees.cost(a);
        if (meetings == Meetings::once) turns_.emplace(trees);
        if (turns_ && turns_->is_empty()) turns_.reset();
    }

    /// The old tree stays where it is one of these ways and the new one is no better. @return entries that are other
    /// ones now
    std::uint64_t choose(std::uint32_t d, WaysTo const& ways) {
        begin(d, ways);
        std::uint64_t const lost = trees_.lost_to(d);
        WideCount const before = carry_away(d);
        std::uint64_t const changed = choose_arcs(d, ways);
        trees_.plant(d, ways.order);
        WideCount after = cost_of(d);
        bool const may_stay = is_whole_ && !others_.are_there() && trees_.lost_to(d) == lost;
        bool const stays = may_stay && after >= before && changed > 0;
        if (stays) {
            trees_.lift(d);
            for (std::uint32_t v = 0; v < old_.size(); ++v) trees_.set_arc(d, v, old_[v]);
            trees_.plant(d, ways.order);
            after = before;
        }
        gain_ = before - after;
        add_own(d, 1);
        return stays ? 0 : changed;
    }
    /// Of the tree that was chosen last: by how much half the sum falls.
    WideCount gain() const { return gain_; }
    /// Another tree of a target.
    void replace(std::uint32_t d, Trees const& other) {
        add_own(d, -1);
        trees_.replace(d, other);
        add_own(d, 1);
    }

private:
    void begin(std::uint32_t d, WaysTo const& ways) {
        if (ways_ != &ways) {
            ways_ = &ways;
            std::fill(has_way_.begin(), has_way_.end(), 0);
            for (std::uint32_t const v : ways.order) has_way_[v] = 1;
        }
        for (std::uint32_t v = 0; v < old_.size(); ++v) old_[v] = trees_.arc(d, v);
        others_.turn_to(d);
    }
    /// Calls `visit(arc, flows)` for what the tree of a target carries.
    template <class Visit>
    void each_carrying(std::uint32_t d, Visit&& visit) const {
        for (std::uint32_t v = 0; v < has_way_.size(); ++v)
            if (std::uint64_t const flows = trees_.weight(d, v); flows > 0) visit(trees_.arc(d, v), flows);
    }
    /// The link behind an arc in the tree of a target; none at its end, and where nobody asks.
    std::uint32_t behind(std::uint32_t d, std::uint32_t arc) const {
        std::uint32_t const head = trees_.head(arc);
        return !turns_ || head == trees_.targets()[d].at ? no_arc : trees_.arc(d, head);
    }
    void add_own(std::uint32_t d, std::int64_t sign) {
        each_carrying(d, [&](std::uint32_t arc, std::uint64_t flows) {
            std::int64_t const more = sign * std::int64_t(flows);
            priced_[arc] = static_cast<std::uint64_t>(std::int64_t(priced_[arc]) + more * trees_.cost(arc));
            if (std::uint32_t const then = behind(d, arc); then != no_arc) turns_->add(arc, then, more);
        });
    }
    /// What others make the tree of a target cost, whose own flows are not counted.
    WideCount cost_of(std::uint32_t d) const {
        WideCount sum = 0;
        each_carrying(d, [&](std::uint32_t arc, std::uint64_t flows) {
            std::uint32_t const then = behind(d, arc);
            sum += WideCount(flows) * (priced_[arc] - (then == no_arc ? 0 : turns_->priced(arc, then)));
        });
        return sum;
    }
    /// @return what its tree cost
    WideCount carry_away(std::uint32_t d) {
        add_own(d, -1);
        WideCount const cost = cost_of(d);
        trees_.lift(d);
        return cost;
    }
    std::uint64_t choose_arcs(std::uint32_t d, WaysTo const& ways) {
        std::uint64_t changed = 0;
        is_whole_ = true;
        others_.each_taken([&](std::uint32_t arc, std::uint64_t price) { priced_[arc] += price; });
        std::uint32_t const at = trees_.targets()[d].at;
        on_[at] = {};
        for (std::size_t i = 0; i < ways.order.size(); ++i) {
            std::uint32_t const v = ways.order[i];
            std::uint32_t const best = cheapest(ways.of(i), old_[v], on_[v].price);
            on_[v].arc = best;
            if (best == old_[v]) continue;
            trees_.set_arc(d, v, best);
            ++changed;
        }
        for (std::uint32_t v = 0; v < has_way_.size(); ++v)
            if (has_way_[v] == 0) {
                is_whole_ = is_whole_ && old_[v] == no_arc;
                trees_.set_arc(d, v, no_arc);
            }
        others_.each_taken([&](std::uint32_t arc, std::uint64_t price) { priced_[arc] -= price; });
        return changed;
    }
    /// Of several the old one, else the first.
    std::uint32_t cheapest(std::span<std::uint32_t const> arcs, std::uint32_t old, std::uint64_t& least) {
        TurnLoads const* const turns = turns_ ? &*turns_ : nullptr;
        std::uint32_t best = no_arc;
        bool met_old = false;
        std::uint64_t lowest = UINT64_MAX;  // twice the price, and whether it is another one
        for (std::uint32_t const a : arcs) {
            auto const [on, then] = on_[trees_.head(a)];
            std::uint64_t sum = priced_[a] + on;
            if (turns != nullptr && then != no_arc) sum -= turns->priced(a, then);
            bool const is_old = a == old;
            met_old = met_old || is_old;
            std::uint64_t const key = sum << 1 | std::uint64_t{!is_old};
            best = key < lowest ? a : best;
            lowest = std::min(lowest, key);
        }
        least = best == no_arc ? UINT64_MAX : lowest >> 1;
        is_whole_ = is_whole_ && met_old;
        return best;
    }

    Trees& trees_;
    OtherLids others_;
    std::optional<TurnLoads> turns_;
    std::vector<std::uint64_t> priced_;  // by arc: its load times its cost, and that of other LIDs
    struct WayOn {
        std::uint64_t price = 0;
        std::uint32_t arc = no_arc;
    };
    std::vector<WayOn> on_;           // by switch, in the tree that is chosen
    std::vector<std::uint32_t> old_;  // by switch: its arc before
    WaysTo const* ways_ = nullptr;    // that has_way_ is of
    std::vector<std::uint8_t> has_way_;
    bool is_whole_ = false;  // the old tree is one of the ways, from every switch that has one
    WideCount gain_ = 0;
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

std::uint64_t run_round(Trees& trees, LegalWays const& legal, Meetings meetings, WideCount* fall) {
    std::uint64_t changed = 0;
    WideCount gains = 0;
    Chooser chooser(trees, meetings);
    for (std::uint32_t t = 0; t < trees.graph().switches(); ++t)
        for (std::uint32_t const d : trees.targets_at(t)) {
            if (trees.targets()[d].stays) continue;
            changed += chooser.choose(d, legal.to(t));
            gains += chooser.gain();
        }
    if (fall != nullptr) *fall = 2 * gains;
    return changed;
}

void choose_trees(Trees& trees, std::span<std::uint32_t const> targets, LegalWays const& legal,
                  std::function<bool(std::uint32_t d, Trees const& chosen, double gain)> const& take) {
    Trees chosen = trees;
    Chooser chooser(chosen, Meetings::by_link);
    for (std::uint32_t const d : targets) {
        if (chooser.choose(d, legal.to(trees.targets()[d].at)) > 0) keep_unused_of(chosen, d, legal, trees);
        if (take(d, chosen, double(chooser.gain()))) trees.replace(d, chosen);
        else chooser.replace(d, trees);
    }
}

void keep_unused(Trees& trees, LegalWays const& legal, Trees const& before) {
    for (std::uint32_t d = 0; d < trees.targets().size(); ++d) keep_unused_of(trees, d, legal, before);
}

}  // namespace tailback::search
