// The command line of `tailback estimate`, as values.
#pragma once

#include "host/api/study.hpp"
#include "host/queueing/latency.hpp"
#include "host/report/forms.hpp"

#include <string>
#include <vector>

namespace tailback::commands {

struct EstimateOptions {
    api::StudyRequest request;
    queueing::LatencyQuestion question;
    std::string pattern;  ///< as it was asked for
    report::Form format = report::Form::text;
    std::string output;
};

/// @throws InputError for anything that is not right in itself; files are not opened.
EstimateOptions parse_estimate_options(std::vector<std::string> const& arguments);

}  // namespace tailback::commands
