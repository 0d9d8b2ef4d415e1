// Single entries changed: what a move costs in collisions, or of traffic in squares of loads, found without counting
// anew.
#pragma once

#include "host/search/tables/legal_ways.hpp"
#include "host/search/tables/trees.hpp"
#include "kernels/common/philox.hpp"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace tailback::search {

/// Switch v sends to target d by another arc.
struct Move {
    std::uint32_t d = 0, v = 0, arc = 0;
};

/// Trees under moves. What sits below a switch in a tree is listed, so a move costs links x switches below.
class MovableTrees {
public:
    /// The trees must outlive it, and only it changes them. @throws InputError where memory does not suffice.
    explicit MovableTrees(Trees& trees);

    Trees const& trees() const { return trees_; }
    /// Trees::objective_by_link.
    WideCount objective() const { return objective_; }
    /// Do the ways from the switch and from the arc's head reach the target, the second without the switch? True for
    /// every arc of LegalWays where trees are whole.
    bool leads_on(Move const& move) const;
    /// Is the move one that legal ways let tables make: `leads_on`, and nobody's way gets longer than these allow? For
    /// an arc that they allow.
    bool keeps(Move const& move, LegalWays const& ways) const;
    /// A link that a move takes flows from, or brings flows to.
    struct Step {
        std::uint32_t arc = 0, from = 0;
        std::uint32_t own = 0;  ///< what the tree carries over it
    };
    /// A move that leads on, and what it changes in its tree. Good as long as that tree stays as it is.
    struct Plan {
        Move move;
        std::uint32_t moved = 0;           ///< flows
        std::vector<std::uint32_t> below;  ///< who sends them: sources; of several not before `price`
        std::vector<Step> leaves, joins;
    };
    /// Asks memory for what `prepare` reads.
    void ask_for(Move const& move) const {
        __builtin_prefetch(links_.data() + std::size_t{move.d} * switches_ + move.v);
        trees_.ask_for(move.d, trees_.head(move.arc));
    }
    /// Sets a plan, and asks memory for what `price` reads.
    void prepare(Move const& move, Plan& plan);
    /// Takes a plan (the caller has another one then): `exceeds` and `each_arc` tell of it.
    void take(Plan& plan) { std::swap(plan_, plan); }
    /// Is it clear without `price` that the change is above 0, and no less than this?
    bool costs_more(double most) const;
    /// Then `change` tells of the plan, and `make` may make it.
    void price();
    /// All of that: looks at a move that leads on.
    void consider(Move const& move) {
        prepare(move, plan_);
        price();
    }
    Move const& considered() const { return plan_.move; }
    /// Of `objective` by the move.
    WideCount change() const { return change_; }
    /// The links that the considered move takes flows from, and brings flows to: from its switch on, in their order.
    std::span<Step const> leaves() const { return plan_.leaves; }
    std::span<Step const> joins() const { return plan_.joins; }
    std::uint32_t moved() const { return plan_.moved; }
    /// Calls `visit(arc, loads more)` for every arc whose load the move changes.
    template <class Visit>
    void each_arc(Visit&& visit) const {
        auto const moved = static_cast<std::int64_t>(plan_.moved);
        for (Step const& step : plan_.leaves) visit(step.arc, -moved);
        for (Step const& step : plan_.joins) visit(step.arc, moved);
    }
    /// Does it put more than this (loads times costs) on a link?
    bool exceeds(std::uint64_t most) const {
        for (Step const& step : plan_.joins)
            if ((trees_.load(step.arc) + plan_.moved) * trees_.cost(step.arc) > most) return true;
        return false;
    }
    /// Makes the move that was considered last. To undo it: the same with the arc that was there before.
    void make();

    /// Calls `visit(v)` for every switch that sends to this one in a tree.
    template <class Visit>
    void each_child(std::uint32_t d, std::uint32_t v, Visit&& visit) const {
        Kin const* const tree = links_.data() + std::size_t{d} * switches_;
        for (std::uint16_t child = tree[v].child; child != nobody; child = tree[child].next) visit(child);
    }
    /// Calls `visit(v)` for a switch and everything below it in a tree.
    template <class Visit>
    void each_below(std::uint32_t d, std::uint32_t v, Visit&& visit) const {
        std::size_t const tree = std::size_t{d} * switches_;
        std::uint32_t at = v;
        for (;;) {
            visit(at);
            std::uint16_t const child = links_[tree + at].child;
            if (child != nobody) {
                at = child;
                continue;
            }
            while (at != v && links_[tree + at].next == nobody) at = above(d, at);
            if (at == v) return;
            at = links_[tree + at].next;
        }
    }

