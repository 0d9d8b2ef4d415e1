// The network as read or generated: nodes, endpoints, directed links, and who owns which LID. Validated once.
#pragma once

#include "host/model/disagreements.hpp"
#include "host/model/index.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace tailback::model {

/// A local identifier: what forwarding tables are indexed by. 0 = none. InfiniBand's unicast LIDs end at 0xBFFF;
/// networks that know no LIDs (ORCS dot, generated ones) get 1, 2, ... and may go beyond.
using Lid = std::uint32_t;
/// A port number on its node, from 1; 0 = the switch itself.
using Port = std::uint32_t;

inline constexpr Lid max_unicast_lid = 0xBFFF;
inline constexpr Port most_ports = 254;  ///< of a node of InfiniBand; others may have more

enum class NodeKind : std::uint8_t { switch_node, adapter, router };

/// Lane speeds of InfiniBand; `unknown` where the file states none.
enum class Speed : std::uint8_t { unknown, sdr, ddr, qdr, fdr10, fdr, edr, hdr, ndr, xdr };

/// `4xHDR` as a width and a speed. {0, unknown} = not stated.
struct LinkRate {
    std::uint8_t width = 0;
    Speed speed = Speed::unknown;

    bool stated() const { return width > 0 && speed != Speed::unknown; }
    /// Data rate after line coding, in units of 1/11 Gb/s (a whole number for every speed); 0 = not stated.
    std::uint32_t elevenths_of_gbps() const;
    /// `4xHDR`; empty when not stated.
    std::string text() const;
    bool operator==(LinkRate const&) const = default;
};
/// Reads `4xHDR` (case-sensitive, as the tools print it); {0, unknown} when it is no known rate.
LinkRate parse_link_rate(std::string_view text);

struct NodeRecord {
    NodeKind kind = NodeKind::switch_node;
    std::string name;               ///< description (InfiniBand) or node name (dot), as base::printable gives it
    std::uint64_t guid = 0;         ///< node GUID; 0 = none
    std::uint64_t port_guid = 0;    ///< a switch's port 0 GUID; 0 = same as `guid`
    std::uint64_t system_guid = 0;  ///< 0 = not stated
    std::uint32_t vendor = 0;
    std::uint32_t device = 0;
    Port ports = 0;        ///< number of ports as declared; raised by `finish` to the highest cabled one
    Lid lid = 0;           ///< a switch's own LID (port 0); adapters have theirs in HostRecord
    std::uint8_t lmc = 0;  ///< of `lid`
    bool enhanced_port0 = false;
    Lid highest_lid = 0;  ///< of its forwarding table, as the switch uses it (LinearFDBTop); 0 = not told
};

/// What an endpoint is for. Only `compute` endpoints become hosts of a study unless asked otherwise.
enum class HostRole : std::uint8_t { compute, aggregation, router };

struct HostRecord {
    Node node;
    Port port = 1;
    std::uint64_t port_guid = 0;
    Lid lid = 0;           ///< base LID; 0 = none
    std::uint8_t lmc = 0;  ///< owns LIDs lid .. lid + 2^lmc - 1
    HostRole role = HostRole::compute;
};

/// A LID of a virtual port (SR-IOV), which tables send to an endpoint beside that one's own.
struct VirtualLid {
    Node node;
    Port port = 0;
    Lid lid = 0;
};

struct LinkRecord {
    Node from;
    Port from_port = 0;
    Node to;
    Port to_port = 0;  ///< 0 = unknown (a directed link without its other half)
    Link reverse;      ///< the cable's other direction; none for a one-way link
    LinkRate rate;
    /// Beside those of the network's other links, where the file gives numbers and no rates; 0 = not stated.
    std::uint16_t capacity = 0;
};

/// A link by the names and ports of its ends; an empty `from` = there is no such link.
struct LinkEnds {
    std::string from;
    Port from_port = 0;
    std::string to;
    Port to_port = 0;
    std::string from_port_name = {}, to_port_name = {};  ///< where ports go by names, as interfaces do; else empty

