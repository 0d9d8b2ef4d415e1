// The levels of a run's pattern as ORCS generates them, its counter of the second pattern's levels included.
#pragma once

#include "host/orcs/options.hpp"
#include "patterns/pattern.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace tailback::orcs {

/// A connection of ORCS; unlike a Flow it may be from a rank to itself.
struct OrcsPair {
    std::uint32_t source, destination;
};

/// Generates levels one by one, each call a new draw where the pattern is drawn. With two patterns the level of the
/// second is counted by the calls since the program began, not by the caller: it starts again when it has run out
/// while the first has not, goes on alone when the first has, and drifts from run to run where the first is empty.
class OrcsLevels {
public:
    OrcsLevels(OrcsOptions const& options, std::uint32_t ranks);
    ~OrcsLevels();

    /// Connections of level `level`; empty = the pattern has ended.
    std::vector<OrcsPair> next(std::uint64_t level);

private:
    struct Part;
    std::vector<Part> parts_;
    std::uint64_t second_level_ = 0;
    std::uint64_t draws_ = 0;
    std::uint64_t seed_;
    bool derange_;  ///< version 2.0: nobody is drawn as his own partner
};

}  // namespace tailback::orcs
