#include "host/commands/run/algorithms_run.hpp"

#include "host/api/collectives/algorithms.hpp"
#include "host/base/error.hpp"
#include "host/commands/messages.hpp"
#include "host/commands/options/network_options.hpp"
#include "host/commands/registry.hpp"
#include "host/commands/report_file.hpp"
#include "host/commands/threads.hpp"
#include "host/commands/visible_run.hpp"

#include <utility>

namespace tailback::commands {
namespace {

void refuse_what_is_of_one_study(EvaluateOptions const& options) {
    auto const refuse = [](bool given, std::string const& option) {
        if (given)
            throw base::InputError({}, "--" + option + " has no effect with algorithm=all",
                                   "that is a table of times, of many studies", "name one algorithm, or leave it out");
    };
    for (auto const& [path, option] : {std::pair{&options.per_mapping, "per-mapping"},
                                       {&options.dump_mappings, "dump-mappings"},
                                       {&options.picture, "picture"},
                                       {&options.picture_links, "picture-links"},
                                       {&options.run_info, "run-info"},
                                       {&options.checkpoint, "checkpoint"},
                                       {&options.best.path, "write-best"},
                                       {&options.worst.path, "write-worst"}})
        refuse(!path->empty(), option);
    for (auto const& [output, path] : options.more_outputs) refuse(true, output->option);
    refuse(options.request.study.sample.until.has_value(), "until");
    refuse(!options.request.group_by.empty(), "group-by");
    refuse(options.request.study.traffic.level.has_value(), "level");
    refuse(options.format == report::Form::html, "format html");
}

}  // namespace

int run_algorithms(EvaluateOptions const& options) {
    refuse_what_is_of_one_study(options);
    evaluation::check_device(options.device);
    Threads const threads(options.threads);
    report::AlgorithmsReport const report = api::compare_algorithms(
        options.request, listener(), {.device = options.device, .threads = options.threads, .batch = options.batch});
    put_report(options.output, report, options.format);
    return success;
}

}  // namespace tailback::commands
