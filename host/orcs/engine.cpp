#include "host/orcs/engine.hpp"

#include "host/base/error.hpp"
#include "host/evaluation/evaluation.hpp"
#include "host/orcs/replay.hpp"
#include "kernels/common/permutation.hpp"
#include "kernels/cpu/fast/team.hpp"

#include <fmt/format.h>

#include <limits>
#include <utility>
#include <vector>

namespace tailback::orcs {
namespace {

std::string pattern_name(OrcsPattern const& pattern) {
    return pattern.name == "neighbor" ? pattern.argument + "neighbor" : pattern.name;
}

/// The study that the options ask for in the paper's meaning.
study::Study study_of(OrcsOptions const& options, OrcsPlacement const& seating) {
    study::Study study;
    study.traffic.pattern = pattern_name(options.pattern);
    study.traffic.first = pattern_name(options.first);
    study.traffic.second = pattern_name(options.second);
    study.traffic.first_ranks = options.part_commsize;
    study.placement.ranks = static_cast<std::uint32_t>(seating.subset().size());
    study.sample.mappings = options.runs;
    study.sample.seed = options.seed;
    if (options.level >= 0) study.traffic.level = static_cast<std::uint32_t>(options.level);
    study.measures.metrics.clear();
    for (study::MetricInfo const& info : study::all_metrics())
        if (options.metric == info.name) study.measures.metrics.push_back(info.metric);
    study.measures.capacities = model::CapacityKind::unit;
    if (!seating.plain()) {
        if (options.runs > std::uint64_t{1} << 32 || options.runs * study.placement.ranks > std::uint64_t{1} << 31)
            throw base::InputError({}, std::to_string(options.runs) + " runs with some ranks fixed",
                                   "each is listed in memory", "ask for fewer");
        study.placement.mapping = study::MappingKind::listed;
        for (std::uint64_t run = 0; run < options.runs; ++run)
            for (model::Host const host : seating.hosts_of_run(run)) study.placement.mapping_hosts.push_back(host);
        return study;
    }
    study.placement.mapping = options.do_not_shuffle ? study::MappingKind::identity : study::MappingKind::random;
    if (options.subset == "rand" && !options.do_not_shuffle) {
        study.placement.subset = study::SubsetKind::random;
    } else {
        study.placement.subset = study::SubsetKind::listed;
        study.placement.subset_hosts = seating.subset();
    }
    return study;
}

/// One level's flows in mapping m, drawn ones included.
std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs_of(study::StudyPlan const& plan, std::uint64_t m,
                                                              std::size_t l) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
    patterns::Level const& level = plan.flow_list.levels[l];
    for (std::size_t f = 0; f < level.flow_count; ++f) {
        patterns::Flow const& flow = plan.flow_list.flows[level.first_flow + f];
        pairs.emplace_back(flow.source, flow.destination);
    }
    for (patterns::RandomFlows const& random : level.random) {
        std::vector<std::uint32_t> targets((std::size_t{random.ranks} + 3) / 4 * 4), pi(random.ranks);
        kernels::CpuTeam team;
        kernels::draw_permutation(
            team,
            kernels::Draw{plan.study.sample.seed,
                          random.stream == 0 ? kernels::Stream::first_pattern : kernels::Stream::second_pattern, m,
                          random.ranks, random.ranks},
            targets.data(), pi.data());
        for (std::uint32_t i = 0; i < random.ranks; ++i)
            pairs.emplace_back(random.first_rank + i, random.first_rank + pi[i]);
    }
    return pairs;
}

void print_what_was_asked(study::StudyPlan const& plan, OrcsOptions const& options, std::ostream& console) {
    if (!options.print_namelist && !options.print_pattern && !options.verbose) return;
    model::Network const& network = plan.fabric->network;
    for (std::uint64_t run = 0; run < plan.study.sample.mappings; ++run) {
        std::vector<model::Host> const hosts = plan.hosts_of_mapping(run);
        if (options.print_namelist) print_orcs_namelist(console, network, hosts);
        for (std::size_t l = 0; l < plan.flow_list.levels.size(); ++l) {
            if (options.print_pattern) print_orcs_pattern(console, options, pairs_of(plan, run, l), network, hosts);
            if (options.verbose)
                console << "Process 0: Simulation run number " << run + 1 << ", level "
                        << (plan.study.traffic.level ? *plan.study.traffic.level : l) << " finished.\n";
        }
    }
}

}  // namespace

OrcsResults evaluate_orcs(model::Fabric const& fabric, OrcsOptions const& options, OrcsPlacement const& seating,
                          std::ostream& console, std::function<void(std::string const&)> const& warn) {
    study::StudyPlan const plan = study::make_plan(fabric, study_of(options, seating));
    print_what_was_asked(plan, options, console);
    evaluation::ExecutionOptions execution;
    execution.device = options.device == "cuda"  ? evaluation::DeviceChoice::cuda
                       : options.device == "cpu" ? evaluation::DeviceChoice::cpu
                                                 : evaluation::DeviceChoice::automatic;
    execution.threads = options.threads;
    evaluation::Evaluation const evaluation = evaluation::evaluate(plan, execution);
    if (std::uint64_t const lost = evaluation.unreachable + evaluation.loop + evaluation.misdelivered; lost > 0)
        warn(fmt::format("{} of {} flows are not delivered and left out ({} unreachable, {} loop, {} misdelivered)",
                         lost, lost + evaluation.delivered, evaluation.unreachable, evaluation.loop,
                         evaluation.misdelivered));
    OrcsResults results;
    for (auto const& [metric, sorted] : evaluation.flows) {
        for (auto const& [congestion, flows] : sorted.counts)
            results.weights.emplace_back(static_cast<std::uint64_t>(congestion), flows);
        results.bandwidth = sorted.mean_of_inverse;
    }
    for (auto const& [metric, values] : evaluation.numbers) {
        results.runs = values.values();
        if (std::uint64_t const none = values.undefined(); none > 0)
            results.runs.emplace_back(std::numeric_limits<double>::quiet_NaN(), none);
    }
    for (evaluation::LinkSum const& link : evaluation.links) results.edges.push_back(link.sum);
    return results;
}

}  // namespace tailback::orcs
