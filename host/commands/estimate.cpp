// tailback estimate: zero-load latency of all pairs, waiting of packets up to saturation.
#include "host/api/study.hpp"
#include "host/base/error.hpp"
#include "host/base/spec.hpp"
#include "host/commands/command.hpp"
#include "host/commands/messages.hpp"
#include "host/commands/options/network_options.hpp"
#include "host/commands/options/timing_options.hpp"
#include "host/commands/report_file.hpp"
#include "host/commands/visible_run.hpp"
#include "host/options/parsed_options.hpp"
#include "host/report/queueing/latency_report.hpp"
#include "host/study/fabric_digest.hpp"

#include <charconv>

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

double positive(options::ParsedOptions const& options, char const* name) {
    std::string const text = *options.text(name);
    double value = 0;
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !(value > 0) || value > 1e15)
        throw base::InputError({}, std::string("--") + name + " " + text.substr(0, 40) + " is not a positive number",
                               "", "give one, for example 0.5");
    return value;
}

api::StudyRequest request_of(options::ParsedOptions const& options, bool uniform) {
    api::StudyRequest request;
    request.network = network_choice(options, "it says which network to look at");
    std::string const pattern = *options.text("pattern");
    study::Study& study = request.study;
    if (uniform) {
        study.traffic.pattern = "null";  // all pairs need no list of flows
    } else if (pattern.starts_with("file:")) {
        request.pattern_file = pattern.substr(5);
        study.traffic.pattern = patterns::listed_pattern;
    } else {
        study.traffic.pattern = pattern;
    }
    study.placement.ranks = static_cast<std::uint32_t>(options.number("ranks"));
    study.placement.mapping = study::MappingKind::identity;
    study.sample.mappings = 1;
    study.measures.metrics = {study::Metric::sum_max_cong};
    study.measures.capacities =
        options.choice("capacities") == 0 ? model::CapacityKind::from_rates : model::CapacityKind::unit;
    study.measures.timing.keeps_routes_whole = true;
    return request;
}

}  // namespace

std::string estimate_notes() { return estimate_text; }

int run_estimate(std::vector<std::string> const& arguments) {
    options::ParsedOptions const options(options::estimate, arguments);
    queueing::LatencyQuestion question;
    std::string const pattern = *options.text("pattern");
    question.uniform = base::name_of_spec(pattern) == "all-to-all";
    if (question.uniform) patterns::make_pattern_part(pattern, 0);
    question.packet = positive(options, "packet");
    if (options.given("load")) question.load = positive(options, "load");
    read_latency(options, question.timing);
    question.timing.switching =
        options.choice("switching") == 0 ? study::Switching::cut_through : study::Switching::store_and_forward;
    question.threads = options.threads();
    api::StudyRequest const request = request_of(options, question.uniform);
    std::string const output = *options.text("output");
    check_files(request.files(), {output});

    api::PreparedStudy const study(request, listener());
    VisibleRun run({"following routes", study.plan().study.placement.ranks, "hosts"}, VisibleRun::Stops::never);
    question.progress = [&](std::uint64_t done) { run.show(done); };
    queueing::LatencyEstimate const estimate = queueing::estimate_latency(study.plan(), question);
    run.end();
    report::LatencyReport const report{study.plan(), question, estimate, pattern, study::digest(*study.plan().fabric)};
    put_report(output, report, format_of(options));
    return success;
}

}  // namespace tailback::commands
