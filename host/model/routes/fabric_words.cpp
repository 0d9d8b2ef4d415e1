#include "host/model/routes/fabric_words.hpp"

#include "host/model/routes/ip_plan.hpp"

namespace tailback::model {

FabricWords const& words_of(Fabric const& fabric) {
    static constexpr FabricWords infiniband = {
        "LID", "LIDs", "entry", "virtual lane", "virtual lanes", "by the static entries", true};
    static constexpr FabricWords ip = {
        "address", "hosts", "route", "traffic class", "traffic classes", "by one next hop a host", false};
    return fabric.ip != nullptr ? ip : infiniband;
}

std::string destination_text(Fabric const& fabric, Lid lid) {
    if (fabric.ip != nullptr)
        if (Host const host = fabric.network.owner(lid).host; host.exists())
            return address_text(fabric.ip->address[host.value]);
    return "LID " + std::to_string(lid);
}

std::string rate_text(Fabric const& fabric, LinkRate const& rate) {
    if (!rate.stated()) return "unknown";
    if (fabric.ip == nullptr) return rate.text();
    return std::to_string(rate.elevenths_of_gbps() / 11) + " Gb/s";
}

std::string no_way_text(Fabric const& fabric, std::string const& destinations) {
    return "no " + std::string(words_of(fabric).entry) + (fabric.ip != nullptr ? " to " : " for ") + destinations;
}

}  // namespace tailback::model
