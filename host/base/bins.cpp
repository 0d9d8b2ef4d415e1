// The widths of bins, and bars of Unicode blocks.
#include "host/base/bins.hpp"

#include "host/base/numbers.hpp"

#include <algorithm>
#include <cmath>

namespace tailback::base {
namespace {

/// The smallest of 1, 2, 5 x 10^k that is at least `least` (k >= 0 when `whole`).
double nice_width(double least, bool whole) {
    double unit = 1;
    if (!whole)
        while (unit > least) unit /= 10;
    while (unit * 10 <= least) unit *= 10;
    for (double const step : {1.0, 2.0, 5.0})
        if (step * unit >= least * (1 - 1e-9)) return step * unit;
    return 10 * unit;
}

}  // namespace

std::uint64_t Bins::largest() const {
    std::uint64_t most = 0;
    for (Bin const& bin : bins) most = std::max(most, bin.count);
    return most;
}

std::string Bins::label(Bin const& bin) const {
    if (width == 0 || (whole && width == 1)) return whole ? fixed_text(bin.low, 0) : plain_text(bin.low);
    if (whole) return fixed_text(bin.low, 0) + ".." + fixed_text(bin.high - 1, 0);
    return fixed_text(bin.low, decimals_of(width));
}

bool Bins::holds(Bin const& bin, double value) const {
    return bin.low == bin.high ? value == bin.low : bin.low <= value && value < bin.high;
}

Bins sensible_bins(std::vector<std::pair<double, std::uint64_t>> const& exact, std::size_t most, double error) {
    std::vector<std::pair<double, std::uint64_t>>
        values;  // 1/2 and 1/3 + 1/6 may differ in the last bit: one value here
    for (auto const& [value, count] : exact) {
        if (values.empty() || values.back().first != rounded(value)) values.emplace_back(rounded(value), 0);
        values.back().second += count;
    }
    Bins result;
    if (values.empty()) return result;
    result.whole =
        std::all_of(values.begin(), values.end(), [](auto const& v) { return v.first == std::floor(v.first); });
    double const low = values.front().first, high = values.back().first;
    if (low == high || (!result.whole && values.size() <= 3)) {
        for (auto const& [value, count] : values) result.bins.push_back({value, value, count});
        return result;
    }
    double const least = std::max((high - low) / double(most), 1e-10 * std::abs(high));  // wider than rounding
    result.width = result.whole && high - low < double(most) ? 1 : nice_width(least, result.whole);
    // Edges are whole multiples, rounded: the same wherever they are computed, and what values are held against.
    auto const edge = [&](double multiple) { return rounded(multiple * result.width); };
    double first = std::floor(low / result.width);
    if (edge(first) > low) --first;
    if (edge(first + 1) <= low + error) ++first;
    do {
        double const multiple = first + double(result.bins.size());
        result.bins.push_back({edge(multiple), edge(multiple + 1), 0});
    } while (result.bins.back().high <= high + error);
    std::size_t at = 0;
    for (auto const& [value, count] : values) {
        while (at + 1 < result.bins.size() && value + error >= result.bins[at].high) ++at;
        result.bins[at].count += count;
    }
    return result;
}

std::string block_bar(std::uint64_t part, std::uint64_t whole, std::size_t width) {
    static char const* const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    if (part == 0 || whole == 0) return "";
    auto const length =
        std::max<std::uint64_t>(1, static_cast<std::uint64_t>(double(part) / double(whole) * double(width) * 8 + 0.5));
    std::string bar;
    for (std::uint64_t i = 0; i < length / 8; ++i) bar += "█";
    return bar + eighths[length % 8];
}

}  // namespace tailback::base
