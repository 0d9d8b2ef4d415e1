// `tailback orcs`: ORCS's options in, ORCS's text out. The numbers come from the engine; with --as-orcs from a replay.
#include "host/commands/command.hpp"
#include "host/commands/input.hpp"
#include "host/evaluation/evaluation.hpp"
#include "host/formats/formats.hpp"
#include "host/formats/read/orcs_dot.hpp"
#include "host/io/output_file.hpp"
#include "host/orcs/checks.hpp"
#include "host/orcs/options.hpp"
#include "host/orcs/replay.hpp"
#include "host/orcs/results.hpp"
#include "host/orcs/seating.hpp"
#include "kernels/common/permutation.hpp"
#include "kernels/cpu/team.hpp"
#include "version.hpp"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <memory>
#include <sstream>

namespace tailback {
namespace {

/// The network, and the dot text it is (or would be written as): get_cable_cong gives that back.
struct Input {
    Fabric fabric;
    std::string text;
};

NetworkChoice network_of(OrcsOptions const& options) {
    NetworkChoice choice(options.input_file);
    choice.tables = options.tables_file;
    choice.routing_seed = options.routing_seed;
    if (options.routing) choice.routing.emplace(*options.routing, options.routing_seed);
    return choice;
}

Input read_input(OrcsOptions const& options, Disagreements& disagreements) {
    Input input;
    NetworkChoice const choice = network_of(options);
    if (options.routing || choice.spec) {
        std::ostringstream text;
        Fabric const fabric = obtain_fabric(choice, true, listener());
        require_tables(fabric, "ORCS's dot");
        write_orcs_dot(text, fabric);
        input.text = text.str();
        input.fabric = parse_orcs_dot(input.text, options.input_file, disagreements);
        return input;
    }
    LineReader lines(open_source(options.input_file), options.input_file);
    // Standard input cannot be opened twice, so it has to be dot.
    if (!options.tables_file && (options.input_file == "-" || recognise(lines.peek()) == Format::orcs_dot)) {
        input.text = lines.rest(most_orcs_dot_bytes);
    } else {
        Fabric const fabric = read_fabric(options.input_file, options.tables_file, disagreements);
        if (!fabric.routed)
            throw InputError({options.input_file, 0}, "there are no forwarding tables",
                             "the file holds the network alone",
                             "give them with --tables, or a way to make them with --routing");
        std::ostringstream text;
        write_orcs_dot(text, fabric);
        input.text = text.str();
    }
    input.fabric = parse_orcs_dot(input.text, options.input_file, disagreements);
    return input;
}

void print_counts(std::ostream& out, OrcsOptions const& options, Network const& network, std::size_t hosts) {
    bool const v20 = options.version == OrcsVersion::v20;
    out << (v20 ? "   Number of hosts in the subset: " : "Number of hosts in the inputfile: ") << hosts << '\n'
        << "Number of nodes in the inputfile: " << network.nodes().size() << '\n'
        << "Number of edges in the inputfile: " << network.links().size() << '\n';
}

std::string pattern_name(OrcsPattern const& pattern) {
    return pattern.name == "neighbor" ? pattern.argument + "neighbor" : pattern.name;
}

/// The study that the options ask for in the paper's meaning.
Study study_of(OrcsOptions const& options, OrcsSeating const& seating) {
    Study study;
    study.pattern = pattern_name(options.pattern);
    study.first = pattern_name(options.first);
    study.second = pattern_name(options.second);
    study.first_ranks = options.part_commsize;
    study.ranks = static_cast<std::uint32_t>(seating.subset().size());
    study.mappings = options.runs;
    study.seed = options.seed;
    if (options.level >= 0) study.level = static_cast<std::uint32_t>(options.level);
    study.metrics.clear();
    for (MetricInfo const& info : all_metrics())
        if (options.metric == info.name) study.metrics.push_back(info.metric);
    study.capacities = CapacityKind::unit;
    if (!seating.plain()) {
        if (options.runs > std::uint64_t{1} << 32 || options.runs * study.ranks > std::uint64_t{1} << 31)
            throw InputError({}, std::to_string(options.runs) + " runs with some ranks fixed",
                             "each is listed in memory", "ask for fewer");
        study.mapping = MappingKind::listed;
        for (std::uint64_t run = 0; run < options.runs; ++run)
            for (Host const host : seating.hosts_of_run(run)) study.mapping_hosts.push_back(host);
        return study;
    }
    study.mapping = options.do_not_shuffle ? MappingKind::identity : MappingKind::random;
    if (options.subset == "rand" && !options.do_not_shuffle) {
        study.subset = SubsetKind::random;
    } else {
        study.subset = SubsetKind::listed;
        study.subset_hosts = seating.subset();
    }
    return study;
}

/// One level's flows in mapping m, drawn ones included.
std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs_of(StudyPlan const& plan, std::uint64_t m, std::size_t l) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
    Level const& level = plan.flow_list.levels[l];
    for (std::size_t f = 0; f < level.flow_count; ++f) {
        Flow const& flow = plan.flow_list.flows[level.first_flow + f];
        pairs.emplace_back(flow.source, flow.destination);
    }
    for (RandomFlows const& random : level.random) {
        std::vector<std::uint32_t> targets((std::size_t{random.ranks} + 3) / 4 * 4), pi(random.ranks);
        CpuTeam team;
        draw_permutation(team, plan.study.seed, random.stream == 0 ? Stream::first_pattern : Stream::second_pattern, m,
                         random.ranks, random.ranks, targets.data(), pi.data());
        for (std::uint32_t i = 0; i < random.ranks; ++i)
            pairs.emplace_back(random.first_rank + i, random.first_rank + pi[i]);
    }
    return pairs;
}

void print_what_was_asked(StudyPlan const& plan, OrcsOptions const& options, std::ostream& console) {
    if (!options.print_namelist && !options.print_pattern && !options.verbose) return;
    Network const& network = plan.fabric->network;
    for (std::uint64_t run = 0; run < plan.study.mappings; ++run) {
        std::vector<Host> const hosts = plan.hosts_of_mapping(run);
        if (options.print_namelist) print_orcs_namelist(console, network, hosts);
        for (std::size_t l = 0; l < plan.flow_list.levels.size(); ++l) {
            if (options.print_pattern) print_orcs_pattern(console, options, pairs_of(plan, run, l), network, hosts);
            if (options.verbose)
                console << "Process 0: Simulation run number " << run + 1 << ", level "
                        << (plan.study.level ? *plan.study.level : l) << " finished.\n";
        }
    }
}

OrcsResults evaluate_study(Fabric const& fabric, OrcsOptions const& options, OrcsSeating const& seating,
                           std::ostream& console) {
    StudyPlan const plan = make_plan(fabric, study_of(options, seating));
    print_what_was_asked(plan, options, console);
    ExecutionOptions execution;
    execution.device = options.device == "cuda"  ? DeviceChoice::cuda
                       : options.device == "cpu" ? DeviceChoice::cpu
                                                 : DeviceChoice::automatic;
    execution.threads = options.threads;
    Evaluation const evaluation = evaluate(plan, execution);
    if (std::uint64_t const lost = evaluation.unreachable + evaluation.loop + evaluation.misdelivered; lost > 0)
        std::fprintf(
            stderr,
            "tailback: warning: %llu of %llu flows are not delivered and left out (%llu unreachable, %llu loop, %llu "
            "misdelivered)\n",
            static_cast<unsigned long long>(lost), static_cast<unsigned long long>(lost + evaluation.delivered),
            static_cast<unsigned long long>(evaluation.unreachable), static_cast<unsigned long long>(evaluation.loop),
            static_cast<unsigned long long>(evaluation.misdelivered));
    OrcsResults results;
    for (auto const& [metric, sorted] : evaluation.flows) {
        for (auto const& [congestion, flows] : sorted.counts)
            results.weights.emplace_back(static_cast<std::uint64_t>(congestion), flows);
        results.bandwidth = sorted.mean_of_inverse;
    }
    for (auto const& [metric, values] : evaluation.numbers) {
        results.runs = values.values();
        if (std::uint64_t const none = values.undefined(); none > 0)
            results.runs.emplace_back(std::numeric_limits<double>::quiet_NaN(), none);
    }
    for (LinkSum const& link : evaluation.links) results.edges.push_back(link.sum);
    return results;
}

int simulate(OrcsOptions const& options, Input const& input, std::uint32_t commsize, std::ostream& console) {
    bool const to_console = options.output_file == "-";
    OrcsResults results;
    if (options.version == OrcsVersion::paper) {
        OrcsSeating const seating(input.fabric.network, options, commsize);
        print_counts(console, options, input.fabric.network, seating.subset().size());
        results = evaluate_study(input.fabric, options, seating, console);
    } else {
        print_counts(console, options, input.fabric.network, commsize);
        results = replay_orcs(input.fabric, options, commsize, console);
    }
    if (to_console) {
        if (options.metric != "get_cable_cong") return print_orcs_results(console, console, options, results);
        console << dot_with_congestion(input.text, options.input_file, results.edges);
        return success;
    }
    OutputFile file(options.output_file);
    print_orcs_header(file.stream(), options, commsize);
    int const status = print_orcs_results(file.stream(), console, options, results);
    file.commit();
    return status;
}

}  // namespace

