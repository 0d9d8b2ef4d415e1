// The switches of a fabric, the links between them and who sits where: what searches for tables and bounds work on.
#pragma once

#include "host/model/capacities.hpp"
#include "host/model/network.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace tailback::search {

/// A directed link between two switches.
struct Arc {
    std::uint32_t from = 0, to = 0;  ///< switches, by SwitchGraph's numbers
    model::Link link;
    std::uint32_t reverse = 0;  ///< the cable's other direction; `none` for a one-way link
    std::uint32_t cost = 1;     ///< model::LinkCosts: the link's capacity is denominator / cost
};

/// An endpoint that sends and is sent to, at the switch that its cable leads to.
struct Seat {
    model::Host host;
    std::uint32_t at = 0;  ///< its switch
    model::Port port = 0;  ///< of that switch, which leads to it
};

/// Plain numbers, made once. Switches keep the order of nodes, arcs that of links (by switch, then port), seats that of
/// `hosts`.
class SwitchGraph {
public:
    static constexpr std::uint32_t none = 0xFFFFFFFFu;

    /// @param hosts that send and are sent to; those without a LID or a cable to a switch are left out
    /// @throws InputError where a host is cabled to what is no switch, or capacities have no common unit.
    SwitchGraph(model::Network const& network, std::span<model::Host const> hosts, model::CapacityKind capacities);

    model::Network const& network() const { return network_; }
    std::uint32_t switches() const { return static_cast<std::uint32_t>(nodes_.size()); }
    model::Node node(std::uint32_t s) const { return nodes_[s]; }
    /// `none` for a node that is no switch.
    std::uint32_t switch_of(model::Node node) const { return number_[node.value]; }

    std::span<Arc const> arcs() const { return arcs_; }
    Arc const& operator[](std::uint32_t arc) const { return arcs_[arc]; }
    /// Those that leave a switch: first_arc(s) .. first_arc(s + 1) - 1.
    std::uint32_t first_arc(std::uint32_t s) const { return first_arc_[s]; }
    std::span<Arc const> arcs_of(std::uint32_t s) const {
        return std::span(arcs_).subspan(first_arc_[s], first_arc_[s + 1] - first_arc_[s]);
    }
    /// Of a link between switches; `none` for others.
    std::uint32_t arc_of(model::Link link) const { return arc_of_[link.value]; }
    /// That leaves a switch by a port; `none` where no other switch is behind it.
    std::uint32_t arc_at(std::uint32_t s, model::Port port) const {
        std::uint32_t const at = first_port_[s] + port;
        return port < first_port_[s + 1] - first_port_[s] ? arc_at_[at] : none;
    }
    /// What `cost` is in units of: a link of cost c has capacity denominator / c.
    std::uint32_t denominator() const { return denominator_; }

    std::span<Seat const> seats() const { return seats_; }
    /// Numbers of the seats at a switch.
    std::span<std::uint32_t const> seats_at(std::uint32_t s) const {
        return std::span(by_switch_).subspan(first_seat_[s], first_seat_[s + 1] - first_seat_[s]);
    }
    std::uint32_t hosts_at(std::uint32_t s) const { return first_seat_[s + 1] - first_seat_[s]; }
    /// Links that a shortest way from switch to switch takes; `none` where there is no way. Breadth-first, O(arcs).
    std::vector<std::uint32_t> distances_to(std::uint32_t s) const;

private:
    model::Network const& network_;
    std::vector<model::Node> nodes_;
    std::vector<std::uint32_t> number_, first_arc_, arc_of_, first_seat_, by_switch_;
    std::vector<Arc> arcs_;
    std::vector<std::uint32_t> first_port_, arc_at_;  // arcs by switch and port
    std::vector<std::uint32_t> into_, first_into_;    // arcs by the switch they lead to
    std::vector<Seat> seats_;
    std::uint32_t denominator_ = 1;
};

/// Do all links between switches count alike?
inline bool has_like_links(SwitchGraph const& graph) {
    for (Arc const& arc : graph.arcs())
        if (arc.cost != graph.arcs().front().cost) return false;
    return true;
}

}  // namespace tailback::search
