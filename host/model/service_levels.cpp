// Compact tables: maps are few, so records hold their numbers; columns of service levels are made when first met.
#include "host/model/service_levels.hpp"

#include <algorithm>

namespace tailback::model {

LaneMaps::LaneMaps(Network const& network)
    : first_(network.nodes().size() + 1), maps_(1), of_host_(network.hosts().size()) {
    // Switches with more ports than InfiniBand's have no records.
    for (std::size_t n = 0; n < network.nodes().size(); ++n) {
        NodeRecord const& node = network[Node{n}];
        bool const recorded = node.kind == NodeKind::switch_node && node.ports <= most_ports;
        first_[n + 1] = first_[n] + (recorded ? node.ports + 1 : 0);
    }
    offsets_.assign(first_.back(), none);
}

std::uint16_t LaneMaps::number(LaneMap map, base::SourceLocation const& place) {
    auto const [at, is_new] = number_of_.try_emplace(map.bits, static_cast<std::uint16_t>(maps_.size()));
    if (is_new) {
        if (maps_.size() > 0xFFFF)
            throw base::InputError(place, "more than 65535 different maps from service levels to virtual lanes",
                                   "real fabrics have a handful", "check that the file is a dump of SL2VL tables");
        maps_.push_back(map);
    }
    return at->second;
}

bool LaneMaps::set(Node node, Port in, Port out, LaneMap map, base::SourceLocation const& place) {
    std::uint32_t& offset = offsets_[first_[node.value] + in];
    if (offset == none) {
        if (ids_.size() > none - 256u)
            throw base::InputError(place, "more than 2^32 SL2VL records", "",
                                   "check that the file is a dump of one fabric");
        offset = static_cast<std::uint32_t>(ids_.size());
        ids_.resize(ids_.size() + (first_[node.value + 1] - first_[node.value]));
    }
    std::uint16_t const now = number(map, place);
    std::uint16_t& id = ids_[std::size_t{offset} + out];
    bool const agrees = id == 0 || id == now;
    id = now;
    return agrees;
}

bool LaneMaps::set(Host host, LaneMap map, base::SourceLocation const& place) {
    std::uint16_t const now = number(map, place);
    bool const agrees = of_host_[host] == 0 || of_host_[host] == now;
    of_host_[host] = now;
    return agrees;
}

bool LaneMaps::tell_levels_apart() const {
    constexpr std::uint64_t same = 0x1111111111111111u;  // lane 1 for every level
    std::span<LaneMap const> const all = distinct();
    return std::any_of(all.begin(), all.end(), [](LaneMap const& map) { return map.bits != same * map.lane(0); });
}

bool ServiceLevels::add(Host source, Lid lid, unsigned level) {
    if (column_[lid] == none) {
        column_[lid] = static_cast<std::uint32_t>(columns_.size());
        columns_.emplace_back(hosts_);
    }
    std::uint16_t const bit = static_cast<std::uint16_t>(1u << level);
    std::uint16_t& known = columns_[column_[lid]][source.value];
    bool const agrees = known == 0 || known == bit;
    known |= bit;
    used_ |= bit;
    return agrees;
}

}  // namespace tailback::model
