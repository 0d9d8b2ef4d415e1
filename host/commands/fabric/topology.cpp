// tailback topology: what schedulers want to know of a fabric, Slurm's topology.conf; and one that exists against it.
#include "host/api/obtain.hpp"
#include "host/api/placement.hpp"
#include "host/api/slurm/slurm.hpp"
#include "host/base/error.hpp"
#include "host/base/numbers.hpp"
#include "host/commands/command.hpp"
#include "host/commands/messages.hpp"
#include "host/commands/options/network_options.hpp"
#include "host/io/output_file.hpp"
#include "host/options/parsed_options.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

namespace tailback::commands {
namespace {

constexpr char const* topology_text = R"(
Formats:
  slurm-tree     topology.conf for TopologyPlugin=topology/tree: a SwitchName for every leaf (compute
                 nodes that share a switch) and for what hangs together by each level above
  slurm-block    topology.conf for TopologyPlugin=topology/block: a block for every leaf

Exit code: 0; 1 if --check finds a difference; 2 bad input or usage.

Examples:
  tailback topology --network ibnetdiscover.out --output topology.conf
  tailback topology --network ibdiagnet2-output --to slurm-block
  tailback topology --network ibnetdiscover.out --check /etc/slurm/topology.conf
)";

}  // namespace

std::string topology_notes() { return topology_text; }

int run_topology(std::vector<std::string> const& arguments) {
    options::ParsedOptions const options(options::topology, arguments);
    api::NetworkChoice choice = network_choice(options, "it says which fabric to describe");
    bool const blocks = options.choice("to") == 1;
    auto const adapters = api::read_node_grouping(*options.text("adapters"));
    std::string const output = *options.text("output");
    std::vector<std::string> inputs = choice.files();
    if (options.given("check")) inputs.push_back(*options.text("check"));
    check_files(inputs, {output});

    model::Fabric const fabric = api::obtain({.network = choice, .wanted = api::Wanted::network}, listener());
    api::SlurmTree const tree = api::slurm_tree(fabric, api::node_grouping(adapters, choice.spec));
    if (tree.renamed > 0)
        tell("note", base::counted(tree.renamed, "node has a name", "nodes have names") +
                         " that Slurm cannot have; other characters became _");
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
