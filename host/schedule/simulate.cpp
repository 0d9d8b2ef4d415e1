#include "host/schedule/simulate.hpp"

#include "host/base/error.hpp"
#include "host/schedule/running_jobs.hpp"
#include "host/search/orders/node_search.hpp"
#include "host/search/places/plan_ways.hpp"
#include "kernels/common/permutation.hpp"
#include "kernels/cpu/fast/team.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <unordered_map>

namespace tailback::schedule {
namespace {

constexpr std::uint64_t most_moves = 4000;  ///< of a search for nodes: some milliseconds
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
        record.nodes = take_nodes(job, number);
        active_.push_back({number, now_, job.seconds});
        if (!sends(job)) return;
        std::vector<std::uint32_t> const hosts = place(job, number, record.nodes);
        evaluation::FlowFates fates;
        record.load = links_.add(number, flows_of(job), hosts.data(),
                                 {seed_, static_cast<std::uint32_t>(kernels::Stream::first_pattern), number}, fates);
        run_.undelivered += fates.failed;
    }
    /// Searched nodes follow each other as the ranks on them do; others by their numbers.
    std::vector<std::uint32_t> take_nodes(WorkloadJob const& job, std::uint32_t number) {
        bool const is_searched = policy_.nodes == NodePolicy::search && sends(job) && job.nodes < free_.count() &&
                                 job.order.kind != study::RankOrderKind::random && draws_nothing(flows_of(job));
        if (!is_searched) return free_.take(job.nodes, policy_.nodes, seed_, number);
        std::vector<std::uint32_t> const nodes = searched(job, number);
        free_.take_these(nodes);
        return nodes;
    }
    static bool draws_nothing(patterns::FlowList const& flows) {
        return std::all_of(flows.levels.begin(), flows.levels.end(),
                           [](patterns::Level const& level) { return level.random.empty(); });
    }
    /// Of what the simple policies choose and what searches find from there: where the fewest node-seconds are lost.
    std::vector<std::uint32_t> searched(WorkloadJob const& job, std::uint32_t number) {
        std::vector<std::vector<std::uint32_t>> candidates;
        for (NodePolicy const policy : {NodePolicy::leaf, NodePolicy::contiguous, NodePolicy::first})
            candidates.push_back(FreeNodes(free_).take(job.nodes, policy, seed_, number));
        search::NodeProblem const problem = problem_of(job, candidates.front());
        search::PlaceProblem const& places = problem.places;
        auto const loss = [&](std::vector<std::uint32_t> const& nodes) {
            return lost_by(job, number, nodes) + share_of_links(problem, nodes) * job.seconds * job.communication;
        };
        double least = loss(candidates.front());
        if (least > 0 && !places.levels.front().flows.empty()) {
            std::vector<search::Order> starts;
            for (std::size_t k = 0; k < 2; ++k) {
                search::Order& order = starts.emplace_back();
                for (std::uint32_t const node : candidates[k])
                    for (std::uint32_t a = 0; a < places.together; ++a) order.push_back(node * places.together + a);
            }
            for (double const weight : {1, 4, 16}) {
                search::OrderSearchOptions options;
                options.moves = std::min(most_moves, search::usual_node_moves(places) / 50) / 3;
                options.seed = seed_ + (std::uint64_t{number} << 32);
                options.threads = 1;
                search::Order const order = search::search_nodes_weighed(problem, weight, starts, options).order;
                std::vector<std::uint32_t>& nodes = candidates.emplace_back();
                for (std::size_t r = 0; r < order.size(); r += places.together)
                    nodes.push_back(order[r] / places.together);
            }
        }
        std::size_t best = 0;
        for (std::size_t k = 1; k < candidates.size() && least > 0; ++k)
            if (double const lost = loss(candidates[k]); lost < least) least = lost, best = k;
        return candidates[best];
    }
    /// The job between the free nodes; its ranks as they are on these.
    search::NodeProblem problem_of(WorkloadJob const& job, std::vector<std::uint32_t> const& nodes) {
        MachineWays const& ways = *machine_.ways;
        search::NodeProblem problem;
        search::PlaceProblem& places = problem.places;
        places.ranks = job.nodes * ways.adapters;
        places.together = ways.adapters;
        places.ways = ways.ways;
        places.cost = ways.cost;
        places.levels = {flows_between_adapters(job, nodes)};
        for (std::uint32_t place = 0; place < places.places(); ++place)
            places.closed.push_back(!free_.is_free(place / places.together));
        problem.unit = std::max(1.0, search::busiest_adapter(places));
        std::vector<double> const shares = links_.shares();
        for (std::uint32_t const link : ways.number) {
            places.background.push_back(links_.total()[link]);
            problem.of.push_back(shares[link] * problem.unit);
        }
        return problem;
    }
    /// Nodes that its flows would slow down to half if all links between switches were shared alike.
    double share_of_links(search::NodeProblem const& problem, std::vector<std::uint32_t> const& nodes) const {
        search::PlaceProblem const& places = problem.places;
        double sum = 0;
        for (search::PlacedFlow const& flow : places.levels.front().flows) {
            auto const place = [&](std::uint32_t rank) {
                return nodes[rank / places.together] * places.together + rank % places.together;
            };
            auto const way = places.ways.way(place(flow.source), place(flow.destination));
            for (std::size_t i = 1; i + 1 < way.size(); ++i) sum += double(flow.weight) * places.cost[way[i]];
        }
        double const between = double(places.cost.size()) - 2.0 * places.places();
        double a_slowdown = 1 / problem.unit, jobs = 1;  // by a load of 1, of a job such as it and those that run
        for (Active const& one : active_)
            if (std::uint64_t const load = run_.jobs[one.job].load; load > 0) a_slowdown += 1 / double(load), ++jobs;
        return between > 0 ? sum * a_slowdown / jobs * double(leaf_.size()) / between : 0;
    }
    /// Node-seconds that congestion takes from the job there and, more than now, from those that run.
    double lost_by(WorkloadJob const& job, std::uint32_t number, std::vector<std::uint32_t> const& nodes) {
        double lost = 0;
        auto const add = [&](std::uint32_t other, double seconds, double sign) {
            WorkloadJob const& of = workload_[other];
            lost += sign * of.nodes * seconds * of.communication * (links_.slowdown(other) - 1);
        };
        auto const add_running = [&](double sign) {
            for (Active const& one : active_)
                if (sends(workload_[one.job]))
                    add(one.job, std::max(0.0, one.left - (now_ - one.since) * one.speed), sign);
        };
        evaluation::FlowFates fates;
        std::vector<std::uint32_t> const hosts = place(job, number, nodes);
        add_running(-1);
        links_.add(number, flows_of(job), hosts.data(), {}, fates);
        add_running(1);
        add(number, job.seconds, 1);
        links_.remove(number);
        return lost;
    }
    /// Its ranks as adapters of its first, second, .. node.
    search::PlacedLevel flows_between_adapters(WorkloadJob const& job, std::vector<std::uint32_t> const& nodes) {
        std::vector<Seat> const seats = seats_of(job, 0, nodes);
        patterns::FlowList const& flows = flows_of(job);
        std::uint32_t const together = machine_.ways->adapters;
        search::PlacedLevel all;
        for (std::size_t f = 0; f < flows.flows.size(); ++f) {
            Seat const a = seats[flows.flows[f].source], b = seats[flows.flows[f].destination];
            if (a.node != b.node)
                all.flows.push_back({a.node * together + a.adapter, b.node * together + b.adapter,
                                     flows.weights.empty() ? 1 : flows.weights[f]});
        }
        return search::all_in_one({&all, 1});
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
    /// Which of the job's nodes, and which adapter of it.
    struct Seat {
        std::uint32_t node, adapter;
    };
    std::vector<Seat> seats_of(WorkloadJob const& job, std::uint32_t number,
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
        std::vector<Seat> seats;
        for (std::uint32_t r = 0; r < ranks; ++r) {
            study::Slot const slot = in_order[permuted.empty() ? r : permuted[r]];
            study::ComputeNodes::Node const& node = machine_.nodes.nodes[nodes[slot.node]];
            model::Host const host = study::adapter_of(node, machine_.rail, r, slot.slot, slots);
            seats.push_back({slot.node, static_cast<std::uint32_t>(std::ranges::find(node.adapters, host) -
                                                                   node.adapters.begin())});
        }
        return seats;
    }
    /// The index of the host of every rank.
    std::vector<std::uint32_t> place(WorkloadJob const& job, std::uint32_t number,
                                     std::vector<std::uint32_t> const& nodes) const {
        std::vector<std::uint32_t> hosts;
        for (Seat const seat : seats_of(job, number, nodes))
            hosts.push_back(index_of_host_.at(machine_.nodes.nodes[nodes[seat.node]].adapters[seat.adapter].value));
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

std::shared_ptr<MachineWays const> ways_between_adapters(study::StudyPlan const& plan,
                                                         study::ComputeNodes const& nodes) {
    auto found = std::make_shared<MachineWays>();
    found->adapters = static_cast<std::uint32_t>(nodes.nodes.front().adapters.size());
    for (study::ComputeNodes::Node const& node : nodes.nodes)
        if (node.adapters.size() != found->adapters)
            throw base::InputError({}, "nodes cannot be searched on this fabric",
                                   fmt::format("{} has {} adapters, {} has {}", nodes.nodes.front().name,
                                               found->adapters, node.name, node.adapters.size()),
                                   "choose another --select", "select");
    found->ways = search::ways_of(plan, 1, found->cost, found->number);
    return found;
}

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
