#include "host/result/units.hpp"

#include "host/base/numbers.hpp"
#include "host/io/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>

namespace tailback::result {
namespace {

struct Prefix {
    double size;
    char const* name;
};
constexpr Prefix seconds_of[] = {{1e-12, "ps"}, {1e-9, "ns"}, {1e-6, "us"}, {1e-3, "ms"}, {1, "s"}};

double three_digits_of(double value) { return std::strtod(fmt::format("{:.3g}", value).c_str(), nullptr); }

/// 2.05, 20.5, 205
std::string three_digits_text(double value) {
    double const size = std::abs(value);
    return fmt::format("{:.{}f}", value, size >= 100 ? 0 : size >= 10 ? 1 : 2);
}

Prefix const& prefix_of(double seconds) {
    return *std::find_if(std::begin(seconds_of), std::end(seconds_of) - 1,
                         [&](Prefix const& prefix) { return std::abs(three_digits_of(seconds / prefix.size)) < 1000; });
}

}  // namespace

std::string amount_text(double amount) {
    bool const whole = amount == std::floor(amount) && amount < 0x1p63;
    return whole ? base::grouped(static_cast<std::uint64_t>(amount)) : base::fixed_text(amount, 1);
}

std::string time_text(double seconds) {
    constexpr double longest_in_seconds = 99.95;
    if (!std::isfinite(seconds)) return "-";
    if (seconds == 0) return "0 s";
    if (seconds >= longest_in_seconds) return io::duration_text(std::round(seconds));
    Prefix const& prefix = prefix_of(seconds);
    double const value = three_digits_of(seconds / prefix.size);
    return (std::abs(value) < 0.01 ? base::plain_text(value) : three_digits_text(value)) + " " + prefix.name;
}

std::string bytes_text(double bytes) {
    if (!std::isfinite(bytes)) return "-";
    if (bytes < 1024) return bytes == 1 ? "1 byte" : base::plain_text(bytes) + " bytes";
    Unit const unit = unit_of_bytes(bytes);
    return fmt::format("{} {}", base::fixed_text(bytes / unit.size, 1), unit.name);
}

std::string rate_text(double gigabytes_per_s) {
    if (!std::isfinite(gigabytes_per_s)) return "-";
    if (gigabytes_per_s == 0) return "0 GB/s";
    double const value = three_digits_of(gigabytes_per_s);
    if (value >= 1) return (value >= 1000 ? base::three_digits(value) : three_digits_text(value)) + " GB/s";
    double const in_mb = three_digits_of(gigabytes_per_s * 1000);
    return (in_mb < 0.01 ? base::plain_text(in_mb) : three_digits_text(in_mb)) + " MB/s";
}

Unit unit_of_bytes(double largest) {
    if (!(largest >= 1024) || !std::isfinite(largest)) return {1, "bytes"};
    static constexpr char const* units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    std::size_t unit = 0;
    double size = 1024;
    for (; largest / size >= 1023.95 && unit + 1 < std::size(units); size *= 1024) ++unit;
    return {size, units[unit]};
}

Unit unit_of_times(double largest_s) {
    if (!(largest_s > 0) || !std::isfinite(largest_s)) return {1, "s"};
    Prefix const& prefix = prefix_of(largest_s);
    return {prefix.size, prefix.name};
}

}  // namespace tailback::result
