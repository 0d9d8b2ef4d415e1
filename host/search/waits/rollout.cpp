#include "host/search/waits/rollout.hpp"

#include "host/search/waits/waits.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace tailback::search {
namespace {

/// What becomes of packets at a switch: do they arrive by old entries alone, by new ones alone, and may they end on the
/// way under some mixture?
struct OfPackets {
    bool by_old = false, by_new = false, may_end = false;
};

/// The union of old and new entries of one target, those that lead to it and those that do not.
class Union {
public:
    Union(SwitchGraph const& graph, model::ForwardingTables const& before, model::ForwardingTables const& after)
        : graph_(graph),
          before_(before),
          after_(after),
          met_(graph.switches()),
          next_(graph.switches()),
          of_packets_(graph.switches()) {}

    /// @param before, after arcs of entries by both tables
    void take(Target const& target, std::span<std::uint32_t const> before, std::span<std::uint32_t const> after) {
        lid_ = target.lid;
        at_ = target.at;
        old_ = before;
        new_ = after;
        cut_old_loops();
    }
    bool differs() const { return !std::ranges::equal(old_, new_); }
    /// Does the target's own switch send away what is for its host?
    bool leaves_its_switch() const {
        auto const leaves = [&](model::ForwardingTables const& tables) {
            model::Port const port = tables.port(graph_.node(at_), lid_);
            if (port == model::ForwardingTables::no_entry) return false;
            model::Link const link = graph_.network().link_at(graph_.node(at_), port);
            return link.exists() && graph_.arc_of(link) != SwitchGraph::none;
        };
        return leaves(before_) || leaves(after_);
    }
    /// Who is met by packets of senders under some mixture. @return false when these can go in a circle, or when one
    /// that old and new entries both deliver can end where there is no entry
    bool walk() {
        std::fill(met_.begin(), met_.end(), 0);
        order_.clear();
        for (std::uint32_t v = 0; v < graph_.switches(); ++v)
            if (sends(v) && !visit(v)) return false;
        return loses_none();
    }
    /// As if all switches were met.
    void meet_all() {
        order_.clear();
        for (std::uint32_t v = 0; v < graph_.switches(); ++v)
            if (v != at_) order_.push_back(v);
    }
    /// What packets that old entries alone move wait for.
    void add_old_waits(Waits& waits) const {
        std::vector<std::uint8_t> met(graph_.switches());
        for (std::uint32_t start = 0; start < graph_.switches(); ++start) {
            if (!sends(start)) continue;
            for (std::uint32_t v = start; v != at_ && met[v] == 0 && old_[v] != SwitchGraph::none;) {
                met[v] = 1;
                std::uint32_t const in = old_[v];
                v = graph_[in].to;
                if (v != at_ && old_[v] != SwitchGraph::none) waits.add(in, old_[v]);
            }
        }
    }
    /// @param back whether packets that took a new entry may meet an old one
    void add_waits(bool back, Waits& waits) const {
        for (std::uint32_t const v : order_) {
            add(old_[v], true, waits);
            add(new_[v], back || old_[v] == new_[v], waits);
        }
    }

private:
    void add(std::uint32_t in, bool to_old, Waits& waits) const {
        if (in == SwitchGraph::none || graph_[in].to == at_) return;
        std::uint32_t const head = graph_[in].to;
        if (new_[head] != SwitchGraph::none) waits.add(in, new_[head]);
        if (to_old && old_[head] != SwitchGraph::none) waits.add(in, old_[head]);
    }
    /// Packets that old entries lead round and round come to no end, as those do that find no entry; nor do new ones
    /// lead further where they are the same all the way round.
    void cut_old_loops() {
        ahead_.assign(old_.begin(), old_.end());
        ahead_by_new_.assign(new_.begin(), new_.end());
        std::fill(met_.begin(), met_.end(), 0);
        for (std::uint32_t start = 0; start < graph_.switches(); ++start) {
            std::uint32_t v = start;
            for (; v != at_ && met_[v] == 0 && old_[v] != SwitchGraph::none; v = graph_[old_[v]].to) met_[v] = 1;
            if (v != at_ && met_[v] == 1) cut_loop(v);  // it was met on this way
            for (v = start; v != at_ && met_[v] == 1; v = graph_[old_[v]].to) met_[v] = 2;
        }
    }
    void cut_loop(std::uint32_t start) {
        bool stays = true;
        for (std::uint32_t v = start; ahead_[v] != SwitchGraph::none; v = graph_[old_[v]].to) {
            ahead_[v] = SwitchGraph::none;
            stays = stays && new_[v] == old_[v];
        }
        for (std::uint32_t v = start; stays && ahead_by_new_[v] != SwitchGraph::none; v = graph_[old_[v]].to)
            ahead_by_new_[v] = SwitchGraph::none;
    }
    /// Depth first, without recursion: `order_` has those behind a switch before it.
    bool visit(std::uint32_t start) {
        if (met_[start] != 0) return true;
        stack_.assign(1, start);
        met_[start] = 1;  // on the stack; 2: done
        next_[start] = 0;
        while (!stack_.empty()) {
            std::uint32_t const v = stack_.back();
            if (next_[v] == 2) {
                met_[v] = 2;
                order_.push_back(v);
                stack_.pop_back();
                continue;
            }
            std::uint32_t const arc = next_[v]++ == 0 ? ahead_[v] : ahead_by_new_[v];
            if (arc == SwitchGraph::none) continue;
            std::uint32_t const head = graph_[arc].to;
            if (head == at_ || met_[head] == 2) continue;
            if (met_[head] == 1) return false;
            met_[head] = 1;
            next_[head] = 0;
            stack_.push_back(head);
        }
        return true;
    }
    bool loses_none() {
        for (std::uint32_t const v : order_)
            of_packets_[v] = {arrive(ahead_[v], &OfPackets::by_old), arrive(ahead_by_new_[v], &OfPackets::by_new),
                              may_end(ahead_[v]) || may_end(ahead_by_new_[v])};
        return std::ranges::none_of(order_, [&](std::uint32_t v) {
            OfPackets const& there = of_packets_[v];
            return sends(v) && there.by_old && there.by_new && there.may_end;
        });
    }
    bool sends(std::uint32_t v) const { return v != at_ && graph_.hosts_at(v) > 0; }
    bool arrive(std::uint32_t arc, bool OfPackets::*by) const {
        return arc != SwitchGraph::none && (graph_[arc].to == at_ || of_packets_[graph_[arc].to].*by);
    }
    bool may_end(std::uint32_t arc) const {
        return arc == SwitchGraph::none || (graph_[arc].to != at_ && of_packets_[graph_[arc].to].may_end);
    }

