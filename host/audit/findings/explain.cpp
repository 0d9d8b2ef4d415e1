#include "host/audit/findings/explain.hpp"

#include "host/audit/findings/consistency.hpp"
#include "host/model/routes/column_window.hpp"
#include "host/model/routes/destination_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

namespace tailback {
namespace {

class Explainer {
public:
    Explainer(Forwarding const& forwarding, SweepRequest const& request)
        : forwarding_(forwarding),
          net_(forwarding.fabric().network),
          sources_(sources_by_row(forwarding, request.sources)),
          tree_(forwarding, sources_),
          is_source_(net_.hosts().size()),
          mark_(forwarding.rows()) {
        for (Host const host : request.sources) {
            is_source_[host.value] = true;
            if (forwarding.entry_of(host).row == no_row) unplugged_.push_back({host, 0});
        }
    }

    Explanation run(SweepRequest const& request, SweepResult const& swept) {
        std::vector<Destination> const all = destinations_of(net_, request.destinations);
        std::vector<Destination> failing;
        for (std::size_t i = 0; i < all.size(); ++i) {
            for (Unplugged& source : unplugged_) source.pairs += source.source != all[i].host;
            PairCounts const& pairs = swept.by_destination[i];
            std::uint64_t expected = unplugged_.size();  // those need no second look
            if (is_source_[all[i].host.value] && forwarding_.entry_of(all[i].host).row == no_row) --expected;
            if (pairs.unreachable > expected || pairs.loop + pairs.misdelivered > 0) failing.push_back(all[i]);
        }
        if (forwarding_.wide()) look_again<std::uint16_t>(failing);
        else look_again<std::uint8_t>(failing);
        return finish();
    }

private:
    template <class PortEntry>
    void look_again(std::span<Destination const> failing) {
        ColumnWindow<PortEntry> window(forwarding_);
        for (Destination const& destination : failing) {
            tree_.grow_from(window.column(destination.lid), destination, is_source_[destination.host.value]);
            take();
        }
    }

    /// The tree as it stands: rows where routes break off, and circles.
    void take() {
        Lid const lid = tree_.destination().lid;
        for (std::uint32_t const row : tree_.order()) {
            if (tree_.next(row) != no_row || tree_.fate(row) == Fate::delivered || tree_.weight(row) == 0) continue;
            std::uint64_t const key = std::uint64_t{row} << 32 | tree_.port(row);
            auto const [at, is_new] = entry_at_.emplace(key, entries_.size());
            if (is_new)
                entries_.push_back({row, tree_.port(row), cause_of(forwarding_, row, tree_.port(row)), 0, {}, {}});
            BrokenEntry& entry = entries_[at->second];
            entry.pairs += tree_.weight(row);
            entry.lids.add(lid);
        }
        ++round_;
        for (std::uint32_t start = 0; start < tree_.rows(); ++start) {
            if (!tree_.on_cycle(start) || mark_[start] == round_) continue;
            std::vector<std::pair<std::uint32_t, Port>> steps;  // `start` is its smallest row: the others come later
            std::uint64_t pairs = 0;
            for (std::uint32_t row = start; mark_[row] != round_; row = tree_.next(row)) {
                mark_[row] = round_;
                steps.emplace_back(row, tree_.port(row));
                pairs += tree_.weight(row);
            }
            if (pairs == 0) continue;
            Circle& circle = circles_.try_emplace(std::move(steps)).first->second;
            circle.pairs += pairs;
            circle.lids.add(lid);
        }
        if (circles_.size() > 2 * most_circles) drop_small_circles();
    }

    void drop_small_circles() {
        std::vector<std::pair<std::uint64_t, decltype(circles_)::iterator>> order;
        for (auto at = circles_.begin(); at != circles_.end(); ++at) order.emplace_back(at->second.pairs, at);
        std::stable_sort(order.begin(), order.end(), [](auto const& a, auto const& b) { return a.first > b.first; });
        for (std::size_t i = most_circles; i < order.size(); ++i) {
            ++result_.other_circles;
            result_.other_circle_pairs += order[i].first;
            circles_.erase(order[i].second);
        }
    }

