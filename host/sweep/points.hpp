// The points of a sweep, checked before anything runs.
#pragma once

#include "host/api/schedule.hpp"
#include "host/api/study.hpp"
#include "host/sweep/sweep_file.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tailback::sweep {

struct CheckedPoint {
    SweepPoint const* point = nullptr;
    api::StudyRequest request;                     ///< of a schedule only its network
    std::optional<api::ScheduleRequest> schedule;  ///< where the point has a workload
    /// Everything its report depends on, in one line: options, and digests of the files it reads.
    std::string meaning;
    /// Equal for points of one network, of one network with one routing, and of those on the same hosts.
    std::size_t network = 0, fabric = 0, hosts = 0;
};

/// The fabric of a point. The point must stay.
api::FabricRequest request_of(CheckedPoint const& point);

struct CheckedSweep {
    std::vector<CheckedPoint> points;
    std::vector<std::string> files;  ///< that are read
};

/// Understands the words of a command line (`--network`, ..) as `tailback evaluate`, or `bracket`, does.
/// @throws InputError
using ParseWords = std::function<api::StudyRequest(options::Commands command, std::vector<std::string> const& words)>;
/// The same for `tailback schedule`.
using ParseScheduleWords = std::function<api::ScheduleRequest(std::vector<std::string> const& words)>;

/// Checks every option of every point in itself: names, numbers, specs, files that must be there. What depends on the
/// network (are there enough hosts, has it this routing) shows when it is made.
/// @param name of the sweep's file. @throws InputError with name:line.
CheckedSweep check_points(std::vector<SweepPoint> const& points, std::string const& name, ParseWords const& parse,
                          ParseScheduleWords const& parse_schedule);

}  // namespace tailback::sweep
