// Reading and writing listed patterns, a line at a time.
#include "host/study/flow_file.hpp"

#include "patterns/families.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <ostream>

namespace tailback::study {
namespace {

constexpr std::uint32_t most_ranks = 0xFFFFFFFE;
constexpr std::uint64_t most_bytes = INT64_MAX;
constexpr std::size_t most_letters = 80;  ///< of the name of a class

/// Takes the next word off the front of `text`; empty when there is none.
std::string_view take_word(std::string_view& text) {
    constexpr std::string_view blanks = " \t";
    text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
    std::string_view const word = text.substr(0, text.find_first_of(blanks));
    text.remove_prefix(word.size());
    return word;
}

std::string quoted(std::string_view word) { return "\"" + std::string(word.substr(0, 40)) + "\""; }

/// `what`: rank, number of ranks, number of bytes.
std::uint64_t whole_number(std::string_view word, char const* what, std::uint64_t most,
                           base::SourceLocation const& place, char const* advice) {
    std::uint64_t value = 0;
    auto const [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error == std::errc::invalid_argument || end != word.data() + word.size())
        throw base::InputError(
            place, quoted(word) + " is not a " + what, "only digits are allowed",
            "a line is `level`, `class NAME`, or a source rank, a destination rank and, if they differ, bytes");
    if (error == std::errc::result_out_of_range || value > most)
        throw base::InputError(place, std::string(what) + " " + quoted(word) + " is too large",
                               fmt::format("at most {}", most), advice);
    return value;
}

std::uint32_t number(std::string_view word, char const* what, std::uint32_t most, base::SourceLocation const& place) {
    return static_cast<std::uint32_t>(whole_number(
        word, what, most, place, "ranks are counted from 0, and `ranks N` in front says how many there are"));
}

/// A flow's third word, if there is one.
std::optional<std::uint64_t> bytes_of(std::string_view& rest, base::SourceLocation const& place) {
    std::string_view const word = take_word(rest);
    if (word.empty()) return std::nullopt;
    std::uint64_t const bytes =
        whole_number(word, "number of bytes", most_bytes, place, "write larger flows in a larger unit");
    if (bytes == 0) throw base::InputError(place, "a flow of 0 bytes", "it has no bandwidth", "leave it out");
    return bytes;
}

void no_more(std::string_view rest, char const* what, base::SourceLocation const& place) {
    if (std::string_view const word = take_word(rest); !word.empty())
        throw base::InputError(place, quoted(word) + " is one word too many", std::string(what) + " is complete",
                               "write every flow on a line of its own");
}

}  // namespace

patterns::FlowList read_flows(io::LineReader& lines) {
    patterns::FlowListWriter out(0);
    std::uint32_t declared = 0, named = 0;
    std::uint64_t flows = 0;
    bool in_level = false;
    for (std::string_view line; lines.next(line);) {
        std::string_view rest = line;
        std::string_view const word = take_word(rest);
        if (word.empty() || word.front() == '#') continue;
        if (word == "ranks") {
            if (declared > 0 || in_level)
                throw base::InputError(lines.place(), "the number of ranks comes too late",
                                       declared > 0 ? "it is given already" : "flows or levels come before it",
                                       "give it once, in front");
            std::string_view const count = take_word(rest);
            if (count.empty()) throw base::InputError(lines.place(), "`ranks` without a number", "", "write `ranks N`");
            declared = number(count, "number of ranks", most_ranks, lines.place());
            if (declared == 0)
                throw base::InputError(lines.place(), "a pattern of 0 ranks", "", "write `ranks N` with a larger N");
            no_more(rest, "the number of ranks", lines.place());
        } else if (word == "level") {
            no_more(rest, "`level`", lines.place());
            out.begin_level();
            in_level = true;
        } else if (word == "class") {
            std::string_view const name = take_word(rest);
            if (name.empty())
                throw base::InputError(lines.place(), "`class` without a name", "", "write `class storage`");
            no_more(rest, "the class", lines.place());
            out.set_class(std::string(name.substr(0, most_letters)));
        } else {
            std::uint32_t const most = declared > 0 ? declared - 1 : most_ranks - 1;
            std::uint32_t const source = number(word, "rank", most, lines.place());
            std::string_view const second = take_word(rest);
            if (second.empty())
                throw base::InputError(lines.place(), "a flow without a destination",
                                       "rank " + std::to_string(source) + " stands alone",
                                       "write `SOURCE DESTINATION`");
            std::uint32_t const destination = number(second, "rank", most, lines.place());
            std::optional<std::uint64_t> const bytes = bytes_of(rest, lines.place());
            no_more(rest, "the flow", lines.place());
            if (!in_level) out.begin_level();
            in_level = true;
            if (bytes) out.flow(source, destination, *bytes);
            else out.flow(source, destination);
            named = std::max({named, source + 1, destination + 1});
            ++flows;
        }
    }
    if (flows == 0)
        throw base::InputError({lines.name(), 0}, "the pattern file holds no flow", "",
                               "write one flow a line: the rank that sends and the one that receives");
    patterns::FlowList list = out.take();
    list.ranks = list.measured_ranks = declared > 0 ? declared : named;
    return list;
}

void write_flows(std::ostream& out, patterns::FlowList const& list) {
    out << "ranks " << list.ranks << '\n';
    std::uint8_t last = 0;
    for (patterns::Level const& level : list.levels) {
        out << "level\n";
        for (std::size_t f = level.first_flow; f < level.first_flow + level.flow_count; ++f) {
            if (!list.classes.empty() && list.classes[f] != last)
                out << "class " << list.class_names[last = list.classes[f]] << '\n';
            out << list.flows[f].source << ' ' << list.flows[f].destination;
            if (list.has_bytes()) out << ' ' << (list.weights.empty() ? 1 : list.weights[f]);
            out << '\n';
        }
        for (std::uint32_t const rank : level.local_ranks) out << rank << ' ' << rank << '\n';
    }
}

}  // namespace tailback::study
