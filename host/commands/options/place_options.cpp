#include "host/commands/options/place_options.hpp"

#include "host/audit/loads/groups.hpp"
#include "host/base/error.hpp"
#include "host/commands/options/jobs_options.hpp"
#include "host/commands/options/network_options.hpp"
#include "host/commands/registry.hpp"
#include "host/commands/report_file.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tailback::commands {
namespace {

/// Of a study's network, as it is given.
api::JobsRequest jobs_of(std::vector<api::JobRequest> jobs, api::RankOrderChoice const& choice) {
    api::JobsRequest request;
    request.jobs = std::move(jobs);
    request.adapters = choice.study.placement.adapters;
    request.rail_aligned = choice.study.placement.rail_aligned;
    request.network = choice.study.network;
    request.mappings = 1;
    request.mappings_given = true;
    request.seed = choice.search.seed;
    request.capacities = choice.study.study.measures.capacities;
    request.aggregation_nodes_are_hosts = choice.study.study.placement.aggregation_nodes_are_hosts;
    return request;
}

bool orders_jobs(options::ParsedOptions const& options) {
    return !options.given("pattern") && !options.given("traffic") && (options.given("job") || options.given("jobs"));
}

/// Jobs without another one to be placed beside them are ordered themselves. @param inputs files that it reads
std::shared_ptr<api::JobsRequest const> ordered_jobs(options::ParsedOptions const& options,
                                                     api::RankOrderChoice const& choice,
                                                     std::vector<std::string>& inputs) {
    for (char const* const own : {"ranks", "nodes", "ranks-per-node", "rail", "mapping", "level"})
        if (options.given(own))
            throw base::InputError({}, fmt::format("--{} does not go with jobs that are ordered together", own),
                                   "every --job says its own, and there is no --traffic or --pattern of another",
                                   fmt::format("leave it out, or write {}=.. in --job", own), own);
    RequestedJobs requested = requested_jobs(options, {});
    auto jobs = std::make_shared<api::JobsRequest>(jobs_of(std::move(requested.jobs), choice));
    inputs = api::paths_of(jobs->named_files());
    inputs.insert(inputs.end(), requested.inputs.begin(), requested.inputs.end());
    return jobs;
}

/// Running jobs, free nodes: then nodes are chosen. @param inputs files that it reads are added
std::optional<api::NodesChoice> beside_jobs(options::ParsedOptions const& options, api::RankOrderChoice const& choice,
                                            std::vector<std::string>& inputs) {
    auto const is_given = [&](auto const& list) { return options.given(list.option); };
    auto const idle = std::ranges::find_if(node_lists(), is_given);
    if (!options.given("job") && !options.given("jobs") && std::ranges::none_of(job_lists(), is_given) &&
        idle == node_lists().end())
        return {};
    if (options.given("goal") && choice.goal != search::OrderGoal::load)
        throw base::InputError({}, fmt::format("--goal {} does not go with running jobs", search::name_of(choice.goal)),
                               "all levels of all jobs are added up beside each other",
                               "leave it out, or give --goal load", "goal");
    RequestedJobs requested = requested_jobs(options, {});
    api::NodesChoice nodes{
        jobs_of(std::move(requested.jobs), choice), std::move(requested.taken), {}, small_number(options, "set")};
    if (idle != node_lists().end())
        nodes.idle = {idle->option, options.not_empty(idle->option, "name a file"), idle->read};
    for (auto const& files : {api::paths_of(nodes.running.named_files()), {nodes.idle.path}, requested.inputs})
        for (std::string const& file : files)
            if (!file.empty() && std::ranges::find(inputs, file) == inputs.end()) inputs.push_back(file);
    return nodes;
}

}  // namespace

std::string file_of_job(std::string const& path, std::string const& job) {
    if (path == "-" || path.starts_with("/dev/")) return path;
    std::string name = job;
    for (char& c : name)
        if (c == '/') c = '_';
    return path + "." + name;
}

