#include "host/evaluation/evaluation.hpp"

#include "host/evaluation/findings.hpp"
#include "host/evaluation/on_demand_executor.hpp"
#include "host/simulation/executor.hpp"
#include "host/study/plan/weighted_flows.hpp"
#include "kernels/cpu/stop.hpp"
#include "kernels/cpu/threads.hpp"
#include "kernels/device_error.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <type_traits>

namespace tailback::evaluation {
namespace {

using Clock = std::chrono::steady_clock;

/// How many mappings to evaluate at once: as the user said, or doubled until a batch takes a twentieth of a second, so
/// up to a tenth, because between batches it is seen that somebody wants to stop. Small mappings go beyond what keeps
/// everything busy: threads that meet after every tenth of a millisecond wait for each other most of the time on a
/// machine that others use too.
class Pace {
public:
    Pace(std::uint64_t wanted, std::uint64_t good)
        : batch_(wanted > 0 ? wanted : std::max<std::uint64_t>(1, good / 256)),
          most_(wanted > 0 ? wanted : std::max<std::uint64_t>(good, 1 << 20)) {}
    std::uint64_t batch() const { return batch_; }
    void start() { started_ = Clock::now(); }
    void stop() {
        if (Clock::now() - started_ < std::chrono::milliseconds(50)) batch_ = std::min(2 * batch_, most_);
    }

private:
    std::uint64_t batch_, most_;
    Clock::time_point started_;
};

std::unique_ptr<kernels::Executor> make_on_demand_executor(study::StudyPlan const& plan,
                                                           ExecutionOptions const& options) {
    if (options.device == DeviceChoice::cuda)
        throw base::InputError({}, "a CUDA device cannot use routes that are computed on demand", "",
                               "use --device cpu, or --routes tables");
    // Several processes agree on stopping between batches.
    return make_tree_executor(plan, options.threads, options.processes == nullptr ? options.stop : nullptr);
}

/// What every thread keeps of the flows that share links: of a level, or of the whole graph. Bytes a flow as measured.
void require_memory_of_sharing(study::StudyPlan const& plan, unsigned threads) {
    if (!plan.problem.measures.sharing.wanted) return;
    bool const simulated = plan.study.measures.timing.is_simulated();
    std::uint64_t const flows = simulated ? plan.flows_per_mapping : plan.problem.traffic.max_kept;
    double const each = (simulated ? 300 : 130) + 8 * plan.mean_links;
    base::require_memory("the rates of " + base::counted(flows, "flow", "flows") + " at once",
                         static_cast<std::uint64_t>(double(flows) * each * threads),
                         "use fewer --threads, or fewer ranks");
}

std::unique_ptr<kernels::Executor> choose_executor(study::StudyPlan const& plan, ExecutionOptions const& options) {
    check_device(options.device);
    if (study::makes_routes_on_demand(plan)) return make_on_demand_executor(plan, options);
    // A thread holds counters for the whole network: none that would stay without work.
    auto const threads = static_cast<unsigned>(
        std::min<std::uint64_t>(kernels::threads_to_use(options.threads), plan.study.sample.mappings));
    if (options.device != DeviceChoice::cuda) require_memory_of_sharing(plan, threads);
    if (plan.study.measures.timing.is_simulated()) {
        if (options.device == DeviceChoice::cuda)
            throw base::InputError({}, "a CUDA device cannot simulate dependencies, computing, latency or switching",
                                   "", "use --device cpu");
        return simulation::make_executor(plan, threads);
    }
    if (options.processes != nullptr) choose_device(options.device, *options.processes);
    ChosenDevice chosen = chosen_device(
        options.device, work_of(plan, options.processes != nullptr ? options.processes->count() : 1), threads);
    std::unique_ptr<kernels::Executor> executor;
    try {
        if (!chosen.cuda.empty()) executor = kernels::make_cuda_executor(plan.problem);
    } catch (kernels::DeviceError const& error) {
        if (options.device == DeviceChoice::cuda) throw;
        chosen.note = note_of_failure(error);
    }
    if (executor == nullptr) executor = kernels::make_cpu_executor(plan.problem, threads);
    if (options.tell_device) options.tell_device(executor->device(), chosen.note);
    return executor;
}

std::vector<std::uint64_t> sums_by_link(study::StudyPlan const& plan, std::span<std::uint64_t const> sums) {
    if (plan.link_of_index.empty()) return {sums.begin(), sums.end()};
    std::vector<std::uint64_t> by_link(plan.fabric->network.links().size());
    for (std::size_t slot = 0; slot < sums.size(); ++slot)
        if (model::Link const link = plan.link_of_index[slot]; link.exists()) by_link[link.value] += sums[slot];
    return by_link;
}

/// False for slots that stand for no link.
bool is_link(study::StudyPlan const& plan, std::size_t link) {
    return !plan.link_of_index.empty() || !plan.fabric->ends(model::Link{link}, plan.study_hosts).from.empty();
}

/// The way through a study: batch by batch, from one look at the goal to the next. With several processes each
/// evaluates its share of every round of batches; what rank 0 has found is complete only when it was collected.
class Course {
public:
    Course(study::StudyPlan const& plan, ExecutionOptions const& options)
        : plan_(plan),
          study_(plan.study),
          options_(options),
          wanted_(wanted_numbers(plan)),
          executor_(choose_executor(plan, options)),
          findings_(options.checkpointing.before ? *options.checkpointing.before : Findings(plan)),
          totals_before_(findings_.totals),
          executor_paces_(options.batch == 0 && study::makes_routes_on_demand(plan)),
          pace_(options.batch, executor_->good_batch()),
          next_save_(Clock::now()) {
        if (options.processes == nullptr) return;
        rank_ = options.processes->rank();
        count_ = options.processes->count();
    }
    kernels::Executor const& executor() const { return *executor_; }
    std::uint64_t done() const { return done_; }
    Findings take_findings() { return std::move(findings_); }

