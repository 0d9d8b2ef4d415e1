// The routes of a study, packed for the kernels: by seat and slot, in the form that suits their size.
#pragma once

#include "host/model/capacities.hpp"
#include "host/model/routes/trace.hpp"
#include "kernels/common/huge_buffer.hpp"
#include "kernels/evaluate/problem.hpp"
#include "kernels/evaluate/route_sums.hpp"
#include "kernels/route_packer.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace tailback::model {

struct RouteStore {
    std::vector<std::uint32_t> group;                      ///< by seat
    kernels::HugeBuffer rows;                              ///< RouteForm::rows16, rows32
    std::shared_ptr<kernels::DeviceRows const> on_device;  ///< the same rows, where a device has made them
    kernels::RouteSums sums;                               ///< of rows that are not small, where there are some
    std::vector<std::uint32_t> steps, head;                ///< RouteForm::steps
    std::vector<Link> link_of_index;                       ///< by slot
    std::vector<std::uint32_t> slot_cost;                  ///< empty = unit costs
    /// Of routes that are computed: sets the form and what it works on. Then `link_of_index` is empty.
    std::function<void(kernels::Problem&)> formula;

    /// Every seat has one link up to a switch and one down, so that routes between seats need only the links between
    /// switches and host link loads follow from the pattern. False for hosts that forward, have several links, or are
    /// cabled to each other: then routes hold all their links.
    bool host_links_implied = false;
    bool all_delivered = false, none_delivered = false;
    bool made_on_demand = false;  ///< there are no routes in here
    double mean_links =
        0;  ///< over delivered pairs of different seats, host links included (but see keep_shared_links)
    std::uint32_t longest = 0;       ///< stored links of the longest route; of routes made on demand an estimate
    std::uint32_t length_bound = 0;  ///< then no route has more stored links than these

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
    void add_outer_slots(Network const& network, std::vector<Host> const& study_hosts, std::vector<Link> const& down,
                         LinkCosts const& costs);

    /// Sets the route fields of `problem`, which then points into this store.
    void describe(kernels::Problem& problem) const;

    std::uint32_t groups = 0;
    std::uint32_t node_rows = 0;
    std::uint32_t inner = 0;
    std::uint32_t slots = 0;
    std::uint32_t row_width = 0;
    kernels::RouteForm form = kernels::RouteForm::rows16;
};

/// Routes of up to so many bytes are taken to stay in a core's own caches.
inline constexpr std::size_t near_route_bytes = std::size_t{1} << 20;
/// Rows of so many bytes leave nothing to be had from sums.
inline constexpr std::size_t nearest_route_bytes = std::size_t{1} << 18;

/// Routes between all seats by the tables of the fabric; rows beyond `row_byte_limit` bytes give way to steps.
/// @param make_packer who walks the tables: the CPU's threads, or a device.
RouteStore pack_routes(Fabric const& fabric, std::vector<Host> const& study_hosts, LinkCosts const& costs,
                       std::size_t row_byte_limit,
                       kernels::MakeRoutePacker make_packer = kernels::make_cpu_route_packer);

/// @param row_bytes of a pair, at least. @throws InputError when the rows of all ordered pairs exceed the limit.
void require_pair_rows(std::uint64_t hosts, std::size_t row_bytes, std::size_t row_byte_limit,
                       bool fewer_ranks_help = true);
/// Of the shortest row of a pair, and of the longest.
inline constexpr std::size_t least_pair_row_bytes = 4, most_pair_row_bytes = 64;

/// Bytes of a pair's row, at least, before any route is made: by the host that is farthest from the first.
std::size_t pair_row_bytes_at_least(Network const& network);

class PairRoutes;  // host/model/pack/pair_routes.hpp
/// The same for routes that depend on the source: every seat is a group of its own.
/// @throws InputError when the rows do not fit into `row_byte_limit`, or a route is longer than the longest row.
RouteStore pack_pair_routes(Fabric const& fabric, PairRoutes const& routes, std::vector<Host> const& study_hosts,
                            LinkCosts const& costs, std::size_t row_byte_limit);

/// Ordered pairs of different hosts of a study between which there is no route.
struct UnreachablePairs {
    struct Pair {
        std::uint32_t source, destination;  ///< by their places in the study
        Route route;                        ///< how it fails
    };
    std::uint64_t count = 0;
    std::vector<Pair> first;  ///< by source, then by destination
};

/// Does what RouteStore's `host_links_implied` says hold for these seats? Finds the seats' down links on the way.
bool host_links_are_implied(Fabric const& fabric, std::vector<Host> const& study_hosts, std::vector<Link>& down);

}  // namespace tailback::model
