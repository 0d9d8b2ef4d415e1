#include "host/api/ranks/rank_groups.hpp"

#include "host/audit/loads/groups.hpp"
#include "host/base/error.hpp"
#include "host/base/numbers.hpp"
#include "host/search/places/zones.hpp"
#include "topologies/draws.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace tailback::api {
namespace {

void check_together(RankGroups const& groups, std::uint32_t ranks, std::uint32_t places) {
    bool const by_places = groups.within == KeptWithin::neighbours;
    if (groups.ranks > 0 && ranks % groups.ranks == 0 && (!by_places || places % groups.ranks == 0)) return;
    throw base::InputError(
        {},
        fmt::format("--keep-together {} does not divide {}{}", groups.ranks, base::counted(ranks, "rank", "ranks"),
                    by_places ? " and " + base::counted(places, "place", "places") : ""),
        "ranks move in groups of so many", by_places ? "choose a divisor of both" : "choose a divisor",
        "keep-together");
}

/// Numbers from 0 on in place of these, in their order.
std::vector<std::uint32_t> numbered(std::vector<std::uint32_t> const& groups) {
    std::vector<std::uint32_t> names = groups, numbers;
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    for (std::uint32_t const group : groups)
        numbers.push_back(
            static_cast<std::uint32_t>(std::lower_bound(names.begin(), names.end(), group) - names.begin()));
    return numbers;
}

std::vector<std::uint32_t> zones_of(search::PlaceProblem const& problem, KeptWithin within) {
    switch (within) {
        case KeptWithin::neighbours: break;
        case KeptWithin::node: return numbered(problem.node);
        case KeptWithin::leaf: return numbered(problem.leaf);
        case KeptWithin::rack: return numbered(problem.rack);
    }
    return std::vector<std::uint32_t>(problem.places());
}

void check_room(search::PlaceProblem const& problem, KeptWithin within, search::Order const& start) {
    search::ZoneRoom const room = search::room_in_zones(problem, start);
    if (room.is_enough()) return;
    char const* const what = name_of(within);
    if (room.groups <= room.room)
        throw base::InputError(
            {}, fmt::format("ranks {} to {} cannot be in one {}", room.torn, room.torn + problem.kept - 1, what),
            "ranks that stay are elsewhere", "let fewer --stay, or begin at another --mapping", "stay");
    throw base::InputError(
        {},
        fmt::format("{} of {} find no room: each needs one {}", base::counted(room.groups, "group", "groups"),
                    base::counted(problem.kept, "rank", "ranks"), what),
        room.room == 0 ? fmt::format("the largest {} has {}", what, base::counted(room.largest, "place", "places"))
                       : fmt::format("there is room for {}", room.room),
        "give more nodes, more --ranks-per-node, or smaller groups", "keep-together");
}

/// Units of ranks that stay have to be where units can be.
void check_units_that_stay(search::PlaceProblem const& problem, search::Order const& start) {
    std::uint32_t const together = problem.together;
    for (std::uint32_t first = 0; first < problem.ranks; first += together)
        if (search::unit_stays(problem, first) && !search::is_in_row(problem, start, first))
            throw base::InputError({},
                                   fmt::format("ranks {} to {} cannot be neighbours from a multiple of {} on", first,
                                               first + together - 1, together),
                                   "ranks that stay are elsewhere", "let fewer --stay, or begin at another --mapping",
                                   "stay");
}

}  // namespace

char const* name_of(KeptWithin within) {
    constexpr char const* names[] = {"neighbours", "node", "leaf", "rack"};
    return names[std::size_t(within)];
}

std::vector<std::uint32_t> racks_of(model::Fabric const& fabric, std::string const& words,
                                    std::span<model::Host const> hosts) {
    audit::NodeGroups const racks =
        audit::group_nodes(fabric.network, words, audit::MissingNodes::are_refused, "--racks");
    std::vector<std::uint32_t> of_host;
    for (model::Host const host : hosts) of_host.push_back(racks.of_node[fabric.network[host].node.value]);
    return of_host;
}

void keep_groups(search::PlaceProblem& problem, RankGroups const& groups, std::span<OrderedJob const> jobs,
                 search::Order const& start) {
    if (jobs.empty()) check_together(groups, problem.ranks, problem.places());
    for (OrderedJob const& job : jobs) check_together(groups, job.ranks, job.places);
    problem.kept = groups.ranks;
    if (groups.within == KeptWithin::neighbours) problem.together = groups.ranks;
    check_units_that_stay(problem, start);
    if (groups.within == KeptWithin::neighbours && jobs.empty()) return;
    std::vector<std::uint32_t> zone = zones_of(problem, groups.within);
    std::uint32_t const zones = *std::max_element(zone.begin(), zone.end()) + 1;
    for (std::uint32_t j = 0; j < jobs.size(); ++j)
        for (std::uint32_t p = jobs[j].first_place; p < jobs[j].first_place + jobs[j].places; ++p) zone[p] += j * zones;
    problem.zone = numbered(zone);
    problem.field.resize(*std::max_element(problem.zone.begin(), problem.zone.end()) + 1);
    for (std::uint32_t p = 0; p < problem.places(); ++p) problem.field[problem.zone[p]] = zone[p] / zones;
    check_room(problem, groups.within, start);
}

std::uint32_t slots_for_groups(RankGroups const& groups, std::uint32_t ranks, std::uint32_t slots) {
    std::uint32_t const size = groups.ranks;
    check_together(groups, ranks, (ranks + slots - 1) / slots * slots);
    if (groups.within == KeptWithin::neighbours) return slots;
    if (groups.within != KeptWithin::node) {
        if (slots % size == 0 || size % slots == 0) return slots;
        throw base::InputError({},
                               fmt::format("no nodes are chosen for groups of {} with {} a node",
                                           base::counted(size, "rank", "ranks"), slots),
                               "groups would share nodes", "let one of both divide the other", "keep-together");
    }
    if (slots >= size) return slots / size * size;
    throw base::InputError(
        {}, fmt::format("groups of {} find no room: each needs one node", base::counted(size, "rank", "ranks")),
        fmt::format("a node has {}", base::counted(slots, "place", "places")),
        "give more --ranks-per-node, or smaller groups", "keep-together");
}

void keep_groups_of_nodes(search::PlaceProblem& problem, RankGroups const& groups) {
    bool const in_nodes = groups.within == KeptWithin::neighbours || groups.within == KeptWithin::node;
    if (in_nodes || groups.ranks <= problem.together) return;
    problem.kept = groups.ranks;
    problem.zone = zones_of(problem, groups.within);
    search::Order start(problem.ranks);
    std::iota(start.begin(), start.end(), 0u);
    check_room(problem, groups.within, start);
}

std::vector<std::uint32_t> drawn_units(search::PlaceProblem const& problem, std::uint64_t seed, std::uint64_t number) {
    topologies::Draws draws(seed, topologies::BuildStream::random_order, static_cast<std::uint32_t>(number));
    std::vector<std::uint32_t> units(problem.places() / problem.together);
    std::iota(units.begin(), units.end(), 0u);
    for (auto i = static_cast<std::uint32_t>(units.size()); i > 1; --i) std::swap(units[i - 1], units[draws.below(i)]);
    return units;
}

}  // namespace tailback::api
