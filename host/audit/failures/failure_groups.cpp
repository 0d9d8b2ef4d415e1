#include "host/audit/failures/failure_groups.hpp"

#include <algorithm>
#include <optional>

namespace tailback::audit {

model::Cause cause_of(model::Forwarding const& forwarding, std::uint32_t row, model::Port port) {
    if (forwarding.is_pseudo(row)) return model::Cause::wrong_host;
    model::NextHop const hop = model::next_hop(forwarding.fabric(), forwarding.node_of(row), port);
    return hop.link.exists() ? model::Cause::wrong_host : hop.cause;
}

void FailureGroups::add(model::DestinationTree const& tree) {
    add_broken_entries(tree);
    add_circles(tree);
    if (circles_.size() > 2 * most_circles) drop_small_circles();
}

void FailureGroups::add_broken_entries(model::DestinationTree const& tree) {
    std::optional<Unknown> unknown;
    for (std::uint32_t const row : tree.order()) {
        if (tree.next(row) != kernels::no_row || tree.fate(row) == model::Fate::delivered || tree.weight(row) == 0)
            continue;
        if (tree.port(row) == model::ForwardingTables::no_entry) {
            if (!unknown) unknown = unknown_to(tree.destination().lid);
            if (*unknown != Unknown::no && cause_of(forwarding_, row, tree.port(row)) == model::Cause::no_entry) {
                add_unknown(tree, row, *unknown);
                continue;
            }
        }
        std::uint64_t const key = std::uint64_t{row} << 32 | tree.port(row);
        auto const [at, is_new] = entry_at_.emplace(key, entries_.size());
        if (is_new) entries_.push_back({row, tree.port(row), cause_of(forwarding_, row, tree.port(row)), 0, {}, {}});
        BrokenEntry& entry = entries_[at->second];
        entry.pairs += tree.weight(row);
        entry.lids.add(tree.destination().lid);
    }
}

/// The switch that its owner's cable leads to.
model::Node FailureGroups::home_of(model::Lid lid) const {
    model::Network const& net = forwarding_.fabric().network;
    model::Host const host = net.owner(lid).host;
    model::Link const up = host.exists() ? net.up_link(host) : model::Link{};
    return up.exists() ? net[up].to : model::Node{};
}

FailureGroups::Unknown FailureGroups::unknown_to(model::Lid lid) const {
    model::ForwardingTables const& tables = forwarding_.fabric().tables;
    if (tables.tables() < 2) return Unknown::no;
    model::Node const home = home_of(lid);
    bool home_knows = false;
    for (std::size_t n = 0; n < forwarding_.fabric().network.nodes().size(); ++n) {
        model::Node const node{n};
        if (!tables.has_table(node) || tables.port(node, lid) == model::ForwardingTables::no_entry) continue;
        if (node != home || tables.tables() < 3) return Unknown::no;
        home_knows = true;
    }
    return home_knows ? Unknown::others : Unknown::everybody;
}

void FailureGroups::add_unknown(model::DestinationTree const& tree, std::uint32_t row, Unknown to) {
    model::Network const& net = forwarding_.fabric().network;
    model::Lid const lid = tree.destination().lid;
    model::LidOwner const owner = net.owner(lid);
    bool const itself = to == Unknown::others;
    model::Node const node = itself ? home_of(lid) : owner.node;
    model::Port const port = !itself && owner.host.exists() ? net[owner.host].port : 0;
    auto const [at, is_new] = unknown_at_.emplace(std::tuple{node.value, port, itself}, result_.unknown.size());
    if (is_new) result_.unknown.push_back({node, port, itself, {}, 0, {}});
    UnknownPort& unknown = result_.unknown[at->second];
    unknown.lids.add(lid);
    unknown.pairs += tree.weight(row);
    auto const entry = std::find_if(unknown.entries.begin(), unknown.entries.end(),
                                    [&](BrokenEntry const& one) { return one.row == row; });
    if (entry == unknown.entries.end())
        unknown.entries.push_back({row, tree.port(row), model::Cause::no_entry, tree.weight(row), unknown.lids, {}});
    else entry->pairs += tree.weight(row), entry->lids.add(lid);
}

void FailureGroups::add_circles(model::DestinationTree const& tree) {
    ++round_;
    for (std::uint32_t start = 0; start < tree.rows(); ++start) {
        if (!tree.on_cycle(start) || mark_[start] == round_) continue;
        std::vector<Step> steps;  // `start` is its smallest row: the others come later
        std::uint64_t pairs = 0;
        for (std::uint32_t row = start; mark_[row] != round_; row = tree.next(row)) {
            mark_[row] = round_;
            steps.emplace_back(row, tree.port(row));
            pairs += tree.weight(row);
        }
        if (pairs == 0) continue;
        Circle& circle = circles_.try_emplace(std::move(steps)).first->second;
        circle.pairs += pairs;
        circle.lids.add(tree.destination().lid);
    }
}

void FailureGroups::drop_small_circles() {
    std::vector<std::pair<std::uint64_t, decltype(circles_)::iterator>> order;
    for (auto at = circles_.begin(); at != circles_.end(); ++at) order.emplace_back(at->second.pairs, at);
    std::stable_sort(order.begin(), order.end(), [](auto const& a, auto const& b) { return a.first > b.first; });
    for (std::size_t i = most_circles; i < order.size(); ++i) {
        ++result_.other_circles;
        result_.other_circle_pairs += order[i].first;
        circles_.erase(order[i].second);
    }
}

Explanation FailureGroups::take() {
    if (circles_.size() > most_circles) drop_small_circles();
    result_.entries = std::move(entries_);
    std::sort(result_.entries.begin(), result_.entries.end(), [](BrokenEntry const& a, BrokenEntry const& b) {
        return a.pairs != b.pairs ? a.pairs > b.pairs : a.row != b.row ? a.row < b.row : a.port < b.port;
    });
    for (auto& [steps, circle] : circles_) {
        circle.steps = steps;
        begin_with_detour(forwarding_, circle.lids.first(), circle.steps);
        result_.circles.push_back(std::move(circle));
    }
    std::stable_sort(result_.circles.begin(), result_.circles.end(),
                     [](Circle const& a, Circle const& b) { return a.pairs > b.pairs; });
    return std::move(result_);
}

}  // namespace tailback::audit
