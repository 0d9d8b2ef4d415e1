// A collective operation by each of its algorithms and many sizes: which is the fastest?
#pragma once

#include "host/api/study.hpp"
#include "host/report/evaluate/algorithms_report.hpp"

namespace tailback::api {

/// The pattern of the request says algorithm=all; sizes are 1 KiB, 4 KiB, .. 1 GiB, or the one that it says. Trees and
/// chains go in segments of 512 KiB, unless it says another number; where mappings are drawn, they are ten unless asked
/// for. @throws InputError where no algorithm can be done
report::AlgorithmsReport compare_algorithms(StudyRequest const& request, Listener const& listener,
                                            evaluation::ExecutionOptions const& execution);

}  // namespace tailback::api
