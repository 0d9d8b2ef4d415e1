#include "host/model/capacities.hpp"

#include <map>
#include <numeric>

namespace tailback::model {

LinkCosts link_costs(Network const& network, CapacityKind kind) {
    LinkCosts costs;
    std::map<std::uint32_t, std::size_t> hosts_by_rate;
    for (std::size_t h = 0; h < network.hosts().size(); ++h)
        if (Link const up = network.up_link(Host{h}); up.exists())
            if (std::uint32_t const rate = network[up].rate.elevenths_of_gbps(); rate > 0) ++hosts_by_rate[rate];
    std::size_t most = 0;
    for (auto const& [rate, count] : hosts_by_rate)
        if (count > most) {
            most = count;
            costs.base_rate_elevenths = rate;
        }
    if (kind == CapacityKind::unit || costs.base_rate_elevenths == 0) return costs;

    std::uint32_t const base = costs.base_rate_elevenths;
    bool uniform = true;
    for (LinkRecord const& link : network.links()) {
        std::uint32_t const rate = link.rate.elevenths_of_gbps();
        if (rate == 0 || rate == base) continue;
        uniform = false;
        // base / rate in lowest terms has denominator rate / gcd; there are few rates, so the product stays small.
        costs.denominator = std::lcm(costs.denominator, rate / std::gcd(base, rate));
    }
    if (uniform) return costs;
    costs.cost.reserve(network.links().size());
    for (LinkRecord const& link : network.links()) {
        std::uint32_t const rate = link.rate.elevenths_of_gbps();
        costs.cost.push_back(rate == 0 ? costs.denominator
                                       : static_cast<std::uint32_t>(std::uint64_t{costs.denominator} * base / rate));
    }
    return costs;
}

}  // namespace tailback::model
