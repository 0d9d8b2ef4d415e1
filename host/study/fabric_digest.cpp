// A digest of what a study can see of a fabric: FNV-1a over 64-bit words, the same on every machine.
#include "host/study/fabric_digest.hpp"

#include "host/base/digest.hpp"

namespace tailback::study {
std::string digest(model::Fabric const& fabric) {
    base::Digest sum;
    std::string const text = fabric.routing->text();
    if (fabric.formula) {  // its words are its network and its routing
        sum.add(text);
        return sum.text();
    }
    model::Network const& net = fabric.network;
    for (model::NodeRecord const& node : net.nodes()) {
        sum.add(std::uint64_t(node.kind));
        sum.add(node.guid);
        sum.add(node.name);
        sum.add(node.lid);
    }
    for (model::HostRecord const& host : net.hosts()) {
        sum.add(host.node.value);
        sum.add(host.port);
        sum.add(host.lid);
        sum.add(host.lmc);
    }
    for (model::LinkRecord const& link : net.links()) {
        sum.add(link.from.value);
        sum.add(link.from_port);
        sum.add(link.to.value);
        sum.add(link.to_port);
        sum.add(link.rate.elevenths_of_gbps());
        if (link.capacity != 0) sum.add(link.capacity);
    }
    if (!text.empty()) sum.add(text);
    for (std::size_t n = 0; n < net.nodes().size(); ++n) {
        if (!fabric.tables.has_table(model::Node{n})) continue;
        sum.add(n);
        for (model::Lid lid = 0; lid < fabric.tables.lids(); ++lid)
            if (model::Port const port = fabric.tables.port(model::Node{n}, lid);
                port != model::ForwardingTables::no_entry)
                sum.add(std::uint64_t{lid} << 32 | port);
    }
    return sum.text();
}

}  // namespace tailback::study
