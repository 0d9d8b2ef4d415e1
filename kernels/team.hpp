// A team evaluates one mapping together: a CUDA block on the GPU, one thread on the CPU, real threads in a test.
#pragma once

#include <concepts>
#include <cstdint>

namespace tailback {

/// What a kernel body may ask of its team. Every member calls `each`, `sync`, `sum` and `max` the same number of times.
template <class T>
concept Team = requires(T& team, std::uint32_t n, std::uint32_t& counter, std::uint64_t& wide) {
    team.each(n);                                            // this member's share of 0..n-1
    team.sync();                                             // what was written before is seen after, by all
    team.add(counter, std::uint32_t{1});                     // atomic within the team
    { team.fetch_add(counter, std::uint32_t{1}) } -> std::same_as<std::uint32_t>;  // the same, told what was there before
    team.set_bits(counter, std::uint32_t{1});                // atomic or among all teams that share the cell
    team.add_total(wide, std::uint64_t{1});                  // atomic among all teams that share the cell
    team.raise(wide, std::uint64_t{1});                      // atomic max within the team
    team.clear(counter);                                     // set to 0; several members may clear the same cell
    // sum and max also order memory like sync
    { team.sum(std::uint64_t{1}) } -> std::same_as<std::uint64_t>;  // over all members, told to all
    { team.max(std::uint64_t{1}) } -> std::same_as<std::uint64_t>;
    { team.leads() } -> std::convertible_to<bool>;           // true for exactly one member
    { T::skips_padding } -> std::convertible_to<bool>;       // a branch around padding, or count it and forget
    { T::looks_ahead } -> std::convertible_to<std::uint32_t>;  // how many flows ahead to `expect` (prefetch) a route; 0 = never
    { T::keeps_routes } -> std::convertible_to<bool>;        // keep found routes for the second pass, or find them again
};

}  // namespace tailback
