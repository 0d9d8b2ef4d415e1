// Long lists go in as digests.
#include "host/evaluation/study_identity.hpp"

#include "host/base/digest.hpp"
#include "host/evaluation/goal.hpp"
#include "host/study/fabric_digest.hpp"
#include "host/study/placement/compute_nodes.hpp"
#include "version.hpp"

#include <bit>

namespace tailback::evaluation {
namespace {

std::string digest_of(patterns::FlowList const& list) {
    base::Digest sum;
    for (patterns::Level const& level : list.levels) {
        sum.add(level.all_to_all ? patterns::fixed_flows(list) : level.flow_count);
        for (std::uint64_t i = 0; level.all_to_all && i < list.ranks; ++i)  // the same as of a list of them
            for (std::uint64_t j = 0; j < list.ranks; ++j)
                if (i != j) sum.add(i << 32 | j);
        for (std::size_t f = level.first_flow; f < level.first_flow + level.flow_count; ++f)
            sum.add(std::uint64_t{list.flows[f].source} << 32 | list.flows[f].destination);
        for (std::size_t f = level.first_flow; !list.weights.empty() && f < level.first_flow + level.flow_count; ++f)
            sum.add(list.weights[f]);
        for (patterns::RandomFlows const& random : level.random) {
            sum.add(std::uint64_t{random.first_rank} << 32 | random.ranks);
            sum.add(random.stream);
        }
        sum.add(level.local);
        if (level.computing != 1) sum.add(std::bit_cast<std::uint64_t>(level.computing));
    }
    for (std::uint8_t const number : list.classes) sum.add(number);
    sum.add(list.measured_ranks);
    return sum.text();
}

std::string digest_of(std::vector<model::Host> const& hosts) {
    base::Digest sum;
    for (model::Host const host : hosts) sum.add(host.value);
    return sum.text();
}

std::string digest_of(study::NodePlacement const& placed) {
    base::Digest sum;
    for (std::uint32_t const node : placed.nodes->node_of_host) sum.add(node);
    for (std::uint32_t const rail : placed.nodes->rail_of_host) sum.add(rail);
    return sum.text() + (placed.rail_aligned ? " rail-aligned" : "");
}

std::string words_of(study::Timing const& timing) {
    std::string words = timing.dependencies == study::Dependencies::causal ? "causal" : "barrier";
    if (timing.switching == study::Switching::store_and_forward) words += " store-and-forward";
    words += " compute " + timing.compute.text + " link " + timing.link_latency.text + " switch " +
             timing.switch_latency.text;
    for (study::ClassPriority const& one : timing.priorities)
        words += " " + one.name + "=" + study::words_of(one.priority);
    if (timing.schedule == nullptr) return words;
    base::Digest sum;
    for (traffic::GoalOperation const& operation : timing.schedule->operations) {
        sum.add(std::uint64_t(operation.kind));
        for (std::uint64_t const word : {std::uint64_t{operation.rank}, std::uint64_t{operation.peer}, operation.amount,
                                         std::uint64_t{operation.tag}, std::uint64_t{operation.cpu}})
            sum.add(word);
    }
    for (traffic::GoalDependency const& dependency : timing.schedule->dependencies) {
        sum.add(dependency.operation);
        sum.add(dependency.needs);
        sum.add(std::uint64_t{dependency.start_is_enough});
    }
    return words + " schedule " + sum.text();
}

}  // namespace

std::vector<std::pair<std::string, std::string>> identity_of(std::span<Column const> columns) {
    study::StudyPlan const& plan = *columns.front().plan;
    study::Study const& study = plan.study;
    std::string metrics;
    for (study::MetricInfo const& info : study::all_metrics())
        if (study.wants(info.metric)) metrics += (metrics.empty() ? "" : ",") + std::string(info.name);
    std::string const mapping = study::mapping_name(study);
    std::vector<std::pair<std::string, std::string>> identity = {
        {"version", version},
        {"network", study::digest(*plan.fabric)},
        {"pattern", study.traffic.pattern + " " + digest_of(plan.flow_list) +
                        (plan.common_weight > 1 || (plan.has_bytes() && plan.flow_list.weights.empty())
                             ? " of " + std::to_string(plan.common_weight) + " bytes"
                             : "")},
        {"ranks", std::to_string(study.placement.ranks)},
        {"subset", std::string(study::subset_name(study)) + " " + digest_of(plan.study_hosts)},
        {"mapping", study.placement.mapping == study::MappingKind::listed
                        ? mapping + " " + digest_of(study.placement.mapping_hosts)
                        : mapping},
        {"first mapping", std::to_string(study.sample.first_mapping)},
        {"seed", std::to_string(study.sample.seed)},
        {"capacities", study.measures.capacities == model::CapacityKind::unit ? "unit" : "rates"},
        {"aggregation nodes", study.placement.aggregation_nodes_are_hosts ? "hosts" : "apart"},
        {"metrics", metrics},
        {"goal", study.sample.until ? std::string(study::info_of(study.sample.until->metric).name) + ":" +
                                          goal_text(*study.sample.until)
                                    : "none"}};
    if (plan.problem.measures.sharing.wanted)
        identity.emplace_back("sharing",
                              std::string(study.measures.sharing == study::Sharing::max_min ? "max-min" : "linear") +
                                  (plan.problem.measures.sharing.by_weight ? " by bytes" : ""));
    if (study.measures.timing.is_simulated()) identity.emplace_back("timing", words_of(study.measures.timing));
    if (study.placement.nodes) identity.emplace_back("compute nodes", digest_of(*study.placement.nodes));
    std::string words;
    for (Column const& column : columns) words += (words.empty() ? "" : "; ") + column.identity;
    if (!words.empty()) identity.emplace_back("columns", words);
    return identity;
}

}  // namespace tailback::evaluation
