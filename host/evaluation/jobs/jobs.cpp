#include "host/evaluation/jobs/jobs.hpp"

#include "host/base/error.hpp"
#include "host/evaluation/jobs/flow_loads.hpp"
#include "host/simulation/job_times.hpp"
#include "kernels/common/permutation.hpp"
#include "kernels/cpu/machine/stop.hpp"
#include "kernels/cpu/machine/threads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <span>

namespace tailback::evaluation {
namespace {

__extension__ using Wide = unsigned __int128;

/// Slowdowns are kept in units of 2^-slowdown_bits.
constexpr unsigned slowdown_bits = 32;

/// Numbers of a mapping, by job.
struct Times {
    std::uint64_t alone = 0, together = 0;
};

/// Sums over mappings, of one thread.
struct Sums {
    Sums(std::size_t jobs, std::size_t links)
        : flows(jobs), slowdown(jobs * jobs), slowed(jobs), link_of_job(jobs * links), shared(links) {}
    void add(Sums const& other) {
        auto const add_all = [](auto& to, auto const& from) {
            for (std::size_t i = 0; i < to.size(); ++i) to[i] += from[i];
        };
        for (std::size_t j = 0; j < flows.size(); ++j) {
            flows[j].delivered += other.flows[j].delivered;
            flows[j].failed += other.flows[j].failed;
            flows[j].local += other.flows[j].local;
            flows[j].within_nodes += other.flows[j].within_nodes;
        }
        add_all(slowdown, other.slowdown);
        add_all(slowed, other.slowed);
        add_all(link_of_job, other.link_of_job);
        add_all(shared, other.shared);
    }
    std::vector<FlowFates> flows;       ///< [job]
    std::vector<Wide> slowdown;         ///< [job][other]
    std::vector<std::uint64_t> slowed;  ///< [job]: mappings in which it takes time
    std::vector<Wide> link_of_job;      ///< [link][job]: load x cost, over the steps in which it is shared
    std::vector<std::uint64_t> shared;  ///< [link]: mappings in which it is shared
};

/// One thread's way through its mappings.
class JobsWorker {
public:
    /// @param timed simulates times; null: they follow from loads.
    JobsWorker(kernels::Problem const& p, std::vector<Job> const& jobs, std::unique_ptr<LoadCounter> counter,
               std::unique_ptr<simulation::JobTimes> timed)
        : p_(p),
          timed_(std::move(timed)),
          counter_(std::move(counter)),
          jobs_(jobs),
          sums(jobs.size(), p.routes.slots),
          total_(p.routes.slots),
          first_(p.routes.slots, none),
          last_shared_(p.routes.slots, UINT64_MAX),
          pair_(jobs.size() * jobs.size()) {
        for (Job const& job : jobs) {
            loads_.emplace_back(job.flows.levels.size());
            steps_ = std::max(steps_, job.flows.levels.size());
        }
    }
    /// @param times gets those of each job.
    void evaluate(std::uint64_t m, Times* times) {
        host_index_ = p_.placement.listed + (m - p_.placement.first_listed) * p_.placement.ranks;
        for (std::size_t j = 0; j < jobs_.size(); ++j)
            for (std::size_t l = 0; l < jobs_[j].flows.levels.size(); ++l) count(j, l, m);
        std::fill(pair_.begin(), pair_.end(), 0);
        for (std::size_t step = 0; step < steps_; ++step) run_step(step, m, times);
        if (timed_ != nullptr) simulate(m, times);
        for (std::size_t i = 0; i < jobs_.size(); ++i) {
            if (times[i].alone == 0) continue;
            ++sums.slowed[i];
            for (std::size_t j = 0; j < jobs_.size(); ++j)
                if (i != j)
                    sums.slowdown[i * jobs_.size() + j] +=
                        (Wide{pair_[i * jobs_.size() + j]} << slowdown_bits) / times[i].alone;
        }
    }

private:
    static constexpr std::uint32_t none = 0xFFFFFFFFu;

