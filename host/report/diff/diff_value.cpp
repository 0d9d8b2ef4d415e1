// A diff as a value: every list whole.
#include "host/model/routes/fabric_words.hpp"
#include "host/report/diff/diff_report.hpp"
#include "host/study/fabric_digest.hpp"

#include <fmt/format.h>

namespace tailback::report {
namespace {

Json rate(model::Fabric const& fabric, model::Link link) {
    model::LinkRate const& value = fabric.network[link].rate;
    return value.stated() ? Json(model::rate_text(fabric, value)) : Json(nullptr);
}

template <class List, class ToJson>
Json list_of(List const& list, ToJson to_json) {
    Json json = Json::array();
    for (auto const& item : list) json.push_back(to_json(item));
    return json;
}

/// Where ports go by names.
void add_port_names(Json& json, char const* key, model::Network const& net, model::Node node,
                    std::vector<model::Port> const& ports) {
    if (net.named_ports())
        json[key] = list_of(ports, [&](model::Port port) { return net.given_port_name(node, port); });
}

void add_parts(Json& json, DiffReport const& report) {
    audit::FabricDiff const& diff = report.diff;
    model::Network const &before = report.before.network, &after = report.after.network;
    json["nodes"] = {{"gone", list_of(diff.nodes_gone, [&](model::Node n) { return node_json(before, n); })},
                     {"new", list_of(diff.nodes_new, [&](model::Node n) { return node_json(after, n); })},
                     {"renamed", list_of(diff.renamed, [&](auto const& pair) {
                          Json one = node_json(before, pair.first);
                          one["new_name"] = after[pair.second].name;
                          return one;
                      })}};
    json["cables"] = {{"gone", list_of(diff.cables_gone, [&](model::Link l) { return link_json(before, l); })},
                      {"new", list_of(diff.cables_new, [&](model::Link l) { return link_json(after, l); })},
                      {"other_rate", list_of(diff.rates, [&](auto const& pair) {
                           Json one = link_json(before, pair.first);
                           one["before"] = rate(report.before, pair.first);
                           one["after"] = rate(report.after, pair.second);
                           return one;
                       })}};
    json["lids"] = list_of(diff.lids, [&](auto const& change) {
        Json one = node_json(before, change.node_before);
        one.update({{"port", change.port},
                    {"before", change.before},
                    {"after", change.after},
                    {"lmc_before", change.lmc_before},
                    {"lmc_after", change.lmc_after}});
        return one;
    });
}

void add_routes(Json& json, DiffReport const& report) {
    audit::FabricDiff const& diff = report.diff;
    model::Network const &before = report.before.network, &after = report.after.network;
    json["tables"] = list_of(diff.tables, [&](auto const& change) {
        Json one = node_json(before, change.before);
        one["entries"] = change.entries;
        return one;
    });
    if (diff.has_candidates)
        json["choices"] = {{"entries", diff.candidate_entries()},
                           {"switches", list_of(diff.candidates, [&](audit::CandidateChange const& change) {
                                Json one = node_json(before, change.before);
                                one.update({{"entries", change.entries},
                                            {"lid_before", change.first.before},
                                            {"lid_after", change.first.after},
                                            {"ports_before", change.ports_before},
                                            {"ports_after", change.ports_after}});
                                add_port_names(one, "port_names_before", before, change.before, change.ports_before);
                                add_port_names(one, "port_names_after", after, change.after, change.ports_after);
                                return one;
                            })}};
    json["destinations"] = list_of(diff.destinations, [&](auto const& change) {
        Json one = node_json(before, before[change.lid.host_before].node);
        one.update({{"lid_before", change.lid.before},
                    {"lid_after", change.lid.after},
                    {"rerouted", change.rerouted},
                    {"other_fate", change.refated}});
        return one;
    });
    json["links"] = {{"more", list_of(diff.rose,
                                      [&](auto const& change) {
                                          Json one = link_json(after, change.after);
                                          one["before"] = amount_json(change.load_before);
                                          one["after"] = amount_json(change.load_after);
                                          return one;
                                      })},
                     {"less", diff.fell}};
}

}  // namespace

Json value_of(DiffReport const& report) {
    audit::FabricDiff const& diff = report.diff;
    Json fates = Json::object();
    for (std::size_t was = 0; was < 4; ++was)
        for (std::size_t now = 0; now < 4; ++now)
            if (diff.fates[was][now] > 0)
                fates[fmt::format("{}->{}", model::fate_names[was], model::fate_names[now])] = diff.fates[was][now];
    Json json = head("tailback-diff-1", report.files,
                     {{"before", network_json(report.before, study::digest(report.before))},
                      {"after", network_json(report.after, study::digest(report.after))}});
    json["equal"] = diff.equal();
    json["routed"] = diff.routed;
    json["pairs"] = {{"before", diff.pairs_before}, {"after", diff.pairs_after},    {"in_both", diff.pairs},
                     {"rerouted", diff.rerouted},   {"other_fate", diff.refated()}, {"fates", std::move(fates)}};
    if (!diff.notes.empty()) json["troubles"] = {{"gone", diff.notes.gone}, {"new", diff.notes.added}};
    add_parts(json, report);
    add_routes(json, report);
    if (report.comparison != nullptr) {
        Json numbers = list_of(report.comparison->numbers, [](ComparedNumber const& number) {
            return Json{{"what", number.what},
                        {"old", or_null(number.before)},
                        {"new", or_null(number.after)},
                        {"verdict", change_name(number.change)},
                        {"because", number.because},
                        {"cause", number.because.empty() ? Json(nullptr) : Json(number.cause_name())}};
        });
        json["verdict"] = {{"verdict", report.comparison->verdict()},
                           {"sentence", report.comparison->sentence()},
                           {"numbers", std::move(numbers)}};
        if (!report.comparison->groups.empty())
            json["verdict"]["groups"] = list_of(report.comparison->groups, [](ComparedGroup const& group) {
                auto const sums = [](std::optional<audit::GroupSum> const& side) {
                    return side ? group_sum_json(*side) : Json(nullptr);
                };
                return Json{{"name", group.name}, {"old", sums(group.before)}, {"new", sums(group.after)}};
            });
        if (report.comparison->has_candidates) json["verdict"]["judged_by"] = "equal division";
    }
    return json;
}

}  // namespace tailback::report
