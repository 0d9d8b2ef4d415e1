#include "host/api/slurm/slurm.hpp"

#include "host/audit/loads/levels.hpp"
#include "host/base/disjoint_sets.hpp"
#include "host/base/error.hpp"
#include "host/base/scanner.hpp"
#include "host/study/placement/hostlist.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <map>
#include <set>

namespace tailback::api {
namespace {

std::string slurm_name(std::string const& name) {
    std::string result = name;
    for (char& c : result)
        if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '_' && c != '.') c = '_';
    return result;
}

std::string unique_name(std::string const& wanted, std::set<std::string>& taken) {
    std::string name = wanted.empty() ? "switch" : wanted;
    for (int number = 2; !taken.insert(name).second; ++number) name = fmt::format("{}-{}", wanted, number);
    return name;
}

class Maker {
public:
    Maker(model::Fabric const& fabric, study::NodeGroupingChoice const& grouping)
        : net_(fabric.network),
          nodes_(study::find_compute_nodes(fabric, grouping, false)),
          leaf_of_(net_.nodes().size(), none) {}

    SlurmTree make() {
        add_names();
        add_leaves();
        audit::Levels const levels = audit::levels_of(net_);
        base::DisjointSets parts(tree_.switches.size());
        leaves_ = tree_.switches.size();
        for (std::size_t leaf = 0; leaf < leaves_; ++leaf) top_of_.push_back(leaf);
        for (std::uint32_t level = 2; level <= levels.top; ++level) add_level(levels, level, parts);
        for (model::LinkRecord const& link : net_.links())  // whatever else holds them together
            if (leaf_of_[link.from.value] != none && leaf_of_[link.to.value] != none)
                parts.join(leaf_of_[link.from.value], leaf_of_[link.to.value]);
        gather(parts, levels.top + 1, "fabric");
        return std::move(tree_);
    }

private:
    static constexpr std::size_t none = ~std::size_t{0};

    void add_names() {
        std::set<std::string> taken;
        for (study::ComputeNodes::Node const& node : nodes_.nodes) {
            std::string const name = slurm_name(node.name);
            tree_.renamed += name != node.name;
            tree_.names.push_back(unique_name(name, taken));
        }
    }

    void add_leaves() {
        for (std::uint32_t n = 0; n < nodes_.nodes.size(); ++n) {
            std::map<std::uint32_t, std::size_t> adapters;  // by switch
            std::vector<model::Node> at_switches;
            for (model::Host const host : nodes_.nodes[n].adapters) {
                model::Link const up = net_.up_link(host);
                if (!up.exists()) continue;
                at_switches.push_back(net_[up].to);
                if (!net_.is_switch(at_switches.back()))
                    throw base::InputError(
                        {}, "Slurm's trees are of switches",
                        net_.describe(net_[host].node) + " is cabled to " + net_.describe(at_switches.back()),
                        "choose a network whose hosts hang on switches");
                ++adapters[at_switches.back().value];
            }
            model::Node at;
            for (model::Node const one : at_switches)
                if (!at.exists() || adapters[one.value] > adapters[at.value]) at = one;
            if (!at.exists()) continue;
            tree_.several += adapters.size() > 1;
            std::size_t& leaf = leaf_of_[at.value];
            if (leaf == none) {
                leaf = tree_.switches.size();
                tree_.switches.push_back({unique_name(slurm_name(net_[at].name), taken_), 1, {}, {}});
            }
            tree_.switches[leaf].nodes.push_back(n);
        }
        if (tree_.switches.empty())
            throw base::InputError({}, "no compute node is cabled to a switch", "", "check the topology");
    }

    /// Switches of this level join what is below them.
    void add_level(audit::Levels const& levels, std::uint32_t level, base::DisjointSets& parts) {
        std::vector<std::pair<std::size_t, std::size_t>> found;  // node, leaf
        std::vector<std::string> named(leaves_);
        for (std::size_t n = 0; n < net_.nodes().size(); ++n) {
            if (levels.of_node[n] != level || !net_.is_switch(model::Node{n})) continue;
            std::size_t leaf = leaf_of_[n];
            for (std::uint32_t i = 0; i < net_.link_count(model::Node{n}); ++i) {
                model::Node const to = net_[model::Link{net_.first_link(model::Node{n}).value + i}].to;
                if (leaf_of_[to.value] == none || levels.of_node[to.value] >= level) continue;
                if (leaf == none) leaf = leaf_of_[to.value];
                parts.join(leaf, leaf_of_[to.value]);
            }
            if (leaf != none) found.emplace_back(n, leaf);
        }
        for (auto const& [node, leaf] : found) leaf_of_[node] = leaf;
        gather(parts, level, fmt::format("level{}", level));
    }

