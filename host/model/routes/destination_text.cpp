#include "host/model/routes/destination_text.hpp"

#include "host/model/ip_plan.hpp"

namespace tailback::model {

std::string destination_text(Fabric const& fabric, Lid lid) {
    if (fabric.ip != nullptr)
        if (Host const host = fabric.network.owner(lid).host; host.exists())
            return address_text(fabric.ip->address[host.value]);
    return "LID " + std::to_string(lid);
}

std::string no_way_text(Fabric const& fabric, std::string const& destinations) {
    return (fabric.ip != nullptr ? "no route to " : "no entry for ") + destinations;
}

}  // namespace tailback::model
