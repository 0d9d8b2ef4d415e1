// A team evaluates one mapping together: one thread on the CPU; a warp, a block or a cluster of blocks on the GPU; real
// threads in a test.
#pragma once

#include <concepts>
#include <cstdint>

namespace tailback::kernels {

/// What a kernel body may ask of its team. Every member calls `each`, `sync`, `sum` and `max` the same number of times.
/// A barrier has a name: what all members have done when it is passed. The name costs nothing; by it tests hide the
/// barrier and see that it is missed.
template <class T>
concept Team = requires(T& team, std::uint32_t n, std::uint32_t& counter, std::uint64_t& wide,
                        std::uint64_t (&sums)[3]) {
    team.each(n);                         // this member's share of 0..n-1
    team.sync("work done");               // what was written before is seen after, by all
    team.add(counter, std::uint32_t{1});  // atomic within the team
    {
        team.fetch_add(counter, std::uint32_t{1})
        } -> std::same_as<std::uint32_t>;      // the same, told what was there before
    team.set_bits(counter, std::uint32_t{1});  // atomic or among all teams that share the cell
    team.add_total(wide, std::uint64_t{1});    // atomic among all teams that share the cell
    team.raise(counter, std::uint32_t{1});     // atomic max within the team
    team.raise(wide, std::uint64_t{1});
    team.clear(counter);  // set to 0; several members may clear the same cell
    // sum and max with a name order memory like sync; nothing may rely on one without
    { team.sum(std::uint64_t{1}) } -> std::same_as<std::uint64_t>;  // over all members, told to all
    team.sum_each(sums);  // each of up to 3 so, in one collective; orders nothing
    { team.max(std::uint64_t{1}) } -> std::same_as<std::uint64_t>;
    { team.sum(std::uint64_t{1}, "work done") } -> std::same_as<std::uint64_t>;
    { team.max(std::uint64_t{1}, "work done") } -> std::same_as<std::uint64_t>;
    { team.leads() } -> std::convertible_to<bool>;      // true for exactly one member
    { T::skips_padding } -> std::convertible_to<bool>;  // a branch around padding, or count it and forget
    { T::keeps_routes } -> std::convertible_to<bool>;   // keep found routes for the second pass, or find them again
};

/// A team of several that knows how many it is and who is who.
template <class T>
concept TeamOfMany = requires(T& team) {
    { team.members() } -> std::same_as<std::uint32_t>;
    { team.member() } -> std::same_as<std::uint32_t>;  // 0 .. members-1
};

/// Members that count in words of several counters (counters.hpp).
template <class T>
concept TeamOfCounters = TeamOfMany<T> && requires(T& team, std::uint32_t& cell) {
    team.take_bits(cell, std::uint32_t{1});  // atomic and with the complement, within the team
    team.near(std::uint32_t{1});             // like each, dealt so that word w falls to who is near it
};

/// How members that see each other's registers find out who aims at the same place: by `match`, by cells in shared
/// memory that they join, or by a ballot for each bit of their targets.
enum class FindBy : std::uint8_t { match, cells, ballots };

/// Up to 32 members, a power of two, that see each other's registers. No call orders memory.
template <class T>
concept TeamOfLanes = TeamOfMany<T> && requires(T& team, std::uint32_t x) {
    { T::finds_by } -> std::convertible_to<FindBy>;
    { team.match(x) } -> std::same_as<std::uint32_t>;      // bit k: member k has the same x
    { team.ballot(true) } -> std::same_as<std::uint32_t>;  // bit k: member k has true
    team.join(x, x);                                       // atomic or within the team
};

/// Members that draw permutations through cells in shared memory.
template <class T>
concept TeamWithClaims = TeamOfMany<T> && requires(T& team, std::uint32_t& cell) {
    { team.claims() } -> std::same_as<std::uint32_t>;       // how many cells; a power of two, claim_cells or more
    team.lower(cell, std::uint32_t{1});                     // atomic min within the team
    { team.any(true, "work done") } -> std::same_as<bool>;  // over all members, told to all; orders memory like sync
};

}  // namespace tailback::kernels
