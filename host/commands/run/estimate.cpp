// tailback estimate: zero-load latency of all pairs, waiting of packets up to saturation.
#include "host/base/extensions.hpp"
#include "host/commands/messages.hpp"
#include "host/commands/options/estimate_options.hpp"
#include "host/commands/options/network_options.hpp"
#include "host/commands/registry.hpp"
#include "host/commands/report_file.hpp"
#include "host/commands/visible_run.hpp"
#include "host/report/queueing/latency_report.hpp"
#include "host/study/fabric_digest.hpp"

namespace tailback::commands {
namespace {

constexpr char const* estimate_text = R"(
All of it is an estimate: packets of one size arrive at random (Poisson) at every link of their
route, links are independent of each other (M/D/1), and no full buffer stops anybody. Rank r sits on
the r-th host in breadth-first order from the first host of the file, as in
`evaluate --mapping identity`.

Examples:
  tailback estimate --network ibnetdiscover.out --tables opensm-lfts.dump --latency link=5ns,switch=130ns
  tailback estimate --network dragonfly:a=8,p=4,h=4 --packet 256 --format csv
  tailback estimate --network torus:8x8 --pattern transpose --load 0.2
)";

std::string estimate_notes() { return estimate_text; }

int run_estimate(std::vector<std::string> const& arguments) {
    EstimateOptions options = parse_estimate_options(arguments);
    queueing::LatencyQuestion& question = options.question;
    api::PreparedStudy const study(options.request, listener());
    tell_static_entries(*study.plan().fabric);
    VisibleRun run({"following routes", study.plan().study.placement.ranks, "hosts"}, VisibleRun::Stops::never);
    question.progress = [&](std::uint64_t done) { run.show(done); };
    queueing::LatencyEstimate const estimate = queueing::estimate_latency(study.plan(), question);
    run.end();
    report::LatencyReport const report{study.plan(), question, estimate, options.pattern,
                                       study::digest(*study.plan().fabric)};
    put_report(options.output, report, options.format);
    return success;
}

}  // namespace

void register_estimate(Registry& registry) {
    base::insert_before(
        registry.commands, "trace",
        Command{"estimate",
                "latency of all pairs without load, and of packets that wait, up to saturation",
                run_estimate,
                {options::command_named("estimate"),
                 "Estimates latency: of every pair without load, and of packets that wait, up to saturation.",
                 "--network FILE|SPEC [--tables FILE | --routing NAME] [options]",
                 "tailback estimate --network torus:8x8x8"},
                estimate_notes});
}

}  // namespace tailback::commands
