// Several descriptions of one fabric (db_csv, ibnetdiscover, lst, net_dump): which is the best, and what differs.
#pragma once

#include "host/formats/ibdiagnet2/comparison.hpp"

#include <vector>

namespace tailback::formats {

/// The description to use: the first, but where the first is damaged and a later one is whole and has all that the
/// first has and more (nodes, cables, LIDs), that one; and where the first differs in many places from two others that
/// tell the same, or lacks nodes that both have, the first of these. @param descriptions at least one, the best kind
/// first.
std::size_t best_of(std::vector<Description> const& descriptions);

/// LIDs that the best description does not tell (0, or no LID) are taken from the others, the best kind first, and that
/// is noted in its own notes. Not those that the best description gives to another port.
void fill_lids(std::vector<Description>& descriptions, std::size_t best);

/// Notes for every description beside the best one how it is damaged, and where it tells something else: nodes and
/// cables that only one of them has, LIDs and rates (where both state them). One note for what several files tell
/// alike; one note for a file that differs in many places. Nodes are the same by GUID; a port GUID stands for its node.
void compare_descriptions(std::vector<Description> const& descriptions, std::size_t best,
                          model::Disagreements& disagreements);

}  // namespace tailback::formats
