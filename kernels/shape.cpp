#include "kernels/shape.hpp"

#include "kernels/common/permutation.hpp"

#include <algorithm>

namespace tailback::kernels {
namespace {

constexpr std::uint32_t fewest_warps = 8;     ///< a multiprocessor: two for each of its schedulers
constexpr std::uint32_t fewest_hot = 24;      ///< below, latency shows more than reading back saves
constexpr std::uint32_t most_warps = 32;      ///< a block of 1,024 threads
constexpr std::uint32_t most_blocks = 32;     ///< a multiprocessor
constexpr std::uint32_t most_threads = 1024;  ///< a multiprocessor, of 64 registers each
constexpr std::uint32_t most_cells = 32;      ///< a thread: beyond, hardly a claim meets another by chance
constexpr std::size_t static_bytes = 800;     ///< a block's words for its collectives, beside the dynamic memory

std::size_t room_of_block(DeviceLimits const& limits) {
    return limits.shared_a_block - std::min(limits.shared_a_block, static_bytes);
}

std::size_t bytes_of_block(TeamNeeds const& needs, std::uint32_t threads) {
    return needs.block + target_words(threads, claim_cells(threads)) * sizeof(std::uint32_t);
}

/// Tables that all warps of a block share are worth a third of the memory that would hold warps.
bool share_tables(TeamNeeds const& needs, DeviceLimits const& limits) {
    return needs.tables > 0 && needs.tables <= room_of_block(limits) / 3;
}

/// @param shared bytes of what all warps of a block share
std::uint32_t warps_beside(std::size_t shared, std::size_t bytes, DeviceLimits const& limits) {
    std::size_t const room = room_of_block(limits) - std::min(room_of_block(limits), shared);
    return static_cast<std::uint32_t>(std::min<std::size_t>(most_warps, room / std::max<std::size_t>(bytes, 1)));
}
std::size_t shared_tables(TeamNeeds const& needs, DeviceLimits const& limits) {
    return share_tables(needs, limits) ? needs.tables : 0;
}
std::uint32_t warps_a_block(std::size_t bytes, TeamNeeds const& needs, DeviceLimits const& limits) {
    return warps_beside(shared_tables(needs, limits), bytes, limits);
}

/// The smallest cluster whose blocks hold the counters; 0: none does.
std::uint32_t blocks_of_cluster(TeamNeeds const& needs, DeviceLimits const& limits) {
    for (std::uint32_t blocks = 2; blocks <= limits.largest_cluster; blocks *= 2)
        if (needs.counters / blocks + 31 + needs.besides_counters + static_bytes <= room_of_block(limits))
            return blocks;  // their collectives take words by turns
    return 0;
}

}  // namespace

std::size_t shared_of_block(std::size_t bytes, DeviceLimits const& limits) {
    return bytes + static_bytes + limits.shared_kept_back;
}

std::uint32_t blocks_side_by_side(std::size_t bytes, DeviceLimits const& limits) {
    if (bytes > room_of_block(limits)) return 0;
    return static_cast<std::uint32_t>(limits.shared_a_multiprocessor / shared_of_block(bytes, limits));
}

std::uint32_t claims_that_fit(std::size_t bytes, std::uint32_t threads, std::uint32_t blocks,
                              DeviceLimits const& limits) {
    std::uint32_t cells = claim_cells(threads);
    while (2 * cells <= most_cells * threads &&
           blocks_side_by_side(bytes + 2 * cells * sizeof(std::uint32_t), limits) >= blocks)
        cells *= 2;
    return cells;
}

std::uint32_t threads_for(std::uint32_t work, std::uint32_t blocks) {
    std::uint32_t const fill =
        std::max(128u, 1024 / std::max(blocks, 1u) / 128 * 128);  // the chip hides latency with 1,024 threads
    return std::clamp((work + 31) / 32 * 32, 32u, fill);
}

std::uint32_t mappings_placed_at_once(std::uint32_t place_blocks, std::uint32_t teams, std::size_t bytes,
                                      DeviceLimits const& limits) {
    constexpr std::size_t most = 1 << 14, most_bytes = std::size_t{2} << 30;
    bytes = std::max<std::size_t>(bytes, 1);
    std::size_t const in_l2 = std::min(limits.l2_bytes / 4 * 3 / bytes, most);
    std::size_t const rounds = std::max<std::size_t>(1, (place_blocks + teams - 1) / teams);  // of all teams
    std::size_t const step = rounds * teams;
    if (in_l2 >= step) return static_cast<std::uint32_t>(in_l2 / step * step);
    return static_cast<std::uint32_t>(std::min(step, std::max<std::size_t>(1, most_bytes / bytes / teams) * teams));
}

bool cuda_kind_fits(CudaTeamKind kind, TeamNeeds const& needs, DeviceLimits const& limits) {
    switch (kind) {
        case CudaTeamKind::warp:
            return needs.warp_exists && needs.narrow_places && warps_a_block(needs.warp, needs, limits) >= 1;
        case CudaTeamKind::block: return needs.narrow_places && bytes_of_block(needs, 32) <= room_of_block(limits);
        case CudaTeamKind::cluster: return needs.cluster_exists && blocks_of_cluster(needs, limits) > 0;
        case CudaTeamKind::global: return true;
    }
    return false;
}

namespace {

/// Of the kind `block`.
struct SideBySide {
    std::uint32_t blocks = 0;  ///< of a multiprocessor
    std::uint32_t threads = 32;
    std::uint32_t at_work() const { return blocks * threads; }
};

/// More threads need more room for drawing: so many blocks that most threads are at work.
SideBySide most_at_work(TeamNeeds const& needs, std::size_t sums, DeviceLimits const& limits) {
    SideBySide best;
    auto const fit = [&](std::uint32_t threads) {
        return blocks_side_by_side(bytes_of_block(needs, threads) + sums, limits);
    };
    for (std::uint32_t blocks = std::clamp(fit(32), 1u, most_blocks); blocks >= 1; --blocks) {
        std::uint32_t threads = threads_for(needs.work, blocks);
        while (threads > 32 && fit(threads) < blocks) threads -= 32;
        if (blocks > 1 && blocks * threads > most_threads) continue;  // they would not be there at once
        if (blocks * threads > best.at_work()) best = {blocks, threads};
    }
    return best;
}

/// The device as it is where the first cache is to hold so many bytes: it has what shared memory leaves, which comes in
/// steps. No shared memory where they do not fit.
DeviceLimits beside_cached(std::size_t bytes, DeviceLimits limits) {
    constexpr std::size_t kib = 1 << 10, steps[] = {8, 16, 32, 64, 100, 132, 164, 196, 228};
    std::size_t const both = limits.shared_a_multiprocessor + 28 * kib;  // of sm_80 and sm_90
    std::size_t left = 0;
    for (std::size_t const step : steps)
        if (step * kib <= limits.shared_a_multiprocessor && step * kib + bytes <= both) left = step * kib;
    limits.shared_a_multiprocessor = left;
    return limits;
}

/// Tables that the first cache holds are worth up to a quarter of the threads: an H200 does 4.3 million mappings a
/// second of 11,664 hosts with two blocks of 512 threads, and 2.4 million with four of 256 that leave their tables to
/// L2.
void shape_block(CudaShape& shape, TeamNeeds const& needs, DeviceLimits const& device, ShapeWishes const& wishes) {
    DeviceLimits limits = device;
    SideBySide chosen = most_at_work(needs, 0, device);
    DeviceLimits const beside = beside_cached(needs.tables, device);
    SideBySide const caching = most_at_work(needs, needs.near_sums, beside);
    if (needs.tables > 0 && 4 * caching.at_work() >= 3 * chosen.at_work()) chosen = caching, limits = beside;
    if (wishes.threads > 0) {
        limits = device;
        chosen.threads = wishes.threads;
        chosen.blocks = std::clamp(blocks_side_by_side(bytes_of_block(needs, wishes.threads), limits), 1u,
                                   std::max(1u, 2 * most_threads / wishes.threads));
    }
    if (wishes.side_by_side > 0) chosen.blocks = std::min(chosen.blocks, wishes.side_by_side);
    shape.threads = chosen.threads;
    std::size_t const bytes = needs.block + target_words(shape.threads, 0) * sizeof(std::uint32_t);
    std::size_t const with_sums = bytes + needs.near_sums;
    std::size_t const fewest_claims = claim_cells(shape.threads) * sizeof(std::uint32_t);
    shape.near_sums =
        needs.near_sums > 0 && blocks_side_by_side(with_sums + fewest_claims, limits) >= std::max(chosen.blocks, 1u);
    std::size_t const but_claims = shape.near_sums ? with_sums : bytes;
    shape.claims = claims_that_fit(but_claims, shape.threads, chosen.blocks, limits);
    if (wishes.claims > 0) shape.claims = std::max(wishes.claims, claim_cells(shape.threads));
    shape.shared_bytes = but_claims + shape.claims * sizeof(std::uint32_t);
    shape.blocks_wanted = device.multiprocessors * chosen.blocks;
}

/// Sums of links that all warps of a block share are worth a quarter of the warps: a mapping has a thousand links with
/// flows, and each is an addition of 64 bits in L2 otherwise.
void shape_warps(CudaShape& shape, TeamNeeds const& needs, DeviceLimits const& limits, ShapeWishes const& wishes) {
    shape.tables_in_shared = share_tables(needs, limits);
    shape.hot = needs.hot_warp > 0 && warps_a_block(needs.hot_warp, needs, limits) >= fewest_hot;
    std::size_t const bytes = shape.hot ? needs.hot_warp : needs.warp;
    std::size_t shared = shared_tables(needs, limits);
    shape.teams_a_block = warps_beside(shared, bytes, limits);
    if (needs.near_sums > 0) {
        std::uint32_t const with_sums = warps_beside(shared + needs.near_sums, bytes, limits);
        shape.near_sums = with_sums >= 1 && 4 * with_sums >= 3 * shape.teams_a_block;
        if (shape.near_sums) shape.teams_a_block = with_sums, shared += needs.near_sums;
    }
    if (wishes.teams_a_block > 0) shape.teams_a_block = std::min(shape.teams_a_block, wishes.teams_a_block);
    shape.threads = 32 * shape.teams_a_block;
    shape.shared_bytes = shape.teams_a_block * bytes + shared;
    shape.blocks_wanted = limits.multiprocessors * std::max(1u, blocks_side_by_side(shape.shared_bytes, limits));
}

}  // namespace

CudaShape cuda_shape_of(CudaTeamKind kind, TeamNeeds const& needs, DeviceLimits const& limits,
                        ShapeWishes const& wishes) {
    CudaShape shape;
    shape.kind = kind;
    if (wishes.turns > 0) shape.turns = wishes.turns;
    switch (kind) {
        case CudaTeamKind::warp: shape_warps(shape, needs, limits, wishes); break;
        case CudaTeamKind::block: shape_block(shape, needs, limits, wishes); break;
        case CudaTeamKind::cluster:
            shape.blocks_a_team = std::max(blocks_of_cluster(needs, limits), wishes.blocks_a_team);
            shape.threads = wishes.threads > 0 ? wishes.threads : threads_for(needs.work / shape.blocks_a_team, 1);
            shape.shared_bytes = (needs.counters / shape.blocks_a_team + 31) / 16 * 16 + needs.besides_counters;
            shape.blocks_wanted = limits.multiprocessors / shape.blocks_a_team * shape.blocks_a_team;
            break;
        case CudaTeamKind::global: {
            shape.threads = wishes.threads > 0 ? wishes.threads : threads_for(needs.work, 1);
            // As many teams as leave their counters in L2, but not so few that half of the chip is idle.
            std::size_t const in_l2 =
                limits.l2_bytes / std::max<std::size_t>(needs.counters + needs.besides_counters, 1);
            std::uint32_t const half = std::max(1u, limits.multiprocessors / 2);
            shape.blocks_wanted = static_cast<std::uint32_t>(
                std::clamp<std::size_t>(in_l2, half, 2 * std::size_t{limits.multiprocessors}));
            break;
        }
    }
    return shape;
}

CudaShape all_to_all_shape(TeamNeeds const& needs, DeviceLimits const& limits, std::size_t histograms,
                           std::size_t loads) {
    CudaShape shape = cuda_shape_of(CudaTeamKind::global, needs, limits);
    shape.loads_in_shared = histograms + loads <= room_of_block(limits);
    shape.shared_bytes = histograms + (shape.loads_in_shared ? loads : 0);
    return shape;
}

CudaShape choose_cuda_shape(TeamNeeds const& needs, DeviceLimits const& limits, ShapeWishes const& wishes) {
    bool const many_warps =
        cuda_kind_fits(CudaTeamKind::warp, needs, limits) && warps_a_block(needs.warp, needs, limits) >= fewest_warps;
    CudaTeamKind kind = CudaTeamKind::global;
    if (many_warps) kind = CudaTeamKind::warp;
    else if (cuda_kind_fits(CudaTeamKind::block, needs, limits)) kind = CudaTeamKind::block;
    else if (cuda_kind_fits(CudaTeamKind::cluster, needs, limits)) kind = CudaTeamKind::cluster;
    return cuda_shape_of(kind, needs, limits, wishes);
}

/// Rounds end at barriers: teams of 64 threads, and larger ones where fewer fit a multiprocessor.
std::optional<CudaShape> sharing_shape(bool in_shared, std::size_t bytes, std::uint32_t flows,
                                       DeviceLimits const& limits, ShapeWishes const& wishes) {
    constexpr std::uint32_t fewest = 64, at_work = 768;  // of a multiprocessor, of 80 registers each
    CudaShape shape;
    shape.turns = 1;  // memory is a block's
    std::uint32_t const useful = std::max(32u, (flows + 31) / 32 * 32);
    if (in_shared) {
        std::uint32_t const fit = std::min(blocks_side_by_side(bytes, limits), at_work / fewest);
        if (fit == 0) return std::nullopt;
        shape.kind = CudaTeamKind::block;
        shape.threads = std::clamp(at_work / fit / 32 * 32, fewest, near_sharing_threads);
        shape.shared_bytes = bytes;
        shape.blocks_wanted = limits.multiprocessors * fit;
    } else {
        shape.threads = far_sharing_threads;
        std::size_t const in_l2 = limits.l2_bytes / std::max<std::size_t>(bytes, 1);
        shape.blocks_wanted = static_cast<std::uint32_t>(std::clamp<std::size_t>(
            in_l2, std::max(1u, limits.multiprocessors / 2), 2 * std::size_t{limits.multiprocessors}));
    }
    std::uint32_t const most = in_shared ? near_sharing_threads : far_sharing_threads;
    shape.threads = wishes.threads > 0 ? std::min(wishes.threads, most) : std::min(shape.threads, useful);
    return shape;
}

std::optional<CudaShape> division_shape(bool in_shared, std::size_t bytes, std::uint32_t classes,
                                        DeviceLimits const& limits, ShapeWishes const& wishes) {
    constexpr std::uint32_t fewest = 4, lanes = 32;  // warps below which latency shows more than shared memory saves
    std::uint32_t const most = wishes.threads > 0 ? wishes.threads / lanes : most_division_threads / lanes,
                        useful = std::clamp(std::min(classes, most), 1u, most_division_threads / lanes);
    auto const fit = [&](std::uint32_t blocks) {  // warps of each
        std::uint32_t warps = useful;
        while (warps > 0 && blocks_side_by_side(warps * bytes, limits) < blocks) --warps;
        return warps;
    };
    CudaShape shape;
    shape.turns = 1;  // memory is a block's
    std::uint32_t const alone = fit(1), beside = fit(2), blocks = 2 * beside > alone ? 2 : 1;
    std::uint32_t const warps = blocks == 2 ? beside : alone;
    if (warps < std::min(fewest, useful)) return std::nullopt;
    shape.kind = in_shared ? CudaTeamKind::block : CudaTeamKind::global;
    shape.threads = warps * lanes;
    shape.teams_a_block = lanes;
    shape.shared_bytes = warps * bytes;
    shape.blocks_wanted = blocks * limits.multiprocessors;
    return shape;
}

}  // namespace tailback::kernels