    std::uint64_t cost(std::uint32_t link) const { return p_.routes.cost != nullptr ? p_.routes.cost[link] : 1; }

    /// The loads of level l of job j.
    void count(std::size_t j, std::size_t l, std::uint64_t m) {
        Job const& job = jobs_[j];
        counter_->count(job.flows, job.flows.levels[l], host_index_ + job.first_rank, {p_.seed, random_stream(j), m},
                        sums.flows[j], loads_[j][l]);
    }

    /// Level `step` of all jobs at once; jobs that have fewer begin again.
    void run_step(std::size_t step, std::uint64_t m, Times* times) {
        entries_.clear();
        std::size_t const jobs = jobs_.size();
        for (std::uint32_t j = 0; j < jobs; ++j) {
            if (loads_[j].empty()) continue;
            for (LinkLoad const& one : loads_[j][step % loads_[j].size()]) {
                entries_.push_back({one.load, one.link, j, first_[one.link]});
                first_[one.link] = static_cast<std::uint32_t>(entries_.size() - 1);
                total_[one.link] += one.load;
            }
        }
        most_.assign(jobs * (jobs + 2), 0);
        std::uint64_t *const alone = most_.data(), *const together = alone + jobs, *const pair = together + jobs;
        for (Entry const& entry : entries_) {
            std::uint64_t const factor = cost(entry.link);
            alone[entry.job] = std::max(alone[entry.job], entry.load * factor);
            together[entry.job] = std::max(together[entry.job], total_[entry.link] * factor);
            if (total_[entry.link] != entry.load) share(entry, factor, m, pair);
        }
        for (Entry const& entry : entries_) first_[entry.link] = none, total_[entry.link] = 0;
        for (std::size_t i = 0; i < jobs; ++i) {
            if (step >= loads_[i].size()) continue;
            times[i].alone += alone[i];
            times[i].together += together[i];
            for (std::size_t j = 0; j < jobs; ++j) pair_[i * jobs + j] += std::max(alone[i], pair[i * jobs + j]);
        }
    }
    /// Times instead of those that follow from loads.
    void simulate(std::uint64_t m, Times* times) {
        auto const jobs = static_cast<std::uint32_t>(jobs_.size());
        timed_->place(m);
        std::vector<std::uint32_t> all;
        std::vector<simulation::Ticks> ends(jobs);
        for (std::uint32_t j = 0; j < jobs; ++j) {
            all.push_back(j);
            timed_->run(std::span(&j, 1), std::span(&times[j].alone, 1));
        }
        timed_->run(all, ends);
        for (std::uint32_t j = 0; j < jobs; ++j) times[j].together = ends[j];
        std::fill(pair_.begin(), pair_.end(), 0);
        for (std::uint32_t i = 0; i < jobs && jobs <= most_in_pairs; ++i)
            for (std::uint32_t j = i + 1; j < jobs; ++j) {
                std::uint32_t const two[] = {i, j};
                if (jobs > 2) timed_->run(two, ends);
                pair_[i * jobs + j] = ends[0];
                pair_[j * jobs + i] = ends[1];
            }
    }
    struct Entry {
        std::uint64_t load;
        std::uint32_t link, job, next;  ///< next: the entry of the link before this
    };
    /// A link that other jobs use too: what each of them alone would do to this one.
    void share(Entry const& entry, std::uint64_t factor, std::uint64_t m, std::uint64_t* pair) {
        for (std::uint32_t other = first_[entry.link]; other != none; other = entries_[other].next) {
            if (entries_[other].job == entry.job) continue;
            std::uint64_t& most = pair[entry.job * jobs_.size() + entries_[other].job];
            most = std::max(most, (entry.load + entries_[other].load) * factor);
        }
        sums.link_of_job[entry.link * jobs_.size() + entry.job] += entry.load * factor;
        if (last_shared_[entry.link] == m) return;
        last_shared_[entry.link] = m;
        ++sums.shared[entry.link];
    }

