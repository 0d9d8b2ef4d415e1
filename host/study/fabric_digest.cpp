// A digest of what a study can see of a fabric: FNV-1a over 64-bit words, the same on every machine.
#include "host/study/fabric_digest.hpp"

#include "host/base/digest.hpp"

namespace tailback {
std::string digest(Fabric const& fabric) {
    Network const& net = fabric.network;
    Digest sum;
    for (NodeRecord const& node : net.nodes()) {
        sum.add(std::uint64_t(node.kind));
        sum.add(node.guid);
        sum.add(node.name);
        sum.add(node.lid);
    }
    for (HostRecord const& host : net.hosts()) {
        sum.add(host.node.value);
        sum.add(host.port);
        sum.add(host.lid);
        sum.add(host.lmc);
    }
    for (LinkRecord const& link : net.links()) {
        sum.add(link.from.value);
        sum.add(link.from_port);
        sum.add(link.to.value);
        sum.add(link.to_port);
        sum.add(link.rate.elevenths_of_gbps());
    }
    if (std::string const text = fabric.routing->text(); !text.empty()) sum.add(text);
    for (std::size_t n = 0; n < net.nodes().size(); ++n) {
        if (!fabric.tables.has_table(Node{n})) continue;
        sum.add(n);
        for (Lid lid = 0; lid < fabric.tables.lids(); ++lid)
            if (Port const port = fabric.tables.port(Node{n}, lid); port != ForwardingTables::no_entry)
                sum.add(std::uint64_t{lid} << 32 | port);
    }
    return sum.text();
}

}  // namespace tailback
