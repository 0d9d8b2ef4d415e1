#include "host/commands/options/place_options.hpp"

#include "host/audit/loads/groups.hpp"
#include "host/base/error.hpp"
#include "host/commands/options/jobs_options.hpp"
#include "host/commands/options/network_options.hpp"
#include "host/commands/report_file.hpp"

#include <fmt/format.h>

namespace tailback::commands {
namespace {

/// Running jobs, free nodes: then nodes are chosen. @param inputs files that it reads are added
std::optional<api::NodesChoice> beside_jobs(options::ParsedOptions const& options, api::RankOrderChoice const& choice,
                                            std::vector<std::string>& inputs) {
    if (!options.given("job") && !options.given("jobs") && !options.given("squeue") && !options.given("sinfo"))
        return {};
    if (options.given("goal") && choice.goal != search::OrderGoal::load)
        throw base::InputError({}, fmt::format("--goal {} does not go with running jobs", search::name_of(choice.goal)),
                               "all levels of all jobs are added up beside each other",
                               "leave it out, or give --goal load", "goal");
    RequestedJobs requested = requested_jobs(options, {});
    api::NodesChoice nodes{choice, {}, std::move(requested.taken), options.not_empty("sinfo", "name a file")};
    nodes.orders.goal = search::OrderGoal::load;
    nodes.running.jobs = std::move(requested.jobs);
    nodes.running.adapters = choice.study.placement.adapters;
    nodes.running.rail_aligned = choice.study.placement.rail_aligned;
    nodes.running.network = choice.study.network;
    nodes.running.mappings = 1;
    nodes.running.mappings_given = true;
    nodes.running.seed = choice.search.seed;
    nodes.running.capacities = choice.study.study.measures.capacities;
    nodes.running.aggregation_nodes_are_hosts = choice.study.study.placement.aggregation_nodes_are_hosts;
    nodes.set = small_number(options, "set");
    inputs = api::paths_of(nodes.named_files());
    inputs.insert(inputs.end(), requested.inputs.begin(), requested.inputs.end());
    return nodes;
}

}  // namespace

PlaceOptions parse_place_options(std::vector<std::string> const& arguments) {
    options::ParsedOptions const options(options::place, arguments);
    PlaceOptions parsed;
    api::StudyRequest& request = parsed.choice.study;
    request.network = network_choice(options, "it says which network the ranks run on");
    request.pattern_file = listed_file(options, "pattern");
    request.traffic_file = options.not_empty("traffic", "name a file");
    study::Study& study = request.study;
    if (!options.given("pattern") && request.traffic_file.empty())
        throw base::InputError({}, "nothing says what the ranks send each other", "the best order depends on it",
                               "give --traffic FILE or --pattern NAME", "traffic");
    study.traffic.pattern = request.lists_flows() ? patterns::listed_pattern : options.text("pattern").value_or("");
    if (options.given("level")) study.traffic.level = small_number(options, "level");
    study.placement.ranks = small_number(options, "ranks");
    study.placement.mapping = study::MappingKind::listed;
    study.placement.aggregation_nodes_are_hosts = options.choice("aggregation-nodes") == 1;
    study.sample.seed = parsed.choice.search.seed = options.number("seed");
    study.measures.capacities = capacities_of(options);
    api::PlacementRequest& placement = request.placement;
    placement = placement_of(options, "see `tailback place --help`");
    placement.order = options.given("mapping") ? options.not_empty("mapping", "see `tailback place --help`") : "block";
    if (placement.order == "random")
        throw base::InputError({}, "--mapping random is not an order to begin with", "the search begins at one order",
                               "leave it out, or choose block or cyclic", "mapping");
    study::read_rank_order(placement.order);
    request.network.form = api::RoutesForm::automatic;

    parsed.choice.goal = search::OrderGoal(options.choice("goal"));
    parsed.choice.racks = options.not_empty("racks", "write leaf, name:REGEX or file:PATH");
    if (parsed.choice.goal == search::OrderGoal::rack_bytes && parsed.choice.racks.empty())
        throw base::InputError({}, "nothing says which nodes are in a rack", "bytes that leave it are to be few",
                               "give --racks name:REGEX, for example 'name:^(rack[0-9]+)', or file:PATH", "racks");
    if (parsed.choice.goal == search::OrderGoal::adaptive || parsed.choice.goal == search::OrderGoal::hash) {
        request.network.form = api::RoutesForm::tables;
        request.network.by_static_entries = true;
        read_hashing(options, study.sample.seed, parsed.choice.hash);
    }
    parsed.choice.search.moves = options.given("moves") ? options.number("moves") : 0;
    if (options.given("time")) parsed.choice.seconds = seconds_of(*options.text("time"));
    parsed.choice.search.threads = options.threads();
    parsed.choice.search.restarts = small_number(options, "restarts");
    parsed.choice.random_orders = options.number("random-orders");
    parsed.choice.together = small_number(options, "keep-together");
    parsed.choice.stays = options.not_empty("stay", "write ranks as 0-3,7");
    parsed.format = format_of(options);
    parsed.output = *options.text("output");
    std::vector<std::string> outputs = {parsed.output};
    for (std::string const& words : options.list("write")) {
        parsed.write.push_back(study::read_placement_file("--write", words));
        outputs.push_back(parsed.write.back().path);
    }
    parsed.inputs = request.files();
    if (std::string const file = audit::file_of_groups(parsed.choice.racks); !file.empty())
        parsed.inputs.push_back(file);
    parsed.nodes = beside_jobs(options, parsed.choice, parsed.inputs);
    parsed.keeping = search_keeping(options);
    for (std::string& file : parsed.keeping.files()) outputs.push_back(std::move(file));
    check_files(parsed.inputs, outputs);
    return parsed;
}

}  // namespace tailback::commands
