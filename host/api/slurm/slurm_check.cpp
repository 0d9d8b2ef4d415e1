// A topology.conf, or what `scontrol show topology` prints, held against a fabric.
#include "host/api/slurm/slurm.hpp"
#include "host/api/slurm/slurm_line.hpp"
#include "host/base/error.hpp"
#include "host/base/scanner.hpp"
#include "host/study/placement/hostlist.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <map>
#include <optional>
#include <set>

#include <strings.h>

namespace tailback::api {
namespace {

/// A topology.conf held against the fabric.
class Check {
public:
    explicit Check(SlurmTree const& tree) : tree_(tree), line_of_node_(tree.names.size()) {
        for (std::uint32_t n = 0; n < tree.names.size(); ++n) node_of_.emplace(tree.names[n], n);
        leaf_of_.assign(tree.names.size(), none);
        for (std::size_t s = 0; s < tree.switches.size(); ++s)
            for (std::uint32_t const node : tree.switches[s].nodes) leaf_of_[node] = s;
    }

    void take(std::string_view text, std::size_t number) {
        SlurmLine line = read_slurm_line(text);
        auto const& keys = line.keys;
        if (!line.strange.empty() && ::strcasecmp(line.strange.front().c_str(), "include") == 0)
            return note(number, "what it includes is not read: check that file, too");
        std::string const* const aggregated = line.value("aggregatedblock");
        std::string const* const name = keys.contains("switchname")  ? &keys.at("switchname")
                                        : keys.contains("blockname") ? &keys.at("blockname")
                                                                     : aggregated;
        if (name != nullptr && lines_ == 0) scontrol_ = line.is_scontrol();
        if (!scontrol_) line.strange.insert(line.strange.end(), line.told.begin(), line.told.end());
        for (std::string const& word : line.strange)
            note(number, fmt::format("\"{}\" is nothing that {} has", word.substr(0, 60),
                                     scontrol_ ? "scontrol show topology" : "topology.conf"));
        if (auto const sizes = keys.find("blocksizes"); sizes != keys.end()) return take_sizes(sizes->second, number);
        if (name == nullptr || (!scontrol_ && name == aggregated)) return;
        ++lines_;
        has_blocks_ = has_blocks_ || !keys.contains("switchname");
        if (name->empty()) return note(number, "a switch without a name");
        if (name != aggregated) {
            auto const [first, is_new] = line_of_name_.emplace(*name, number);
            if (!is_new) note(number, fmt::format("{} is defined in line {} already", *name, first->second));
        }
        try {
            take_named(line, *name, name == aggregated, number);
        } catch (base::InputError const& error) {
            note(number, error.what());
        }
    }

    std::vector<SlurmFinding> finish(std::string const& file) {
        if (lines_ == 0)
            throw base::InputError({file, 0}, "the file has no SwitchName or BlockName", "", "give a topology.conf");
        find_split_leaves();
        check_sizes();
        for (std::vector<std::size_t> const& part : parts_from_below()) {
            check_circle(part);
            for (std::size_t const u : part) {
                check_upper(uppers_[u]);
                if (most_below_ == 0)
                    throw base::InputError({file, uppers_[u].line}, "the switches have too many nodes below them",
                                           "the same nodes are below many of them",
                                           "name every switch below one other");
            }
        }
        check_blocks();
        find_tops();
        std::vector<std::uint32_t> lost;
        for (std::uint32_t n = 0; n < tree_.names.size(); ++n)
            if (line_of_node_[n] == 0 && leaf_of_[n] != none) lost.push_back(n);
        if (!lost.empty())
            note(0, fmt::format("{} of the fabric {} in no leaf: {}", lost.size() == 1 ? "a node" : "nodes",
                                lost.size() == 1 ? "is" : "are", tree_.folded(lost)));
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
        std::optional<std::vector<std::string>> nodes = {};  ///< as scontrol tells them
        std::optional<std::uint64_t> level = {};
        bool blocks = false;  ///< an aggregated block
    };

    void note(std::size_t line, std::string message) { found_.push_back({line, std::move(message)}); }

