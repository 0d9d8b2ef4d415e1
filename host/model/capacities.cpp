#include "host/model/capacities.hpp"

#include "host/base/error.hpp"

#include <map>
#include <numeric>

namespace tailback::model {
namespace {

std::uint32_t rate_of(LinkRecord const& link) { return link.rate.elevenths_of_gbps(); }
std::uint32_t capacity_of(LinkRecord const& link) { return link.capacity; }
using Measure = std::uint32_t (*)(LinkRecord const&);

/// The most common among the hosts' up links, of equally common ones the least; 0 = none is known.
std::uint32_t base_of(Network const& network, Measure measure) {
    std::map<std::uint32_t, std::size_t> hosts_by_rate;
    for (std::size_t h = 0; h < network.hosts().size(); ++h)
        if (Link const up = network.up_link(Host{h}); up.exists())
            if (std::uint32_t const rate = measure(network[up]); rate > 0) ++hosts_by_rate[rate];
    std::size_t most = 0;
    std::uint32_t base = 0;
    for (auto const& [rate, count] : hosts_by_rate)
        if (count > most) {
            most = count;
            base = rate;
        }
    return base;
}

}  // namespace

LinkCosts link_costs(Network const& network, CapacityKind kind) {
    LinkCosts costs;
    costs.base_rate_elevenths = base_of(network, rate_of);
    Measure const measure = costs.base_rate_elevenths > 0 ? rate_of : capacity_of;
    std::uint32_t const base = measure == rate_of ? costs.base_rate_elevenths : base_of(network, measure);
    if (kind == CapacityKind::unit || base == 0) return costs;

    bool uniform = true;
    std::uint64_t denominator = 1;
    for (LinkRecord const& link : network.links()) {
        std::uint32_t const rate = measure(link);
        if (rate == 0 || rate == base) continue;
        uniform = false;
        // base / rate in lowest terms has denominator rate / gcd; there are few rates, so the product stays small.
        denominator = std::lcm(denominator, std::uint64_t{rate / std::gcd(base, rate)});
        if (denominator > 0x7FFFFFFF / base)
            throw tailback::base::InputError({}, "the links have too many different capacities",
                                             "they have no common unit that 31 bits hold",
                                             "count all links alike (`tailback evaluate --capacities unit`)");
    }
    if (uniform) return costs;
    costs.denominator = static_cast<std::uint32_t>(denominator);
    costs.cost.reserve(network.links().size());
    for (LinkRecord const& link : network.links()) {
        std::uint32_t const rate = measure(link);
        costs.cost.push_back(rate == 0 ? costs.denominator : static_cast<std::uint32_t>(denominator * base / rate));
    }
    return costs;
}

}  // namespace tailback::model