    /// Calls `visit(d, v)` for every entry by which a tree's flows come over the arc: of the switch that the arc
    /// leaves, and of those below it.
    template <class Visit>
    void each_entry_over(std::uint32_t hot, Visit&& visit) const {
        std::uint32_t const from = trees_.graph()[hot].from;
        for (std::uint32_t d = 0; d < trees_.targets().size(); ++d)
            if (trees_.weight(d, from) > 0 && trees_.arc(d, from) == hot)
                each_below(d, from, [&](std::uint32_t v) {
                    if (trees_.weight(d, v) > 0) visit(d, v);
                });
    }
    /// Calls `visit(move)` for each other arc that legal ways allow an entry.
    template <class Visit>
    void each_move_of(std::uint32_t d, std::uint32_t v, LegalWays const& ways, Visit&& visit) const {
        SwitchGraph const& graph = trees_.graph();
        std::uint32_t const at = trees_.targets()[d].at, old = trees_.arc(d, v);
        for (std::uint32_t a = graph.first_arc(v); a < graph.first_arc(v + 1); ++a)
            if (a != old && ways.allows(at, a)) visit(Move{d, v, a});
    }
    template <class Visit>
    void each_move_off(std::uint32_t hot, LegalWays const& ways, Visit&& visit) const {
        each_entry_over(hot, [&](std::uint32_t d, std::uint32_t v) { each_move_of(d, v, ways, visit); });
    }

private:
    static constexpr std::uint16_t nobody = 0xFFFF;
    struct Kin {
        std::uint16_t child = nobody, next = nobody, before = nobody;
    };
    std::uint32_t above(std::uint32_t d, std::uint32_t v) const { return trees_.head(trees_.arc(d, v)); }
    void join(std::uint32_t d, std::uint32_t v, std::uint32_t parent);
    void leave(std::uint32_t d, std::uint32_t v, std::uint32_t parent);
    void price_collisions();
    void price_squares();
    std::uint32_t* counts(std::uint32_t arc) { return count_.data() + std::size_t{arc} * sources_.size(); }

    Trees& trees_;
    std::uint32_t switches_;
    std::vector<Kin> links_;                // [target][switch]
    std::vector<std::uint32_t> sources_;    // switches with hosts
    std::vector<std::uint32_t> source_of_;  // by switch; none = no hosts
    std::vector<std::uint32_t> count_;      // [arc][source] targets that the source sends to over it; none of traffic
    WideCount objective_ = 0;

    Plan plan_;
    WideCount change_ = 0;
    std::vector<std::uint32_t> stamp_;  // by switch: on the old way of which consideration
    std::uint32_t stamps_ = 0;
    mutable std::vector<std::uint32_t> length_;  // by switch: links of its way, where slack is looked at
};

struct Annealing {
    /// Where a cycle begins and ends: a move that adds so much (Trees::objective_by_link) is made with probability 1/e.
    /// 0 = never.
    double hot = 0, cold = 0;
    std::uint64_t seed = 1;
    std::uint32_t part = 0;                ///< which of several descents with one seed
    std::uint64_t most_load = UINT64_MAX;  ///< times cost, of a link that a move puts more on
};

/// Random moves along legal ways of pairs that are drawn: those that lower Trees::objective_by_link are made, others by
/// chance while it is hot. It cools in cycles, each twice as long as the one before, whatever number of moves is asked
/// for: the first n moves are always the same. A move is a function of its number and of the tree that it is drawn in,
/// so several are prepared at once, and wait for memory together.
class Annealer {
public:
    static constexpr std::uint64_t first_cycle = 2'000'000;  ///< moves

    /// The trees and the ways must outlive it.
    Annealer(MovableTrees& trees, LegalWays const& ways, Annealing const& how);
    void run(std::uint64_t moves);
    /// The trees are the best that it met.
    void end();
    /// Where it stands: behind the best trees, by the moves since.
    void write(StateWords& words) const;
    /// Of an annealer that has just been made, of the `best` trees. @throws UnfitWords
    void read(WordReader& words);
    /// The best trees that it met.
    Trees best() const;

private:
    struct Made {
        std::uint32_t d, v, arc, is;  // the arc that was there, and the one that is
    };
    /// A move to be tried.
    struct Drawn {
        kernels::PhiloxBlock words;
        std::uint32_t d = 0, source = 0;
        std::uint32_t at = 0;            // how far along its way
        std::vector<std::uint32_t> way;  // switches
        bool is_move = false;            // or the draw came to nothing
        Move move;
        MovableTrees::Plan plan;
    };
    static constexpr std::size_t most_ahead = 16;

    double heat() const;
    kernels::PhiloxBlock words_of(std::uint64_t move, std::uint32_t purpose) const;
    /// A target and the switch of one who sends to it, by chance.
    void draw_pair(Drawn& drawn) const;
    void begin(Drawn& drawn, std::uint64_t move) const;
    bool goes_on(Drawn& drawn) const;
    void choose_move(Drawn& drawn) const;
    void plan_move(Drawn& drawn);
    void draw_ahead(std::span<Drawn> moves, std::uint64_t first);
    void remember(Made const& made);

    MovableTrees& movable_;
    Trees const& trees_;
    LegalWays const& legal_;
    Annealing how_;
    WideCount best_;
    std::vector<Made> since_best_;
    std::vector<std::uint64_t> first_sender_;  // of traffic, by target: how many there are before
    std::vector<Drawn> ahead_;
    std::uint64_t tried_ = 0;  // moves, which number their draws
    std::uint64_t in_cycle_ = 0, cycle_ = first_cycle;
};

}  // namespace tailback::search
