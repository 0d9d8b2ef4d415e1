#include "host/evaluation/course.hpp"

#include "host/base/memory.hpp"
#include "host/base/numbers.hpp"
#include "host/evaluation/on_demand_executor.hpp"
#include "host/evaluation/rows/rows_pay.hpp"
#include "host/simulation/executor.hpp"
#include "kernels/cpu/machine/stop.hpp"
#include "kernels/cpu/machine/threads.hpp"
#include "kernels/device_error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <type_traits>

namespace tailback::evaluation {
namespace {

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

/// A device needs the routes of all pairs: nobody gets them made unasked where flows are fewer.
bool walks_flows_here(Column const& column, DeviceChoice choice) {
    return column.plan->routes_from == study::RoutesFrom::finder && choice == DeviceChoice::automatic &&
           !rows_pay(*column.plan);
}

std::unique_ptr<kernels::Executor> choose_executor(Column const& column, ExecutionOptions const& options) {
    study::StudyPlan const& plan = *column.plan;
    check_device(options.device);
    if (study::makes_routes_on_demand(plan)) return make_on_demand_executor(plan, options);
    // A thread holds counters for the whole network: none that would stay without work.
    auto const threads = static_cast<unsigned>(
        std::min<std::uint64_t>(kernels::threads_to_use(options.threads), plan.study.sample.mappings));
    if (column.make_executor && !column.make_cuda_executor) return column.make_executor(threads);
    if (!column.make_executor && options.device != DeviceChoice::cuda) require_memory_of_sharing(plan, threads);
    if (!column.make_executor && plan.study.measures.timing.is_simulated()) {
        if (options.device == DeviceChoice::cuda)
            throw base::InputError({}, "a CUDA device cannot simulate dependencies, computing, latency or switching",
                                   "", "use --device cpu");
        return simulation::make_executor(plan, threads);
    }
    if (options.processes != nullptr) choose_device(options.device, *options.processes);
    if (walks_flows_here(column, options.device)) return column.make_executor(threads);
    ChosenDevice chosen = chosen_device(
        options.device, work_of(plan, options.processes != nullptr ? options.processes->count() : 1), threads);
    std::unique_ptr<kernels::Executor> executor;
    try {
        if (!chosen.cuda.empty())
            executor =
                column.make_cuda_executor ? column.make_cuda_executor() : kernels::make_cuda_executor(plan.problem);
    } catch (kernels::DeviceError const& error) {
        if (options.device == DeviceChoice::cuda) throw;
        chosen.note = note_of_failure(error);
    }
    if (executor == nullptr)
        executor =
            column.make_executor ? column.make_executor(threads) : kernels::make_cpu_executor(plan.problem, threads);
    if (options.tell_device) options.tell_device(executor->device(), chosen.note);
    return executor;
}

/// Who asks for a GPU is told which columns no GPU has a kernel for.
void tell_of_cpu_alone(std::span<Column const> columns, ExecutionOptions const& options) {
    if (options.device != DeviceChoice::cuda || !options.tell_device) return;
    std::vector<std::string> names;
    for (Column const& column : columns)
        if (column.make_executor && !column.make_cuda_executor && column.is_told()) names.push_back(column.name);
    if (!names.empty())
        options.tell_device("cpu",
                            fmt::format("no GPU has a kernel for {} {}, which the CPU evaluates",
                                        names.size() == 1 ? "the column" : "the columns", fmt::join(names, ", ")));
}

/// As much as all executors like at once.
template <class Parts>
std::uint64_t good_batch_of(Parts const& parts) {
    std::uint64_t good = UINT64_MAX;
    for (auto const& part : parts) good = std::min(good, part.executor->good_batch());
    return good;
}

std::vector<RunSums> begin_sums(std::span<Column const> columns, std::vector<RunSums> const& before) {
    if (!before.empty()) return before;
    std::vector<RunSums> sums;
    for (Column const& column : columns) sums.emplace_back(*column.plan);
    return sums;
}

}  // namespace

Course::Part::Part(Column const& column, ExecutionOptions const& options, kernels::Totals before_now)
    : plan(*column.plan),
      wanted(wanted_numbers(plan)),
      executor(choose_executor(column, options)),
      totals_before(std::move(before_now)) {}

void Course::Part::clip(std::uint64_t& first, std::uint64_t& count) const {
    study::Sample const& sample = plan.study.sample;
    std::uint64_t const begin = sample.first_mapping / plan.repeats, all = sample.mappings / plan.repeats;
    std::uint64_t const before = std::min(first - begin, all);
    count = std::min(count, all - before) * plan.repeats;
    first *= plan.repeats;
}

Course::Course(std::span<Column const> columns, ExecutionOptions const& options)
    : options_(options),
      sums_(begin_sums(columns, options.checkpointing.before)),
      parts_([&] {
          std::vector<Part> parts;
          parts.reserve(columns.size());
          for (std::size_t c = 0; c < columns.size(); ++c) parts.emplace_back(columns[c], options, sums_[c].totals);
          return parts;
      }()),
      executor_paces_(options.batch == 0 && study::makes_routes_on_demand(parts_.front().plan)),
      pace_(options.batch, good_batch_of(parts_)),
      next_save_(Clock::now()) {
    tell_of_cpu_alone(columns, options);
    if (options.processes == nullptr) return;
    rank_ = options.processes->rank();
    count_ = options.processes->count();
}

/// Where each mapping is told: so few at a time that their tallies take little memory, though a GPU would like
/// millions.
std::uint64_t Course::most_rows() const {
    constexpr std::uint64_t tallies = 1 << 18;  // 144 bytes each
    std::uint64_t of_a_mapping = 0;
    for (Part const& part : parts_) of_a_mapping += part.plan.repeats;
    return std::max<std::uint64_t>(1, tallies / of_a_mapping);
}

void Course::run(std::span<Evaluation> results) {
    done_ = largest(sums_.front().mappings);
    bool const rows = largest(options_.per_mapping ? 1 : 0) != 0;
    bool interrupted = false, reached = false;
    put_off_saving();
    for (;;) {
        if (sample().until && is_check(done_, sample().mappings) && (reached = look(results))) break;
        if (done_ == sample().mappings) break;
        std::uint64_t agreed[] = {std::uint64_t{done_ > 0 && options_.stop && options_.stop()},
                                  rank_ == 0 ? std::min(batch(), rows ? most_rows() : UINT64_MAX) : 0,
                                  std::uint64_t{save_is_due()}};
        if (shared()) options_.processes->largest(agreed);
        interrupted = agreed[0] != 0;
        if (interrupted) break;
        if (agreed[2] != 0) save();
        std::uint64_t const stage = sample().until ? next_check(done_, sample().mappings) : sample().mappings;
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
            interrupted = true;
            break;
        } catch (kernels::Stopped const&) {
            if (!parts_.front().totals_put_by) throw;  // somebody else's wish
            interrupted = true;
            break;
        }
        for (Part& part : parts_) part.totals_put_by.reset();
        if (options_.progress && rank_ == 0) options_.progress(done_);
    }
    for (Evaluation& result : results) result.interrupted = interrupted;
    if (interrupted && done_ == 0) return;
    collect();
    if (interrupted && sample().until) judge_here(results);
    bool const goal_missed = sample().until && !reached;
    if (options_.checkpointing.save && rank_ == 0 && (interrupted || goal_missed)) options_.checkpointing.save(sums_);
}

