#include "host/report/diff/trend.hpp"

#include "host/base/numbers.hpp"
#include "host/report/json_values.hpp"

#include "version.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <cmath>
#include <ostream>

namespace tailback::report {
namespace {

/// What the columns of the text are called, in the order of Comparison::numbers.
constexpr char const* headings[] = {"faults",      "lost pairs", "no deadlock", "load x ideal",
                                    "permutation", "shift",      "bandwidth"};

std::vector<ComparedNumber> const& numbers(Trend const& trend) { return trend.comparisons.front().numbers; }

std::string cell(std::optional<double> value) {
    if (!value) return "-";
    return *value == std::floor(*value) && std::abs(*value) < 1e15
               ? base::grouped(static_cast<std::uint64_t>(std::max(*value, 0.0)))
               : base::fixed_text(*value, 4);
}

/// The verdict of a day beside the day before; empty for the first.
std::string verdict(Trend const& trend, std::size_t day) {
    return day == 0 ? std::string() : trend.comparisons[day - 1].verdict();
}

}  // namespace

std::optional<double> Trend::number(std::size_t day, std::size_t k) const {
    return day == 0 ? comparisons.front().numbers[k].before : comparisons[day - 1].numbers[k].after;
}

void write_trend_text(std::ostream& out, Trend const& trend) {
    std::size_t widest = 4;
    for (std::string const& day : trend.days) widest = std::max(widest, base::printable(day).size());
    fmt::print(out, "{:<{}}", "", widest);
    for (char const* const heading : headings) fmt::print(out, "  {:>12}", heading);
    fmt::print(out, "  than before\n");
    for (std::size_t day = 0; day < trend.days.size(); ++day) {
        fmt::print(out, "{:<{}}", base::printable(trend.days[day]), widest);
        for (std::size_t k = 0; k < numbers(trend).size(); ++k) fmt::print(out, "  {:>12}", cell(trend.number(day, k)));
        fmt::print(out, "  {}\n", verdict(trend, day));
    }
    fmt::print(out, "From the first to the last: {}\n", trend.whole.verdict());
    for (std::size_t day = 1; day < trend.days.size(); ++day) {
        Comparison const& found = trend.comparisons[day - 1];
        if (found.verdict() == "equal") continue;
        fmt::print(out, "\n{}: {}\n", base::printable(trend.days[day]), found.sentence());
        for (ComparedNumber const& number : found.numbers)
            if (!number.because.empty()) fmt::print(out, "  {}: {}\n", number.what, number.because);
    }
}

void write_trend_json(std::ostream& out, Trend const& trend) {
    Json days = Json::array();
    for (std::size_t day = 0; day < trend.days.size(); ++day) {
        Json one = {{"day", base::printable(trend.days[day])},
                    {"verdict", day == 0 ? Json(nullptr) : Json(verdict(trend, day))}};
        Json values = Json::object();
        for (std::size_t k = 0; k < numbers(trend).size(); ++k) {
            std::optional<double> const value = trend.number(day, k);
            Json number = {{"value", value ? Json(base::rounded(*value)) : Json(nullptr)}};
            if (day > 0) {
                ComparedNumber const& compared = trend.comparisons[day - 1].numbers[k];
                number["change"] = change_name(compared.change);
                number["because"] = compared.because.empty() ? Json(nullptr) : Json(compared.because);
            }
            values[numbers(trend)[k].what] = std::move(number);
        }
        one["numbers"] = std::move(values);
        days.push_back(std::move(one));
    }
    Json const json = {{"schema", "tailback-trend-1"},
                       {"version", version},
                       {"days", std::move(days)},
                       {"first_to_last", trend.whole.verdict()}};
    out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

void write_trend_csv(std::ostream& out, Trend const& trend) {
    out << "day,verdict";
    for (ComparedNumber const& number : numbers(trend)) out << ',' << base::csv_field(number.what);
    out << '\n';
    for (std::size_t day = 0; day < trend.days.size(); ++day) {
        fmt::print(out, "{},{}", base::csv_field(base::printable(trend.days[day])), verdict(trend, day));
        for (std::size_t k = 0; k < numbers(trend).size(); ++k) {
            std::optional<double> const value = trend.number(day, k);
            fmt::print(out, ",{}", value ? base::exact_text(*value) : "");
        }
        out << '\n';
    }
}

}  // namespace tailback::report