    void run(Evaluation& result) {
        done_ = largest(findings_.mappings);
        bool const rows = largest(options_.per_mapping ? 1 : 0) != 0;
        put_off_saving();
        for (;;) {
            if (study_.sample.until && is_check(done_, study_.sample.mappings) && look(result)) break;
            if (done_ == study_.sample.mappings) break;
            std::uint64_t agreed[] = {std::uint64_t{done_ > 0 && options_.stop && options_.stop()},
                                      rank_ == 0 ? batch() : 0, std::uint64_t{save_is_due()}};
            if (shared()) options_.processes->largest(agreed);
            result.interrupted = agreed[0] != 0;
            if (result.interrupted) break;
            if (agreed[2] != 0) save();
            std::uint64_t const stage =
                study_.sample.until ? next_check(done_, study_.sample.mappings) : study_.sample.mappings;
            std::uint64_t const most = agreed[1] < UINT64_MAX / count_ ? agreed[1] * count_ : UINT64_MAX;
            std::uint64_t const mappings = std::min(most, stage - done_);
            try {
                std::optional<kernels::StopWish::Scope> in_batch;
                if (may_end_within(mappings)) {
                    put_by();
                    in_batch.emplace(*options_.wish);
                }
                evaluate_round(mappings, rows);
            } catch (StoppedInBatch const&) {
                result.interrupted = true;
                break;
            } catch (kernels::Stopped const&) {
                if (!totals_put_by_) throw;  // somebody else's wish
                result.interrupted = true;
                break;
            }
            totals_put_by_.reset();
            if (options_.progress && rank_ == 0) options_.progress(done_);
        }
        if (result.interrupted && done_ == 0) return;
        collect();
        if (result.interrupted && study_.sample.until) judge_here(result);
        bool const goal_missed = study_.sample.until && !result.until->reached;
        if (options_.checkpointing.save && rank_ == 0 && (result.interrupted || goal_missed))
            options_.checkpointing.save(findings_);
    }

private:
    bool shared() const { return count_ > 1; }
    /// Nothing could be reported before the first batch is over. Of the others those whose every thread has one mapping
    /// may take long; in shorter ones the end is near.
    bool may_end_within(std::uint64_t mappings) const {
        if (options_.wish == nullptr || shared()) return false;
        return done_ == 0 || mappings <= executor_->threads();
    }
    /// What is found up to here stays as it is when the next batch ends in its middle.
    void put_by() {
        take_reduction();
        totals_put_by_ = executor_->totals();
    }
    std::uint64_t batch() const { return executor_paces_ ? executor_->good_batch() : pace_.batch(); }
    std::uint64_t largest(std::uint64_t word) const { return shared() ? options_.processes->largest(word) : word; }

