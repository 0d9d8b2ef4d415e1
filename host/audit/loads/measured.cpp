#include "host/audit/loads/measured.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tailback::audit {
namespace {

/// Ranks from 1; equal values share the mean of theirs.
std::vector<double> ranks_of(std::vector<double> const& values) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
    std::vector<double> ranks(values.size());
    for (std::size_t i = 0; i < order.size();) {
        std::size_t end = i;
        while (end < order.size() && values[order[end]] == values[order[i]]) ++end;
        for (std::size_t k = i; k < end; ++k) ranks[order[k]] = double(i + 1 + end) / 2;
        i = end;
    }
    return ranks;
}

std::optional<double> correlation(std::vector<double> const& a, std::vector<double> const& b) {
    double const n = double(a.size());
    double const mean_a = std::accumulate(a.begin(), a.end(), 0.0) / n,
                 mean_b = std::accumulate(b.begin(), b.end(), 0.0) / n;
    double both = 0, only_a = 0, only_b = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        both += (a[i] - mean_a) * (b[i] - mean_b);
        only_a += (a[i] - mean_a) * (a[i] - mean_a);
        only_b += (b[i] - mean_b) * (b[i] - mean_b);
    }
    if (only_a <= 0 || only_b <= 0) return std::nullopt;
    return both / std::sqrt(only_a * only_b);
}

/// By node: is it one of an aggregation node's or a router's?
std::vector<bool> nodes_apart(model::Network const& network) {
    std::vector<bool> apart(network.nodes().size());
    for (std::size_t h = 0; h < network.hosts().size(); ++h) {
        model::HostRecord const& host = network[model::Host{h}];
        if (host.role != model::HostRole::compute) apart[host.node.value] = true;
    }
    return apart;
}

}  // namespace

Measured compare_counters(model::Network const& network, formats::Counters const& counters,
                          std::vector<std::uint64_t> const& load) {
    Measured result;
    result.links = network.links().size();
    std::vector<bool> const apart = nodes_apart(network);
    long double sent = 0, expected = 0;
    for (formats::PortCounters const& port : counters.ports) {
        model::Link const link = network.link_at(port.node, port.port);
        if (!link.exists() || !port.sent) continue;
        if (apart[network[link].from.value] || apart[network[link].to.value]) {
            ++result.apart;
            continue;
        }
        result.ports.push_back({link, *port.sent, double(load[link.value]), port.waited, port.waited_longer});
        sent += static_cast<long double>(*port.sent);
        expected += static_cast<long double>(load[link.value]);
    }
    std::sort(result.ports.begin(), result.ports.end(),
              [](MeasuredPort const& a, MeasuredPort const& b) { return a.link < b.link; });
    result.words_a_unit = expected > 0 ? double(sent / expected) : 0;
    std::vector<double> measured, wanted;
    for (MeasuredPort& port : result.ports) {
        measured.push_back(double(port.sent));
        wanted.push_back(port.expected);
        port.expected *= result.words_a_unit;
    }
    if (!result.ports.empty()) result.rank_correlation = correlation(ranks_of(measured), ranks_of(wanted));
    for (std::size_t i = 0; i < result.ports.size(); ++i) {
        result.by_difference.push_back(i);
        if (result.ports[i].waited.value_or(0) > 0) result.by_wait.push_back(i);
    }
    auto const off = [&](std::size_t i) { return std::abs(double(result.ports[i].sent) - result.ports[i].expected); };
    // A 64-bit float has 53 bits of the expected words.
    for (std::size_t i = 0; i < result.ports.size(); ++i)
        result.differing += off(i) >= std::max(0.5, result.ports[i].expected * 1e-12);
    std::stable_sort(result.by_difference.begin(), result.by_difference.end(),
                     [&](std::size_t a, std::size_t b) { return off(a) > off(b); });
    std::stable_sort(result.by_wait.begin(), result.by_wait.end(),
                     [&](std::size_t a, std::size_t b) { return *result.ports[a].waited > *result.ports[b].waited; });
    return result;
}

std::vector<MeasuredGroup> sum_measured(model::Network const& network, Measured const& measured,
                                        NodeGroups const& groups) {
    std::vector<MeasuredGroup> sums;
    for (std::string const& name : groups.names) sums.push_back({name});
    for (MeasuredPort const& port : measured.ports) {
        MeasuredGroup& sum = sums[groups.of_node[network[port.link].from.value]];
        ++sum.ports;
        sum.sent += port.sent;
        sum.expected += port.expected;
        sum.waiting += port.waited.value_or(0) > 0;
        sum.waited += port.waited.value_or(0);
    }
    return sums;
}

}  // namespace tailback::audit
