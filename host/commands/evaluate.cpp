// tailback evaluate: a network, its tables, a study; out comes a report.
#include "host/commands/command.hpp"
#include "host/commands/evaluate_options.hpp"
#include "host/commands/input.hpp"
#include "host/commands/study_files.hpp"
#include "host/error.hpp"
#include "host/host_lists.hpp"
#include "host/output_file.hpp"
#include "host/progress.hpp"
#include "host/report/numbers.hpp"
#include "host/report/per_mapping.hpp"
#include "host/report/report.hpp"
#include "host/report/run_info.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>
#include <vector>

namespace tailback {
namespace {

void note_apart(Network const& network, Study const& study) {
    std::size_t engines = 0, routers = 0;
    for (HostRecord const& host : network.hosts()) {
        engines += host.role == HostRole::aggregation;
        routers += host.role == HostRole::router;
    }
    if (engines > 0 && !study.aggregation_nodes_are_hosts)
        tell("note", fmt::format("{} aggregation nodes inside switches are no hosts of the study (--aggregation-nodes "
                                 "hosts counts them)",
                                 engines));
    if (routers > 0) tell("note", fmt::format("{} router ports are no hosts of the study", routers));
}

/// What is studied: a network with tables, or one whose routes are arithmetic.
struct Input {
    std::unique_ptr<RegularNetwork> regular;
    Fabric fabric;
    Study study;
};

Input obtain_input(EvaluateOptions const& options) {
    Input input;
    bool const named_hosts = !options.mapping_file.empty() || !options.subset_file.empty();
    input.regular = obtain_regular(options.input, options.routes, named_hosts);
    if (!input.regular) input.fabric = obtain_fabric(options.input, true);
    input.study = complete_study(options, input.fabric.network);
    note_apart(input.fabric.network, input.study);
    return input;
}

/// The outputs of one run: made together, put in place together.
struct Outputs {
    explicit Outputs(EvaluateOptions const& options) : report(options.output) {
        auto const open = [](std::optional<OutputFile>& file, std::string const& path) {
            if (!path.empty()) file.emplace(path);
        };
        open(per_mapping, options.per_mapping);
        open(mappings, options.dump_mappings);
        open(picture, options.picture);
        open(run_info, options.run_info);
    }
    void commit() {
        std::vector<OutputFile*> all;
        for (auto* const file : {&per_mapping, &mappings, &picture, &run_info})
            if (*file) all.push_back(&**file);
        all.push_back(&report);
        for (OutputFile* const file : all) file->stage();
        for (OutputFile* const file : all) file->commit();
    }

    OutputFile report;
    std::optional<OutputFile> per_mapping, mappings, picture, run_info;
};

/// The first so many of the study.
void dump_mappings(OutputFile& file, StudyPlan const& plan, std::uint64_t mappings) {
    Study const& study = plan.study;
    std::ostream& out = file.stream();
    fmt::print(out, "# mappings {} .. {} of pattern {} on {} ranks, subset {}, mapping {}, seed {}\n",
               study.first_mapping, study.first_mapping + mappings - 1, study.pattern, study.ranks,
               subset_name(study), mapping_name(study), study.seed);
    out << "# one mapping a line: the host of rank 0, of rank 1, ...; `--mapping file:PATH` reads this\n";
    std::vector<std::string> names;
    for (std::uint32_t h = 0; plan.regular != nullptr && h < plan.regular->hosts; ++h) names.push_back(RegularNetwork::host_name(h));
    MappingWriter writer = plan.regular != nullptr ? MappingWriter(out, std::move(names)) : MappingWriter(out, plan.fabric->network);
    for (std::uint64_t m = 0; m < mappings; ++m) {
        writer.write(plan.hosts_of_mapping(study.first_mapping + m));
        if (!out) file.stage();  // says why
    }
}

StudyPlan make_whole_plan(Input const& input, EvaluateOptions const& options) {
    StudyPlan plan = input.regular ? make_plan(*input.regular, input.study) : make_plan(input.fabric, input.study);
    settle_mappings(plan, options);
    return plan;
}

void write_report(std::ostream& out, ReportFormat format, Report const& report) {
    switch (format) {
        case ReportFormat::text: return write_text_report(out, report);
        case ReportFormat::json: return write_json_report(out, report);
        case ReportFormat::csv: return write_csv_report(out, report);
    }
}

}  // namespace

int run_evaluate(std::vector<std::string> const& arguments) {
    auto const started = std::chrono::steady_clock::now();
    EvaluateOptions const options = parse_evaluate_options(arguments);
    if (options.help) return write_standard_output(evaluate_help()), success;
    check_device(options.device);  // told before anything is read

    Input const input = obtain_input(options);
    StudyPlan const plan = make_whole_plan(input, options);
    double const read_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();

    Outputs outputs(options);
    ExecutionOptions execution{.device = options.device, .threads = options.threads, .batch = options.batch};
    std::optional<PerMappingWriter> per_mapping;
    if (outputs.per_mapping) {
        per_mapping.emplace(outputs.per_mapping->stream(), plan);
        execution.per_mapping = [&](std::uint64_t m, MappingTally const& tally) { per_mapping->write(m, tally); };
    }
    std::optional<Progress> progress(std::in_place, plan.study.mappings, "mappings");
    execution.progress = [&](std::uint64_t done) {
        progress->show(done);
        if (outputs.per_mapping && !outputs.per_mapping->stream()) outputs.per_mapping->stage();  // says why
    };
    Evaluation const result = evaluate(plan, execution);
    progress.reset();

    if (outputs.mappings) dump_mappings(*outputs.mappings, plan, result.mappings);
    Report const report = make_report(plan, result);
    write_report(outputs.report.stream(), options.format, report);
    if (outputs.picture) write_svg_histogram(outputs.picture->stream(), report, pictured_metric(plan.study));
    RunInfo const run{result.device, result.threads, read_s, result.evaluate_s, result.mappings, result.hops};
    if (outputs.run_info) write_run_info(outputs.run_info->stream(), run);
    outputs.commit();
    tell("done", run_info_line(run));
    if (plan.study.until && !result.until->reached) {
        tell("note", "the goal of --until was not reached; allow more --mappings or a wider interval");
        return faults_found;
    }
    return success;
}

}  // namespace tailback
