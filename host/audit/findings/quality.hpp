// Where routes are longer than need be, and where they turn from down to up: by switch, port and LID.
#pragma once

#include "host/audit/findings/finding.hpp"
#include "host/audit/findings/lid_list.hpp"
#include "host/audit/loads/all_pairs.hpp"
#include "host/model/routes/forwarding.hpp"

#include <cstdint>
#include <vector>

namespace tailback::audit {

/// Delivered pairs that leave a row by a port for one reason.
struct PortUse {
    std::uint32_t row = 0;
    model::Port port = 0;
    std::uint64_t pairs = 0;
    LidList lids;
};

struct Quality {
    std::vector<PortUse> detours;      ///< sent by a port that brings them no nearer
    std::vector<PortUse> wrong_turns;  ///< came down to the row and go up by this port
};

/// More entries than this (rows x destinations) are not looked at a second time: the findings then name switches alone.
inline constexpr std::uint64_t most_second_looks = 200'000'000;

/// Looks again at the rows that `all_pairs` counts detours or wrong turns for. O(rows x destinations) when there are
/// any, and nothing when there are none. `request` is what was all_pairs. Rows in order, ports in order.
Quality find_quality(model::Forwarding const& forwarding, AllPairsRequest const& request,
                     AllPairsResult const& all_pairs, unsigned threads);

/// Findings of kind `nonminimal` and `updown`: one a port, or one a switch where there was no second look.
std::vector<Finding> findings_of(model::Forwarding const& forwarding, AllPairsResult const& all_pairs,
                                 Quality const& quality);

}  // namespace tailback::audit
