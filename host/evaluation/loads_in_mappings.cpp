#include "host/evaluation/loads_in_mappings.hpp"

#include "host/evaluation/jobs/flow_loads.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tailback::evaluation {
namespace {

/// By link: its place among those that are looked at, or none. Slots of one link are added up.
std::vector<std::uint32_t> places_of_slots(study::StudyPlan const& plan, std::uint32_t& count) {
    constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
    std::vector<std::uint32_t> place(plan.problem.routes.slots, none);
    count = 0;
    if (!plan.link_of_index.empty()) {
        for (std::size_t slot = 0; slot < place.size(); ++slot)
            if (plan.link_of_index[slot].exists()) place[slot] = plan.link_of_index[slot].value;
        count = static_cast<std::uint32_t>(plan.fabric->network.links().size());
        return place;
    }
    for (std::size_t slot = 0; slot < place.size(); ++slot)
        if (!plan.fabric->ends(model::Link{slot}, plan.study_hosts).from.empty()) place[slot] = count++;
    return place;
}

}  // namespace

std::optional<LoadsInMappings> loads_in_mappings(study::StudyPlan const& plan, std::uint64_t mappings) {
    constexpr std::uint64_t most_flows = 100'000'000, flows_in_a_moment = 20'000'000, most_mappings = 1000;
    std::uint64_t const flows = std::max<std::uint64_t>(1, plan.flows_per_mapping);
    if (mappings == 0 || flows > most_flows || study::makes_routes_on_demand(plan) ||
        plan.problem.traffic.drawn_ranks[1] > 0)
        return std::nullopt;
    bool const unlisted = std::any_of(plan.flow_list.levels.begin(), plan.flow_list.levels.end(),
                                      [](patterns::Level const& level) { return level.all_to_all; });
    patterns::FlowList listed;
    if (unlisted) {
        listed = study::flows_of(plan.study);
        patterns::take_common_weight(listed);
    }
    patterns::FlowList const& list = unlisted ? listed : plan.flow_list;
    std::uint32_t links = 0;
    std::vector<std::uint32_t> const place = places_of_slots(plan, links);
    std::vector<std::uint32_t> index_of_host(plan.fabric->network.hosts().size() + plan.study_hosts.size());
    for (std::size_t i = 0; i < plan.study_hosts.size(); ++i) {
        if (plan.study_hosts[i].value >= index_of_host.size()) index_of_host.resize(plan.study_hosts[i].value + 1);
        index_of_host[plan.study_hosts[i].value] = static_cast<std::uint32_t>(i);
    }
    std::unique_ptr<LoadCounter> const counter = make_load_counter(plan.problem);
    LoadsInMappings found;
    found.mappings = std::clamp<std::uint64_t>(flows_in_a_moment / flows, 1, std::min(mappings, most_mappings));
    std::vector<std::uint64_t> load(links);
    std::vector<LinkLoad> of_level;
    std::vector<std::uint32_t> host_index;
    FlowFates fates;
    auto const stream = static_cast<std::uint32_t>(kernels::Stream::first_pattern);
    for (std::uint64_t i = 0; i < found.mappings; ++i) {
        std::uint64_t const m = plan.study.sample.first_mapping + i;
        host_index.clear();
        for (model::Host const host : plan.hosts_of_mapping(m)) host_index.push_back(index_of_host[host.value]);
        std::fill(load.begin(), load.end(), 0);
        for (patterns::Level const& level : list.levels) {
            counter->count(list, level, host_index.data(), {plan.problem.seed, stream, m}, fates, of_level);
            for (LinkLoad const& one : of_level)
                if (place[one.link] < links) load[place[one.link]] += one.load;
        }
        double sum = 0, squares = 0;
        std::uint64_t largest = 0;
        for (std::uint64_t const one : load) sum += double(one), largest = std::max(largest, one);
        double const mean = links > 0 ? sum / links : 0;
        for (std::uint64_t const one : load) squares += (double(one) - mean) * (double(one) - mean);
        found.largest += double(largest);
        found.deviation += links > 1 ? std::sqrt(squares / (links - 1)) : 0;
    }
    double const scale = double(plan.common_weight) / double(found.mappings);
    found.largest *= scale, found.deviation *= scale;
    return found;
}

}  // namespace tailback::evaluation
