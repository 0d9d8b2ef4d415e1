// The files of ibdiagnet2 that describe a network: db_csv, net_dump, lst; and its tables, fdbs.
#include "host/formats/formats.hpp"
#include "host/formats/read/rate_words.hpp"
#include "host/formats/write/cabling.hpp"
#include "host/formats/write/identity.hpp"

#include <fmt/format.h>

#include <functional>
#include <ostream>

namespace tailback::formats {
namespace {

std::string_view word_of(model::Speed speed) {
    SpeedWord const* const known = speed_word(speed);
    return known ? known->word : "N/A";
}

std::uint32_t mask_of(model::Speed speed) {
    SpeedWord const* const known = speed_word(speed);
    return known ? known->mask : 0;
}

std::string mask_text(unsigned mask) { return mask == 0 ? "N/A" : std::to_string(mask); }

/// What all of these files need of a network.
struct FabricFacts {
    model::Network const& net;
    FabricIdentity identity;
    Cabling cabling;

    explicit FabricFacts(model::Network const& network) : net(network), identity(network), cabling(network) {
        check_fits_infiniband(network, identity);
    }
    std::uint8_t lmc(model::Node n, model::Port port) const {
        if (net.is_switch(n)) return net[n].lmc;
        model::Host const host = host_at(net, n, port);
        return host.exists() ? net[host].lmc : std::uint8_t{0};
    }
};

/// Sections, and the index of them at the end: offset and line of the heading, bytes and rows behind it. The first line
/// says where the index is, so the whole is kept until it ends.
class SectionWriter {
public:
    void section(std::string const& name, std::string const& heading, std::function<void()> const& rows) {
        put("START_" + name + "\n");
        std::uint64_t const offset = bytes(), line = lines_ + 1;
        put(heading + "\n");
        rows();
        index_ += fmt::format("{}, {}, {}, {}, {}\n", name, offset, bytes() - offset, line, lines_ - line);
        put("END_" + name + "\n\n\n");
    }
    void put(std::string const& text) {
        text_ += text;
        for (char const c : text) lines_ += c == '\n';
    }
    void finish(std::ostream& out) {
        out << first_line(bytes(), lines_ + 1) << text_ << "START_INDEX_TABLE\nName, Offset, Size, Line, Rows\n"
            << index_ << "END_INDEX_TABLE\n";
    }

private:
    static std::string first_line(std::uint64_t offset, std::uint64_t line) {
        return fmt::format("# INDEX_TABLE offset: {:11}, line: {:11}\n", offset, line);
    }
    std::uint64_t bytes() const { return first_line(0, 0).size() + text_.size(); }

