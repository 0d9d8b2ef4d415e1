#include "host/evaluation/multipath/lid_paths.hpp"

#include "host/base/error.hpp"
#include "topologies/draws.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace tailback::evaluation {
namespace {

constexpr std::array<char const*, 5> names = {"base", "connection", "round-robin", "random", "all"};

}  // namespace

char const* spread_name(LidSpread spread) { return names[std::size_t(spread)]; }

std::optional<LidSpread> read_spread(std::string const& word) {
    auto const at = std::find(names.begin(), names.end(), word);
    return at == names.end() ? std::nullopt : std::optional(LidSpread(at - names.begin()));
}

std::uint32_t largest_lmc(model::Network const& network, std::span<model::Host const> hosts) {
    std::uint32_t most = 0;
    for (model::Host const host : hosts) most = std::max<std::uint32_t>(most, network[host].lmc);
    return most;
}

LidPaths::LidPaths(model::Forwarding const& forwarding, LidSpread spread, std::uint64_t seed)
    : forwarding_(forwarding), spread_(spread), seed_(seed), turn_(forwarding.fabric().network.hosts().size()) {}

void LidPaths::begin() { std::fill(turn_.begin(), turn_.end(), 0); }

std::span<std::uint32_t const> LidPaths::choose(model::Host source, model::Host destination, LevelPlace const& place,
                                                std::uint32_t message) {
    std::uint32_t const lids = 1u << forwarding_.fabric().network[destination].lmc;
    auto const one = [&](std::uint32_t offset) {
        offsets_.assign(1, offset & (lids - 1));
        return std::span<std::uint32_t const>(offsets_);
    };
    using topologies::BuildStream;
    switch (spread_) {
        case LidSpread::connection:
            return one(
                topologies::drawn_word(seed_, BuildStream::lid_of_connection, source.value, destination.value, 0));
        case LidSpread::round_robin: return one(turn_[source.value]++);
        case LidSpread::random: {
            auto const stream =
                static_cast<BuildStream>(static_cast<std::uint32_t>(BuildStream::lid_of_message) + (place.job << 8));
            std::uint32_t const mapping =
                topologies::drawn_word(seed_, stream, static_cast<std::uint32_t>(place.mapping),
                                       static_cast<std::uint32_t>(place.mapping >> 32), 1);
            return one(topologies::drawn_word(seed_, stream, message, place.level, mapping | 2));
        }
        case LidSpread::all:
            offsets_.resize(lids);
            for (std::uint32_t i = 0; i < lids; ++i) offsets_[i] = i;
            return offsets_;
        case LidSpread::base: break;
    }
    return one(0);
}

bool LidPaths::walk(model::Host source, model::Host destination, model::Lid lid,
                    std::vector<model::Link>& links) const {
    model::Forwarding::Entry const& entry = forwarding_.entry_of(source);
    if (entry.row == kernels::no_row || lid == 0) return false;
    if (entry.up.exists()) links.push_back(entry.up);
    std::uint32_t const arrival = forwarding_.arrival_of(destination);
    kernels::ForwardingView const& view = forwarding_.view();
    std::uint32_t row = entry.row;
    for (std::uint32_t steps = 0; steps <= forwarding_.rows(); ++steps) {
        if (view.row_of_arrival[arrival] == row) return true;
        model::Port const port = forwarding_.port(row, lid);
        if (port == 0 || port >= view.ports) return false;
        model::Link const link = forwarding_.link_behind(row, port);
        if (!link.exists()) return false;
        links.push_back(link);
        kernels::Target const target = view.targets[std::size_t{row} * view.ports + port];
        if (target >= kernels::arrival_bit)
            return target < kernels::foreign_port && (target & ~kernels::arrival_bit) == arrival;
        row = target;
    }
    return false;
}

SpreadLoads::SpreadLoads(model::Forwarding const& forwarding, model::LinkCosts const& costs, LidSpread spread,
                         std::uint64_t seed, std::uint64_t parts)
    : network_(forwarding.fabric().network), costs_(costs), paths_(forwarding, spread, seed), parts_(parts) {
    result_.loads.resize(network_.links().size());
}

FlowLoads const& SpreadLoads::carry(std::span<HostFlow const> flows, LevelPlace const& place) {
    std::uint64_t weight = 0, most = INT64_MAX / parts_;
    if (!costs_.cost.empty()) most /= *std::max_element(costs_.cost.begin(), costs_.cost.end());
    std::fill(result_.loads.begin(), result_.loads.end(), 0);
    result_.congestion.assign(flows.size(), 0);
    result_.failed = 0;
    links_.clear();
    first_link_.assign(1, 0);
    for (std::size_t f = 0; f < flows.size(); ++f) {
        HostFlow const& flow = flows[f];
        if (flow.weight > most - weight)
            throw base::InputError({}, "loads of flows in parts could pass 2^63", "", "give smaller weights");
        weight += flow.weight;
        std::span const offsets = paths_.choose(flow.source, flow.destination, place, static_cast<std::uint32_t>(f));
        bool whole = true;
        for (std::uint32_t const offset : offsets)
            whole =
                whole && paths_.walk(flow.source, flow.destination, network_[flow.destination].lid + offset, links_);
        if (!whole) {
            links_.resize(first_link_.back());
            ++result_.failed;
        }
        for (std::size_t i = first_link_.back(); i < links_.size(); ++i)
            result_.loads[links_[i].value] += flow.weight * parts_ / offsets.size();
        first_link_.push_back(links_.size());
    }
    for (std::size_t f = 0; f < flows.size(); ++f)
        for (std::size_t i = first_link_[f]; i < first_link_[f + 1]; ++i) {
            std::uint32_t const link = links_[i].value;
            std::uint64_t const cost = costs_.cost.empty() ? 1 : costs_.cost[link];
            result_.congestion[f] = std::max(result_.congestion[f], result_.loads[link] * cost);
        }
    return result_;
}

}  // namespace tailback::evaluation
