// printf's %.12g is the same everywhere under the C locale, which the program never leaves.
#include "host/base/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace tailback::base {

constexpr int known_digits = 12;

double rounded(double value) {
    return std::isfinite(value) ? std::strtod(fmt::format("{:.12g}", value).c_str(), nullptr) : value;
}

std::string exact_text(double value) { return std::isnan(value) ? "" : fmt::format("{:.12g}", rounded(value)); }

std::string fixed_text(double value, int decimals) {
    if (std::isnan(value)) return "-";
    double const known = rounded(value);
    if (std::isinf(known)) return fmt::format("{}", known);
    int const first = known == 0 ? 0 : static_cast<int>(std::floor(std::log10(std::abs(known))));
    if (first >= known_digits) return exact_text(value);
    return fmt::format("{:.{}f}", known, std::clamp(known_digits - 1 - first, 0, decimals));
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
    if (text.find('.') == std::string::npos || text.find('e') != std::string::npos) return text;
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

}  // namespace tailback::base
