// How families put networks together: hosts first, then switches, cables port by port.
#pragma once

#include "host/base/spec.hpp"
#include "host/model/network.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace tailback::topologies {

/// Of a network; node numbers and what is kept of each set the limit.
inline constexpr std::uint64_t most_nodes = std::uint64_t{1} << 24;

/// Products and sums that stop at 2^62 instead of wrapping: sizes are asked for by people.
std::uint64_t capped_product(std::uint64_t a, std::uint64_t b);
std::uint64_t capped_power(std::uint64_t base, std::uint64_t exponent);
std::uint64_t capped_sum(std::uint64_t a, std::uint64_t b);

/// What a network will be made of; products and sums as above.
struct LayoutSizes {
    std::uint64_t hosts = 0, switches = 0;
    std::uint64_t cables = 0;  ///< at most so many; those of hosts included
};
/// For what a family computes before it lays its network out.
/// @throws InputError for no hosts, for more than 2^24 nodes or 2^28 links, and for more than memory holds.
void check_sizes(base::Arguments const& arguments, LayoutSizes const& sizes);
/// The same for one that was checked by its family.
void state_sizes(std::string const& text, LayoutSizes const& sizes);
/// What `make` states before it lays anything out; it goes no further. @throws InputError as `make` does.
LayoutSizes stated_sizes(std::function<void()> const& make);

class TopologySpec;  // topologies/topology.hpp
/// Of its network, which is not made. @throws InputError as make_topology does.
LayoutSizes sizes_of(TopologySpec const& spec);

/// Nodes 0..hosts-1 are the hosts `H1`.., with LIDs 1..; then come the switches, with the LIDs that follow. Switches
/// are called `S0`.. unless they get other names.
class Layout {
public:
    /// @throws InputError as check_sizes does.
    Layout(base::Arguments const& arguments, LayoutSizes const& sizes);

    std::uint32_t hosts() const { return hosts_; }
    std::uint32_t switches() const { return switches_; }
    model::Node host(std::uint64_t h) const { return model::Node{std::size_t(h)}; }
    model::Node switch_at(std::uint64_t s) const { return model::Node{std::size_t(hosts_ + s)}; }
    void name(model::Node node, std::string name) { nodes_[node.value].name = std::move(name); }
    /// Declares how many ports a node has, cabled or not.
    void ports(model::Node node, model::Port count);

    /// Both directions between a port of `a` and a port of `b`.
    void cable(model::Node a, model::Port port_of_a, model::Node b, model::Port port_of_b);
    /// One direction; `to_port` is the port it arrives at.
    void one_way(model::Node from, model::Port from_port, model::Node to, model::Port to_port);
    /// Hosts s*each .. s*each+each-1 on ports 1..each of every switch s. @throws InputError when the hosts are others.
    void attach_hosts(std::uint32_t each);

    /// @throws InputError for a switch of more than 65,533 ports.
    model::Network finish();

private:
    std::string text_;
    std::uint32_t hosts_ = 0, switches_ = 0;
    std::uint64_t cables_ = 0;
    std::vector<model::NodeRecord> nodes_;  // until all have their names
    model::NetworkBuilder builder_{true};
};

/// Cables switches that hand out their ports in order, after those of their hosts.
class PortsInOrder {
public:
    PortsInOrder(Layout& layout, std::uint32_t hosts_each)
        : layout_(layout), next_(layout.switches(), hosts_each + 1) {}
    void cable(std::uint32_t a, std::uint32_t b) {
        model::Port const port_of_a = next_[a]++, port_of_b = next_[b]++;
        layout_.cable(layout_.switch_at(a), port_of_a, layout_.switch_at(b), port_of_b);
    }

private:
    Layout& layout_;
    std::vector<model::Port> next_;
};

/// `a_b_c` for names.
std::string joined(std::vector<std::uint32_t> const& numbers, char const* between = "_");
/// `S3_0`: the switch of that number on a grid of so many a dimension, the first coordinate varies fastest.
std::string grid_switch_name(std::vector<std::uint32_t> const& sizes, std::uint32_t number);

}  // namespace tailback::topologies
