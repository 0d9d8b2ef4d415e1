#include "host/commands/options/schedule_options.hpp"

#include "host/base/error.hpp"
#include "host/commands/options/network_options.hpp"
#include "host/commands/report_file.hpp"
#include "host/options/parsed_options.hpp"

namespace tailback::commands {
ScheduleOptions parse_schedule_options(std::vector<std::string> const& arguments) {
    options::ParsedOptions const options(options::command_named("schedule"), arguments);
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
    request.placement.adapters = api::read_node_grouping(options.text("adapters").value_or(""));
    if (std::string const rail = options.text("rail").value_or(""); !rail.empty())
        request.placement.rail = study::read_rail_rule(rail);
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
