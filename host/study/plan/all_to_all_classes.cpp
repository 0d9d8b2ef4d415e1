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
    for (std::size_t i = 0; i < study.mapping_hosts.size(); ++i) {
        if (i % study.ranks == 0) met.clear();
        if (!met.insert(study.mapping_hosts[i].value).second) return true;
    }
    return false;
}

}  // namespace

bool may_leave_flows_unlisted(Study const& study) {
    return study.may_leave_flows_unlisted && base::name_of_spec(study.pattern) == "all-to-all" && study.ranks > 1 &&
           study.level.value_or(0) == 0 && !study.placed && study.sharing == Sharing::linear &&
           !study.timing.is_simulated() &&
           std::none_of(study.metrics.begin(), study.metrics.end(),
                        [](Metric metric) {
                            return info_of(metric).work.rates || info_of(metric).work.times ||
                                   info_of(metric).work.bottlenecks;
                        }) &&
           (study.mapping != MappingKind::listed || !ranks_share_hosts(study));
}

kernels::AllToAllView AllToAllClasses::describe(kernels::Problem const& p) {
    constexpr std::uint32_t none = ~0u;
    std::vector<std::uint32_t> class_of_group(*std::max_element(p.group, p.group + p.study_hosts) + std::size_t{1},
                                              none);
    first.assign(1, 0);
    for (std::uint32_t host = 0; host < p.study_hosts; ++host) {
        std::uint32_t& number = class_of_group[p.group[host]];
        if (number == none) {
            number = static_cast<std::uint32_t>(first.size() - 1);
            first.push_back(0);
        }
        class_of_host.push_back(number);
        ++first[number + 1];
    }
    for (std::size_t c = 1; c < first.size(); ++c) first[c] += first[c - 1];
    std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
    hosts.resize(p.study_hosts);
    for (std::uint32_t host = 0; host < p.study_hosts; ++host) hosts[next[class_of_host[host]]++] = host;
    return {class_of_host.data(), first.data(), hosts.data(), static_cast<std::uint32_t>(next.size())};
}

std::uint32_t largest_congestion(kernels::Problem const& p) {
    kernels::AllToAllView const& view = p.all_to_all;
    std::vector<std::uint64_t> loads(p.inner);
    kernels::with_routes(p, [&](auto const& routes) {
        for (std::uint32_t c = 0; c < view.classes; ++c)
            for (std::uint32_t host = 0; host < p.study_hosts; ++host) {
                std::uint32_t const senders =
                    view.first[c + 1] - view.first[c] - (view.class_of_host[host] == c ? 1 : 0);
                auto const route = routes.find(p.group[view.hosts[view.first[c]]], host);
                if (routes.fate(route) != 0) continue;
                routes.each(route, [&](std::uint32_t slot) {
                    if (slot < p.inner) loads[slot] += senders;
                });
            }
    });
    std::uint64_t most = 1;
    for (std::uint32_t slot = 0; slot < p.inner; ++slot)
        most = std::max(most, loads[slot] * (p.cost != nullptr ? p.cost[slot] : 1));
    if (p.host_links_implied)
        for (std::uint32_t slot = p.inner + 4; slot < p.slots; ++slot)
            most = std::max(most, std::uint64_t{p.ranks - 1} * (p.cost != nullptr ? p.cost[slot] : 1));
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(most, p.max_congestion));
}

}  // namespace tailback::study
