// What the machine itself can do: random reads of a table, and random increments of small counters. Measured in the
// same run as the benchmarks, so that a result can be given as a fraction of its floor.
#pragma once

#include "bench/rooms.hpp"

#include <cstddef>
#include <cstdint>

namespace tailback::bench {

struct Roofline {
    double gather_s;      ///< seconds for one independent random read of `entry` bytes from a table of the given size
    double increment_s;   ///< seconds for one increment of a random counter among the given number
    double read_back_s;   ///< seconds for one read of a random counter
    double draw_s;        ///< seconds for one step of a random permutation: draw and swap, as the CPU's stages do it
    double draw_alone_s;  ///< seconds for its draw
};

/// Measures on one thread. `table_bytes` is rounded up to 64 KiB.
Roofline measure_roofline(std::size_t table_bytes, std::size_t counters, std::uint32_t ranks);

/// Bytes copied per second by one thread, from memory to memory; measured once a run.
double measure_copy_bandwidth();

}  // namespace tailback::bench
