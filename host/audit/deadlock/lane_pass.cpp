// For every row, which (service level, lane) pairs its packets for one destination have: 16 masks, filled from the
// leaves of the tree to its root, since where a packet came from decides its lane and nothing else about it is left to
// know.
#include "host/audit/deadlock/lane_pass.hpp"

#include "host/model/routes/column_window.hpp"
#include "host/model/routes/destination_tree.hpp"
#include "kernels/cpu/threads.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <set>

namespace tailback {
namespace {

struct Source {
    Host host;
    std::uint32_t row = 0;
    Port in = 0;  ///< port by which its packets enter the row; 0 where they start there
};

/// Sources that enter somewhere, in the order of rows: those of a row share its tables.
std::vector<Source> entering(Forwarding const& forwarding, std::span<Host const> hosts) {
    Network const& net = forwarding.fabric().network;
    std::vector<Source> sources;
    for (Host const host : hosts) {
        Forwarding::Entry const& entry = forwarding.entry_of(host);
        if (entry.row == no_row) continue;
        sources.push_back({host, entry.row, entry.up.exists() ? net[entry.up].to_port : 0});
    }
    std::stable_sort(sources.begin(), sources.end(), [](Source const& a, Source const& b) { return a.row < b.row; });
    return sources;
}

/// Calls `level` for every bit.
template <class Action>
void each_bit(std::uint16_t bits, Action action) {
    for (; bits != 0; bits = static_cast<std::uint16_t>(bits & (bits - 1)))
        action(static_cast<unsigned>(__builtin_ctz(bits)));
}

class Worker {
public:
    Worker(Forwarding const& forwarding, LaneRules const& rules, std::vector<std::uint32_t> const& sources_in_row,
           std::vector<Source> const& sources, ChannelDependencies& dependencies)
        : forwarding_(forwarding),
          net_(forwarding.fabric().network),
          rules_(rules),
          sources_(sources),
          dependencies_(dependencies),
          tree_(forwarding, sources_in_row),
          packets_(forwarding.rows()) {}

    template <class PortEntry>
    void take(PortEntry const* column, Destination destination) {
        tree_.grow_from(column, destination, false);
        std::fill(packets_.begin(), packets_.end(), Packets{});
        for (Source const& source : sources_)
            if (source.host != destination.host && tree_.fate(source.row) == Fate::delivered)
                enter(source, destination);
        for (std::uint32_t const row : tree_.order())
            if (packets_[row].levels != 0 && !tree_.arrives(row)) pass_on(row);
    }

    LanePass result;
    std::set<std::array<std::uint32_t, 3>> unmapped;  // node, in, out

private:
    /// What leaves a row.
    struct Packets {
        std::uint16_t levels = 0;
        std::array<std::uint16_t, service_level_count> lanes{};  ///< by level, as bits
    };

    void enter(Source const& source, Destination destination) {
        std::uint16_t levels = rules_.known_levels(source.host, destination.lid);
        if (levels == 0) {
            levels = 1;
            if (result.pairs_without_level++ == 0 || destination.lid < result.first_destination ||
                (destination.lid == result.first_destination && source.host < result.first_source)) {
                result.first_source = source.host;
                result.first_destination = destination.lid;
            }
        }
        each_bit(levels, [&](unsigned level) {
            if (rules_.dropped_at(source.host, level)) result.drops = true;
            else leave(source.row, source.in, level);
        });
    }

    /// Packets of a level that came into `row` by port `in` go out. The lane they take, or none when they are dropped.
    std::uint16_t leave(std::uint32_t row, Port in, unsigned level) {
        Node const node = forwarding_.node_of(row);
        LaneRules::Lane lane;
        if (net_[node].kind == NodeKind::switch_node) {
            lane = rules_.at(node, in, tree_.port(row), level);
            if (!lane.recorded) unmapped.insert({node.value, in, tree_.port(row)});
        } else if (!rules_.one_lane && rules_.maps == nullptr) {
            lane.lane = level;
        }
        if (lane.dropped) {
            result.drops = true;
            return 0;
        }
        std::uint16_t const bit = static_cast<std::uint16_t>(1u << lane.lane);
        packets_[row].levels |= static_cast<std::uint16_t>(1u << level);
        packets_[row].lanes[level] |= bit;
        result.lanes_used |= bit;
        return bit;
    }

    void pass_on(std::uint32_t row) {
        std::uint32_t const next = tree_.next(row);
        Link const link = tree_.link(row);
        bool const goes_on = !tree_.arrives(next);  // what ends at a host waits for nothing
        Port const in = net_[link].to_port, out = tree_.port(next);
        Packets const& here = packets_[row];
        each_bit(here.levels, [&](unsigned level) {
            std::uint16_t const bit = leave(next, in, level);
            if (bit == 0 || !goes_on) return;
            each_bit(here.lanes[level], [&](unsigned lane) {
                dependencies_.add(link, lane, next, out, static_cast<unsigned>(__builtin_ctz(bit)));
            });
        });
    }

