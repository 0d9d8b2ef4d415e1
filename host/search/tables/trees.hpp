// Forwarding tables as searches hold them: for every LID that is sent to a tree, and what the trees put on links.
#pragma once

#include "host/model/tables.hpp"
#include "host/search/shared_search.hpp"
#include "host/search/switch_graph.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tailback::search {

__extension__ using WideCount = __int128;

class TurnNumbers;  // turns.hpp

/// A LID that is sent to, and the switch where its tree ends.
struct Target {
    model::Lid lid = 0;
    std::uint32_t seat = 0, at = 0;
    bool stays = false;  ///< its tree is not to be changed
};
/// How many LIDs the host has that has most.
std::uint32_t planes_of(SwitchGraph const& graph);
/// The LIDs number `plane` of all seats; those that have fewer are left out. Plane 0 are the base LIDs.
std::vector<Target> targets_of_plane(SwitchGraph const& graph, std::uint32_t plane);

/// The arcs of targets' entries, [target][switch]; `none` where an entry leads over no link between switches, and at a
/// target's own. Fastest for some dozens whose LIDs are near each other.
void arcs_of_entries(SwitchGraph const& graph, std::span<Target const> targets, model::ForwardingTables const& tables,
                     std::vector<std::uint32_t>& arcs);
/// Calls `visit(number of the target, arcs)` for all of them, in their order.
template <class Visit>
void each_arcs_of_entries(SwitchGraph const& graph, std::span<Target const> targets,
                          model::ForwardingTables const& tables, Visit&& visit) {
    constexpr std::size_t together = 32;
    std::vector<std::uint32_t> arcs;
    for (std::size_t first = 0; first < targets.size(); first += together) {
        auto const some = targets.subspan(first, std::min(together, targets.size() - first));
        arcs_of_entries(graph, some, tables, arcs);
        for (std::size_t i = 0; i < some.size(); ++i)
            visit(static_cast<std::uint32_t>(first + i),
                  std::span<std::uint32_t const>(arcs).subspan(i * graph.switches(), graph.switches()));
    }
}

/// What the hosts of a switch send to a target: how many of them there are, or shares of traffic.
struct Sender {
    std::uint32_t at = 0, amount = 0;
};

/// Numbers below 2^32, in 16 bits each where all are known to fit.
class Weights {
public:
    void assign(std::size_t count, bool are_wide) {
        low_.assign(count, 0);
        high_.assign(are_wide ? count : 0, 0);
    }
    std::uint32_t operator[](std::size_t i) const {
        return high_.empty() ? low_[i] : low_[i] | std::uint32_t{high_[i]} << 16;
    }
    void set(std::size_t i, std::uint32_t weight) {
        low_[i] = static_cast<std::uint16_t>(weight);
        if (!high_.empty()) high_[i] = static_cast<std::uint16_t>(weight >> 16);
    }
    std::uint16_t const* at(std::size_t i) const { return low_.data() + i; }

private:
    std::vector<std::uint16_t> low_, high_;
};

/// A tree for every target: the arc by which each switch sends. Plain numbers; a change of trees keeps the loads right.
class Trees {
public:
    static constexpr std::uint32_t none = SwitchGraph::none;

    /// No switch has a way yet. Every host sends to every target. The graph must outlive it.
    /// @throws InputError where numbers or memory do not suffice.
    Trees(SwitchGraph const& graph, std::vector<Target> targets);
    /// The same for traffic: by target, who sends how much; to one target less than 2^32 in all.
    Trees(SwitchGraph const& graph, std::vector<Target> targets, std::vector<std::vector<Sender>> senders);

    SwitchGraph const& graph() const { return *graph_; }
    std::span<Target const> targets() const { return targets_; }
    /// A switch's for a target.
    std::uint64_t entries() const { return std::uint64_t{targets_.size()} * graph_->switches(); }
    /// Numbers of the targets at a switch.
    std::span<std::uint32_t const> targets_at(std::uint32_t s) const {
        return std::span(by_switch_).subspan(first_target_[s], first_target_[s + 1] - first_target_[s]);
    }
    /// Those outside the target's own switch that send to it.
    std::span<Sender const> senders_to(std::uint32_t d) const {
        return is_by_traffic_ ? own_senders_[d] : std::span<Sender const>(everybody_);
    }