    void take_named(SlurmLine const& line, std::string const& name, bool aggregated, std::size_t number) {
        std::string const *const nodes = line.value("nodes"), *const below = line.value("switches");
        if (aggregated) {
            take_size(line, number);
            return take_told(line, name, name, nodes, number);
        }
        if (nodes != nullptr && below != nullptr) {
            if (scontrol_) return take_told(line, name, *below, nodes, number);
            note(number, fmt::format("{} has both Nodes and Switches", name));
        }
        if (nodes != nullptr) {
            take_leaf(name, *nodes, number);
            if (auto const level = number_of(line, "level", number); level && *level != 0)
                note(number, fmt::format("{} is at level {}, though it is a leaf", name, *level));
            if (auto const size = take_size(line, number)) size_of_block_.emplace_back(name, *size);
        } else if (below != nullptr) {
            take_upper(name, *below, number);
        } else {
            note(number, fmt::format("{} has neither Nodes nor Switches", name));
        }
    }
    /// A switch above others, or blocks taken together, with all that follows from what is below.
    void take_told(SlurmLine const& line, std::string const& name, std::string const& below, std::string const* nodes,
                   std::size_t number) {
        take_upper(name, below, number);
        Upper& upper = uppers_.back();
        if (nodes != nullptr) upper.nodes = study::expand_hostlist(*nodes, left_);
        upper.level = number_of(line, "level", number);
        upper.blocks = !line.keys.contains("switchname");
    }
    std::optional<std::uint64_t> number_of(SlurmLine const& line, char const* key, std::size_t number) {
        std::string const* const text = line.value(key);
        if (text == nullptr) return std::nullopt;
        std::uint64_t value = 0;
        base::Scanner scan(*text);
        if (scan.decimal(value) && scan.at_end()) return value;
        note(number, fmt::format("\"{}\" is not a number ({})", text->substr(0, 60), key));
        return std::nullopt;
    }
    std::optional<std::uint64_t> take_size(SlurmLine const& line, std::size_t number) {
        return number_of(line, "blocksize", number);
    }

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
                note(line, fmt::format("{} of {} sit{} at switch {}, its others at {}", tree_.folded(some), name,
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
                return note(line,
                            fmt::format("BlockSizes: \"{}\" is not a number of nodes", words.substr(at, end - at)));
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
        below_others_.insert(uppers_.back().below.begin(), uppers_.back().below.end());
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
                if (word == upper.name || upper.blocks) continue;
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

    /// The switches above others, those below before those above; those that are below each other together.
    std::vector<std::vector<std::size_t>> parts_from_below() const {
        std::map<std::string, std::vector<std::size_t>> of_name;
        for (std::size_t u = 0; u < uppers_.size(); ++u)
            if (!uppers_[u].blocks) of_name[uppers_[u].name].push_back(u);
        std::vector<std::vector<std::size_t>> next(uppers_.size());
        for (std::size_t u = 0; u < uppers_.size(); ++u)
            for (std::string const& word : uppers_[u].below)
                if (auto const at = of_name.find(word); at != of_name.end() && !uppers_[u].blocks)
                    next[u].insert(next[u].end(), at->second.begin(), at->second.end());
        return parts_of_circles(next);
    }

    /// @param part switches that are all below each other, where there are several
    void check_circle(std::vector<std::size_t> const& part) {
        Upper const& first = uppers_[part.front()];
        std::vector<std::string> names;
        for (std::size_t const u : part)
            if (std::ranges::find(names, uppers_[u].name) == names.end()) names.push_back(uppers_[u].name);
        if (names.size() > 1)
            note(first.line, fmt::format("{} are below each other, in a circle", fmt::join(names, ", ")));
        else if (!first.blocks && std::ranges::find(first.below, first.name) != first.below.end())
            note(first.line, fmt::format("{} is below itself", first.name));
        if (names.size() > 1) in_circles_.insert(names.begin(), names.end());
    }

    void check_upper(Upper const& upper) {
        std::set<std::uint32_t> of_blocks;
        std::set<std::uint32_t>& nodes = upper.blocks ? of_blocks : under_[upper.name];
        std::vector<std::string> undefined;
        std::uint64_t level = 1;
        bool sound = !in_circles_.contains(upper.name);
        for (std::string const& word : upper.below) {
            if (word == upper.name && !upper.blocks) {
                sound = false;
                continue;
            }
            auto const below = under_.find(word);
            if (!line_of_name_.contains(word)) {
                if (std::ranges::find(undefined, word) == undefined.end()) undefined.push_back(word);
                continue;
            }
            if (below == under_.end()) continue;  // in a circle, or a line that is told
            if (auto const at = level_of_.find(word); at != level_of_.end()) level = std::max(level, at->second + 1);
            most_below_ -= std::min(most_below_, below->second.size());
            if (most_below_ == 0) return;
            nodes.insert(below->second.begin(), below->second.end());
        }
        if (!upper.blocks) level_of_[upper.name] = level;
        if (!undefined.empty())
            note(upper.line,
                 fmt::format("{} names {}, which no line defines", upper.name, study::fold_hostlist(undefined)));
        if (!undefined.empty() || !sound) return;
        check_told(upper, nodes, level);
        if (upper.blocks) return;
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
                                        upper.name, shared, under.size(), tree_.folded(under)));
        }
        std::vector<std::uint32_t> apart = tree_.under(smallest);  // nodes of the file that are as near
        std::erase_if(apart, [&](std::uint32_t n) { return nodes.contains(n) || line_of_node_[n] == 0; });
        if (!apart.empty() && tree_.switches[smallest].level > 2 && below_others_.contains(upper.name))
            note(upper.line, fmt::format("what {} puts together is joined only by switches that join {}, too",
                                         upper.name, tree_.folded(apart)));
    }

    /// What scontrol derives from the switches below.
    void check_told(Upper const& upper, std::set<std::uint32_t> const& nodes, std::uint64_t level) {
        if (upper.level && *upper.level != level)
            note(upper.line,
                 fmt::format("{} is at level {}, by those below it at {}", upper.name, *upper.level, level));
        if (!upper.nodes) return;
        std::set<std::uint32_t> told;
        std::vector<std::uint32_t> differ;
        for (std::string const& word : *upper.nodes)
            if (auto const at = node_of_.find(word); at != node_of_.end()) told.insert(at->second);
        std::ranges::set_symmetric_difference(told, nodes, std::back_inserter(differ));
        if (!differ.empty())
            note(upper.line, fmt::format("Nodes of {} are not those below it: {}", upper.name, tree_.folded(differ)));
    }
    void check_blocks() {
        for (auto const& [name, size] : size_of_block_)
            if (std::size_t const has = under_[name].size(); has < size)
                note(line_of_name_.at(name), fmt::format("block {} has {} node{}, fewer than its BlockSize {}", name,
                                                         has, has == 1 ? "" : "s", size));
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
    bool has_blocks_ = false, scontrol_ = false;
    std::set<std::string> in_circles_, below_others_;  // names of switches
    std::map<std::string, std::uint64_t> level_of_;    // of switches above others
    std::vector<std::pair<std::string, std::uint64_t>> size_of_block_;
    std::vector<std::uint64_t> sizes_;  // BlockSizes
    std::vector<SlurmFinding> found_;
};

}  // namespace

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

}  // namespace tailback::api
