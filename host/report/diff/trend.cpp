#include "host/report/diff/trend.hpp"

#include "host/base/numbers.hpp"
#include "host/report/json_values.hpp"

#include "version.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <ostream>

namespace tailback::report {
namespace {

/// What the columns of the text are called, in the order of Comparison::numbers.
constexpr std::string_view headings[] = {"hosts",        "cables",      "faults", "lost pairs", "no deadlock",
                                         "load x ideal", "permutation", "shift",  "bandwidth"};
std::size_t width_of(std::size_t column) { return std::max<std::size_t>(headings[column].size(), 9); }

constexpr std::size_t most_groups_told = 10;

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

bool Trend::Group::has_changed() const {
    for (std::size_t day = 1; day < sums.size(); ++day)
        if (ComparedGroup{name, sums[day - 1], sums[day]}.has_changed()) return true;
    return false;
}

std::vector<Trend::Group> Trend::groups() const {
    std::map<std::string, Group, decltype(&audit::group_less)> by_name(&audit::group_less);
    auto const take = [&](ComparedGroup const& group, std::size_t day, std::optional<audit::GroupSum> const& sum) {
        Group& one = by_name[group.name];
        one.name = group.name;
        one.sums.resize(days.size());
        one.sums[day] = sum;
    };
    for (std::size_t day = 0; day < days.size(); ++day)
        for (ComparedGroup const& group : comparisons[day == 0 ? 0 : day - 1].groups)
            take(group, day, day == 0 ? group.before : group.after);
    std::vector<Group> found;
    for (auto& [name, group] : by_name) found.push_back(std::move(group));
    return found;
}

namespace {

/// Of the groups that changed, the sums of every day.
void write_groups(std::ostream& out, Trend const& trend, std::size_t widest) {
    std::vector<Trend::Group> const groups = trend.groups();
    if (groups.empty()) return;
    std::vector<Trend::Group const*> changed;
    for (Trend::Group const& group : groups)
        if (group.has_changed()) changed.push_back(&group);
    fmt::print(out, "\nBy group ({}, {} changed)\n", base::counted(groups.size(), "group", "groups"),
               base::grouped(changed.size()));
    std::size_t const shown = std::min(changed.size(), most_groups_told);
    for (std::size_t g = 0; g < shown; ++g) {
        if (g == 0)
            fmt::print(out, "{:<{}}  {:>12}  {:>12}  {:>12}  {:>12}\n", "", widest, "faults", "load out", "x ideal",
                       "critical");
        fmt::print(out, "{}\n", base::printable(changed[g]->name));
        for (std::size_t day = 0; day < trend.days.size(); ++day) {
            std::optional<audit::GroupSum> const& sum = changed[g]->sums[day];
            fmt::print(out, "{}  {:>12}  {:>12}  {:>12}  {:>12}\n",
                       base::padded(base::printable(trend.days[day]), widest), sum ? base::grouped(sum->faults) : "-",
                       sum ? base::grouped(sum->load_out) : "-", sum ? base::fixed_text(sum->largest, 2) : "-",
                       sum ? base::grouped(sum->critical_pairs) : "-");
        }
    }
    if (changed.size() > shown)
        fmt::print(out, "and {} more (--format json and csv have all)\n", base::grouped(changed.size() - shown));
}

void write_groups_csv(std::ostream& out, Trend const& trend) {
    out << "day,group,hosts,switches,faults,fault_pairs,other_findings,load_within,load_out,load_in,largest_x_ideal,"
           "critical_pairs\n";
    std::vector<Trend::Group> const groups = trend.groups();
    for (std::size_t day = 0; day < trend.days.size(); ++day)
        for (Trend::Group const& group : groups) {
            std::string const head =
                base::csv_field(base::printable(trend.days[day])) + "," + base::csv_field(base::printable(group.name));
            if (auto const& sum = group.sums[day])
                fmt::print(out, "{},{},{},{},{},{},{},{},{},{},{}\n", head, sum->hosts, sum->switches, sum->faults,
                           sum->fault_pairs, sum->others, sum->load_within, sum->load_out, sum->load_in,
                           base::exact_text(sum->largest), sum->critical_pairs);
            else fmt::print(out, "{},,,,,,,,,,\n", head);
        }
}

}  // namespace

void write_trend_text(std::ostream& out, Trend const& trend) {
    std::size_t widest = 4;
    for (std::string const& day : trend.days) widest = std::max(widest, base::printable(day).size());
    fmt::print(out, "{:<{}}", "", widest);
    for (std::size_t k = 0; k < std::size(headings); ++k) fmt::print(out, "  {:>{}}", headings[k], width_of(k));
    fmt::print(out, "  than before\n");
    for (std::size_t day = 0; day < trend.days.size(); ++day) {
        fmt::print(out, "{:<{}}", base::printable(trend.days[day]), widest);
        for (std::size_t k = 0; k < numbers(trend).size(); ++k)
            fmt::print(out, "  {:>{}}", cell(trend.number(day, k)), width_of(k));
        fmt::print(out, "  {}\n", verdict(trend, day));
    }
    fmt::print(out, "From the first to the last: {}\n", trend.whole.verdict());
    write_groups(out, trend, widest);
    for (std::size_t day = 1; day < trend.days.size(); ++day) {
        Comparison const& found = trend.comparisons[day - 1];
        if (found.verdict() == "equal") continue;
        fmt::print(out, "\n{}: {}\n", base::printable(trend.days[day]), found.sentence());
        for (ComparedNumber const& number : found.numbers)
            for (std::string const& cause : number.because)
                fmt::print(out, "  {}, {}: {}\n", number.what, number.cause_name(), cause);
    }
}

void write_trend_json(std::ostream& out, Trend const& trend) {
    Json days = Json::array();
    std::vector<Trend::Group> const groups = trend.groups();
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
                number["because"] = compared.because;
                number["cause"] = compared.because.empty() ? Json(nullptr) : Json(compared.cause_name());
            }
            values[numbers(trend)[k].what] = std::move(number);
        }
        one["numbers"] = std::move(values);
        if (!groups.empty()) {
            one["groups"] = Json::array();
            for (Trend::Group const& group : groups)
                one["groups"].push_back(
                    {{"name", base::printable(group.name)}, {"sums", group_sum_json(group.sums[day])}});
        }
        days.push_back(std::move(one));
    }
    Json const json = {{"schema", "tailback-trend-1"},
                       {"version", version},
                       {"days", std::move(days)},
                       {"first_to_last", trend.whole.verdict()}};
    out << json_text(json, 2) << '\n';
}

void write_trend_csv(std::ostream& out, Trend const& trend) {
    if (!trend.comparisons.front().groups.empty()) return write_groups_csv(out, trend);
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
