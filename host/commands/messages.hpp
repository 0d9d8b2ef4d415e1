// What commands tell on standard error beside failures: notes, warnings, what was done.
#pragma once

#include "host/model/disagreements.hpp"

#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <vector>

namespace tailback::model {
struct Fabric;  // host/model/tables.hpp
}

namespace tailback::commands {

/// `tailback: KIND: TEXT` on standard error, fit for a terminal whatever names the text holds.
void tell(std::string const& kind, std::string const& text);
/// For functions that hand out notes and warnings one at a time.
void tell_note(std::string const& note);
void tell_warning(std::string const& warning);
/// One warning for every kind of disagreement met.
void tell_warnings(model::Disagreements const& disagreements);
/// Warns where flows were to be carried and none was. @return true then
bool tell_nothing_delivered(std::uint64_t delivered, std::uint64_t failed);
/// Notes that only the static entries count, where switches choose among several ports by load.
void tell_static_entries(model::Fabric const& fabric);
/// Tells what went wrong, one message for each kind of failure, if anybody reads it; returns the ExitCode.
int tell_failure(std::exception_ptr const& failure);
/// From now on `tell` tells nothing: another process of the same study does.
void tell_no_more();
/// `--quiet`: from now on `tell` keeps notes and what was done to itself; warnings and errors are told.
void tell_warnings_alone();

/// While one lives, warnings name the point of a sweep that they are about, and each is told at the first such point
/// only. One at a time; at its end it tells how many more points there were.
class WarningsByPoint {
public:
    WarningsByPoint();
    ~WarningsByPoint();
    WarningsByPoint(WarningsByPoint const&) = delete;
    WarningsByPoint& operator=(WarningsByPoint const&) = delete;

    /// Warnings are about point `number` from now on.
    void turn_to(std::size_t number) { point_ = number; }
    void take(std::string const& warning);

private:
    struct Met {
        std::string warning;
        std::size_t first, last, points;
    };
    std::size_t point_ = 0;
    std::vector<Met> met_;
};
}  // namespace tailback::commands
