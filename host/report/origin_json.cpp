#include "host/report/origin_json.hpp"

#include "host/base/numbers.hpp"

namespace tailback::report {

void add_origin(nlohmann::ordered_json& network, model::NetworkOrigin const& origin) {
    using Json = nlohmann::ordered_json;
    auto const word = [](std::string const& text) {
        return text.empty() ? Json(nullptr) : Json(base::printable(text));
    };
    network["spec"] = word(origin.spec);
    network["routing"] = word(origin.routing);
    network["routing_seed"] = origin.routing.empty() ? Json(nullptr) : Json(origin.routing_seed);
    network["failed"] = nullptr;
    if (origin.failed())
        network["failed"] = {
            {"cables", origin.failed_cables}, {"switches", origin.failed_switches}, {"seed", origin.failure_seed}};
}

nlohmann::ordered_json files_json(model::NamedFiles const& files) {
    auto json = nlohmann::ordered_json::object();
    for (auto const& [use, path] : files) json[use] = base::printable(path);
    return json;
}

}  // namespace tailback::report
