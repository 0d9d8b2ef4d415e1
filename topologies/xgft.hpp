// Extended generalised fat trees with D-mod-K routing.
#pragma once

#include "host/tables.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace tailback {

/// XGFT(h; m_1..m_h; w_1..w_h) (Ohring, Ibel, Das, Kumar: "On Generalized Fat Trees", IPPS 1995). Hosts are at level 0;
/// a node of level i has m_i children (i >= 1) and w_{i+1} parents (i < h). So there are prod m_i hosts, and level i
/// has w_1 * .. * w_i * m_{i+1} * .. * m_h nodes.
struct XgftSpec {
    std::vector<std::uint32_t> children;  ///< m_1 .. m_h
    std::vector<std::uint32_t> parents;   ///< w_1 .. w_h; w_1 = 1: a host has one port
    std::uint32_t hosts = 0;              ///< keep only the first so many hosts, all switches stay; 0 = all

    /// `XGFT(2;18,36;1,18)`
    std::string text() const;
};

/// The tree as a named network with tables: hosts `H1`.. with LIDs 1.., then switches `S<level>_<index>` level by level
/// from the leaves (level 1) up, with the LIDs that follow.
///
/// Host d (from 0) hangs off leaf floor(d / m_1), on port d mod m_1 + 1. Write W_i = w_1 * .. * w_i. Switch x of level i is the
/// pair (u, t) with x = t * W_i + u: t numbers the subtree of prod_{j<=i} m_j hosts below it, u the switches that share
/// that subtree. Its ports 1..m_i go down to its children in order, ports m_i + 1 .. m_i + w_{i+1} up: up port m_i + 1 + q
/// leads to the switch (u + q * W_i, floor(t / m_{i+1})) of level i + 1.
///
/// D-mod-K routing (Zahavi: "D-Mod-K Routing Providing Non-Blocking Traffic for Shift Permutations on Real Life Fat
/// Trees", CCIT Report 776, Technion 2010): a switch of level i with host d below it sends down on the only path;
/// otherwise up on q = floor(d / W_i) mod w_{i+1}. Tables hold entries for hosts and for the switch itself (port 0).
/// @throws InputError for a spec that is no such tree or has more than 2^24 nodes.
Fabric make_xgft(XgftSpec const& spec);

}  // namespace tailback
