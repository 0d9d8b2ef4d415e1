// The form of opensm-lfts.dump, which OpenSM's file routing loads: tables in the order of GUIDs, LIDs in order.
#include "host/formats/formats.hpp"
#include "host/formats/write/identity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace tailback::formats {
namespace {

/// What follows the port on the line of each LID: the same in every table.
std::vector<std::string> line_ends(model::Network const& net, FabricIdentity const& identity, std::size_t lids) {
    std::vector<std::string> ends(lids, " # unknown node and type\n");
    for (std::size_t lid = 1; lid < lids; ++lid) {
        model::LidOwner const owner = net.owner(static_cast<model::Lid>(lid));
        if (!owner.node.exists()) continue;
        model::NodeKind const kind = net[owner.node].kind;
        ends[lid] =
            fmt::format(" # {} portguid 0x{:016x}: '{}'\n",
                        kind == model::NodeKind::switch_node ? "Switch"
                        : kind == model::NodeKind::router    ? "Router"
                                                             : "Channel Adapter",
                        owner.host.exists() ? identity.host_guid[owner.host] : identity.port_guid(net, owner.node, 0),
                        net[owner.node].name);
    }
    return ends;
}

struct LidEntry {
    model::Lid lid;
    model::Port port;  // below 1000: the fabric fits InfiniBand
};

/// The lines of a table. Kept from switch to switch: those with entries for the same LIDs differ in digits of ports
/// alone.
class TableLines {
public:
    explicit TableLines(std::vector<std::string> ends) : ends_(std::move(ends)) {}

    std::string const& of(std::vector<LidEntry> const& entries) {
        auto const is_same = [](LidEntry const& entry, model::Lid lid) { return entry.lid == lid; };
        if (!std::ranges::equal(entries, lids_, is_same)) lay_out(entries);
        for (std::size_t i = 0; i < entries.size(); ++i) {
            model::Port const port = entries[i].port;
            char* const digits = text_.data() + digits_[i];
            digits[0] = static_cast<char>('0' + port / 100);
            digits[1] = static_cast<char>('0' + port / 10 % 10);
            digits[2] = static_cast<char>('0' + port % 10);
        }
        return text_;
    }

private:
    void lay_out(std::vector<LidEntry> const& entries) {
        text_.clear();
        lids_.clear();
        digits_.clear();
        for (LidEntry const& entry : entries) {
            text_ += fmt::format("0x{:04x} ", entry.lid);
            lids_.push_back(entry.lid);
            digits_.push_back(text_.size());
            text_ += "000";
            text_ += ends_[entry.lid];
        }
    }

    std::vector<std::string> ends_;  // by LID
    std::string text_;
    std::vector<model::Lid> lids_;     // that it is for
    std::vector<std::size_t> digits_;  // where their ports are in it
};

}  // namespace

void write_lft_dump(std::ostream& out, model::Fabric const& fabric) {
    model::Network const& net = fabric.network;
    FabricIdentity const identity(net);
    check_fits_infiniband(net, identity);
    check_only_switches_choose(fabric.tables, net);
    model::Lid const top = std::min<model::Lid>(
        model::max_unicast_lid,
        std::max<model::Lid>(net.max_lid(),
                             static_cast<model::Lid>(std::max<std::size_t>(fabric.tables.lids(), 1) - 1)));
    TableLines lines(line_ends(net, identity, std::size_t{top} + 1));
    std::vector<model::Node> switches;
    for (std::size_t n = 0; n < net.nodes().size(); ++n)
        if (net.is_switch(model::Node{n}) && fabric.tables.has_table(model::Node{n}))
            switches.push_back(model::Node{n});
    std::sort(switches.begin(), switches.end(),
              [&](model::Node a, model::Node b) { return identity.guid[a] < identity.guid[b]; });
    std::vector<LidEntry> entries;
    for (model::Node const node : switches) {
        model::NodeRecord const& record = net[node];
        entries.clear();
        for (model::Lid lid = 1; lid <= top; ++lid) {
            model::Port port = fabric.tables.port(node, lid);
            if (port == model::ForwardingTables::no_entry && net.named() && lid == identity.switch_lid[node]) port = 0;
            if (port == model::ForwardingTables::no_entry || port > record.ports) continue;
            entries.push_back({lid, port});
        }
        out << fmt::format("Unicast lids [0-{}] of switch Lid {} guid 0x{:016x} ('{}'):\n", top,
                           identity.switch_lid[node], identity.guid[node], record.name)
            << lines.of(entries) << top << " lids dumped\n";
    }
}

}  // namespace tailback::formats
