// A study whose flows use their network in several ways, as columns side by side.
#pragma once

#include "host/evaluation/evaluation.hpp"

#include <deque>
#include <string>
#include <type_traits>
#include <vector>

namespace tailback::evaluation {

/// What one column came to.
struct StudyColumn {
    std::string name;
    Evaluation result;
    model::Link hottest;  ///< the link with the largest mean load / capacity; none where loads are not known
    double hottest_load = 0;

    std::uint64_t failed() const { return result.unreachable + result.loop + result.misdelivered; }
    /// Null: it is not measured.
    Distribution const* number(study::Metric metric) const;
    /// NaN where it has no value.
    double mean(study::Metric metric) const;
};

/// Metrics that columns are told by unless others are asked for, in the order of reports.
inline constexpr study::Metric metrics_of_columns[] = {study::Metric::hist_acc_band, study::Metric::sum_max_cong,
                                                       study::Metric::dep_max_delay};

/// Plans and what evaluates them; the study's plan must outlive it.
class StudyColumns {
public:
    explicit StudyColumns(study::StudyPlan const& plan) : plan_(plan) {}
    StudyColumns(StudyColumns const&) = delete;

    /// By the routes of the study's plan.
    void add_plain(std::string const& name);
    /// @param make (plan of the column, threads) -> its executor @param identity see Column
    /// @param make_cuda (plan of the column) -> its executor on a CUDA device
    /// @throws InputError where the goal of the study is of a metric that means nothing there
    template <class Make, class MakeCuda = std::nullptr_t>
    void add(std::string const& name, study::FlowDivision const& division, std::string identity, Make make,
             MakeCuda make_cuda = nullptr) {
        study::StudyPlan const& divided = add_plan(name, division);
        columns_.push_back({&divided, [make, &divided](unsigned threads) { return make(divided, threads); }, nullptr,
                            name, name + " " + std::move(identity)});
        if constexpr (!std::is_same_v<MakeCuda, std::nullptr_t>)
            columns_.back().make_cuda_executor = [make_cuda, &divided] { return make_cuda(divided); };
    }

    std::vector<Column> const& columns() const { return columns_; }
    /// By column; empty: it is there for others.
    std::vector<std::string> told_names() const;
    /// What `columns()` were evaluated to, by column.
    std::vector<StudyColumn> conclude(std::vector<Evaluation>&& results) const;

private:
    study::StudyPlan const& add_plan(std::string const& name, study::FlowDivision const& division);

    study::StudyPlan const& plan_;
    std::deque<study::StudyPlan> plans_;
    std::vector<Column> columns_;
};

}  // namespace tailback::evaluation
