// Ranks on a grid: stencils (everyone with its neighbours at once), sweeps (a wavefront from corner to corner), floods
// (a message from rank 0 to all, neighbour by neighbour). (Navaridas et al., "INRFlow", JPDC 130, 2019; Ridruejo 2013,
// chapter 11.)
#include "host/base/spec.hpp"
#include "patterns/arguments.hpp"
#include "patterns/families.hpp"

#include <algorithm>

namespace tailback::patterns {
namespace {

using Coordinates = std::vector<std::uint32_t>;

/// Calls visit(neighbour) for the place one step along dimension d, up or down; nothing happens at an end.
template <class Visit>
void step(Grid const& grid, Coordinates at, std::size_t d, bool up, bool periodic, Visit&& visit) {
    std::uint32_t const size = grid.sizes()[d];
    bool const at_end = up ? at[d] + 1 == size : at[d] == 0;
    if (size == 1 || (at_end && !periodic)) return;
    at[d] = up ? (at[d] + 1) % size : (at[d] + size - 1) % size;
    visit(at);
}

/// Calls visit(neighbour) for each of the steps -1, 0, 1 in every dimension but none at all.
template <class Visit>
void each_surrounding(Grid const& grid, Coordinates const& at, bool periodic, std::size_t d, bool moved,
                      Visit&& visit) {
    if (d == grid.sizes().size()) {
        if (moved) visit(at);
        return;
    }
    each_surrounding(grid, at, periodic, d + 1, moved, visit);
    for (bool const up : {true, false})
        step(grid, at, d, up, periodic,
             [&](Coordinates const& next) { each_surrounding(grid, next, periodic, d + 1, true, visit); });
}

bool is_yes(base::Arguments const& arguments, char const* name) { return arguments.word(name) == "yes"; }

}  // namespace

void write_stencil(FlowListWriter& out, base::Arguments const& arguments, std::size_t dimensions) {
    Grid const grid(arguments, out.ranks(), dimensions);
    bool const periodic = is_yes(arguments, "periodic");
    out.begin_level();
    for (std::uint32_t i = 0; i < out.ranks(); ++i) {
        Coordinates const at = grid.coordinates(i);
        auto const send = [&](Coordinates const& to) { out.flow(i, grid.rank(to)); };
        if (is_yes(arguments, "diagonals")) {
            each_surrounding(grid, at, periodic, 0, false, send);
            continue;
        }
        for (std::size_t d = 0; d < dimensions; ++d)
            for (bool const up : {true, false}) step(grid, at, d, up, periodic, send);
    }
}

void write_sweep(FlowListWriter& out, base::Arguments const& arguments, std::size_t dimensions) {
    Grid const grid(arguments, out.ranks(), dimensions);
    if (out.ranks() == 0) return;
    std::uint32_t levels = 0;
    for (std::uint32_t const size : grid.sizes()) levels += size - 1;
    std::vector<std::vector<std::uint32_t>> diagonals(levels + 1);
    for (std::uint32_t i = 0; i < out.ranks(); ++i) {
        std::uint32_t sum = 0;
        for (std::uint32_t const x : grid.coordinates(i)) sum += x;
        diagonals[sum].push_back(i);
    }
    for (std::uint32_t level = 0; level < levels; ++level) {
        out.begin_level();
        for (std::uint32_t const i : diagonals[level])
            for (std::size_t d = 0; d < dimensions; ++d)
                step(grid, grid.coordinates(i), d, true, false,
                     [&](Coordinates const& to) { out.flow(i, grid.rank(to)); });
    }
}

void write_flood(FlowListWriter& out, base::Arguments const& arguments, std::size_t dimensions) {
    Grid const grid(arguments, out.ranks(), dimensions);
    bool const periodic = is_yes(arguments, "periodic");
    if (out.ranks() == 0) return;
    auto const distance = [&](Coordinates const& at) {  // from rank 0
        std::uint32_t sum = 0;
        for (std::size_t d = 0; d < dimensions; ++d) sum += periodic ? std::min(at[d], grid.sizes()[d] - at[d]) : at[d];
        return sum;
    };
    std::vector<std::vector<std::uint32_t>> rings;
    for (std::uint32_t i = 0; i < out.ranks(); ++i) {
        std::uint32_t const far = distance(grid.coordinates(i));
        rings.resize(std::max<std::size_t>(rings.size(), far + 1));
        rings[far].push_back(i);
    }
    for (std::uint32_t level = 0; level + 1 < rings.size(); ++level) {
        out.begin_level();
        for (std::uint32_t const i : rings[level]) {
            Coordinates const at = grid.coordinates(i);
            for (std::size_t d = 0; d < dimensions; ++d)
                for (bool const up : {true, false})
                    step(grid, at, d, up, periodic, [&](Coordinates const& to) {
                        if (distance(to) > level && (up || grid.sizes()[d] > 2)) out.flow(i, grid.rank(to));
                    });
        }
    }
}

}  // namespace tailback::patterns
