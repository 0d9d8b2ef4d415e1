// Rows of --per-mapping.
#include "host/report/per_mapping.hpp"

#include "host/base/numbers.hpp"

#include <ostream>

namespace tailback::report {

PerMappingWriter::PerMappingWriter(std::ostream& out, study::StudyPlan const& plan) : out_(out), plan_(plan) {
    out_ << "mapping";
    for (study::MetricInfo const& info : study::all_metrics())
        if (info.number && plan.study.wants(info.metric)) {
            out_ << ',' << info.name;
            metrics_.push_back(info.metric);
        }
    out_ << ",delivered,unreachable,loop,misdelivered,local" << (plan.study.placement.nodes ? ",within_nodes\n" : "\n");
}

void PerMappingWriter::write(std::uint64_t mapping, kernels::MappingTally const& tally) {
    std::uint64_t local = tally.local;
    for (patterns::Level const& level : plan_.flow_list.levels) local += level.local;
    out_ << mapping;
    for (study::Metric const metric : metrics_)
        out_ << ',' << base::exact_text(evaluation::number_of(plan_, metric, tally));
    std::uint64_t const met = tally.delivered + tally.unreachable + tally.loop + tally.misdelivered + local;
    out_ << ',' << tally.delivered << ',' << tally.unreachable << ',' << tally.loop << ',' << tally.misdelivered << ','
         << local;
    if (plan_.study.placement.nodes) out_ << ',' << plan_.flows_per_mapping - met;
    out_ << '\n';
}

}  // namespace tailback::report