    void evaluate_round(std::uint64_t mappings, bool rows) {
        constexpr std::uint64_t many = 1 << 22;  // values that threads may hold for themselves: 100 MB
        // Shares differ by one at most, in order of ranks.
        std::uint64_t const each = mappings / count_, more = mappings % count_;
        std::uint64_t const first =
            study_.sample.first_mapping + done_ + each * rank_ + std::min<std::uint64_t>(rank_, more);
        std::uint64_t const count = each + (rank_ < more);
        pace_.start();
        if (rows) evaluate_rows(first, count);
        else if (count > 0) executor_->evaluate_and_reduce(first, count, wanted_);
        pace_.stop();
        if (rows) hand_over_rows();
        done_ += mappings;
        not_taken_ += count;
        if (not_taken_ >= many) take_reduction();
    }
    void evaluate_rows(std::uint64_t first, std::uint64_t count) {
        tallies_.resize(std::size_t(count));
        if (count > 0) executor_->evaluate(first, tallies_);
        kernels::Reduction sum;
        for (std::size_t i = 0; i < tallies_.size(); ++i) sum.add(wanted_, first + i, tallies_[i]);
        findings_.add(sum);
    }
    void take_reduction() {
        if (not_taken_ > 0) findings_.add(executor_->take_reduction());
        not_taken_ = 0;
    }

    /// per_mapping is called in the order of mappings, whoever evaluated them.
    void hand_over_rows() {
        std::uint64_t m = study_.sample.first_mapping + done_;
        if (!shared()) {
            for (kernels::MappingTally const& tally : tallies_) options_.per_mapping(m++, tally);
            return;
        }
        constexpr std::size_t each = sizeof(kernels::MappingTally) / sizeof(std::uint64_t);
        std::vector<std::uint64_t> words(tallies_.size() * each);
        if (!tallies_.empty()) std::memcpy(words.data(), tallies_.data(), words.size() * sizeof(std::uint64_t));
        for (std::vector<std::uint64_t> const& of_rank : options_.processes->gather(words))
            for (std::size_t at = 0; at < of_rank.size(); at += each) {
                static_assert(std::is_trivially_copyable_v<kernels::MappingTally>);
                kernels::MappingTally tally;
                std::memcpy(static_cast<void*>(&tally), &of_rank[at], sizeof tally);
                options_.per_mapping(m++, tally);
            }
    }

    /// Brings everything that was found so far to rank 0.
    void collect() {
        take_reduction();
        kernels::Totals totals = totals_put_by_ ? *totals_put_by_ : executor_->totals();
        if (shared()) {
            std::vector<std::uint64_t> mine;
            if (rank_ != 0) mine = findings_.words(false);
            auto const all = options_.processes->gather(mine);
            if (rank_ != 0) findings_ = Findings(plan_);
            for (std::size_t r = 1; r < all.size(); ++r) {
                Findings part(plan_);
                if (std::string const wrong = part.assign(plan_, all[r], false); !wrong.empty())
                    throw std::runtime_error("what process " + std::to_string(r) + " found cannot be: " + wrong);
                findings_.merge(part);
            }
            for (std::vector<std::uint64_t>* const part : totals.parts()) options_.processes->sum(*part);
        }
        if (rank_ != 0) return;
        findings_.totals = totals_before_;
        findings_.add_totals(totals);
    }

    void judge_here(Evaluation& result) const {
        study::Metric const metric = study_.sample.until->metric;
        if (rank_ == 0)
            result.until = judge(*study_.sample.until, findings_.of(metric), possible_values(plan_, metric));
        else result.until.emplace();
    }

    /// True when the goal is reached.
    bool look(Evaluation& result) {
        if (shared()) collect();
        else take_reduction();
        judge_here(result);
        result.until->reached = largest(result.until->reached ? 1 : 0) != 0;
        return result.until->reached;
    }

    bool save_is_due() const {
        return rank_ == 0 && options_.checkpointing.save && done_ > 0 && Clock::now() >= next_save_;
    }
    void save() {
        collect();
        if (rank_ == 0) options_.checkpointing.save(findings_);
        put_off_saving();
    }
    void put_off_saving() {
        next_save_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                        std::chrono::duration<double>(options_.checkpointing.every_s));
    }

