// A look over dot text before Graphviz sees it: turns away what would cost it memory or stack out of all proportion.
#pragma once

#include "host/base/error.hpp"

#include <string_view>

namespace tailback::formats {

/// A few bytes of dot can ask for millions of edges (`{a b c} -> {d e f}`), for deep nesting, or for an attribute slot
/// on every edge per attribute name. No ORCS file needs any of it.
/// @throws InputError for bytes that are no text, unterminated strings and comments, HTML strings, nesting deeper than
/// 50, edges between groups of nodes, and more than 200 attribute names.
void check_dot_text(std::string_view text, std::string const& file);

}  // namespace tailback::formats
