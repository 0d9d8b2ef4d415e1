// What a GPU itself can do: measured in the same run as the cases of cuda_bench, so that a result can be given as a
// fraction of its floor. Compiled for the emulated device too, where figures mean nothing.
#pragma once

#include "bench/rooms.hpp"
#include "kernels/common/philox.hpp"
#include "kernels/common/team.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace tailback::bench {

/// Random words of a thread that the measurements go by, and four of them. A congruential generator would not do: its
/// neighbours lie on a lattice, and 32 of them meet in fewer banks than random words (2.45 instead of 3.52 wavefronts).
inline constexpr std::uint32_t roofline_words = 16;
TAILBACK_HD PhiloxBlock roofline_block(std::uint32_t thread, std::uint32_t four) {
    return philox(thread, four, 0, 0, 1);
}

/// Words of the fullest of 32 banks, that is wavefronts, of a warp that reads or adds to random words; the mean over
/// the words above. 3.52 for words that are random.
double roofline_wavefronts();

/// Whole device, a second; 0 where there is no device.
struct CudaRoofline {
    double shared_adds = 0;        ///< atomic adds to random words in shared memory, of an amount that is not constant
    double shared_adds_apart = 0;  ///< the same, no two of a warp in one bank
    double shared_reads = 0;       ///< reads of random words in shared memory
    double ballots = 0;            ///< ballots, of threads: 32 of a warp's
    double matches = 0;            ///< MATCH.ANY of random words below 1,142, of threads
    double gathers8[3] = {};       ///< random 8-byte reads of a table of 16 KB (L1), 16 MB (L2), 1 GB (memory)
    double gathers16[3] = {};      ///< the same of 16 bytes
    double l2_adds = 0;            ///< atomic adds of 32 bits to random words among 16 MB
    double l2_wide_adds = 0;       ///< the same of 64 bits
    double copied_bytes = 0;       ///< device to device, read and written
};

/// How much is done for a measurement; `small` for an emulated device.
enum class RooflineSize { whole, small };

/// Measures anew.
CudaRoofline measure_cuda_roofline(RooflineSize size);

/// Seconds of the whole device for a random permutation of so many, drawn as the kernels do, and nothing else.
double measure_cuda_permutation(std::uint32_t ranks, RooflineSize size);

/// The same by warps alone, in one way of finding out who aims at the same place (LaneTeam).
double measure_cuda_warp_permutation(std::uint32_t ranks, FindBy by, RooflineSize size);

/// Reads of a table of so many bytes, a second, by the sizes above.
inline double gathers_from(double const (&rates)[3], std::size_t table_bytes) {
    return table_bytes <= (std::size_t{64} << 10)   ? rates[0]
           : table_bytes <= (std::size_t{32} << 20) ? rates[1]
                                                    : rates[2];
}

}  // namespace tailback::bench
