// LIDs and port GUIDs that both ends of a cable tell.
#pragma once

#include "host/formats/ibnetdiscover/records.hpp"
#include "host/model/disagreements.hpp"

#include <map>
#include <span>
#include <vector>

namespace tailback::formats::discover {

/// What a port's own record tells for a LID, where that is none.
struct OddLid {
    std::string word;
    std::size_t line;
    std::vector<model::Lid> told;  ///< by neighbours
};

/// Every neighbour tells a port's LID again: one note for each port that is told otherwise, however many tell it. A
/// port whose own LID is none takes what all its neighbours tell.
/// @param identities all with their nodes @param odd by `key`
void compare_lids(model::NetworkBuilder& builder, std::span<Identity const> identities,
                  std::span<Neighbour const> neighbours, std::map<std::uint64_t, OddLid>& odd, std::string const& file,
                  model::Disagreements& disagreements);

}  // namespace tailback::formats::discover
