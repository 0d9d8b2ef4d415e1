// Rows of --per-mapping.
#include "host/report/evaluate/per_mapping.hpp"

#include <algorithm>
#include <array>

namespace tailback::report {
namespace {

/// Flows by fate, as they are met.
constexpr std::array<std::uint64_t kernels::MappingTally::*, 4> fates = {
    &kernels::MappingTally::delivered, &kernels::MappingTally::unreachable, &kernels::MappingTally::loop,
    &kernels::MappingTally::misdelivered};

}  // namespace

PerMappingWriter::PerMappingWriter(std::ostream& out, study::StudyPlan const& plan) {
    std::vector<std::string> names = add_part(plan, true, "");
    names.insert(names.begin(), "mapping");
    table_.emplace(out, std::move(names));
}

PerMappingWriter::PerMappingWriter(std::ostream& out, std::span<evaluation::Column const> columns,
                                   std::vector<std::string> const& names) {
    std::vector<std::string> all = {"mapping"};
    for (std::size_t c = 0; c < columns.size(); ++c) {
        std::vector<std::string> const more = add_part(*columns[c].plan, !names[c].empty(), names[c] + ".");
        all.insert(all.end(), more.begin(), more.end());
    }
    table_.emplace(out, std::move(all));
}

std::vector<std::string> PerMappingWriter::add_part(study::StudyPlan const& plan, bool told,
                                                    std::string const& prefix) {
    Part& part = parts_.emplace_back(Part{&plan, told, {}});
    std::vector<std::string> names;
    if (!told) return names;
    for (study::MetricInfo const& info : study::all_metrics())
        if (info.number && plan.study.wants(info.metric)) {
            names.push_back(prefix + info.name);
            part.metrics.push_back(info.metric);
        }
    for (char const* const fate : {"delivered", "unreachable", "loop", "misdelivered", "local"})
        names.push_back(prefix + fate);
    if (plan.study.placement.nodes) names.push_back(prefix + "within_nodes");
    return names;
}

void PerMappingWriter::write(std::uint64_t mapping, std::span<kernels::MappingTally const> tallies) {
    std::vector<Json> cells = {mapping};
    for (Part const& part : parts_) {
        auto const mine = tallies.first(std::min(tallies.size(), std::size_t(part.plan->repeats)));
        if (part.told) add_cells(part, mine, cells);
        tallies = tallies.subspan(mine.size());
    }
    table_->row(cells);
}

void PerMappingWriter::add_cells(Part const& part, std::span<kernels::MappingTally const> tallies,
                                 std::vector<Json>& cells) const {
    auto const add_mean = [&](auto const& number) {
        double sum = 0;
        for (kernels::MappingTally const& tally : tallies) sum += double(number(tally));
        if (tallies.empty()) cells.emplace_back(nullptr);
        else cells.emplace_back(sum / double(tallies.size()));
    };
    for (study::Metric const metric : part.metrics)
        add_mean([&](auto const& tally) { return evaluation::number_of(*part.plan, metric, tally); });
    std::uint64_t local = 0;
    for (patterns::Level const& level : part.plan->flow_list.levels) local += level.local;
    auto const met = [&](kernels::MappingTally const& tally) {
        std::uint64_t sum = tally.local + local;
        for (auto const fate : fates) sum += tally.*fate;
        return sum;
    };
    for (auto const fate : fates) add_mean([&](auto const& tally) { return tally.*fate; });
    add_mean([&](auto const& tally) { return tally.local + local; });
    if (part.plan->study.placement.nodes)
        add_mean([&](auto const& tally) { return part.plan->flows_per_mapping - met(tally); });
}

}  // namespace tailback::report
