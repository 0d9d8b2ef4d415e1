// Rows of --per-mapping.
#include "host/report/per_mapping.hpp"

#include "host/base/numbers.hpp"

#include <array>
#include <ostream>

namespace tailback::report {
namespace {

/// Flows by fate, as they are met.
constexpr std::array<std::uint64_t kernels::MappingTally::*, 4> fates = {
    &kernels::MappingTally::delivered, &kernels::MappingTally::unreachable, &kernels::MappingTally::loop,
    &kernels::MappingTally::misdelivered};

}  // namespace

PerMappingWriter::PerMappingWriter(std::ostream& out, study::StudyPlan const& plan) : out_(out) {
    out_ << "mapping";
    add_part(plan, true, "");
    out_ << '\n';
}

PerMappingWriter::PerMappingWriter(std::ostream& out, std::span<evaluation::Column const> columns,
                                   std::vector<std::string> const& names)
    : out_(out) {
    out_ << "mapping";
    for (std::size_t c = 0; c < columns.size(); ++c) add_part(*columns[c].plan, !names[c].empty(), names[c] + ".");
    out_ << '\n';
}

void PerMappingWriter::add_part(study::StudyPlan const& plan, bool told, std::string const& prefix) {
    Part& part = parts_.emplace_back(Part{&plan, told, {}});
    if (!told) return;
    for (study::MetricInfo const& info : study::all_metrics())
        if (info.number && plan.study.wants(info.metric)) {
            out_ << ',' << prefix << info.name;
            part.metrics.push_back(info.metric);
        }
    for (char const* const fate : {"delivered", "unreachable", "loop", "misdelivered", "local"})
        out_ << ',' << prefix << fate;
    if (plan.study.placement.nodes) out_ << ',' << prefix << "within_nodes";
}

void PerMappingWriter::write(std::uint64_t mapping, std::span<kernels::MappingTally const> tallies) {
    out_ << mapping;
    for (Part const& part : parts_) {
        auto const mine = tallies.first(std::min(tallies.size(), std::size_t(part.plan->repeats)));
        if (part.told) write_part(part, mine);
        tallies = tallies.subspan(mine.size());
    }
    out_ << '\n';
}

void PerMappingWriter::write_part(Part const& part, std::span<kernels::MappingTally const> tallies) {
    auto const mean_of = [&](auto const& number) {
        double sum = 0;
        for (kernels::MappingTally const& tally : tallies) sum += double(number(tally));
        return tallies.empty() ? "" : base::exact_text(sum / double(tallies.size()));
    };
    for (study::Metric const metric : part.metrics)
        out_ << ',' << mean_of([&](auto const& tally) { return evaluation::number_of(*part.plan, metric, tally); });
    std::uint64_t local = 0;
    for (patterns::Level const& level : part.plan->flow_list.levels) local += level.local;
    auto const met = [&](kernels::MappingTally const& tally) {
        std::uint64_t sum = tally.local + local;
        for (auto const fate : fates) sum += tally.*fate;
        return sum;
    };
    for (auto const fate : fates) out_ << ',' << mean_of([&](auto const& tally) { return tally.*fate; });
    out_ << ',' << mean_of([&](auto const& tally) { return tally.local + local; });
    if (part.plan->study.placement.nodes)
        out_ << ',' << mean_of([&](auto const& tally) { return part.plan->flows_per_mapping - met(tally); });
}

}  // namespace tailback::report
