// The command line of `tailback schedule`, as values.
#pragma once

#include "host/api/schedule.hpp"
#include "host/report/forms.hpp"

#include <string>
#include <vector>

namespace tailback::commands {

struct ScheduleOptions {
    api::ScheduleRequest request;
    std::string output, moments, queue, select;
    report::Form format = report::Form::text;
    unsigned threads = 0;
};

/// @throws InputError for anything that is not right in itself; files are not opened.
ScheduleOptions parse_schedule_options(std::vector<std::string> const& arguments);

}  // namespace tailback::commands
