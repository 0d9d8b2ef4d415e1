#include "host/audit/deadlock/deadlock.hpp"

#include "host/audit/deadlock/lane_pass.hpp"
#include "host/model/routes/fabric_words.hpp"
#include "host/model/routes/for_each_destination.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <map>

namespace tailback::audit {
namespace {

/// Examples cost a look at all destinations each: a fabric with more cycles than this is broken beyond examples.
constexpr std::size_t most_cycles_with_examples = 1000;

LaneRules const one_lane_for_all{.one_lane = true};

/// The first circles as bits, by a link and the next one.
class CircleSteps {
public:
    CircleSteps(model::Network const& net, std::span<DeadlockCycle const> cycles) : on_a_circle_(net.links().size()) {
        for (std::size_t c = 0; c < cycles.size(); ++c) {
            std::vector<DeadlockStep> const& steps = cycles[c].steps;
            for (std::size_t i = 0; i < steps.size(); ++i) {
                model::Link const link = steps[i].channel.link;
                circles_of_[{link.value, steps[(i + 1) % steps.size()].channel.link.value}] |= std::uint64_t{1} << c;
                on_a_circle_[link.value] = true;
            }
        }
    }
    /// Circles on which `next` follows `link`.
    std::uint64_t with(model::Link link, model::Link next) const {
        if (!on_a_circle_[link.value] || !next.exists()) return 0;
        auto const found = circles_of_.find(std::pair(link.value, next.value));
        return found == circles_of_.end() ? 0 : found->second;
    }

private:
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> circles_of_;
    std::vector<bool> on_a_circle_;  // by link
};

/// Counts the pairs of circles: a route that takes two links of a circle one after the other does so from the first row
/// where it does on, and everybody whose route passes there does. A bit a circle for every row, from the root on.
class PairsOnCircles {
public:
    PairsOnCircles(CircleSteps const& steps, std::uint32_t rows) : steps_(&steps), circles_(rows) {}

    void operator()(std::size_t, model::DestinationTree const& tree) {
        std::span<std::uint32_t const> const order = tree.order();
        for (std::size_t k = order.size(); k-- > 0;) {
            std::uint32_t const row = order[k], next = tree.next(row);
            circles_[row] = 0;
            if (tree.fate(row) != model::Fate::delivered || next == kernels::no_row) continue;
            std::uint64_t const here = steps_->with(tree.link(row), tree.link(next));
            for (std::uint64_t fresh = here & ~circles_[next]; fresh != 0; fresh &= fresh - 1)
                pairs[static_cast<std::size_t>(std::countr_zero(fresh))] += tree.weight(row);
            circles_[row] = circles_[next] | here;
        }
    }

