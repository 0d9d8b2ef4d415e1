// The points of a sweep evaluated one after the other; what is done is kept in the journal.
#pragma once

#include "host/sweep/journal.hpp"
#include "host/sweep/points.hpp"
#include "host/sweep/sweep_table.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace tailback::sweep {

/// Hears what happens on the way.
struct SweepListener {
    std::function<void(std::size_t point)> turn_to = [](std::size_t) {};  ///< what follows is about this point
    api::TakeSentence warn = [](std::string const&) {};
    std::function<void(std::uint64_t done)> progress = [](std::uint64_t) {};  ///< mappings and seeds of all open points
};

/// The rows of points that the journal knows, the others without a report.
std::vector<SweepRow> known_rows(CheckedSweep const& sweep, SweepJournal const& journal);

/// The points without a report, in the order in which they share networks, routes and hosts.
std::vector<std::size_t> open_points(CheckedSweep const& sweep, std::vector<SweepRow> const& rows);

/// Mappings of these points together, or seeds of schedules, short of 2^63.
std::uint64_t mappings_of(CheckedSweep const& sweep, std::vector<std::size_t> const& points);

/// Evaluates the points of `order` into `rows`, each with its report or the reason why it cannot be run.
/// @return false when `execution.stop` ended it; then nothing is kept of the point under way.
bool evaluate_points(CheckedSweep const& sweep, std::vector<std::size_t> const& order, SweepJournal& journal,
                     evaluation::ExecutionOptions execution, SweepListener const& listener,
                     std::vector<SweepRow>& rows);

}  // namespace tailback::sweep