PlaceOptions parse_place_options(std::vector<std::string> const& arguments) {
    options::ParsedOptions const options(options::place, arguments);
    PlaceOptions parsed;
    api::StudyRequest& request = parsed.choice.study;
    request.network = network_choice(options, "it says which network the ranks run on");
    request.pattern_file = listed_file(options, "pattern");
    request.traffic_file = options.not_empty("traffic", "name a file");
    study::Study& study = request.study;
    bool const is_of_jobs = orders_jobs(options);
    if (!options.given("pattern") && request.traffic_file.empty() && !is_of_jobs)
        throw base::InputError({}, "nothing says what the ranks send each other", "the best order depends on it",
                               "give --traffic FILE or --pattern NAME, or several --job", "traffic");
    study.traffic.pattern = request.lists_flows() ? patterns::listed_pattern : options.text("pattern").value_or("");
    if (options.given("level")) study.traffic.level = small_number(options, "level");
    study.placement.ranks = small_number(options, "ranks");
    study.placement.mapping = study::MappingKind::listed;
    study.placement.aggregation_nodes_are_hosts = options.choice("aggregation-nodes") == 1;
    study.sample.seed = parsed.choice.search.seed = options.number("seed");
    study.measures.capacities = capacities_of(options);
    api::PlacementRequest& placement = request.placement;
    placement = placement_of(options, "see `tailback place --help`");
    std::string const order =
        options.given("mapping") ? options.not_empty("mapping", "see `tailback place --help`") : "block";
    if (order == "random")
        throw base::InputError({}, "--mapping random is not an order to begin with", "the search begins at one order",
                               "leave it out, or choose block or cyclic", "mapping");
    placement.order = study::read_rank_order(order);
    request.network.form = api::RoutesForm::automatic;

    parsed.choice.goal = search::OrderGoal(options.choice("goal"));
    if (is_of_jobs && !options.given("goal")) parsed.choice.goal = search::OrderGoal::load;
    parsed.choice.racks = options.not_empty("racks", "write leaf, name:REGEX or file:PATH");
    parsed.choice.within = api::KeptWithin(options.choice("keep-within"));
    bool const by_goal = parsed.choice.goal == search::OrderGoal::rack_bytes;
    if ((by_goal || parsed.choice.within == api::KeptWithin::rack) && parsed.choice.racks.empty())
        throw base::InputError({}, "nothing says which nodes are in a rack",
                               by_goal ? "bytes that leave it are to be few" : "groups are to stay in it",
                               "give --racks name:REGEX, for example 'name:^(rack[0-9]+)', or file:PATH", "racks");
    if (search::goes_by_choices(parsed.choice.goal)) {
        request.network.form = api::RoutesForm::tables;
        request.network.by_static_entries = true;
        read_hashing(options, study.sample.seed, parsed.choice.hash);
        parsed.choice.hash_draws_are_asked_for = options.given("hash-draws");
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
    if (is_of_jobs) parsed.choice.jobs = ordered_jobs(options, parsed.choice, parsed.inputs);
    else parsed.inputs = request.files();
    std::vector<std::string> outputs = {parsed.output};
    for (std::string const& words : options.list("write")) {
        parsed.write.push_back(study::read_placement_file("--write", words));
        std::string const& path = parsed.write.back().path;
        if (!is_of_jobs) outputs.push_back(path);
        else
            for (api::JobRequest const& job : parsed.choice.jobs->jobs) outputs.push_back(file_of_job(path, job.name));
    }
    if (std::string const file = audit::file_of_groups(parsed.choice.racks); !file.empty())
        parsed.inputs.push_back(file);
    if (!is_of_jobs) parsed.choice.nodes = beside_jobs(options, parsed.choice, parsed.inputs);
    if (parsed.choice.nodes) parsed.choice.goal = search::OrderGoal::load;
    parsed.keeping = search_keeping(options);
    for (std::string& file : parsed.keeping.files()) outputs.push_back(std::move(file));
    check_files(parsed.inputs, outputs);
    return parsed;
}

}  // namespace tailback::commands
