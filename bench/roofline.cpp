#include "bench/roofline.hpp"

#include "bench/rooms.hpp"
#include "kernels/common/huge_buffer.hpp"
#include "kernels/cpu/fast/draw_places.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <numeric>
#include <vector>

namespace tailback::bench {
namespace {

/// Keeps a value alive without storing it.
template <class T>
void keep(T const& value) {
    asm volatile("" : : "r,m"(value) : "memory");
}

/// Median over repetitions of the seconds `work` takes.
template <class Work>
double median_seconds(Work&& work) {
    std::vector<double> seconds;
    for (int i = 0; i < 15; ++i) {
        auto const start = std::chrono::steady_clock::now();
        work();
        seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    std::nth_element(seconds.begin(), seconds.begin() + seconds.size() / 2, seconds.end());
    return seconds[seconds.size() / 2];
}

std::vector<std::uint32_t> random_places(std::size_t count, std::uint32_t below) {
    std::vector<std::uint32_t> places(count + 4);
    for (std::size_t i = 0; i < count; i += 4) {
        PhiloxBlock const block = philox(std::uint32_t(i), 7, 7, 7, 7);
        for (int k = 0; k < 4; ++k)
            places[i + std::size_t(k)] = std::uint32_t(std::uint64_t{block.word[k]} * below >> 32);
    }
    places.resize(count);
    return places;
}

/// Seconds a step.
template <class HostWord>
double time_permutations(std::uint32_t ranks, std::uint64_t& m) {
    std::vector<HostWord> identity(ranks), places(ranks + 8);
    std::iota(identity.begin(), identity.end(), HostWord{0});
    std::uint32_t const times = std::max(1u, 65536 / ranks);
    return median_seconds([&] {
               for (std::uint32_t k = 0; k < times; ++k)
                   stages::draw_places(PermutationDraws(1, Stream::mapping, ++m, ranks), ranks, identity.data(),
                                       places.data());
               keep(places[0]);
           }) /
           (double(times) * ranks);
}

}  // namespace

Roofline measure_roofline(std::size_t table_bytes, std::size_t counters, std::uint32_t ranks) {
    constexpr std::size_t reads = 1 << 18;
    Roofline roofline{};
    {
        std::size_t const words = std::max<std::size_t>(table_bytes, 65536) / sizeof(std::uint64_t);
        HugeBuffer table(words * sizeof(std::uint64_t));
        std::memset(table.data(), 1, table.size());
        auto const* const word = reinterpret_cast<std::uint64_t const*>(table.data());
        auto const places = random_places(reads, static_cast<std::uint32_t>(words));
        roofline.gather_s = median_seconds([&] {
                                std::uint64_t sum = 0;
                                for (std::uint32_t const p : places) sum += word[p];
                                keep(sum);
                            }) /
                            reads;
    }
    {
        std::vector<std::uint16_t> counter(std::max<std::size_t>(counters, 1));
        auto const places = random_places(reads, static_cast<std::uint32_t>(counter.size()));
        roofline.increment_s = median_seconds([&] {
                                   for (std::uint32_t const p : places) ++counter[p];
                                   keep(counter[0]);
                               }) /
                               reads;
        roofline.read_back_s = median_seconds([&] {
                                   std::uint32_t largest = 0;
                                   for (std::uint32_t const p : places)
                                       largest = std::max<std::uint32_t>(largest, counter[p]);
                                   keep(largest);
                               }) /
                               reads;
    }
    {
        std::uint64_t m = 0;
        if (ranks <= 0x10000) roofline.draw_s = time_permutations<std::uint16_t>(ranks, m);
        else roofline.draw_s = time_permutations<std::uint32_t>(ranks, m);
        std::vector<std::uint32_t> draws(PermutationDraws::chunk);
        roofline.draw_alone_s =
            median_seconds([&] {
                for (int k = 0; k < 1024; ++k)
                    PermutationDraws(1, Stream::mapping, ++m, 1u << 20).draw(0, PermutationDraws::chunk, draws.data());
                keep(draws[0]);
            }) /
            (1024.0 * PermutationDraws::chunk);
    }
    return roofline;
}

double measure_copy_bandwidth() {
    constexpr std::size_t bytes = std::size_t{64} << 20;
    static double const rate = [] {
        HugeBuffer from(bytes), to(bytes);
        std::memset(from.data(), 1, bytes);
        std::memset(to.data(), 2, bytes);
        return double(bytes) / median_seconds([&] {
                   std::memcpy(to.data(), from.data(), bytes);
                   keep(to.data()[0]);
               });
    }();
    return rate;
}

}  // namespace tailback::bench
