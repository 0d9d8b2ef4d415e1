// The route with the longest prefix that holds an address.
#pragma once

#include "host/formats/frr/devices.hpp"

#include <array>
#include <unordered_map>

namespace tailback::formats {

/// Of routes that outlive it; of two with one prefix the first counts.
class LongestPrefix {
public:
    LongestPrefix() = default;
    explicit LongestPrefix(std::vector<IpRoute> const& routes) {
        for (IpRoute const& route : routes)
            by_length_[route.prefix.length].emplace(masked(route.prefix.address, route.prefix.length), &route);
    }
    /// Null where there is none.
    IpRoute const* find(std::uint32_t address) const {
        for (std::size_t length = by_length_.size(); length-- > 0;) {
            if (by_length_[length].empty()) continue;
            auto const at = by_length_[length].find(masked(address, static_cast<std::uint32_t>(length)));
            if (at != by_length_[length].end()) return at->second;
        }
        return nullptr;
    }

private:
    static std::uint32_t masked(std::uint32_t address, std::uint32_t length) {
        return length == 0 ? 0 : address & ~std::uint32_t{0} << (32 - length);
    }
    std::array<std::unordered_map<std::uint32_t, IpRoute const*>, 33> by_length_;
};

/// The routes of all devices, which outlive it.
class RouteLookup {
public:
    explicit RouteLookup(Devices const& devices) {
        for (auto const& [name, device] : devices) tables_.emplace(&device, LongestPrefix(device.routes.routes));
    }
    /// Null where the device has none.
    IpRoute const* find(Device const& device, std::uint32_t address) const { return tables_.at(&device).find(address); }

private:
    std::unordered_map<Device const*, LongestPrefix> tables_;
};

}  // namespace tailback::formats