/// Nothing could be reported before the first batch is over. Of the others those whose every thread has one mapping may
/// take long; in shorter ones the end is near.
bool Course::may_end_within(std::uint64_t mappings) const {
    if (options_.wish == nullptr || shared()) return false;
    return done_ == 0 || mappings <= parts_.front().executor->threads();
}

/// What is found up to here stays as it is when the next batch ends in its middle.
void Course::put_by() {
    for (std::size_t c = 0; c < parts_.size(); ++c) {
        take_reduction(c);
        parts_[c].totals_put_by = parts_[c].executor->totals();
    }
}

void Course::evaluate_round(std::uint64_t mappings, bool rows) {
    // Shares differ by one at most, in order of ranks.
    std::uint64_t const each = mappings / count_, more = mappings % count_;
    std::uint64_t const first = sample().first_mapping + done_ + each * rank_ + std::min<std::uint64_t>(rank_, more);
    std::uint64_t const count = each + (rank_ < more);
    pace_.start();
    for (Part& part : parts_) {
        std::uint64_t mine = first, of_mine = count;
        part.clip(mine, of_mine);
        if (rows) part.tallies.resize(std::size_t(of_mine));
        if (of_mine == 0) continue;
        if (rows) part.executor->evaluate(mine, part.tallies);
        else part.executor->evaluate_and_reduce(mine, of_mine, part.wanted);
    }
    pace_.stop();
    if (rows) add_rows(first);
    if (rows) hand_over_rows(first, count);
    done_ += mappings;
    for (std::size_t c = 0; c < parts_.size(); ++c)
        if ((parts_[c].not_taken += count * parts_[c].plan.repeats) >= parts_[c].executor->most_reduced())
            take_reduction(c);
}

/// When all columns have theirs: nothing is added of a batch that ends in its middle.
void Course::add_rows(std::uint64_t first) {
    for (std::size_t c = 0; c < parts_.size(); ++c) {
        Part& part = parts_[c];
        kernels::Reduction sum;
        for (std::size_t i = 0; i < part.tallies.size(); ++i)
            sum.add(part.wanted, first * part.plan.repeats + i, part.tallies[i]);
        sums_[c].add(std::move(sum));
    }
}

