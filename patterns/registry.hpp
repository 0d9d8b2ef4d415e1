// What extensions add to the table of patterns.
#pragma once

#include "patterns/table.hpp"

#include <vector>

namespace tailback::patterns {

struct Registry {
    std::vector<PatternRow> rows;  ///< base::insert_before: in the order of `tailback list patterns`
};

/// Calls every extension's register_NAME(Registry&) (generated from extensions.cmake).
void register_extensions(Registry& registry);

}  // namespace tailback::patterns
