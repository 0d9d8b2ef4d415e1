// One node under two ids, as a digit of one of them is wrong.
#pragma once

#include "host/formats/ibnetdiscover/records.hpp"

#include <span>
#include <vector>

namespace tailback::formats::discover {

/// `nameless` has no record of its own, and all cables that lines of others give it are, by the record of `recorded`,
/// cables of that one's same ports. What is said more often counts: by the lines of others, the node line, and the
/// lines before that.
struct MistypedId {
    std::uint32_t nameless, recorded;  ///< identities
    std::size_t cable;                 ///< the first that leads to `nameless`
    std::size_t cables;                ///< how many do
    bool record_is_wrong;
};

/// In the order of their identities. Nodes that did not answer are none of them: no record lists their cables.
std::vector<MistypedId> find_mistyped_ids(std::span<Identity const> identities, std::span<PortLine const> cables);

}  // namespace tailback::formats::discover
