#include "host/evaluation/adaptive/study_columns.hpp"

#include "host/base/error.hpp"

#include <fmt/format.h>

#include <limits>

namespace tailback::evaluation {
namespace {

/// The link with the most, and what it carries on average.
void find_hottest(study::StudyPlan const& plan, StudyColumn& column) {
    model::LinkCosts const costs = model::link_costs(plan.fabric->network, plan.study.measures.capacities);
    double const unit = double(plan.denominator) * double(column.result.mappings);
    for (LinkSum const& one : column.result.links) {
        double const cost = costs.cost.empty() ? 1 : costs.cost[one.link.value];
        double const load = double(one.sum) * cost / unit;
        if (load > column.hottest_load) column.hottest_load = load, column.hottest = one.link;
    }
}

}  // namespace

Distribution const* StudyColumn::number(study::Metric metric) const {
    auto const at = result.numbers.find(metric);
    return at == result.numbers.end() ? nullptr : &at->second;
}

double StudyColumn::mean(study::Metric metric) const {
    Distribution const* const values = number(metric);
    return values == nullptr ? std::numeric_limits<double>::quiet_NaN() : values->mean();
}

void StudyColumns::add_plain(std::string const& name) {
    columns_.push_back({.plan = &plan_, .name = name, .identity = name});
}

study::StudyPlan const& StudyColumns::add_plan(std::string const& name, study::FlowDivision const& division) {
    if (plan_.study.sample.until && division.mappings == UINT64_MAX) {
        study::MetricInfo const& info = study::info_of(plan_.study.sample.until->metric);
        if (!division.measures(info))
            throw base::InputError({}, fmt::format("--until does not go with {} here", info.name),
                                   fmt::format("the column {} does not have it", name),
                                   "name hist_acc_band, sum_max_cong or dep_max_delay");
    }
    return plans_.emplace_back(study::divided_plan(plan_, division));
}

std::vector<std::string> StudyColumns::told_names() const {
    std::vector<std::string> told;
    for (Column const& column : columns_) told.push_back(column.is_told() ? column.name : "");
    return told;
}

std::vector<StudyColumn> StudyColumns::conclude(std::vector<Evaluation>&& results) const {
    std::vector<StudyColumn> found;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
        found.push_back({columns_[c].name, std::move(results[c]), {}, 0});
        if (found.back().result.mappings > 0) find_hottest(*columns_[c].plan, found.back());
    }
    return found;
}

}  // namespace tailback::evaluation
