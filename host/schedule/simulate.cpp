#include "host/schedule/simulate.hpp"

#include "host/base/error.hpp"
#include "host/schedule/running_jobs.hpp"
#include "kernels/common/permutation.hpp"
#include "kernels/cpu/team.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <unordered_map>

namespace tailback::schedule {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();
/// Of draws of a job's random order; those of its flows are as elsewhere.
constexpr kernels::Stream order_stream{15};

/// A job while it runs.
struct Active {
    std::uint32_t job;
    double since, left;               ///< what was left of its seconds alone at time `since`
    double speed = 1;                 ///< seconds alone a second
    double slowdown = 1, slowed = 0;  ///< now; the integral of it over time up to `since`
    double ends() const { return since + left / speed; }
};

class Simulation {
public:
    Simulation(Machine const& machine, Workload const& workload, SchedulePolicy const& policy, std::uint64_t seed)
        : machine_(machine),
          workload_(workload),
          policy_(policy),
          seed_(seed),
          leaf_(leaf_numbers(machine.nodes, machine.plan.fabric->network)),
          free_(leaf_),
          links_(machine.plan.problem) {
        for (std::uint32_t i = 0; i < machine.plan.study_hosts.size(); ++i)
            index_of_host_[machine.plan.study_hosts[i].value] = i;
        run_.jobs.resize(workload.size());
    }

    ScheduleRun run(std::function<bool()> const& stop, std::function<void(std::uint64_t)> const& progress) {
        for (std::size_t next = 0; next < workload_.size() || !active_.empty();) {
            if (stop && stop()) {
                run_.interrupted = true;
                break;
            }
            double const arrival = next < workload_.size() ? workload_[next].submit : never;
            now_ = std::min(arrival, first_end());
            end_jobs();
            for (; next < workload_.size() && workload_[next].submit <= now_; ++next)
                waiting_.push_back(static_cast<std::uint32_t>(next));
            start_jobs();
            slow_down();
            note_moment();
            if (progress) progress(ended_);
        }
        return std::move(run_);
    }

private:
    double first_end() const {
        double first = never;
        for (Active const& one : active_) first = std::min(first, one.ends());
        return first;
    }
    void end_jobs() {
        for (std::size_t i = 0; i < active_.size();) {
            Active& one = active_[i];
            if (one.ends() > now_) {
                ++i;
                continue;
            }
            JobRecord& record = run_.jobs[one.job];
            record.end = now_;
            double const time = record.end - record.start;
            if (time > 0) record.slowdown = (one.slowed + one.slowdown * (now_ - one.since)) / time;
            if (sends(workload_[one.job])) links_.remove(one.job);
            free_.give_back(record.nodes);
            ++ended_;
            active_.erase(active_.begin() + std::ptrdiff_t(i));
        }
    }
    void start_jobs() {
        std::vector<WaitingJob> waiting;
        for (std::uint32_t const job : waiting_) waiting.push_back({workload_[job].nodes, workload_[job].requested});
        std::vector<JobAtWork> running;
        for (Active const& one : active_)
            running.push_back({workload_[one.job].nodes, run_.jobs[one.job].start + workload_[one.job].requested});
        std::vector<std::size_t> const starting =
            jobs_to_start(policy_.queue, waiting, std::move(running), free_.count(), now_);
        for (std::size_t const place : starting) start(waiting_[place]);
        for (std::size_t i = starting.size(); i-- > 0;) waiting_.erase(waiting_.begin() + std::ptrdiff_t(starting[i]));
    }
    void start(std::uint32_t number) {
        WorkloadJob const& job = workload_[number];
        JobRecord& record = run_.jobs[number];
        record.start = now_;
        record.nodes = free_.take(job.nodes, policy_.nodes, seed_, number);
        active_.push_back({number, now_, job.seconds});
        if (!sends(job)) return;
        std::vector<std::uint32_t> const hosts = place(job, number, record.nodes);
        evaluation::FlowFates fates;
        record.load = links_.add(number, flows_of(job), hosts.data(),
                                 {seed_, static_cast<std::uint32_t>(kernels::Stream::first_pattern), number}, fates);
        run_.undelivered += fates.failed;
    }
    /// A single rank has nobody to send to.
    bool sends(WorkloadJob const& job) const { return job.traffic && ranks_of(job) > 1; }
    std::uint32_t ranks_of(WorkloadJob const& job) const {
        return job.traffic->least_ranks() > 0 ? job.traffic->least_ranks() : job.nodes * machine_.ranks_per_node;
    }
    patterns::FlowList const& flows_of(WorkloadJob const& job) {
        auto const key = std::pair(job.traffic.get(), ranks_of(job));
        auto const at = flows_.find(key);
        if (at != flows_.end()) return at->second;
        try {
            return flows_.emplace(key, job.traffic->flows(key.second)).first->second;
        } catch (base::InputError const& error) {
            throw base::InputError({}, "job \"" + job.name.substr(0, 80) + "\": " + error.what(), "", "");
        }
    }
    /// The index of the host of every rank.
    std::vector<std::uint32_t> place(WorkloadJob const& job, std::uint32_t number,
                                     std::vector<std::uint32_t> const& nodes) const {
        std::uint32_t const ranks = ranks_of(job), slots = machine_.ranks_per_node;
        study::NodesToOrder to_order{std::vector<std::uint32_t>(nodes.size(), slots), {}, machine_.dims, ranks};
        for (std::uint32_t const node : nodes) to_order.leaf.push_back(leaf_[node]);
        std::vector<study::Slot> const in_order = study::slots_in_order(job.order, to_order);
        std::vector<std::uint32_t> permuted;
        if (job.order.kind == study::RankOrderKind::random) {
            std::vector<std::uint32_t> targets(ranks + std::size_t{4});
            permuted.resize(ranks + std::size_t{4});
            kernels::CpuTeam team;
            kernels::draw_permutation(team, kernels::Draw{seed_, order_stream, number, ranks, ranks}, targets.data(),
                                      permuted.data());
        }
        std::vector<std::uint32_t> hosts;
        for (std::uint32_t r = 0; r < ranks; ++r) {
            study::Slot const slot = in_order[permuted.empty() ? r : permuted[r]];
            study::ComputeNodes::Node const& node = machine_.nodes.nodes[nodes[slot.node]];
            hosts.push_back(index_of_host_.at(study::adapter_of(node, machine_.rail, r, slot.slot, slots).value));
        }
        return hosts;
    }
    /// What changed on links changes speeds from now on.
    void slow_down() {
        std::vector<std::uint32_t> const changed = links_.take_changed();
        for (Active& one : active_) {
            if (!std::binary_search(changed.begin(), changed.end(), one.job)) continue;
            WorkloadJob const& job = workload_[one.job];
            one.slowed += one.slowdown * (now_ - one.since);
            one.left = std::max(0.0, one.left - (now_ - one.since) * one.speed);
            one.since = now_;
            one.slowdown = links_.slowdown(one.job);
            if (job.stretches) one.speed = 1 / (1 - job.communication + job.communication * one.slowdown);
            double& worst = run_.jobs[one.job].worst_slowdown;
            worst = std::max(worst, one.slowdown);
        }
    }
    void note_moment() {
        Moment moment{now_, static_cast<std::uint32_t>(active_.size()), static_cast<std::uint32_t>(waiting_.size()),
                      static_cast<std::uint32_t>(leaf_.size()) - free_.count(), links_.largest_load()};
        double sum = 0;
        std::uint32_t sending = 0;
        for (Active const& one : active_)
            if (sends(workload_[one.job])) sum += one.slowdown, ++sending;
        if (sending > 0) moment.slowdown = sum / sending;
        run_.moments.push_back(moment);
    }

