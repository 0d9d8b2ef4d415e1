// Rows of --per-mapping.
#include "host/report/per_mapping.hpp"

namespace tailback::report {
namespace {

std::vector<std::string> columns_of(study::StudyPlan const& plan) {
    std::vector<std::string> columns = {"mapping"};
    for (study::MetricInfo const& info : study::all_metrics())
        if (info.number && plan.study.wants(info.metric)) columns.emplace_back(info.name);
    columns.insert(columns.end(), {"delivered", "unreachable", "loop", "misdelivered", "local"});
    if (plan.study.placement.nodes) columns.emplace_back("within_nodes");
    return columns;
}

}  // namespace

PerMappingWriter::PerMappingWriter(std::ostream& out, study::StudyPlan const& plan)
    : table_(out, columns_of(plan)), plan_(plan) {}

void PerMappingWriter::write(std::uint64_t mapping, kernels::MappingTally const& tally) {
    std::uint64_t local = tally.local;
    for (patterns::Level const& level : plan_.flow_list.levels) local += level.local;
    std::vector<Json> cells = {mapping};
    for (study::MetricInfo const& info : study::all_metrics())
        if (info.number && plan_.study.wants(info.metric))
            cells.emplace_back(evaluation::number_of(plan_, info.metric, tally));
    cells.insert(cells.end(), {tally.delivered, tally.unreachable, tally.loop, tally.misdelivered, local});
    std::uint64_t const met = tally.delivered + tally.unreachable + tally.loop + tally.misdelivered + local;
    if (plan_.study.placement.nodes) cells.emplace_back(plan_.flows_per_mapping - met);
    table_.row(cells);
}

}  // namespace tailback::report
