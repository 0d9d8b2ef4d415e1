// Rows of --per-mapping.
#include "host/report/per_mapping.hpp"

#include "host/base/numbers.hpp"

#include <ostream>

namespace tailback {

PerMappingWriter::PerMappingWriter(std::ostream& out, StudyPlan const& plan) : out_(out), plan_(plan) {
    out_ << "mapping";
    for (Metric const metric : {Metric::sum_max_cong, Metric::hist_acc_band, Metric::dep_max_delay})
        if (plan.study.wants(metric)) out_ << ',' << all_metrics[std::size_t(metric)].name;
    out_ << ",delivered,unreachable,loop,misdelivered,local\n";
}

void PerMappingWriter::write(std::uint64_t mapping, MappingTally const& tally) {
    MappingNumbers const numbers = numbers_of(plan_, tally);
    std::uint64_t local = tally.local;
    for (Level const& level : plan_.flow_list.levels) local += level.local;
    out_ << mapping;
    if (plan_.study.wants(Metric::sum_max_cong)) out_ << ',' << exact_text(numbers.sum_max_cong);
    if (plan_.study.wants(Metric::hist_acc_band)) out_ << ',' << exact_text(numbers.hist_acc_band);
    if (plan_.study.wants(Metric::dep_max_delay)) out_ << ',' << exact_text(numbers.dep_max_delay);
    out_ << ',' << tally.delivered << ',' << tally.unreachable << ',' << tally.loop << ',' << tally.misdelivered << ','
         << local << '\n';
}

}  // namespace tailback