    study::StudyPlan const& plan_;
    study::Study const& study_;
    ExecutionOptions const& options_;
    kernels::WantedNumbers const wanted_;
    std::unique_ptr<kernels::Executor> executor_;
    Findings findings_;
    kernels::Totals const totals_before_;
    bool const executor_paces_;  ///< its batches cost a pass over the network each
    Pace pace_;
    Clock::time_point next_save_;
    std::vector<kernels::MappingTally> tallies_;
    std::optional<kernels::Totals> totals_put_by_;  ///< while a batch runs that may end in its middle
    std::uint64_t done_ = 0, not_taken_ = 0;        ///< of `not_taken_` mappings the executor holds what they came to
    unsigned rank_ = 0, count_ = 1;
};

/// Of flows with weights: bins, and the mean bandwidth from the sum of shares.
FlowsSorted binned_flows(study::StudyPlan const& plan, Findings const& findings, FlowsSorted sorted) {
    std::vector<std::uint64_t> const& counts = findings.totals.histogram;
    double const one = plan.congestion_unit() / double(plan.denominator);
    for (std::uint32_t bin = 0; bin < counts.size(); ++bin) {
        if (counts[bin] == 0) continue;
        sorted.counts.emplace_back(double(kernels::first_of_weighted_bin(bin)) * one, counts[bin]);
        sorted.ends.push_back(double(kernels::first_of_weighted_bin(bin + 1)) * one);
    }
    double shares = 0;
    for (std::size_t part = findings.totals.share_parts.size(); part-- > 0;)
        shares = shares * (1u << kernels::share_part_bits) + double(findings.totals.share_parts[part]);
    if (findings.delivered > 0) sorted.mean_of_inverse = shares / double(plan.share_unit) / double(findings.delivered);
    return sorted;
}

/// Of rates and times: bins.
FlowsSorted binned_numbers(study::StudyPlan const& plan, Findings const& findings, study::FlowHistogram const& info,
                           FlowsSorted sorted) {
    std::vector<std::uint64_t> const& counts = findings.totals.*info.counts;
    double const scale = info.scale(plan), unit = info.of_time ? plan.congestion_unit() : 1;
    auto const low = [&](std::uint32_t bin) {
        return info.of_rate ? (double(bin) - 1) / scale : double(kernels::first_of_weighted_bin(bin)) * unit / scale;
    };
    for (std::uint32_t bin = 0; bin < counts.size(); ++bin) {
        if (counts[bin] == 0) continue;
        sorted.counts.emplace_back(low(bin), counts[bin]);
        sorted.ends.push_back(low(bin + 1));
    }
    return sorted;
}

FlowsSorted sorted_flows(study::StudyPlan const& plan, Findings const& findings, study::FlowHistogram const& info) {
    FlowsSorted sorted;
    sorted.mean_of_inverse = std::numeric_limits<double>::quiet_NaN();
    if (info.of_rate || info.of_time) return binned_numbers(plan, findings, info, std::move(sorted));
    if (info.of_congestion && plan.problem.traffic.weights != nullptr)
        return binned_flows(plan, findings, std::move(sorted));
    std::vector<std::uint64_t> const& counts = findings.totals.*info.counts;
    double const scale = info.scale(plan), unit = info.of_congestion ? plan.congestion_unit() : 1;
    double inverses = 0;
    std::uint64_t flows = 0;
    for (std::size_t c = 0; c < counts.size(); ++c) {
        if (counts[c] == 0) continue;
        sorted.counts.emplace_back(double(c) * unit / scale, counts[c]);
        inverses += double(counts[c]) * (scale / double(c));
        flows += counts[c];
    }
    if (flows > 0) sorted.mean_of_inverse = inverses / double(flows);
    return sorted;
}

/// Of a mean over delivered flows: over all, those not delivered as 0.
double mean_of_all(double of_delivered, Findings const& findings) {
    std::uint64_t const failed = findings.unreachable + findings.loop + findings.misdelivered;
    if (failed == 0) return of_delivered;
    return findings.delivered == 0 ? 0
                                   : of_delivered * double(findings.delivered) / double(findings.delivered + failed);
}

void conclude_links(study::StudyPlan const& plan, kernels::Totals const& totals, bool are_loads, Evaluation& result) {
    std::span<std::uint64_t const> const sums = totals.link_sums;
    std::vector<std::uint64_t> by_link = sums_by_link(plan, sums.first(plan.problem.routes.slots));
    std::vector<std::uint64_t> const flows =
        plan.problem.measures.wants_link_flows ? sums_by_link(plan, sums.last(plan.problem.routes.slots)) : by_link;
    if (are_loads)
        for (std::uint64_t& sum : by_link) sum *= plan.common_weight;
    for (std::uint64_t const sum : by_link) result.largest_link_sum = std::max(result.largest_link_sum, sum);
    for (std::size_t l = 0; l < by_link.size(); ++l)
        if (is_link(plan, l))
            result.links.push_back(
                {model::Link{l}, by_link[l],
                 result.largest_link_sum == 0 ? 0 : double(by_link[l]) / double(result.largest_link_sum), flows[l]});
}

/// Turns the integers into metrics.
void conclude(study::StudyPlan const& plan, Findings findings, unsigned threads, Evaluation& result) {
    result.mappings = findings.mappings;
    result.delivered = findings.delivered;
    result.unreachable = findings.unreachable;
    result.loop = findings.loop;
    result.misdelivered = findings.misdelivered;
    result.local = findings.local;
    std::uint64_t const flows = findings.delivered + findings.unreachable + findings.loop + findings.misdelivered;
    std::uint64_t const all = findings.mappings * plan.flows_per_mapping;
    if (flows + findings.local > all) throw std::logic_error("more flows were met than there are");
    result.within_nodes = all - flows - findings.local;
    if (result.within_nodes > 0 && plan.problem.placement.nodes.node == nullptr)
        throw std::logic_error("fewer flows were met than there are");
    if (plan.has_bytes()) result.bytes_within_nodes = findings.within_nodes * plan.common_weight;
    result.hops = static_cast<std::uint64_t>(std::llround(double(result.delivered) * plan.mean_links));
    for (Findings::Number& number : findings.numbers)
        if (number.is_wanted)
            (number.over_all ? result.numbers_of_all : result.numbers).emplace(number.metric, std::move(number.values));
    for (study::MetricInfo const& info : study::all_metrics()) {
        if (!plan.study.wants(info.metric)) continue;
        if (info.flows) {
            FlowsSorted& sorted = result.flows[info.metric];
            sorted = sorted_flows(plan, findings, *info.flows);
            sorted.mean_of_inverse_of_all = mean_of_all(sorted.mean_of_inverse, findings);
        }
        if (info.sums_links) conclude_links(plan, findings.totals, info.sums_are_loads, result);
        if (info.sums_links && info.sums_are_loads)
            result.in_mappings = loads_in_mappings(plan, result.mappings, result.links, threads);
    }
}

}  // namespace

