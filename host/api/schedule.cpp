#include "host/api/schedule.hpp"

#include "host/base/error.hpp"
#include "host/base/numbers.hpp"
#include "kernels/cpu/machine/threads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <utility>

namespace tailback::api {
namespace {

/// A study of all hosts without flows, for its routes.
study::Study study_of(ScheduleRequest const& request, model::Fabric const& fabric) {
    study::Study study;
    study.traffic.pattern = patterns::listed_pattern;
    study.sample.seed = request.seed;
    study.sample.mappings = 1;
    study.measures.capacities = request.capacities;
    study.measures.metrics = {study::Metric::sum_max_cong};
    study::NodePlacement placed;
    placed.nodes = std::make_shared<study::ComputeNodes const>(
        study::find_compute_nodes(fabric, node_grouping(request.placement.adapters, request.network.spec), false));
    for (study::ComputeNodes::Node const& node : placed.nodes->nodes)
        study.placement.mapping_hosts.insert(study.placement.mapping_hosts.end(), node.adapters.begin(),
                                             node.adapters.end());
    placed.rail_aligned = request.placement.rail_aligned;
    study.placement.mapping = study::MappingKind::listed;
    study.placement.ranks = static_cast<std::uint32_t>(study.placement.mapping_hosts.size());
    study.traffic.listed_flows.ranks = study.traffic.listed_flows.measured_ranks = study.placement.ranks;
    study.placement.nodes = std::move(placed);
    return study;
}

}  // namespace

FabricRequest fabric_request(ScheduleRequest const& request) {
    return {.network = request.network, .wanted = Wanted::flows, .names_nodes = true};
}

PreparedSchedule::PreparedSchedule(ScheduleRequest request, Listener const& listener)
    : PreparedSchedule(std::move(request), nullptr, listener) {}

PreparedSchedule::PreparedSchedule(ScheduleRequest request, std::shared_ptr<model::Fabric const> fabric,
                                   Listener const& listener)
    : request_(std::move(request)), fabric_(std::move(fabric)) {
    workload_ = read_workload(request_.workload, request_.placement.ranks_per_node, request_.pattern);
    for (std::string const& note : workload_.notes) listener.note(note);
    if (request_.placement.rail) rail_ = *request_.placement.rail;
    if (!fabric_) fabric_ = obtain_shared(fabric_request(request_), listener);
    plan_ = std::make_shared<study::StudyPlan const>(study::make_plan(*fabric_, study_of(request_, *fabric_)));
    if (std::string const idle = idle_adapter_options(request_.placement, nodes(), *fabric_, request_.network.spec);
        !idle.empty() && listener.note)
        listener.note(idle + ": every compute node has one adapter");
    if (workload_.is_log) leave_out_wide(listener);
    if (request_.policy.nodes == schedule::NodePolicy::search) ways_ = schedule::ways_between_adapters(*plan_, nodes());
}

/// The log of a larger machine has jobs that this one cannot run.
void PreparedSchedule::leave_out_wide(Listener const& listener) {
    std::size_t const most = nodes().nodes.size();
    auto const wants = [](WorkloadEntry const& entry) { return entry.nodes.of(0, 0, 0); };
    std::vector<WorkloadEntry> fitting;
    WorkloadEntry const *first = nullptr, *widest = nullptr;
    for (WorkloadEntry const& entry : workload_.entries) {
        if (wants(entry) <= double(most)) continue;
        if (first == nullptr || entry.line < first->line) first = &entry;
        if (widest == nullptr || wants(entry) > wants(*widest)) widest = &entry;
    }
    if (first == nullptr) return;
    std::size_t const before = workload_.entries.size();
    for (WorkloadEntry& entry : workload_.entries)
        if (wants(entry) <= double(most)) fitting.push_back(entry);
    std::string const told = fmt::format("the widest is job {} with {:.0f}, the first job {} (line {}) with {:.0f}",
                                         widest->name, wants(*widest), first->name, first->line, wants(*first));
    if (fitting.empty())
        throw base::InputError(
            {request_.workload, 0},
            fmt::format("{} more nodes than the {} of the fabric",
                        before == 1 ? "the one job wants" : fmt::format("all {} jobs want", base::grouped(before)),
                        most),
            told, "give a larger fabric, or more --ranks-per-node");
    listener.note(fmt::format("{} more nodes than the {} of the fabric, and {} left out: {}",
                              base::counted(before - fitting.size(), "job wants", "jobs want"), most,
                              before - fitting.size() == 1 ? "is" : "are", told));
    workload_.entries = std::move(fitting);
}

schedule::Machine PreparedSchedule::machine() const {
    return {*plan_, nodes(), request_.placement.ranks_per_node, rail_, grid_sizes(request_.network.spec), ways_};
}

ScheduleResult run_schedule(PreparedSchedule const& prepared, unsigned threads, std::function<bool()> const& stop,
                            std::function<void(std::uint64_t)> const& progress) {
    auto const started = std::chrono::steady_clock::now();
    ScheduleRequest const& request = prepared.request();
    ScheduleResult result;
    result.threads = static_cast<unsigned>(std::min<std::uint64_t>(kernels::threads_to_use(threads), request.seeds));
    std::vector<std::optional<schedule::ScheduleSummary>> summaries(request.seeds);
    bool const compares = request.compares && request.policy.nodes == schedule::NodePolicy::search;
    if (compares) result.others.assign(std::size_t(schedule::NodePolicy::search), {});
    for (auto& one : result.others) one.resize(request.seeds);
    std::atomic<bool> stopped = false;
    std::atomic<std::uint64_t> done = 0;  // jobs of all seeds
    std::exception_ptr failed;
    schedule::Machine const machine = prepared.machine();
#pragma omp parallel for schedule(dynamic, 1) num_threads(static_cast <int>(result.threads))
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(request.seeds); ++i) {
        if (stopped) continue;
        bool const leads = kernels::this_thread() == 0;
        std::uint64_t counted = 0;
        try {
            std::uint64_t const seed = request.seed + static_cast<std::uint64_t>(i);
            schedule::Workload workload = draw_workload(prepared.workload(), seed);
            schedule::ScheduleRun run = schedule::simulate(
                machine, workload, request.policy, seed,
                [&] {
                    if (leads && stop && stop()) stopped = true;
                    return stopped.load();
                },
                [&](std::uint64_t jobs) {
                    std::uint64_t const all = done += jobs - std::exchange(counted, jobs);
                    if (leads && progress) progress(all);
                });
            if (!run.interrupted || i == 0)
                summaries[std::size_t(i)] = schedule::summarise(workload, run, seed, machine.nodes.nodes.size());
            for (std::size_t k = 0; k < result.others.size() && !run.interrupted; ++k) {
                schedule::SchedulePolicy const policy{request.policy.queue, schedule::NodePolicy(k)};
                result.others[k][std::size_t(i)] = schedule::summarise(
                    workload, schedule::simulate(machine, workload, policy, seed), seed, machine.nodes.nodes.size());
            }
            if (i == 0) result.first_workload = std::move(workload), result.first = std::move(run);
        } catch (...) {
#pragma omp critical
            failed = std::current_exception();
            stopped = true;
        }
    }
    if (failed) std::rethrow_exception(failed);
    for (std::optional<schedule::ScheduleSummary> const& summary : summaries)
        if (summary) result.seeds.push_back(*summary);
    if (stopped) result.others.clear();
    result.interrupted = stopped;
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    return result;
}

}  // namespace tailback::api
