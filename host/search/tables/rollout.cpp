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

/// The union of two trees of one target.
class Union {
public:
    Union(Trees const& before, Trees const& after)
        : before_(before), after_(after), met_(before.graph().switches()), depth_(before.graph().switches()) {}

    /// Who is met by packets of senders under some mixture; false when these can go in a circle.
    bool walk(std::uint32_t d) {
        std::uint32_t const at = after_.targets()[d].at;
        std::fill(met_.begin(), met_.end(), 0);
        order_.clear();
        for (Sender const& sender : after_.senders_to(d))
            if (sender.at != at && !visit(d, at, sender.at)) return false;
        return true;
    }
    /// As if all switches were met.
    void all(std::uint32_t d) {
        order_.clear();
        for (std::uint32_t v = 0; v < before_.graph().switches(); ++v)
            if (v != after_.targets()[d].at) order_.push_back(v);
    }
    /// @param back whether packets that took a new entry may meet an old one
    void add_waits(std::uint32_t d, bool back, Waits& waits) const {
        std::uint32_t const at = after_.targets()[d].at;
        for (std::uint32_t const v : order_) {
            std::uint32_t const old_in = before_.arc(d, v), new_in = after_.arc(d, v);
            add(d, at, old_in, true, waits);
            add(d, at, new_in, back || old_in == new_in, waits);
        }
    }

private:
    void add(std::uint32_t d, std::uint32_t at, std::uint32_t in, bool to_old, Waits& waits) const {
        if (in == Trees::none || after_.head(in) == at) return;
        std::uint32_t const head = after_.head(in);
        std::uint32_t const old_out = before_.arc(d, head), new_out = after_.arc(d, head);
        if (new_out != Trees::none) waits.add(in, new_out);
        if (to_old && old_out != Trees::none) waits.add(in, old_out);
    }
    /// Depth first, without recursion.
    bool visit(std::uint32_t d, std::uint32_t at, std::uint32_t start) {
        if (met_[start] != 0) return true;
        stack_.assign(1, start);
        met_[start] = 1;  // on the stack; 2: done
        depth_[start] = 0;
        while (!stack_.empty()) {
            std::uint32_t const v = stack_.back();
            if (depth_[v] == 2) {
                met_[v] = 2;
                order_.push_back(v);
                stack_.pop_back();
                continue;
            }
            std::uint32_t const arc = depth_[v]++ == 0 ? before_.arc(d, v) : after_.arc(d, v);
            if (arc == Trees::none) continue;
            std::uint32_t const head = after_.head(arc);
            if (head == at || met_[head] == 2) continue;
            if (met_[head] == 1) return false;
            met_[head] = 1;
            depth_[head] = 0;
            stack_.push_back(head);
        }
        return true;
    }

    Trees const& before_;
    Trees const& after_;
    std::vector<std::uint8_t> met_, depth_;
    std::vector<std::uint32_t> stack_, order_;
};

/// What the changes of one target after the other allow together.
class Changes {
public:
    explicit Changes(SwitchGraph const& graph) : in_any_order_(graph), outwards_(graph) {}

    /// Of the same targets.
    void add(Trees const& before, Trees const& after) {
        Union both(before, after);
        for (std::uint32_t d = 0; d < after.targets().size(); ++d) {
            for (std::uint32_t v = 0; v < after.graph().switches() && !differ_; ++v)
                differ_ = before.arc(d, v) != after.arc(d, v);
            if (both.walk(d)) {
                both.add_waits(d, true, in_any_order_);
            } else {  // outwards it loses nothing all the same, but who is met is not known: all are
                lose_ = true;
                both.all(d);
            }
            both.add_waits(d, false, outwards_);
        }
    }
    Rollout rollout() const {
        if (!differ_) return Rollout::nothing;
        if (!lose_ && !in_any_order_.have_a_cycle()) return Rollout::any_order;
        return outwards_.have_a_cycle() ? Rollout::drain : Rollout::by_destination;
    }

private:
    Waits in_any_order_, outwards_;
    bool differ_ = false, lose_ = false;
};

}  // namespace

Rollout find_rollout(SwitchGraph const& graph, model::ForwardingTables const& before,
                     model::ForwardingTables const& after) {
    Changes changes(graph);
    for (std::uint32_t plane = 0; plane < planes_of(graph); ++plane) {
        Trees was(graph, targets_of_plane(graph, plane)), is(graph, targets_of_plane(graph, plane));
        was.take(before);
        is.take(after);
        changes.add(was, is);
    }
    return changes.rollout();
}

}  // namespace tailback::search
