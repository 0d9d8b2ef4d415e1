#include "host/audit/worst_case/worst_case.hpp"

#include "host/study/plan/study_plan.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tailback {

WorstCaseCost worst_case_cost(Forwarding const& forwarding, std::vector<Host> const& hosts, double mean_links) {
    std::vector<std::uint32_t> const sources = sources_by_row(forwarding, hosts);
    auto const rows = double(sources.size() - std::size_t(std::count(sources.begin(), sources.end(), 0u)));
    return {.steps = double(forwarding.rows()) * double(hosts.size()),
            .entries = rows * double(hosts.size()) * mean_links,
            .shift_links = double(hosts.size()) * double(hosts.size()) * mean_links};
}

double WorstCaseCost::permutation_seconds() const {
    double const passes = 1 + std::ceil(entries / double(WorstCaseRequest{}.words_at_once));
    return 20e-9 * (steps * passes + entries);
}

std::vector<Host> hosts_in_order(Network const& network, std::vector<Host> hosts, ShiftOrder order,
                                 bool aggregation_nodes_are_hosts) {
    std::sort(hosts.begin(), hosts.end());
    if (order == ShiftOrder::file) return hosts;
    std::vector<std::uint8_t> wanted(network.hosts().size());
    for (Host const host : hosts) wanted[host.value] = 1;
    std::vector<Host> ordered;
    auto const take = [&](std::vector<Host> const& from) {
        for (Host const host : from)
            if (std::exchange(wanted[host.value], std::uint8_t{0}) != 0) ordered.push_back(host);
    };
    take(breadth_first_hosts(network, aggregation_nodes_are_hosts));
    take(hosts);
    return ordered;
}

}  // namespace tailback
