#include "host/report/adaptive/expected.hpp"

#include "host/base/numbers.hpp"

#include <fmt/format.h>

namespace tailback::report {

Document document_of(ExpectedReport const& report) {
    model::Fabric const& fabric = report.fabric;
    audit::ExpectedLoads const& found = report.found;
    auto const ends = [&](model::Link link) { return link_label(fabric.ends(link, {})); };
    Document document;
    document.sentence("Expected loads of " + base::counted(report.hosts, "host", "hosts"));
    add_network(document, fabric, report.digest, report.aggregation_nodes_are_hosts);
    document.sentence(
        "Routes depend on the source or on chance: no tables hold them. What follows is the mean over all draws.");
    document.blank().sentence(fmt::format("{} of {} pairs are delivered, whatever is drawn, by {:.3f} links on average",
                                          base::grouped(found.delivered), base::grouped(found.pairs), found.mean_links),
                              2);
    if (found.delivered < found.pairs)
        document.sentence(fmt::format("({} that some draw gives no way load nothing here)",
                                      base::counted(found.pairs - found.delivered, "pair", "pairs")),
                          2);
    if (found.hottest.exists())
        document.sentence(
            fmt::format("all pairs: at most {:.3f} over a link between switches, {:.3f} on average ({:.2f} times): {}",
                        found.load[found.hottest.value], found.mean, found.load[found.hottest.value] / found.mean,
                        ends(found.hottest)),
            2);
    if (found.worst)
        return document.sentence(
            fmt::format("worst permutation: an expected load of {:.4f} flows, by {} on {}", *found.worst,
                        base::counted(found.permutation.size(), "pair", "pairs"), ends(found.worst_link)),
            2);
    return document.sentence(
        fmt::format("worst permutation: left out, {}",
                    found.hottest.exists() ? "it would take too long" : "no pair is delivered between switches"),
        2);
}

Json value_of(ExpectedReport const& report) {
    model::Fabric const& fabric = report.fabric;
    audit::ExpectedLoads const& found = report.found;
    Json permutation = Json::array(), loads = Json::array();
    for (audit::HostPair const& pair : found.permutation)
        permutation.push_back({fabric.network[fabric.network[pair.source].node].name,
                               fabric.network[fabric.network[pair.destination].node].name});
    for (std::size_t l = 0; l < found.load.size(); ++l) {
        Json one = ends_json(fabric.network, model::Link{l});
        one["pairs"] = found.load[l];
        loads.push_back(std::move(one));
    }
    Json json = head("tailback-expected-1", report.files,
                     network_json(fabric, report.digest, report.aggregation_nodes_are_hosts));
    json.update({{"pairs", {{"total", found.pairs}, {"delivered", found.delivered}}},
                 {"mean_links", found.mean_links},
                 {"between_switches",
                  {{"links", found.links},
                   {"mean", found.mean},
                   {"largest", found.hottest.exists() ? Json(found.load[found.hottest.value]) : Json(nullptr)},
                   {"hottest", ends_json(fabric.network, found.hottest)}}},
                 {"worst_permutation",
                  {{"load", or_null(found.worst)},
                   {"link", ends_json(fabric.network, found.worst_link)},
                   {"pairs", std::move(permutation)}}},
                 {"links", std::move(loads)}});
    return json;
}

}  // namespace tailback::report
