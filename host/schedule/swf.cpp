#include "host/schedule/swf.hpp"

#include "host/base/error.hpp"
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

Fields read_fields(std::string_view line, base::SourceLocation const& place) {
    Fields values{};
    std::size_t count = 0;
    for (std::string_view rest = base::trimmed(line, " \t\r"); !rest.empty(); ++count) {
        std::string_view const word = rest.substr(0, rest.find_first_of(" \t"));
        double value = 0;
        auto const [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
        if (error != std::errc() || end != word.data() + word.size() || !std::isfinite(value) || count == fields)
            throw base::InputError(place, "no line of the Standard Workload Format",
                                   count == fields ? "it has more than 18 fields"
                                                   : "\"" + std::string(word.substr(0, 40)) + "\" is no number",
                                   "a job is a line of 18 numbers; ; begins a comment");
        values[count] = value;
        rest = base::trimmed(rest.substr(word.size()));
    }
    if (count < fields)
        throw base::InputError(place, "no line of the Standard Workload Format", fmt::format("it has {} fields", count),
                               "a job is a line of 18 numbers; ; begins a comment");
    return values;
}

}  // namespace

SwfFile read_swf(io::LineReader& lines) {
    SwfFile file;
    std::string_view line;
    while (lines.next(line)) {
        std::string_view const text = base::trimmed(line, " \t\r");
        if (text.empty() || text.front() == ';') continue;
        Fields const values = read_fields(text, lines.place());
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
