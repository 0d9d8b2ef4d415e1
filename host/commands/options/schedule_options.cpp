#include "host/commands/options/schedule_options.hpp"

#include "host/base/error.hpp"
#include "host/commands/command.hpp"
#include "host/commands/options/network_options.hpp"
#include "host/commands/report_file.hpp"
#include "host/options/parsed_options.hpp"

namespace tailback::commands {
namespace {

constexpr char const* schedule_text = R"(
A workload is YAML, or a file in the Standard Workload Format:

  jobs:
    - {name: cfd, nodes: 64, work: 3600, pattern: "stencil-3d", communication: 0.4}
    - {name: mix, count: 500, every: "exponential:60", nodes: [1, 2, 4, 8, 16], pattern: [bisect, ring],
       duration: "exponential:900", requested: 3600}

  submit, every  seconds at which a job comes, or from one of several to the next
  duration       seconds that it runs; work: seconds that it would run alone, longer by congestion
  requested      seconds that it asks for (for easy); communication: share of work that congestion lengthens
  pattern        what its ranks send (traffic: a file); mapping: the order of ranks on nodes
Numbers may be drawn: exponential:MEAN, uniform:LOW..HIGH, or a list whose entries are equally likely.

Examples:
  tailback schedule day.yaml --network xgft:m=12x12x8,w=1x12x12 --queue easy --select leaf
  tailback schedule KTH-SP2.swf --network torus:8x8x4 --pattern bisect --select random --seeds 100
)";

}  // namespace

std::string schedule_notes() { return schedule_text; }

ScheduleOptions parse_schedule_options(std::vector<std::string> const& arguments) {
    options::ParsedOptions const options(options::schedule, arguments);
    std::string const workload = options.word("there is one workload", "name one");
    if (workload.empty())
        throw base::InputError({}, "there is no workload", "", "write tailback schedule WORKLOAD.yaml --network ..");
    ScheduleOptions parsed{
        .request = {
            .network = network_choice(options.required("network", "it says which fabric the jobs run on"), options),
            .workload = workload,
            .pattern = options.text("pattern").value_or(""),
            .policy = {},
            .placement = {}}};
    api::ScheduleRequest& request = parsed.request;
    request.policy.queue = schedule::QueuePolicy(options.choice("queue"));
    request.policy.nodes = schedule::NodePolicy(options.choice("select"));
    request.compares = true;
    request.placement.adapters = options.text("adapters").value_or("");
    request.placement.rail = options.text("rail").value_or("");
    request.placement.rail_aligned = options.given("rail-aligned");
    request.placement.ranks_per_node = small_number(options, "ranks-per-node");
    request.seed = options.number("seed");
    request.seeds = options.number("seeds");
    request.capacities = capacities_of(options);
    parsed.queue = *options.text("queue");
    parsed.select = *options.text("select");
    parsed.output = *options.text("output");
    parsed.moments = options.text("timeline").value_or("");
    parsed.format = format_of(options);
    parsed.threads = options.threads();
    std::vector<std::string> outputs = {parsed.output}, inputs = request.network.files();
    if (!parsed.moments.empty()) outputs.push_back(parsed.moments);
    inputs.push_back(workload);
    check_files(inputs, outputs);
    return parsed;
}

}  // namespace tailback::commands