int run_orcs(std::vector<std::string> const& arguments) {
    OrcsOptions const options = parse_orcs_options(arguments);
    OutputFile console("-");
    auto finish = [&](int status) {
        console.commit();
        return status;
    };
    if (options.help) {
        console.stream() << orcs_help();
        return finish(success);
    }
    if (options.print_version) {
        console.stream() << "tailback " << version << '\n';
        return finish(success);
    }
    if (options.get_num_levels) {
        std::uint64_t const levels = count_orcs_levels(options);
        console.stream() << "The given input configuration would result in a " << levels
                         << (options.version == OrcsVersion::v20 ? "-level simulation.\n" : " level simulation.\n");
        return finish(static_cast<int>(levels % 256));  // as ORCS's, which scripts may read
    }

    std::vector<std::string> read = network_of(options).files();
    if (options.node_ordering_file != "-") read.push_back(options.node_ordering_file);
    check_files(read, {options.output_file});
    Disagreements disagreements;
    Input const input = read_input(options, disagreements);
    tell_warnings(disagreements);
    Network const& network = input.fabric.network;
    std::size_t const hosts = network.hosts().size();
    std::uint32_t commsize = options.commsize == 0 ? static_cast<std::uint32_t>(hosts) : options.commsize;
    if (options.version != OrcsVersion::paper) commsize = orcs_commsize(options, hosts);
    print_orcs_header(console.stream(), options, commsize);
    if (options.check_input_file) {
        console.stream() << "Number of hosts in the inputfile: " << hosts << '\n'
                         << "Number of nodes in the inputfile: " << network.nodes().size() << '\n';
        check_all_routes(input.fabric, console.stream());
        return finish(success);
    }
    if (options.route_quality) {
        print_counts(console.stream(), options, network, hosts);
        print_route_quality(input.fabric, options, console.stream());
        return finish(success);
    }
    return finish(simulate(options, input, commsize, console.stream()));
}

}  // namespace tailback
