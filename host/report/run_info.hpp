// How a study ran: what no report may contain.
#pragma once

#include "host/evaluation/evaluation.hpp"
#include "host/report/forms.hpp"

#include <string>

namespace tailback::report {

struct RunInfo {
    std::string device;
    unsigned threads = 0;
    double read_s = 0;  ///< reading and checking the input, packing routes
    double evaluate_s = 0;
    std::uint64_t mappings = 0;  ///< evaluated in this run
    std::uint64_t hops = 0;      ///< links of delivered flows' routes; 0 when not counted
    unsigned processes = 1;
    model::NamedFiles files = {};
    Json network = nullptr;  ///< of network_json

    double mappings_per_s() const { return evaluate_s > 0 ? double(mappings) / evaluate_s : 0; }
    double hops_per_s() const { return evaluate_s > 0 ? double(hops) / evaluate_s : 0; }
};

inline constexpr char const* schema_of_runs = "tailback-run-1";
/// With the keys device, threads, processes, read_s, evaluate_s, mappings_per_s, hops_per_s.
Json value_of(RunInfo const& run);
/// The same in one line for people.
std::string run_info_line(RunInfo const& run);

}  // namespace tailback::report
