// Files in the Standard Workload Format (Chapin et al., "Benchmarks and Standards for the Evaluation of Parallel Job
// Schedulers", JSSPP 1999): a job a line, 18 numbers; -1 is not known; `;` begins a comment.
#pragma once

#include "host/io/line_reader.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace tailback::schedule {

struct SwfJob {
    std::string name;          ///< field 1
    double submit = 0;         ///< field 2, seconds
    double seconds = 0;        ///< field 4, the time that it ran
    std::uint32_t processors;  ///< field 8 where known (requested), else field 5 (allocated)
    double requested = 0;      ///< field 9, seconds; at least `seconds`
    std::size_t line = 0;
};

struct SwfFile {
    std::vector<SwfJob> jobs;    ///< by time of submission; at one time as in the file
    std::uint64_t left_out = 0;  ///< lines of jobs that never ran, or on no processor
    std::uint64_t parts = 0;     ///< lines of parts of jobs (field 11, status: 2 to 4), left out, too
};

/// @throws InputError with file:line for lines that are not 18 numbers, times below 0, more than 2^24 jobs, and a file
/// without any.
SwfFile read_swf(io::LineReader& lines);

}  // namespace tailback::schedule
