#include "host/audit/loads/groups.hpp"

#include "host/audit/loads/levels.hpp"
#include "host/base/error.hpp"
#include "host/base/scanner.hpp"
#include "host/io/line_reader.hpp"
#include "host/study/placement/compute_nodes.hpp"
#include "host/study/placement/hostlist.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <unordered_map>

#include <regex.h>

namespace tailback::audit {
namespace {

constexpr char const* other_nodes = "(other)";

/// Names of groups by node to numbers, in natural order.
NodeGroups numbered(std::vector<std::string> const& by_node) {
    NodeGroups groups;
    groups.names = by_node;
    std::sort(groups.names.begin(), groups.names.end(), group_less);
    groups.names.erase(std::unique(groups.names.begin(), groups.names.end()), groups.names.end());
    std::map<std::string, std::uint32_t> number;
    for (std::uint32_t g = 0; g < groups.names.size(); ++g) number[groups.names[g]] = g;
    for (std::string const& name : by_node) groups.of_node.push_back(number[name]);
    return groups;
}

std::vector<std::string> by_leaf(model::Network const& net) {
    Levels const levels = levels_of(net);
    std::vector<std::string> of(net.nodes().size());
    for (std::size_t n = 0; n < of.size(); ++n) {
        model::Node const node{n};
        if (net.is_switch(node)) {
            std::uint32_t const level = levels.of_node[n];
            of[n] = level == 1                   ? net[node].name
                    : level == Levels::unreached ? std::string(other_nodes)
                                                 : fmt::format("level {}", level);
            continue;
        }
        of[n] = other_nodes;
        for (std::uint32_t i = 0; i < net.link_count(node); ++i)
            if (model::Node const to = net[model::Link{net.first_link(node).value + i}].to; net.is_switch(to)) {
                of[n] = net[to].name;
                break;
            }
    }
    return of;
}

std::vector<std::string> by_name(model::Network const& net, std::string const& expression, std::string const& option) {
    regex_t compiled;
    if (int const error = ::regcomp(&compiled, expression.c_str(), REG_EXTENDED); error != 0) {
        char text[200] = {};
        ::regerror(error, &compiled, text, sizeof text);
        throw base::InputError({}, option + " name:" + expression + " is not a regular expression", text,
                               "write an extended one (POSIX), for example 'name:^(rack[0-9]+)-'");
    }
    std::unique_ptr<regex_t, decltype(&::regfree)> const held(&compiled, &::regfree);
    std::vector<std::string> of;
    for (model::NodeRecord const& node : net.nodes()) {
        regmatch_t match[2];
        bool const fits = ::regexec(&compiled, node.name.c_str(), 2, match, 0) == 0;
        regmatch_t const& part = fits && match[1].rm_so >= 0 ? match[1] : match[0];
        of.push_back(fits && part.rm_eo > part.rm_so
                         ? node.name.substr(std::size_t(part.rm_so), std::size_t(part.rm_eo - part.rm_so))
                         : std::string(other_nodes));
    }
    return of;
}

/// Those that a glob fits. Compute nodes answer to their names without the adapter's, too.
std::vector<std::size_t> nodes_of(model::Network const& net, std::string const& name) {
    std::vector<std::size_t> found;
    if (name.find_first_of("*?") == name.npos) return found;
    for (std::size_t n = 0; n < net.nodes().size(); ++n) {
        std::string const& whole = net[model::Node{n}].name;
        if (study::matches_glob(whole, name) || study::matches_glob(study::split_adapter_name(whole).node, name))
            found.push_back(n);
    }
    return found;
}

std::vector<std::string> by_file(model::Network const& net, std::string const& path, MissingNodes missing) {
    std::vector<std::string> of(net.nodes().size(), other_nodes);
    std::unordered_map<std::string, std::vector<std::size_t>> by_name;
    for (std::size_t n = 0; n < net.nodes().size(); ++n) {
        std::string const& whole = net[model::Node{n}].name;
        by_name[whole].push_back(n);
        if (std::string const node = study::split_adapter_name(whole).node; node != whole) by_name[node].push_back(n);
    }
    io::LineReader lines(io::open_source(path), path);
    std::string_view line;
    bool any = false;
    std::size_t left = std::max(study::most_names, 4 * net.nodes().size());
    while (lines.next(line)) {
        line = base::trimmed(line.substr(0, line.find('#')));
        if (line.empty()) continue;
        std::size_t const end = std::min(line.find_first_of(" \t"), line.size());
        std::string const group(line.substr(0, end));
        std::string list(base::trimmed(line.substr(end)));
        std::replace(list.begin(), list.end(), '\t', ' ');
        std::replace(list.begin(), list.end(), ' ', ',');
        auto const names = base::at_place(lines.place(), [&] { return study::expand_hostlist(list, left); });
        if (names.empty())
            throw base::InputError(lines.place(), "group \"" + group.substr(0, 80) + "\" has no nodes", "",
                                   "a line is the group's name, then names of its nodes");
        any = true;
        for (std::string const& name : names) {
            auto const known = by_name.find(name);
            std::vector<std::size_t> const nodes = known != by_name.end() ? known->second : nodes_of(net, name);
            if (nodes.empty() && missing == MissingNodes::are_refused)
                throw base::InputError(lines.place(), "no node has the name \"" + name + "\"", "",
                                       "write names, hostlists (node[01-18]) or globs (rack7-*)");
            for (std::size_t const node : nodes) {
                if (of[node] != other_nodes && of[node] != group)
                    throw base::InputError(lines.place(), net.describe(model::Node{node}) + " is in two groups",
                                           "\"" + of[node] + "\" and \"" + group + "\"", "name it once");
                of[node] = group;
            }
        }
    }
    if (!any)
        throw base::InputError({path, 0}, "the file names no group", "", "write a group a line: NAME, then its nodes");
    return of;
}

}  // namespace

NodeGroups group_nodes(model::Network const& network, std::string const& words, MissingNodes missing,
                       std::string const& option) {
    if (words == "leaf") return numbered(by_leaf(network));
    if (words.starts_with("name:") && words.size() > 5) {
        std::vector<std::string> const of = by_name(network, words.substr(5), option);
        if (missing == MissingNodes::are_refused &&
            std::all_of(of.begin(), of.end(), [](std::string const& one) { return one == other_nodes; }))
            throw base::InputError({}, option + " " + words + " fits the name of no node",
                                   "the first of them is \"" + network[model::Node{0}].name + "\"",
                                   "write an extended regular expression (POSIX: [0-9], not \\d)");
        return numbered(of);
    }
    if (std::string const file = file_of_groups(words); !file.empty()) return numbered(by_file(network, file, missing));
    throw base::InputError({}, option + " \"" + words + "\" is unknown", "", "write leaf, name:REGEX or file:PATH");
}

std::string file_of_groups(std::string const& words) { return words.starts_with("file:") ? words.substr(5) : ""; }

bool group_less(std::string const& a, std::string const& b) {
    return study::natural_less(a, b) || (!study::natural_less(b, a) && a < b);
}

}  // namespace tailback::audit