    /// The first source that comes to one of `rows` on its way to `lid`.
    Host source_through(Lid lid, std::vector<std::uint32_t> const& rows) {
        Destination const destination{lid, net_.owner(lid).host};
        if (destination.lid != tree_.destination().lid || !grown_)
            tree_.grow(destination, is_source_[destination.host.value]);
        grown_ = true;
        for (std::size_t h = 0; h < is_source_.size(); ++h) {
            if (!is_source_[h] || Host{h} == destination.host) continue;
            std::uint32_t row = forwarding_.entry_of(Host{h}).row;
            for (std::uint32_t steps = 0; row != no_row && steps <= tree_.rows(); ++steps, row = tree_.next(row))
                if (std::find(rows.begin(), rows.end(), row) != rows.end()) return Host{h};
        }
        return {};
    }

    Explanation finish() {
        if (circles_.size() > most_circles) drop_small_circles();
        result_.entries = std::move(entries_);
        std::sort(result_.entries.begin(), result_.entries.end(), [](BrokenEntry const& a, BrokenEntry const& b) {
            return a.pairs != b.pairs ? a.pairs > b.pairs : a.row != b.row ? a.row < b.row : a.port < b.port;
        });
        for (auto& [steps, circle] : circles_) {
            circle.steps = steps;
            result_.circles.push_back(std::move(circle));
        }
        std::stable_sort(result_.circles.begin(), result_.circles.end(),
                         [](Circle const& a, Circle const& b) { return a.pairs > b.pairs; });
        for (std::size_t i = 0; i < std::min(most_examples, result_.entries.size()); ++i)
            result_.entries[i].example = source_through(result_.entries[i].lids.first(), {result_.entries[i].row});
        for (std::size_t i = 0; i < std::min(most_examples, result_.circles.size()); ++i) {
            std::vector<std::uint32_t> rows;
            for (auto const& step : result_.circles[i].steps) rows.push_back(step.first);
            result_.circles[i].example = source_through(result_.circles[i].lids.first(), rows);
        }
        result_.unplugged = std::move(unplugged_);
        return std::move(result_);
    }

    Forwarding const& forwarding_;
    Network const& net_;
    std::vector<std::uint32_t> sources_;
    DestinationTree tree_;
    std::vector<bool> is_source_;
    std::vector<std::uint32_t> mark_;  // [row] the round that saw it
    std::uint32_t round_ = 0;
    bool grown_ = false;  // by source_through
    std::vector<Unplugged> unplugged_;
    std::vector<BrokenEntry> entries_;
    std::unordered_map<std::uint64_t, std::size_t> entry_at_;  // row, port
    std::map<std::vector<std::pair<std::uint32_t, Port>>, Circle> circles_;
    Explanation result_;
};

FindingKind kind_of(Cause cause) {
    return cause == Cause::wrong_host ? FindingKind::misdelivered : FindingKind::unreachable;
}

class Wording {
public:
    explicit Wording(Forwarding const& forwarding) : forwarding_(forwarding), net_(forwarding.fabric().network) {}

    std::string where(BrokenEntry const& entry) const {
        Node const node = forwarding_.node_of(entry.row);
        return entry.port == ForwardingTables::no_entry || entry.port == 0 ? net_.describe(node)
                                                                           : port_place(net_, node, entry.port);
    }

    std::string message(BrokenEntry const& entry) const {
        std::string const lids = lids_text(entry.lids);
        bool const one = entry.lids.count() == 1;
        std::string text;
        switch (entry.cause) {
            case Cause::no_table: text = fmt::format("no forwarding table, so {} cannot pass", lids); break;
            case Cause::no_entry: text = fmt::format("no entry for {}", lids); break;
            case Cause::own_port_zero:
                text = fmt::format("keeps {} for itself (entry 0) without owning {}", lids, one ? "it" : "them");
                break;
            case Cause::port_beyond_switch:
                text = fmt::format("sends {} to port {} and has {} ports", lids, entry.port,
                                   net_[forwarding_.node_of(entry.row)].ports);
                break;
            case Cause::port_without_cable:
                text = fmt::format("sends {} to port {}, which has no cable", lids, entry.port);
                break;
            default: {
                LinkRecord const& link = net_[forwarding_.link_behind(entry.row, entry.port)];
                text = fmt::format("sends {} by port {} to {}, which does not own {}", lids, entry.port,
                                   port_place(net_, link.to, link.to_port), one ? "it" : "them");
            }
        }
        return text + example_text(entry.example, entry.lids.first());
    }

