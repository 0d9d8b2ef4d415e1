// The page of a comparison with a plan of cables: what is wrong, on the map, and what it costs.
#include "host/report/html/page_parts.hpp"
#include "host/report/plan/plan_report.hpp"

namespace tailback::report {
namespace {

/// Nodes at the ends that the plan names, and cables that are there, of a mistake.
Json mistake_on_map(PlanReport const& report, audit::CableMistake const& mistake) {
    Json links = Json::array(), nodes = Json::array();
    for (model::Link const link : mistake.found) links.push_back(link.value);
    for (std::size_t const number : mistake.planned)
        for (formats::PlannedEnd const* end : {&report.plan.cables[number].from, &report.plan.cables[number].to})
            if (model::Node const node = report.names.find(*end).first; node.exists()) nodes.push_back(node.value);
    return {{"text", report.text_of(mistake)}, {"links", std::move(links)}, {"nodes", std::move(nodes)}};
}

}  // namespace

void write_html(std::ostream& out, PlanReport const& report) {
    Json fabric = fabric_json(report.fabric, audit::levels_of(report.fabric.network));
    if (!fabric.is_null()) {
        std::size_t const links = report.fabric.network.links().size();
        add_loads(fabric, std::vector<Json>(links, nullptr), std::vector<Json>(links, -1), Json::array());
    }
    Json data = with_map("plan", value_of(report), std::move(fabric));
    data["verdict"] = report.verdict();
    data["on_map"] = Json::array();
    for (audit::CableMistake const& mistake : report.found.mistakes)
        data["on_map"].push_back(mistake_on_map(report, mistake));
    data["cost_words"] = report.cost_words();
    write_page(out, "Is it cabled as planned?", std::move(data));
}

}  // namespace tailback::report
