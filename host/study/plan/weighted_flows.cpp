#include "host/study/plan/weighted_flows.hpp"

#include "host/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tailback::study {
namespace {

/// Exact where a sum of 64-bit numbers is not.
__extension__ using Wide = unsigned __int128;

constexpr std::uint64_t most_weight = INT64_MAX;

void check(Wide sum, char const* what, char const* advice) {
    if (sum <= most_weight) return;
    throw base::InputError({}, fmt::format("the pattern has too many bytes (about {:.3g})", double(sum)),
                           fmt::format("{} could pass 2^63", what), advice);
}

}  // namespace

void check_link_sums(std::uint64_t bytes_a_mapping, std::uint64_t mappings) {
    check(Wide{bytes_a_mapping} * mappings, "the sum of a link's loads over all mappings",
          "evaluate fewer mappings, or leave out get_cable_cong");
}

std::uint64_t largest_hop_bytes(std::uint64_t bytes_a_mapping, std::uint64_t most_hops) {
    Wide const sum = Wide{bytes_a_mapping} * most_hops;
    check(sum, "the sum of bytes times links", "give smaller sizes, or leave out hop_bytes");
    return static_cast<std::uint64_t>(sum);
}

void check_sum_within_nodes(std::uint64_t bytes_a_mapping, std::uint64_t mappings) {
    check(Wide{bytes_a_mapping} * mappings, "the sum of bytes inside compute nodes over all mappings",
          "evaluate fewer mappings, or write the traffic in a larger unit");
}

std::uint64_t bytes_of_equal_flows(std::uint64_t flows, std::uint64_t bytes_each) {
    Wide const bytes = Wide{flows} * bytes_each;
    check(bytes, "the sum of the flows", "give smaller sizes");
    return static_cast<std::uint64_t>(bytes);
}

WeightBounds bound_weights(patterns::FlowList const& list, std::uint32_t largest_cost) {
    Wide bytes = 0, drawn = 0;
    for (std::uint64_t const weight : list.weights) bytes += weight;
    for (patterns::Level const& level : list.levels)
        for (patterns::RandomFlows const& random : level.random) drawn += random.ranks;
    check((bytes + drawn) * largest_cost, "the sum of the levels' congestions",
          largest_cost > 1 ? "give smaller sizes, or count all links alike (`tailback evaluate --capacities unit`)"
                           : "give smaller sizes");
    return {static_cast<std::uint64_t>(bytes), static_cast<std::uint64_t>((bytes + drawn) * largest_cost)};
}

std::vector<std::uint64_t> min_loads_of(patterns::FlowList const& list, bool host_links_implied) {
    std::vector<std::uint64_t> loads(list.flows.size(), 1);
    if (!host_links_implied) return loads;
    std::vector<std::uint64_t> out(list.ranks), in(list.ranks);
    for (patterns::Level const& level : list.levels) {
        std::size_t const first = level.first_flow, last = first + level.flow_count;
        for (std::size_t f = first; f < last; ++f) {
            out[list.flows[f].source] += list.weights[f];
            in[list.flows[f].destination] += list.weights[f];
        }
        for (std::size_t f = first; f < last; ++f)
            loads[f] = std::max(out[list.flows[f].source], in[list.flows[f].destination]);
        for (std::size_t f = first; f < last; ++f) out[list.flows[f].source] = in[list.flows[f].destination] = 0;
    }
    return loads;
}

}  // namespace tailback::study
