// Long lists go in as digests.
#include "host/evaluation/study_identity.hpp"

#include "host/base/digest.hpp"
#include "host/evaluation/goal.hpp"
#include "host/study/fabric_digest.hpp"
#include "version.hpp"

namespace tailback {
namespace {

std::string digest_of(FlowList const& list) {
    Digest sum;
    for (Level const& level : list.levels) {
        sum.add(level.flow_count);
        for (std::size_t f = level.first_flow; f < level.first_flow + level.flow_count; ++f)
            sum.add(std::uint64_t{list.flows[f].source} << 32 | list.flows[f].destination);
        for (RandomFlows const& random : level.random) {
            sum.add(std::uint64_t{random.first_rank} << 32 | random.ranks);
            sum.add(random.stream);
        }
        sum.add(level.local);
    }
    sum.add(list.measured_ranks);
    return sum.text();
}

std::string digest_of(std::vector<Host> const& hosts) {
    Digest sum;
    for (Host const host : hosts) sum.add(host.value);
    return sum.text();
}

}  // namespace

std::vector<std::pair<std::string, std::string>> identity_of(StudyPlan const& plan) {
    Study const& study = plan.study;
    std::string metrics;
    for (MetricInfo const& info : all_metrics())
        if (study.wants(info.metric)) metrics += (metrics.empty() ? "" : ",") + std::string(info.name);
    std::string const mapping = mapping_name(study);
    return {
        {"version", version},
        {"network", digest(*plan.fabric)},
        {"pattern", study.pattern + " " + digest_of(plan.flow_list)},
        {"ranks", std::to_string(study.ranks)},
        {"subset", std::string(subset_name(study)) + " " + digest_of(plan.study_hosts)},
        {"mapping", study.mapping == MappingKind::listed ? mapping + " " + digest_of(study.mapping_hosts) : mapping},
        {"first mapping", std::to_string(study.first_mapping)},
        {"seed", std::to_string(study.seed)},
        {"capacities", study.capacities == CapacityKind::unit ? "unit" : "rates"},
        {"aggregation nodes", study.aggregation_nodes_are_hosts ? "hosts" : "apart"},
        {"metrics", metrics},
        {"goal",
         study.until ? std::string(info_of(study.until->metric).name) + ":" + goal_text(*study.until) : "none"}};
}

}  // namespace tailback
