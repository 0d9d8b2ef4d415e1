#include "host/commands/options/timing_options.hpp"

#include "host/base/error.hpp"
#include "host/commands/registry.hpp"

#include <algorithm>
#include <set>

namespace tailback::commands {
namespace {

/// A file is asked for that tells of times.
bool writes_times(options::ParsedOptions const& options) {
    auto const all = study_outputs();
    return std::any_of(all.begin(), all.end(),
                       [&](StudyOutput const& one) { return one.of_times && options.given(one.option); });
}

}  // namespace

bool asks_for_times(options::ParsedOptions const& options) {
    if (options.given("time")) return true;
    constexpr char const* meaning_times[] = {"dependencies", "compute", "latency", "switching", "priority"};
    return writes_times(options) || std::any_of(std::begin(meaning_times), std::end(meaning_times),
                                                [&](char const* name) { return options.given(name); });
}

std::vector<study::Metric> metrics_of(options::ParsedOptions const& options) {
    std::vector<study::Metric> metrics;
    auto const add = [&](study::Metric metric) {
        if (std::find(metrics.begin(), metrics.end(), metric) == metrics.end()) metrics.push_back(metric);
    };
    bool const times = asks_for_times(options);
    if (options.given("metric") || !times)
        for (std::string const& name : options.list("metric"))
            for (study::MetricInfo const& info : study::all_metrics())
                if (name == "all" ? info.is_for_all : info.metric == study::metric_named(name)) add(info.metric);
    if (options.given("time") || (times && !options.given("metric")))
        for (study::MetricInfo const& info : study::all_metrics())
            if (info.work.times) add(info.metric);
    return metrics;
}

void read_latency(options::ParsedOptions const& options, study::Timing& timing) {
    if (!options.given("latency")) return;
    std::set<std::string> met;
    for (std::string const& part : options.list("latency")) {
        std::size_t const equal = part.find('=');
        std::string const name = part.substr(0, equal);
        if (equal == part.npos || (name != "link" && name != "switch") || !met.insert(name).second)
            throw base::InputError({}, "--latency " + part.substr(0, 40) + " is not understood", "",
                                   "write link=100ns,switch=250ns, or one of them");
        (name == "link" ? timing.link_latency : timing.switch_latency) =
            study::read_duration("--latency " + name, part.substr(equal + 1));
    }
}

void read_timing(options::ParsedOptions const& options, study::Timing& timing) {
    bool const causal = options.choice("dependencies") == 1;
    timing.dependencies = causal ? study::Dependencies::causal : study::Dependencies::barrier;
    timing.switching =
        options.choice("switching") == 0 ? study::Switching::cut_through : study::Switching::store_and_forward;
    if (options.given("compute")) timing.compute = study::read_duration("--compute", *options.text("compute"));
    read_latency(options, timing);
    if (options.given("priority")) timing.priorities = study::read_priorities(*options.text("priority"));
}

void read_timing(options::ParsedOptions const& options, api::StudyRequest& request) {
    study::Timing& timing = request.study.measures.timing;
    read_timing(options, timing);
    bool const causal = timing.dependencies == study::Dependencies::causal;
    timing.keeps_routes_whole = writes_times(options);
    request.takes_schedule =
        !request.traffic_file.empty() && (causal || (asks_for_times(options) && !options.given("dependencies")));
}

}  // namespace tailback::commands
