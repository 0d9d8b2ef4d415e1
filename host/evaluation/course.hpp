// The way through the mappings of studies side by side: batch by batch, from one look at the goal to the next.
#pragma once

#include "host/evaluation/evaluation.hpp"

#include <chrono>

namespace tailback::evaluation {

/// With several processes each evaluates its share of every round of batches; what rank 0 has found is complete only
/// when it was collected.
class Course {
public:
    /// Columns and options must outlive it.
    Course(std::span<Column const> columns, ExecutionOptions const& options);
    /// Fills in how it ended. @param results by column
    void run(std::span<Evaluation> results);

    kernels::Executor const& executor(std::size_t column) const { return *parts_[column].executor; }
    std::uint64_t done() const { return done_; }  ///< mappings of the first column
    RunSums take_sums(std::size_t column) { return std::move(sums_[column]); }

private:
    using Clock = std::chrono::steady_clock;

    /// How many mappings to evaluate at once: as the user said, or doubled until a batch takes a twentieth of a second,
    /// so up to a tenth, because between batches it is seen that somebody wants to stop. Small mappings go beyond what
    /// keeps everything busy: threads that meet after every tenth of a millisecond wait for each other most of the time
    /// on a machine that others use too.
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

    /// A column on its way.
    struct Part {
        Part(Column const& column, ExecutionOptions const& options, kernels::Totals before_now);
        /// Of mappings first .. first + count - 1 of the first column those that it has, as its executor counts them.
        void clip(std::uint64_t& first, std::uint64_t& count) const;

        study::StudyPlan const& plan;
        kernels::WantedNumbers const wanted;
        std::unique_ptr<kernels::Executor> executor;
        kernels::Totals const totals_before;
        std::optional<kernels::Totals> totals_put_by;  ///< while a batch runs that may end in its middle
        std::vector<kernels::MappingTally> tallies;    ///< of a batch, where they are asked for
        std::uint64_t not_taken = 0;                   ///< of so many mappings the executor holds what they came to
    };

    study::Sample const& sample() const { return parts_.front().plan.study.sample; }
    bool shared() const { return count_ > 1; }
    std::uint64_t most_rows() const;
    std::uint64_t batch() const { return executor_paces_ ? parts_.front().executor->good_batch() : pace_.batch(); }
    std::uint64_t largest(std::uint64_t word) const { return shared() ? options_.processes->largest(word) : word; }
    bool may_end_within(std::uint64_t mappings) const;
    void put_by();
    void evaluate_round(std::uint64_t mappings, bool rows);
    void add_rows(std::uint64_t first);
    void take_reduction(std::size_t column);
    void hand_over_rows(std::uint64_t first, std::uint64_t count);
    void collect();
    void collect(std::size_t column);
    void judge_here(std::span<Evaluation> results) const;
    bool look(std::span<Evaluation> results);
    bool save_is_due() const;
    void save();
    void put_off_saving();

    ExecutionOptions const& options_;
    std::vector<RunSums> sums_;  ///< by column
    std::vector<Part> parts_;
    bool const executor_paces_;  ///< its batches cost a pass over the network each
    Pace pace_;
    Clock::time_point next_save_;
    std::uint64_t done_ = 0;
    unsigned rank_ = 0, count_ = 1;
};

}  // namespace tailback::evaluation
