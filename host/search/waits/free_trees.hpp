// Whether tables with certain trees are free of deadlock on one lane, told from the trees: no tables are written.
#pragma once

#include "host/search/tables/trees.hpp"
#include "host/search/waits/waits.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace tailback::search {

/// Tables whose entries for the targets of trees are those of the trees, and else stay as they are. Of hosts with one
/// LID each.
class FreeTrees {
public:
    /// @param everybody who sends and is sent to, the trees' own seats among them
    /// @param tables of routes to seats that trees have no target for @param trees any: their targets count
    FreeTrees(SwitchGraph const& everybody, model::ForwardingTables const& tables, Trees const& trees);

    /// Is no circle of links there that packets of `everybody` can wait in? None where somebody who sends is cut from a
    /// target: what tables have there beside the trees may deliver all the same.
    std::optional<bool> are_free(Trees const& trees) const;

private:
    bool walk(Trees const& trees, std::uint32_t d, Waits& waits, std::vector<std::uint32_t>& met) const;

    std::vector<std::uint32_t> senders_;  // switches
    Waits of_others_;                     // routes to seats without a target
};

}  // namespace tailback::search
