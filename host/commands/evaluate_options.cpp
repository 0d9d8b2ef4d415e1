// Which options `tailback evaluate` has, and which of them fit each other.
#include "host/commands/evaluate_options.hpp"

#include "host/base/error.hpp"
#include "host/commands/options.hpp"
#include "host/io/output_file.hpp"

#include <algorithm>

namespace tailback {
namespace {

constexpr std::uint64_t most_threads = 1024;
constexpr std::uint64_t most_in_a_batch = 1 << 20;

cxxopts::Options declare() {
    using cxxopts::value;
    using std::string;
    cxxopts::Options options(
        "tailback evaluate",
        "Measures the congestion and bandwidth of a traffic pattern over many mappings of ranks to hosts.\n");
    options.set_width(100);
    options.custom_help("--network FILE|SPEC [--tables FILE | --routing NAME] [options]");
    declare_network(options, "Input", true);
    // clang-format off
    options.add_options("Input")
        ("capacities", "link capacities: rates (from link widths and speeds) or unit (all the same)", value<string>()->default_value("rates"), "KIND")
        ("aggregation-nodes", "aggregation nodes inside switches: apart (left out) or hosts (counted as hosts)", value<string>()->default_value("apart"), "apart|hosts")
        ("strict", "treat input files that contradict each other as an error instead of a warning")
        ("routes", "how routes are kept: tables (all in memory); arithmetic (computed by formula, for a spec without failures); trees (computed on demand, one destination at a time); auto (arithmetic if tables would take more than 1 GiB, trees if all routes would take more than 8 GiB). The results are the same, but arithmetic and trees give another network digest, and links in a report may be listed in another order", value<string>()->default_value("auto"), "FORM");
    options.add_options("Study")
        ("pattern", "traffic pattern: a name from `tailback list patterns`, or file:PATH", value<string>()->default_value("bisect"), "NAME")
        ("pattern-file", "same as --pattern file:PATH; the file has lines `level` and `SOURCE DESTINATION` (ranks)", value<string>(), "PATH")
        ("first", "for ptrnvsptrn: the first pattern; dep_max_delay measures this one", value<string>(), "NAME")
        ("first-ranks", "for ptrnvsptrn: number of ranks of the first pattern", value<string>(), "Z")
        ("second", "for ptrnvsptrn: the second pattern, on the remaining ranks", value<string>(), "NAME")
        ("level", "evaluate only this level of the pattern (counted from 0)", value<string>(), "L")
        ("ranks", "number of ranks; 0 = one on every host, or as many as the pattern file has", value<string>()->default_value("0"), "N")
        ("subset", "which hosts take part: linear_bfs (breadth-first from the first host), rand (drawn anew for every mapping) or file:PATH", value<string>()->default_value("linear_bfs"), "KIND")
        ("subset-file", "same as --subset file:PATH; the file has one host per line: LID, GUID or name", value<string>(), "PATH")
        ("mapping", "which rank runs on which host: random, identity or file:PATH", value<string>()->default_value("random"), "KIND")
        ("mapping-file", "same as --mapping file:PATH; the file has one mapping per line: a host for every rank", value<string>(), "PATH")
        ("mappings", "number of mappings; 1 if nothing is random; with --until the maximum (then 10000000 by default)", value<string>()->default_value("1000"), "M")
        ("until", "stop once the mean is known precisely enough: half the width of its 99 % confidence interval is at most ci=0.0005, or relative=1% of the mean; "
                  "METRIC:ci=.. if several metrics are measured", value<string>(), "GOAL")
        ("first-mapping", "number of the first mapping, to evaluate a part of a study or to repeat one mapping", value<string>()->default_value("0"), "M")
        ("seed", "seed of all random choices; mapping m depends on the seed and m alone", value<string>()->default_value("1"), "S")
        ("metric", "what to measure: names separated by commas, or all; see `tailback list metrics`",
         value<std::vector<string>>()->default_value("hist_acc_band"), "NAME");
    options.add_options("Output")
        ("format", "report format: text, json or csv", value<string>()->default_value("text"), "FORMAT")
        ("o,output", "file for the report; - is standard output", value<string>()->default_value("-"), "FILE")
        ("per-mapping", "write the results of every single mapping as CSV", value<string>(), "FILE")
        ("dump-mappings", "write all mappings in the form that --mapping file:PATH reads", value<string>(), "FILE")
        ("picture", "write a histogram as SVG, of the first metric that has one number per mapping", value<string>(), "FILE")
        ("run-info", "write device, threads and timings as JSON", value<string>(), "FILE");
    options.add_options("Running")
        ("device", "where to compute: auto (CUDA if there is a device), cpu or cuda", value<string>()->default_value("auto"), "DEVICE")
        ("threads", "number of CPU threads; 0 = all cores", value<string>()->default_value("0"), "T")
        ("batch", "mappings computed between two progress checks; 0 = chosen for the device", value<string>()->default_value("0"), "B")
        ("checkpoint", "save progress to FILE; if FILE exists, continue from it; removed when the study is done", value<string>(), "FILE")
        ("checkpoint-every", "seconds between two checkpoints; 0 = after every batch", value<string>()->default_value("30"), "SECONDS")
        ("h,help", "show this help");
    // clang-format on
    return options;
}

/// Splits `file:PATH`, or finds the path in `--NAME-file`; empty when the option is no file.
std::string listed_file(ParsedOptions const& options, std::string const& name) {
    std::string const kind = options.text(name).value_or("");
    std::optional<std::string> const path = options.text(name + "-file");
    if (kind.starts_with("file:")) {
        if (path)
            throw InputError({}, "two files for --" + name, "\"" + kind + "\" and --" + name + "-file " + *path,
                             "give only one of them");
        if (kind.size() == 5) throw InputError({}, "--" + name + " file: names no file", "", "write file:PATH");
        return kind.substr(5);
    }
    if (kind == "file" && !path)
        throw InputError({}, "--" + name + " file names no file", "",
                         "write --" + name + " file:PATH, or add --" + name + "-file PATH");
    if (path && options.given(name) && kind != "file")
        throw InputError({}, "--" + name + " " + kind + " takes no file", "--" + name + "-file " + *path + " is given",
                         "give only one of them");
    if (path && path->empty()) throw InputError({}, "--" + name + "-file is empty", "", "name a file");
    return path.value_or("");
}

/// The place in `names` of a kind that is not a file.
std::size_t kind_of(ParsedOptions const& options, std::string const& name, std::vector<std::string> names) {
    names.push_back("file:PATH");
    return options.choice(name, names);
}

std::vector<Metric> metrics_of(ParsedOptions const& options) {
    std::vector<Metric> metrics;
    for (std::string const& name : options.list("metric"))
        for (MetricInfo const& info : all_metrics()) {
            if (name != "all" && info.metric != metric_named(name)) continue;
            if (std::find(metrics.begin(), metrics.end(), info.metric) == metrics.end()) metrics.push_back(info.metric);
        }
    return metrics;
}

void read_study(ParsedOptions const& options, EvaluateOptions& parsed) {
    Study& study = parsed.study;
    parsed.pattern_file = listed_file(options, "pattern");
    study.pattern = parsed.pattern_file.empty() ? *options.text("pattern") : listed_pattern;
    bool const two = study.pattern == "ptrnvsptrn";
    for (char const* const name : {"first", "first-ranks", "second"})
        if (!two && options.given(name))
            throw InputError({}, std::string("--") + name + " is for --pattern ptrnvsptrn",
                             "the pattern is \"" + study.pattern + "\"", "leave it out or change the pattern");
    if (two) {
        std::string const why = "ptrnvsptrn is made of two patterns";
        study.first = options.required("first", why);
        study.second = options.required("second", why);
        options.required("first-ranks", why);
        study.first_ranks = static_cast<std::uint32_t>(options.number("first-ranks", 1, UINT32_MAX));
    }
    if (options.given("level")) study.level = static_cast<std::uint32_t>(options.number("level", 0, UINT32_MAX));
    study.ranks = static_cast<std::uint32_t>(options.number("ranks", 0, UINT32_MAX));

    parsed.subset_file = listed_file(options, "subset");
    parsed.subset_given = options.given("subset") || options.given("subset-file");
    if (!parsed.subset_file.empty()) study.subset = SubsetKind::listed;
    else
        study.subset =
            kind_of(options, "subset", {"linear_bfs", "rand"}) == 0 ? SubsetKind::linear_bfs : SubsetKind::random;
    parsed.mapping_file = listed_file(options, "mapping");
    if (!parsed.mapping_file.empty()) study.mapping = MappingKind::listed;
    else
        study.mapping =
            kind_of(options, "mapping", {"random", "identity"}) == 0 ? MappingKind::random : MappingKind::identity;

    parsed.mappings_given = options.given("mappings");
    study.mappings = options.number("mappings", 1, UINT64_MAX);
    study.first_mapping = options.number("first-mapping", 0, UINT64_MAX);
    study.seed = options.number("seed", 0, UINT64_MAX);
    study.metrics = metrics_of(options);
    study.capacities =
        options.choice("capacities", {"rates", "unit"}) == 0 ? CapacityKind::from_rates : CapacityKind::unit;
    if (options.given("until")) {
        study.until = read_goal(*options.text("until"), study);
        if (!parsed.mappings_given) study.mappings = default_most_mappings;
        if (study.mappings < least_values)
            throw InputError({}, "--mappings " + std::to_string(study.mappings) + " is too few for --until",
                             "a mean of fewer than " + std::to_string(least_values) + " values is not reliable",
                             "allow " + std::to_string(least_values) + " or more");
    }
    if (study.first_mapping > UINT64_MAX - (study.mappings - 1))
        throw InputError({}, "--first-mapping and --mappings are out of range",
                         "the last mapping's number is at most " + std::to_string(UINT64_MAX), "give smaller ones");
    study.aggregation_nodes_are_hosts = options.choice("aggregation-nodes", {"apart", "hosts"}) == 1;
}

void read_checkpoint(ParsedOptions const& options, EvaluateOptions& parsed) {
    parsed.checkpoint_every_s = double(options.number("checkpoint-every", 0, 1'000'000));
    if (!options.given("checkpoint")) {
        if (options.given("checkpoint-every"))
            throw InputError({}, "--checkpoint-every has no effect", "there is no --checkpoint",
                             "add --checkpoint FILE");
        return;
    }
    parsed.checkpoint = *options.text("checkpoint");
    if (parsed.checkpoint.empty() || parsed.checkpoint == "-")
        throw InputError({}, "--checkpoint needs a file of its own", "it is rewritten during the run", "name a file");
    if (!parsed.per_mapping.empty())
        throw InputError({}, "--per-mapping cannot be continued from a checkpoint",
                         "its rows are written during the run and are not part of the checkpoint",
                         "leave out --checkpoint, or evaluate the study in parts with --first-mapping and --mappings");
}

}  // namespace

std::vector<std::string> EvaluateOptions::outputs() const {
    std::vector<std::string> all = {output};
    for (std::string const& file : {per_mapping, dump_mappings, picture, run_info, checkpoint})
        if (!file.empty()) all.push_back(file);
    return all;
}

EvaluateOptions parse_evaluate_options(std::vector<std::string> const& arguments) {
    ParsedOptions const options(declare(), arguments);
    EvaluateOptions parsed;
    parsed.help = options.flag("help");
    if (parsed.help) return parsed;

    std::string const network = options.required("network", "it says which network to study");
    parsed.input = network_choice(network, [&](std::string const& name) { return options.text(name); });
    parsed.input.strict = options.flag("strict");
    read_study(options, parsed);

    parsed.format = ReportFormat(options.choice("format", {"text", "json", "csv"}));
    parsed.output = *options.text("output");
    for (auto const& [name, file] : {std::pair{"per-mapping", &parsed.per_mapping},
                                     {"dump-mappings", &parsed.dump_mappings},
                                     {"picture", &parsed.picture},
                                     {"run-info", &parsed.run_info}}) {
        if (options.given(name) && options.text(name)->empty())
            throw InputError({}, std::string("--") + name + " has an empty name", "",
                             "name a file, or `-` for standard output");
        *file = options.text(name).value_or("");
    }
    parsed.device = DeviceChoice(options.choice("device", {"auto", "cpu", "cuda"}));
    parsed.input.form = static_cast<RoutesForm>(options.choice("routes", {"auto", "tables", "arithmetic", "trees"}));
    parsed.threads = static_cast<unsigned>(options.number("threads", 0, most_threads));
    parsed.batch = options.number("batch", 0, most_in_a_batch);
    read_checkpoint(options, parsed);
    if (!parsed.picture.empty() && !parsed.study.first_number())
        throw InputError({}, "--picture has nothing to draw", "no requested metric has one number per mapping",
                         "add --metric hist_acc_band");
    std::vector<std::string> inputs = parsed.input.files();
    for (std::string const& file : {parsed.pattern_file, parsed.subset_file, parsed.mapping_file})
        if (!file.empty()) inputs.push_back(file);
    std::vector<std::string> outputs = parsed.outputs();
    if (!parsed.checkpoint.empty()) {
        outputs.push_back(behind_links(parsed.checkpoint) + ".part");  // a checkpoint is written by way of it
        for (std::string const& file : {parsed.checkpoint, outputs.back()}) check_writable(file, "the checkpoint");
    }
    check_files(inputs, outputs);
    return parsed;
}

std::string evaluate_help() {
    return declare().help({"Input", "Study", "Output", "Running"}) +
           "\nexample: effective bisection bandwidth of a 648-host tree over 10,000 random mappings, and a picture of "
           "it\n"
           "  tailback evaluate --network examples/fat-tree-648/ibnetdiscover.out.xz \\\n"
           "                    --tables examples/fat-tree-648/opensm-lfts.dump.xz \\\n"
           "                    --pattern bisect --mappings 10000 --picture ebb.svg\n"
           "\nexample: a network that does not exist yet: a dragonfly with 1 % of its cables failed, routed around "
           "them\n"
           "  tailback evaluate --network dragonfly:a=8,p=4,h=4 --routing minhop --fail-cables 1%\n"
           "\nexample: a long study that survives interruptions (run the same command again to continue)\n"
           "  tailback evaluate --network dragonfly:a=16,p=8,h=8 --until ci=0.00001 \\\n"
           "                    --mappings 1000000000 --checkpoint df.checkpoint\n"
           "\nCtrl-C, SIGTERM, SIGUSR1, SIGXCPU and SIGHUP stop the evaluation with a report on the mappings done so "
           "far\n"
           "(exit code 130); a second Ctrl-C or SIGTERM ends it at once, without a report.\n"
           "`mpirun -n R tailback evaluate ..` shares the mappings among R processes (in builds with MPI).\n"
           "\nThe options under Running never change a report: it is the same, byte for byte, on every device.\n"
           "CSV reports have the columns metric,statistic,key,value, and from,from_port,to,to_port if links are\n"
           "listed.\n";
}

}  // namespace tailback
