#include "host/study/placement/rank_order.hpp"

#include "host/base/error.hpp"
#include "host/base/nearest.hpp"
#include "host/base/numbers.hpp"
#include "host/base/spec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

namespace tailback::study {
namespace {

struct OrderRow {
    char const* name;
    RankOrderKind kind;
    bool has_grid;
};
constexpr OrderRow orders[] = {
    {"block", RankOrderKind::block, false},      {"cyclic", RankOrderKind::cyclic, false},
    {"row", RankOrderKind::row, true},           {"column", RankOrderKind::column, true},
    {"quadrant", RankOrderKind::quadrant, true}, {"diagonal", RankOrderKind::diagonal, true},
    {"shuffle", RankOrderKind::shuffle, false},  {"spread", RankOrderKind::spread, false},
    {"shift", RankOrderKind::shift, false},      {"random", RankOrderKind::random, false},
};

OrderRow const* find_order(std::string const& words) {
    std::string const name = base::name_of_spec(words);
    auto const at =
        std::find_if(std::begin(orders), std::end(orders), [&](auto const& row) { return name == row.name; });
    return at == std::end(orders) ? nullptr : at;
}

using Numbers = std::vector<std::uint32_t>;

[[noreturn]] void refuse_grid(RankOrder const& order, std::string const& why, std::string const& what_to_do) {
    throw base::InputError({}, "the order " + order.words + " does not fit the nodes", why, what_to_do);
}

/// Sizes of the grid, and how many nodes are at each place of it.
struct Grid {
    Numbers sizes;
    std::uint32_t places = 1, each = 1;
};

Grid grid_of(RankOrder const& order, NodesToOrder const& nodes) {
    Grid grid{order.dims.empty() ? nodes.dims : order.dims};
    if (grid.sizes.empty()) {
        std::size_t shorter = static_cast<std::size_t>(std::sqrt(double(nodes.slots.size())));
        while (shorter > 1 && nodes.slots.size() % shorter != 0) --shorter;
        refuse_grid(order, "the network is not a torus or mesh by name, so its dimensions are not known",
                    fmt::format("write {}:dims={}x{}, or whatever the nodes are", base::name_of_spec(order.words),
                                nodes.slots.size() / std::max<std::size_t>(shorter, 1), shorter));
    }
    std::uint64_t places = 1;
    std::string text;
    for (std::uint32_t const size : grid.sizes) {
        places = std::min<std::uint64_t>(places * size, UINT32_MAX);
        text += (text.empty() ? "" : "x") + std::to_string(size);
    }
    if (places == 0 || places > nodes.slots.size() || nodes.slots.size() % places != 0)
        refuse_grid(order, fmt::format("{} places of {}, {} nodes", base::grouped(places), text, nodes.slots.size()),
                    "give dims whose product is the number of nodes, or divides it");
    grid.places = static_cast<std::uint32_t>(places);
    grid.each = static_cast<std::uint32_t>(nodes.slots.size() / places);
    return grid;
}

/// The place of these coordinates.
std::uint32_t place_of(Grid const& grid, Numbers const& at) {
    std::uint32_t place = 0;
    for (std::size_t d = grid.sizes.size(); d-- > 0;) place = place * grid.sizes[d] + at[d];
    return place;
}

Numbers places_by_column(Grid const& grid) {
    Numbers places, at(grid.sizes.size());
    for (std::uint32_t k = 0; k < grid.places; ++k) {
        std::uint32_t rest = k;
        for (std::size_t d = grid.sizes.size(); d-- > 0; rest /= grid.sizes[d]) at[d] = rest % grid.sizes[d];
        places.push_back(place_of(grid, at));
    }
    return places;
}

Numbers places_by_quadrant(RankOrder const& order, Grid const& grid) {
    for (std::uint32_t const size : grid.sizes)
        if (size % 2 != 0) refuse_grid(order, "a dimension is odd", "quadrants need even dimensions");
    std::uint32_t const boxes = 1u << grid.sizes.size(), each = grid.places / boxes;
    Numbers places, at(grid.sizes.size());
    for (std::uint32_t box = 0; box < boxes; ++box)
        for (std::uint32_t k = 0; k < each; ++k) {
            std::uint32_t rest = k;
            for (std::size_t d = 0; d < at.size(); ++d) {
                std::uint32_t const half = grid.sizes[d] / 2;
                at[d] = rest % half + (box >> d & 1) * half;
                rest /= half;
            }
            places.push_back(place_of(grid, at));
        }
    return places;
}

Numbers places_by_diagonal(RankOrder const& order, Grid const& grid) {
    if (grid.sizes.size() != 2) refuse_grid(order, "diagonals are of two dimensions", "give dims=AxB");
    std::uint32_t const x = grid.sizes[0], y = grid.sizes[1];
    Numbers places;
    for (std::uint32_t k = 0; k < grid.places; ++k) places.push_back(k % x + (k % x + k / x) % y * x);
    return places;
}

/// All nodes of the first place, then those of the next.
Numbers nodes_at(Numbers const& places, Grid const& grid) {
    Numbers nodes;
    for (std::uint32_t const place : places)
        for (std::uint32_t k = 0; k < grid.each; ++k) nodes.push_back(place * grid.each + k);
    return nodes;
}

Numbers leaf_by_leaf(Numbers const& leaf) {
    std::vector<Numbers> of_leaf;
    Numbers number;  // by leaf switch
    for (std::uint32_t n = 0; n < leaf.size(); ++n) {
        if (leaf[n] >= number.size()) number.resize(std::size_t{leaf[n]} + 1, UINT32_MAX);
        if (number[leaf[n]] == UINT32_MAX) {
            number[leaf[n]] = static_cast<std::uint32_t>(of_leaf.size());
            of_leaf.emplace_back();
        }
        of_leaf[number[leaf[n]]].push_back(n);
    }
    Numbers nodes;
    for (std::size_t round = 0; nodes.size() < leaf.size(); ++round)
        for (Numbers const& one : of_leaf)
            if (round < one.size()) nodes.push_back(one[round]);
    return nodes;
}

Numbers at_even_distances(NodesToOrder const& nodes) {
    std::uint64_t const count = nodes.slots.size();
    std::uint32_t const most = *std::max_element(nodes.slots.begin(), nodes.slots.end());
    for (std::uint64_t p = (nodes.ranks + std::uint64_t{most} - 1) / most; p <= count; ++p) {
        Numbers chosen;
        std::uint64_t slots = 0;
        for (std::uint64_t i = 0; i < p; ++i) {
            chosen.push_back(static_cast<std::uint32_t>(i * count / p));
            slots += nodes.slots[chosen.back()];
        }
        if (slots >= nodes.ranks) return chosen;
    }
    return {};
}

/// The nodes in the order in which they are filled.
Numbers visits(RankOrder const& order, NodesToOrder const& nodes) {
    Numbers all(nodes.slots.size());
    std::iota(all.begin(), all.end(), 0u);
    switch (order.kind) {
        case RankOrderKind::row: grid_of(order, nodes); return all;
        case RankOrderKind::column: {
            Grid const grid = grid_of(order, nodes);
            return nodes_at(places_by_column(grid), grid);
        }
        case RankOrderKind::quadrant: {
            Grid const grid = grid_of(order, nodes);
            return nodes_at(places_by_quadrant(order, grid), grid);
        }
        case RankOrderKind::diagonal: {
            Grid const grid = grid_of(order, nodes);
            return nodes_at(places_by_diagonal(order, grid), grid);
        }
        case RankOrderKind::shuffle: return leaf_by_leaf(nodes.leaf);
        case RankOrderKind::spread: return at_even_distances(nodes);
        case RankOrderKind::shift:
            std::rotate(all.begin(), all.begin() + std::ptrdiff_t(order.by % all.size()), all.end());
            return all;
        default: return all;
    }
}

}  // namespace

bool is_rank_order(std::string const& words) { return find_order(words) != nullptr; }

std::string names_of_rank_orders() {
    std::string names;
    for (OrderRow const& row : orders) names += (names.empty() ? "" : ", ") + std::string(row.name);
    return names;
}

RankOrder read_rank_order(std::string const& words) {
    OrderRow const* const row = find_order(words);
    if (row == nullptr) {
        std::vector<std::string> names;
        for (OrderRow const& known : orders) names.push_back(known.name);
        throw base::InputError({}, "unknown order of ranks \"" + words.substr(0, 80) + "\"",
                               base::nearest_hint(base::name_of_spec(words), names),
                               "they are " + names_of_rank_orders());
    }
    static base::Parameter const dims{.name = "dims",
                                      .kind = base::ParameterKind::numbers,
                                      .summary = "sizes of the grid of nodes",
                                      .least = 1,
                                      .optional = true};
    static base::Parameter const by{.name = "by", .fallback = "1", .summary = "nodes that are passed over"};
    std::vector<base::Parameter> parameters;
    if (row->has_grid) parameters.push_back(dims);
    if (row->kind == RankOrderKind::shift) parameters.push_back(by);
    base::Arguments const arguments =
        base::parse_arguments(words, parameters, row->has_grid ? "column:dims=8x8" : "shift:by=3");
    RankOrder order{.kind = row->kind, .dims = {}, .by = 1, .words = words};
    if (row->has_grid && arguments.given("dims")) order.dims = arguments.numbers("dims");
    if (row->kind == RankOrderKind::shift) order.by = arguments.number("by");
    return order;
}

std::vector<Slot> slots_in_order(RankOrder const& order, NodesToOrder const& nodes) {
    std::uint64_t const room = std::accumulate(nodes.slots.begin(), nodes.slots.end(), std::uint64_t{0});
    if (nodes.ranks > room)
        throw base::InputError({},
                               base::counted(nodes.ranks, "rank does", "ranks do") + " not fit on " +
                                   base::counted(nodes.slots.size(), "node", "nodes"),
                               "they have " + base::counted(room, "slot", "slots") + " in all",
                               "name more nodes, or more ranks per node (slots in a hostfile)");
    std::vector<Slot> slots;
    slots.reserve(nodes.ranks);
    Numbers const visited = visits(order, nodes);
    if (order.kind == RankOrderKind::cyclic) {
        for (std::uint32_t round = 0; slots.size() < nodes.ranks; ++round)
            for (std::uint32_t const node : visited)
                if (round < nodes.slots[node] && slots.size() < nodes.ranks) slots.push_back({node, round});
        return slots;
    }
    for (std::uint32_t const node : visited)
        for (std::uint32_t s = 0; s < nodes.slots[node] && slots.size() < nodes.ranks; ++s) slots.push_back({node, s});
    return slots;
}

}  // namespace tailback::study
