#include "host/audit/worst_case/worst_case.hpp"

#include "host/study/plan/study_plan.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tailback::audit {

WorstCaseCost worst_case_cost(model::Forwarding const& forwarding, std::vector<model::Host> const& hosts,
                              double mean_links) {
    std::vector<std::uint32_t> const sources = model::sources_by_row(forwarding, hosts);
    auto const rows = double(sources.size() - std::size_t(std::count(sources.begin(), sources.end(), 0u)));
    return {.steps = double(forwarding.rows()) * double(hosts.size()),
            .entries = rows * double(hosts.size()) * mean_links,
            .shift_links = double(hosts.size()) * double(hosts.size()) * mean_links};
}

double WorstCaseCost::permutation_seconds() const {
    double const passes = 1 + std::ceil(entries / double(WorstCaseRequest{}.words_at_once));
    return 20e-9 * (steps * passes + entries);
}

std::vector<model::Host> hosts_in_order(model::Network const& network, std::vector<model::Host> hosts, ShiftOrder order,
                                        bool aggregation_nodes_are_hosts) {
    std::sort(hosts.begin(), hosts.end());
    if (order == ShiftOrder::file) return hosts;
    std::vector<std::uint8_t> wanted(network.hosts().size());
    for (model::Host const host : hosts) wanted[host.value] = 1;
    std::vector<model::Host> ordered;
    auto const take = [&](std::vector<model::Host> const& from) {
        for (model::Host const host : from)
            if (std::exchange(wanted[host.value], std::uint8_t{0}) != 0) ordered.push_back(host);
    };
    take(model::breadth_first_hosts(network, aggregation_nodes_are_hosts));
    take(hosts);
    return ordered;
}

}  // namespace tailback::audit
