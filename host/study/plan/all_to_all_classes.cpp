#include "host/study/plan/all_to_all_classes.hpp"

#include "host/base/spec.hpp"
#include "kernels/evaluate/dispatch.hpp"

#include <algorithm>
#include <unordered_set>

namespace tailback::study {
namespace {

/// Does a listed mapping put two ranks on one host?
bool ranks_share_hosts(Study const& study) {
    std::unordered_set<std::uint32_t> met;
    for (std::size_t i = 0; i < study.placement.mapping_hosts.size(); ++i) {
        if (i % study.placement.ranks == 0) met.clear();
        if (!met.insert(study.placement.mapping_hosts[i].value).second) return true;
    }
    return false;
}

}  // namespace

bool may_leave_flows_unlisted(Study const& study) {
    return study.traffic.may_leave_flows_unlisted && base::name_of_spec(study.traffic.pattern) == "all-to-all" &&
           study.placement.ranks > 1 && study.traffic.level.value_or(0) == 0 && !study.placement.nodes &&
           study.measures.sharing == Sharing::linear && !study.measures.timing.is_simulated() &&
           std::none_of(study.measures.metrics.begin(), study.measures.metrics.end(),
                        [](Metric metric) {
                            return info_of(metric).work.rates || info_of(metric).work.times ||
                                   info_of(metric).work.bottlenecks;
                        }) &&
           (study.placement.mapping != MappingKind::listed || !ranks_share_hosts(study));
}

kernels::AllToAllView AllToAllClasses::describe(kernels::Problem const& p) {
    constexpr std::uint32_t none = ~0u;
    std::vector<std::uint32_t> class_of_group(
        *std::max_element(p.routes.group, p.routes.group + p.placement.study_hosts) + std::size_t{1}, none);
    first.assign(1, 0);
    for (std::uint32_t host = 0; host < p.placement.study_hosts; ++host) {
        std::uint32_t& number = class_of_group[p.routes.group[host]];
        if (number == none) {
            number = static_cast<std::uint32_t>(first.size() - 1);
            first.push_back(0);
        }
        class_of_host.push_back(number);
        ++first[number + 1];
    }
    for (std::size_t c = 1; c < first.size(); ++c) first[c] += first[c - 1];
    std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
    hosts.resize(p.placement.study_hosts);
    for (std::uint32_t host = 0; host < p.placement.study_hosts; ++host) hosts[next[class_of_host[host]]++] = host;
    return {class_of_host.data(), first.data(), hosts.data(), static_cast<std::uint32_t>(next.size())};
}

std::uint32_t largest_congestion(kernels::Problem const& p) {
    kernels::AllToAllView const& view = p.traffic.all_to_all;
    std::vector<std::uint64_t> loads(p.routes.inner);
    kernels::with_routes(p, [&](auto const& routes) {
        for (std::uint32_t c = 0; c < view.classes; ++c)
            for (std::uint32_t host = 0; host < p.placement.study_hosts; ++host) {
                std::uint32_t const senders =
                    view.first[c + 1] - view.first[c] - (view.class_of_host[host] == c ? 1 : 0);
                auto const route = routes.find(p.routes.group[view.hosts[view.first[c]]], host);
                if (routes.fate(route) != 0) continue;
                routes.each(route, [&](std::uint32_t slot) {
                    if (slot < p.routes.inner) loads[slot] += senders;
                });
            }
    });
    std::uint64_t most = 1;
    for (std::uint32_t slot = 0; slot < p.routes.inner; ++slot)
        most = std::max(most, loads[slot] * (p.routes.cost != nullptr ? p.routes.cost[slot] : 1));
    if (p.routes.host_links_implied)
        for (std::uint32_t slot = p.routes.inner + 4; slot < p.routes.slots; ++slot)
            most = std::max(
                most, std::uint64_t{p.placement.ranks - 1} * (p.routes.cost != nullptr ? p.routes.cost[slot] : 1));
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(most, p.measures.max_congestion));
}

}  // namespace tailback::study
