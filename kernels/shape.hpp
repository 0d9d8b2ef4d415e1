// Which team evaluates a mapping on a GPU, and where its counters lie: chosen by size alone, in plain code that is
// tested without a GPU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace tailback::kernels {

/// From small to large studies.
enum class CudaTeamKind : std::uint8_t {
    warp,     ///< many teams a block, each with scratch of its own in shared memory
    block,    ///< scratch in the block's shared memory
    cluster,  ///< counters dealt over the shared memory of several blocks; places in global memory, drawn by another
              ///< kernel
    global,   ///< a block whose counters lie in global memory, that is in L2 while they fit; places as above
};

/// What of a device decides.
struct DeviceLimits {
    std::uint32_t multiprocessors = 1;
    std::size_t shared_a_block = 48 << 10;  ///< at most, when asked for
    std::size_t shared_a_multiprocessor = 48 << 10;
    std::size_t shared_kept_back = 1 << 10;  ///< of each block, by the system
    std::size_t l2_bytes = 4 << 20;
    std::uint32_t largest_cluster = 1;  ///< blocks; 1: no clusters
};

/// What of a study decides, in bytes a team.
struct TeamNeeds {
    std::size_t hot_warp = 0;          ///< of a warp that keeps routes; 0: there is no kernel for it
    std::size_t warp = 0;              ///< counters and places of 16 bits, and the rest, of a warp
    std::size_t block = 0;             ///< of a block, but for what grows with its threads (target_words)
    std::size_t counters = 0;          ///< alone
    std::size_t besides_counters = 0;  ///< what a block that does not draw needs but for the counters
    std::size_t tables = 0;            ///< of routes, small enough to be of use in near memory; 0: there are none
    std::size_t near_sums = 0;         ///< sums of links that a block may have to itself; 0: none are wanted
    std::uint32_t work = 0;            ///< flows of the largest level, or ranks if they are more
    bool warp_exists = false;          ///< there are kernels for it
    bool cluster_exists = false;
    bool narrow_places = false;  ///< seats and ranks fit 16 bits, delays 32, so that they may lie in shared memory
};

/// How the kernels are started.
struct CudaShape {
    CudaTeamKind kind = CudaTeamKind::global;
    std::uint32_t threads = 32;  ///< of a block
    std::uint32_t teams_a_block = 1;
    std::uint32_t blocks_a_team = 1;  ///< of a cluster
    std::uint32_t blocks_wanted = 1;  ///< on the whole device; no more than it holds at once
    /// Blocks that come after each other in one place: often enough that urgent kernels find room, and so seldom that
    /// their beginnings do not show.
    std::uint32_t turns = 8;
    std::uint32_t claims = 0;      ///< cells of a block that draws
    std::size_t shared_bytes = 0;  ///< dynamic, a block
    bool tables_in_shared = false;
    bool loads_in_shared = false;  ///< of an all-to-all, in place of global memory
    bool hot = false;              ///< warps keep routes
    bool near_sums = false;        ///< a block sums up its links in shared memory, those of all its warps
};

/// What a test or a benchmark asks for in place of what is best; 0: no wish.
struct ShapeWishes {
    std::uint32_t turns = 0;          ///< blocks after each other in one place of a multiprocessor
    std::uint32_t teams_a_block = 0;  ///< warps, of the kind `warp`; no more than fit
    std::uint32_t threads = 0;        ///< of a block, of the other kinds
    std::uint32_t claims = 0;         ///< cells of a block that draws, of the kind `block`; a power of two
    std::uint32_t side_by_side = 0;   ///< blocks of a multiprocessor, of the kind `block`
    std::uint32_t blocks_a_team = 0;  ///< of a cluster; a power of two, no less than the counters need
};

/// Threads of a block that has a mapping of so much work to itself, `blocks` of which share a multiprocessor.
std::uint32_t threads_for(std::uint32_t work, std::uint32_t blocks);

