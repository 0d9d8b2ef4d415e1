#include "host/result/head.hpp"

#include "host/base/numbers.hpp"
#include "host/model/capacities.hpp"
#include "host/model/host_order.hpp"
#include "host/result/known_commit.hpp"

#include "version.hpp"

#include <fmt/format.h>

namespace tailback::result {
namespace {

constexpr double elevenths = 11;  // of the unit in which rates are kept, in a Gb/s

double base_rate_gbps(model::Fabric const& fabric) {
    return model::link_costs(fabric.network, model::CapacityKind::unit).base_rate_elevenths / elevenths;
}

Json word(std::string const& text) { return text.empty() ? Json(nullptr) : Json(text); }

}  // namespace

Json head(char const* schema, model::NamedFiles const& files, Json network) {
    char const* const commit = known_commit();
    return {{"schema", schema},
            {"version", version},
            {"commit", commit != nullptr ? Json(commit) : Json(nullptr)},
            {"files", files_json(files)},
            {"network", std::move(network)}};
}

Json network_json(model::Fabric const& fabric, std::string const& digest, bool aggregation_nodes_are_hosts) {
    model::NetworkOrigin const& origin = fabric.origin;
    double const base_rate = base_rate_gbps(fabric);
    Json json = {{"hosts", model::usable_hosts(fabric, aggregation_nodes_are_hosts).size()},
                 {"switches", fabric.switches()},
                 {"links", fabric.links()},
                 {"endpoints", fabric.endpoints()},
                 {"base_rate_gbps", base_rate > 0 ? real(base_rate) : Json(nullptr)},
                 {"digest", digest},
                 {"spec", word(origin.spec)},
                 {"routing", word(origin.routing)},
                 {"routing_seed", origin.routing.empty() ? Json(nullptr) : Json(origin.routing_seed)},
                 {"failed", nullptr},
                 {"dumped", word(origin.dumped)}};
    if (origin.failed())
        json["failed"] = {
            {"cables", origin.failed_cables}, {"switches", origin.failed_switches}, {"seed", origin.failure_seed}};
    if (origin.default_gbps > 0)
        json["link_rate"] = {
            {"gbps", real(origin.default_gbps)}, {"links", origin.links_by_default}, {"of", origin.links}};
    return json;
}

void add_network(Document& document, model::Fabric const& fabric, std::string const& digest,
                 bool aggregation_nodes_are_hosts) {
    document.sentence(
        fmt::format("network of {}, {}, {}, digest {}",
                    base::counted(model::usable_hosts(fabric, aggregation_nodes_are_hosts).size(), "host", "hosts"),
                    base::counted(fabric.switches(), "switch", "switches"),
                    base::counted(fabric.links(), "link", "links"), digest));
    if (std::string const origin = fabric.origin.text(); !origin.empty()) document.sentence(origin);
    model::Network const* const networks[] = {&fabric.network};
    document.shorten_names(networks);
}

double base_gigabytes_per_s(model::Fabric const& fabric) {
    constexpr double bits_a_byte = 8;
    return base_rate_gbps(fabric) / bits_a_byte;
}

Json files_json(model::NamedFiles const& files) {
    Json json = Json::object();
    for (auto const& [use, path] : files) json[use] = path;
    return json;
}

}  // namespace tailback::result
