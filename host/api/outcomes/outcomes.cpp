#include "host/api/outcomes/outcomes.hpp"

#include "host/base/numbers.hpp"
#include "host/study/fabric_digest.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tailback::api {

report::JobsReport make_report(PreparedJobs const& jobs, evaluation::JobsResult const& result,
                               evaluation::LidSpread spread) {
    report::JobsReport report{jobs.plan(), jobs.jobs(),  result, {}, study::digest(*jobs.plan().fabric),
                              spread,      jobs.groups()};
    for (JobRequest const& job : jobs.request().jobs)
        report.words.push_back({job.pattern.empty() ? job.traffic : job.pattern,
                                job.placement.nodes.empty() ? "free" : job.placement.nodes, job.placement.order_words(),
                                std::max(1u, job.placement.ranks_per_node)});
    return report;
}

std::string unlike_times(std::vector<evaluation::Job> const& jobs, evaluation::JobsResult const& result) {
    auto const unlike = evaluation::unlike_jobs(result);
    if (!unlike) return {};
    evaluation::Job const &longest = jobs[unlike->longest], &shortest = jobs[unlike->shortest];
    std::string text = fmt::format("job {} takes {} times as long as job {}: their slowdowns cannot be compared",
                                   longest.name, base::three_digits(unlike->ratio), shortest.name);
    if (!shortest.flows.has_bytes())
        text += fmt::format("; the flows of {} have no bytes and count as 1 byte each: give them sizes (size=1MiB)",
                            shortest.name);
    return text;
}

void write_mapping(std::ostream& out, study::PlacementFile const& file, study::StudyPlan const& plan,
                   std::uint64_t mapping, TakeSentence const& warn) {
    study::write_placement(out, file.form, plan, mapping);
    std::uint32_t const others = study::ranks_on_other_adapters(plan, file.form, mapping);
    if (others > 0)
        warn(
            fmt::format("{}: {} on another adapter of their node than a {} can say: read back, they are on others; "
                        "mapping:FILE keeps the adapters",
                        file.path, base::counted(others, "rank is", "ranks are"), study::name_of(file.form)));
}

}  // namespace tailback::api
