#include "host/commands/options/schedule_options.hpp"

#include "host/base/error.hpp"
#include "host/commands/command.hpp"
#include "host/commands/options/cxxopts.hpp"
#include "host/commands/options/network_options.hpp"
#include "host/commands/options/options.hpp"

namespace tailback::commands {
namespace {

constexpr char const* schedule_examples = R"(
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

constexpr std::uint64_t most_seeds = 1'000'000;

}  // namespace

cxxopts::Options declare_schedule() {
    cxxopts::Options declared("tailback schedule",
                              "Runs the jobs of a workload on a fabric: who waits, who runs where, whom congestion "
                              "slows.\n");
    declared.custom_help("WORKLOAD --network FILE|SPEC [options]");
    declared.set_width(100);
    declare_network(declared, "", true);
    using cxxopts::value;
    using std::string;
    // clang-format off
    declared.add_options()
        ("queue", "which waiting jobs begin: fcfs (in their order) or easy (EASY backfilling: others may go before if that does not delay the first)", value<string>()->default_value("fcfs"), "fcfs|easy")
        ("select", "which free nodes a job gets: first, contiguous (a run of neighbours where there is one), leaf (few leaf switches) or random", value<string>()->default_value("first"), "POLICY")
        ("pattern", "what the jobs of a file in the Standard Workload Format send; otherwise nothing", value<string>(), "NAME")
        ("ranks-per-node", "ranks of a compute node; processors of one, for the Standard Workload Format", value<string>()->default_value("1"), "K")
        ("adapters", "which hosts are adapters of one compute node: name, system, a number or file:PATH", value<string>(), "HOW")
        ("rail", "which adapter of its node a rank uses: local-rank, round-robin, nearest or file:PATH", value<string>(), "RULE")
        ("rail-aligned", "flows leave a node by the adapter on the rail of their destination's adapter")
        ("capacities", "link capacities: rates or unit", value<string>()->default_value("rates"), "KIND")
        ("seed", "seed of everything that is drawn; the first of --seeds", value<string>()->default_value("1"), "S")
        ("seeds", "how many schedules: seeds S, S + 1, ..", value<string>()->default_value("1"), "N")
        ("timeline", "write every moment of the first seed as CSV: jobs, busy nodes, largest load, slowdown", value<string>(), "FILE")
        ("format", "text, json, or csv (a row for each job of the first seed)", value<string>()->default_value("text"), "FORMAT")
        ("o,output", "output file; - is standard output", value<string>()->default_value("-"), "FILE")
        ("threads", "CPU threads, which share the seeds; 0 = all cores", value<string>()->default_value("0"), "N")
        ("strict", "treat input files that contradict each other as an error instead of a warning")
        ("h,help", "show this help");
    // clang-format on
    return declared;
}

std::string schedule_help() { return declare_schedule().help() + schedule_examples; }

ScheduleOptions parse_schedule_options(std::vector<std::string> const& arguments) {
    std::vector<std::string> words = arguments;
    std::string const workload = take_word(words, {"--strict", "--rail-aligned"}, "there is one workload", "name one");
    ParsedOptions const options(declare_schedule(), words);
    if (options.flag("help")) return {.help = true};
    if (workload.empty())
        throw base::InputError({}, "there is no workload", "", "write tailback schedule WORKLOAD.yaml --network ..");
    ScheduleOptions parsed{
        .request = {.network = network_choice(options.required("network", "it says which fabric the jobs run on"),
                                              [&](std::string const& name) { return options.text(name); }),
                    .workload = workload,
                    .pattern = options.text("pattern").value_or(""),
                    .policy = {},
                    .placement = {}}};
    api::ScheduleRequest& request = parsed.request;
    request.network.strict = options.flag("strict");
    request.policy.queue = schedule::QueuePolicy(options.choice("queue", {"fcfs", "easy"}));
    request.policy.nodes = schedule::NodePolicy(options.choice("select", {"first", "contiguous", "leaf", "random"}));
    request.placement.adapters = options.text("adapters").value_or("");
    request.placement.rail = options.text("rail").value_or("");
    request.placement.rail_aligned = options.flag("rail-aligned");
    request.placement.ranks_per_node = static_cast<std::uint32_t>(options.number("ranks-per-node", 1, UINT16_MAX));
    request.seed = options.number("seed", 0, UINT64_MAX - most_seeds);
    request.seeds = options.number("seeds", 1, most_seeds);
    request.capacities = options.choice("capacities", {"rates", "unit"}) == 0 ? model::CapacityKind::from_rates
                                                                              : model::CapacityKind::unit;
    parsed.queue = *options.text("queue");
    parsed.select = *options.text("select");
    parsed.output = *options.text("output");
    parsed.moments = options.text("timeline").value_or("");
    parsed.format = options.choice("format", {"text", "json", "csv"});
    parsed.threads = options.threads();
    std::vector<std::string> outputs = {parsed.output}, inputs = request.network.files();
    if (!parsed.moments.empty()) outputs.push_back(parsed.moments);
    inputs.push_back(workload);
    check_files(inputs, outputs);
    return parsed;
}

}  // namespace tailback::commands
