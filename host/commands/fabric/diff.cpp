// tailback diff: two dumps of one fabric; what changed, and what it does to routes and loads.
#include "host/api/diff.hpp"
#include "host/audit/loads/groups.hpp"
#include "host/base/error.hpp"
#include "host/commands/command.hpp"
#include "host/commands/messages.hpp"
#include "host/commands/options/network_options.hpp"
#include "host/commands/report_file.hpp"
#include "host/commands/threads.hpp"
#include "host/options/parsed_options.hpp"
#include "host/report/diff/diff_report.hpp"

#include <algorithm>
#include <filesystem>

namespace tailback::commands {
namespace {

constexpr char const* diff_text = R"(
OLD and NEW are network files with their tables: NETWORK,TABLES, or NETWORK with --old-tables and
--new-tables. One of these files may be standard input (`-`, `-,TABLES`, `NETWORK,-`). Nodes are
matched by GUID (by name in ORCS dot graphs), endpoints by node and port, LIDs by their owner. Table
entries for LIDs that nobody owns are not compared.

Three fabrics or more are a trend: each is audited, and its faults, lost pairs, deadlock, largest
loads, worst permutation and shift and bandwidth stand in a row, with a verdict beside the one
before. Then the exit code is 0 if the last is no worse than the first in any of them.

Exit code: 0 and no output if nothing differs, 1 if something does, 2 bad input or usage.

Examples:
  tailback diff monday/ibnetdiscover.out,monday/opensm-lfts.dump \
                tuesday/ibnetdiscover.out,tuesday/opensm-lfts.dump
  tailback diff dumps/monday dumps/tuesday dumps/wednesday --format csv
  tailback diff net.out net.out --old-tables before.fdbs --new-tables after.fdbs --format json
)";

using Side = api::DiffSide;

/// `NETWORK,TABLES` at the first comma before which there is a file; names may hold commas.
Side side_of(std::string const& word, std::optional<std::string> const& tables, std::string const& option) {
    std::error_code ignored;
    Side side{word, tables};
    if (word == "-" || std::filesystem::exists(word, ignored)) return side;
    std::size_t comma = word.find(',');
    bool const from_standard_input = word.starts_with("-,");
    for (std::size_t at = comma; !from_standard_input && at != std::string::npos; at = word.find(',', at + 1))
        if (std::filesystem::exists(word.substr(0, at), ignored)) {
            comma = at;
            break;
        }
    if (comma == std::string::npos) return side;
    if (comma == 0 || comma + 1 == word.size())
        throw base::InputError({}, "\"" + word + "\" names no " + (comma == 0 ? "network" : "tables"),
                               "nothing stands " + std::string(comma == 0 ? "before" : "after") + " the comma",
                               "write NETWORK,TABLES or NETWORK");
    if (tables)
        throw base::InputError({}, "\"" + word + "\" and --" + option + " both name tables", "",
                               "leave one of them out");
    return {word.substr(0, comma), word.substr(comma + 1)};
}

void refuse_specs(std::vector<std::string> const& sides) {
    for (std::string const& word : sides)
        if (api::is_network_spec(word))
            throw base::InputError({}, "\"" + word + "\" is not a file",
                                   "it looks like the spec of a network, and only files can be compared",
                                   "write the files first: tailback generate " + word + " --output DIR");
}

audit::DiffRequest request_of(options::ParsedOptions const& options) {
    audit::DiffRequest request;
    request.aggregation_nodes_are_hosts = options.choice("aggregation-nodes") == 1;
    request.threads = options.threads();
    request.group_by = group_by_of(options);
    return request;
}

/// Three fabrics or more.
int run_trend(std::vector<std::string> const& words, options::ParsedOptions const& options) {
    if (options.given("top"))
        throw base::InputError({}, "--top is for two fabrics", "of many a row is told for each, and no lists",
                               "leave it out", "top");
    for (char const* const name : {"old-tables", "new-tables"})
        if (options.given(name))
            throw base::InputError({}, std::string("--") + name + " is for two fabrics",
                                   std::to_string(words.size()) + " are given", "write NETWORK,TABLES");
    refuse_specs(words);
    report::Form const format = report::form_named(*options.text("format"));
    if (format == report::Form::html)
        throw base::InputError({}, "--format html is for two fabrics", "", "choose --format text, json or csv");
    std::vector<Side> sides;
    std::vector<std::string> files;
    for (std::string const& word : words) {
        sides.push_back(side_of(word, std::nullopt, ""));
        files.push_back(sides.back().network);
        if (sides.back().tables) files.push_back(*sides.back().tables);
    }
    audit::DiffRequest const request = request_of(options);
    Threads const threads(request.threads);
    std::string const output = *options.text("output");
    if (std::string const groups = audit::file_of_groups(request.group_by); !groups.empty()) files.push_back(groups);
    check_files(files, {output});
    report::Trend const trend = api::find_trend(sides, request, options.given("strict"), listener());
    io::OutputFile file(output);
    if (format == report::Form::csv) report::write_trend_rows(file.stream(), trend);
    else write_report(file, trend, format);
    file.commit();
    std::vector<report::ComparedNumber> const& numbers = trend.whole.numbers;
    bool const got_worse = std::any_of(numbers.begin(), numbers.end(), [](report::ComparedNumber const& number) {
        return number.change == report::Change::worse;
    });
    return got_worse ? faults_found : success;
}

}  // namespace

std::string diff_notes() { return diff_text; }

int run_diff(std::vector<std::string> const& arguments) {
    options::ParsedOptions const options(options::diff, arguments);
    std::vector<std::string> const& sides = options.words();
    if (sides.size() > 2) return run_trend(sides, options);
    if (sides.size() != 2)
        throw base::InputError(
            {}, "two fabrics are needed, OLD and NEW",
            std::to_string(sides.size()) + (sides.size() == 1 ? " word is given" : " words are given"),
            "`tailback diff --help` shows examples");
    Side const old_side = side_of(sides[0], options.text("old-tables"), "old-tables");
    Side const new_side = side_of(sides[1], options.text("new-tables"), "new-tables");
    refuse_specs(sides);
    report::Form const format = format_of(options);
    if (format == report::Form::csv)
        throw base::InputError({}, "--format csv is for three fabrics or more", "two are compared in lists",
                               "choose --format text, json or html");
    std::uint64_t const top = options.number("top");
    audit::DiffRequest const request = request_of(options);
    Threads const threads(request.threads);
    std::string const output = *options.text("output");
    model::NamedFiles const files = api::with_named({}, {{"old_network", old_side.network},
                                                         {"old_tables", old_side.tables.value_or("")},
                                                         {"new_network", new_side.network},
                                                         {"new_tables", new_side.tables.value_or("")},
                                                         {"groups", audit::file_of_groups(request.group_by)}});
    check_files(api::paths_of(files), {output});

    bool const strict = options.given("strict");
    api::FabricComparison const found(old_side, new_side, request, strict, listener());
    report::DiffReport report{found.before(), found.after(), found.diff(), files, top};
    report.comparison = found.comparison();
    io::OutputFile file(output);
    if (format == report::Form::html)
        report::write_html(file.stream(), report, found.audited_before(), found.audited_after());
    else write_report(file, report, format);
    file.commit();
    return found.diff().equal() ? success : faults_found;
}

}  // namespace tailback::commands
