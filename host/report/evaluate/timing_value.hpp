// What times are made of besides bytes.
#pragma once

#include "host/report/forms.hpp"
#include "host/study/timing.hpp"

namespace tailback::report {

/// Of simulated times: `dependencies`, `compute`, ..
Json timing_json(study::Timing const& timing);
/// One line; empty where levels go one after the other, and nothing else.
std::string timing_sentence(study::Timing const& timing);

}  // namespace tailback::report