void Course::take_reduction(std::size_t column) {
    Part& part = parts_[column];
    if (part.not_taken > 0) sums_[column].add(part.executor->take_reduction());
    part.not_taken = 0;
}

/// per_mapping is called in the order of mappings, whoever evaluated them.
void Course::hand_over_rows(std::uint64_t first, std::uint64_t count) {
    auto const rows_at = [&](std::uint64_t m) {  // how many tallies a mapping has
        std::size_t rows = 0;
        for (Part const& part : parts_) {
            std::uint64_t at = m, one = 1;
            part.clip(at, one);
            rows += std::size_t(one);
        }
        return rows;
    };
    std::vector<kernels::MappingTally> mine;
    for (std::uint64_t i = 0; i < count; ++i)
        for (Part const& part : parts_)
            for (std::uint64_t k = i * part.plan.repeats;
                 k < std::min<std::uint64_t>((i + 1) * part.plan.repeats, part.tallies.size()); ++k)
                mine.push_back(part.tallies[std::size_t(k)]);
    auto const hand_over = [&](std::uint64_t& m, std::span<kernels::MappingTally const> tallies) {
        for (; !tallies.empty(); ++m) {
            std::size_t const rows = rows_at(m);
            options_.per_mapping(m, tallies.first(rows));
            tallies = tallies.subspan(rows);
        }
    };
    if (!shared()) return hand_over(first, mine);
    constexpr std::size_t each = sizeof(kernels::MappingTally) / sizeof(std::uint64_t);
    static_assert(std::is_trivially_copyable_v<kernels::MappingTally>);
    std::vector<std::uint64_t> words(mine.size() * each);
    if (!mine.empty()) std::memcpy(words.data(), mine.data(), words.size() * sizeof(std::uint64_t));
    std::uint64_t m = sample().first_mapping + done_;
    for (std::vector<std::uint64_t> const& of_rank : options_.processes->gather(words)) {
        std::vector<kernels::MappingTally> tallies(of_rank.size() / each);
        if (!tallies.empty())
            std::memcpy(static_cast<void*>(tallies.data()), of_rank.data(), of_rank.size() * sizeof(std::uint64_t));
        hand_over(m, tallies);
    }
}

/// Brings everything that was found so far to rank 0.
void Course::collect() {
    for (std::size_t c = 0; c < parts_.size(); ++c) collect(c);
}

void Course::collect(std::size_t column) {
    Part& part = parts_[column];
    RunSums& sums = sums_[column];
    take_reduction(column);
    kernels::Totals totals = part.totals_put_by ? *part.totals_put_by : part.executor->totals();
    if (shared()) {
        std::vector<std::uint64_t> mine;
        if (rank_ != 0) mine = sums.words(false);
        auto const all = options_.processes->gather(mine);
        if (rank_ != 0) sums = RunSums(part.plan);
        for (std::size_t r = 1; r < all.size(); ++r) {
            RunSums other(part.plan);
            if (std::string const wrong = other.assign(part.plan, all[r], false); !wrong.empty())
                throw std::runtime_error("what process " + std::to_string(r) + " found cannot be: " + wrong);
            sums.merge(other);
        }
        for (std::vector<std::uint64_t>* const part_of_it : totals.parts()) options_.processes->sum(*part_of_it);
    }
    if (rank_ != 0) return;
    sums.totals = part.totals_before;
    sums.add_totals(totals);
}

void Course::judge_here(std::span<Evaluation> results) const {
    study::Goal const& goal = *sample().until;
    for (std::size_t c = 0; c < parts_.size(); ++c) {
        study::StudyPlan const& plan = parts_[c].plan;
        if (!plan.study.sample.until) continue;
        results[c].until.emplace();
        if (rank_ == 0) results[c].until = judge(goal, sums_[c].of(goal.metric), possible_values(plan, goal.metric));
    }
}

/// True when the goal is reached.
bool Course::look(std::span<Evaluation> results) {
    if (shared()) collect();
    else
        for (std::size_t c = 0; c < parts_.size(); ++c) take_reduction(c);
    judge_here(results);
    bool reached = true;
    for (Evaluation& result : results) {
        if (!result.until) continue;
        result.until->reached = largest(result.until->reached ? 1 : 0) != 0;
        reached = reached && result.until->reached;
    }
    return reached;
}

bool Course::save_is_due() const {
    return rank_ == 0 && options_.checkpointing.save && done_ > 0 && Clock::now() >= next_save_;
}

void Course::save() {
    collect();
    if (rank_ == 0) options_.checkpointing.save(sums_);
    put_off_saving();
}

void Course::put_off_saving() {
    next_save_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                    std::chrono::duration<double>(options_.checkpointing.every_s));
}

}  // namespace tailback::evaluation
