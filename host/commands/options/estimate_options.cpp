#include "host/commands/options/estimate_options.hpp"

#include "host/base/error.hpp"
#include "host/base/spec.hpp"
#include "host/commands/options/network_options.hpp"
#include "host/commands/options/timing_options.hpp"
#include "host/commands/report_file.hpp"

#include <charconv>

namespace tailback::commands {
namespace {

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
    study.placement.ranks = small_number(options, "ranks");
    study.placement.mapping = study::MappingKind::identity;
    study.sample.mappings = 1;
    study.measures.metrics = {study::Metric::sum_max_cong};
    study.measures.capacities = capacities_of(options);
    study.measures.timing.keeps_routes_whole = true;
    return request;
}

}  // namespace

EstimateOptions parse_estimate_options(std::vector<std::string> const& arguments) {
    options::ParsedOptions const options(options::command_named("estimate"), arguments);
    EstimateOptions parsed;
    queueing::LatencyQuestion& question = parsed.question;
    parsed.pattern = *options.text("pattern");
    question.uniform = base::name_of_spec(parsed.pattern) == "all-to-all";
    if (question.uniform) patterns::make_pattern_part(parsed.pattern, 0);
    question.packet = positive(options, "packet");
    if (options.given("load")) question.load = positive(options, "load");
    read_latency(options, question.timing);
    question.timing.switching =
        options.choice("switching") == 0 ? study::Switching::cut_through : study::Switching::store_and_forward;
    question.threads = options.threads();
    parsed.request = request_of(options, question.uniform);
    parsed.output = *options.text("output");
    parsed.format = format_of(options);
    check_files(parsed.request.files(), {parsed.output});
    return parsed;
}

}  // namespace tailback::commands
