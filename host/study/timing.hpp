// What a study's times are made of besides the bytes of its flows: what waits for what, and what takes how long.
#pragma once

#include "host/traffic/goal.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

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

/// How links treat the flows of a class: those of rank 0 share them first, what they leave goes to rank 1, and so on;
/// flows of one rank get rates in proportion to their weights, as far as links let them.
struct Priority {
    static constexpr std::uint32_t most_rank = 15, most_weight = 1000;
    std::uint32_t rank = 0, weight = 1;
    bool operator==(Priority const&) const = default;
};
struct ClassPriority {
    std::string name;  ///< of the class
    Priority priority;
};

/// `NAME=strict:K`, `NAME=weight:W` or `NAME=strict:K+weight:W`, several with commas. @throws InputError
std::vector<ClassPriority> read_priorities(std::string const& text);
/// The same for what stands behind NAME=.
Priority read_priority(std::string const& text);
/// `strict:1+weight:3`; what is not given is left out.
std::string words_of(Priority const& priority);

struct Timing {
    Dependencies dependencies = Dependencies::barrier;
    Switching switching = Switching::cut_through;
    Duration compute;         ///< between two levels, on every rank that takes part in both
    Duration link_latency;    ///< of every link of a route
    Duration switch_latency;  ///< of every node between two links
    /// The operations that the flows are of, in place of levels; null: there is none.
    std::shared_ptr<traffic::GoalSchedule const> schedule;
    std::string schedule_file;              ///< as it was named, for messages
    std::vector<ClassPriority> priorities;  ///< of classes that are not as all others
    /// Several jobs, one after the other in the list of flows: by job its first level. Levels of different jobs do not
    /// wait for each other. Empty: there is one job.
    std::vector<std::size_t> first_level_of_job;

    bool has_latency() const { return !link_latency.is_zero() || !switch_latency.is_zero(); }
    /// Is there anything that levels of flows, one after the other, do not have? Times are simulated then.
    bool is_simulated() const {
        return dependencies == Dependencies::causal || switching == Switching::store_and_forward ||
               !compute.is_zero() || has_latency() || schedule != nullptr || !priorities.empty() ||
               !first_level_of_job.empty();
    }
    bool keeps_routes_whole = false;  ///< for who wants to see the loads of all links
    /// Host links and links that no two flows share matter, too.
    bool needs_whole_routes() const {
        return keeps_routes_whole || has_latency() || switching == Switching::store_and_forward;
    }
};

}  // namespace tailback::study
