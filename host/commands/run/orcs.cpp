// `tailback orcs`: ORCS's options in, ORCS's text out. The numbers come from the engine; with --as-orcs from a replay.
#include "host/base/extensions.hpp"
#include "host/commands/options/network_options.hpp"
#include "host/commands/registry.hpp"
#include "host/commands/threads.hpp"
#include "host/formats/fabric/folder.hpp"
#include "host/formats/formats.hpp"
#include "host/formats/read/orcs_dot.hpp"
#include "host/formats/registry.hpp"
#include "host/io/output_file.hpp"
#include "host/orcs/checks.hpp"
#include "host/orcs/engine.hpp"
#include "host/orcs/options.hpp"
#include "host/orcs/orcs_placement.hpp"
#include "host/orcs/replay.hpp"
#include "host/orcs/results.hpp"
#include "version.hpp"

#include <sstream>

namespace tailback::commands {
namespace {

/// The network, and the dot text it is (or would be written as): get_cable_cong gives that back.
struct Input {
    model::Fabric fabric;
    std::string text;
};

api::NetworkChoice network_of(orcs::OrcsOptions const& options) {
    api::NetworkChoice choice(options.input_file);
    choice.tables = options.tables_file;
    choice.routing_seed = options.routing_seed;
    if (options.routing) choice.routing.emplace(*options.routing, options.routing_seed);
    return choice;
}

/// Standard input cannot be opened twice, so it has to be dot.
bool is_orcs_dot(api::NetworkChoice const& choice) {
    if (choice.routing || choice.spec || choice.tables || formats::is_folder(choice.network) ||
        formats::folder_named(choice.network) != nullptr)
        return false;
    if (choice.network == "-") return true;
    io::LineReader lines(io::open_source(choice.network), choice.network);
    return formats::recognise(lines.peek()) == formats::Format::orcs_dot;
}

Input read_input(orcs::OrcsOptions const& options, model::Disagreements& disagreements) {
    Input input;
    api::NetworkChoice const choice = network_of(options);
    if (is_orcs_dot(choice)) {
        io::LineReader lines(io::open_source(options.input_file), options.input_file);
        input.text = lines.rest(formats::most_orcs_dot_bytes);
    } else {
        std::ostringstream text;
        formats::write_orcs_dot(text, api::obtain({.network = choice,
                                                   .wanted = api::Wanted::tables,
                                                   .user = "ORCS's dot",
                                                   .disagreements = &disagreements},
                                                  listener()));
        input.text = text.str();
    }
    input.fabric = formats::parse_orcs_dot(input.text, options.input_file, disagreements);
    return input;
}

/// On how many hosts a run without -s would be.
std::size_t hosts_of(orcs::OrcsOptions const& options) {
    check_files(network_of(options).files(), {});
    model::Disagreements disagreements;
    Input const input = read_input(options, disagreements);
    tell_warnings(disagreements);
    return input.fabric.network.hosts().size();
}

void print_counts(std::ostream& out, orcs::OrcsOptions const& options, model::Network const& network,
                  std::size_t hosts) {
    bool const v20 = options.version == orcs::OrcsVersion::v20;
    out << (v20 ? "   Number of hosts in the subset: " : "Number of hosts in the inputfile: ") << hosts << '\n'
        << "Number of nodes in the inputfile: " << network.nodes().size() << '\n'
        << "Number of edges in the inputfile: " << network.links().size() << '\n';
}

int simulate(orcs::OrcsOptions const& options, Input const& input, std::uint32_t commsize, std::ostream& console) {
    bool const to_console = options.output_file == "-";
    orcs::OrcsResults results;
    if (options.version == orcs::OrcsVersion::paper) {
        orcs::OrcsPlacement const seating(input.fabric.network, options, commsize);
        print_counts(console, options, input.fabric.network, seating.subset().size());
        results = orcs::evaluate_orcs(input.fabric, options, seating, console, tell_warning);
    } else {
        print_counts(console, options, input.fabric.network, commsize);
        results = orcs::replay_orcs(input.fabric, options, commsize, console);
    }
    if (to_console) {
        if (options.metric != "get_cable_cong") return orcs::print_orcs_results(console, console, options, results);
        console << formats::dot_with_congestion(input.text, options.input_file, results.edges);
        return success;
    }
    io::OutputFile file(options.output_file);
    orcs::print_orcs_header(file.stream(), options, commsize);
    int const status = orcs::print_orcs_results(file.stream(), console, options, results);
    file.commit();
    return status;
}

int run_orcs(std::vector<std::string> const& arguments) {
    orcs::OrcsOptions const options = orcs::parse_orcs_options(arguments);
    io::OutputFile console("-");
    auto finish = [&](int status) {
        console.commit();
        return status;
    };
    if (options.help) {
        console.stream() << orcs::orcs_help();
        return finish(success);
    }
    if (options.print_version) {
        console.stream() << "tailback " << version << '\n';
        return finish(success);
    }
    if (options.get_num_levels) {
        orcs::OrcsOptions counted = options;
        if (counted.commsize == 0 && counted.version == orcs::OrcsVersion::paper)
            counted.commsize = static_cast<std::uint32_t>(hosts_of(options));
        std::uint64_t const levels = orcs::count_orcs_levels(counted);
        console.stream() << "The given input configuration would result in a " << levels
                         << (options.version == orcs::OrcsVersion::v20 ? "-level simulation.\n"
                                                                       : " level simulation.\n");
        return finish(static_cast<int>(levels % 256));  // as ORCS's, which scripts may read
    }

    std::vector<std::string> read = network_of(options).files();
    if (options.node_ordering_file != "-") read.push_back(options.node_ordering_file);
    check_files(read, {options.output_file});
    Threads const threads(options.threads);
    model::Disagreements disagreements;
    Input const input = read_input(options, disagreements);
    tell_warnings(disagreements);
    model::Network const& network = input.fabric.network;
    std::size_t const hosts = network.hosts().size();
    std::uint32_t commsize = options.commsize == 0 ? static_cast<std::uint32_t>(hosts) : options.commsize;
    if (options.version != orcs::OrcsVersion::paper) commsize = orcs::orcs_commsize(options, hosts);
    orcs::print_orcs_header(console.stream(), options, commsize);
    if (options.check_input_file) {
        console.stream() << "Number of hosts in the inputfile: " << hosts << '\n'
                         << "Number of nodes in the inputfile: " << network.nodes().size() << '\n';
        orcs::check_all_routes(input.fabric, console.stream());
        return finish(success);
    }
    if (options.route_quality) {
        print_counts(console.stream(), options, network, hosts);
        orcs::print_route_quality(input.fabric, options, console.stream());
        return finish(success);
    }
    return finish(simulate(options, input, commsize, console.stream()));
}

}  // namespace

void register_orcs(Registry& registry) {
    base::insert_before(
        registry.commands, "audit",
        Command{"orcs", "the same as evaluate, with the options and the text output of ORCS", run_orcs});
}

}  // namespace tailback::commands