    SwitchGraph const& graph_;
    model::ForwardingTables const& before_;
    model::ForwardingTables const& after_;
    model::Lid lid_ = 0;
    std::uint32_t at_ = 0;
    std::span<std::uint32_t const> old_, new_;  ///< arcs of entries, by switch
    std::vector<std::uint8_t> met_, next_;
    std::vector<OfPackets> of_packets_;
    std::vector<std::uint32_t> ahead_, ahead_by_new_;  ///< as `old_` and `new_`, without old loops
    std::vector<std::uint32_t> stack_, order_;
};

/// What the changes of one target after the other allow together.
class Changes {
public:
    explicit Changes(SwitchGraph const& graph) : of_old_(graph), in_any_order_(graph), outwards_(graph) {}

    void add(SwitchGraph const& graph, std::span<Target const> targets, model::ForwardingTables const& before,
             model::ForwardingTables const& after) {
        constexpr std::size_t together = 32;
        Union both(graph, before, after);
        std::vector<std::uint32_t> old_arcs, new_arcs;
        for (std::size_t i = 0; i < targets.size(); ++i) {
            std::size_t const first = i % together * graph.switches();
            if (first == 0) {
                auto const some = targets.subspan(i, std::min(together, targets.size() - i));
                arcs_of_entries(graph, some, before, old_arcs);
                arcs_of_entries(graph, some, after, new_arcs);
            }
            both.take(targets[i], std::span(old_arcs).subspan(first, graph.switches()),
                      std::span(new_arcs).subspan(first, graph.switches()));
            differ_ = differ_ || both.differs();
            away_ = away_ || both.leaves_its_switch();
            if (both.walk()) {
                both.add_waits(true, in_any_order_);
            } else {  // outwards it loses nothing all the same, but who is met is not known: all are
                lose_ = true;
                both.meet_all();
            }
            both.add_waits(false, outwards_);
            both.add_old_waits(of_old_);
        }
    }
    Rollout rollout() const {
        if (!differ_) return Rollout::nothing;
        if (away_) return Rollout::drain;
        if (!lose_ && !in_any_order_.have_a_cycle_beyond(of_old_)) return Rollout::any_order;
        return outwards_.have_a_cycle_beyond(of_old_) ? Rollout::drain : Rollout::by_destination;
    }

private:
    Waits of_old_, in_any_order_, outwards_;
    bool differ_ = false, lose_ = false, away_ = false;
};

}  // namespace

Rollout find_rollout(SwitchGraph const& graph, model::ForwardingTables const& before,
                     model::ForwardingTables const& after) {
    Changes changes(graph);
    for (std::uint32_t plane = 0; plane < planes_of(graph); ++plane)
        changes.add(graph, targets_of_plane(graph, plane), before, after);
    return changes.rollout();
}

}  // namespace tailback::search
