// tailback estimate: zero-load latency of all pairs, waiting of packets up to saturation.
#include "host/api/study.hpp"
#include "host/base/error.hpp"
#include "host/base/spec.hpp"
#include "host/commands/command.hpp"
#include "host/commands/messages.hpp"
#include "host/commands/options/cxxopts.hpp"
#include "host/commands/options/network_options.hpp"
#include "host/commands/options/options.hpp"
#include "host/commands/options/timing_options.hpp"
#include "host/io/output_file.hpp"
#include "host/io/progress.hpp"
#include "host/report/queueing/latency_report.hpp"
#include "host/study/fabric_digest.hpp"

#include <charconv>

namespace tailback::commands {
namespace {

constexpr char const* estimate_examples = R"(
All of it is an estimate: packets of one size arrive at random (Poisson) at every link of their
route, links are independent of each other (M/D/1), and no full buffer stops anybody. Rank r sits on
the r-th host in breadth-first order from the first host of the file, as in
`evaluate --mapping identity`.

Examples:
  tailback estimate --network ibnetdiscover.out --tables opensm-lfts.dump --latency link=5ns,switch=130ns
  tailback estimate --network dragonfly:a=8,p=4,h=4 --packet 256 --format csv
  tailback estimate --network torus:8x8 --pattern transpose --load 0.2
)";

double positive(ParsedOptions const& options, char const* name) {
    std::string const text = *options.text(name);
    double value = 0;
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !(value > 0) || value > 1e15)
        throw base::InputError({}, std::string("--") + name + " " + text.substr(0, 40) + " is no positive number", "",
                               "give one, for example 0.5");
    return value;
}

api::StudyRequest request_of(ParsedOptions const& options, bool uniform) {
    api::StudyRequest request;
    request.network = network_choice(options.required("network", "it says which network to look at"),
                                     [&](std::string const& name) { return options.text(name); });
    request.network.strict = options.flag("strict");
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
    study.placement.ranks = static_cast<std::uint32_t>(options.number("ranks", 0, UINT32_MAX));
    study.placement.mapping = study::MappingKind::identity;
    study.sample.mappings = 1;
    study.measures.metrics = {study::Metric::sum_max_cong};
    study.measures.capacities = options.choice("capacities", {"rates", "unit"}) == 0 ? model::CapacityKind::from_rates
                                                                                     : model::CapacityKind::unit;
    study.measures.timing.keeps_routes_whole = true;
    return request;
}

}  // namespace

cxxopts::Options declare_estimate() {
    cxxopts::Options declared("tailback estimate",
                              "Estimates latency: of every pair without load, and of packets that wait, up to "
                              "saturation.\n");
    declared.custom_help("--network FILE|SPEC [--tables FILE | --routing NAME] [options]");
    declared.set_width(100);
    declare_network(declared, "", true);
    using cxxopts::value;
    // clang-format off
    declared.add_options()
        ("capacities", "link capacities: rates (from link widths and speeds) or unit (all the same)", value<std::string>()->default_value("rates"), "KIND")
        ("pattern", "who sends to whom: a pattern (`tailback list patterns`), or file:PATH; each sender divides what it injects among its flows by their bytes. all-to-all: evenly among all others, as uniform random destinations do", value<std::string>()->default_value("all-to-all"), "NAME")
        ("ranks", "number of ranks; 0 = one on every host", value<std::string>()->default_value("0"), "N")
        ("packet", "bytes of a packet", value<std::string>()->default_value("4096"), "BYTES")
        ("latency", "time that every link, and every switch between two links, adds: link=5ns,switch=130ns; numbers without a unit where no rates are known", value<std::vector<std::string>>(), "link=T,switch=T")
        ("switching", "a packet is on all links at once (cut-through), or is stored by every switch (store-and-forward)", value<std::string>()->default_value("cut-through"), "KIND")
        ("load", "what each sender injects, as a fraction of the base rate, for the hottest links; half of saturation unless given", value<std::string>(), "X")
        ("format", "text, json, or csv (the curve of latency)", value<std::string>()->default_value("text"), "FORMAT")
        ("o,output", "output file; - is standard output", value<std::string>()->default_value("-"), "FILE")
        ("threads", "number of CPU threads; 0 = all cores", value<std::string>()->default_value("0"), "T")
        ("strict", "treat input files that contradict each other as an error instead of a warning")
        ("h,help", "show this help");
    // clang-format on
    return declared;
}

std::string estimate_help() { return declare_estimate().help() + estimate_examples; }

int run_estimate(std::vector<std::string> const& arguments) {
    ParsedOptions const options(declare_estimate(), arguments);
    if (options.flag("help")) return io::write_standard_output(estimate_help()), success;
    queueing::LatencyQuestion question;
    std::string const pattern = *options.text("pattern");
    question.uniform = base::name_of_spec(pattern) == "all-to-all";
    if (question.uniform) patterns::make_pattern_part(pattern, 0);
    question.packet = positive(options, "packet");
    if (options.given("load")) question.load = positive(options, "load");
    read_latency(options, question.timing);
    question.timing.switching = options.choice("switching", {"cut-through", "store-and-forward"}) == 0
                                    ? study::Switching::cut_through
                                    : study::Switching::store_and_forward;
    question.threads = options.threads();
    std::size_t const format = options.choice("format", {"text", "json", "csv"});
    api::StudyRequest const request = request_of(options, question.uniform);
    std::string const output = *options.text("output");
    check_files(request.files(), {output});

    api::PreparedStudy const study(request, listener());
    std::optional<io::Progress> progress;
    progress.emplace("following routes", study.plan().study.placement.ranks, "hosts");
    question.progress = [&](std::uint64_t done) { progress->show(done); };
    queueing::LatencyEstimate const estimate = queueing::estimate_latency(study.plan(), question);
    progress.reset();
    report::LatencyReport const report{study.plan(), question, estimate, pattern, study::digest(*study.plan().fabric)};
    io::OutputFile file(output);
    switch (format) {
        case 0: report::write_text_report(file.stream(), report); break;
        case 1: report::write_json_report(file.stream(), report); break;
        default: report::write_csv_report(file.stream(), report); break;
    }
    file.commit();
    return success;
}

}  // namespace tailback::commands
