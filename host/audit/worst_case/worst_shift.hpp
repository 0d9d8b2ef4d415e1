// Worst shift: over all shift permutations of the hosts in a given order, the largest load of a link and the shift that
// puts it there. Shift k: host number s sends to host number (s + k) mod N.
#pragma once

#include "host/model/tables.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace tailback::audit {

struct ShiftLoads {
    /// [k], k = 1 .. N-1: flows on the most loaded link; [0] = 0, as shift 0 is local.
    std::vector<std::uint32_t> largest;
    std::uint32_t worst_shift = 0;  ///< the first with the largest load; 0 = no shift delivers anything
    std::uint32_t worst_load = 0;   ///< its load ...
    model::Link worst_link;         ///< ... and the first link that has it

    /// Shifts that put no two flows on one link.
    std::uint64_t without_contention() const;

    bool operator==(ShiftLoads const&) const = default;
};

/// Delivered pairs only, to base LIDs; every link counts one a flow, whatever its rate. O(N^2 x links of a route):
/// about 10^9 links a second and core while the routes of one shift stay in the core's cache.
/// @param threads 0 = all cores; never changes the result. @param progress told shifts done, from one thread at a time.
ShiftLoads all_shift_loads(model::Fabric const& fabric, std::vector<model::Host> const& order, unsigned threads,
                           std::function<void(std::uint64_t done)> const& progress = {});

}  // namespace tailback::audit
