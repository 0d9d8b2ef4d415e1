// Text as terminals, reports and files get it: what a name holds must not act on what reads it.
#include "host/base/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>

namespace tailback::base {
namespace {

struct Range {
    std::uint32_t first, last;
};

/// Characters that steer, hide or end text, ascending: Unicode's classes Cc, Zl and Zp, its properties Bidi_Control and
/// Default_Ignorable_Code_Point (zero-width characters, tags), interlinear annotations and noncharacters.
constexpr Range hidden[] = {
    {0x0, 0x1F},      {0x7F, 0x9F},     {0xAD, 0xAD},       {0x34F, 0x34F},     {0x61C, 0x61C},
    {0x115F, 0x1160}, {0x17B4, 0x17B5}, {0x180B, 0x180F},   {0x200B, 0x200F},   {0x2028, 0x202E},
    {0x2060, 0x206F}, {0x3164, 0x3164}, {0xFDD0, 0xFDEF},   {0xFE00, 0xFE0F},   {0xFEFF, 0xFEFF},
    {0xFFA0, 0xFFA0}, {0xFFF0, 0xFFFB}, {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF},
};

bool is_hidden(std::uint32_t code) {
    Range const* const at = std::lower_bound(std::begin(hidden), std::end(hidden), code,
                                             [](Range const& range, std::uint32_t c) { return range.last < c; });
    bool const last_two_of_a_plane = (code & 0xFFFE) == 0xFFFE;
    return last_two_of_a_plane || (at != std::end(hidden) && code >= at->first);
}

/// Length of the valid UTF-8 sequence at the front of `text`; 0 when there is none.
std::size_t sequence_length(std::string_view text) {
    auto const byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    unsigned const lead = byte(0);
    std::size_t const length = lead < 0x80                   ? 1
                               : lead >= 0xC2 && lead < 0xE0 ? 2
                               : lead >= 0xE0 && lead < 0xF0 ? 3
                               : lead >= 0xF0 && lead < 0xF5 ? 4
                                                             : 0;
    if (length == 0 || length > text.size()) return 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((byte(i) & 0xC0) != 0x80) return 0;
    if (length == 3 && ((lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xED && byte(1) >= 0xA0))) return 0;
    if (length == 4 && ((lead == 0xF0 && byte(1) < 0x90) || (lead == 0xF4 && byte(1) >= 0x90))) return 0;
    return length;
}

std::uint32_t code_of(std::string_view sequence) {
    auto const lead = static_cast<unsigned char>(sequence[0]);
    if (sequence.size() == 1) return lead;
    std::uint32_t code = lead & (0xFFu >> (sequence.size() + 1));
    for (char const c : sequence.substr(1)) code = code << 6 | (static_cast<unsigned char>(c) & 0x3F);
    return code;
}

/// As this program writes numbers.
bool is_number(std::string_view text) {
    if (text.starts_with('-')) text.remove_prefix(1);
    if (text.empty() || text[0] < '0' || text[0] > '9') return false;
    double value = 0;
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} && end == text.data() + text.size();
}

/// Where column number `column` begins, in bytes.
std::size_t place_of_column(std::string_view text, std::size_t column) {
    std::size_t at = 0;
    for (; at < text.size(); ++at)
        if ((static_cast<unsigned char>(text[at]) & 0xC0) != 0x80 && column-- == 0) break;
    return at;
}

}  // namespace

std::string printable(std::string_view text) {
    if (std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c < 0x7F; })) return std::string(text);
    std::string clean;
    while (!text.empty()) {
        std::size_t const length = sequence_length(text);
        std::uint32_t const code = code_of(text.substr(0, std::max<std::size_t>(length, 1)));
        if (length == 0 || (length == 1 && is_hidden(code))) clean += fmt::format("\\x{:02x}", code);
        else if (is_hidden(code)) clean += fmt::format("\\u{{{:04x}}}", code);
        else clean += text.substr(0, length);
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return clean;
}

std::size_t columns(std::string_view text) {
    std::size_t count = 0;
    for (char const c : text) count += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    return count;
}

std::string padded(std::string const& text, std::size_t width) {
    std::size_t const have = columns(text);
    return have >= width ? text : text + std::string(width - have, ' ');
}

std::string right_aligned(std::string const& text, std::size_t width) {
    std::size_t const have = columns(text);
    return have >= width ? text : std::string(width - have, ' ') + text;
}

std::string shortened(std::string const& text, std::size_t width) {
    if (columns(text) <= width || width == 0) return text;
    return text.substr(0, place_of_column(text, width - 1)) + "…";
}

std::string shortened_within(std::string const& text, std::size_t width) {
    std::size_t const have = columns(text);
    if (have <= width || width == 0) return text;
    std::size_t const end = width / 2, begin = width - 1 - end;
    return text.substr(0, place_of_column(text, begin)) + "…" + text.substr(place_of_column(text, have - end));
}

std::string csv_field(std::string_view text) {
    std::string clean = printable(text);
    bool const formula = !clean.empty() && std::string_view("=+-@").find(clean[0]) != std::string_view::npos;
    if (formula && !is_number(clean)) clean.insert(0, 1, '\'');
    if (clean.find_first_of(",\"\r\n") == std::string::npos) return clean;
    std::string quoted = "\"";
    for (char const c : clean) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
}

std::string xml_text(std::string_view text) {
    std::string escaped;
    for (char const c : printable(text)) switch (c) {
            case '&': escaped += "&amp;"; break;
            case '<': escaped += "&lt;"; break;
            case '>': escaped += "&gt;"; break;
            case '"': escaped += "&quot;"; break;
            default: escaped += c;
        }
    return escaped;
}

}  // namespace tailback::base
