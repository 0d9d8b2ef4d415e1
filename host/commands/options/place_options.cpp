#include "host/commands/options/place_options.hpp"

#include "host/base/error.hpp"
#include "host/commands/options/network_options.hpp"
#include "host/options/parsed_options.hpp"

namespace tailback::commands {

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
    if (options.given("level")) study.traffic.level = static_cast<std::uint32_t>(options.number("level"));
    study.placement.ranks = static_cast<std::uint32_t>(options.number("ranks"));
    study.placement.mapping = study::MappingKind::listed;
    study.placement.aggregation_nodes_are_hosts = options.choice("aggregation-nodes") == 1;
    study.sample.seed = parsed.choice.search.seed = options.number("seed");
    study.measures.capacities =
        options.choice("capacities") == 0 ? model::CapacityKind::from_rates : model::CapacityKind::unit;
    api::PlacementRequest& placement = request.placement;
    placement = placement_of(options, "see `tailback place --help`");
    placement.order = options.given("mapping") ? options.not_empty("mapping", "see `tailback place --help`") : "block";
    if (placement.order == "random")
        throw base::InputError({}, "--mapping random is not an order to begin with", "the search begins at one order",
                               "leave it out, or choose block or cyclic", "mapping");
    study::read_rank_order(placement.order);
    request.network.form = api::RoutesForm::automatic;

    parsed.choice.goal = search::OrderGoal(options.choice("goal"));
    parsed.choice.search.moves = options.given("moves") ? options.number("moves") : 0;
    parsed.choice.search.threads = options.threads();
    parsed.choice.random_orders = options.number("random-orders");
    parsed.choice.together = static_cast<std::uint32_t>(options.number("keep-together"));
    parsed.choice.stays = options.not_empty("stay", "write ranks as 0-3,7");
    parsed.format = report::Form(options.choice("format"));
    parsed.output = *options.text("output");
    std::vector<std::string> outputs = {parsed.output};
    for (std::string const& words : options.list("write")) {
        parsed.write.push_back(study::read_placement_file("--write", words));
        outputs.push_back(parsed.write.back().path);
    }
    check_files(request.files(), outputs);
    return parsed;
}

}  // namespace tailback::commands
