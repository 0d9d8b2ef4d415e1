// tailback topology: what schedulers want to know of a fabric, Slurm's topology.conf; and one that exists against it.
#include "host/api/obtain.hpp"
#include "host/api/placement.hpp"
#include "host/api/slurm.hpp"
#include "host/base/error.hpp"
#include "host/base/numbers.hpp"
#include "host/commands/command.hpp"
#include "host/commands/messages.hpp"
#include "host/commands/options/cxxopts.hpp"
#include "host/commands/options/network_options.hpp"
#include "host/commands/options/options.hpp"
#include "host/io/output_file.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

namespace tailback::commands {
namespace {

constexpr char const* topology_examples = R"(
Formats:
  slurm-tree     topology.conf for TopologyPlugin=topology/tree: a SwitchName for every leaf (compute
                 nodes that share a switch) and for what hangs together by each level above
  slurm-block    topology.conf for TopologyPlugin=topology/block: a block for every leaf

Exit code: 0; 1 if --check finds a difference; 2 bad input or usage.

Examples:
  tailback topology --network ibnetdiscover.out --output topology.conf
  tailback topology --network ibdiagnet2-output --format slurm-block
  tailback topology --network ibnetdiscover.out --check /etc/slurm/topology.conf
)";

}  // namespace

cxxopts::Options declare_topology() {
    cxxopts::Options declared("tailback topology", "Writes the topology of a fabric for a scheduler, or checks one.\n");
    declared.custom_help("--network FILE|SPEC [--format FORMAT | --check FILE] [--output FILE]");
    declared.set_width(100);
    declare_network(declared, "", true);
    using cxxopts::value;
    // clang-format off
    declared.add_options()
        ("format", "slurm-tree or slurm-block", value<std::string>()->default_value("slurm-tree"), "FORMAT")
        ("check", "hold this topology.conf against the fabric and print what differs", value<std::string>(), "FILE")
        ("adapters", "which adapters are one compute node: name, system, a number, or file:PATH", value<std::string>()->default_value("name"), "HOW")
        ("o,output", "output file; - is standard output", value<std::string>()->default_value("-"), "FILE")
        ("strict", "treat input files that contradict each other as an error instead of a warning")
        ("h,help", "show this help");
    // clang-format on
    return declared;
}

std::string topology_help() { return declare_topology().help() + topology_examples; }

int run_topology(std::vector<std::string> const& arguments) {
    ParsedOptions const options(declare_topology(), arguments);
    if (options.flag("help")) return io::write_standard_output(topology_help()), success;
    api::NetworkChoice choice = network_choice(options.required("network", "it says which fabric to describe"),
                                               [&](std::string const& name) { return options.text(name); });
    choice.strict = options.flag("strict");
    bool const blocks = options.choice("format", {"slurm-tree", "slurm-block"}) == 1;
    std::string const output = *options.text("output");
    std::vector<std::string> inputs = choice.files();
    if (options.given("check")) {
        if (options.given("format"))
            throw base::InputError({}, "--format does not go with --check", "a check writes no topology.conf",
                                   "leave one of them out");
        inputs.push_back(*options.text("check"));
    }
    check_files(inputs, {output});

    model::Fabric const fabric = api::obtain_fabric(choice, false, listener());
    api::SlurmTree const tree = api::slurm_tree(fabric, api::node_grouping(*options.text("adapters"), choice.spec));
    if (tree.renamed > 0)
        tell("note",
             fmt::format("{} nodes have names that Slurm cannot have; other characters became _", tree.renamed));
    if (tree.several > 0)
        tell("note", fmt::format("{} nodes have adapters at several switches; each is at that of most of its adapters",
                                 tree.several));
    io::OutputFile file(output);
    bool sound = true;
    if (options.given("check")) {
        std::string const path = *options.text("check");
        io::LineReader lines(io::open_source(path), path);
        std::vector<api::SlurmFinding> const found = api::check_slurm(lines, tree);
        for (api::SlurmFinding const& one : found)
            fmt::print(file.stream(), "{}{}: {}\n", path, one.line == 0 ? "" : fmt::format(":{}", one.line),
                       base::printable(one.message));
        sound = found.empty();
    } else if (blocks) {
        api::write_slurm_blocks(file.stream(), tree);
    } else {
        api::write_slurm_tree(file.stream(), tree);
    }
    file.commit();
    return sound ? success : faults_found;
}

}  // namespace tailback::commands
