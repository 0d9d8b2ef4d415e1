// Better tables by few changes of those that are there.
#pragma once

#include "host/search/tables/legal_ways.hpp"
#include "host/search/tables/trees.hpp"

#include <cstdint>

namespace tailback::search {

/// Entries that lead nowhere are set right, as few as bring most pairs back first: each to a switch whose way arrives,
/// along legal ways where there is one. What led to them is whole again, too. @param trees take these tables
/// @return entries that are other ones now, at most `most_entries`; that of a target's own switch counts, too
std::uint64_t mend(Trees& trees, model::ForwardingTables const& tables, LegalWays const& ways,
                   std::uint64_t most_entries);

/// Trees chosen anew as rounds choose them (rounds.hpp), target by target, those first that gain most an entry: by
/// pairs that are saved, then by the load that is met. Gains are found anew after each pass.
/// @param tables by which entries differ; @param before these, or mended @param most_entries more than `before` changes
Trees choose_few(Trees const& before, model::ForwardingTables const& tables, LegalWays const& ways,
                 std::uint64_t most_entries);

/// Single entries, one after the other, each that by which Trees::objective falls most; in large networks by which it
/// falls most where each link counts by itself, those first that were best when all were looked at last. Leaves
/// `before` as it is where looking at all entries would take minutes.
/// @param tables, most_entries as above
Trees lower_by_entries(Trees const& before, model::ForwardingTables const& tables, LegalWays const& ways,
                       std::uint64_t most_entries);

}  // namespace tailback::search
