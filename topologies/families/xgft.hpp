// Extended (and parallel-ports) generalised fat trees with D-mod-K routing.
#pragma once

#include "host/model/tables.hpp"
#include "topologies/topology.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace tailback::topologies {

/// XGFT(h; m_1..m_h; w_1..w_h) (Ohring, Ibel, Das, Kumar: "On Generalized Fat Trees", IPPS 1995). Hosts are at level 0;
/// a node of level i has m_i children (i >= 1) and w_{i+1} parents (i < h). So there are prod m_i hosts, and level i
/// has w_1 * .. * w_i * m_{i+1} * .. * m_h nodes. With p_i cables between child and parent it is Zahavi's PGFT.
struct XgftSpec {
    std::vector<std::uint32_t> children;  ///< m_1 .. m_h
    std::vector<std::uint32_t> parents;   ///< w_1 .. w_h; with w_1 > 1 a host has a port on each of w_1 planes
    std::uint32_t hosts = 0;              ///< keep only the first so many hosts, all switches stay; 0 = all
    std::vector<std::uint32_t> cables;    ///< p_1 .. p_h; empty = all 1

    /// `XGFT(2;18,36;1,18)`
    std::string text() const;
};

/// Where everything is in a valid tree: arithmetic on numbers alone.
///
/// Host d (from 0) hangs off leaf floor(d / m_1), on port d mod m_1 + 1. Write W_i = w_1 * .. * w_i. Switch x of level
/// i is the pair (u, t) with x = t * W_i + u: t numbers the subtree of prod_{j<=i} m_j hosts below it, u the switches
/// that share that subtree. Child c is on its ports k * m_i + c + 1, one for each cable k < p_i; after these come the
/// ports up: the r-th of them leads by cable floor(r / w_{i+1}) to the switch (u + (r mod w_{i+1}) * W_i, floor(t /
/// m_{i+1})) of level i + 1.
///
/// D-mod-K routing (Zahavi: "D-Mod-K Routing Providing Non-Blocking Traffic for Shift Permutations on Real Life Fat
/// Trees", CCIT Report 776, Technion 2010): a node of level i with host d below it sends down on the only way, by cable
/// floor(d / W_i) mod p_i; otherwise up on port r = floor(d / W_i) mod (w_{i+1} * p_{i+1}).
struct XgftShape {
    std::size_t height = 0;
    std::vector<std::uint32_t> children, parents, cables;  ///< m_1.., w_1.., p_1..
    std::vector<std::uint64_t> hosts_below;                ///< of a node of the level: prod_{j<=i} m_j
    std::vector<std::uint64_t> twins;                      ///< nodes that share a subtree: W_i
    std::vector<std::uint64_t> up_divisor;                 ///< by level, of the way up: W_i, or as `by_children`
    std::vector<std::uint64_t> nodes;                      ///< of the level, 0..h

    /// @throws InputError for a spec that is no such tree or has more than 2^24 nodes.
    explicit XgftShape(XgftSpec const& spec);

    /// The same shape where the way up of level i >= 1 goes by floor(d / (m_1 * .. * m_(i-1))), as in the thin trees of
    /// INRFlow and INSEE (Navaridas, Miguel-Alonso, Ridruejo, Denzel: "Reducing Complexity in Tree-Like Computer
    /// Interconnection Networks", 2010: up by floor(source / k^level) mod k', level 0 above the hosts). Where every
    /// switch has as many parents as children it is the same as W_i.
    XgftShape by_children() const;

    /// Ports down of a node of the level; ports up come after them.
    model::Port down_ports(std::size_t level) const { return level == 0 ? 0 : children[level - 1] * cables[level - 1]; }
    model::Port up_ports(std::size_t level) const { return level == height ? 0 : parents[level] * cables[level]; }
    bool is_below(std::size_t level, std::uint64_t x, std::uint64_t d) const {
        return d / hosts_below[level] == x / twins[level];
    }
    /// The port towards host d of a node that does not have it below.
    model::Port port_up(std::size_t level, std::uint64_t d) const {
        return down_ports(level) + 1 + static_cast<model::Port>(d / up_divisor[level] % up_ports(level));
    }
    /// The port towards host d of a switch that has it below.
    model::Port port_down(std::size_t level, std::uint64_t d) const {
        return static_cast<model::Port>(d / twins[level] % cables[level - 1] * children[level - 1] +
                                        d / hosts_below[level - 1] % children[level - 1] + 1);
    }
};

/// The tree as a named network: hosts `H1`.. with LIDs 1.., then switches `S<level>_<index>` level by level from the
/// leaves (level 1) up, with the LIDs that follow. Its own routing is `dmodk`.
/// @param label the number of the host at each place of the tree, from 0; empty = the place itself.
/// @throws InputError as XgftShape does.
Topology make_xgft_topology(XgftSpec const& spec, std::vector<std::uint32_t> label = {});

/// The same as arithmetic, by dmodk, smodk or round-robin-up; null for other routings, for several cables or planes,
/// and for a tree that is not full. @param routing its name.
std::unique_ptr<RegularNetwork> make_regular_xgft(XgftSpec const& spec, std::string const& routing,
                                                  std::string const& text);

/// The same with its D-mod-K tables: entries for hosts and for the switch itself (port 0).
model::Fabric make_xgft(XgftSpec const& spec);

}  // namespace tailback::topologies
