// Nasty little networks, each with one thing that is unusual or broken, for tests that must hold on all of them.
#pragma once

#include "host/model/tables.hpp"
#include "tests/support/rooms.hpp"

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace tailback {

struct NastyNetwork {
    std::string name;  ///< what is nasty about it
    Fabric fabric;
};

/// All of them, the same in every run. References stay good.
std::deque<NastyNetwork> const& nasty_networks();
/// The one of that name; throws std::out_of_range when there is none.
Fabric const& nasty_network(std::string const& name);

/// A drawing of a network: nodes and cables by hand, LIDs in order of drawing, tables along shortest paths.
class Sketch {
public:
    /// `named` as in NetworkBuilder.
    explicit Sketch(bool named = false) : builder_(named) {}

    Node add_switch(Port ports = 8);
    /// A host with one port and no cable.
    Node add_host(std::uint8_t lmc = 0);
    /// One more port of a host's node, its own endpoint.
    Host add_rail(Node node, Port port);
    /// A host cabled to a free port of a switch.
    Node host_at(Node switch_node, LinkRate rate = {}, std::uint8_t lmc = 0);
    /// A cable between any free ports; hosts use port 1.
    void cable(Node a, Node b, LinkRate rate = {});
    void cable(Node a, Port a_port, Node b, Port b_port, LinkRate rate = {});
    /// Only the direction a -> b.
    void one_way(Node a, Port a_port, Node b, Port b_port, LinkRate rate = {});
    HostRecord& host(Host h) { return builder_.hosts()[h]; }
    NodeRecord& node(Node n) { return builder_.nodes()[n]; }
    std::uint32_t hosts() { return static_cast<std::uint32_t>(builder_.hosts().size()); }
    Lid next_lid() const { return next_lid_; }

    /// The network with tables in all switches: every LID of every host by a shortest path over switches; where there
    /// are several, the one of number LID mod so many. Switches' own LIDs have entry 0 at home.
    /// `hosts_forward`: hosts have tables too and lie on paths.
    Fabric route(bool hosts_forward = false);

private:
    Port free_port(Node n);

    NetworkBuilder builder_;
    Lid next_lid_ = 1;
    std::uint64_t next_guid_ = 0x100;
};

}  // namespace tailback
