// Which options `tailback evaluate` has, and which of them fit each other.
#include "host/commands/options/evaluate_options.hpp"

#include "host/base/error.hpp"
#include "host/commands/options/evaluate_declaration.hpp"
#include "host/commands/options/network_options.hpp"
#include "host/commands/options/options.hpp"
#include "host/commands/options/timing_options.hpp"
#include "host/io/output_file.hpp"
#include "host/report/html/page.hpp"
#include "host/report/link_loads.hpp"
#include "host/report/timeline/timeline_files.hpp"
#include "topologies/routings/hashed_sets.hpp"

#include <algorithm>

namespace tailback::commands {
namespace {

constexpr std::uint64_t most_in_a_batch = 1 << 20;

/// Splits `file:PATH`, or finds the path in `--NAME-file`; empty when the option is no file.
std::string listed_file(ParsedOptions const& options, std::string const& name) {
    std::string const kind = options.text(name).value_or("");
    std::optional<std::string> const path = options.text(name + "-file");
    if (kind.starts_with("file:")) {
        if (path)
            throw base::InputError({}, "two files for --" + name, "\"" + kind + "\" and --" + name + "-file " + *path,
                                   "give only one of them");
        if (kind.size() == 5) throw base::InputError({}, "--" + name + " file: names no file", "", "write file:PATH");
        return kind.substr(5);
    }
    if (kind == "file" && !path)
        throw base::InputError({}, "--" + name + " file names no file", "",
                               "write --" + name + " file:PATH, or add --" + name + "-file PATH");
    if (path && options.given(name) && kind != "file")
        throw base::InputError({}, "--" + name + " " + kind + " takes no file",
                               "--" + name + "-file " + *path + " is given", "give only one of them");
    if (path && path->empty()) throw base::InputError({}, "--" + name + "-file is empty", "", "name a file");
    return path.value_or("");
}

/// Traffic stands in place of a pattern.
std::string traffic_file(ParsedOptions const& options) {
    if (!options.given("traffic")) return "";
    for (char const* const other : {"pattern", "pattern-file"})
        if (options.given(other))
            throw base::InputError({}, std::string("--traffic and --") + other + " are both given",
                                   "each of them says what the ranks send", "give only one of them");
    std::string const file = *options.text("traffic");
    if (file.empty()) throw base::InputError({}, "--traffic has an empty name", "", "name a file");
    return file;
}

/// The place in `names` of a kind that is not a file.
std::size_t kind_of(ParsedOptions const& options, std::string const& name, std::vector<std::string> names) {
    names.push_back("file:PATH");
    return options.choice(name, names);
}

/// Ranks on compute nodes.
void read_placement(ParsedOptions const& options, api::StudyRequest& request) {
    api::PlacementRequest& placement = request.placement;
    for (auto const& [name, words] :
         {std::pair{"nodes", &placement.nodes}, {"adapters", &placement.adapters}, {"rail", &placement.rail}}) {
        *words = options.text(name).value_or("");
        if (options.given(name) && words->empty())
            throw base::InputError({}, std::string("--") + name + " is empty", "", "see `tailback evaluate --help`");
    }
    placement.rail_aligned = options.flag("rail-aligned");
    if (options.given("ranks-per-node"))
        placement.ranks_per_node = static_cast<std::uint32_t>(options.number("ranks-per-node", 1, UINT16_MAX));
    if (options.given("mapping")) placement.order = *options.text("mapping");
    if (options.given("mapping") && placement.order.empty())
        throw base::InputError({}, "--mapping is empty", "", "see `tailback evaluate --help`");
    if (options.given("squeue-pattern"))  // studies of jobs read it elsewhere
        throw base::InputError({}, "--squeue-pattern has no effect", "it belongs to --squeue", "add --squeue FILE");
    if (!request.mapping_file.empty()) placement.order.clear();
    if (!placement.asked()) return;
    if (request.subset_given)
        throw base::InputError({}, "--subset does not go with compute nodes", "ranks are placed on compute nodes",
                               "choose nodes by --nodes");
    if (!request.mapping_file.empty() && !placement.nodes.empty())
        throw base::InputError({}, "--nodes does not go with a mapping file", "the file names the nodes of all ranks",
                               "leave one of them out");
    if (!placement.order.empty() && placement.order != "identity") study::read_rank_order(placement.order);
}

/// Which two patterns ptrnvsptrn is made of.
void read_two_patterns(ParsedOptions const& options, study::Study& study) {
    bool const two = study.traffic.pattern == "ptrnvsptrn";
    for (char const* const name : {"first", "first-ranks", "second"})
        if (!two && options.given(name))
            throw base::InputError({}, std::string("--") + name + " is for --pattern ptrnvsptrn",
                                   "the pattern is \"" + study.traffic.pattern + "\"",
                                   "leave it out or change the pattern");
    if (two) {
        std::string const why = "ptrnvsptrn is made of two patterns";
        study.traffic.first = options.required("first", why);
        study.traffic.second = options.required("second", why);
        options.required("first-ranks", why);
        study.traffic.first_ranks = static_cast<std::uint32_t>(options.number("first-ranks", 1, UINT32_MAX));
    }
}

void read_goal(ParsedOptions const& options, api::StudyRequest& request) {
    if (!options.given("until")) return;
    request.study.sample.until = evaluation::read_goal(*options.text("until"), request.study);
    if (!request.mappings_given)
        request.study.sample.mappings =
            request.placement.asked() ? evaluation::default_most_placed : evaluation::default_most_mappings;
    if (request.study.sample.mappings < evaluation::least_values)
        throw base::InputError(
            {}, "--mappings " + std::to_string(request.study.sample.mappings) + " is too few for --until",
            "a mean of fewer than " + std::to_string(evaluation::least_values) + " values is not reliable",
            "allow " + std::to_string(evaluation::least_values) + " or more");
}

void read_study(ParsedOptions const& options, EvaluateOptions& parsed) {
    study::Study& study = parsed.request.study;
    parsed.request.pattern_file = listed_file(options, "pattern");
    parsed.request.traffic_file = traffic_file(options);
    study.traffic.pattern = parsed.request.lists_flows() ? patterns::listed_pattern : *options.text("pattern");
    read_two_patterns(options, study);
    if (options.given("level"))
        study.traffic.level = static_cast<std::uint32_t>(options.number("level", 0, UINT32_MAX));
    study.placement.ranks = static_cast<std::uint32_t>(options.number("ranks", 0, UINT32_MAX));

    parsed.request.subset_file = listed_file(options, "subset");
    parsed.request.subset_given = options.given("subset") || options.given("subset-file");
    if (!parsed.request.subset_file.empty()) study.placement.subset = study::SubsetKind::listed;
    else
        study.placement.subset = kind_of(options, "subset", {"linear_bfs", "rand"}) == 0 ? study::SubsetKind::linear_bfs
                                                                                         : study::SubsetKind::random;
    parsed.request.mapping_file = listed_file(options, "mapping");
    read_placement(options, parsed.request);
    if (parsed.request.placement.asked()) study.placement.mapping = study::MappingKind::listed;
    else if (!parsed.request.mapping_file.empty()) study.placement.mapping = study::MappingKind::listed;
    else
        study.placement.mapping = kind_of(options, "mapping", {"random", "identity"}) == 0
                                      ? study::MappingKind::random
                                      : study::MappingKind::identity;

    parsed.request.mappings_given = options.given("mappings");
    study.sample.mappings = options.number("mappings", 1, UINT64_MAX);
    study.sample.first_mapping = options.number("first-mapping", 0, UINT64_MAX);
    study.sample.seed = options.number("seed", 0, UINT64_MAX);
    study.measures.metrics = metrics_of(options);
    study.measures.capacities = options.choice("capacities", {"rates", "unit"}) == 0 ? model::CapacityKind::from_rates
                                                                                     : model::CapacityKind::unit;
    study.measures.sharing =
        options.choice("sharing", {"linear", "max-min"}) == 0 ? study::Sharing::linear : study::Sharing::max_min;
    study.measures.shared_by_bytes = options.choice("shared-by", {"connections", "bytes"}) == 1;
    read_timing(options, parsed.request);
    read_goal(options, parsed.request);
    if (study.sample.first_mapping > UINT64_MAX - (study.sample.mappings - 1))
        throw base::InputError({}, "--first-mapping and --mappings are out of range",
                               "the last mapping's number is at most " + std::to_string(UINT64_MAX),
                               "give smaller ones");
    study.placement.aggregation_nodes_are_hosts = options.choice("aggregation-nodes", {"apart", "hosts"}) == 1;
}

void read_best_and_worst(ParsedOptions const& options, EvaluateOptions& parsed) {
    for (auto const& [name, file] : {std::pair{"write-best", &parsed.best}, {"write-worst", &parsed.worst}}) {
        if (!options.given(name)) continue;
        *file = study::read_placement_file(std::string("--") + name, *options.text(name));
        if (!parsed.request.study.first_number())
            throw base::InputError({}, std::string("--") + name + " has nothing to go by",
                                   "no requested metric has one number per mapping", "add --metric sum_max_cong");
    }
}

void check_timeline(EvaluateOptions const& parsed) {
    if (parsed.timeline.empty()) return;
    if (!report::timeline_form(parsed.timeline))
        throw base::InputError({}, "--timeline does not know the form of \"" + parsed.timeline + "\"",
                               "the end of the name says it", "name a file .csv, .json, .svg or .trace");
    study::Study const& study = parsed.request.study;
    if (study.measures.shared_by_bytes)
        throw base::InputError({}, "--timeline does not go with --shared-by bytes", "", "leave one of them out");
    if (std::none_of(study.measures.metrics.begin(), study.measures.metrics.end(),
                     [](study::Metric metric) { return study::info_of(metric).work.times; }))
        throw base::InputError({}, "--timeline has nothing to tell", "no requested metric is a time", "add --time");
}

/// What a study cannot have that is evaluated in columns side by side. @param asked what asks for them
void check_columns_fit(EvaluateOptions const& options, std::string const& asked) {
    auto const refuse = [&](std::string const& option, std::string const& why) {
        throw base::InputError({}, option + " does not go with " + asked, why, "leave one of them out");
    };
    if (options.request.study.sample.until) refuse("--until", "its number of mappings is fixed");
    if (!options.checkpoint.empty()) refuse("--checkpoint", "it keeps no state");
    if (!options.per_mapping.empty()) refuse("--per-mapping", "");
    if (!options.dump_mappings.empty()) refuse("--dump-mappings", "");
    if (!options.picture.empty()) refuse("--picture", "");
    if (!options.picture_links.empty()) refuse("--picture-links", "");
    if (!options.request.group_by.empty()) refuse("--group-by", "");
    if (!options.run_info.empty()) refuse("--run-info", "");
    if (!options.best.path.empty() || !options.worst.path.empty()) refuse("--write-best or --write-worst", "");
    if (options.metrics_given) refuse("--metric", "it has hist_acc_band, sum_max_cong and dep_max_delay");
    if (!options.timeline.empty()) refuse("--timeline", "it has no times");
    if (options.request.study.wants(study::Metric::makespan) || options.request.study.measures.timing.is_simulated())
        refuse("--time, --dependencies, --compute, --latency or --switching", "it has no times");
    if (options.device == evaluation::DeviceChoice::cuda) refuse("--device cuda", "it is computed on the CPU");
}

/// What a bracket has beside a study; its routes are those of tables, by the static entries.
void read_bracket(ParsedOptions const& options, EvaluateOptions& parsed) {
    if (!options.flag("bracket")) {
        for (char const* const name : {"optimal-mappings", "hash", "queue-pairs", "hash-draws"})
            if (options.given(name))
                throw base::InputError({}, std::string("--") + name + " has no effect", "it belongs to --bracket",
                                       "add --bracket, or leave it out");
        return;
    }
    check_columns_fit(parsed, "--bracket");
    if (options.given("multipath"))
        throw base::InputError({}, "--multipath does not go with --bracket", "", "leave one of them out");
    parsed.request.network.form = api::RoutesForm::tables;
    parsed.request.network.by_static_entries = true;
    evaluation::BracketOptions& bracket = parsed.request.bracket.emplace();
    bracket.threads = parsed.threads;
    bracket.optimal_mappings = options.number("optimal-mappings", 0, UINT32_MAX);
    bracket.queue_pairs = static_cast<std::uint32_t>(options.number("queue-pairs", 1, 4096));
    bracket.hash_draws = static_cast<std::uint32_t>(options.number("hash-draws", 1, 1'000'000));
    if (!options.given("hash")) return;
    topologies::RoutingSpec const spec("ecmp:hash=" + *options.text("hash"), parsed.request.study.sample.seed);
    bracket.hash = topologies::hash_options(spec.arguments(), spec.seed());
}

void read_multipath(ParsedOptions const& options, EvaluateOptions& parsed) {
    if (!options.given("multipath")) return;
    check_columns_fit(parsed, "--multipath");
    if (parsed.format == ReportFormat::html)
        throw base::InputError({}, "--format html does not go with --multipath", "its formats are text, json and csv",
                               "choose one of these");
    parsed.request.network.form = api::RoutesForm::tables;
    parsed.spreads = read_spreads(options.list("multipath"));
}

void read_checkpoint(ParsedOptions const& options, EvaluateOptions& parsed) {
    parsed.checkpoint_every_s = double(options.number("checkpoint-every", 0, 1'000'000));
    if (!options.given("checkpoint")) {
        if (options.given("checkpoint-every"))
            throw base::InputError({}, "--checkpoint-every has no effect", "there is no --checkpoint",
                                   "add --checkpoint FILE");
        return;
    }
    parsed.checkpoint = *options.text("checkpoint");
    if (parsed.checkpoint.empty() || parsed.checkpoint == "-")
        throw base::InputError({}, "--checkpoint needs a file of its own", "it is rewritten during the run",
                               "name a file");
    if (!parsed.per_mapping.empty())
        throw base::InputError(
            {}, "--per-mapping cannot be continued from a checkpoint",
            "its rows are written during the run and are not part of the checkpoint",
            "leave out --checkpoint, or evaluate the study in parts with --first-mapping and --mappings");
}

}  // namespace

std::vector<std::string> EvaluateOptions::outputs() const {
    std::vector<std::string> all = {output};
    for (std::string const& file :
         {per_mapping, dump_mappings, picture, picture_links, timeline, run_info, best.path, worst.path, checkpoint})
        if (!file.empty()) all.push_back(file);
    return all;
}

std::vector<evaluation::LidSpread> read_spreads(std::vector<std::string> const& words) {
    std::vector<evaluation::LidSpread> spreads;
    for (std::string const& word : words) {
        std::optional<evaluation::LidSpread> const spread = evaluation::read_spread(word);
        if (!spread)
            throw base::InputError({}, "--multipath does not know \"" + word.substr(0, 40) + "\"", "",
                                   "choose of connection, round-robin, random, all, base");
        spreads.push_back(*spread);
    }
    if (spreads.empty())
        throw base::InputError({}, "--multipath is empty", "", "choose of connection, round-robin, random, all");
    return spreads;
}

EvaluateOptions parse_evaluate_options(std::vector<std::string> const& arguments) {
    ParsedOptions const options(declare_evaluate(), arguments);
    EvaluateOptions parsed;
    parsed.help = options.flag("help");
    if (parsed.help) return parsed;

    std::string const network = options.required("network", "it says which network to study");
    parsed.request.network = network_choice(network, [&](std::string const& name) { return options.text(name); });
    parsed.request.network.strict = options.flag("strict");
    read_study(options, parsed);

    parsed.format = ReportFormat(options.choice("format", {"text", "json", "csv", "html"}));
    if (parsed.format == ReportFormat::html) report::require_pages();
    parsed.output = *options.text("output");
    for (auto const& [name, file] : {std::pair{"per-mapping", &parsed.per_mapping},
                                     {"dump-mappings", &parsed.dump_mappings},
                                     {"picture", &parsed.picture},
                                     {"picture-links", &parsed.picture_links},
                                     {"timeline", &parsed.timeline},
                                     {"run-info", &parsed.run_info}}) {
        if (options.given(name) && options.text(name)->empty())
            throw base::InputError({}, std::string("--") + name + " has an empty name", "",
                                   "name a file, or `-` for standard output");
        *file = options.text(name).value_or("");
    }
    read_best_and_worst(options, parsed);
    check_timeline(parsed);
    parsed.device = evaluation::DeviceChoice(options.choice("device", {"auto", "cpu", "cuda"}));
    parsed.request.network.form =
        static_cast<api::RoutesForm>(options.choice("routes", {"auto", "tables", "arithmetic", "trees"}));
    parsed.threads = options.threads();
    parsed.batch = options.number("batch", 0, most_in_a_batch);
    read_checkpoint(options, parsed);
    parsed.metrics_given = options.given("metric");
    parsed.request.group_by = group_by_of(options);
    read_bracket(options, parsed);
    read_multipath(options, parsed);
    if (!parsed.picture.empty() && !parsed.request.study.first_number())
        throw base::InputError({}, "--picture has nothing to draw", "no requested metric has one number per mapping",
                               "add --metric hist_acc_band");
    if (!parsed.picture_links.empty() && !report::link_picture_form(parsed.picture_links))
        throw base::InputError({}, "--picture-links does not know the form of \"" + parsed.picture_links + "\"",
                               "the end of the name says it", "name a file .svg, .dot or .csv");
    if (!parsed.picture_links.empty() || !parsed.request.group_by.empty() ||
        parsed.format == ReportFormat::html) {  // these tell loads
        std::vector<study::Metric>& metrics = parsed.request.study.measures.metrics;
        if (!parsed.request.study.wants(study::Metric::get_cable_cong))
            metrics.push_back(study::Metric::get_cable_cong);
    }
    std::vector<std::string> outputs = parsed.outputs();
    if (!parsed.checkpoint.empty()) {
        outputs.push_back(io::behind_links(parsed.checkpoint) + ".part");  // a checkpoint is written by way of it
        for (std::string const& file : {parsed.checkpoint, outputs.back()}) io::check_writable(file, "the checkpoint");
    }
    check_files(parsed.request.files(), outputs);
    return parsed;
}

}  // namespace tailback::commands
