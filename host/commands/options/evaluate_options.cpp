// Which options `tailback evaluate` has, and which of them fit each other.
#include "host/commands/options/evaluate_options.hpp"

#include "host/base/error.hpp"
#include "host/base/nearest.hpp"
#include "host/commands/options/network_options.hpp"
#include "host/commands/options/timing_options.hpp"
#include "host/commands/registry.hpp"
#include "host/commands/report_file.hpp"
#include "host/options/parsed_options.hpp"
#include "host/report/evaluate/link_loads.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace tailback::commands {
namespace {

/// The place in `names` of a kind that is not a file.
std::size_t kind_of(options::ParsedOptions const& options, std::string const& name, std::vector<std::string> names) {
    std::string const kind = options.text(name).value_or("");
    auto const at = std::find(names.begin(), names.end(), kind);
    if (at != names.end()) return std::size_t(at - names.begin());
    names.push_back("file:PATH");
    throw base::InputError({}, "--" + name + " \"" + kind + "\" is unknown", base::nearest_hint(kind, names),
                           fmt::format("choose one of {}", fmt::join(names, ", ")), name);
}

/// Ranks on compute nodes.
void read_placement(options::ParsedOptions const& options, api::StudyRequest& request) {
    api::PlacementRequest& placement = request.placement;
    placement = placement_of(options, "see `tailback evaluate --help`");
    std::string const order =
        options.given("mapping") ? options.not_empty("mapping", "see `tailback evaluate --help`") : "";
    bool const is_listed = !request.mapping_file.empty();
    if (!is_listed && study::is_rank_order(order)) placement.order = study::read_rank_order(order);
    if (!placement.asked()) return;
    if (request.subset_given)
        throw base::InputError({}, "--subset does not go with compute nodes", "ranks are placed on compute nodes",
                               "choose nodes by --nodes");
    if (is_listed && !placement.nodes.empty())
        throw base::InputError({}, "--nodes does not go with a mapping file", "the file names the nodes of all ranks",
                               "leave one of them out");
    bool const is_known = is_listed || placement.order || order.empty() || order == "identity";
    if (!is_known) study::read_rank_order(order);  // tells which there are
}

/// Which two patterns ptrnvsptrn is made of.
void read_two_patterns(options::ParsedOptions const& options, study::Study& study) {
    bool const two = study.traffic.pattern == "ptrnvsptrn";
    if (two) {
        std::string const why = "ptrnvsptrn is made of two patterns";
        study.traffic.first = options.required("first", why);
        study.traffic.second = options.required("second", why);
        options.required("first-ranks", why);
        study.traffic.first_ranks = small_number(options, "first-ranks");
    }
}

void read_goal(options::ParsedOptions const& options, api::StudyRequest& request) {
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

/// Of columns side by side, which are always told by some numbers and their hottest links.
void read_measures_of_columns(options::ParsedOptions const& options, api::StudyRequest& request) {
    std::vector<study::Metric>& metrics = request.study.measures.metrics;
    metrics.assign(std::begin(evaluation::metrics_of_columns), std::end(evaluation::metrics_of_columns));
    metrics.push_back(study::Metric::get_cable_cong);
    if (options.given("metric"))
        for (study::Metric const metric : metrics_of(options))
            if (!request.study.wants(metric)) metrics.push_back(metric);
    for (study::Metric const metric : request.study.measures.metrics) {
        study::MetricInfo const& info = study::info_of(metric);
        if (info.work.rates || info.work.bottlenecks || info.work.times)
            throw base::InputError({}, fmt::format("--metric {} does not go with columns side by side", info.name),
                                   "flows in parts have no max-min rates", "leave it out", "metric");
    }
    read_goal(options, request);
}

/// What `evaluate` alone has: metrics, sharing, times, a goal.
void read_measures(options::ParsedOptions const& options, api::StudyRequest& request) {
    study::Measures& measures = request.study.measures;
    measures.metrics = metrics_of(options);
    request.ebb_by_formula = options.choice("ebb") == 1;
    measures.sharing = options.choice("sharing") == 0 ? study::Sharing::linear : study::Sharing::max_min;
    measures.shared_by_bytes = options.choice("shared-by") == 1;
    read_timing(options, request);
    bool const is_max_min = measures.sharing == study::Sharing::max_min;
    bool const shares = measures.timing.is_simulated() ||
                        std::any_of(measures.metrics.begin(), measures.metrics.end(), [&](study::Metric metric) {
                            study::KernelWork const& work = study::info_of(metric).work;
                            return work.rates || work.bottlenecks || work.times ||
                                   (is_max_min && metric == study::Metric::hist_acc_band);
                        });
    auto const measures_any = [&](std::initializer_list<study::Metric> some) {
        return std::ranges::find_first_of(measures.metrics, some) != measures.metrics.end();
    };
    if (is_max_min &&  // the last two are refused with it where a study is planned
        !measures_any({study::Metric::hist_acc_band, study::Metric::hist_max_cong, study::Metric::throughput}))
        throw base::InputError(
            {}, "--sharing has no effect",
            "it says what bandwidths hist_acc_band is of; other metrics have theirs whatever it says",
            "add --metric hist_acc_band, or leave it out", "sharing");
    if (options.given("shared-by") && !shares)
        throw base::InputError({}, "--shared-by has no effect", "nothing that is measured comes of max-min rates",
                               "add --sharing max-min or a metric of rates or times, or leave it out", "shared-by");
    read_goal(options, request);
}

void read_study(options::Commands command, options::ParsedOptions const& options, EvaluateOptions& parsed) {
    study::Study& study = parsed.request.study;
    parsed.request.pattern_file = listed_file(options, "pattern");
    parsed.request.traffic_file = options.not_empty("traffic", "name a file");
    study.traffic.pattern = parsed.request.lists_flows() ? patterns::listed_pattern : *options.text("pattern");
    read_two_patterns(options, study);
    if (options.given("level")) study.traffic.level = small_number(options, "level");
    study.placement.ranks = small_number(options, "ranks");

    parsed.request.subset_file = listed_file(options, "subset");
    parsed.request.subset_given = options.given("subset");
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
    study.sample.mappings = options.number("mappings");
    study.sample.first_mapping = options.number("first-mapping");
    study.sample.seed = options.number("seed");
    study.measures.metrics = {study::Metric::hist_acc_band};
    study.measures.capacities = capacities_of(options);
    if (command == options::evaluate) read_measures(options, parsed.request);
    else read_measures_of_columns(options, parsed.request);
    if (study.sample.first_mapping > UINT64_MAX - (study.sample.mappings - 1))
        throw base::InputError({}, "--first-mapping and --mappings are out of range",
                               "the last mapping's number is at most " + std::to_string(UINT64_MAX),
                               "give smaller ones");
    study.placement.aggregation_nodes_are_hosts = options.choice("aggregation-nodes") == 1;
}

void read_best_and_worst(options::ParsedOptions const& options, EvaluateOptions& parsed) {
    for (auto const& [name, file] : {std::pair{"write-best", &parsed.best}, {"write-worst", &parsed.worst}}) {
        if (!options.given(name)) continue;
        *file = study::read_placement_file(std::string("--") + name, *options.text(name));
        if (!parsed.request.study.first_number())
            throw base::InputError({}, std::string("--") + name + " has nothing to go by",
                                   "no requested metric has one number per mapping", "add --metric sum_max_cong");
    }
}

/// What a bracket has beside a study; its routes are those of tables, by the static entries.
void read_bracket(options::ParsedOptions const& options, EvaluateOptions& parsed) {
    parsed.request.network.form = api::RoutesForm::tables;
    parsed.request.network.by_static_entries = true;
    evaluation::BracketOptions& bracket = parsed.request.bracket.emplace();
    bracket.optimal_mappings = options.number("optimal-mappings");
    read_hashing(options, parsed.request.study.sample.seed, bracket);
    bracket.hash.by_mapping = !options.given("one-hash");
}

/// Several numbers of queue pairs, side by side.
void read_queue_pairs(options::ParsedOptions const& options, EvaluateOptions& parsed) {
    parsed.request.network.by_static_entries = true;
    std::vector<std::uint32_t>& counts = parsed.request.queue_pairs.counts;
    for (std::string const& word : options.list("queue-pairs")) {
        auto const count = static_cast<std::uint32_t>(options::whole_number("--queue-pairs", word, 1, 4096));
        if (std::ranges::find(counts, count) != counts.end())
            throw base::InputError({}, fmt::format("--queue-pairs names {} twice", count), "the columns would be equal",
                                   "name each number once", "queue-pairs");
        counts.push_back(count);
    }
    parsed.request.queue_pairs.hash = hash_of(options, parsed.request.study.sample.seed);
    parsed.request.queue_pairs.hash.by_mapping = !options.given("one-hash");
}

void read_checkpoint(options::ParsedOptions const& options, EvaluateOptions& parsed) {
    parsed.checkpoint_every_s = double(options.number("checkpoint-every"));
    if (!options.given("checkpoint")) return;
    parsed.checkpoint = *options.text("checkpoint");
    if (parsed.checkpoint.empty() || parsed.checkpoint == "-")
        throw base::InputError({}, "--checkpoint needs a file of its own", "it is rewritten during the run",
                               "name a file", "checkpoint");
}

/// Outputs, devices, checkpoints of all studies.
void read_run(options::ParsedOptions const& options, EvaluateOptions& parsed) {
    for (auto const& [name, file] : {std::pair{"per-mapping", &parsed.per_mapping},
                                     {"dump-mappings", &parsed.dump_mappings},
                                     {"picture", &parsed.picture},
                                     {"run-info", &parsed.run_info}})
        *file = options.not_empty(name, "name a file, or `-` for standard output");
    parsed.device = evaluation::DeviceChoice(options.choice("device"));
    parsed.batch = options.number("batch");
    read_checkpoint(options, parsed);
    if (!parsed.picture.empty() && !parsed.request.study.first_number())
        throw base::InputError({}, "--picture has nothing to draw", "no requested metric has one number per mapping",
                               "add --metric hist_acc_band", "picture");
}

/// What `evaluate` alone has.
void read_run_alone(options::ParsedOptions const& options, EvaluateOptions& parsed) {
    constexpr char const* remedy = "name a file, or `-` for standard output";
    parsed.picture_links = options.not_empty("picture-links", remedy);
    for (StudyOutput const& output : study_outputs())
        if (std::string const file = options.not_empty(output.option, remedy); !file.empty())
            parsed.more_outputs.emplace_back(&output, file);
    read_best_and_worst(options, parsed);
    for (auto const& [output, file] : parsed.more_outputs) output->check(parsed);
    parsed.request.network.form = static_cast<api::RoutesForm>(options.choice("routes"));
    parsed.request.group_by = group_by_of(options);
    bool const page_tells_loads =
        parsed.format == report::Form::html && !parsed.request.study.measures.timing.is_simulated();
    if (!parsed.picture_links.empty() || !parsed.request.group_by.empty() || page_tells_loads) {
        std::vector<study::Metric>& metrics = parsed.request.study.measures.metrics;
        if (!parsed.request.study.wants(study::Metric::get_cable_cong))
            metrics.push_back(study::Metric::get_cable_cong);
    }
}

/// `evaluate` once more, but for which mappings it is of.
void add_same_study(options::ParsedOptions const& options, result::OtherCommands& others) {
    if (others.words.empty()) return;  // what is read once
    std::vector<std::string>& words = others.words["evaluate"] = network_words(options, options::evaluate);
    for (std::string& word : options.words_for(options::evaluate, {options::Stage::hosts, options::Stage::study},
                                               {"mappings", "first-mapping", "until"}))
        words.push_back(std::move(word));
}

EvaluateOptions read_study_options(options::Commands command, options::ParsedOptions const& options) {
    EvaluateOptions parsed;
    parsed.request.network = network_choice(options, "it says which network to study");
    read_study(command, options, parsed);
    parsed.format = format_of(options);
    parsed.output = *options.text("output");
    parsed.threads = options.threads();
    read_run(options, parsed);
    if (command == options::evaluate) read_run_alone(options, parsed);
    if (command == options::bracket) read_bracket(options, parsed);
    if (command == options::multipath) {
        parsed.request.network.form = api::RoutesForm::tables;
        if (options.given("queue-pairs")) read_queue_pairs(options, parsed);
        else parsed.request.spreads = read_spreads(options.list("spread"));
    }
    std::vector<std::string> outputs = parsed.outputs();
    if (!parsed.checkpoint.empty()) {
        outputs.push_back(io::behind_links(parsed.checkpoint) + ".part");  // a checkpoint is written by way of it
        for (std::string const& file : {parsed.checkpoint, outputs.back()}) io::check_writable(file, "the checkpoint");
    }
    check_files(parsed.request.files(), outputs);
    return parsed;
}

result::OtherCommands commands_after(options::Commands command, options::ParsedOptions const& options) {
    if (command == options::bracket) return other_commands(options, command, options::multipath | options::audit);
    if (command == options::multipath) return other_commands(options, command, options::audit);
    if (command != options::evaluate) return {};
    result::OtherCommands others = other_commands(options, command,
                                                  options::audit | options::improve | options::bracket |
                                                      (options.given("mapping") ? options::none : options::place));
    add_same_study(options, others);
    return others;
}

}  // namespace

std::vector<std::string> EvaluateOptions::outputs() const {
    std::vector<std::string> all = {output};
    for (std::string const& file : {per_mapping, dump_mappings, picture, picture_links})
        if (!file.empty()) all.push_back(file);
    for (auto const& [output, file] : more_outputs) all.push_back(file);
    for (std::string const& file : {run_info, best.path, worst.path, checkpoint})
        if (!file.empty()) all.push_back(file);
    return all;
}

std::vector<evaluation::LidSpread> read_spreads(std::vector<std::string> const& words) {
    std::vector<evaluation::LidSpread> spreads;
    for (std::string const& word : words) {
        std::optional<evaluation::LidSpread> const spread = evaluation::read_spread(word);
        if (!spread)
            throw base::InputError({}, "--spread does not know \"" + word.substr(0, 40) + "\"", "",
                                   "choose of connection, round-robin, random, all, base");
        if (std::ranges::find(spreads, *spread) != spreads.end())
            throw base::InputError({}, fmt::format("--spread names {} twice", word), "the columns would be equal",
                                   "name each once", "spread");
        spreads.push_back(*spread);
    }
    if (spreads.empty())
        throw base::InputError({}, "--spread is empty", "", "choose of connection, round-robin, random, all");
    return spreads;
}

EvaluateOptions parse_study_options(options::Commands command, std::vector<std::string> const& arguments) {
    return read_study_options(command, options::ParsedOptions(command, arguments));
}

StudyCommand parse_study_command(options::Commands command, std::vector<std::string> const& arguments) {
    options::ParsedOptions const options(command, arguments);
    return {read_study_options(command, options), commands_after(command, options)};
}

}  // namespace tailback::commands
