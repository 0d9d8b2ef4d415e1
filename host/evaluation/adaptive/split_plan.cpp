#include "host/evaluation/adaptive/split_plan.hpp"

#include "host/base/memory.hpp"
#include "host/study/plan/shared_rates.hpp"
#include "kernels/cpu/machine/threads.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace tailback::evaluation {
namespace {

/// Loads stay below 2^63 with 2^27 flows of weight 1 on a link.
constexpr std::uint64_t largest_unit = std::uint64_t{1} << 36;
/// Where no unit below that divides as often as flows are divided.
constexpr std::uint64_t rounded_unit = std::uint64_t{1} << 32;

}  // namespace

SplitPlan::SplitPlan(model::ChoiceGraph const& graph, std::span<model::Host const> senders, unsigned threads)
    : graph_(graph) {
    base::require_memory("the choices of all switches", std::uint64_t{graph.classes().size()} * graph.rows() * 9,
                         "choose a smaller network");
    for (std::uint32_t group = 0; group < graph.groups(); ++group) {
        first_target_.push_back(static_cast<std::uint32_t>(targets_.size()));
        for (model::ChoiceGraph::Option const& option : graph.options(group))
            targets_.push_back(option.target < kernels::arrival_bit ? option.target : sink());
    }
    first_target_.push_back(static_cast<std::uint32_t>(targets_.size()));
    number_targets();
    walk_classes(senders, threads);
    find_unit();
    bound_error();
}

void SplitPlan::number_targets() {
    std::map<std::vector<std::uint32_t>, std::uint32_t> seen;
    for (std::uint32_t group = 0; group < graph_.groups(); ++group) {
        std::vector<std::uint32_t> rows(targets(group).begin(), targets(group).end());
        std::sort(rows.begin(), rows.end());
        rows_after_.push_back(seen.emplace(std::move(rows), static_cast<std::uint32_t>(seen.size())).first->second);
    }
}

void SplitPlan::walk_classes(std::span<model::Host const> senders, unsigned threads) {
    std::vector<std::uint32_t> starts;
    for (model::Host const host : senders)
        if (std::uint32_t const row = graph_.forwarding().entry_of(host).row; row != kernels::no_row)
            starts.push_back(row);
    std::sort(starts.begin(), starts.end());
    starts.erase(std::unique(starts.begin(), starts.end()), starts.end());
    std::size_t const count = graph_.classes().size();
    fates_.assign(count * graph_.rows(), 0);
    std::vector<std::vector<Step>> steps(count);
    kernels::NextOf next(count);
    kernels::in_threads(kernels::threads_to_use(threads), [&] {
        model::ChoiceWalk walk(graph_);
        std::vector<std::uint32_t> height(graph_.rows() + std::size_t{1});  // the most rows up to the sink, whose is 0
        for (std::size_t c; next.take(c);) {
            walk.grow(graph_.classes()[c], starts);
            std::span const column = graph_.column(graph_.classes()[c]);
            for (std::uint32_t const row : walk.order()) {
                fates_[c * graph_.rows() + row] = walk.fates(row);
                if (walk.always_delivered(row)) steps[c].push_back({row, column[row]});
            }
            for (std::size_t i = steps[c].size(); i-- > 0;) {
                auto const [row, group] = steps[c][i];
                height[row] = 1;
                if (model::ChoiceGraph::is_mark(group)) continue;
                for (std::uint32_t const to : targets(group)) height[row] = std::max(height[row], height[to] + 1);
            }
            // The height follows from the rows after: those that share them come to stand together.
            std::stable_sort(steps[c].begin(), steps[c].end(), [&](Step const& a, Step const& b) {
                return std::pair(height[b.row], rows_after(a.group)) < std::pair(height[a.row], rows_after(b.group));
            });
        }
    });
    first_step_.assign(1, 0);
    for (std::vector<Step> const& of : steps) first_step_.push_back(first_step_.back() + of.size());
    steps_.reserve(first_step_.back());
    for (std::vector<Step> const& of : steps) steps_.insert(steps_.end(), of.begin(), of.end());
}

/// The least number that all divisions leave whole, or a round one where that is too large.
void SplitPlan::find_unit() {
    std::vector<std::uint64_t> parts(graph_.rows() + std::size_t{1});  // a flow arrives in multiples of unit / parts
    for (std::uint32_t c = 0; c < graph_.classes().size(); ++c) {
        std::fill(parts.begin(), parts.end(), 1);
        for (Step const& step : steps(c)) {
            if (model::ChoiceGraph::is_mark(step.group)) continue;
            std::uint64_t const size = graph_.options(step.group).size();
            std::uint64_t const part = parts[step.row] * size;
            for (std::uint64_t i = 0; i < size; ++i) {
                std::uint64_t& there = parts[targets(step.group)[i]];
                there = std::lcm(there, part);
                if (there > largest_unit) {
                    unit_ = study::unit_of_fractions(rounded_unit);
                    return;
                }
            }
            parts[sink()] = 1;
            unit_ = std::lcm(unit_, part);
            if (unit_ > largest_unit) {
                unit_ = study::unit_of_fractions(rounded_unit);
                return;
            }
        }
    }
}

/// A division that leaves a remainder puts one unit too much or less on a port; what was off before is divided with the
/// rest. Parts that arrive exactly are counted as if they were off: a bound for any flows.
void SplitPlan::bound_error() {
    std::vector<double> off(graph_.rows() + std::size_t{1});
    std::vector<std::uint64_t> parts(off.size());
    std::vector<double> link(graph_.forwarding().fabric().network.links().size());
    bool exact = true;
    for (std::uint32_t c = 0; c < graph_.classes().size(); ++c) {
        std::fill(off.begin(), off.end(), 0);
        std::fill(parts.begin(), parts.end(), 1);
        for (Step const& step : steps(c)) {
            if (model::ChoiceGraph::is_mark(step.group)) continue;
            std::uint64_t const size = graph_.options(step.group).size(), before = parts[step.row];
            bool const whole = before != 0 && unit_ % (before * size) == 0;
            exact = exact && whole;
            double const out = off[step.row] / double(size) + (whole ? 0 : 1);
            for (std::uint64_t i = 0; i < size; ++i) {
                std::uint32_t const to = targets(step.group)[i];
                off[to] += out;
                if (parts[to] != 0) parts[to] = whole ? std::lcm(parts[to], before * size) : 0;
                if (parts[to] > largest_unit) parts[to] = 0;  // no longer known to be whole
                link[graph_.options(step.group)[i].link.value] += out;
            }
            parts[sink()] = 1;
        }
    }
    if (!exact) error_ = *std::max_element(link.begin(), link.end()) / double(unit_);
}

}  // namespace tailback::evaluation
