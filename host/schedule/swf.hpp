// Files in the Standard Workload Format (Chapin et al., "Benchmarks and Standards for the Evaluation of Parallel Job
// Schedulers", JSSPP 1999): a job a line, 18 numbers; -1 is not known; `;` begins a comment. Logs of simulators have
// more columns behind these, and a first line of their names.
#pragma once

#include "host/io/line_reader.hpp"

#include <cstdint>
#include <string>
#include <string_view>
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
    std::uint64_t longer = 0;    ///< lines with more than 18 columns: those behind are left out
    std::size_t names = 0;       ///< the line that names the columns; 0: there is none
    /// Of that line the first name that the format has in another column; empty: none is known to be.
    std::string misplaced;
    std::size_t misplaced_at = 0, its_place = 0;  ///< columns, from 1
    /// Jobs that got another number of processors (field 5) than they asked for (field 8), and the first of the file.
    std::uint64_t others_got = 0;
    struct {
        std::size_t line = 0;
        double got = 0, asked = 0;
    } first_other = {};
};

/// Does a file that begins so have jobs in this format: first a comment or a number, or a line of names and then 18
/// numbers?
bool begins_as_swf(std::string_view beginning);

/// @throws InputError with file:line for lines that do not begin with 18 numbers, times below 0, more than 2^24 jobs,
/// and a file without any.
SwfFile read_swf(io::LineReader& lines);

}  // namespace tailback::schedule
