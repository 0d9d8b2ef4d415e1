// `evaluate --timeline`: when everything of the study's first mapping happens.
#include "host/base/error.hpp"
#include "host/commands/messages.hpp"
#include "host/commands/options/evaluate_options.hpp"
#include "host/commands/registry.hpp"
#include "host/io/output_file.hpp"
#include "host/report/timeline/timeline_files.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tailback::commands {
namespace {

void check_timeline(EvaluateOptions const& parsed) {
    study::Study const& study = parsed.request.study;
    if (study.measures.shared_by_bytes)
        throw base::InputError({}, "--timeline does not go with --shared-by bytes", "", "leave one of them out");
    if (std::none_of(study.measures.metrics.begin(), study.measures.metrics.end(),
                     [](study::Metric metric) { return study::info_of(metric).work.times; }))
        throw base::InputError({}, "--timeline has nothing to tell", "no requested metric is a time", "add --time");
}

void write_timeline(io::OutputFile& file, std::string const& name, study::StudyPlan const& plan) {
    simulation::Timeline const timeline = simulation::make_timeline(plan, plan.study.sample.first_mapping);
    if (plan.study.sample.mappings > 1)
        tell("note", fmt::format("the timeline is that of mapping {}; --first-mapping chooses another",
                                 plan.study.sample.first_mapping));
    report::write_timeline(file.stream(), report::make_timeline_report(plan, timeline), report::timeline_form(name));
}

}  // namespace

void register_timeline(Registry& registry) {
    registry.study_outputs.push_back({"timeline", true, check_timeline, write_timeline});
}

}  // namespace tailback::commands
