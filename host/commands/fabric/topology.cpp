// What Slurm reads and tells: `tailback topology` (topology.conf of a fabric, and one that exists against it), jobs
// that run and nodes that are free.
#include "host/api/obtain.hpp"
#include "host/api/placement.hpp"
#include "host/api/slurm/slurm.hpp"
#include "host/base/error.hpp"
#include "host/base/extensions.hpp"
#include "host/base/numbers.hpp"
#include "host/commands/messages.hpp"
#include "host/commands/options/jobs_options.hpp"
#include "host/commands/options/network_options.hpp"
#include "host/commands/registry.hpp"
#include "host/io/output_file.hpp"
#include "host/options/parsed_options.hpp"
#include "host/study/placement/hostlist.hpp"

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

std::string topology_notes() { return topology_text; }

int run_topology(std::vector<std::string> const& arguments) {
    options::ParsedOptions const options(options::command_named("topology"), arguments);
    api::NetworkChoice choice = network_choice(options, "it says which fabric to describe");
    bool const blocks = options.choice("to") == 1;
    std::string const output = *options.text("output");
    std::vector<std::string> inputs = choice.files();
    if (options.given("check")) inputs.push_back(*options.text("check"));
    check_files(inputs, {output});

    model::Fabric const fabric = api::obtain({.network = choice, .wanted = api::Wanted::network}, listener());
    api::SlurmTree const tree = api::slurm_tree(fabric, api::node_grouping(*options.text("adapters"), choice.spec));
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

/// Those of one node send nothing over the fabric.
std::vector<api::JobRequest> read_running_jobs(options::ParsedOptions const& options,
                                               std::optional<std::string> const& ranks_per_node,
                                               std::vector<std::string>& taken) {
    std::string const path = *options.text("squeue"), pattern = *options.text("squeue-pattern");
    io::LineReader lines(io::open_source(path), path);
    std::vector<api::JobRequest> jobs;
    std::string left_out, waiting;
    std::size_t left = study::most_names;
    for (api::RunningJob const& running : api::read_squeue(lines)) {
        if (running.nodes.empty()) {
            waiting += (waiting.empty() ? "" : ", ") + running.name;
            continue;
        }
        taken.push_back(running.nodes);
        auto const count = [&] { return study::expand_hostlist(running.nodes, left).size(); };
        if (base::at_place({path, running.line}, count) < 2) {
            left_out += (left_out.empty() ? "" : ", ") + running.name;
            continue;
        }
        api::JobRequest job;
        job.name = running.name;
        job.place = {path, running.line};
        job.runs = true;
        api::set_job_key(job, "pattern", pattern);
        api::set_job_key(job, "nodes", running.nodes);
        if (ranks_per_node) api::set_job_key(job, "ranks-per-node", *ranks_per_node);
        jobs.push_back(std::move(job));
    }
    if (!waiting.empty()) tell("note", "jobs without nodes wait, and are left out: " + waiting);
    if (!left_out.empty()) tell("note", "jobs of one node are left out: " + left_out);
    return jobs;
}

}  // namespace

void register_slurm(Registry& registry) {
    Command const topology = {
        "topology",
        "the tree of a fabric for a scheduler (Slurm's topology.conf), or one held against it",
        run_topology,
        {options::command_named("topology"), "Writes the topology of a fabric for a scheduler, or checks one.",
         "--network FILE|SPEC [--to FORMAT | --check FILE] [--output FILE]",
         "tailback topology --network ibnetdiscover.out --output topology.conf"},
        topology_notes};
    base::insert_before(registry.commands, "list", topology);
    registry.job_lists.push_back({"squeue", read_running_jobs});
    registry.node_lists.push_back({"sinfo", api::read_sinfo});
}

}  // namespace tailback::commands