    /// One switch for each part that has more than one below.
    void gather(base::DisjointSets& parts, std::uint32_t level, std::string const& name) {
        std::map<std::size_t, std::set<std::size_t>> tops;  // by part
        for (std::size_t leaf = 0; leaf < leaves_; ++leaf) tops[parts.of(leaf)].insert(top_of_[leaf]);
        for (auto const& [part, below] : tops) {
            if (below.size() < 2) continue;
            std::size_t const at = tree_.switches.size();
            tree_.switches.push_back({unique_name(fmt::format("{}-{}", name, ++numbers_[name]), taken_),
                                      level,
                                      {},
                                      {below.begin(), below.end()}});
            for (std::size_t leaf = 0; leaf < leaves_; ++leaf)
                if (parts.of(leaf) == part) top_of_[leaf] = at;
        }
    }

    model::Network const& net_;
    study::ComputeNodes nodes_;
    std::vector<std::size_t> leaf_of_;  // by node: a leaf that hangs below it
    std::size_t leaves_ = 0;
    std::vector<std::size_t> top_of_;  // by leaf: the topmost switch above it so far
    std::map<std::string, int> numbers_;
    std::set<std::string> taken_;
    SlurmTree tree_;
};

}  // namespace

std::vector<std::uint32_t> SlurmTree::under(std::size_t at) const {
    std::vector<std::uint32_t> all = switches[at].nodes;
    for (std::size_t const below : switches[at].below) {
        std::vector<std::uint32_t> const some = under(below);
        all.insert(all.end(), some.begin(), some.end());
    }
    std::sort(all.begin(), all.end());
    return all;
}

std::string SlurmTree::folded(std::vector<std::uint32_t> const& nodes) const {
    std::vector<std::string> found;
    for (std::uint32_t const node : nodes) found.push_back(names[node]);
    return study::fold_hostlist(found);
}

SlurmTree slurm_tree(model::Fabric const& fabric, study::NodeGroupingChoice const& grouping) {
    return Maker(fabric, grouping).make();
}

void write_slurm_tree(std::ostream& out, SlurmTree const& tree) {
    out << "# For TopologyPlugin=topology/tree, written by tailback from the cabling of the fabric.\n";
    for (SlurmSwitch const& one : tree.switches) {
        if (!one.nodes.empty()) {
            fmt::print(out, "SwitchName={} Nodes={}\n", one.name, tree.folded(one.nodes));
            continue;
        }
        std::vector<std::string> below;
        for (std::size_t const s : one.below) below.push_back(tree.switches[s].name);
        fmt::print(out, "SwitchName={} Switches={}\n", one.name, study::fold_hostlist(below));
    }
}

void write_slurm_blocks(std::ostream& out, SlurmTree const& tree) {
    out << "# For TopologyPlugin=topology/block (Slurm 23.11 and later), written by tailback: a block is a leaf.\n";
    std::size_t least = ~std::size_t{0}, blocks = 0;
    for (SlurmSwitch const& one : tree.switches) {
        if (one.nodes.empty()) continue;
        fmt::print(out, "BlockName={} Nodes={}\n", one.name, tree.folded(one.nodes));
        least = std::min(least, one.nodes.size());
        ++blocks;
    }
    out << "BlockSizes=" << least;
    for (std::size_t twice = 2; twice <= blocks; twice *= 2) out << ',' << twice * least;
    out << '\n';
}

std::vector<RunningJob> read_squeue(io::LineReader& lines) {
    std::vector<RunningJob> jobs;
    std::size_t running = 0;
    std::string_view line;
    while (lines.next(line)) {
        line = base::trimmed(line);
        if (line.empty()) continue;
        std::size_t const end = std::min(line.find_first_of(" \t"), line.size());
        std::string_view const name = line.substr(0, end), nodes = base::trimmed(line.substr(end));
        if (nodes.find_first_of(" \t") != std::string_view::npos || name.find('|') != std::string_view::npos)
            throw base::InputError(lines.place(), "this is not a job and its nodes",
                                   name.find('|') != std::string_view::npos ? "a blank divides them" : "",
                                   "make the file with squeue -h -t R -o \"%i %N\"");
        if (jobs.empty() && name == "JOBID") continue;             // names of columns
        bool const waits = nodes.empty() || nodes.front() == '(';  // (Resources), (Priority), ..
        running += !waits;
        jobs.push_back({std::string(name), waits ? "" : std::string(nodes), lines.place().line});
    }
    if (running == 0)
        throw base::InputError({lines.name(), 0}, "the file has no running job", "",
                               "make the file with squeue -h -t R -o \"%i %N\"");
    return jobs;
}

}  // namespace tailback::api
