// The points of a sweep, checked before anything runs.
#pragma once

#include "host/api/study.hpp"
#include "host/sweep/sweep_file.hpp"

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tailback::sweep {

/// A point that is no study: it is of a command of an extension (commands::Command::point).
class OtherPoint {
public:
    virtual ~OtherPoint() = default;
    virtual api::NetworkChoice const& network() const = 0;
    virtual api::FabricRequest fabric_request() const = 0;
    /// What `files` depends on: points of the same words read the same files.
    virtual std::string inputs() const = 0;
    /// What it reads; looks into them. @throws InputError
    virtual std::vector<std::string> files() const = 0;
    virtual std::uint64_t parts() const = 0;  ///< that its progress is counted in
    /// What a part is called: one and many.
    virtual std::pair<char const*, char const*> unit() const = 0;
    /// As JSON in one line; empty when `execution.stop` ended it.
    virtual std::string report_of(std::shared_ptr<model::Fabric const> const& fabric,
                                  evaluation::ExecutionOptions const& execution,
                                  api::Listener const& listener) const = 0;
};

/// What the words of a point ask for.
struct AskedPoint {
    api::StudyRequest request;                ///< of another point only its network
    std::shared_ptr<OtherPoint const> other;  ///< null: it is a study
};

struct CheckedPoint : AskedPoint {
    SweepPoint const* point = nullptr;
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

/// Understands the words of a command line (`--network`, ..) as that command does. @throws InputError
using ParseWords = std::function<AskedPoint(options::Commands command, std::vector<std::string> const& words)>;

/// Checks every option of every point in itself: names, numbers, specs, files that must be there. What depends on the
/// network (are there enough hosts, has it this routing) shows when it is made.
/// @param name of the sweep's file. @throws InputError with name:line.
CheckedSweep check_points(std::vector<SweepPoint> const& points, std::string const& name, ParseWords const& parse);

}  // namespace tailback::sweep