double number_of(study::StudyPlan const& plan, study::Metric metric, kernels::MappingTally const& tally) {
    study::NumberScale const scale = study::info_of(metric).number->scale(plan);
    if (!kernels::is_defined(scale.integer, tally)) return std::numeric_limits<double>::quiet_NaN();
    return double(kernels::value_of(scale.integer, tally)) * scale.unit / scale.scale;
}

Evaluation evaluate(study::StudyPlan const& plan, ExecutionOptions const& options) {
    if (plan.problem.placement.nodes.node != nullptr)
        study::check_sum_within_nodes(plan.bytes, plan.study.sample.mappings);
    if (plan.has_bytes() && plan.study.wants(study::Metric::get_cable_cong)) {
        bool const draws =
            plan.problem.traffic.drawn_ranks[0] + plan.problem.traffic.drawn_ranks[1] > 0;  // flows of one byte more
        study::check_link_sums(plan.bytes + (draws ? plan.flows_per_mapping : 0), plan.study.sample.mappings);
    }
    auto const started = Clock::now();
    Evaluation result;
    Course course(plan, options);
    result.device = course.executor().device();
    result.threads = course.executor().threads();
    course.run(result);
    if (!result.interrupted || course.done() > 0) conclude(plan, course.take_findings(), options.threads, result);
    result.evaluate_s = std::chrono::duration<double>(Clock::now() - started).count();
    return result;
}

}  // namespace tailback::evaluation
