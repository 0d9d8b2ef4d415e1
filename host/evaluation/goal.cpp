// Goals: reading them, the schedule on which they are judged, and judging.
#include "host/evaluation/goal.hpp"

#include "host/base/error.hpp"
#include "host/base/numbers.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace tailback::evaluation {
namespace {

char const* const goal_forms = "write ci=0.0005, relative=1% or METRIC:ci=0.0005";

study::Metric goal_metric(std::string const& name, study::Study const& study) {
    if (!name.empty()) {
        study::Metric const metric = study::metric_named(name);
        if (!study::info_of(metric).number)
            throw base::InputError({}, "--until cannot go by " + name, "it is not a mean over mappings",
                                   "name " + study::names_of_numbers());
        if (!study.wants(metric))
            throw base::InputError({}, "--until goes by " + name, "--metric does not ask for it", "add it to --metric");
        return metric;
    }
    if (std::optional<study::Metric> const metric = study.first_number()) return *metric;
    throw base::InputError({}, "--until has no metric", "no requested metric has one number per mapping",
                           "add --metric hist_acc_band");
}

}  // namespace

study::Goal read_goal(std::string const& text, study::Study const& study) {
    study::Goal goal;
    std::size_t const colon = text.find(':');
    std::string const form = colon == std::string::npos ? text : text.substr(colon + 1);
    if (colon == 0)
        throw base::InputError({}, "--until \"" + text + "\" names no metric", "nothing stands before the colon",
                               goal_forms);
    goal.metric = goal_metric(colon == std::string::npos ? "" : text.substr(0, colon), study);
    goal.relative = form.starts_with("relative=");
    if (!goal.relative && !form.starts_with("ci="))
        throw base::InputError({}, "--until \"" + text + "\" is not understood", "it is neither ci=.. nor relative=..",
                               goal_forms);
    std::string number = form.substr(form.find('=') + 1);
    bool const percent = goal.relative && number.ends_with('%');
    if (percent) number.pop_back();
    auto const [end, error] = std::from_chars(number.data(), number.data() + number.size(), goal.value);
    bool const is_positive = end == number.data() + number.size() && !number.starts_with('-') &&
                             (error == std::errc::result_out_of_range || goal.value > 0);
    bool const vanishes = is_positive && (error != std::errc() ? std::strtod(number.c_str(), nullptr) < 1
                                                               : percent && goal.value / 100 == 0);
    if (vanishes)
        throw base::InputError({}, "--until \"" + text + "\" is not a valid goal", "the number is too small",
                               "ask for more");
    if (is_positive && error != std::errc())
        throw base::InputError({}, "--until \"" + text + "\" is not a valid goal", "the number is too large",
                               "ask for less");
    if (percent) goal.value /= 100;
    if (error != std::errc() || end != number.data() + number.size() || !std::isfinite(goal.value) || goal.value <= 0)
        throw base::InputError({}, "--until \"" + text + "\" names no width", "a width is a number above 0",
                               goal_forms);
    if (goal.relative && goal.value >= 1)
        throw base::InputError({}, "--until \"" + text + "\" is not a valid goal", "the interval would reach down to 0",
                               "ask for less than 100%");
    return goal;
}

std::string goal_text(study::Goal const& goal) {
    return (goal.relative ? "relative=" : "ci=") + base::exact_text(goal.value);
}

std::uint64_t next_check(std::uint64_t done, std::uint64_t most) {
    std::uint64_t look = least_values;
    while (look <= done && look < most) look += std::min(look / 4, UINT64_MAX - look);
    return std::min(look, most);
}

bool is_check(std::uint64_t done, std::uint64_t most) { return done > 0 && next_check(done - 1, most) == done; }

PossibleValues possible_values(study::StudyPlan const& plan, study::Metric metric) {
    return {0, study::info_of(metric).number->largest(plan)};
}

double poisson_upper99(std::uint64_t seen) {
    // P(X <= seen) falls as the mean grows: bisection to the last bit that matters.
    double low = 0, high = 2 * double(seen) + 40;
    for (int i = 0; i < 100; ++i) {
        double const mean = (low + high) / 2;
        double term = std::exp(-mean), sum = term;
        for (std::uint64_t k = 1; k <= seen; ++k) sum += term *= mean / double(k);
        (sum > 0.01 ? low : high) = mean;
    }
    return high;
}

Precision judge(study::Goal const& goal, Distribution const& values, PossibleValues const& possible) {
    Precision precision{std::numeric_limits<double>::quiet_NaN()};
    std::uint64_t const n = values.independent();
    if (n < 2) return precision;
    std::uint64_t most = 0, common = 0;
    for (auto const& [integer, count] : values.integers())
        if (count > most) {
            most = count;
            common = integer;
        }
    double const mean = values.mean();
    std::uint64_t const differ = std::min(values.count() - most, n);
    precision.few_differ = differ < few_that_differ;
    if (precision.few_differ) {
        double const usual = values.value_of(double(common));
        double const farthest = std::max(usual - possible.least, possible.largest - usual);
        precision.half_width = (poisson_upper99(differ) + double(differ)) / double(n) * farthest;
    } else {
        precision.half_width = student_t99(n - 1) * values.standard_error();
    }
    precision.reached = n >= least_values && precision.half_width <= (goal.relative ? goal.value * mean : goal.value);
    return precision;
}

}  // namespace tailback::evaluation
