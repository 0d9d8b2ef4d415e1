// Lets cgraph parse dot text and turns its complaints into errors with a line number.
#include "host/formats/read/dot_graph.hpp"

#ifdef TAILBACK_HAS_CGRAPH

#include "host/base/error.hpp"
#include "host/formats/read/dot_guard.hpp"

#include <charconv>
#include <string_view>

namespace tailback::formats {
namespace {

/// cgraph reports by a callback without context, so what it said is kept here.
std::string cgraph_said;
int keep_message(char* piece) {
    if (cgraph_said.size() < 1000) cgraph_said += piece;
    return 0;
}

/// `Error: stdin: syntax error in line 3 near '}'` as a place and the rest.
[[noreturn]] void fail_with_what_cgraph_said(std::string const& file) {
    base::SourceLocation place{file, 0};
    std::string what = cgraph_said.substr(0, cgraph_said.find('\n'));
    constexpr std::string_view in_line = " in line ";
    if (std::size_t const at = what.find(in_line); at != std::string::npos) {
        char const* const number = what.data() + at + in_line.size();
        auto const [end, error] = std::from_chars(number, what.data() + what.size(), place.line);
        if (error == std::errc{}) {
            std::string const near(end, std::size_t(what.data() + what.size() - end));
            what = "syntax error" + near;
        }
    }
    throw base::InputError(place, "not a graph in dot", what.empty() ? "there is no graph in it" : what,
                           "an ORCS file is a `digraph` of \"A\" -> \"B\" [comment = \"H1,H2\"]");
}

}  // namespace

DotGraph parse_dot(std::string const& text, std::string const& file) {
    check_dot_text(text, file);
    cgraph_said.clear();
    agerrlevel_t const level = agseterr(AGERR);
    agusererrf const handler = agseterrf(keep_message);
    agreadline(1);
    DotGraph graph(agmemread(text.c_str()));
    agseterrf(handler);
    agseterr(level);
    if (!graph) fail_with_what_cgraph_said(file);
    if (!agisdirected(graph.get()))
        throw base::InputError({file, 0}, "an undirected graph", "a link has two directions, each with its own routes",
                               "write a `digraph` with an edge each way");
    return graph;
}

}  // namespace tailback::formats

#endif