    /// The port's name, or else its number.
    std::string from_port_text() const { return from_port_name.empty() ? std::to_string(from_port) : from_port_name; }
    std::string to_port_text() const { return to_port_name.empty() ? std::to_string(to_port) : to_port_name; }
};

struct LidOwner {
    Node node;  ///< none = nobody
    Host host;  ///< none when the owner is a switch
};

class Network {
public:
    kernels::IndexedVector<Node, NodeRecord> const& nodes() const { return nodes_; }
    kernels::IndexedVector<Host, HostRecord> const& hosts() const { return hosts_; }
    /// Sorted by (from, from_port): the out-links of a node are neighbours, in port order.
    kernels::IndexedVector<Link, LinkRecord> const& links() const { return links_; }

    NodeRecord const& operator[](Node n) const { return nodes_[n]; }
    bool is_switch(Node n) const { return nodes_[n].kind == NodeKind::switch_node; }
    HostRecord const& operator[](Host h) const { return hosts_[h]; }
    LinkRecord const& operator[](Link l) const { return links_[l]; }

    /// Out-links of a node in port order, as the range [first, first + count).
    Link first_link(Node n) const { return Link{first_link_[n.value]}; }
    std::uint32_t link_count(Node n) const { return first_link_[n.value + 1] - first_link_[n.value]; }
    /// The link that leaves `n` by `port`; none when nothing is plugged in there.
    Link link_at(Node n, Port port) const;
    /// The link a host sends on; none when it has no cable.
    Link up_link(Host h) const { return link_at(hosts_[h].node, hosts_[h].port); }

    /// The largest LID anybody owns; 0 when nobody owns any.
    Lid max_lid() const { return lid_owner_.empty() ? 0 : static_cast<Lid>(lid_owner_.size() - 1); }
    /// Those that nobody else owns: the endpoint of their port does, beside its own.
    std::vector<VirtualLid> const& virtual_lids() const { return virtual_lids_; }
    LidOwner owner(Lid lid) const { return lid < lid_owner_.size() ? lid_owner_[lid] : LidOwner{}; }
    Node node_by_guid(std::uint64_t guid) const;
    /// First node of that exact name; none when there is none.
    Node node_by_name(std::string const& typed) const;
    /// Endpoints of a node, in port order.
    std::span<Host const> hosts_of(Node n) const;

    /// What is printed beside a port on its front (`1/31/2`: cage and split); empty where no file tells, or where it is
    /// the port's number.
    std::string const& port_label(Node n, Port port) const;
    /// Do ports go by names, as interfaces of routers do?
    bool named_ports() const { return named_ && !port_labels_.empty(); }
    /// The name of a port that goes by one; else empty.
    std::string const& given_port_name(Node n, Port port) const;
    /// What a port is called in short: its number, or in networks whose ports go by names, as interfaces of routers do,
    /// that name (`swp49`).
    std::string port_name(Node n, Port port) const;
    /// ` port 61 (1/31/1)`, ` port swp49`
    std::string port_text(Node n, Port port) const;
    /// The port of a number or, where none has it, of a label; where ports go by names the port of that name; 0 = none.
    Port port_called(Node n, std::string_view word) const;
    LinkEnds ends(Link link) const;

