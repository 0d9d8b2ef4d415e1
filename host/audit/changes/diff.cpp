// Two trees towards one destination are compared row by row from the root: a row's route is the same when its link is
// and the next row's route is. Sources that entered elsewhere before are looked at one by one.
#include "host/audit/changes/diff.hpp"

#include "host/audit/choices/choices.hpp"

#include "host/audit/loads/all_pairs.hpp"
#include "host/model/routes/for_each_destination.hpp"

#include <algorithm>
#include <numeric>

namespace tailback::audit {
namespace {

void compare_parts(model::Network const& before, model::Network const& after, model::NetworkMatch const& match,
                   FabricDiff& diff) {
    static_cast<model::NetworkDifferences&>(diff) = model::differences(before, after, match);
    std::erase_if(diff.rates, [&](auto const& pair) {
        model::Link const back = before[pair.first].reverse;
        return back.exists() && back.value < pair.first.value;
    });
    for (FabricDiff::PortChange const& change : diff.ports)
        if (change.has_other_lids()) diff.lids.push_back(change);
}

void compare_tables(model::Fabric const& before, model::Fabric const& after, model::NetworkMatch const& match,
                    FabricDiff& diff) {
    for (std::size_t n = 0; n < before.network.nodes().size(); ++n) {
        model::Node const was{n}, now = match.node_after[was];
        if (!now.exists() || (!before.tables.has_table(was) && !after.tables.has_table(now))) continue;
        std::uint64_t entries = 0;
        for (model::MatchedLid const& lid : match.lids)
            entries += before.tables.port(was, lid.before) != match.port_before(now, after.tables.port(now, lid.after));
        if (entries > 0) diff.tables.push_back({was, now, entries});
    }
    std::stable_sort(diff.tables.begin(), diff.tables.end(),
                     [](auto const& a, auto const& b) { return a.entries > b.entries; });
}

bool is_host(model::HostRecord const& host, DiffRequest const& request) {
    return host.role != model::HostRole::aggregation || request.aggregation_nodes_are_hosts;
}

std::vector<model::Host> hosts_of(model::Network const& net, DiffRequest const& request) {
    std::vector<model::Host> hosts;
    for (std::size_t h = 0; h < net.hosts().size(); ++h)
        if (is_host(net[model::Host{h}], request)) hosts.emplace_back(h);
    return hosts;
}

/// What both fabrics' routes are compared by.
struct Routes {
    model::Forwarding before, after;
    model::NetworkMatch const& match;
    model::Senders nobody_before, nobody_after;              // fates and links are compared, not how many pass
    std::vector<std::uint32_t> row_after;                    // by row before
    std::vector<std::uint32_t> steady;                       // by row before: sources that enter as they did
    std::vector<bool> is_steady;                             // by host before
    std::vector<std::pair<model::Host, model::Host>> moved;  // sources that enter elsewhere

    Routes(model::Fabric const& old_fabric, model::Fabric const& new_fabric, model::NetworkMatch const& m,
           DiffRequest const& request)
        : before(old_fabric),
          after(new_fabric),
          match(m),
          nobody_before(before, std::span<model::Host const>()),
          nobody_after(after, std::span<model::Host const>()),
          row_after(before.rows(), kernels::no_row),
          steady(before.rows()),
          is_steady(old_fabric.network.hosts().size()) {
        for (std::uint32_t row = 0; row < before.rows(); ++row)
            if (model::Node const node = match.node_after[before.node_of(row)]; !before.is_pseudo(row) && node.exists())
                row_after[row] = after.row_of(node);
        for (std::size_t h = 0; h < old_fabric.network.hosts().size(); ++h) {
            model::Host const host{h}, now = match.host_after[host];
            if (!now.exists() || !is_host(old_fabric.network[host], request) ||
                !is_host(new_fabric.network[now], request))
                continue;
            model::Forwarding::Entry const &was = before.entry_of(host), &is = after.entry_of(now);
            bool const same_up =
                was.up.exists() == is.up.exists() && (!was.up.exists() || match.link_after[was.up] == is.up);
            if (was.row != kernels::no_row && is.row != kernels::no_row && row_after[was.row] == is.row && same_up) {
                ++steady[was.row];
                is_steady[h] = true;
            } else {
                moved.push_back({host, now});
            }
        }
    }
};

/// Compares the routes to one LID after the other.
class RouteComparison {
public:
    RouteComparison(Routes const& routes, std::vector<FabricDiff::DestinationChange>& changes)
        : routes_(routes),
          changes_(changes),
          before_(routes.before, routes.nobody_before),
          after_(routes.after, routes.nobody_after),
          same_(routes.before.rows()) {}

