// What ports have counted beside what is expected of them, for people and for programs.
#pragma once

#include "host/audit/loads/measured.hpp"
#include "host/report/forms.hpp"

#include <string>
#include <vector>

namespace tailback::report {

struct CountersReport {
    model::Fabric const& fabric;
    formats::Counters const& counters;
    audit::Measured const& measured;
    std::vector<std::uint64_t> const& load;         ///< expected, by link: pairs, or what jobs send
    std::uint64_t top = 10;                         ///< how many the text names of each list
    std::vector<audit::MeasuredGroup> groups = {};  ///< empty = not asked
    std::vector<std::string> jobs = {};
    std::vector<std::vector<std::uint64_t>> const* load_of_job = nullptr;  ///< [job][link]; null: of all pairs
    std::uint64_t not_delivered = 0;  ///< pairs, or flows of the jobs, that are expected nowhere
    model::NamedFiles files = {};     ///< that were read

    model::Network const& network() const { return fabric.network; }
};

Document document_of(CountersReport const& report);
/// `tailback-compare-1`
Json value_of(CountersReport const& report);
/// What ports sent beside what is expected of them, a dot a port.
void write_counters_svg(std::ostream& out, CountersReport const& report);

}  // namespace tailback::report
