// What a simulation of ORCS comes to, and the text that ORCS makes of it.
#pragma once

#include "host/orcs/options.hpp"

#include <cstdint>
#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

namespace tailback::orcs {

/// Only the metric that was asked for is filled in.
struct OrcsResults {
    /// hist_max_cong: connections by weight (congestion), ascending, none with 0 connections.
    std::vector<std::pair<std::uint64_t, std::uint64_t>> weights;
    /// hist_max_cong: mean of 1/weight; NaN without connections.
    double bandwidth = 0;
    /// hist_acc_band, sum_max_cong, dep_max_delay: distinct values of the runs with their counts, ascending; a run
    /// without connections has a bandwidth of NaN, which comes last.
    std::vector<std::pair<double, std::uint64_t>> runs;
    /// get_cable_cong: by edge id, flows over it.
    std::vector<std::uint64_t> edges;
};

/// The options as ORCS repeats them on top of its output, with an empty line after them.
void print_orcs_header(std::ostream& out, OrcsOptions const& options, std::uint32_t commsize);

/// The results as they are written to a file by `-o`. Returns ORCS's exit status: version 2.0 gives up (1) on a
/// bandwidth that fits no bin; `console` then gets its complaint.
int print_orcs_results(std::ostream& out, std::ostream& console, OrcsOptions const& options,
                       OrcsResults const& results);

/// `runs` from one value a run.
std::vector<std::pair<double, std::uint64_t>> count_values(std::vector<double> values);

}  // namespace tailback::orcs