    /// Trees by tables. What does not lead to the target over links between switches is cut.
    void take(model::ForwardingTables const& tables);
    std::vector<std::uint32_t> arcs_of_entries(std::uint32_t d, model::ForwardingTables const& tables) const {
        std::vector<std::uint32_t> arcs;
        search::arcs_of_entries(*graph_, std::span(targets_).subspan(d, 1), tables, arcs);
        return arcs;
    }
    /// Cuts the trees of targets whose own switch does not hand over to their host by these tables: what is not
    /// delivered loads no link.
    void cut_undelivered(model::ForwardingTables const& tables);
    /// One tree by such arcs.
    void take(std::uint32_t d, std::span<std::uint32_t const> arcs);
    /// Sets the entries of tables that differ; switches that are cut keep theirs. @return how many differed
    std::uint64_t write(model::ForwardingTables& tables) const;
    /// How many of a target's entries differ, without that of its own switch.
    std::uint64_t count_differing(std::uint32_t d, model::ForwardingTables const& tables) const;
    /// Is the target's own switch without the entry that leads to its host?
    bool own_entry_differs(std::uint32_t d, model::ForwardingTables const& tables) const;
    /// `write` leaves the entry of the target's own switch as it is.
    void leave_own_entry(std::uint32_t d) { leaves_own_[d] = 1; }
    bool leaves_own_entry(std::uint32_t d) const { return leaves_own_[d] != 0; }
    /// What is sent to a target.
    std::uint64_t sent_to(std::uint32_t d) const {
        std::uint64_t sum = 0;
        for (Sender const& sender : senders_to(d)) sum += sender.amount;
        return sum;
    }

    /// `none` where a switch is cut, and at the target's own.
    std::uint32_t arc(std::uint32_t d, std::uint32_t v) const {
        std::uint16_t const local = next_[std::size_t{d} * graph_->switches() + v];
        return local == cut ? none : graph_->first_arc(v) + local;
    }
    std::uint32_t head(std::uint32_t arc) const { return heads_[arc]; }
    std::uint32_t cost(std::uint32_t arc) const { return costs_[arc]; }
    /// What the tree of a target carries over the arc of a switch.
    std::uint32_t weight(std::uint32_t d, std::uint32_t v) const {
        return weight_[std::size_t{d} * graph_->switches() + v];
    }
    /// Asks memory for what `arc` and `weight` read, and for what `load` and `cost` do.
    void ask_for(std::uint32_t d, std::uint32_t v) const {
        std::size_t const at = std::size_t{d} * graph_->switches() + v;
        __builtin_prefetch(next_.data() + at);
        __builtin_prefetch(weight_.at(at));
    }
    void ask_for_arc(std::uint32_t arc) const {
        __builtin_prefetch(load_.data() + arc);
        __builtin_prefetch(costs_.data() + arc);
    }
    /// Over an arc, of all trees.
    std::uint64_t load(std::uint32_t arc) const { return load_[arc]; }
    std::span<std::uint64_t const> loads() const { return load_; }
    /// What finds no way.
    std::uint64_t lost() const { return lost_; }
    std::uint64_t lost_to(std::uint32_t d) const { return lost_of_[d]; }
    /// By the constructor for traffic.
    bool is_by_traffic() const { return is_by_traffic_; }

