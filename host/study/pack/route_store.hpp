// The routes of a study, packed for the kernels: by seat and slot, in the form that suits their size.
#pragma once

#include "host/model/capacities.hpp"
#include "host/model/routes/trace.hpp"
#include "kernels/cpu/huge_buffer.hpp"
#include "kernels/evaluate/problem.hpp"
#include "kernels/evaluate/route_sums.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace tailback {

struct RouteStore {
    std::vector<std::uint32_t> group;        ///< by seat
    HugeBuffer rows;                         ///< RouteForm::rows16, rows32
    RouteSums sums;                          ///< of rows that are not small, where there are some
    std::vector<std::uint32_t> steps, head;  ///< RouteForm::steps
    std::vector<Link> slot_link;             ///< by slot
    std::vector<std::uint32_t> slot_cost;    ///< empty = unit costs

    /// Every seat has one link up to a switch and one down, so that routes between seats need only the links between
    /// switches and host link loads follow from the pattern. False for hosts that forward, have several links, or are
    /// cabled to each other: then routes hold all their links.
    bool host_links_implied = false;
    bool all_delivered = false, none_delivered = false;
    double mean_links =
        0;  ///< over delivered pairs of different seats, host links included (but see keep_shared_links)
    std::uint32_t longest = 0;  ///< stored links of the longest route

    /// After a look at all pairs: how many are delivered and how many are not, links of the delivered ones, stored
    /// links of the longest route.
    void sum_up(std::uint64_t delivered, std::uint64_t failed, std::uint64_t links, std::uint32_t longest_route);
    /// Chooses the narrowest of the widths (for 16-bit slots while they suffice, else for 32-bit ones) that holds
    /// `longest` slots, and with it `form` and `row_width`. @return bytes of a row; 0 = none is wide enough.
    std::size_t choose_rows(std::span<std::uint32_t const> widths16, std::span<std::uint32_t const> widths32);
    /// Writes row number `place` of `rows`: `route` has `row_width` slots.
    void put_row(std::size_t place, std::span<std::uint32_t const> route);
    /// After all rows are there.
    void find_sums();
    /// After the slots of stored routes: padding and codes, then the host links where they are implied.
    void add_outer_slots(Network const& network, std::vector<Host> const& seats, std::vector<Link> const& down,
                         LinkCosts const& costs);

    /// Sets the route fields of `problem`, which then points into this store.
    void describe(Problem& problem) const;

    std::uint32_t groups = 0;
    std::uint32_t node_rows = 0;
    std::uint32_t inner = 0;
    std::uint32_t slots = 0;
    std::uint32_t row_width = 0;
    RouteForm form = RouteForm::rows16;
};

/// Routes of up to so many bytes are taken to stay in a core's own caches.
inline constexpr std::size_t near_route_bytes = std::size_t{1} << 20;
/// Rows of so many bytes leave nothing to be had from sums.
inline constexpr std::size_t nearest_route_bytes = std::size_t{1} << 18;

/// Routes between all seats; rows beyond `row_byte_limit` bytes give way to steps.
RouteStore pack_routes(Fabric const& fabric, std::vector<Host> const& seats, LinkCosts const& costs,
                       std::size_t row_byte_limit);

/// The same for Fabric::pair_routes: every seat is a group of its own.
/// @throws InputError when the rows do not fit into `row_byte_limit`, or a route is longer than the longest row.
RouteStore pack_pair_routes(Fabric const& fabric, std::vector<Host> const& seats, LinkCosts const& costs,
                            std::size_t row_byte_limit);

/// The same for Fabric::tree_routes: what there is to know without routes. Slots are the arcs of their graph.
/// @throws InputError when some seats have several links, or one to another host.
RouteStore pack_tree_routes(Fabric const& fabric, std::vector<Host> const& seats, LinkCosts const& costs);

/// Ordered pairs of different seats between which Fabric::tree_routes has no route; they fail where packets enter.
struct UnreachablePairs {
    std::uint64_t count = 0;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> first;  ///< by source, then by destination
};
/// @param named how many of them to name.
UnreachablePairs find_unreachable_pairs(Fabric const& fabric, std::vector<Host> const& seats, std::size_t named);
/// How one from this host fails.
Route unreachable_route(Fabric const& fabric, Host source);

/// Does what RouteStore's `host_links_implied` says hold for these seats? Finds the seats' down links on the way.
bool host_links_are_implied(Fabric const& fabric, std::vector<Host> const& seats, std::vector<Link>& down);

}  // namespace tailback
