// A part of what a search has found: as many entries as somebody wants to change.
#pragma once

#include "host/search/tables/trees.hpp"

#include <cstdint>

namespace tailback::search {

/// The trees of `before` with whole trees of `after` where those put less on loaded links, what gains most an entry
/// first, while no more than so many entries differ. @param entries that differ @return of the same targets
Trees take_over(Trees const& before, Trees const& after, std::uint64_t most_entries, std::uint64_t& entries);

}  // namespace tailback::search
