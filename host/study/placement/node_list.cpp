#include "host/study/placement/node_list.hpp"

#include "host/base/error.hpp"
#include "host/base/scanner.hpp"
#include "host/base/spec.hpp"
#include "host/study/placement/host_file.hpp"
#include "host/study/placement/hostlist.hpp"
#include "host/study/placement/node_finder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>

namespace tailback::study {
namespace {

void add_once(NodeSelection& selection, std::uint32_t node, std::vector<bool>& met) {
    if (node == ComputeNodes::none || met[node]) return;
    met[node] = true;
    selection.nodes.push_back(node);
}

NodeSelection read_list(std::string const& words, ComputeNodes const& nodes, NodeFinder& finder) {
    NodeSelection selection;
    selection.named = true;
    std::vector<bool> met(nodes.nodes.size());
    for (std::string const& item : split_hostlist(words)) {
        bool const leaf = item.starts_with("leaf:");
        for (std::string const& name : expand_hostlist(leaf ? item.substr(5) : item)) {
            bool const glob = name.find_first_of("*?") != std::string::npos;
            std::vector<std::uint32_t> found;
            if (leaf) found = finder.at_leaves(name);
            else if (glob) found = finder.match(name);
            else found = {finder.find(name, {}).node};
            for (std::uint32_t const node : found) add_once(selection, node, met);
        }
    }
    finder.check();
    if (selection.nodes.empty()) refuse_list(words, "it names no node");
    return selection;
}

/// `any:N`, `any:N,contiguous`, `any:N,piece=K`.
NodeDraw read_draw(std::string const& words, std::size_t of_nodes) {
    static std::vector<base::Parameter> const parameters = {
        {.name = "count", .kind = base::ParameterKind::number, .summary = "nodes", .least = 1},
        {.name = "form",
         .kind = base::ParameterKind::choice,
         .fallback = "scattered",
         .summary = "where they lie",
         .choices = {"scattered", "contiguous"}},
        {.name = "piece",
         .kind = base::ParameterKind::number,
         .fallback = "1",
         .summary = "neighbours that are taken together",
         .least = 1}};
    base::Arguments const arguments = base::parse_arguments(words, parameters, "any:128,piece=8");
    NodeDraw draw{arguments.number("count"), arguments.number("piece")};
    if (arguments.word("form") == "contiguous") {
        if (arguments.given("piece") && draw.piece != 1)
            arguments.refuse("pieces of a contiguous run", "it is one piece", "leave out piece or contiguous");
        draw.piece = 0;
    }
    std::uint64_t const room = draw.piece > 1 ? of_nodes / draw.piece * draw.piece : of_nodes;
    if (draw.count > room)
        throw base::InputError({}, fmt::format("{} of {} nodes cannot be drawn", draw.count, of_nodes),
                               draw.piece > 1
                                   ? fmt::format("there are {} whole pieces of {}", room / draw.piece, draw.piece)
                                   : "there are fewer",
                               "draw fewer, or name more nodes");
    return draw;
}

bool is_file(std::string const& words) {
    std::error_code ignored;
    return words == "-" || std::filesystem::exists(words, ignored);
}

/// A file or a list.
NodeSelection read_named_part(std::string const& words, ComputeNodes const& nodes, NodeFinder& finder) {
    if (is_file(words)) {
        io::LineReader lines(io::open_source(words), words);
        return read_host_file(lines, nodes, finder);
    }
    if (!words.empty() && words.find_first_not_of("0123456789") == words.npos &&
        std::ranges::none_of(nodes.nodes, [&](ComputeNodes::Node const& node) { return node.name == words; }))
        throw base::InputError({}, "\"" + words.substr(0, 40) + "\" is not a name of a node",
                               "a number alone could be how many or a LID",
                               "write any:" + words.substr(0, 40) + " for so many nodes, or the node's name");
    return read_list(words, nodes, finder);
}

NodeSelection read_named(std::string const& words, ComputeNodes const& nodes, NodeFinder& finder) {
    std::size_t const of = is_file(words) ? words.npos : words.find(" of ");
    if (of == words.npos || !is_file(words.substr(0, of))) return read_named_part(words, nodes, finder);
    std::string const file = words.substr(0, of), list(base::trimmed(words.substr(of + 4)));
    if (file == "-" && list == "-")
        throw base::InputError({}, "both files of nodes are standard input", "it is read once", "name one of them");
    NodeSelection const among = read_named_part(list, nodes, finder);
    io::LineReader lines(io::open_source(file), file);
    NodeSelection selection = read_host_file(lines, nodes, finder, &among.nodes);
    selection.notes.insert(selection.notes.begin(), among.notes.begin(), among.notes.end());
    return selection;
}

/// `words` without what the finder has to tell.
NodeSelection read_selection(std::string const& words, ComputeNodes const& nodes, NodeFinder& finder) {
    if (!words.starts_with("any:") || is_file(words)) return read_named(words, nodes, finder);
    std::size_t const of = words.find(" of ");
    NodeSelection selection = every_node(nodes);
    if (of != words.npos) {
        std::string const list(base::trimmed(words.substr(of + 4)));
        selection = read_named(list, nodes, finder);
        if (!selection.given.empty())
            throw base::InputError({}, "nodes cannot be drawn from a file that gives every rank its host", list,
                                   "name the nodes once each");
    }
    selection.named = true;
    selection.draw = read_draw(words.substr(0, of), selection.nodes.size());
    return selection;
}

}  // namespace

NodeSelection every_node(ComputeNodes const& nodes) {
    NodeSelection selection;
    for (std::uint32_t n = 0; n < nodes.nodes.size(); ++n) selection.nodes.push_back(n);
    return selection;
}

NodeSelection read_node_selection(std::string const& words, ComputeNodes const& nodes, model::Network const& network) {
    NodeFinder finder(nodes, network);
    NodeSelection selection = read_selection(words, nodes, finder);
    std::ranges::move(finder.notes(), std::back_inserter(selection.notes));
    return selection;
}

}  // namespace tailback::study
