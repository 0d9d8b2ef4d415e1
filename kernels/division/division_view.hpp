// What kernels have to know to divide flows equally at every switch: for every class of destinations, which rows divide
// what among which ports, in the order in which packets meet them. Built by host/evaluation/adaptive/division_tables.
#pragma once

#include "kernels/common/portable.hpp"

#include <cstddef>
#include <cstdint>

namespace tailback::kernels {

/// What becomes of the flows that enter at a row towards a class.
enum class DivisionStart : std::uint8_t {
    fails,    ///< some choice does not deliver
    arrives,  ///< the row is their last
    divided
};

/// Rows of a class that send to the same rows, one after the other: each of these gets the same from all of them.
struct DivisionBundle {
    std::uint64_t inverse = 0;      ///< of the odd part of `ports`, modulo 2^64
    std::uint32_t ports = 0;        ///< that each row divides among
    std::uint32_t twos = 0;         ///< of `ports`, as factors
    std::uint32_t first_step = 0;   ///< up to that of the next bundle
    std::uint32_t first_ahead = 0;  ///< likewise
};
/// A row of a bundle.
struct DivisionStep {
    std::uint32_t group = 0;       ///< of ports
    std::uint32_t entry = 0;       ///< its number as a row where flows enter, or DivisionView::none
    std::uint32_t row = 0;         ///< where remainders are kept
    std::uint32_t first_pull = 0;  ///< bundles, by number in the class, that it gets something from: up to the next's
};
/// A row that a bundle sends to, and that sends on.
struct DivisionAhead {
    std::uint32_t group = 0, bundle = 0;
};

/// Lists that go by `first` have one more entry, their end.
struct DivisionView {
    static constexpr std::uint32_t none = 0xFFFFFFFFu;

    std::uint64_t unit = 1;  ///< a flow of weight 1 is so many units
    bool rounded = false;    ///< divisions may leave a remainder, which the first ports get
    std::uint32_t hosts = 0, classes = 0, entries = 0, rows = 0, groups = 0, links = 0;
    std::uint32_t bundles = 0, steps = 0, pulls = 0, aheads = 0, ports = 0, ports_of_links = 0;  ///< of all lists
    std::uint32_t most_bundles = 0;                                                              ///< of a class

    // By host index; each may be `none`.
    std::uint32_t const* class_of_host = nullptr;
    std::uint32_t const* entry_of_host = nullptr;
    std::uint32_t const* up_link = nullptr;
    std::uint32_t const* exit_link = nullptr;  ///< that its class's last row has for it alone

    DivisionStart const* start = nullptr;         ///< [class][entry]
    std::uint32_t const* first_bundle = nullptr;  ///< by class
    DivisionBundle const* bundle = nullptr;
    DivisionStep const* step = nullptr;
    std::uint32_t const* pull = nullptr;
    DivisionAhead const* ahead = nullptr;

    std::uint32_t const* first_port = nullptr;      ///< by group
    std::uint32_t const* link_of_port = nullptr;    ///< `none`: nothing is plugged in
    std::uint32_t const* target_of_port = nullptr;  ///< a row, or `rows`: it arrives
    std::uint32_t const* first_group = nullptr;     ///< by link: groups that have it, one entry a port
    std::uint32_t const* group_of_link = nullptr;
    std::uint32_t const* cost = nullptr;  ///< by link; null: 1 each

    /// Calls visit(pointer, count) for every array.
    template <class Visit>
    void each_array(Visit&& visit) {
        std::size_t const one = 1;
        visit(class_of_host, hosts), visit(entry_of_host, hosts), visit(up_link, hosts), visit(exit_link, hosts);
        visit(start, std::size_t{classes} * entries), visit(first_bundle, classes + one);
        visit(bundle, bundles + one), visit(step, steps + one), visit(pull, pulls), visit(ahead, aheads);
        visit(first_port, groups + one), visit(link_of_port, ports), visit(target_of_port, ports);
        visit(first_group, links + one), visit(group_of_link, ports_of_links);
        visit(cost, cost == nullptr ? 0 : links);
    }
};

}  // namespace tailback::kernels
