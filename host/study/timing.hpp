// What a study's times are made of besides the bytes of its flows: what waits for what, and what takes how long.
#pragma once

#include "host/traffic/goal.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace tailback::study {

/// barrier: a level starts when the last flow of the one before has ended. causal: a rank's next level starts when its
/// own sends and receives of the level before have; with a schedule what that says.
enum class Dependencies : std::uint8_t { barrier, causal };

/// cut_through: a flow is on all links of its route at once. store_and_forward: it is on one after the other, whole.
enum class Switching : std::uint8_t { cut_through, store_and_forward };

/// A time as it was asked for: seconds, or without a unit multiples of what a link of the base rate takes for a byte
/// (for a flow of size 1 where flows have no bytes).
struct Duration {
    double value = 0;
    bool in_seconds = false;
    std::string text = "0";
    bool is_zero() const { return value == 0; }
};

/// `2us`, `0.5ms`, `250` .. @throws InputError, which says what `option` takes.
Duration read_duration(std::string const& option, std::string const& text);

struct Timing {
    Dependencies dependencies = Dependencies::barrier;
    Switching switching = Switching::cut_through;
    Duration compute;         ///< between two levels, on every rank that takes part in both
    Duration link_latency;    ///< of every link of a route
    Duration switch_latency;  ///< of every node between two links
    /// The operations that the flows are of, in place of levels; null: there is none.
    std::shared_ptr<traffic::GoalSchedule const> schedule;
    std::string schedule_file;  ///< as it was named, for messages

    bool has_latency() const { return !link_latency.is_zero() || !switch_latency.is_zero(); }
    /// Is there anything that levels of flows, one after the other, do not have? Times are simulated then.
    bool is_simulated() const {
        return dependencies == Dependencies::causal || switching == Switching::store_and_forward ||
               !compute.is_zero() || has_latency() || schedule != nullptr;
    }
    bool keeps_routes_whole = false;  ///< for who wants to see the loads of all links
    /// Host links and links that no two flows share matter, too.
    bool needs_whole_routes() const {
        return keeps_routes_whole || has_latency() || switching == Switching::store_and_forward;
    }
};

}  // namespace tailback::study
