// For every row, which (service level, lane) pairs its packets for one destination have: 16 masks, filled from the
// leaves of the tree to its root, since where a packet came from decides its lane and nothing else about it is left to
// know.
#include "host/audit/deadlock/lane_pass.hpp"

#include "host/model/routes/for_each_destination.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace tailback::audit {
namespace {

struct Source {
    model::Host host;
    std::uint32_t row = 0;
    model::Port in = 0;  ///< port by which its packets enter the row; 0 where they start there
};

/// Sources that enter somewhere, in the order of rows: those of a row share its tables.
std::vector<Source> entering(model::Forwarding const& forwarding, std::span<model::Host const> hosts) {
    model::Network const& net = forwarding.fabric().network;
    std::vector<Source> sources;
    for (model::Host const host : hosts) {
        model::Forwarding::Entry const& entry = forwarding.entry_of(host);
        if (entry.row == kernels::no_row) continue;
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

/// Takes packets of all service levels from their sources down the trees, and notes which channel waits for which.
class LaneFlow {
public:
    LaneFlow(model::Forwarding const& forwarding, LaneRules const& rules, std::vector<Source> const& sources,
             ChannelDependencies& dependencies)
        : forwarding_(forwarding),
          net_(forwarding.fabric().network),
          rules_(rules),
          sources_(sources),
          dependencies_(dependencies),
          packets_(forwarding.rows()) {}

    void operator()(std::size_t, model::DestinationTree const& tree) {
        std::fill(packets_.begin(), packets_.end(), Packets{});
        for (Source const& source : sources_)
            if (source.host != tree.destination().host && tree.fate(source.row) == model::Fate::delivered)
                enter(tree, source);
        for (std::uint32_t const row : tree.order())
            if (packets_[row].levels != 0 && !tree.arrives(row)) pass_on(tree, row);
    }

    LanePass result;
    std::set<std::array<std::uint32_t, 3>> unmapped;  // node, in, out

private:
    /// What leaves a row.
    struct Packets {
        std::uint16_t levels = 0;
        std::array<std::uint16_t, model::service_level_count> lanes{};  ///< by level, as bits
    };

    void enter(model::DestinationTree const& tree, Source const& source) {
        model::Destination const destination = tree.destination();
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
            else leave(tree, source.row, source.in, level);
        });
    }

    /// Packets of a level that came into `row` by port `in` go out. The lane they take, or none when they are dropped.
    std::uint16_t leave(model::DestinationTree const& tree, std::uint32_t row, model::Port in, unsigned level) {
        model::Node const node = forwarding_.node_of(row);
        LaneRules::Lane lane;
        if (net_.is_switch(node)) {
            lane = rules_.at(node, in, tree.port(row), level);
            if (!lane.recorded) unmapped.insert({node.value, in, tree.port(row)});
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

    void pass_on(model::DestinationTree const& tree, std::uint32_t row) {
        std::uint32_t const next = tree.next(row);
        model::Link const link = tree.link(row);
        bool const goes_on = !tree.arrives(next);  // what ends at a host waits for nothing
        model::Port const in = net_[link].to_port, out = tree.port(next);
        Packets const& here = packets_[row];
        each_bit(here.levels, [&](unsigned level) {
            std::uint16_t const bit = leave(tree, next, in, level);
            if (bit == 0 || !goes_on) return;
            each_bit(here.lanes[level], [&](unsigned lane) {
                dependencies_.add(link, lane, next, out, static_cast<unsigned>(__builtin_ctz(bit)));
            });
        });
    }

    model::Forwarding const& forwarding_;
    model::Network const& net_;
    LaneRules const& rules_;
    std::vector<Source> const& sources_;
    ChannelDependencies& dependencies_;
    std::vector<Packets> packets_;
};

/// The same on one lane, where it is enough to know which rows packets pass.
class OneLaneFlow {
public:
    explicit OneLaneFlow(ChannelDependencies& dependencies) : dependencies_(&dependencies) {}

    void operator()(std::size_t, model::DestinationTree const& tree) {
        for (std::uint32_t const row : tree.order()) {
            if (tree.weight(row) == 0 || tree.fate(row) != model::Fate::delivered || tree.arrives(row)) continue;
            std::uint32_t const next = tree.next(row);
            if (!tree.arrives(next)) dependencies_->add(tree.link(row), 0, next, tree.port(next), 0);
        }
    }

private:
    ChannelDependencies* dependencies_;
};

}  // namespace

LanePass collect_dependencies(model::Forwarding const& forwarding, LaneRules const& rules, RoutedPairs const& pairs,
                              ChannelDependencies& dependencies) {
    model::Senders const senders(forwarding, pairs.sources);
    auto const destinations = model::destinations_of(forwarding.fabric().network, pairs.destinations);
    LanePass sum;
    if (rules.one_lane) {
        model::for_each_destination(forwarding, senders, model::TreeRows::met, destinations, pairs.threads,
                                    [&] { return OneLaneFlow(dependencies); });
        sum.lanes_used = 1;
        return sum;
    }
    std::vector<Source> const entries = entering(forwarding, pairs.sources);
    auto const flows =
        model::for_each_destination(forwarding, senders, model::TreeRows::met, destinations, pairs.threads,
                                    [&] { return LaneFlow(forwarding, rules, entries, dependencies); });
    std::set<std::array<std::uint32_t, 3>> unmapped;
    for (LaneFlow const& flow : flows) {
        LanePass const& one = flow.result;
        sum.lanes_used |= one.lanes_used;
        sum.drops |= one.drops;
        if (one.pairs_without_level > 0 &&
            (sum.pairs_without_level == 0 ||
             std::pair(one.first_destination, one.first_source) < std::pair(sum.first_destination, sum.first_source))) {
            sum.first_source = one.first_source;
            sum.first_destination = one.first_destination;
        }
        sum.pairs_without_level += one.pairs_without_level;
        unmapped.insert(flow.unmapped.begin(), flow.unmapped.end());
    }
    for (auto const& [node, in, out] : unmapped) sum.unmapped.push_back({model::Node{node}, in, out});
    return sum;
}

namespace {

/// Rows that packets of `source` for the tree's destination pass, with the lane they leave each by. `visit` returns
/// false to stop. @return where they are dropped; of no pairs when they are not
template <class Visit>
LaneDrop follow(model::Forwarding const& forwarding, LaneRules const& rules, model::DestinationTree const& tree,
                Source const& source, unsigned level, Visit visit) {
    model::Network const& net = forwarding.fabric().network;
    if (rules.dropped_at(source.host, level)) return {net[source.host].node, 0, net[source.host].port, level, 1};
    model::Port in = source.in;
    for (std::uint32_t row = source.row; row != kernels::no_row; row = tree.next(row)) {
        model::Node const node = forwarding.node_of(row);
        LaneRules::Lane lane{rules.one_lane || rules.maps != nullptr ? 0 : level, false, true};
        if (net.is_switch(node)) lane = rules.at(node, in, tree.port(row), level);
        if (lane.dropped) return {node, in, tree.port(row), level, 1};
        if (!visit(Channel{tree.link(row), static_cast<std::uint8_t>(lane.lane)})) break;
        in = net[tree.link(row)].to_port;
    }
    return {};
}

/// The first source whose packets take `from` and then `to`; none when there is none.
model::Host example_source(model::Forwarding const& forwarding, LaneRules const& rules,
                           model::DestinationTree const& tree, std::vector<Source> const& sources, Channel const& from,
                           Channel const& to) {
    model::Network const& net = forwarding.fabric().network;
    std::uint32_t const row = forwarding.row_of(net[from.link].from);
    if (tree.fate(row) != model::Fate::delivered) return model::Host{};
    std::vector<bool> passes(forwarding.rows());
    passes[row] = true;
    for (std::size_t i = tree.order().size(); i-- > 0;) {
        std::uint32_t const at = tree.order()[i];
        if (tree.next(at) != kernels::no_row && passes[tree.next(at)]) passes[at] = true;
    }
    model::Host best;
    for (Source const& source : sources) {
        if (source.host == tree.destination().host || !passes[source.row]) continue;
        if (best.exists() && best < source.host) continue;
        std::uint16_t const known = rules.known_levels(source.host, tree.destination().lid);
        each_bit(known == 0 ? std::uint16_t{1} : known, [&](unsigned level) {
            Channel before;
            follow(forwarding, rules, tree, source, level, [&](Channel const& channel) {
                if (before == from && channel == to) best = source.host;
                before = channel;
                return channel.link != to.link;
            });
        });
    }
    return best;
}

/// Counts the pairs that are dropped.
class DropCounts {
public:
    using Key = std::array<std::uint32_t, 4>;  // node, in, out, service level

    DropCounts(model::Forwarding const& forwarding, LaneRules const& rules, std::vector<Source> const& sources)
        : forwarding_(forwarding), rules_(rules), sources_(sources) {}

    void operator()(std::size_t, model::DestinationTree const& tree) {
        model::Destination const destination = tree.destination();
        for (Source const& source : sources_) {
            if (source.host == destination.host || tree.fate(source.row) != model::Fate::delivered) continue;
            std::uint16_t const known = rules_.known_levels(source.host, destination.lid);
            bool dropped = false;
            each_bit(known == 0 ? std::uint16_t{1} : known, [&](unsigned level) {
                LaneDrop const drop =
                    follow(forwarding_, rules_, tree, source, level, [](Channel const&) { return true; });
                if (drop.pairs == 0) return;
                dropped = true;
                ++counted[{drop.node.value, drop.in, drop.out, level}];
            });
            pairs += dropped;
        }
    }

    std::map<Key, std::uint64_t> counted;
    std::uint64_t pairs = 0;

private:
    model::Forwarding const& forwarding_;
    LaneRules const& rules_;
    std::vector<Source> const& sources_;
};

}  // namespace

std::vector<LaneDrop> count_drops(model::Forwarding const& forwarding, LaneRules const& rules, RoutedPairs const& pairs,
                                  std::uint64_t& dropped_pairs) {
    std::vector<Source> const entries = entering(forwarding, pairs.sources);
    model::Senders const senders(forwarding, pairs.sources);
    auto const found =
        model::for_each_destination(forwarding, senders, model::TreeRows::met,
                                    model::destinations_of(forwarding.fabric().network, pairs.destinations),
                                    pairs.threads, [&] { return DropCounts(forwarding, rules, entries); });
    std::map<DropCounts::Key, std::uint64_t> counted;
    for (DropCounts const& one : found) {
        dropped_pairs += one.pairs;
        for (auto const& [key, count] : one.counted) counted[key] += count;
    }
    std::vector<LaneDrop> drops;
    for (auto const& [key, count] : counted) drops.push_back({model::Node{key[0]}, key[1], key[2], key[3], count});
    std::stable_sort(drops.begin(), drops.end(),
                     [](LaneDrop const& a, LaneDrop const& b) { return a.pairs > b.pairs; });
    return drops;
}

std::vector<DeadlockCycle> with_examples(model::Forwarding const& forwarding, LaneRules const& rules,
                                         RoutedPairs const& pairs, std::vector<ChannelCycle> const& cycles) {
    std::vector<DeadlockCycle> result;
    if (cycles.empty()) return result;
    model::Network const& net = forwarding.fabric().network;
    model::ForwardingTables const& tables = forwarding.fabric().tables;
    std::vector<Source> const entries = entering(forwarding, pairs.sources);
    std::vector<model::Destination> const towards = model::destinations_of(net, pairs.destinations);
    model::Senders const senders(forwarding, pairs.sources);
    model::DestinationTree tree(forwarding, senders);
    for (ChannelCycle const& cycle : cycles) {
        DeadlockCycle& one = result.emplace_back();
        one.component = cycle.component;
        one.shortest = cycle.shortest;
        for (std::size_t i = 0; i < cycle.channels.size(); ++i) {
            Channel const& from = cycle.channels[i];
            Channel const& to = cycle.channels[(i + 1) % cycle.channels.size()];
            DeadlockStep& step = one.steps.emplace_back(DeadlockStep{from, {}, 0});
            for (model::Destination const& destination : towards) {
                if (tables.port(net[from.link].from, destination.lid) != net[from.link].from_port ||
                    tables.port(net[to.link].from, destination.lid) != net[to.link].from_port)
                    continue;
                tree.grow(destination);
                step.source = example_source(forwarding, rules, tree, entries, from, to);
                step.destination = destination.lid;
                if (step.source.exists()) break;
            }
        }
    }
    return result;
}

}  // namespace tailback::audit