    void operator()(std::size_t d) {
        FabricDiff::DestinationChange& change = changes_[d];
        model::MatchedLid const& lid = change.lid;
        before_.grow({lid.before, lid.host_before});
        after_.grow({lid.after, lid.host_after});
        std::fill(same_.begin(), same_.end(), false);
        for (std::size_t i = before_.order().size(); i-- > 0;) {
            std::uint32_t const row = before_.order()[i], now = routes_.row_after[row];
            if (now == kernels::no_row || before_.fate(row) != model::Fate::delivered ||
                after_.fate(now) != model::Fate::delivered)
                continue;
            same_[row] = goes_on_as_before(row, now);
        }
        std::uint32_t const own_row =
            routes_.is_steady[lid.host_before.value] ? routes_.before.entry_of(lid.host_before).row : kernels::no_row;
        for (std::uint32_t row = 0; row < routes_.before.rows(); ++row) {
            std::uint64_t const sources = routes_.steady[row] - (row == own_row ? 1 : 0);
            if (sources > 0) count(before_.fate(row), after_.fate(routes_.row_after[row]), same_[row], sources, change);
        }
        for (auto const& [was, now] : routes_.moved) {
            if (was == lid.host_before) continue;
            std::uint32_t const from = routes_.before.entry_of(was).row, to = routes_.after.entry_of(now).row;
            model::Fate const fate = from == kernels::no_row ? model::Fate::unreachable : before_.fate(from),
                              fate_now = to == kernels::no_row ? model::Fate::unreachable : after_.fate(to);
            // A source plugged straight into another adapter is a row of its own in both.
            bool const same = fate == model::Fate::delivered && fate_now == fate && routes_.before.is_pseudo(from) &&
                              routes_.after.is_pseudo(to) && goes_on_as_before(from, to);
            count(fate, fate_now, same, 1, change);
        }
    }

    std::uint64_t pairs = 0;
    std::array<std::array<std::uint64_t, 4>, 4> fates{};

private:
    /// Of delivered rows: the same link, and the same from there on.
    bool goes_on_as_before(std::uint32_t row, std::uint32_t now) const {
        if (routes_.match.link_after[before_.link(row)] != after_.link(now) ||
            before_.arrives(row) != after_.arrives(now))
            return false;
        return before_.arrives(row) ||
               (routes_.row_after[before_.next(row)] == after_.next(now) && same_[before_.next(row)]);
    }

    void count(model::Fate was, model::Fate now, bool same, std::uint64_t sources,
               FabricDiff::DestinationChange& change) {
        pairs += sources;
        if (was != now) {
            fates[std::size_t(was)][std::size_t(now)] += sources;
            change.refated += sources;
        } else if (was == model::Fate::delivered && !same) {
            change.rerouted += sources;
        }
    }

