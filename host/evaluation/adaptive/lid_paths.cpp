#include "host/evaluation/adaptive/lid_paths.hpp"

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

}  // namespace tailback::evaluation
