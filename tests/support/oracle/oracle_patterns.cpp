// The naive oracle's patterns and random numbers, from their definitions.
#include "tests/support/oracle/oracle.hpp"
#include "tests/support/rooms.hpp"

#include <numeric>
#include <set>
#include <stdexcept>

namespace tailback::oracle {

std::vector<std::uint32_t> philox4x32_10(std::vector<std::uint32_t> counter, std::vector<std::uint32_t> key) {
    auto high = [](std::uint64_t a, std::uint64_t b) { return static_cast<std::uint32_t>((a * b) / 4294967296ull); };
    auto low = [](std::uint64_t a, std::uint64_t b) { return static_cast<std::uint32_t>((a * b) % 4294967296ull); };
    std::uint64_t const m0 = 0xD2511F53, m1 = 0xCD9E8D57;  // the paper's multipliers
    for (std::uint32_t round = 0; round < 10; ++round) {
        std::uint32_t const k0 = key[0] + round * 0x9E3779B9u;  // golden ratio
        std::uint32_t const k1 = key[1] + round * 0xBB67AE85u;  // square root of 3, less 1
        counter = {high(m1, counter[2]) ^ counter[1] ^ k0, low(m1, counter[2]), high(m0, counter[0]) ^ counter[3] ^ k1,
                   low(m0, counter[0])};
    }
    return counter;
}

std::uint32_t draw(std::uint64_t seed, std::uint32_t stream, std::uint64_t m, std::uint32_t step, std::uint64_t range,
                   std::optional<std::uint32_t> word) {
    std::uint64_t const words = 4294967296ull;
    for (std::uint32_t attempt = 0;; ++attempt) {
        std::uint64_t const w =
            attempt == 0 && word ? *word
                                 : philox4x32_10({step / 4, attempt + (stream << 24), std::uint32_t(m % words),
                                                  std::uint32_t(m / words)},
                                                 {std::uint32_t(seed % words), std::uint32_t(seed / words)})[step % 4];
        // floor(2^32 / range) words for each value; the first 2^32 mod range of a value's words are one too many
        if (w * range % words >= words % range) return static_cast<std::uint32_t>(w * range / words);
    }
}

std::vector<std::uint32_t> permutation(std::uint64_t seed, std::uint32_t stream, std::uint64_t m, std::uint32_t size,
                                       std::uint32_t steps) {
    std::vector<std::uint32_t> a(size);
    std::iota(a.begin(), a.end(), 0u);
    for (std::uint32_t i = 0; i < steps; ++i) std::swap(a[i], a[i + draw(seed, stream, m, i, size - i)]);
    a.resize(steps);
    return a;
}

namespace {

/// Levels there are until 2^level reaches n.
std::uint32_t ceil_log2(std::uint32_t n) {
    std::uint32_t l = 0;
    while ((1ull << l) < n) ++l;
    return l;
}

Flows greedy_neighbors(std::uint32_t n, std::uint32_t degree) {
    std::vector<std::uint32_t> free_slots(n, degree);
    std::set<std::pair<std::uint32_t, std::uint32_t>> exchanges;
    for (std::uint32_t i = 0; i < n; ++i)
        for (std::uint32_t k = i + 1; k < n && free_slots[i] > 0; ++k)
            if (free_slots[k] > 0 && !exchanges.contains({i, k})) {
                exchanges.insert({i, k});
                exchanges.insert({k, i});
                --free_slots[i];
                --free_slots[k];
            }
    return {exchanges.begin(), exchanges.end()};
}

}  // namespace

std::vector<Flows> levels_of(std::string const& pattern, std::uint32_t n, std::vector<std::uint32_t> const& pi) {
    std::vector<Flows> levels;
    std::uint32_t const doublings = ceil_log2(n);
    if (pattern == "null") return levels;
    if (auto structured = structured_levels(pattern, n)) return *structured;
    bool const around = pattern == "bruck" || pattern == "barrier";
    if (pattern == "tree" || around) {
        for (std::uint32_t l = 0; l < doublings; ++l) {
            levels.emplace_back();
            for (std::uint32_t i = 0; i < n; ++i) {
                if (around) levels.back().emplace_back(i, (i + (1u << l)) % n);
                else if (i < (1u << l) && i + (1u << l) < n) levels.back().emplace_back(i, i + (1u << l));
            }
        }
        return levels;
    }
    if (pattern == "ring") {
        for (std::uint32_t l = 0; l < n; ++l) levels.push_back({{l, (l + 1) % n}});
        return levels;
    }
    if (pattern == "recdbl") {
        std::uint32_t p = 1;
        while (2 * p <= n) p *= 2;
        for (std::uint32_t l = 0; (1u << l) < p; ++l) {
            levels.emplace_back();
            for (std::uint32_t k = 0; k + (1u << l) < p; ++k)
                if (k / (1u << l) % 2 == 0) {
                    levels.back().emplace_back(k, k + (1u << l));
                    levels.back().emplace_back(k + (1u << l), k);
                }
        }
        if (p < n) levels.emplace_back();
        for (std::uint32_t i = 0; i < n - p; ++i) levels.back().emplace_back(i, i + p);
        return levels;
    }
    levels.emplace_back();  // all others have one level
    Flows& flows = levels.back();
    if (pattern == "rand") {
        for (std::uint32_t i = 0; i < n; ++i) flows.emplace_back(i, pi.at(i));
    } else if (pattern == "bisect" || pattern == "bisect_fb_sym") {
        for (std::uint32_t i = 0; i < n / 2; ++i) {
            flows.emplace_back(2 * i + 1, 2 * i);
            if (pattern == "bisect_fb_sym") flows.emplace_back(2 * i, 2 * i + 1);
        }
    } else if (pattern == "gather") {
        for (std::uint32_t i = 1; i < n; ++i) flows.emplace_back(i, 0);
    } else if (pattern == "scatter") {
        for (std::uint32_t i = 1; i < n; ++i) flows.emplace_back(0, i);
    } else if (pattern.size() > 8 && pattern.substr(pattern.size() - 8) == "neighbor") {
        flows = greedy_neighbors(n, static_cast<std::uint32_t>(std::stoul(pattern)));
    } else if (pattern.size() > 5 && pattern.substr(pattern.size() - 5) == "shift") {
        for (std::uint32_t i = 0; i < n; ++i) flows.emplace_back(i, (i + std::stoul(pattern)) % n);
    } else {
        throw std::invalid_argument("the oracle has no pattern " + pattern);
    }
    return levels;
}

}  // namespace tailback::oracle
