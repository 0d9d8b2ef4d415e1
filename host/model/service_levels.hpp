// Service levels of paths, and the virtual lanes that switches and adapters turn them into: what decides where packets
// wait.
#pragma once

#include "host/model/network.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace tailback::model {

inline constexpr unsigned service_level_count = 16;
/// A map that gives this lane tells its owner to drop the packet (InfiniBand keeps lane 15 for management).
inline constexpr unsigned dropping_lane = 15;

/// Service level to virtual lane: 16 lanes of 4 bits.
struct LaneMap {
    std::uint64_t bits = 0xFEDCBA9876543210u;  ///< the service level itself, until `set` says otherwise

    unsigned lane(unsigned level) const { return static_cast<unsigned>(bits >> (4 * level)) & 15u; }
    void set(unsigned level, unsigned lane) {
        bits = (bits & ~(std::uint64_t{15} << (4 * level))) | (std::uint64_t{lane} << (4 * level));
    }
    bool operator==(LaneMap const&) const = default;
};

/// The SL2VL tables of a fabric: a map for every in and out port of a switch, and one for every endpoint.
class LaneMaps {
public:
    explicit LaneMaps(Network const& network);

    /// The map of a switch for packets from port `in` (0 = its own) to port `out`; null = there is no record.
    LaneMap const* find(Node node, Port in, Port out) const {
        if (node.value + 1 >= first_.size()) return nullptr;
        std::uint32_t const first = first_[node.value];
        if (in >= first_[node.value + 1] - first) return nullptr;
        std::uint32_t const offset = offsets_[first + in];
        if (offset == none || out >= first_[node.value + 1] - first) return nullptr;
        std::uint16_t const id = ids_[std::size_t{offset} + out];
        return id == 0 ? nullptr : &maps_[id];
    }
    /// The map an endpoint sends by; null = there is no record.
    LaneMap const* find(Host host) const { return of_host_[host] == 0 ? nullptr : &maps_[of_host_[host]]; }

    /// Whether a switch has room for records of this port.
    bool has_port(Node node, Port port) const { return port < first_[node.value + 1] - first_[node.value]; }
    /// `in` and `out` are ports that the switch has, or 0. False when another map was there (this one counts now).
    /// @throws InputError for more than 65,535 different maps.
    bool set(Node node, Port in, Port out, LaneMap map, base::SourceLocation const& place);
    bool set(Host host, LaneMap map, base::SourceLocation const& place);

    /// All maps that records name, each once.
    std::span<LaneMap const> distinct() const { return std::span(maps_).subspan(1); }
    /// Some map gives two service levels different lanes.
    bool tell_levels_apart() const;

private:
    static constexpr std::uint32_t none = 0xFFFFFFFFu;
    std::uint16_t number(LaneMap map, base::SourceLocation const& place);

    std::vector<std::uint32_t> first_;    // by node: of its in ports in offsets_; adapters have none
    std::vector<std::uint32_t> offsets_;  // by in port: of its out ports in ids_
    std::vector<std::uint16_t> ids_;
    std::vector<LaneMap> maps_;  // 0 is no map
    std::unordered_map<std::uint64_t, std::uint16_t> number_of_;
    kernels::IndexedVector<Host, std::uint16_t> of_host_;
};

/// The service levels of paths, by source endpoint and destination LID. With LMC an endpoint may send from several
/// LIDs, so a pair can have several.
class ServiceLevels {
public:
    explicit ServiceLevels(Network const& network)
        : hosts_(network.hosts().size()), column_(std::size_t{network.max_lid()} + 1, none) {}

    /// By source endpoint: the levels of its paths to `lid`, as bits; 0 = unknown. Empty = no path to it is known.
    std::span<std::uint16_t const> to(Lid lid) const {
        if (lid >= column_.size() || column_[lid] == none) return {};
        return columns_[column_[lid]];
    }
    /// All levels that paths have, as bits.
    std::uint16_t used() const { return used_; }
    /// `lid` is at most the network's largest. False when the pair has another level already.
    bool add(Host source, Lid lid, unsigned level);

private:
    static constexpr std::uint32_t none = 0xFFFFFFFFu;
    std::size_t hosts_;
    std::vector<std::uint32_t> column_;  // by LID
    std::vector<std::vector<std::uint16_t>> columns_;
    std::uint16_t used_ = 0;
};

/// The virtual lanes that come with a routing.
struct RoutingLanes {
    ServiceLevels levels;
    std::optional<LaneMaps> maps = std::nullopt;  ///< none: the lane is the service level itself
    std::string left_over = {};                   ///< what found no lane, in words; empty = nothing
};

}  // namespace tailback::model