    Routes const& routes_;
    std::vector<FabricDiff::DestinationChange>& changes_;  // by destination; `lid` is filled
    model::DestinationTree before_, after_;
    std::vector<bool> same_;
};

/// Delivered pairs of a fabric's hosts over its links; and how many pairs there are.
PairLoads loads_of(model::Forwarding const& forwarding, DiffRequest const& request, std::uint64_t& pairs) {
    std::vector<model::Host> const hosts = hosts_of(forwarding.fabric().network, request);
    AllPairsRequest wanted{.sources = hosts, .destinations = hosts};
    wanted.shortest = wanted.turns = false;
    AllPairsResult all_pairs =
        count_all_pairs(forwarding, wanted, {.device = evaluation::DeviceChoice::cpu, .threads = request.threads});
    pairs = all_pairs.pairs.total;
    if (forwarding.fabric().candidates == nullptr) return {std::move(all_pairs.load)};
    return divided_loads({forwarding, model::ChoicesOf::sets, hosts}, hosts, request.threads);
}

void compare_loads(Routes const& routes, DiffRequest const& request, FabricDiff& diff) {
    PairLoads const was = loads_of(routes.before, request, diff.pairs_before),
                    now = loads_of(routes.after, request, diff.pairs_after);
    for (std::size_t l = 0; l < now.load.size(); ++l) {
        model::Link const old = routes.match.link_before[model::Link{l}];
        double const before = old.exists() ? was.pairs(old) : 0, after = now.pairs(model::Link{l});
        if (after > before) diff.rose.push_back({old, model::Link{l}, before, after});
        if (after < before) ++diff.fell;
    }
    for (std::size_t l = 0; l < was.load.size(); ++l)
        if (!routes.match.link_after[model::Link{l}].exists() && was.load[l] > 0) ++diff.fell;
    std::stable_sort(diff.rose.begin(), diff.rose.end(), [](auto const& a, auto const& b) {
        return a.load_after - a.load_before > b.load_after - b.load_before;
    });
}

void compare_routes(model::Fabric const& before, model::Fabric const& after, model::NetworkMatch const& match,
                    DiffRequest const& request, FabricDiff& diff) {
    Routes const routes(before, after, match, request);
    std::vector<FabricDiff::DestinationChange> changes;
    for (model::MatchedLid const& lid : match.lids)
        if (lid.host_before.exists() && is_host(before.network[lid.host_before], request) &&
            is_host(after.network[lid.host_after], request))
            changes.push_back({.lid = lid});
    auto const compared =
        model::for_each_destination(changes.size(), request.threads, [&] { return RouteComparison(routes, changes); });
    for (RouteComparison const& one : compared) {
        diff.pairs += one.pairs;
        for (std::size_t was = 0; was < 4; ++was)
            for (std::size_t now = 0; now < 4; ++now) diff.fates[was][now] += one.fates[was][now];
    }
    for (FabricDiff::DestinationChange const& change : changes) {
        diff.rerouted += change.rerouted;
        if (change.rerouted + change.refated > 0) diff.destinations.push_back(change);
    }
    std::stable_sort(diff.destinations.begin(), diff.destinations.end(),
                     [](auto const& a, auto const& b) { return a.rerouted + a.refated > b.rerouted + b.refated; });
    compare_loads(routes, request, diff);
}

}  // namespace

std::uint64_t FabricDiff::refated() const {
    std::uint64_t sum = 0;
    for (auto const& row : fates) sum = std::accumulate(row.begin(), row.end(), sum);
    return sum;
}

std::uint64_t FabricDiff::candidate_entries() const {
    std::uint64_t sum = 0;
    for (CandidateChange const& change : candidates) sum += change.entries;
    return sum;
}

bool FabricDiff::equal() const {
    return nodes_gone.empty() && nodes_new.empty() && renamed.empty() && cables_gone.empty() && cables_new.empty() &&
           rates.empty() && lids.empty() && tables.empty() && candidates.empty() && notes.empty() && rerouted == 0 &&
           refated() == 0 && rose.empty() && fell == 0;
}

FabricDiff diff(model::Fabric const& before, model::Fabric const& after, DiffRequest const& request) {
    FabricDiff answer;
    model::NetworkMatch const match(before.network, after.network);
    compare_parts(before.network, after.network, match, answer);
    answer.routed = before.routed && after.routed;
    if (!answer.routed) return answer;
    compare_tables(before, after, match, answer);
    answer.has_candidates = before.candidates != nullptr || after.candidates != nullptr;
    answer.candidates = candidate_changes(before, after, match);
    compare_routes(before, after, match, request, answer);
    return answer;
}

}  // namespace tailback::audit
