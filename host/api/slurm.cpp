#include "host/api/slurm.hpp"

#include "host/audit/loads/levels.hpp"
#include "host/base/error.hpp"
#include "host/base/scanner.hpp"
#include "host/study/placement/hostlist.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <set>

#include <strings.h>

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

/// Which leaves hang together.
class Parts {
public:
    explicit Parts(std::size_t leaves) : of_(leaves) { std::iota(of_.begin(), of_.end(), std::size_t{0}); }
    std::size_t find(std::size_t leaf) {
        while (of_[leaf] != leaf) leaf = of_[leaf] = of_[of_[leaf]];
        return leaf;
    }
    void join(std::size_t a, std::size_t b) {
        a = find(a), b = find(b);
        of_[std::max(a, b)] = std::min(a, b);
    }

private:
    std::vector<std::size_t> of_;
};

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
        Parts parts(tree_.switches.size());
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
    void add_level(audit::Levels const& levels, std::uint32_t level, Parts& parts) {
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
    void gather(Parts& parts, std::uint32_t level, std::string const& name) {
        std::map<std::size_t, std::set<std::size_t>> tops;  // by part
        for (std::size_t leaf = 0; leaf < leaves_; ++leaf) tops[parts.find(leaf)].insert(top_of_[leaf]);
        for (auto const& [part, below] : tops) {
            if (below.size() < 2) continue;
            std::size_t const at = tree_.switches.size();
            tree_.switches.push_back({unique_name(fmt::format("{}-{}", name, ++numbers_[name]), taken_),
                                      level,
                                      {},
                                      {below.begin(), below.end()}});
            for (std::size_t leaf = 0; leaf < leaves_; ++leaf)
                if (parts.find(leaf) == part) top_of_[leaf] = at;
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

std::string folded(SlurmTree const& tree, std::vector<std::uint32_t> const& nodes) {
    std::vector<std::string> names;
    for (std::uint32_t const node : nodes) names.push_back(tree.names[node]);
    return study::fold_hostlist(names);
}

/// A line of topology.conf.
struct SlurmLine {
    std::map<std::string, std::string> keys;  ///< in lower case, with their values
    std::vector<std::string> strange;         ///< words that are neither, and keys that the file does not have
};

/// `KEY=VALUE ..`: blanks may stand around the `=`, and values in double quotes.
SlurmLine read_slurm_line(std::string_view line) {
    constexpr std::string_view blanks = " \t\r";
    static std::set<std::string> const known = {"switchname", "switches",  "nodes",
                                                "linkspeed",  "blockname", "blocksizes"};
    SlurmLine found;
    for (line = base::trimmed(line.substr(0, line.find('#')), blanks); !line.empty();) {
        std::size_t end = std::min(line.find_first_of(" \t\r="), line.size());
        std::string const word(line.substr(0, end));
        std::string_view const rest = base::trimmed(line.substr(end), blanks);
        if (!rest.starts_with('=')) {
            found.strange.push_back(word);
            line = rest;
            continue;
        }
        line = base::trimmed(rest.substr(1), blanks);
        bool const quoted = line.starts_with('"') && line.find('"', 1) != line.npos;
        end = quoted ? line.find('"', 1) + 1 : std::min(line.find_first_of(blanks), line.size());
        if (!quoted && line.substr(0, end).find('=') != line.npos) end = 0;  // the next key: this one has no value
        std::string key(word);
        for (char& c : key) c = char(std::tolower(static_cast<unsigned char>(c)));
        if (!known.contains(key)) found.strange.push_back(word);
        found.keys[key] = std::string(quoted ? line.substr(1, end - 2) : line.substr(0, end));
        line = base::trimmed(line.substr(end), blanks);
    }
    return found;
}

/// A topology.conf held against the fabric.
class Check {
public:
    explicit Check(SlurmTree const& tree) : tree_(tree), line_of_node_(tree.names.size()) {
        for (std::uint32_t n = 0; n < tree.names.size(); ++n) node_of_.emplace(tree.names[n], n);
        leaf_of_.assign(tree.names.size(), none);
        for (std::size_t s = 0; s < tree.switches.size(); ++s)
            for (std::uint32_t const node : tree.switches[s].nodes) leaf_of_[node] = s;
    }

    void take(std::string_view text, std::size_t line) {
        auto const [keys, strange] = read_slurm_line(text);
        if (!strange.empty() && ::strcasecmp(strange.front().c_str(), "include") == 0)
            return note(line, "what it includes is not read: check that file, too");
        for (std::string const& word : strange)
            note(line, fmt::format("\"{}\" is nothing that topology.conf has", word.substr(0, 60)));
        if (auto const sizes = keys.find("blocksizes"); sizes != keys.end()) return take_sizes(sizes->second, line);
        auto const name = keys.contains("switchname") ? keys.find("switchname") : keys.find("blockname");
        if (name == keys.end()) return;
        ++lines_;
        has_blocks_ = has_blocks_ || name->first == "blockname";
        if (name->second.empty()) return note(line, "a switch without a name");
        auto const [first, is_new] = line_of_name_.emplace(name->second, line);
        if (!is_new) note(line, fmt::format("{} is defined in line {} already", name->second, first->second));
        if (keys.contains("nodes") && keys.contains("switches"))
            note(line, fmt::format("{} has both Nodes and Switches", name->second));
        try {
            if (auto const nodes = keys.find("nodes"); nodes != keys.end())
                take_leaf(name->second, nodes->second, line);
            else if (auto const below = keys.find("switches"); below != keys.end())
                take_upper(name->second, below->second, line);
            else note(line, fmt::format("{} has neither Nodes nor Switches", name->second));
        } catch (base::InputError const& error) {
            note(line, error.what());
        }
    }

    std::vector<SlurmFinding> finish(std::string const& file) {
        if (lines_ == 0)
            throw base::InputError({file, 0}, "the file has no SwitchName or BlockName", "", "give a topology.conf");
        find_split_leaves();
        check_sizes();
        for (Upper const& upper : uppers_) {
            check_upper(upper);
            if (most_below_ == 0)
                throw base::InputError({file, upper.line}, "the switches have too many nodes below them",
                                       "the same nodes are below many of them", "name every switch below one other");
        }
        find_tops();
        std::vector<std::uint32_t> lost;
        for (std::uint32_t n = 0; n < tree_.names.size(); ++n)
            if (line_of_node_[n] == 0 && leaf_of_[n] != none) lost.push_back(n);
        if (!lost.empty())
            note(0, fmt::format("{} of the fabric {} in no leaf: {}", lost.size() == 1 ? "a node" : "nodes",
                                lost.size() == 1 ? "is" : "are", folded(tree_, lost)));
        std::stable_sort(found_.begin(), found_.end(), [](auto const& a, auto const& b) { return a.line < b.line; });
        return std::move(found_);
    }

private:
    static constexpr std::size_t none = ~std::size_t{0};
    struct Leaf {
        std::string name;
        std::size_t line;
        std::size_t at;  ///< the switch of most of its nodes
    };
    struct Upper {
        std::string name;
        std::vector<std::string> below;
        std::size_t line;
    };

    void note(std::size_t line, std::string message) { found_.push_back({line, std::move(message)}); }

    void take_leaf(std::string const& name, std::string const& nodes, std::size_t line) {
        std::map<std::size_t, std::vector<std::uint32_t>> at;  // by switch of the fabric
        std::vector<std::string> unknown;
        std::set<std::uint32_t>& under = under_[name];
        for (std::string const& word : study::expand_hostlist(nodes, left_)) {
            auto const node = node_of_.find(word);
            if (node == node_of_.end()) {
                unknown.push_back(word);
                continue;
            }
            if (line_of_node_[node->second] != 0)
                note(line, fmt::format("node {} is in line {} already", word, line_of_node_[node->second]));
            else line_of_node_[node->second] = line;
            under.insert(node->second);
            if (leaf_of_[node->second] != none) at[leaf_of_[node->second]].push_back(node->second);
        }
        if (!unknown.empty())
            note(line,
                 fmt::format("{} has nodes that the fabric does not have: {}", name, study::fold_hostlist(unknown)));
        if (at.empty()) return;
        auto const most = std::max_element(
            at.begin(), at.end(), [](auto const& a, auto const& b) { return a.second.size() < b.second.size(); });
        for (auto const& [leaf, some] : at)
            if (leaf != most->first)
                note(line, fmt::format("{} of {} sit{} at switch {}, its others at {}", folded(tree_, some), name,
                                       some.size() == 1 ? "s" : "", tree_.switches[leaf].name,
                                       tree_.switches[most->first].name));
        leaves_.push_back({name, line, most->first});
    }

    void take_sizes(std::string const& words, std::size_t line) {
        if (sizes_line_ != 0) return note(line, fmt::format("BlockSizes is in line {} already", sizes_line_));
        sizes_line_ = line;
        for (std::size_t at = 0; at <= words.size();) {
            std::size_t const end = std::min(words.find(',', at), words.size());
            std::uint64_t size = 0;
            base::Scanner scan(std::string_view(words).substr(at, end - at));
            if (!scan.decimal(size) || !scan.at_end() || size == 0)
                return note(line, fmt::format("BlockSizes: \"{}\" is no number of nodes", words.substr(at, end - at)));
            sizes_.push_back(size);
            at = end + 1;
        }
    }

    /// Each is the first times a power of two, and larger than the one before; no block has fewer nodes than the first.
    void check_sizes() {
        if (sizes_.empty()) return;
        for (std::size_t i = 1; i < sizes_.size(); ++i)
            if (sizes_[i] <= sizes_[i - 1] || sizes_[i] % sizes_[0] != 0 || !std::has_single_bit(sizes_[i] / sizes_[0]))
                note(sizes_line_, fmt::format("BlockSizes: {} is not {} times a power of two, larger than {}",
                                              sizes_[i], sizes_[0], sizes_[i - 1]));
        for (auto const& [name, under] : under_)
            if (under.size() < sizes_[0])
                note(line_of_name_.at(name),
                     fmt::format("block {} has {} node{}, fewer than {}, the first of BlockSizes", name, under.size(),
                                 under.size() == 1 ? "" : "s", sizes_[0]));
    }

    void take_upper(std::string const& name, std::string const& below, std::size_t line) {
        uppers_.push_back({name, study::expand_hostlist(below, left_), line});
    }

    /// Leaves of the file that are one switch of the fabric.
    void find_split_leaves() {
        std::map<std::size_t, Leaf const*> first;
        for (Leaf const& leaf : leaves_) {
            auto const [at, is_new] = first.emplace(leaf.at, &leaf);
            if (!is_new)
                note(leaf.line,
                     fmt::format("nodes of {} sit at switch {}, as those of {} in line {}: one leaf", leaf.name,
                                 tree_.switches[leaf.at].name, at->second->name, at->second->line));
        }
    }

    /// Switches of the file that hang under two others, or under none though the fabric joins them with others.
    void find_tops() {
        if (has_blocks_) return;
        std::map<std::string, Upper const*> above;
        for (Upper const& upper : uppers_)
            for (std::string const& word : upper.below) {
                if (word == upper.name) continue;
                auto const [at, is_new] = above.emplace(word, &upper);
                if (!is_new && at->second != &upper)
                    note(upper.line,
                         fmt::format("{} is below {} in line {} already", word, at->second->name, at->second->line));
            }
        std::set<std::size_t> not_top;
        for (SlurmSwitch const& one : tree_.switches) not_top.insert(one.below.begin(), one.below.end());
        for (std::size_t s = 0; s < tree_.switches.size(); ++s) {
            if (not_top.contains(s)) continue;
            std::vector<std::uint32_t> const joined = tree_.under(s);
            std::vector<std::string> tops;
            for (auto const& [name, under] : under_)
                if (!above.contains(name) && std::any_of(under.begin(), under.end(), [&](std::uint32_t const node) {
                        return std::binary_search(joined.begin(), joined.end(), node);
                    }))
                    tops.push_back(name);
            if (tops.size() > 1)
                note(0, fmt::format("{} hang under nothing, though the fabric joins them", study::fold_hostlist(tops)));
        }
    }

    void check_upper(Upper const& upper) {
        std::set<std::uint32_t>& nodes = under_[upper.name];
        for (std::string const& word : upper.below) {
            auto const below = under_.find(word);
            if (below == under_.end() || word == upper.name) {
                note(upper.line, fmt::format("{} names {}, which no line before it defines", upper.name, word));
                return;
            }
            most_below_ -= std::min(most_below_, below->second.size());
            if (most_below_ == 0) return;
            nodes.insert(below->second.begin(), below->second.end());
        }
        // Sound: some leaves, or all, that hang together in the fabric below one switch.
        std::size_t smallest = none;
        for (std::size_t s = 0; s < tree_.switches.size() && smallest == none; ++s) {
            std::vector<std::uint32_t> const under = tree_.under(s);
            if (std::includes(under.begin(), under.end(), nodes.begin(), nodes.end())) {
                smallest = s;
                if (under.size() == nodes.size()) return;
            }
        }
        if (smallest == none)
            return note(upper.line, fmt::format("what {} puts together is not joined by any switches", upper.name));
        for (SlurmSwitch const& other : tree_.switches) {
            if (other.level < 2 || other.level >= tree_.switches[smallest].level) continue;
            std::vector<std::uint32_t> const under = tree_.under(std::size_t(&other - tree_.switches.data()));
            std::size_t const shared = std::size_t(
                std::count_if(under.begin(), under.end(), [&](std::uint32_t n) { return nodes.contains(n); }));
            if (shared > 0 && shared < under.size())
                return note(upper.line,
                            fmt::format("{} has {} of the {} nodes that hang together below one level of switches ({})",
                                        upper.name, shared, under.size(), folded(tree_, under)));
        }
    }

    SlurmTree const& tree_;
    std::map<std::string, std::uint32_t> node_of_;
    std::vector<std::size_t> leaf_of_, line_of_node_;  // by node
    std::vector<Leaf> leaves_;
    std::vector<Upper> uppers_;
    std::map<std::string, std::set<std::uint32_t>> under_;  // nodes by SwitchName
    std::map<std::string, std::size_t> line_of_name_;
    std::size_t left_ = study::most_names;            ///< of names in lists
    std::size_t most_below_ = 8 * study::most_names;  ///< nodes of switches above others, counted down
    std::size_t lines_ = 0, sizes_line_ = 0;
    bool has_blocks_ = false;
    std::vector<std::uint64_t> sizes_;  // BlockSizes
    std::vector<SlurmFinding> found_;
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

SlurmTree slurm_tree(model::Fabric const& fabric, study::NodeGroupingChoice const& grouping) {
    return Maker(fabric, grouping).make();
}

void write_slurm_tree(std::ostream& out, SlurmTree const& tree) {
    out << "# For TopologyPlugin=topology/tree, written by tailback from the cabling of the fabric.\n";
    for (SlurmSwitch const& one : tree.switches) {
        if (!one.nodes.empty()) {
            fmt::print(out, "SwitchName={} Nodes={}\n", one.name, folded(tree, one.nodes));
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
        fmt::print(out, "BlockName={} Nodes={}\n", one.name, folded(tree, one.nodes));
        least = std::min(least, one.nodes.size());
        ++blocks;
    }
    out << "BlockSizes=" << least;
    for (std::size_t twice = 2; twice <= blocks; twice *= 2) out << ',' << twice * least;
    out << '\n';
}

std::vector<SlurmFinding> check_slurm(io::LineReader& lines, SlurmTree const& tree) {
    Check check(tree);
    std::string_view line;
    std::string whole;
    std::size_t first = 0;
    while (lines.next(line)) {
        if (whole.empty()) first = lines.place().line;
        bool const goes_on = line.ends_with("\\");
        whole += goes_on ? line.substr(0, line.size() - 1) : line;
        if (whole.size() > (std::size_t{16} << 20))
            throw base::InputError(lines.place(), "a line goes on without end", "", "check the backslashes");
        if (goes_on) continue;
        check.take(whole, first);
        whole.clear();
    }
    if (!whole.empty()) check.take(whole, first);
    return check.finish(lines.name());
}

std::vector<RunningJob> read_squeue(io::LineReader& lines) {
    std::vector<RunningJob> jobs;
    std::string_view line;
    while (lines.next(line)) {
        line = base::trimmed(line);
        if (line.empty()) continue;
        std::size_t const end = line.find_first_of(" \t");
        if (end == std::string_view::npos) continue;  // a job that waits has no nodes
        std::string_view const nodes = base::trimmed(line.substr(end));
        if (nodes.find_first_of(" \t") != std::string_view::npos)
            throw base::InputError(lines.place(), "this is no job and its nodes", "",
                                   "make the file with squeue -h -t R -o \"%i %N\"");
        jobs.push_back({std::string(line.substr(0, end)), std::string(nodes), lines.place().line});
    }
    if (jobs.empty())
        throw base::InputError({lines.name(), 0}, "the file has no running job", "",
                               "make the file with squeue -h -t R -o \"%i %N\"");
    return jobs;
}

}  // namespace tailback::api