    std::array<std::uint64_t, most_cycles_counted> pairs{};  // by circle

private:
    CircleSteps const* steps_;
    std::vector<std::uint64_t> circles_;  // [row] that packets take two links of from here on
};

void count_pairs(model::Forwarding const& forwarding, RoutedPairs const& asked, std::vector<DeadlockCycle>& cycles) {
    std::size_t const counted = std::min(cycles.size(), most_cycles_counted);
    if (counted == 0) return;
    CircleSteps const steps(forwarding.fabric().network, std::span(cycles.data(), counted));
    model::Senders const senders(forwarding, asked.sources);
    auto const found =
        model::for_each_destination(forwarding, senders, model::TreeRows::met,
                                    model::destinations_of(forwarding.fabric().network, asked.destinations),
                                    asked.threads, [&] { return PairsOnCircles(steps, forwarding.rows()); });
    for (PairsOnCircles const& one : found)
        for (std::size_t c = 0; c < counted; ++c) cycles[c].pairs += one.pairs[c];
}

void add_cycles(model::Forwarding const& forwarding, LaneRules const& rules, RoutedPairs const& pairs,
                ChannelDependencies const& dependencies, DeadlockReport& report) {
    std::vector<ChannelCycle> cycles = find_cycles(forwarding, dependencies);
    report.free = cycles.empty();
    std::size_t const shown = std::min(cycles.size(), most_cycles_with_examples);
    report.cycles = with_examples(forwarding, rules, pairs, {cycles.begin(), cycles.begin() + std::ptrdiff_t(shown)});
    if (rules.one_lane) count_pairs(forwarding, pairs, report.cycles);
    for (std::size_t i = shown; i < cycles.size(); ++i) {
        DeadlockCycle& one = report.cycles.emplace_back();
        one.component = cycles[i].component;
        one.shortest = cycles[i].shortest;
        for (Channel const& channel : cycles[i].channels) one.steps.push_back({channel, {}, 0});
    }
}

DeadlockReport by_pass(model::Forwarding const& forwarding, LaneRules const& rules, RoutedPairs const& pairs) {
    model::Network const& net = forwarding.fabric().network;
    ChannelDependencies dependencies(forwarding, rules.lanes());
    LanePass const pass = collect_dependencies(forwarding, rules, pairs, dependencies);
    DeadlockReport report;
    report.levels_given = rules.levels != nullptr;
    report.lanes = static_cast<unsigned>(std::max(1, __builtin_popcount(pass.lanes_used)));
    report.pairs_without_level = pass.pairs_without_level;
    if (pass.pairs_without_level > 0)
        report.first_without_level = net.describe(net[pass.first_source].node) + " to " +
                                     model::destination_text(forwarding.fabric(), pass.first_destination);
    report.turns_without_map = pass.unmapped.size();
    if (!pass.unmapped.empty()) {
        LaneDrop const& first = pass.unmapped.front();
        report.first_without_map = net.describe(first.node) + " from port " + std::to_string(first.in) + " to port " +
                                   std::to_string(first.out);
    }
    if (pass.drops) report.drops = count_drops(forwarding, rules, pairs, report.dropped_pairs);
    add_cycles(forwarding, rules, pairs, dependencies, report);
    return report;
}

/// Links by the port they come into a row by; false when a port has several, as links whose far port is not known have.
bool links_by_port(model::Forwarding const& forwarding, std::vector<std::uint32_t>& links) {
    model::Network const& net = forwarding.fabric().network;
    links.assign(std::size_t{forwarding.rows()} * forwarding.ports(), model::Link::none_value);
    for (std::size_t i = 0; i < net.links().size(); ++i) {
        model::LinkRecord const& link = net[model::Link{i}];
        std::uint32_t const row = forwarding.row_of(link.to);
        if (row == kernels::no_row) continue;
        if (link.to_port == 0 || link.to_port >= forwarding.ports()) return false;
        std::uint32_t& slot = links[std::size_t{row} * forwarding.ports() + link.to_port];
        if (slot != model::Link::none_value) return false;
        slot = static_cast<std::uint32_t>(i);
    }
    return true;
}

/// The dependencies that turns make; false when they do not tell the links.
bool take_turns(model::Forwarding const& forwarding, TurnSet const& turns, ChannelDependencies& dependencies) {
    std::vector<std::uint32_t> links;
    if (turns.words.empty() || !links_by_port(forwarding, links)) return false;
    std::uint32_t const words = turns.words_per_port();
    for (std::uint32_t row = 0; row < forwarding.rows(); ++row)
        for (model::Port in = 1; in < turns.ports; ++in) {
            std::uint32_t const link = links[std::size_t{row} * forwarding.ports() + in];
            if (link == model::Link::none_value) continue;
            std::uint32_t const* const word = turns.words.data() + (std::size_t{row} * turns.ports + in) * words;
            for (std::uint32_t w = 0; w < words; ++w)
                for (std::uint32_t bits = word[w]; bits != 0; bits &= bits - 1) {
                    model::Port const out = w * 32 + static_cast<unsigned>(__builtin_ctz(bits));
                    if (forwarding.link_behind(row, out).exists()) dependencies.add(model::Link{link}, 0, row, out, 0);
                }
        }
    return true;
}

std::string end_text(model::Network const& net, Channel const& channel, bool with_lane) {
    model::LinkRecord const& link = net[channel.link];
    return net.describe(link.from) + " port " + net.port_name(link.from, link.from_port) +
           (with_lane ? " lane " + std::to_string(channel.lane) : "");
}

Finding finding_of(model::Fabric const& fabric, DeadlockReport const& report, DeadlockCycle const& cycle,
                   bool undecided) {
    constexpr std::size_t most_named = 8;
    model::Network const& net = fabric.network;
    bool const lanes = report.lanes > 1;
    Channel const& first = cycle.steps.front().channel;
    std::string text = "packets can wait for each other in a circle of " + std::to_string(cycle.steps.size()) +
                       " links (" + std::to_string(cycle.component) + " are tied up with it): ";
    for (std::size_t i = 0; i < std::min(cycle.steps.size(), most_named); ++i)
        text += (i ? " -> " : "") + end_text(net, cycle.steps[i].channel, lanes);
    if (cycle.steps.size() > most_named) text += " -> " + std::to_string(cycle.steps.size() - most_named) + " more";
    text += " -> back to the first";
    if (DeadlockStep const& step = cycle.steps.front(); step.source.exists())
        text += "; for example " + net.describe(net[step.source].node) + " to " +
                model::destination_text(fabric, step.destination) + " takes the first two";
    if (!cycle.shortest) text += "; a shorter circle may be there";
    if (undecided) text += "; judged without service levels of paths (`tailback audit --path-sl`)";
    return Finding(Code::channel_cycle, end_text(net, first, lanes), cycle.pairs, std::move(text), net[first.link].from,
                   net[first.link].from_port);
}

}  // namespace

DeadlockReport find_deadlocks_on_one_lane(model::Forwarding const& forwarding, std::span<model::Host const> sources,
                                          std::span<model::Host const> destinations, unsigned threads) {
    return by_pass(forwarding, one_lane_for_all, {sources, destinations, threads});
}

bool is_free_on_one_lane(model::Forwarding const& forwarding, std::span<model::Host const> sources,
                         std::span<model::Host const> destinations, unsigned threads) {
    ChannelDependencies dependencies(forwarding, 1);
    collect_dependencies(forwarding, one_lane_for_all, {sources, destinations, threads}, dependencies);
    return !has_cycles(forwarding, dependencies);
}

bool is_free_on_one_lane(model::Forwarding const& forwarding, TurnSet const& turns,
                         std::span<model::Host const> sources, std::span<model::Host const> destinations,
                         unsigned threads) {
    ChannelDependencies dependencies(forwarding, 1);
    if (!take_turns(forwarding, turns, dependencies))
        return is_free_on_one_lane(forwarding, sources, destinations, threads);
    return !has_cycles(forwarding, dependencies);
}

DeadlockReport find_deadlocks(model::Forwarding const& forwarding, TurnSet const& turns,
                              std::span<model::Host const> sources, std::span<model::Host const> destinations,
                              unsigned threads) {
    ChannelDependencies dependencies(forwarding, 1);
    if (!take_turns(forwarding, turns, dependencies))
        return find_deadlocks_on_one_lane(forwarding, sources, destinations, threads);
    DeadlockReport report;
    add_cycles(forwarding, one_lane_for_all, {sources, destinations, threads}, dependencies, report);
    return report;
}

DeadlockReport find_deadlocks(model::Forwarding const& forwarding, LaneRequest const& request) {
    return by_pass(forwarding, {false, request.maps, request.levels},
                   {request.sources, request.destinations, request.threads});
}

std::uint64_t count_cyclic_components(model::Forwarding const& forwarding, TurnSet const& turns,
                                      std::span<model::Host const> sources, std::span<model::Host const> destinations,
                                      unsigned threads) {
    ChannelDependencies dependencies(forwarding, 1);
    if (!take_turns(forwarding, turns, dependencies))
        collect_dependencies(forwarding, one_lane_for_all, {sources, destinations, threads}, dependencies);
    return find_cycles(forwarding, dependencies).size();
}

std::uint64_t count_cyclic_components(model::Forwarding const& forwarding, LaneRequest const& request) {
    LaneRules const rules{false, request.maps, request.levels};
    ChannelDependencies dependencies(forwarding, rules.lanes());
    collect_dependencies(forwarding, rules, {request.sources, request.destinations, request.threads}, dependencies);
    return find_cycles(forwarding, dependencies).size();
}

std::vector<Finding> findings_of(model::Fabric const& fabric, DeadlockReport const& report, bool undecided) {
    model::Network const& net = fabric.network;
    std::vector<Finding> findings;
    for (DeadlockCycle const& cycle : report.cycles) findings.push_back(finding_of(fabric, report, cycle, undecided));
    for (LaneDrop const& drop : report.drops)
        findings.emplace_back(Code::lane_15, net.describe(drop.node) + " port " + std::to_string(drop.out), drop.pairs,
                              "SL2VL drops service level " + std::to_string(drop.level) + " from port " +
                                  std::to_string(drop.in) + " to port " + std::to_string(drop.out) + " (lane 15)",
                              drop.node, drop.out);
    if (report.pairs_without_level > 0)
        findings.emplace_back(Code::path_without_level, "the list of service levels", report.pairs_without_level,
                              "pairs have no service level in the list of paths; 0 was taken (first: " +
                                  report.first_without_level + ")");
    if (report.turns_without_map > 0)
        findings.emplace_back(Code::turn_without_lanes, "the SL2VL tables", 0,
                              std::to_string(report.turns_without_map) +
                                  " ways through switches have no SL2VL record (a file that was cut off looks so); the "
                                  "service level itself was taken as lane (first: " +
                                  report.first_without_map + ")");
    return findings;
}

}  // namespace tailback::audit
