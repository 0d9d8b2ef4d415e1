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

Json ends_json(model::Network const& network, model::Link link) {
    if (!link.exists()) return nullptr;
    model::LinkRecord const& record = network[link];
    return {{"from", base::printable(network[record.from].name)},
            {"from_port", record.from_port},
            {"to", base::printable(network[record.to].name)},
            {"to_port", record.to_port}};
}

Json link_json(model::Network const& network, model::Link link) {
    if (!link.exists()) return nullptr;
    model::LinkRecord const& record = network[link];
    return {{"from", base::printable(network[record.from].name)},
            {"from_guid", guid_json(network[record.from].guid)},
            {"from_port", record.from_port},
            {"to", base::printable(network[record.to].name)},
            {"to_guid", guid_json(network[record.to].guid)},
            {"to_port", record.to_port}};
}

}  // namespace tailback::report