    std::string text_;
    std::uint64_t lines_ = 1;
    std::string index_;
};

void put_nodes(SectionWriter& out, FabricFacts const& facts) {
    for (std::size_t n = 0; n < facts.net.nodes().size(); ++n) {
        model::Node const id{n};
        model::NodeRecord const& node = facts.net[id];
        auto const& ends = facts.cabling.ends[id];
        // The port by which the node is known: its first that has a cable. Of a switch it is port 0.
        model::Port const local = facts.net.is_switch(id) ? 0 : ends.empty() ? 1 : ends.front().port;
        unsigned const type = node.kind == model::NodeKind::switch_node ? 2
                              : node.kind == model::NodeKind::router    ? 3
                                                                        : 1;
        out.put(fmt::format("\"{}\",{},{},1,1,{:#018x},{:#018x},{:#018x},{},128,0,{},{}\n", node.name,
                            facts.cabling.ports[id], type, node.system_guid, facts.identity.guid[id],
                            facts.identity.port_guid(facts.net, id, local), node.device, node.vendor, local));
    }
}

void put_ports(SectionWriter& out, FabricFacts const& facts) {
    auto const put = [&](model::Node n, model::Port port, model::LinkRate rate, bool up) {
        out.put(fmt::format("{:#018x},{:#018x},{},{},{},{},{},{},{}\n", facts.identity.guid[n],
                            facts.identity.port_guid(facts.net, n, port), port,
                            facts.identity.port_lid(facts.net, n, port), mask_text(width_mask(rate.width)),
                            mask_text(mask_of(rate.speed)), facts.lmc(n, port), up ? 5 : 2, up ? 4 : 1));
    };
    for (std::size_t i = 0; i < facts.net.nodes().size(); ++i) {
        model::Node const n{i};
        if (facts.net.is_switch(n)) put(n, 0, {}, true);
        for (CableEnd const& end : facts.cabling.ends[n]) put(n, end.port, end.rate, true);
        for (model::Host const host : facts.net.hosts_of(n))
            if (!facts.net.up_link(host).exists()) put(n, facts.net[host].port, {}, false);
    }
}

void put_links(SectionWriter& out, FabricFacts const& facts) {
    for (std::size_t i = 0; i < facts.net.nodes().size(); ++i)
        for (CableEnd const& end : facts.cabling.ends[model::Node{i}])
            if (std::pair{i, std::size_t{end.port}} <= std::pair{std::size_t{end.far.value}, std::size_t{end.far_port}})
                out.put(fmt::format("{:#018x},{},{:#018x},{}\n", facts.identity.guid[model::Node{i}], end.port,
                                    facts.identity.guid[end.far], end.far_port));
}

void put_labels(SectionWriter& out, FabricFacts const& facts) {
    for (std::size_t i = 0; i < facts.net.nodes().size(); ++i)
        for (CableEnd const& end : facts.cabling.ends[model::Node{i}])
            if (std::string const& label = facts.net.port_label(model::Node{i}, end.port); !label.empty())
                out.put(fmt::format("{:#018x},{},\"{}\"\n", facts.identity.guid[model::Node{i}], end.port, label));
}

std::string lst_end(FabricFacts const& facts, model::Node n, model::Port port) {
    model::NodeRecord const& node = facts.net[n];
    char const* kind = facts.net.is_switch(n) ? "SW" : node.kind == model::NodeKind::router ? "Rt" : "CA";
    return fmt::format(
        "{{ {} Ports:{:02X} SystemGUID:{:016x} NodeGUID:{:016x} PortGUID:{:016x} VenID:{:08X} "
        "DevID:{:08X} Rev:00000000 {{{}}} LID:{:04X} PN:{:02X} }}",
        kind, facts.cabling.ports[n], node.system_guid, facts.identity.guid[n],
        facts.identity.port_guid(facts.net, n, port), node.vendor, node.device, node.name,
        facts.identity.port_lid(facts.net, n, port), port);
}

}  // namespace

void write_db_csv(std::ostream& out, model::Network const& network) {
    FabricFacts const facts(network);
    SectionWriter sections;
    sections.section("NODES",
                     "NodeDesc,NumPorts,NodeType,ClassVersion,BaseVersion,SystemImageGUID,NodeGUID,PortGUID,DeviceID,"
                     "PartitionCap,revision,VendorID,LocalPortNum",
                     [&] { put_nodes(sections, facts); });
    sections.section("PORTS", "NodeGuid,PortGuid,PortNum,LID,LinkWidthActv,LinkSpeedActv,LMC,PortPhyState,PortState",
                     [&] { put_ports(sections, facts); });
    sections.section("SWITCHES", "NodeGUID,LinearFDBCap,LinearFDBTop,ENP0", [&] {
        for (std::size_t n = 0; n < network.nodes().size(); ++n)
            if (facts.net.is_switch(model::Node{n}))
                sections.put(fmt::format("{:#018x},49152,{},{}\n", facts.identity.guid[model::Node{n}],
                                         network.max_lid(), network[model::Node{n}].enhanced_port0 ? 1 : 0));
    });
    sections.section("LINKS", "NodeGuid1,PortNum1,NodeGuid2,PortNum2", [&] { put_links(sections, facts); });
    sections.section("PORT_HIERARCHY_INFO", "NodeGUID,PortNum,PortLabel", [&] { put_labels(sections, facts); });
    sections.finish(out);
}

void write_net_dump(std::ostream& out, model::Network const& network) {
    FabricFacts const facts(network);
    for (std::size_t i = 0; i < network.nodes().size(); ++i) {
        model::Node const n{i};
        if (!facts.net.is_switch(n)) continue;
        out << fmt::format("\"{}\", Mellanox, {:#018x}, LID {}\n", network[n].name, facts.identity.guid[n],
                           facts.identity.switch_lid[n])
            << " # : IB# : Sta : PhysSta : MTU : LWA : LSA : FEC mode : Retran : Neighbor Guid : N# : NLID : Neighbor "
               "Description\n";
        for (CableEnd const& end : facts.cabling.ends[n]) {
            std::string const& label = network.port_label(n, end.port);
            out << fmt::format(
                " {} : {} : ACT : LINK UP : 4096 : {} : {} : N/A : NO-RTR : {:#018x} : {} : {} : \"{}\"\n",
                label.empty() ? std::to_string(end.port) : label, end.port,
                end.rate.stated() ? fmt::format("{}x", end.rate.width) : "N/A", word_of(end.rate.speed),
                facts.identity.guid[end.far], end.far_port, facts.identity.port_lid(network, end.far, end.far_port),
                network[end.far].name);
        }
        out << '\n';
    }
}

void write_subnet_list(std::ostream& out, model::Network const& network) {
    FabricFacts const facts(network);
    for (std::size_t i = 0; i < network.nodes().size(); ++i) {
        model::Node const n{i};
        for (CableEnd const& end : facts.cabling.ends[n]) {
            if (std::pair{i, std::size_t{end.port}} > std::pair{std::size_t{end.far.value}, std::size_t{end.far_port}})
                continue;
            out << lst_end(facts, n, end.port) << ' ' << lst_end(facts, end.far, end.far_port)
                << fmt::format(" PHY={}x LOG=ACT SPD={}\n", end.rate.stated() ? end.rate.width : 4,
                               end.rate.stated() ? word_of(end.rate.speed) : "2.5");
        }
    }
}

void write_fdbs(std::ostream& out, model::Fabric const& fabric) {
    model::Network const& net = fabric.network;
    FabricIdentity const identity(net);
    check_fits_infiniband(net, identity);
    check_only_switches_choose(fabric.tables, net);
    std::string text;
    for (std::size_t i = 0; i < net.nodes().size(); ++i) {
        model::Node const n{i};
        if (!net.is_switch(n) || !fabric.tables.has_table(n)) continue;
        text = fmt::format("osm_ucast_mgr_dump_ucast_routes: Switch {:#018x}\nLID    : Port : Hops : Optimal\n",
                           identity.guid[n]);
        for (model::Lid lid = 1; lid < fabric.tables.lids() && lid <= model::max_unicast_lid; ++lid) {
            model::Port const port = fabric.tables.port(n, lid);
            if (port == model::ForwardingTables::no_entry) text += fmt::format("0x{:04X} : UNREACHABLE\n", lid);
            else text += fmt::format("0x{:04X} : {:03}  : 00   : yes\n", lid, port);
        }
        out << text << '\n';
    }
}

}  // namespace tailback::formats
