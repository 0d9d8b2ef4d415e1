// The form of ibnetdiscover, which ibsim reads: nodes, each with its cabled ports.
#include "host/formats/formats.hpp"
#include "host/formats/read/lid_range.hpp"
#include "host/formats/write/cabling.hpp"
#include "host/formats/write/identity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <vector>

namespace tailback::formats {
namespace {

char const* id_letter(model::NodeKind kind) {
    return kind == model::NodeKind::switch_node ? "S" : kind == model::NodeKind::router ? "R" : "H";
}

class DiscoverWriter {
public:
    DiscoverWriter(std::ostream& out, model::Network const& network)
        : out_(out), net_(network), identity_(network), cabling_(network) {
        // ibsim complains of every port without a rate; where none is known at all, one for all changes no capacity.
        if (std::none_of(network.links().begin(), network.links().end(),
                         [](model::LinkRecord const& l) { return l.rate.stated(); }))
            default_rate_ = {4, model::Speed::sdr};
        check_fits_infiniband(network, identity_);
        for (std::size_t n = 0; n < network.nodes().size(); ++n)
            if (cabling_.ports[model::Node{n}] > most_ports)
                throw base::InputError(
                    {},
                    fmt::format("{} needs {} ports", network.describe(model::Node{n}), cabling_.ports[model::Node{n}]),
                    fmt::format("InfiniBand's nodes have at most {}", most_ports), "choose orcs-dot or graphml");
    }

    void write() {
        out_ << "#\n# Topology file: written by tailback\n#\n";
        for (std::size_t n = 0; n < net_.nodes().size(); ++n) write_node(model::Node{n});
    }

private:
    void write_node(model::Node n) {
        model::NodeRecord const& node = net_[n];
        bool const is_switch = node.kind == model::NodeKind::switch_node;
        text_ = fmt::format("\nvendid={:#x}\ndevid={:#x}\n", node.vendor, node.device);
        if (node.system_guid != 0) text_ += fmt::format("sysimgguid={:#x}\n", node.system_guid);
        if (is_switch)
            text_ += fmt::format("switchguid={:#x}({:x})\nSwitch", identity_.guid[n], identity_.port_guid(net_, n, 0));
        else if (node.kind == model::NodeKind::router) text_ += fmt::format("rtguid={:#x}\nRt", identity_.guid[n]);
        else text_ += fmt::format("caguid={:#x}\nCa", identity_.guid[n]);
        text_ += fmt::format("\t{} \"{}-{:016x}\"\t\t# \"{}\"", cabling_.ports[n], id_letter(node.kind),
                             identity_.guid[n], node.name);
        if (is_switch)
            text_ += fmt::format(" {} port 0 lid {} lmc {}", node.enhanced_port0 ? "enhanced" : "base",
                                 identity_.switch_lid[n], node.lmc);
        text_ += '\n';
        for (CableEnd const& end : cabling_.ends[n]) write_port(n, end);
        out_ << text_;
    }

    void write_port(model::Node n, CableEnd const& end) {
        model::NodeRecord const& far = net_[end.far];
        text_ += fmt::format("[{}]", end.port);
        bool const is_switch = net_.is_switch(n);
        if (!is_switch) text_ += fmt::format("({:x}) ", identity_.port_guid(net_, n, end.port));
        text_ += fmt::format("\t\"{}-{:016x}\"[{}]", id_letter(far.kind), identity_.guid[end.far], end.far_port);
        if (far.kind != model::NodeKind::switch_node)
            text_ += fmt::format("{}({:x}) ", is_switch ? "" : " ", identity_.port_guid(net_, end.far, end.far_port));
        text_ += "\t\t# ";
        if (!is_switch) {
            model::Host const host = host_at(net_, n, end.port);
            text_ += fmt::format("lid {} lmc {} ", host.exists() ? identity_.host_lid[host] : 0,
                                 host.exists() ? net_[host].lmc : 0);
        }
        text_ += fmt::format("\"{}\" lid {}", far.name, identity_.port_lid(net_, end.far, end.far_port));
        model::LinkRate const rate = end.rate.stated() ? end.rate : default_rate_;
        if (rate.stated()) text_ += fmt::format(" {}", rate.text());
        text_ += '\n';
    }

    std::ostream& out_;
    model::Network const& net_;
    FabricIdentity identity_;
    Cabling cabling_;
    model::LinkRate default_rate_;
    std::string text_;
};

}  // namespace

void write_ibnetdiscover(std::ostream& out, model::Network const& network) { DiscoverWriter(out, network).write(); }

}  // namespace tailback::formats
