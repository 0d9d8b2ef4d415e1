// Permutations that warps draw, in each way of finding out who aims where, are those of the definition.
#include <cuda_runtime.h>

#include "kernels/common/permutation.hpp"
#include "kernels/cuda/memory.cuh"
#include "kernels/cuda/team.cuh"
#include "tests/emulated_gpu/emulated_gpu.hpp"
#include "tests/support/oracle/oracle.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

namespace tailback::lanes_test {
namespace {

/// Permutations 0, 1, .. of one seed, one after the other in the same scratch.
template <FindBy by>
__global__ void draw_kernel(std::uint32_t size, std::uint32_t steps, std::uint32_t count, std::uint32_t* targets,
                            std::uint16_t* orders) {
    LaneTeam<by> team;
    for (std::uint32_t m = 0; m < count; ++m) {
        draw_permutation(team, Draw{std::uint64_t{7}, Stream::mapping, m, size, steps}, targets, orders + m * size);
        team.sync("drawn");
    }
}

template <FindBy by>
void expect_the_definitions(std::uint32_t size, std::uint32_t steps, std::uint32_t count) {
    emulated_gpu::reset();
    DeviceArray<std::uint32_t> const targets(target_words(32, claim_cells(32)));
    DeviceArray<std::uint16_t> const orders(count * size);
    launch(draw_kernel<by>, 1, 32, 0, nullptr, size, steps, count, targets.data(), orders.data());
    std::vector<std::uint16_t> drawn(count * size);
    orders.fetch(drawn.data());
    for (std::uint32_t m = 0; m < count; ++m) {
        auto const want = oracle::permutation(7, std::uint32_t(Stream::mapping), m, size, steps);
        EXPECT_TRUE(std::equal(want.begin(), want.begin() + steps, drawn.begin() + m * size))
            << size << " places, " << steps << " steps, permutation " << m;
    }
}

TEST(LanesOnEmulatedGpu, DrawTheDefinitionsPermutations) {
    for (std::uint32_t const size : {1u, 2u, 5u, 31u, 32u, 33u, 64u, 127u, 128u, 129u, 300u, 1142u}) {
        expect_the_definitions<FindBy::cells>(size, size, 6);
        expect_the_definitions<FindBy::match>(size, size, 6);
        expect_the_definitions<FindBy::ballots>(size, size, 6);
    }
    for (std::uint32_t const size : {255u, 256u, 257u, 2047u, 2048u, 2049u, 5000u})  // where ballots are more
        expect_the_definitions<FindBy::ballots>(size, size, 2);
    expect_the_definitions<FindBy::cells>(1000, 40, 6);
    expect_the_definitions<FindBy::match>(1000, 40, 6);
    expect_the_definitions<FindBy::ballots>(1000, 40, 6);
}

}  // namespace
}  // namespace tailback::lanes_test
