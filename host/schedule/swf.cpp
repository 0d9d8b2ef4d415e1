#include "host/schedule/swf.hpp"

#include "host/base/error.hpp"
#include "host/base/nearest.hpp"
#include "host/base/scanner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace tailback::schedule {
namespace {

constexpr std::size_t fields = 18, most_jobs = std::size_t{1} << 24;
using Fields = std::array<double, fields>;

bool read_number(std::string_view word, double& value) {
    auto const [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    return error == std::errc() && end == word.data() + word.size() && std::isfinite(value);
}

/// Takes the next word of a line.
std::string_view take_word(std::string_view& rest) {
    std::string_view const word = rest.substr(0, rest.find_first_of(" \t"));
    rest = base::trimmed(rest.substr(word.size()));
    return word;
}

/// @param more there are columns behind
Fields read_fields(std::string_view line, base::SourceLocation const& place, bool& more) {
    Fields values{};
    std::size_t count = 0;
    std::string_view rest = base::trimmed(line, " \t\r");
    for (; !rest.empty() && count < fields; ++count) {
        std::string_view const word = take_word(rest);
        if (!read_number(word, values[count]))
            throw base::InputError(place, "no line of the Standard Workload Format",
                                   "\"" + std::string(word.substr(0, 40)) + "\" is not a number",
                                   "a job is a line of 18 numbers; ; begins a comment");
    }
    if (count < fields)
        throw base::InputError(place, "no line of the Standard Workload Format", fmt::format("it has {} fields", count),
                               "a job is a line of 18 numbers; ; begins a comment");
    more = !rest.empty();
    return values;
}

/// Names alone, as many as columns.
bool is_line_of_names(std::string_view text) {
    std::size_t words = 0;
    for (double ignored = 0; !text.empty(); ++words)
        if (read_number(take_word(text), ignored)) return false;
    return words >= fields;
}

/// What logs call the columns that are used; in letters alone.
struct ColumnName {
    std::string_view name;
    std::size_t column;  ///< from 0
};
constexpr ColumnName column_names[] = {{"id", 0},       {"job", 0},        {"jobid", 0},         {"jobnumber", 0},
                                       {"submit", 1},   {"submittime", 1}, {"runtime", 3},       {"run", 3},
                                       {"cpus", 4},     {"procs", 4},      {"usedprocs", 4},     {"allocatedprocs", 4},
                                       {"cpusreq", 7},  {"reqcpus", 7},    {"reqprocs", 7},      {"requestedprocs", 7},
                                       {"walltime", 8}, {"reqtime", 8},    {"requestedtime", 8}, {"status", 10}};

/// Holds the names of the columns against the format's order.
void check_names(std::string_view text, SwfFile& file) {
    for (std::size_t column = 0; !text.empty(); ++column) {
        std::string const word(take_word(text));
        std::string letters;
        for (char const c : base::lower_case(word))
            if (c >= 'a' && c <= 'z') letters += c;
        for (ColumnName const& known : column_names)
            if (letters == known.name && column != known.column && file.misplaced.empty())
                file.misplaced = word, file.misplaced_at = column + 1, file.its_place = known.column + 1;
    }
}

}  // namespace

bool begins_as_swf(std::string_view beginning) {
    constexpr std::string_view blanks = " \t\r\n";
    std::string_view text = base::trimmed(beginning, blanks);
    if (text.empty() || text.front() == ';' || (text.front() >= '0' && text.front() <= '9')) return !text.empty();
    std::string_view const first = base::trimmed(text.substr(0, text.find('\n')), " \t\r");
    text = base::trimmed(text.substr(std::min(text.find('\n'), text.size())), blanks);
    if (!is_line_of_names(first)) return false;
    std::string_view second = base::trimmed(text.substr(0, text.find('\n')), " \t\r");
    if (second.starts_with(';')) return true;
    std::size_t numbers = 0;
    for (double ignored = 0; !second.empty() && read_number(take_word(second), ignored);) ++numbers;
    return numbers >= fields;
}

SwfFile read_swf(io::LineReader& lines) {
    SwfFile file;
    std::string_view line;
    bool begun = false;
    while (lines.next(line)) {
        std::string_view const text = base::trimmed(line, " \t\r");
        if (text.empty() || text.front() == ';') continue;
        if (!begun && is_line_of_names(text)) {
            begun = true;
            file.names = lines.line();
            check_names(text, file);
            continue;
        }
        begun = true;
        bool longer = false;
        Fields const values = read_fields(text, lines.place(), longer);
        file.longer += longer;
        double const processors = values[7] > 0 ? values[7] : values[4];
        if (values[3] <= 0 || processors < 1) {
            ++file.left_out;
            continue;
        }
        if (values[10] >= 2 && values[10] <= 4) {  // a line of status 0 or 1 has the whole job
            ++file.parts;
            continue;
        }
        if (processors != std::floor(processors))
            throw base::InputError(lines.place(), fmt::format("a job has {} processors", processors), "",
                                   "mend its fields 5 and 8");
        if (values[1] < 0)
            throw base::InputError(lines.place(), "a job is submitted before the beginning",
                                   fmt::format("at {} seconds", values[1]), "mend its second field");
        if (double const longest = std::max({values[1], values[3], values[8]}); longest > 1e12)
            throw base::InputError(lines.place(), fmt::format("a job has a time of {:g} seconds", longest),
                                   "times end at 10^12", "mend its fields 2, 4 and 9");
        if (processors > UINT32_MAX || file.jobs.size() == most_jobs)
            throw base::InputError(lines.place(), "too many jobs or processors", "", "shorten the file");
        if (values[4] > 0 && values[7] > 0 && values[4] != values[7] && file.others_got++ == 0)
            file.first_other = {lines.place().line, values[4], values[7]};
        file.jobs.push_back({fmt::format("{:.0f}", values[0]), values[1], values[3],
                             static_cast<std::uint32_t>(processors), std::max(values[8], values[3]),
                             lines.place().line});
    }
    if (file.jobs.empty())
        throw base::InputError(lines.place(), "the file has no job that ran", "",
                               "give one in the Standard Workload Format");
    std::stable_sort(file.jobs.begin(), file.jobs.end(),
                     [](SwfJob const& a, SwfJob const& b) { return a.submit < b.submit; });
    return file;
}

}  // namespace tailback::schedule
