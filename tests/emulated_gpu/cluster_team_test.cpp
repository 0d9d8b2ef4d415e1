// Sums and largest values over the blocks of a cluster, one right after the other: each thread has the one over all
// threads, whichever block goes on first.
#include <cuda_runtime.h>

#include "kernels/cuda/memory.cuh"
#include "kernels/cuda/team.cuh"
#include "tests/emulated_gpu/emulated_gpu.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

namespace tailback::cluster_team_test {
namespace {

constexpr std::uint32_t threads = 64, rounds = 40;

/// wrong: how many results of threads are not those of the definition.
__global__ void gather_kernel(std::uint32_t* wrong) {
    __shared__ std::uint64_t words[2 * BlockTeam::exchange_words];
    ClusterTeam team(words);
    std::uint64_t const all = team.members(), me = team.member(), of_members = all * (all - 1) / 2;
    for (std::uint64_t r = 1; r <= rounds; ++r) {
        if (team.sum(r * me) != r * of_members) atomicAdd(wrong, 1u);
        if (team.max(1000 * r + me) != 1000 * r + all - 1) atomicAdd(wrong, 1u);
        std::uint64_t two[] = {me, r};
        team.sum_each(two);
        if (two[0] != of_members || two[1] != r * all) atomicAdd(wrong, 1u);
    }
    team.sync("before the blocks end");
}

TEST(ClusterTeamOnEmulatedGpu, GathersThatFollowEachOtherAreTheDefinitions) {
    for (unsigned const blocks : {2u, 4u, 8u}) {
        emulated_gpu::reset();
        auto const wrong = DeviceArray<std::uint32_t>::zeros(1);
        cudaLaunchAttribute cluster{};
        cluster.id = cudaLaunchAttributeClusterDimension;
        cluster.val.clusterDim = {blocks, 1, 1};
        cudaLaunchConfig_t config{};
        config.gridDim = dim3(blocks);
        config.blockDim = dim3(threads);
        config.attrs = &cluster;
        config.numAttrs = 1;
        ASSERT_EQ(cudaLaunchKernelEx(&config, gather_kernel, wrong.data()), cudaSuccess);
        std::uint32_t found = 1;
        wrong.fetch(&found);
        EXPECT_EQ(found, 0u) << blocks << " blocks";
    }
}

}  // namespace
}  // namespace tailback::cluster_team_test