    kernels::Problem const& p_;
    std::unique_ptr<simulation::JobTimes> const timed_;
    std::unique_ptr<LoadCounter> counter_;
    std::vector<Job> const& jobs_;

public:
    Sums sums;

private:
    std::uint32_t const* host_index_ = nullptr;
    std::size_t steps_ = 0;
    std::vector<std::vector<std::vector<LinkLoad>>> loads_;  ///< [job][level]
    std::vector<std::uint64_t> total_;                       ///< by link; zero between steps
    std::vector<std::uint32_t> first_;                       ///< by link: its last entry
    std::vector<Entry> entries_;
    std::vector<std::uint64_t> last_shared_;  ///< by link: the last mapping in which it was shared
    std::vector<std::uint64_t> most_, pair_;
};

/// Sums must not pass 64 bits.
/// @param parts that a unit of load is divided into
void check_bounds(study::StudyPlan const& plan, std::vector<Job> const& jobs, std::uint64_t parts) {
    std::uint64_t cost = 1;
    if (plan.problem.routes.cost != nullptr)
        cost = *std::max_element(plan.problem.routes.cost, plan.problem.routes.cost + plan.problem.routes.slots);
    Wide bytes = 0;
    std::size_t steps = 1;
    for (Job const& job : jobs) {
        Wide of_job = job.flows.flows.size();
        if (!job.flows.weights.empty()) {
            of_job = 0;
            for (std::uint64_t const weight : job.flows.weights) of_job += weight;
        }
        for (patterns::Level const& level : job.flows.levels)
            for (patterns::RandomFlows const& random : level.random) of_job += random.ranks;
        bytes += of_job;
        steps = std::max(steps, job.flows.levels.size());
    }
    if (bytes * steps * cost * parts <= Wide{INT64_MAX}) return;
    throw base::InputError({}, "the jobs have too many bytes", "the sum of loads over all levels could pass 2^63",
                           "write their traffic in a larger unit");
}

/// One sum over links, steps and mappings takes 16 bytes.
void check_memory(study::StudyPlan const& plan, std::size_t jobs, unsigned threads) {
    std::uint64_t const bytes = std::uint64_t{plan.problem.routes.slots} * jobs * sizeof(Wide) * threads;
    if (bytes <= std::uint64_t{1} << 30) return;
    throw base::InputError({}, fmt::format("{} jobs on so many links take too much memory", jobs),
                           fmt::format("{} threads count each job's part of every link's load", threads),
                           "use fewer threads, or fewer jobs");
}

double as_double(Wide value) { return double(value); }

/// @param each what 1 of a sum over all levels of all mappings is as a mean
std::vector<SharedLink> hottest(study::StudyPlan const& plan, Sums const& sums, std::size_t jobs, double each,
                                std::size_t most, std::uint64_t& shared_links) {
    std::vector<std::pair<Wide, std::uint32_t>> order;
    for (std::uint32_t link = 0; link < plan.problem.routes.slots; ++link) {
        if (sums.shared[link] == 0) continue;
        Wide load = 0;
        for (std::size_t j = 0; j < jobs; ++j) load += sums.link_of_job[link * jobs + j];
        order.emplace_back(load, link);
    }
    shared_links = order.size();
    std::sort(order.begin(), order.end(), [](auto const& a, auto const& b) {
        return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    order.resize(std::min(order.size(), most));
    std::vector<SharedLink> links;
    for (auto const& [load, number] : order) {
        SharedLink one{plan.link_of_index.empty() ? model::Link{number} : plan.link_of_index[number],
                       as_double(load) * each,
                       sums.shared[number],
                       {}};
        for (std::size_t j = 0; j < jobs; ++j)
            one.load_of_job.push_back(as_double(sums.link_of_job[number * jobs + j]) * each);
        links.push_back(std::move(one));
    }
    return links;
}

/// A slowdown in units of 2^-slowdown_bits.
std::uint64_t ratio(Times const& times) {
    Wide const whole = (Wide{times.together} << slowdown_bits) / times.alone;
    return static_cast<std::uint64_t>(std::min<Wide>(whole, INT64_MAX));
}

bool is_timed(study::StudyPlan const& plan) { return !plan.study.measures.timing.first_level_of_job.empty(); }

/// From whole numbers to what is told.
JobsResult conclude(study::StudyPlan const& plan, std::vector<Job> const& jobs, std::vector<Times> const& times,
                    Sums const& sums, std::uint64_t parts, bool every_link) {
    JobsResult result;
    std::size_t const count = jobs.size();
    result.mappings = times.size() / count;
    bool const timed = is_timed(plan);
    double const load_unit = unit_of_jobs(plan, jobs).unit, load_one = double(plan.denominator) * double(parts);
    double const unit = timed ? plan.congestion_unit() : load_unit;
    double const one = timed ? double(plan.problem.measures.sharing.time_unit) : load_one;
    for (std::size_t j = 0; j < count; ++j) {
        JobResult job{Distribution(one, true, 0, unit),
                      Distribution(one, true, 0, unit),
                      Distribution(std::ldexp(1, slowdown_bits), true),
                      sums.flows[j].delivered,
                      sums.flows[j].failed,
                      sums.flows[j].local,
                      sums.flows[j].within_nodes};
        kernels::ValuesSeen alone, together, slowdown;
        std::uint64_t undefined = 0;
        for (std::uint64_t m = 0; m < result.mappings; ++m) {
            Times const& of = times[m * count + j];
            std::uint64_t const number = plan.study.sample.first_mapping + m;
            alone.add(of.alone, number);
            together.add(of.together, number);
            if (of.alone == 0) ++undefined;
            else slowdown.add(ratio(of), number);
        }
        job.alone.add(alone);
        job.together.add(together);
        job.slowdown.add(slowdown, undefined);
        result.jobs.push_back(std::move(job));
    }
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = 0; j < count; ++j)
            result.disturbance.push_back(
                i == j || sums.slowed[i] == 0 || (timed && count > most_in_pairs)
                    ? std::numeric_limits<double>::quiet_NaN()
                    : std::ldexp(as_double(sums.slowdown[i * count + j]) / double(sums.slowed[i]),
                                 -int(slowdown_bits)));
    std::size_t steps = 1;
    for (Job const& job : jobs) steps = std::max(steps, job.flows.levels.size());
    double const each = load_unit / load_one / double(steps * result.mappings);
    result.links = hottest(plan, sums, count, each, every_link ? ~std::size_t{0} : hottest_links, result.shared_links);
    return result;
}

}  // namespace

std::uint32_t random_stream(std::size_t job) {
    constexpr std::uint32_t further_jobs = 150;
    return job < 2 ? static_cast<std::uint32_t>(kernels::Stream::first_pattern) + static_cast<std::uint32_t>(job)
                   : further_jobs + static_cast<std::uint32_t>(job);
}

JobsUnit unit_of_jobs(study::StudyPlan const& plan, std::vector<Job> const& jobs) {
    JobsUnit unit;
    for (Job const& job : jobs) unit.has_bytes |= job.flows.has_bytes();
    unit.in_seconds = unit.has_bytes && plan.base_rate_elevenths > 0;
    constexpr double bits_a_byte = 8, elevenths_of_gbps = 1e9 / 11;
    if (unit.in_seconds) unit.unit = bits_a_byte / (plan.base_rate_elevenths * elevenths_of_gbps);
    return unit;
}

std::optional<UnlikeJobs> unlike_jobs(JobsResult const& result) {
    constexpr double unlike = 1000;
    std::size_t const none = result.jobs.size();
    std::size_t longest = none, shortest = none;
    auto const time = [&](std::size_t j) { return result.jobs[j].alone.mean(); };
    for (std::size_t j = 0; j < none; ++j) {
        if (result.jobs[j].alone.count() == 0 || !(time(j) > 0)) continue;
        if (longest == none || time(j) > time(longest)) longest = j;
        if (shortest == none || time(j) < time(shortest)) shortest = j;
    }
    if (shortest == none || time(longest) <= unlike * time(shortest)) return std::nullopt;
    return UnlikeJobs{longest, shortest, time(longest) / time(shortest)};
}

JobsResult evaluate_jobs(study::StudyPlan const& plan, std::vector<Job> const& jobs, JobsOptions const& options) {
    auto const started = std::chrono::steady_clock::now();
    std::optional<SpreadPlan> spread;
    if (options.spread != LidSpread::base) spread.emplace(plan, options.spread);
    std::uint64_t const parts = spread ? spread->parts : 1;
    check_bounds(plan, jobs, parts);
    std::uint64_t const mappings = plan.study.sample.mappings;
    auto const threads =
        static_cast<unsigned>(std::min<std::uint64_t>(kernels::threads_to_use(options.threads), mappings));
    check_memory(plan, jobs.size(), threads);
    std::vector<Times> times(mappings * jobs.size());
    std::uint64_t evaluated = 0;
    std::vector<std::unique_ptr<JobsWorker>> workers;
    std::optional<simulation::JobTimesMaker> timed;
    if (is_timed(plan)) timed.emplace(plan);
    for (unsigned t = 0; t < threads; ++t)
        workers.push_back(std::make_unique<JobsWorker>(
            plan.problem, jobs, spread ? make_load_counter(plan, *spread) : make_load_counter(plan.problem),
            timed ? timed->make() : nullptr));
    std::int64_t const batch = timed ? 1 : 64;
    std::atomic<std::uint64_t> done = 0;
    kernels::FirstFailure failed;
    std::optional<kernels::StopWish::Scope> of_run;
    if (timed && options.wish != nullptr) of_run.emplace(*options.wish);
    kernels::StopWish const wish = kernels::StopWish::now();
    std::vector<Sums> put_by;  // of the rounds before one that may be ended in its middle
    // Rounds, between which somebody may want to stop: doubled until one takes a twentieth of a second.
    for (std::uint64_t round = static_cast<std::uint64_t>(batch) * threads; evaluated < mappings;) {
        if (evaluated > 0 && options.stop && options.stop()) break;
        auto const began = std::chrono::steady_clock::now();
        auto const last = static_cast<std::int64_t>(std::min(evaluated + round, mappings));
        put_by.clear();
        for (unsigned t = 0; of_run && t < threads; ++t) put_by.push_back(workers[t]->sums);
#pragma omp parallel for schedule(dynamic, 1) num_threads(static_cast <int>(threads))
        for (std::int64_t first = static_cast<std::int64_t>(evaluated); first < last; first += batch) {
            JobsWorker& worker = *workers[static_cast<std::size_t>(kernels::this_thread())];
            std::int64_t const end = std::min(first + batch, last);
            failed.hold([&] {
                kernels::StopWish::Scope const shared(wish);
                for (std::int64_t m = first; m < end; ++m)
                    worker.evaluate(plan.study.sample.first_mapping + static_cast<std::uint64_t>(m),
                                    &times[static_cast<std::size_t>(m) * jobs.size()]);
            });
            done += static_cast<std::uint64_t>(end - first);
            if (kernels::this_thread() == 0 && options.progress) options.progress(done);
        }
        try {
            failed.rethrow();
        } catch (kernels::Stopped const&) {
            if (!of_run) throw;  // somebody else's wish
            for (unsigned t = 0; t < threads; ++t) workers[t]->sums = std::move(put_by[t]);
            break;
        }
        evaluated = static_cast<std::uint64_t>(last);
        if (std::chrono::steady_clock::now() - began < std::chrono::milliseconds(50)) round *= 2;
    }
    for (std::size_t t = 1; t < workers.size(); ++t) workers[0]->sums.add(workers[t]->sums);
    times.resize(evaluated * jobs.size());
    JobsResult result =
        evaluated > 0 ? conclude(plan, jobs, times, workers[0]->sums, parts, options.every_link) : JobsResult();
    result.interrupted = evaluated < mappings;
    result.threads = threads;
    result.evaluate_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    return result;
}

}  // namespace tailback::evaluation
