#include "host/search/tables/rollout.hpp"

#include <algorithm>
#include <vector>

namespace tailback::search {
namespace {

/// Which link waits for which: a bit for every arc into a switch and arc out of it.
class Waits {
public:
    explicit Waits(SwitchGraph const& graph) : graph_(graph), first_(graph.arcs().size() + 1) {
        for (std::uint32_t a = 0; a < graph.arcs().size(); ++a)
            first_[a + 1] = first_[a] + graph.arcs_of(graph[a].to).size();
        bits_.assign((first_.back() + 63) / 64, 0);
    }
    void add(std::uint32_t in, std::uint32_t out) {
        std::uint64_t const bit = first_[in] + (out - graph_.first_arc(graph_[in].to));
        bits_[bit / 64] |= std::uint64_t{1} << (bit % 64);
    }
    /// Taking away what nothing waits for leaves nothing (Kahn 1962).
    bool have_a_cycle() const {
        std::vector<std::uint32_t> waiting(graph_.arcs().size()), free;
        for (std::uint32_t a = 0; a < waiting.size(); ++a) each_out(a, [&](std::uint32_t out) { ++waiting[out]; });
        for (std::uint32_t a = 0; a < waiting.size(); ++a)
            if (waiting[a] == 0) free.push_back(a);
        for (std::size_t at = 0; at < free.size(); ++at)
            each_out(free[at], [&](std::uint32_t out) {
                if (--waiting[out] == 0) free.push_back(out);
            });
        return free.size() < waiting.size();
    }

private:
    template <class Visit>
    void each_out(std::uint32_t in, Visit&& visit) const {
        std::uint32_t const first = graph_.first_arc(graph_[in].to);
        for (std::uint64_t bit = first_[in]; bit < first_[in + 1]; ++bit)
            if ((bits_[bit / 64] >> (bit % 64) & 1) != 0) visit(first + static_cast<std::uint32_t>(bit - first_[in]));
    }
    SwitchGraph const& graph_;
    std::vector<std::uint64_t> first_;
    std::vector<std::uint64_t> bits_;
};

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

    void take(Target const& target) {
        lid_ = target.lid;
        at_ = target.at;
        old_ = arcs_of_entries(graph_, target, before_);
        new_ = arcs_of_entries(graph_, target, after_);
    }
    bool differs() const { return old_ != new_; }
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
            std::uint32_t const arc = next_[v]++ == 0 ? old_[v] : new_[v];
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
            of_packets_[v] = {arrive(old_[v], &OfPackets::by_old), arrive(new_[v], &OfPackets::by_new),
                              may_end(old_[v]) || may_end(new_[v])};
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
    std::vector<std::uint32_t> old_, new_;  ///< arcs of entries, by switch
    std::vector<std::uint8_t> met_, next_;
    std::vector<OfPackets> of_packets_;
    std::vector<std::uint32_t> stack_, order_;
};

/// What the changes of one target after the other allow together.
class Changes {
public:
    explicit Changes(SwitchGraph const& graph) : in_any_order_(graph), outwards_(graph) {}

    void add(SwitchGraph const& graph, std::vector<Target> const& targets, model::ForwardingTables const& before,
             model::ForwardingTables const& after) {
        Union both(graph, before, after);
        for (Target const& target : targets) {
            both.take(target);
            differ_ = differ_ || both.differs();
            away_ = away_ || both.leaves_its_switch();
            if (both.walk()) {
                both.add_waits(true, in_any_order_);
            } else {  // outwards it loses nothing all the same, but who is met is not known: all are
                lose_ = true;
                both.meet_all();
            }
            both.add_waits(false, outwards_);
        }
    }
    Rollout rollout() const {
        if (!differ_) return Rollout::nothing;
        if (away_) return Rollout::drain;
        if (!lose_ && !in_any_order_.have_a_cycle()) return Rollout::any_order;
        return outwards_.have_a_cycle() ? Rollout::drain : Rollout::by_destination;
    }

private:
    Waits in_any_order_, outwards_;
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
