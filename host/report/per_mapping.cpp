// Rows of --per-mapping.
#include "host/report/per_mapping.hpp"

#include "host/base/numbers.hpp"

#include <ostream>

namespace tailback {

PerMappingWriter::PerMappingWriter(std::ostream& out, StudyPlan const& plan) : out_(out), plan_(plan) {
    out_ << "mapping";
    for (MetricInfo const& info : all_metrics())
        if (info.number && plan.study.wants(info.metric)) {
            out_ << ',' << info.name;
            metrics_.push_back(info.metric);
        }
    out_ << ",delivered,unreachable,loop,misdelivered,local\n";
}

void PerMappingWriter::write(std::uint64_t mapping, MappingTally const& tally) {
    std::uint64_t local = tally.local;
    for (Level const& level : plan_.flow_list.levels) local += level.local;
    out_ << mapping;
    for (Metric const metric : metrics_) out_ << ',' << exact_text(number_of(plan_, metric, tally));
    out_ << ',' << tally.delivered << ',' << tally.unreachable << ',' << tally.loop << ',' << tally.misdelivered << ','
         << local << '\n';
}

}  // namespace tailback