    Forwarding const& forwarding_;
    Network const& net_;
    LaneRules const& rules_;
    std::vector<Source> const& sources_;
    ChannelDependencies& dependencies_;
    DestinationTree tree_;
    std::vector<Packets> packets_;
};

template <class PortEntry>
void run(Forwarding const& forwarding, std::vector<Destination> const& destinations,
         std::vector<std::unique_ptr<Worker>> const& workers) {
    std::vector<ColumnWindow<PortEntry>> windows(workers.size(), ColumnWindow<PortEntry>(forwarding));
    auto const count = static_cast<std::ptrdiff_t>(destinations.size());
#pragma omp parallel for schedule(dynamic, columns_at_once) num_threads(static_cast <int>(workers.size()))
    for (std::ptrdiff_t d = 0; d < count; ++d) {
        auto const me = static_cast<std::size_t>(this_thread());
        Destination const& destination = destinations[static_cast<std::size_t>(d)];
        workers[me]->take(windows[me].column(destination.lid), destination);
    }
}

}  // namespace

LanePass collect_dependencies(Forwarding const& forwarding, LaneRules const& rules, std::span<Host const> sources,
                              std::span<Host const> destinations, unsigned threads, ChannelDependencies& dependencies) {
    std::vector<Source> const entries = entering(forwarding, sources);
    std::vector<std::uint32_t> const in_row = sources_by_row(forwarding, sources);
    std::vector<std::unique_ptr<Worker>> workers;
    for (unsigned t = 0; t < threads_to_use(threads); ++t)
        workers.push_back(std::make_unique<Worker>(forwarding, rules, in_row, entries, dependencies));
    std::vector<Destination> const towards = destinations_of(forwarding.fabric().network, destinations);
    if (forwarding.wide()) run<std::uint16_t>(forwarding, towards, workers);
    else run<std::uint8_t>(forwarding, towards, workers);

    LanePass sum;
    std::set<std::array<std::uint32_t, 3>> unmapped;
    for (auto const& worker : workers) {
        LanePass const& one = worker->result;
        sum.lanes_used |= one.lanes_used;
        sum.drops |= one.drops;
        if (one.pairs_without_level > 0 &&
            (sum.pairs_without_level == 0 ||
             std::pair(one.first_destination, one.first_source) < std::pair(sum.first_destination, sum.first_source))) {
            sum.first_source = one.first_source;
            sum.first_destination = one.first_destination;
        }
        sum.pairs_without_level += one.pairs_without_level;
        unmapped.insert(worker->unmapped.begin(), worker->unmapped.end());
    }
    for (auto const& [node, in, out] : unmapped) sum.unmapped.push_back({Node{node}, in, out});
    return sum;
}

namespace {

/// Rows that packets of `source` for the tree's destination pass, with the lane they leave each by; false when they are
/// dropped: then `dropped` says where. `visit` returns false to stop.
template <class Visit>
void follow(Forwarding const& forwarding, LaneRules const& rules, DestinationTree const& tree, Source const& source,
            unsigned level, LaneDrop& dropped, Visit visit) {
    Network const& net = forwarding.fabric().network;
    if (rules.dropped_at(source.host, level)) {
        dropped = {net[source.host].node, 0, net[source.host].port, level, 1};
        return;
    }
    Port in = source.in;
    for (std::uint32_t row = source.row; row != no_row; row = tree.next(row)) {
        Node const node = forwarding.node_of(row);
        LaneRules::Lane lane{rules.one_lane || rules.maps != nullptr ? 0 : level, false, true};
        if (net[node].kind == NodeKind::switch_node) lane = rules.at(node, in, tree.port(row), level);
        if (lane.dropped) {
            dropped = {node, in, tree.port(row), level, 1};
            return;
        }
        if (!visit(Channel{tree.link(row), static_cast<std::uint8_t>(lane.lane)})) return;
        in = net[tree.link(row)].to_port;
    }
}

/// The first source whose packets take `from` and then `to`; none when there is none.
Host example_source(Forwarding const& forwarding, LaneRules const& rules, DestinationTree const& tree,
                    std::vector<Source> const& sources, std::vector<bool>& passes, Channel const& from,
                    Channel const& to) {
    Network const& net = forwarding.fabric().network;
    std::uint32_t const row = forwarding.row_of(net[from.link].from);
    if (tree.fate(row) != Fate::delivered) return Host{};
    std::fill(passes.begin(), passes.end(), false);
    passes[row] = true;
    for (std::size_t i = tree.order().size(); i-- > 0;) {
        std::uint32_t const at = tree.order()[i];
        if (tree.next(at) != no_row && passes[tree.next(at)]) passes[at] = true;
    }
    Host best;
    for (Source const& source : sources) {
        if (source.host == tree.destination().host || !passes[source.row]) continue;
        if (best.exists() && best < source.host) continue;
        std::uint16_t const known = rules.known_levels(source.host, tree.destination().lid);
        each_bit(known == 0 ? std::uint16_t{1} : known, [&](unsigned level) {
            LaneDrop ignored;
            Channel before;
            follow(forwarding, rules, tree, source, level, ignored, [&](Channel const& channel) {
                if (before == from && channel == to) best = source.host;
                before = channel;
                return channel.link != to.link;
            });
        });
    }
    return best;
}

}  // namespace

std::vector<LaneDrop> count_drops(Forwarding const& forwarding, LaneRules const& rules, std::span<Host const> sources,
                                  std::span<Host const> destinations, unsigned threads) {
    std::vector<Source> const entries = entering(forwarding, sources);
    std::vector<std::uint32_t> const in_row = sources_by_row(forwarding, sources);
    std::vector<Destination> const towards = destinations_of(forwarding.fabric().network, destinations);
    std::vector<std::unique_ptr<DestinationTree>> trees;
    for (unsigned t = 0; t < threads_to_use(threads); ++t)
        trees.push_back(std::make_unique<DestinationTree>(forwarding, in_row));
    using Key = std::array<std::uint32_t, 4>;
    std::vector<std::map<Key, std::uint64_t>> counted(trees.size());
    auto const count = static_cast<std::ptrdiff_t>(towards.size());
#pragma omp parallel for schedule(dynamic, 16) num_threads(static_cast <int>(trees.size()))
    for (std::ptrdiff_t d = 0; d < count; ++d) {
        auto const me = static_cast<std::size_t>(this_thread());
        DestinationTree& tree = *trees[me];
        Destination const destination = towards[static_cast<std::size_t>(d)];
        tree.grow(destination, false);
        for (Source const& source : entries) {
            if (source.host == destination.host || tree.fate(source.row) != Fate::delivered) continue;
            std::uint16_t const known = rules.known_levels(source.host, destination.lid);
            each_bit(known == 0 ? std::uint16_t{1} : known, [&](unsigned level) {
                LaneDrop drop;
                follow(forwarding, rules, tree, source, level, drop, [](Channel const&) { return true; });
                if (drop.pairs > 0) ++counted[me][{drop.node.value, drop.in, drop.out, level}];
            });
        }
    }
    for (std::size_t t = 1; t < counted.size(); ++t)
        for (auto const& [key, pairs] : counted[t]) counted[0][key] += pairs;
    std::vector<LaneDrop> drops;
    for (auto const& [key, pairs] : counted[0]) drops.push_back({Node{key[0]}, key[1], key[2], key[3], pairs});
    std::stable_sort(drops.begin(), drops.end(),
                     [](LaneDrop const& a, LaneDrop const& b) { return a.pairs > b.pairs; });
    return drops;
}

std::vector<DeadlockCycle> with_examples(Forwarding const& forwarding, LaneRules const& rules,
                                         std::span<Host const> sources, std::span<Host const> destinations,
                                         std::vector<ChannelCycle> const& cycles) {
    std::vector<DeadlockCycle> result;
    if (cycles.empty()) return result;
    Network const& net = forwarding.fabric().network;
    ForwardingTables const& tables = forwarding.fabric().tables;
    std::vector<Source> const entries = entering(forwarding, sources);
    std::vector<std::uint32_t> const in_row = sources_by_row(forwarding, sources);
    std::vector<Destination> const towards = destinations_of(net, destinations);
    DestinationTree tree(forwarding, in_row);
    std::vector<bool> passes(forwarding.rows());
    for (ChannelCycle const& cycle : cycles) {
        DeadlockCycle& one = result.emplace_back();
        one.component = cycle.component;
        one.shortest = cycle.shortest;
        for (std::size_t i = 0; i < cycle.channels.size(); ++i) {
            Channel const& from = cycle.channels[i];
            Channel const& to = cycle.channels[(i + 1) % cycle.channels.size()];
            DeadlockStep& step = one.steps.emplace_back(DeadlockStep{from, {}, 0});
            for (Destination const& destination : towards) {
                if (tables.port(net[from.link].from, destination.lid) != net[from.link].from_port ||
                    tables.port(net[to.link].from, destination.lid) != net[to.link].from_port)
                    continue;
                tree.grow(destination, false);
                step.source = example_source(forwarding, rules, tree, entries, passes, from, to);
                step.destination = destination.lid;
                if (step.source.exists()) break;
            }
        }
    }
    return result;
}

}  // namespace tailback
