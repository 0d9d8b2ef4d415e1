#include "host/report/json_values.hpp"

#include "host/base/numbers.hpp"

#include <fmt/format.h>

#include <cmath>

namespace tailback::report {

Json real(double value) { return std::isfinite(value) ? Json(base::rounded(value)) : Json(nullptr); }

Json guid_json(std::uint64_t guid) { return guid == 0 ? Json(nullptr) : Json(fmt::format("{:#018x}", guid)); }

Json node_json(model::Network const& network, model::Node node) {
    return {{"name", base::printable(network[node].name)}, {"guid", guid_json(network[node].guid)}};
}

namespace {

/// `key`, and `key_name` where it has one.
void add_port(Json& json, char const* key, model::Port port, std::string const& name) {
    json[key] = port;
    if (!name.empty()) json[key + std::string("_name")] = name;
}

}  // namespace

void add_port(Json& json, model::Network const& network, model::Node node, model::Port port) {
    add_port(json, "port", port, node.exists() ? network.given_port_name(node, port) : "");
}

Json ends_json(model::LinkEnds const& ends) {
    Json json = {{"from", base::printable(ends.from)}};
    add_port(json, "from_port", ends.from_port, ends.from_port_name);
    json["to"] = base::printable(ends.to);
    add_port(json, "to_port", ends.to_port, ends.to_port_name);
    return json;
}

Json ends_json(model::Network const& network, model::Link link) {
    return link.exists() ? ends_json(network.ends(link)) : Json(nullptr);
}

Json link_json(model::Network const& network, model::Link link) {
    if (!link.exists()) return nullptr;
    model::LinkEnds const ends = network.ends(link);
    Json json = {{"from", base::printable(ends.from)}, {"from_guid", guid_json(network[network[link].from].guid)}};
    add_port(json, "from_port", ends.from_port, ends.from_port_name);
    json["to"] = base::printable(ends.to);
    json["to_guid"] = guid_json(network[network[link].to].guid);
    add_port(json, "to_port", ends.to_port, ends.to_port_name);
    return json;
}

}  // namespace tailback::report