    std::size_t switches() const { return switches_; }
    /// True when names, not GUIDs and LIDs, are how the file's format names things (ORCS dot, generated networks).
    bool named() const { return named_; }
    /// How messages and reports call a node: `switch "leaf-07" (0x0002c90200400028)`, or `"S12"` where there is no
    /// GUID.
    std::string describe(Node n) const;
    /// The same with its port (0 = the whole node), as findings name a place.
    FabricPlace place_of(Node n, Port port = 0) const;

private:
    friend class NetworkBuilder;
    friend std::uint64_t give_rate(Network& network, LinkRate rate);
    kernels::IndexedVector<Node, NodeRecord> nodes_;
    kernels::IndexedVector<Host, HostRecord> hosts_;
    kernels::IndexedVector<Link, LinkRecord> links_;
    std::vector<std::uint32_t> first_link_;
    std::vector<LidOwner> lid_owner_;
    std::vector<VirtualLid> virtual_lids_;
    std::vector<std::uint32_t> first_host_;
    std::vector<Host> hosts_by_node_;
    std::unordered_map<std::uint64_t, Node> by_guid_;
    /// A table of nodes by a hash of their names, with open addressing; of equal names the first node is in it.
    std::vector<std::uint32_t> by_name_;
    std::unordered_map<std::uint64_t, std::string> port_labels_;  ///< by node << 32 | port
    std::size_t switches_ = 0;
    bool named_ = false;
};

/// Collects what a reader or a generator finds, in any order; `finish` checks it and freezes it.
class NetworkBuilder {
public:
    explicit NetworkBuilder(bool named = false) { network_.named_ = named; }

    /// @throws InputError when a node of the same non-zero GUID is there already.
    Node add_node(NodeRecord record, base::SourceLocation const& place = {});
    /// Another GUID than the node was added with, of no other node.
    void set_guid(Node node, std::uint64_t guid);
    /// An endpoint; order of calls is the order of hosts.
    Host add_host(HostRecord record) { return network_.hosts_.add(record); }
    /// Of an endpoint; one that is the endpoint's own is no news, and one that another owns is noted.
    void add_virtual_lid(VirtualLid virtual_lid) { network_.virtual_lids_.push_back(virtual_lid); }
    /// `label` empty, or the number itself: none.
    void set_port_label(Node node, Port port, std::string_view label);
    /// One direction. `reverse` is found by `finish`: the link to_port of `to` -> from_port of `from`.
    Link add_link(LinkRecord record) { return network_.links_.add(record); }

    kernels::IndexedVector<Node, NodeRecord>& nodes() { return network_.nodes_; }
    kernels::IndexedVector<Host, HostRecord>& hosts() { return network_.hosts_; }
    kernels::IndexedVector<Link, LinkRecord>& links() { return network_.links_; }
    Node node_by_guid(std::uint64_t guid) const { return network_.node_by_guid(guid); }
    std::string describe(Node n) const { return network_.describe(n); }
    FabricPlace place_of(Node n, Port port = 0) const { return network_.place_of(n, port); }

    /// Sorts links, drops exact duplicates, joins the two directions of each cable, maps LIDs to owners.
    /// Notes hosts without cable, one-sided cables, duplicate LIDs (the first owner keeps it), ports without LID.
    /// @throws InputError when there are no hosts.
    Network finish(Disagreements& disagreements, std::string const& file);

private:
    void keep_first_cables(Disagreements& disagreements, base::SourceLocation const& place);
    void index_names();
    void pair_links(Disagreements& disagreements, base::SourceLocation const& place);
    void order_hosts();
    void own_lids(Disagreements& disagreements, base::SourceLocation const& place);
    void own_virtual_lids(Disagreements& disagreements, base::SourceLocation const& place);

    Network network_;
};

/// True for the description NVIDIA gives the in-network reduction engine of a switch.
bool is_aggregation_node(std::string const& description);

/// Links without a rate or a capacity get this rate. @return how many
std::uint64_t give_rate(Network& network, LinkRate rate);

/// The same network, where switches and cabled hosts without a LID get one: tables name destinations by it.
Network with_lids(Network const& network);

/// The same network with 2^lmc LIDs for every cabled host, numbered from 2^lmc, then one for every switch.
/// @throws InputError where the last LID would be above 0xFFFFFFF.
Network with_lmc(Network const& network, std::uint8_t lmc);

}  // namespace tailback::model
