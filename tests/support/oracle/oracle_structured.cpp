// The naive oracle's definitions of patterns on grids, of bits, of everyone, and of flows drawn once, from
// docs/semantics.md: which pairs are flows, found by trying all pairs.
#include "tests/support/oracle/oracle.hpp"
#include "tests/support/rooms.hpp"

#include <algorithm>
#include <cstdlib>
#include <functional>

namespace tailback::oracle {
namespace {

using Is = std::function<bool(std::uint32_t, std::uint32_t)>;

Flows pairs(std::uint32_t n, Is const& is_flow) {
    Flows flows;
    for (std::uint32_t s = 0; s < n; ++s)
        for (std::uint32_t d = 0; d < n; ++d)
            if (is_flow(s, d)) flows.emplace_back(s, d);
    return flows;
}

/// Of all ways to write n as a product, the largest factor first, the one of the least sum.
std::vector<std::uint32_t> balanced(std::uint32_t n, std::uint32_t dimensions) {
    std::vector<std::uint32_t> best;
    std::uint32_t least = ~0u;
    for (std::uint32_t a = 1; a <= n; ++a)
        for (std::uint32_t b = 1; b <= a; ++b)
            for (std::uint32_t c = 1; c <= (dimensions == 3 ? b : 1); ++c)
                if (a * b * c == n && a + b + c < least) {
                    least = a + b + c;
                    best = {a, b, c};
                }
    return best;
}

struct Place {
    std::int64_t x, y, z;
};
Place place(std::uint32_t rank, std::vector<std::uint32_t> const& k) {
    return {rank % k[0], rank / k[0] % k[1], rank / k[0] / k[1]};
}
std::int64_t around(std::int64_t a, std::int64_t b, std::uint32_t k) {
    std::int64_t const apart = std::abs(a - b);
    return std::min(apart, k - apart);
}

std::vector<Flows> on_grid(std::string const& pattern, std::uint32_t n) {
    auto const k = balanced(n, pattern.ends_with("3d") ? 3 : 2);
    auto const apart = [&](std::uint32_t s, std::uint32_t d) {
        Place const a = place(s, k), b = place(d, k);
        return std::abs(a.x - b.x) + std::abs(a.y - b.y) + std::abs(a.z - b.z);
    };
    auto const apart_around = [&](std::uint32_t s, std::uint32_t d) {
        Place const a = place(s, k), b = place(d, k);
        return around(a.x, b.x, k[0]) + around(a.y, b.y, k[1]) + around(a.z, b.z, k[2]);
    };
    if (pattern.starts_with("stencil")) return {pairs(n, [&](auto s, auto d) { return apart(s, d) == 1; })};
    std::vector<Flows> levels;
    bool const sweep = pattern.starts_with("sweep");
    for (std::int64_t l = 0;; ++l) {
        levels.push_back(pairs(n, [&](auto s, auto d) {
            if (sweep) return apart(s, d) == 1 && apart(0, s) == l && apart(0, d) == l + 1;
            return apart_around(s, d) == 1 && apart_around(0, s) == l && apart_around(0, d) == l + 1;
        }));
        if (!levels.back().empty()) continue;
        levels.pop_back();
        return levels;
    }
}

/// The bits of i, the highest first.
std::string bits_of(std::uint32_t i, std::uint32_t count) {
    std::string text;
    for (std::uint32_t k = count; k-- > 0;) text += (i / (1u << k)) % 2 == 1 ? '1' : '0';
    return text;
}

Flows of_bits(std::string const& pattern, std::uint32_t n) {
    std::uint32_t l = 0;
    while ((2u << l) <= n) ++l;
    return pairs(1u << l, [&](auto s, auto d) {
        std::string const from = bits_of(s, l), to = bits_of(d, l);
        std::string want = from;
        if (pattern == "bit-complement")
            for (char& bit : want) bit = bit == '0' ? '1' : '0';
        if (pattern == "bit-reversal") std::reverse(want.begin(), want.end());
        if (pattern == "bit-transpose") std::rotate(want.begin(), want.end() - l / 2, want.end());
        if (pattern == "perfect-shuffle" && l > 0) std::rotate(want.begin(), want.begin() + 1, want.end());
        if (pattern == "butterfly" && l > 0) std::swap(want.front(), want.back());
        return to == want;
    });
}

/// Flows drawn once: the draws of stream 5, mapping 0, seed 1, in order.
Flows drawn(std::string const& pattern, std::uint32_t n) {
    Flows flows;
    std::uint32_t step = 0;
    auto const next = [&](std::uint32_t range) { return draw(1, 5, 0, step++, range); };
    auto const other = [&](std::uint32_t among, std::uint32_t source) {
        std::uint32_t const d = next(among - 1);
        return d < source ? d : d + 1;
    };
    for (std::uint32_t f = 0; f < n && n > 1; ++f) {
        std::uint32_t const s = next(n);
        if (pattern == "uniform") {
            flows.emplace_back(s, other(n, s));
        } else if (pattern == "hot-spot") {
            bool const hot = next(100) < 2 && s != 0;
            flows.emplace_back(s, hot ? 0 : other(n, s));
        } else if (pattern == "local") {  // one ring
            std::uint32_t d = s;
            while (d == s) {
                std::uint32_t const eighth = next(8),
                                    from = eighth < 4   ? 0
                                           : eighth < 6 ? 2
                                           : eighth < 7 ? 4
                                                        : 8,
                                    to = eighth < 4   ? 1
                                         : eighth < 6 ? 3
                                         : eighth < 7 ? 7
                                                      : ~0u;
                std::vector<std::uint32_t> near, all;  // the destinations by offset, from the farthest below upwards
                for (std::uint32_t o = 0; o < n; ++o) {
                    std::uint32_t const at = (s + o + n / 2 + 1) % n;
                    std::uint32_t const apart = std::min((at + n - s) % n, (s + n - at) % n);
                    all.push_back(at);
                    if (apart >= from && apart <= to) near.push_back(at);
                }
                if (near.empty()) near = all;
                d = near[next(static_cast<std::uint32_t>(near.size()))];
            }
            flows.emplace_back(s, d);
        } else {  // hot-region
            bool const hot = next(100) < 25;
            std::uint32_t const region = std::max(1u, n / 8);
            if (hot && s >= region) flows.emplace_back(s, next(region));
            else flows.emplace_back(s, other(hot && region > 1 ? region : n, s));
        }
    }
    return flows;
}

}  // namespace

std::optional<std::vector<Flows>> structured_levels(std::string const& pattern, std::uint32_t n) {
    auto const one = [&](Is const& is_flow) { return std::vector<Flows>{pairs(n, is_flow)}; };
    if (pattern == "all-to-all") return one([](auto s, auto d) { return s != d; });
    if (pattern == "many-all-to-all") return one([](auto s, auto d) { return s != d && s / 8 == d / 8; });
    if (pattern == "one-to-all") return one([](auto s, auto d) { return s == 0 && d != 0; });
    if (pattern == "all-to-one") return one([](auto s, auto d) { return s != 0 && d == 0; });
    if (pattern == "map-reduce") {
        auto const workers = pairs(n, [](auto s, auto d) { return s != d && s != 0 && d != 0; });
        return std::vector<Flows>{pairs(n, [](auto s, auto d) { return s == 0 && d != 0; }), workers,
                                  pairs(n, [](auto s, auto d) { return s != 0 && d == 0; })};
    }
    if (pattern == "shift") return one([&](auto s, auto d) { return d == (s + 1) % n; });
    if (pattern == "tornado") return one([&](auto s, auto d) { return d == (s + (n + 1) / 2 - 1) % n; });
    if (pattern == "transpose") {
        std::uint32_t k = 1;
        while ((k + 1) * (k + 1) <= n) ++k;
        return std::vector<Flows>{pairs(k * k, [&](auto s, auto d) { return d == s % k * k + s / k; })};
    }
    if (pattern.starts_with("bit-") || pattern == "perfect-shuffle" || pattern == "butterfly")
        return std::vector<Flows>{of_bits(pattern, n)};
    if (pattern.ends_with("-2d") || pattern.ends_with("-3d")) return on_grid(pattern, n);
    if (pattern == "uniform" || pattern == "local" || pattern.starts_with("hot-"))
        return std::vector<Flows>{drawn(pattern, n)};
    return std::nullopt;
}

}  // namespace tailback::oracle
