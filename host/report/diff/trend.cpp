#include "host/report/diff/trend.hpp"

#include "host/base/numbers.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>

namespace tailback::report {
namespace {

/// What the columns of the text are called, in the order of Comparison::numbers.
constexpr std::string_view headings[] = {"hosts",        "cables",      "faults", "lost pairs", "no deadlock",
                                         "load x ideal", "permutation", "shift",  "bandwidth"};

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
void add_groups(Document& document, Trend const& trend) {
    std::vector<Trend::Group> const groups = trend.groups();
    if (groups.empty()) return;
    std::vector<Trend::Group const*> changed;
    for (Trend::Group const& group : groups)
        if (group.has_changed()) changed.push_back(&group);
    document.heading(fmt::format("By group ({}, {} changed)", base::counted(groups.size(), "group", "groups"),
                                 base::grouped(changed.size())));
    std::size_t const told = std::min(changed.size(), most_groups_told);
    Table table{
        .columns = {name_column("group"), word_column("day"), {"faults"}, {"load out"}, {"x ideal"}, {"critical"}},
        .left_out = changed.size() - told,
        .hint = "(--format json and csv have all)",
        .indent = 0};
    for (std::size_t g = 0; g < told; ++g)
        for (std::size_t day = 0; day < trend.days.size(); ++day) {
            std::optional<audit::GroupSum> const& sum = changed[g]->sums[day];
            table.rows.push_back({day == 0 ? changed[g]->name : "", trend.days[day],
                                  sum ? base::grouped(sum->faults) : "-", sum ? amount_text(sum->load_out) : "-",
                                  sum ? base::fixed_text(sum->largest, 2) : "-",
                                  sum ? amount_text(sum->critical_pairs) : "-"});
        }
    document.table(std::move(table));
}

void write_group_rows(std::ostream& out, Trend const& trend) {
    CsvTable table(out, {"day", "group", "hosts", "switches", "faults", "fault_pairs", "other_findings", "load_within",
                         "load_out", "load_in", "largest_x_ideal", "critical_pairs"});
    std::vector<Trend::Group> const groups = trend.groups();
    for (std::size_t day = 0; day < trend.days.size(); ++day)
        for (Trend::Group const& group : groups) {
            Json row = {{"day", trend.days[day]}, {"group", group.name}};
            if (group.sums[day]) row.update(group_sum_json(*group.sums[day]));
            table.item(row);
        }
}

}  // namespace

Document document_of(Trend const& trend) {
    Document document;
    Table table{.columns = {word_column()}, .indent = 0};  // days differ where long names are cut
    for (std::string_view const heading : headings) table.columns.push_back({std::string(heading)});
    table.columns.push_back(word_column("than before"));
    for (std::size_t day = 0; day < trend.days.size(); ++day) {
        table.rows.push_back({trend.days[day]});
        for (std::size_t k = 0; k < numbers(trend).size(); ++k)
            table.rows.back().emplace_back(cell(trend.number(day, k)));
        table.rows.back().emplace_back(verdict(trend, day));
    }
    document.table(std::move(table));
    document.sentence("From the first to the last: " + trend.whole.verdict());
    add_groups(document, trend);
    for (std::size_t day = 1; day < trend.days.size(); ++day) {
        Comparison const& found = trend.comparisons[day - 1];
        if (found.verdict() == "equal") continue;
        document.heading(trend.days[day] + ":").sentence(found.sentence());
        for (ComparedNumber const& number : found.numbers)
            for (std::string const& cause : number.because)
                document.sentence(fmt::format("{}, {}: {}", number.what, number.cause_name(), cause), 2);
    }
    return document;
}

Json value_of(Trend const& trend) {
    Json days = Json::array();
    std::vector<Trend::Group> const groups = trend.groups();
    for (std::size_t day = 0; day < trend.days.size(); ++day) {
        Json one = {{"day", trend.days[day]},
                    {"network", trend.networks[day]},
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
                one["groups"].push_back({{"name", group.name},
                                         {"sums", group.sums[day] ? group_sum_json(*group.sums[day]) : Json(nullptr)}});
        }
        days.push_back(std::move(one));
    }
    Json json = head("tailback-trend-1", trend.files, nullptr);
    json["days"] = std::move(days);
    json["first_to_last"] = trend.whole.verdict();
    return json;
}

void write_trend_rows(std::ostream& out, Trend const& trend) {
    if (!trend.comparisons.front().groups.empty()) return write_group_rows(out, trend);
    std::vector<std::string> columns = {"day", "verdict"};
    for (ComparedNumber const& number : numbers(trend)) columns.push_back(number.what);
    CsvTable table(out, std::move(columns));
    for (std::size_t day = 0; day < trend.days.size(); ++day) {
        std::vector<Json> cells = {trend.days[day], verdict(trend, day)};
        for (std::size_t k = 0; k < numbers(trend).size(); ++k) {
            std::optional<double> const number = trend.number(day, k);
            cells.push_back(or_null(number));
        }
        table.row(cells);
    }
}

}  // namespace tailback::report
