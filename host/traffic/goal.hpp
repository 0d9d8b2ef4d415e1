// A GOAL schedule: what every rank does, and what waits for what. The matrix needs the sends alone; the rest is for who
// computes times.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tailback::traffic {

struct GoalOperation {
    enum class Kind : std::uint8_t { send, receive, calculation };
    Kind kind = Kind::calculation;
    std::uint32_t rank = 0, peer = 0;  ///< a calculation has no peer
    std::uint64_t amount = 0;          ///< bytes; of a calculation its time
    std::uint32_t tag = 0, cpu = 0, nic = 0;
    std::uint32_t line = 0;  ///< of the file
};

/// Two operations of one rank, as places in GoalSchedule::operations.
struct GoalDependency {
    std::size_t operation, needs;
    bool start_is_enough;  ///< `irequires`: `needs` must have begun; otherwise it must have ended
};

struct GoalSchedule {
    std::uint32_t ranks = 0;
    std::vector<GoalOperation> operations;  ///< as they come in the file
    std::vector<GoalDependency> dependencies;
};

}  // namespace tailback::traffic
