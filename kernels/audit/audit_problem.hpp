// What the audit's kernel needs to know of a fabric, and what it counts, as plain views. Built by
// host/audit/loads/all_pairs.
#pragma once

#include "kernels/audit/destination_tree.hpp"

#include <cstdint>

namespace tailback::kernels {

struct AuditView {
    ForwardingView forwarding;
    StartsView starts;  ///< rows where sources enter
    std::uint8_t const* entry_links =
        nullptr;                               ///< [row] links a packet took before it entered: 1, or 0 where it starts
    std::uint8_t const* directions = nullptr;  ///< [row][port] 1 = up, 2 = down; null = not asked
    std::uint8_t const* distances8 = nullptr;  ///< [group][row] links to the group's destinations; null = not asked, or
    std::uint16_t const* distances16 = nullptr;  ///< the same where 8 bits do not suffice
    std::uint8_t const* in_port8 = nullptr;    ///< [row][port] port it arrives by; null = turns are not asked, or wide
    std::uint16_t const* in_port16 = nullptr;  ///< the same where ports need 16 bits
    std::uint32_t turn_words = 0;              ///< words of a (row, in port): ceil(ports / 32)
};

struct AuditDestination {
    std::uint32_t lid = 0;
    std::uint32_t arrival = 0;       ///< kernels/audit/forwarding.hpp
    std::uint32_t own_row = no_row;  ///< where its own packets enter, when it is a source; no_row else
    std::uint32_t group = 0;         ///< destinations that hang off the same rows
};

/// Pairs by fate, for one destination.
struct AuditTally {
    std::uint64_t delivered = 0, unreachable = 0, loop = 0, misdelivered = 0;
    std::uint64_t longer = 0;         ///< delivered by more links than need be
    std::uint64_t down_then_up = 0;   ///< delivered, up again after down
    std::uint64_t own_delivered = 0;  ///< 1 when the destination's own row leads to it
    bool operator==(AuditTally const&) const = default;
};

/// What all destinations add up to. Zeroed by the caller; added to by kernels.
struct AuditTotals {
    std::uint64_t* hops = nullptr;          ///< [rows + 2] delivered pairs by links
    std::uint64_t* excess = nullptr;        ///< [rows + 2] delivered pairs by links too many, from 1
    std::uint64_t* load = nullptr;          ///< [row][port] delivered pairs
    std::uint64_t* destinations = nullptr;  ///< [row][port] destinations that delivered pairs go to by there
    std::uint64_t* reached = nullptr;       ///< [row] destinations that a start delivers to
    std::uint64_t* detours = nullptr;       ///< [row] delivered pairs it brings no nearer
    std::uint64_t* wrong_turns = nullptr;   ///< [row] delivered pairs that turn up after down there
    std::uint32_t* turns = nullptr;         ///< [row][in port][turn_words]
};

}  // namespace tailback::kernels
