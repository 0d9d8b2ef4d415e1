#include "host/report/origin_json.hpp"

#include "host/base/numbers.hpp"
#include "host/report/json_values.hpp"

namespace tailback::report {

void add_origin(nlohmann::ordered_json& network, model::NetworkOrigin const& origin) {
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

nlohmann::ordered_json timing_json(study::Timing const& timing) {
    nlohmann::ordered_json json = {
        {"dependencies", timing.schedule != nullptr                           ? "schedule"
                         : timing.dependencies == study::Dependencies::causal ? "causal"
                                                                              : "barrier"},
        {"compute", timing.compute.text},
        {"link_latency", timing.link_latency.text},
        {"switch_latency", timing.switch_latency.text},
        {"switching", timing.switching == study::Switching::cut_through ? "cut-through" : "store-and-forward"}};
    for (study::ClassPriority const& one : timing.priorities)
        json["priorities"][base::printable(one.name)] = {{"strict", one.priority.rank},
                                                         {"weight", one.priority.weight}};
    return json;
}

}  // namespace tailback::report
