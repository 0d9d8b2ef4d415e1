// The form of ibnetdiscover, which ibsim reads: nodes, each with its cabled ports.
#include "host/formats/formats.hpp"
#include "host/formats/identity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

namespace tailback {
namespace {

/// Port numbers at the far end of links that know none (one-way links of a dot file): free ones above all others.
struct FarPorts {
    IndexedVector<Link, Port> port;
    IndexedVector<Node, Port> count;  ///< ports of each node, those included

    explicit FarPorts(Network const& network) : port(network.links().size()), count(network.nodes().size()) {
        for (std::size_t n = 0; n < network.nodes().size(); ++n)
            count[Node{n}] = std::max<Port>(network[Node{n}].ports, network[Node{n}].kind == NodeKind::switch_node ? 0 : 1);
        for (LinkRecord const& link : network.links()) count[link.to] = std::max(count[link.to], link.to_port);
        for (std::size_t l = 0; l < network.links().size(); ++l) {
            LinkRecord const& link = network[Link{l}];
            port[Link{l}] = link.to_port != 0 ? link.to_port : ++count[link.to];
        }
    }
};

char const* id_letter(NodeKind kind) {
    return kind == NodeKind::switch_node ? "S" : kind == NodeKind::router ? "R" : "H";
}

class Writer {
public:
    Writer(std::ostream& out, Network const& network) : out_(out), net_(network), identity_(network), far_(network) {
        // ibsim complains of every port without a rate; where none is known at all, one for all changes no capacity.
        if (std::none_of(network.links().begin(), network.links().end(), [](LinkRecord const& l) { return l.rate.stated(); }))
            default_rate_ = {4, Speed::sdr};
        check_fits_infiniband(network, identity_);
        for (std::size_t n = 0; n < network.nodes().size(); ++n)
            if (far_.count[Node{n}] > 254)
                throw InputError({}, fmt::format("{} needs {} ports", network.describe(Node{n}), far_.count[Node{n}]),
                                 "InfiniBand's nodes have at most 254", "choose orcs-dot or graphml");
    }

    void write() {
        out_ << "#\n# Topology file: written by tailback\n#\n";
        for (std::size_t n = 0; n < net_.nodes().size(); ++n) write_node(Node{n});
    }

private:
    void write_node(Node n) {
        NodeRecord const& node = net_[n];
        bool const is_switch = node.kind == NodeKind::switch_node;
        text_ = fmt::format("\nvendid={:#x}\ndevid={:#x}\n", node.vendor, node.device);
        if (node.system_guid != 0) text_ += fmt::format("sysimgguid={:#x}\n", node.system_guid);
        if (is_switch) text_ += fmt::format("switchguid={:#x}({:x})\nSwitch", identity_.guid[n], identity_.port_guid(net_, n, 0));
        else if (node.kind == NodeKind::router) text_ += fmt::format("rtguid={:#x}\nRt", identity_.guid[n]);
        else text_ += fmt::format("caguid={:#x}\nCa", identity_.guid[n]);
        text_ += fmt::format("\t{} \"{}-{:016x}\"\t\t# \"{}\"", far_.count[n], id_letter(node.kind), identity_.guid[n], one_line(node.name));
        if (is_switch)
            text_ += fmt::format(" {} port 0 lid {} lmc {}", node.enhanced_port0 ? "enhanced" : "base", identity_.switch_lid[n], node.lmc);
        text_ += '\n';
        for (std::uint32_t i = 0; i < net_.link_count(n); ++i) write_port(n, Link{net_.first_link(n).value + i});
        out_ << text_;
    }

    void write_port(Node n, Link l) {
        LinkRecord const& link = net_[l];
        NodeRecord const& far = net_[link.to];
        Port const far_port = far_.port[l];
        text_ += fmt::format("[{}]", link.from_port);
        bool const is_switch = net_[n].kind == NodeKind::switch_node;
        if (!is_switch) text_ += fmt::format("({:x}) ", identity_.port_guid(net_, n, link.from_port));
        text_ += fmt::format("\t\"{}-{:016x}\"[{}]", id_letter(far.kind), identity_.guid[link.to], far_port);
        if (far.kind != NodeKind::switch_node)
            text_ += fmt::format("{}({:x}) ", is_switch ? "" : " ", identity_.port_guid(net_, link.to, far_port));
        text_ += "\t\t# ";
        if (!is_switch) {
            Host const host = host_at(net_, n, link.from_port);
            text_ += fmt::format("lid {} lmc {} ", host.exists() ? identity_.host_lid[host] : 0, host.exists() ? net_[host].lmc : 0);
        }
        text_ += fmt::format("\"{}\" lid {}", one_line(far.name), identity_.port_lid(net_, link.to, far_port));
        LinkRate const rate = link.rate.stated() ? link.rate : default_rate_;
        if (rate.stated()) text_ += fmt::format(" {}", rate.text());
        text_ += '\n';
    }

    std::ostream& out_;
    Network const& net_;
    FabricIdentity identity_;
    FarPorts far_;
    LinkRate default_rate_;
    std::string text_;
};

}  // namespace

void write_ibnetdiscover(std::ostream& out, Network const& network) { Writer(out, network).write(); }

}  // namespace tailback