/// Cells for the claims of a block that draws, `blocks` of which share a multiprocessor: as many as leave room for
/// them.
/// @param bytes shared memory of a block but for the cells
std::uint32_t claims_that_fit(std::size_t bytes, std::uint32_t threads, std::uint32_t blocks,
                              DeviceLimits const& limits);

/// What a block of so much dynamic shared memory takes of a multiprocessor's.
std::size_t shared_of_block(std::size_t bytes, DeviceLimits const& limits);

/// How many blocks of so much dynamic shared memory share a multiprocessor, as far as memory goes; 0: not one fits.
std::uint32_t blocks_side_by_side(std::size_t bytes, DeviceLimits const& limits);

/// For kinds whose places are drawn by a kernel of its own: so many mappings at once that neither its blocks nor the
/// teams that evaluate are idle; more where their places leave room in L2 for the rest, fewer where they would take
/// more than 2 GiB. Places that do not fit L2 cost less than idle blocks: an H200 draws 31,900 permutations of 524,288
/// a second with all its blocks, and seven of them held a study down to 3,270 mappings a second.
/// @param bytes places of a mapping
std::uint32_t mappings_placed_at_once(std::uint32_t place_blocks, std::uint32_t teams, std::size_t bytes,
                                      DeviceLimits const& limits);

/// Whether a shape of this kind can be, whatever is best; used by tests to try them all.
bool cuda_kind_fits(CudaTeamKind kind, TeamNeeds const& needs, DeviceLimits const& limits);

/// The shape of one kind. Needs: it fits.
CudaShape cuda_shape_of(CudaTeamKind kind, TeamNeeds const& needs, DeviceLimits const& limits,
                        ShapeWishes const& wishes = {});

/// The shape of an all-to-all whose flows are not listed: of the kind `global`, with its histograms in shared memory,
/// and its loads, too, where they fit.
CudaShape all_to_all_shape(TeamNeeds const& needs, DeviceLimits const& limits, std::size_t histograms,
                           std::size_t loads);

/// The best kind that fits:
///   warp     that keeps routes, while 24 of them fit a multiprocessor: reading back is a tenth of the work then;
///   warp     while 8 of them fit a multiprocessor: no barrier of theirs holds up another warp, and a permutation is
///   drawn without
///            memory traffic but its swaps;
///   block    while its counters and places fit shared memory;
///   cluster  while the counters fit the shared memory of so many blocks: an atomic there costs a fraction of one in
///   L2, and the
///            chip's L2 holds no more than a few such mappings;
///   global   beyond.
CudaShape choose_cuda_shape(TeamNeeds const& needs, DeviceLimits const& limits, ShapeWishes const& wishes = {});

/// Most threads of a block that shares links in shared memory, and in global memory.
inline constexpr std::uint32_t near_sharing_threads = 256, far_sharing_threads = 384;

/// Of blocks that share the contended links of a mapping.
/// @param bytes what a block knows; in shared memory, or in global memory
/// @param flows of the largest level
/// @return none where shared memory does not hold one block
std::optional<CudaShape> sharing_shape(bool in_shared, std::size_t bytes, std::uint32_t flows,
                                       DeviceLimits const& limits, ShapeWishes const& wishes = {});

/// Most threads of a block that divides the flows of 32 mappings.
inline constexpr std::uint32_t most_division_threads = 512;

/// Of blocks that divide flows equally: as many warps as have classes to work at, and as fit shared memory, one or two
/// blocks a multiprocessor.
/// @param in_shared what classes pass on lies in shared memory, else in global memory
/// @param bytes of shared memory a warp
/// @param classes of destinations, which warps share
/// @return none where shared memory holds too few warps for it to be worth it
std::optional<CudaShape> division_shape(bool in_shared, std::size_t bytes, std::uint32_t classes,
                                        DeviceLimits const& limits, ShapeWishes const& wishes = {});

}  // namespace tailback::kernels