    /// Takes a tree's loads away; `set_arc` may then change it; `plant` brings them back.
    void lift(std::uint32_t d);
    void set_arc(std::uint32_t d, std::uint32_t v, std::uint32_t arc) {
        next_[std::size_t{d} * graph_->switches() + v] =
            arc == none ? cut : static_cast<std::uint16_t>(arc - graph_->first_arc(v));
    }
    void plant(std::uint32_t d);
    /// The same of a tree whose ways lead from each of these switches to an earlier one or to the target's own, and
    /// from no other: O(switches).
    void plant(std::uint32_t d, std::span<std::uint32_t const> nearest_first);
    /// All trees of other trees of the same targets.
    void take(Trees const& other);
    /// `lift`, the tree of other trees of the same targets, `plant`.
    void replace(std::uint32_t d, Trees const& other);
    /// The arcs of all trees, and trees by such words.
    void write_arcs(StateWords& words) const;
    /// @param may says of target, switch and arc whether the arc may be there. @throws UnfitWords
    void read_arcs(WordReader& words,
                   std::function<bool(std::uint32_t d, std::uint32_t v, std::uint32_t arc)> const& may);
    /// Adds to what a tree carries over the arc of a switch, and to the arc: for those who change trees entry by entry.
    void add_weight(std::uint32_t d, std::uint32_t v, std::uint32_t arc, std::int64_t more) {
        std::size_t const at = std::size_t{d} * graph_->switches() + v;
        weight_.set(at, static_cast<std::uint32_t>(weight_[at] + more));
        forget();
        load_[arc] = static_cast<std::uint64_t>(static_cast<std::int64_t>(load_[arc]) + more);
    }

    /// Pairs of flows that meet in a random permutation, times N (N - 1), each stretch of links that two of them share
    /// once, by its cost (SwitchGraph::denominator): sum over links of cost (R^2 - sum by source r^2 - sum by target
    /// r^2
    /// + R) / 2, less the same over turns (TurnNumbers), by the lower cost of their links.
    /// By the definition, O(targets x switches with hosts x links of a route); once for trees that stay as they are.
    WideCount collisions() const;
    /// What somebody found out about these trees, as long as they stay as they are: expected bandwidth.
    std::optional<double>& noted_bandwidth() const { return bandwidth_; }
    /// Do all trees send by the same arcs?
    bool has_same_arcs(Trees const& other) const { return next_ == other.next_; }
    /// The same with each link by itself: what single moves lower.
    WideCount collisions_by_link() const;
    /// What searches make small: `collisions`; of traffic half the sum over links of cost x squared load.
    WideCount objective() const;
    /// What single moves make small: the same by link.
    WideCount objective_by_link() const;
    /// Of `collisions`, a permutation.
    double per_permutation(WideCount collisions) const;
    /// The most pairs over a link between switches.
    std::uint64_t largest_load() const;
    /// The same with loads times costs.
    std::uint64_t largest_priced_load() const;

private:
    static constexpr std::uint16_t cut = 0xFFFF;

    struct Collisions {
        WideCount by_link = 0, once = 0;
    };
    Collisions const& counted() const;
    Collisions count_collisions() const;
    template <class Count>
    Collisions same_sources(TurnNumbers const& turns, std::vector<std::uint32_t> turn_costs) const;
    void lay_out();
    void take(std::uint32_t d, std::span<std::uint32_t const> arcs, std::vector<std::uint8_t>& state,
              std::vector<std::uint32_t>& way);
    void forget() {
        collisions_.reset();
        bandwidth_.reset();
    }
    model::Port port_of(std::uint32_t d, std::uint32_t v) const;

    SwitchGraph const* graph_;
    std::vector<Target> targets_;
    bool is_by_traffic_ = false;
    std::vector<std::uint32_t> first_target_, by_switch_;
    std::vector<Sender> everybody_;
    std::vector<std::vector<Sender>> own_senders_;
    std::vector<std::uint32_t> heads_, costs_;  // by arc
    std::vector<std::uint16_t> next_;           // [target][switch] arc, counted from the switch's first
    Weights weight_;                            // [target][switch]
    std::vector<std::uint64_t> load_;           // by arc
    std::uint64_t lost_ = 0;
    std::vector<std::uint64_t> lost_of_;    // by target
    std::vector<std::uint8_t> leaves_own_;  // by target
    mutable std::optional<Collisions> collisions_;
    mutable std::optional<double> bandwidth_;
};

}  // namespace tailback::search
