// Fabrics with forwarding tables of every kind: the nasty networks, trees with damaged tables, ports beyond 8 bits.
#pragma once

#include "tests/support/networks/nasty_networks.hpp"
#include "tests/support/oracle/dice.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/families/xgft.hpp"

#include <deque>
#include <string>

namespace tailback {

/// References stay good.
inline std::deque<NastyNetwork> const& table_fabrics() {
    static std::deque<NastyNetwork> const all = [] {
        std::deque<NastyNetwork> fabrics;
        for (NastyNetwork const& nasty : nasty_networks())
            if (nasty.fabric.routed) fabrics.push_back(nasty);
        Dice dice;
        for (int damages = 0; damages < 80; damages += 16) {
            Fabric fabric = make_xgft({{3, 4, 3}, {1, 3, 3}, 0});
            for (int i = 0; i < damages; ++i) {
                Node const node{fabric.network.hosts().size() +
                                dice(static_cast<std::uint32_t>(fabric.network.switches()))};
                fabric.tables.set(node, 1 + dice(36), dice(fabric.network[node].ports + 2));
            }
            fabrics.push_back({"a tree with " + std::to_string(damages) + " damages", std::move(fabric)});
        }
        fabrics.push_back({"a tree whose hosts choose", make_xgft({{3, 4, 2}, {2, 2, 2}, 0})});
        fabrics.push_back({"a tree of several cables", make_xgft({{3, 4, 2}, {1, 2, 2}, 0, {1, 2, 3}})});
        fabrics.push_back({"ports beyond 8 bits", make_xgft({{300, 2}, {1, 3}, 420})});
        fabrics.push_back({"routes of many lengths", make_xgft({{2, 2, 2, 2, 2, 3}, {1, 1, 2, 1, 1, 1}, 0})});
        return fabrics;
    }();
    return all;
}

}  // namespace tailback