    Machine const& machine_;
    Workload const& workload_;
    SchedulePolicy policy_;
    std::uint64_t seed_;
    std::vector<std::uint32_t> leaf_;
    FreeNodes free_;
    RunningJobs links_;
    std::unordered_map<std::uint32_t, std::uint32_t> index_of_host_;
    std::map<std::pair<JobTraffic const*, std::uint32_t>, patterns::FlowList> flows_;
    std::vector<std::uint32_t> waiting_;
    std::vector<Active> active_;
    double now_ = 0;
    std::uint64_t ended_ = 0;
    ScheduleRun run_;
};

}  // namespace

ScheduleRun simulate(Machine const& machine, Workload const& workload, SchedulePolicy const& policy, std::uint64_t seed,
                     std::function<bool()> const& stop, std::function<void(std::uint64_t)> const& progress) {
    for (WorkloadJob const& job : workload) {
        std::string const who = "job \"" + job.name.substr(0, 80) + "\"";
        if (job.nodes > machine.nodes.nodes.size())
            throw base::InputError({}, fmt::format("{} wants {} nodes", who, job.nodes),
                                   fmt::format("the fabric has {}", machine.nodes.nodes.size()), "leave it out");
        std::uint64_t const slots = std::uint64_t{job.nodes} * machine.ranks_per_node;
        if (job.traffic && job.traffic->least_ranks() > slots)
            throw base::InputError({}, fmt::format("the traffic of {} has {} ranks", who, job.traffic->least_ranks()),
                                   fmt::format("its nodes take {}", slots), "give it more nodes, or --ranks-per-node");
    }
    return Simulation(machine, workload, policy, seed).run(stop, progress);
}

}  // namespace tailback::schedule
