// What routes go by may be of several cables, without a file that says which.
#include "host/audit/choices/choices.hpp"
#include "host/model/routes/ip_plan.hpp"

namespace tailback::audit {

model::Link cable_of_unknown_members(model::Fabric const& fabric, model::Node one, model::Node other) {
    if (fabric.ip == nullptr) return {};
    for (auto const& [node, port] : fabric.ip->unheard)
        if (model::Link const link = fabric.network.link_at(node, port);
            node == one && link.exists() && fabric.network[link].to == other)
            return link;
    return {};
}

}  // namespace tailback::audit
