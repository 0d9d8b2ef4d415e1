// printf's %.12g is the same everywhere under the C locale, which the program never leaves.
#include "host/base/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace tailback::base {
namespace {

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

}  // namespace

double rounded(double value) {
    return std::isfinite(value) ? std::strtod(fmt::format("{:.12g}", value).c_str(), nullptr) : value;
}

std::string exact_text(double value) { return std::isnan(value) ? "" : fmt::format("{:.12g}", rounded(value)); }

std::string fixed_text(double value, int decimals) {
    return std::isnan(value) ? "-" : fmt::format("{:.{}f}", rounded(value), decimals);
}

int decimals_for(double value, int digits, int least) {
    if (!std::isfinite(value) || value == 0) return least;
    int const first =
        static_cast<int>(std::floor(std::log10(std::abs(rounded(value)))));  // power of ten of the first digit
    return std::clamp(digits - 1 - first, least, std::max(least, 15));
}

std::string significant_text(double value, int least) { return fixed_text(value, decimals_for(value, 4, least)); }

std::string plain_text(double value) {
    std::string text = fixed_text(value, decimals_for(value, 6, 0));
    if (text.find('.') == std::string::npos) return text;
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text;
}

std::string grouped(std::uint64_t value) {
    std::string text = std::to_string(value);
    for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, ",");
    return text;
}

std::string counted(std::uint64_t count, std::string_view one, std::string_view many) {
    return grouped(count) + " " + std::string(count == 1 ? one : many);
}

std::string three_digits(double value) {
    if (!(value >= 100) || value > 1e18) return fmt::format("{:.3g}", value);
    std::uint64_t unit = 1;
    while (value / double(unit) >= 1000) unit *= 10;
    return grouped(static_cast<std::uint64_t>(value / double(unit) + 0.5) * unit);
}

int decimals_of(double step) {
    int decimals = 0;
    while (decimals < 12 && std::abs(step - std::round(step)) > 1e-6 * step) {
        step *= 10;
        ++decimals;
    }
    return decimals;
}

std::string printable(std::string_view text) {
    constexpr std::string_view replacement = "\xEF\xBF\xBD";
    std::string clean;
    while (!text.empty()) {
        std::size_t const length = sequence_length(text);
        auto const lead = static_cast<unsigned char>(text[0]);
        bool const control =
            lead < 0x20 || lead == 0x7F || (lead == 0xC2 && length == 2 && static_cast<unsigned char>(text[1]) < 0xA0);
        if (length == 0 || control) clean += replacement;
        else clean += text.substr(0, length);
        text.remove_prefix(length == 0 ? 1 : length);
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
    std::size_t at = 0, count = 0;
    while (at < text.size()) {
        std::size_t next = at + 1;
        while (next < text.size() && (static_cast<unsigned char>(text[next]) & 0xC0) == 0x80) ++next;
        if (++count == width) break;
        at = next;
    }
    return text.substr(0, at) + "…";
}

std::string csv_field(std::string_view text) {
    std::string const clean = printable(text);
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