    std::string where(Circle const& circle) const {
        auto const& [row, port] = circle.steps.front();
        return port_place(net_, forwarding_.node_of(row), port);
    }

    std::string message(Circle const& circle) const {
        constexpr std::size_t most_named = 12;
        std::string text =
            fmt::format("{} run{} in a circle of {} switch{}: ", lids_text(circle.lids),
                        circle.lids.count() == 1 ? "s" : "", circle.steps.size(), circle.steps.size() == 1 ? "" : "es");
        for (std::size_t i = 0; i < std::min(most_named, circle.steps.size()); ++i) {
            auto const& [row, port] = circle.steps[i];
            text += fmt::format("{}{}", i > 0 ? " -> " : "", port_place(net_, forwarding_.node_of(row), port));
        }
        if (circle.steps.size() > most_named) text += fmt::format(" -> {} more", circle.steps.size() - most_named);
        return text + " -> the first again" + example_text(circle.example, circle.lids.first());
    }

private:
    /// With the owner's name where it is one LID.
    std::string lids_text(LidList const& lids) const {
        Node const owner = net_.owner(lids.first()).node;
        return lids.text() + (lids.count() == 1 && owner.exists() ? " (" + net_.describe(owner) + ")" : "");
    }

    std::string example_text(Host example, Lid lid) const {
        if (!example.exists()) return "";
        HostRecord const& source = net_[example];
        Node const owner = net_.owner(lid).node;
        return fmt::format("; for example from \"{}\" (LID {}) to \"{}\" (LID {})", net_[source.node].name, source.lid,
                           owner.exists() ? net_[owner].name : "nobody", lid);
    }

    Forwarding const& forwarding_;
    Network const& net_;
};

}  // namespace

Cause cause_of(Forwarding const& forwarding, std::uint32_t row, Port port) {
    if (forwarding.is_pseudo(row)) return Cause::wrong_host;
    Node const node = forwarding.node_of(row);
    if (!forwarding.fabric().tables.has_table(node)) return Cause::no_table;
    if (port == ForwardingTables::no_entry) return Cause::no_entry;
    if (port == 0) return Cause::own_port_zero;
    if (port > forwarding.fabric().network[node].ports) return Cause::port_beyond_switch;
    return forwarding.link_behind(row, port).exists() ? Cause::wrong_host : Cause::port_without_cable;
}

Explanation explain(Forwarding const& forwarding, SweepRequest const& request, SweepResult const& swept) {
    return Explainer(forwarding, request).run(request, swept);
}

std::vector<Finding> findings_of(Forwarding const& forwarding, Explanation const& explanation,
                                 std::optional<FindingKind> instead) {
    auto const kind = [&](FindingKind usual) { return instead.value_or(usual); };
    Wording const wording(forwarding);
    Network const& net = forwarding.fabric().network;
    std::vector<Finding> found;
    for (BrokenEntry const& entry : explanation.entries)
        found.push_back({kind(kind_of(entry.cause)), wording.where(entry), entry.pairs, wording.message(entry),
                         forwarding.node_of(entry.row), entry.port == ForwardingTables::no_entry ? 0 : entry.port,
                         entry.lids});
    for (Circle const& circle : explanation.circles)
        found.push_back({kind(FindingKind::loop), wording.where(circle), circle.pairs, wording.message(circle),
                         forwarding.node_of(circle.steps.front().first), circle.steps.front().second, circle.lids});
    if (explanation.other_circles > 0)
        found.push_back({kind(FindingKind::loop), "the fabric", explanation.other_circle_pairs,
                         fmt::format("more circles than are kept apart ({}), each of few pairs", most_circles)});
    for (Unplugged const& source : explanation.unplugged)
        if (source.pairs > 0)
            found.push_back({kind(FindingKind::unreachable),
                             port_place(net, net[source.source].node, net[source.source].port),
                             source.pairs,
                             "it has no cable, so nobody can be reached from it",
                             net[source.source].node,
                             net[source.source].port,
                             {}});
    return found;
}

}  // namespace tailback
