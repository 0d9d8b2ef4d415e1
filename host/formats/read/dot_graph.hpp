// A dot text as Graphviz's cgraph sees it.
#pragma once

#ifdef TAILBACK_HAS_CGRAPH

#include <graphviz/cgraph.h>

#include <memory>
#include <string>

namespace tailback::formats {

struct CloseDotGraph {
    void operator()(Agraph_t* graph) const { agclose(graph); }
};
using DotGraph = std::unique_ptr<Agraph_t, CloseDotGraph>;

/// The first graph of `text`, a digraph. `file` is what messages call it. Not to be called by two threads at once.
/// @throws InputError for what is no dot, no digraph, or costs more than it should (dot_guard.hpp).
DotGraph parse_dot(std::string const& text, std::string const& file);

}  // namespace tailback::formats

#endif
