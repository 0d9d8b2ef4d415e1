// Which team a GPU uses follows from sizes alone: the smallest kind that fits, with as much as it may ask for and no
// more.
#include "kernels/shape.hpp"

#include "kernels/common/permutation.hpp"
#include "tests/support/oracle/dice.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

namespace tailback::cuda_shape_test {
namespace {

constexpr DeviceLimits h200{132, 227 << 10, 228 << 10, 1 << 10, 50 << 20, 16};
constexpr DeviceLimits a100{108, 163 << 10, 164 << 10, 1 << 10, 40 << 20, 1};

/// A full three-level tree of so many hosts, `bisect`: four links between switches a host.
TeamNeeds needs_of_tree(std::uint32_t hosts, std::uint32_t counter_bytes = 1) {
    TeamNeeds needs;
    std::size_t const places = 2 * std::size_t{hosts} + 8;
    needs.counters = 4 * std::size_t{hosts} * counter_bytes;
    needs.warp = needs.counters + places + 512;
    needs.block = needs.counters + places;
    needs.tables = 13 * std::size_t{hosts};
    needs.work = hosts;
    needs.warp_exists = needs.cluster_exists = true;
    needs.narrow_places = hosts <= 65536;
    return needs;
}

TEST(CudaShape, GoesFromWarpToGlobalAsStudiesGrow) {
    auto const kind = [](std::uint32_t hosts, DeviceLimits const& limits, std::uint32_t bytes = 1) {
        return choose_cuda_shape(needs_of_tree(hosts, bytes), limits).kind;
    };
    for (std::uint32_t const hosts : {2u, 128u, 648u, 1142u}) {
        EXPECT_EQ(kind(hosts, h200), CudaTeamKind::warp) << hosts;
        EXPECT_EQ(kind(hosts, a100), CudaTeamKind::warp) << hosts;
    }
    EXPECT_EQ(kind(11664, h200), CudaTeamKind::block);
    EXPECT_EQ(kind(11664, a100), CudaTeamKind::block);
    EXPECT_EQ(kind(65536, h200), CudaTeamKind::cluster);
    EXPECT_EQ(kind(65536, a100), CudaTeamKind::global);
    EXPECT_EQ(kind(524288, h200), CudaTeamKind::cluster);
    EXPECT_EQ(kind(524288, h200, 4), CudaTeamKind::global);
    EXPECT_EQ(kind(10'000'000, h200), CudaTeamKind::global);
}

TEST(CudaShape, AWarpAMappingAt1142HostsFillsAMultiprocessor) {
    CudaShape const shape = choose_cuda_shape(needs_of_tree(1142), h200);
    EXPECT_TRUE(shape.tables_in_shared);
    EXPECT_GE(shape.teams_a_block, 26u);
    EXPECT_EQ(shape.threads, 32 * shape.teams_a_block);
    EXPECT_EQ(shape.blocks_wanted, h200.multiprocessors);
    EXPECT_GE(choose_cuda_shape(needs_of_tree(1142, 2), h200).teams_a_block, 17u);
}

/// All warps of a block share sums of links, where these cost no more than a quarter of the warps.
TEST(CudaShape, WarpsShareSumsOfLinksWhereThatCostsFewWarps) {
    TeamNeeds needs = needs_of_tree(1142);
    CudaShape const without = choose_cuda_shape(needs, h200);
    EXPECT_FALSE(without.near_sums);
    needs.near_sums = 16 << 10;
    CudaShape const with = choose_cuda_shape(needs, h200);
    EXPECT_EQ(with.kind, CudaTeamKind::warp);
    EXPECT_TRUE(with.near_sums);
    EXPECT_LT(with.teams_a_block, without.teams_a_block);
    EXPECT_GE(4 * with.teams_a_block, 3 * without.teams_a_block);
    EXPECT_EQ(with.shared_bytes, with.teams_a_block * needs.warp + needs.tables + needs.near_sums);
    EXPECT_LE(with.shared_bytes + 800, h200.shared_a_block);
    EXPECT_EQ(cuda_shape_of(CudaTeamKind::warp, needs, h200, {.teams_a_block = 3}).shared_bytes,
              3 * needs.warp + needs.tables + needs.near_sums);
    needs.near_sums = 100 << 10;
    CudaShape const far = choose_cuda_shape(needs, h200);
    EXPECT_FALSE(far.near_sums);
    EXPECT_EQ(far.teams_a_block, without.teams_a_block);
    EXPECT_EQ(far.shared_bytes, without.shared_bytes);
}

/// The histograms of an all-to-all always lie in shared memory, its loads where both fit.
TEST(CudaShape, AnAllToAllsLoadsAreInSharedMemoryWhereTheyFit) {
    std::size_t const room = h200.shared_a_block - 800;
    for (std::size_t const loads : {std::size_t{100}, room - 4096, room - 4095, std::size_t{1} << 20}) {
        CudaShape const shape = all_to_all_shape(needs_of_tree(1142), h200, 4096, loads);
        EXPECT_EQ(shape.kind, CudaTeamKind::global);
        EXPECT_EQ(shape.loads_in_shared, loads <= room - 4096);
        EXPECT_EQ(shape.shared_bytes, 4096 + (shape.loads_in_shared ? loads : 0));
    }
}

/// Two blocks of 512 threads do more than two of 256 that leave room for a third that does not fit; what room is left
/// goes to claims.
TEST(CudaShape, ABlockAMappingAt11664HostsFillsAMultiprocessor) {
    TeamNeeds needs = needs_of_tree(11664);
    needs.tables = 0;
    CudaShape const shape = choose_cuda_shape(needs, h200);
    EXPECT_EQ(shape.threads, 512u);
    EXPECT_EQ(shape.blocks_wanted, 2 * h200.multiprocessors);
    EXPECT_EQ(blocks_side_by_side(shape.shared_bytes, h200), 2u);
    EXPECT_GT(shape.claims, claim_cells(shape.threads));
    EXPECT_LT(blocks_side_by_side(shape.shared_bytes + shape.claims * 4, h200),
              shape.claims < 32 * shape.threads ? 2u : 99u);
}

/// As 11,664 hosts are in truth, with rows as sums: 98 KB of tables beside two blocks, of the 256 KB that shared memory
/// and first cache are together.
TEST(CudaShape, TheFirstCacheHoldsTablesWhereThatCostsFewThreads) {
    TeamNeeds needs = needs_of_tree(11664);
    needs.block = 42'592;
    needs.tables = 98 << 10;
    CudaShape const shape = choose_cuda_shape(needs, h200);
    EXPECT_EQ(shape.kind, CudaTeamKind::block);
    EXPECT_EQ(shape.threads, 512u);
    EXPECT_EQ(shape.blocks_wanted, 2 * h200.multiprocessors);
    EXPECT_LE(2 * shared_of_block(shape.shared_bytes, h200), std::size_t{132} << 10);  // a step, 124 KB below 256
    needs.tables = 300 << 10;  // more than there is: as many threads as without
    CudaShape const far = choose_cuda_shape(needs, h200);
    EXPECT_GE(far.blocks_wanted / h200.multiprocessors * far.threads, 1024u);
    EXPECT_GT(far.blocks_wanted, shape.blocks_wanted);
    needs.tables = 20 << 10;  // what shared memory leaves in any case
    EXPECT_EQ(choose_cuda_shape(needs, h200).blocks_wanted, far.blocks_wanted);
    needs.tables = 98 << 10;
    needs.near_sums = 70 << 10;  // sums, too, have their room beside the tables, or threads go before tables
    CudaShape const sums = choose_cuda_shape(needs, h200);
    EXPECT_LE(sums.blocks_wanted / h200.multiprocessors * shared_of_block(sums.shared_bytes, h200),
              h200.shared_a_multiprocessor);
}

TEST(CudaShape, TheSmallestClusterThatHoldsTheCounters) {
    EXPECT_EQ(choose_cuda_shape(needs_of_tree(65536), h200).blocks_a_team, 2u);
    EXPECT_EQ(choose_cuda_shape(needs_of_tree(65536, 2), h200).blocks_a_team, 4u);
    EXPECT_EQ(choose_cuda_shape(needs_of_tree(262144), h200).blocks_a_team, 8u);
    EXPECT_EQ(choose_cuda_shape(needs_of_tree(524288), h200).blocks_a_team, 16u);
    DeviceLimits portable = h200;
    portable.largest_cluster = 8;
    EXPECT_EQ(choose_cuda_shape(needs_of_tree(524288), portable).kind, CudaTeamKind::global);
}

/// Places of several mappings wait to be evaluated: as many as keep both kernels busy, more where they fit the L2,
/// fewer where they would take more than 2 GiB, but one for each team at least.
TEST(CudaShape, PlacesInFlightKeepBothKernelsBusy) {
    std::size_t const bytes = 4 * 65536;
    std::uint32_t const at_65536 = mappings_placed_at_once(132, 66, bytes, h200);  // clusters of two
    EXPECT_EQ(at_65536, 132u);
    EXPECT_LE(at_65536 * bytes, h200.l2_bytes / 4 * 3);
    EXPECT_EQ(mappings_placed_at_once(132, 132, bytes, h200), 132u);
    EXPECT_EQ(mappings_placed_at_once(264, 132, bytes, h200), 264u);  // more than the L2
    EXPECT_EQ(mappings_placed_at_once(264, 8, 4 * 524288, h200), 264u);
    EXPECT_EQ(mappings_placed_at_once(264, 8, std::size_t{40} << 20, h200), 48u);  // 51 would take 2 GiB
    EXPECT_EQ(mappings_placed_at_once(264, 8, std::size_t{1} << 30, h200), 8u);
    EXPECT_EQ(mappings_placed_at_once(264, 132, 4, h200), (std::uint32_t{1} << 14) / 264 * 264);
}

/// What is launched is never more than what a device takes, whatever the sizes are; and kinds that are chosen fit.
TEST(CudaShape, NeverAsksForMoreThanThereIs) {
    Dice dice;
    for (int i = 0; i < 20000; ++i) {
        DeviceLimits const& limits = i % 2 ? h200 : a100;
        TeamNeeds needs;
        std::uint32_t const scale = 1u << dice(22);
        needs.counters = 4 + dice(4 * scale);
        needs.besides_counters = dice(3) == 0 ? dice(1024) : 0;
        needs.block = needs.counters + needs.besides_counters + dice(2 * scale);
        needs.warp = needs.block + 512;
        needs.tables = dice(2) ? dice(13 * scale + 1) : 0;
        needs.work = 1 + dice(scale);
        needs.warp_exists = dice(4) != 0;
        needs.cluster_exists = dice(4) != 0;
        needs.narrow_places = scale <= 65536;
        CudaShape const best = choose_cuda_shape(needs, limits);
        EXPECT_TRUE(cuda_kind_fits(best.kind, needs, limits));
        for (CudaTeamKind const kind :
             {CudaTeamKind::warp, CudaTeamKind::block, CudaTeamKind::cluster, CudaTeamKind::global}) {
            if (!cuda_kind_fits(kind, needs, limits)) continue;
            CudaShape const shape = cuda_shape_of(kind, needs, limits);
            EXPECT_EQ(shape.kind, kind);
            EXPECT_LE(shape.shared_bytes + 800, limits.shared_a_block);
            EXPECT_GE(shape.threads, 32u);
            EXPECT_LE(shape.threads, 1024u);
            EXPECT_EQ(shape.threads % 32, 0u);
            EXPECT_GE(shape.blocks_wanted, 1u);
            EXPECT_EQ(shape.blocks_wanted % shape.blocks_a_team, 0u);
            EXPECT_LE(shape.blocks_a_team, limits.largest_cluster);
            if (kind == CudaTeamKind::block) {
                EXPECT_GE(shape.claims, claim_cells(shape.threads));
                EXPECT_EQ(shape.claims & (shape.claims - 1), 0u);
                EXPECT_LE(shape.blocks_wanted / limits.multiprocessors * shape.threads, 1024u);
            }
            if (kind == CudaTeamKind::warp) {
                EXPECT_GE(shape.shared_bytes,
                          shape.teams_a_block * needs.warp + (shape.tables_in_shared ? needs.tables : 0));
                EXPECT_EQ(shape.threads, 32 * shape.teams_a_block);
            }
            std::size_t const least = kind == CudaTeamKind::block
                                          ? needs.block + target_words(shape.threads, shape.claims) * 4
                                      : kind == CudaTeamKind::cluster ? needs.counters / shape.blocks_a_team
                                                                      : 0;
            EXPECT_GE(shape.shared_bytes, least);
        }
    }
}

/// What a test or a benchmark asks for is met where it can be, and the rest is made to suit it.
TEST(CudaShape, WishesAreMetWhereTheyFit) {
    TeamNeeds const small = needs_of_tree(1142), large = needs_of_tree(11664), huge = needs_of_tree(65536);
    CudaShape const warps = cuda_shape_of(CudaTeamKind::warp, small, h200, {.turns = 3, .teams_a_block = 16});
    EXPECT_EQ(warps.turns, 3u);
    EXPECT_EQ(warps.teams_a_block, 16u);
    EXPECT_EQ(warps.threads, 512u);
    CudaShape const most = cuda_shape_of(CudaTeamKind::warp, small, h200);
    EXPECT_EQ(cuda_shape_of(CudaTeamKind::warp, small, h200, {.teams_a_block = 1000}).teams_a_block,
              most.teams_a_block);
    for (std::uint32_t const threads : {256u, 512u, 1024u}) {
        CudaShape const block = cuda_shape_of(CudaTeamKind::block, large, h200, {.threads = threads});
        EXPECT_EQ(block.threads, threads);
        EXPECT_GE(block.shared_bytes, large.block + target_words(threads, block.claims) * 4);
        std::uint32_t const side_by_side = block.blocks_wanted / h200.multiprocessors;
        EXPECT_GE(side_by_side, 1u);
        EXPECT_LE(side_by_side, std::max(1u, blocks_side_by_side(block.shared_bytes, h200)));
    }
    CudaShape const claims = cuda_shape_of(CudaTeamKind::block, large, h200, {.claims = 4096});
    EXPECT_EQ(claims.claims, 4096u);
    EXPECT_EQ(cuda_shape_of(CudaTeamKind::cluster, huge, h200).blocks_a_team, 2u);
    CudaShape const cluster = cuda_shape_of(CudaTeamKind::cluster, huge, h200, {.blocks_a_team = 4});
    EXPECT_EQ(cluster.blocks_a_team, 4u);
    EXPECT_EQ(cluster.blocks_wanted % 4, 0u);
    EXPECT_LT(cluster.shared_bytes, cuda_shape_of(CudaTeamKind::cluster, huge, h200).shared_bytes);
}

/// Blocks that share links: as many as fit a multiprocessor, of 768 threads in all and 256 a block at most, and no more
/// than there are flows; beyond shared memory one block a multiprocessor or two, by what L2 holds.
TEST(CudaShape, OfBlocksThatShareLinks) {
    struct {
        std::size_t bytes;
        std::uint32_t flows, blocks, threads;
    } const cases[] = {
        {38832, 576, 5, 128}, {112752, 1142, 2, 256}, {16, 5000, 12, 64}, {16, 20, 12, 32}, {200 << 10, 200, 1, 224}};
    for (auto const& one : cases) {
        std::optional<CudaShape> const shape = sharing_shape(true, one.bytes, one.flows, h200);
        ASSERT_TRUE(shape.has_value()) << one.bytes;
        EXPECT_EQ(shape->kind, CudaTeamKind::block);
        EXPECT_EQ(shape->threads, one.threads) << one.bytes;
        EXPECT_EQ(shape->blocks_wanted, one.blocks * h200.multiprocessors) << one.bytes;
        EXPECT_EQ(shape->shared_bytes, one.bytes);
        EXPECT_EQ(shape->turns, 1u);
    }
    EXPECT_FALSE(sharing_shape(true, 227 << 10, 1000, h200).has_value());
    EXPECT_TRUE(sharing_shape(true, 112752, 1142, a100).has_value());
    EXPECT_FALSE(sharing_shape(true, 163 << 10, 1142, a100).has_value());
    EXPECT_EQ(sharing_shape(true, 38832, 576, h200, {.threads = 64})->threads, 64u);
    CudaShape const few = sharing_shape(false, 400 << 20, 100'000, h200).value();
    EXPECT_EQ(few.kind, CudaTeamKind::global);
    EXPECT_EQ(few.shared_bytes, 0u);
    EXPECT_EQ(few.threads, 384u);
    EXPECT_EQ(few.blocks_wanted, h200.multiprocessors / 2);
    EXPECT_EQ(sharing_shape(false, 1 << 10, 100'000, h200)->blocks_wanted, 2 * h200.multiprocessors);
    EXPECT_EQ(sharing_shape(false, 1 << 10, 40, h200)->threads, 64u);
}

/// What classes pass on: two blocks a multiprocessor while these have more warps than one, and shared memory while four
/// warps fit it, or as many as there are classes.
TEST(CudaShape, EqualDivisionTakesSharedMemoryWhileFourWarpsFit) {
    auto const warps = [](std::size_t bytes, std::uint32_t classes) {
        std::optional<CudaShape> const shape = division_shape(true, bytes, classes, h200);
        return shape ? std::pair(shape->blocks_wanted / h200.multiprocessors, shape->threads / 32) : std::pair(0u, 0u);
    };
    constexpr std::size_t aside = 800, room = (227 << 10) - aside, half = (228 << 10) / 2 - (1 << 10) - aside;
    EXPECT_EQ(warps(256, 96), std::pair(2u, 16u));
    EXPECT_EQ(warps(half / 16, 96), std::pair(2u, 16u));
    EXPECT_EQ(warps(half / 16 + 1, 96), std::pair(2u, 15u));
    EXPECT_EQ(warps(half / 8 + 1, 96), std::pair(1u, 16u));  // two of 7 are fewer
    EXPECT_EQ(warps(room / 4, 96), std::pair(1u, 4u));
    EXPECT_EQ(warps(room / 4 + 1, 96), std::pair(0u, 0u));
    EXPECT_EQ(warps(room, 1), std::pair(1u, 1u));
    EXPECT_EQ(warps(room + 1, 1), std::pair(0u, 0u));
    EXPECT_EQ(warps(256, 3), std::pair(2u, 3u));
    std::optional<CudaShape> const shape = division_shape(true, 8 << 10, 96, h200);
    EXPECT_EQ(shape->kind, CudaTeamKind::block);
    EXPECT_EQ(shape->shared_bytes, shape->threads / 32 * (8 << 10));
    EXPECT_EQ(shape->teams_a_block, 32u);
    EXPECT_EQ(division_shape(false, 256, 96, h200)->kind, CudaTeamKind::global);
    EXPECT_EQ(division_shape(false, 256, 96, h200, {.threads = 96})->threads, 96u);
}

}  // namespace
}  // namespace tailback::cuda_shape_test
