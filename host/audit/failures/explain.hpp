// Why pairs fail: grouped by the entry that breaks them, by the circle they run in, by the source without a cable.
#pragma once

#include "host/audit/failures/detour.hpp"
#include "host/audit/failures/lid_list.hpp"
#include "host/audit/loads/all_pairs.hpp"
#include "host/model/routes/forwarding.hpp"
#include "host/model/routes/trace.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tailback::audit {

/// Pairs that end at one port of one row for one reason.
struct BrokenEntry {
    std::uint32_t row = 0;
    model::Port port = 0;  ///< where the entry points; ForwardingTables::no_entry = there is none
    model::Cause cause = model::Cause::none;
    std::uint64_t pairs = 0;
    LidList lids;         ///< destinations that break there
    model::Host example;  ///< a source that meets it on the way to the first of `lids`; none when not looked for
};

/// Pairs that run into one circle.
struct Circle {
    std::vector<Step> steps;  ///< from the one that leads away
    std::uint64_t pairs = 0;
    LidList lids;
    model::Host example;
};

/// A port whose LIDs no table has an entry for: every switch drops them. Or a switch whose hosts it alone knows.
struct UnknownPort {
    model::Node node;
    model::Port port = 0;          ///< 0 = a switch
    bool known_to_itself = false;  ///< `lids` are of hosts behind the switch, and its table alone has entries for them
    LidList lids;
    std::uint64_t pairs = 0;
    std::vector<BrokenEntry> entries;  ///< where the pairs end
};

/// A source whose port has no cable.
struct Unplugged {
    model::Host source;
    std::uint64_t pairs = 0;
};

struct Explanation {
    std::vector<BrokenEntry> entries;  ///< most pairs first, then by row and port
    std::vector<UnknownPort> unknown;  ///< in the order of LIDs
    std::vector<Circle> circles;       ///< most pairs first
    std::vector<Unplugged> unplugged;  ///< in the order of hosts
    std::uint64_t other_circles =
        0;  ///< times that one was dropped, with the fewest pairs, for `most_circles` to be kept
    std::uint64_t other_circle_pairs = 0;
};

/// So many circles are kept apart, which bounds memory where everything is broken.
inline constexpr std::size_t most_circles = 20'000;
/// For so many of the worst of each a source is looked for.
inline constexpr std::size_t most_examples = 200;

/// Why a route ends in `row`, whose entry is `port` (ForwardingTables::no_entry = none).
model::Cause cause_of(model::Forwarding const& forwarding, std::uint32_t row, model::Port port);

/// Looks again at the destinations that `all_pairs.by_destination` counts failures for; O(rows) each. `request` is what
/// was all_pairs. Memory: ports of the network and `most_circles`, however many pairs fail.
Explanation explain(model::Forwarding const& forwarding, AllPairsRequest const& request,
                    AllPairsResult const& all_pairs);

}  // namespace tailback::audit
