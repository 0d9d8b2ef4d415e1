// One look at a column of the tables for every LID: each row is followed until a row whose end is known.
#include "host/audit/findings/switch_lids.hpp"

#include "host/model/routes/column_window.hpp"

#include <algorithm>
#include <map>

namespace tailback {
namespace {

constexpr std::uint32_t nobody = 0xFFFFFFFEu;  ///< an endpoint number that no endpoint has

struct OwnedLid {
    Lid lid;
    std::uint32_t row;
};

std::vector<OwnedLid> lids_of_switches(Forwarding const& forwarding) {
    Network const& net = forwarding.fabric().network;
    std::vector<OwnedLid> found;
    for (std::size_t n = 0; n < net.nodes().size(); ++n) {
        NodeRecord const& node = net[Node{n}];
        if (node.kind != NodeKind::switch_node || node.lid == 0) continue;
        for (std::uint32_t k = 0; k < (1u << node.lmc); ++k)
            if (net.owner(node.lid + k).node == Node{n}) found.push_back({node.lid + k, forwarding.row_of(Node{n})});
    }
    std::sort(found.begin(), found.end(), [](OwnedLid const& a, OwnedLid const& b) { return a.lid < b.lid; });
    return found;
}

class Walker {
public:
    explicit Walker(Forwarding const& forwarding)
        : forwarding_(forwarding),
          net_(forwarding.fabric().network),
          next_(forwarding.rows()),
          end_(forwarding.rows()),
          walk_(forwarding.rows()) {}

    template <class PortEntry>
    void run(std::vector<OwnedLid> const& owned) {
        if (!any_routed(owned)) return;
        result.routed = true;
        ColumnWindow<PortEntry> window(forwarding_);
        for (OwnedLid const& one : owned) take(window.column(one.lid), one);
        finish();
    }

    SwitchLids result;

private:
    bool is_switch(std::uint32_t row) const {
        return !forwarding_.is_pseudo(row) && net_[forwarding_.node_of(row)].kind == NodeKind::switch_node;
    }

    bool any_routed(std::vector<OwnedLid> const& owned) const {
        for (std::uint32_t row = 0; row < forwarding_.rows(); ++row)
            for (OwnedLid const& one : owned)
                if (one.row != row && is_switch(row) && forwarding_.port(row, one.lid) != ForwardingTables::no_entry)
                    return true;
        return false;
    }

    template <class PortEntry>
    void take(PortEntry const* column, OwnedLid const& to) {
        std::uint32_t const rows = forwarding_.rows();
        std::fill(end_.begin(), end_.end(), no_row);
        std::fill(walk_.begin(), walk_.end(), no_row);
        for (std::uint32_t row = 0; row < rows; ++row)
            next_[row] = next_of(forwarding_.view(), row, column[row], nobody);
        end_[to.row] = to.row;
        std::map<std::uint32_t, std::uint64_t> failing;  // by the row where it ends, or the smallest of a circle
        for (std::uint32_t start = 0; start < rows; ++start) {
            if (!is_switch(start) || start == to.row) continue;
            std::uint32_t const end = follow(start);
            ++result.pairs.total;
            if (end == to.row) ++result.pairs.delivered;
            else ++failing[end];
        }
        for (auto const& [end, pairs] : failing) {
            if (next_[end] < arrival_bit) note_circle(end, pairs, to.lid);
            else
                note_entry(end,
                           column[end] == PortEntry(~PortEntry{0}) ? ForwardingTables::no_entry : Port{column[end]},
                           pairs, to.lid);
        }
    }

    /// The row where the route from `start` ends; of a circle its smallest row.
    std::uint32_t follow(std::uint32_t start) {
        std::uint32_t row = start, end = no_row;
        for (;; row = next_[row]) {
            if (end_[row] != no_row) end = end_[row];
            else if (next_[row] >= arrival_bit) end = row;
            else if (walk_[row] == start) {
                end = row;
                for (std::uint32_t at = next_[row]; at != row; at = next_[at]) end = std::min(end, at);
            }
            if (end != no_row) break;
            walk_[row] = start;
        }
        for (row = start; end_[row] == no_row; row = next_[row]) {
            end_[row] = end;
            if (next_[row] >= arrival_bit) break;
        }
        return end;
    }

    void note_circle(std::uint32_t from, std::uint64_t pairs, Lid lid) {
        result.pairs.loop += pairs;
        std::vector<std::pair<std::uint32_t, Port>> steps;
        std::uint32_t row = from;
        do {
            steps.emplace_back(row, forwarding_.port(row, lid));
            row = next_[row];
        } while (row != from);
        if (!circles_.contains(steps) && circles_.size() >= most_circles) {
            ++result.explanation.other_circles;
            result.explanation.other_circle_pairs += pairs;
            return;
        }
        Circle& circle = circles_[std::move(steps)];
        circle.pairs += pairs;
        circle.lids.add(lid);
    }

    void note_entry(std::uint32_t row, Port port, std::uint64_t pairs, Lid lid) {
        bool const dropped = next_[row] == ends_unreachable;
        (dropped ? result.pairs.unreachable : result.pairs.misdelivered) += pairs;
        BrokenEntry& entry = entries_[{row, port}];
        entry.row = row;
        entry.port = port;
        entry.cause = cause_of(forwarding_, row, port);
        entry.pairs += pairs;
        entry.lids.add(lid);
    }

    void finish() {
        for (auto& [key, entry] : entries_) result.explanation.entries.push_back(std::move(entry));
        for (auto& [steps, circle] : circles_) {
            circle.steps = steps;
            result.explanation.circles.push_back(std::move(circle));
        }
        std::stable_sort(result.explanation.entries.begin(), result.explanation.entries.end(),
                         [](BrokenEntry const& a, BrokenEntry const& b) { return a.pairs > b.pairs; });
        std::stable_sort(result.explanation.circles.begin(), result.explanation.circles.end(),
                         [](Circle const& a, Circle const& b) { return a.pairs > b.pairs; });
    }

    Forwarding const& forwarding_;
    Network const& net_;
    std::vector<std::uint32_t> next_;  // [row] as kernels/audit/destination_tree.hpp says
    std::vector<std::uint32_t> end_;   // [row] where its route ends; no_row = not known yet
    std::vector<std::uint32_t> walk_;  // [row] the start of the walk that met it last
    std::map<std::pair<std::uint32_t, Port>, BrokenEntry> entries_;
    std::map<std::vector<std::pair<std::uint32_t, Port>>, Circle> circles_;
};

}  // namespace

SwitchLids find_switch_lids(Forwarding const& forwarding) {
    std::vector<OwnedLid> const owned = lids_of_switches(forwarding);
    Walker walker(forwarding);
    if (forwarding.wide()) walker.run<std::uint16_t>(owned);
    else walker.run<std::uint8_t>(owned);
    walker.result.lids = owned.size();
    return std::move(walker.result);
}

}  // namespace tailback
