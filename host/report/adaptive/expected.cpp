#include "host/report/adaptive/expected.hpp"

#include "host/base/numbers.hpp"
#include "host/report/evaluate_report.hpp"
#include "host/report/json_values.hpp"
#include "host/report/link_label.hpp"
#include "host/report/origin_json.hpp"

#include "version.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <ostream>

namespace tailback::report {
void write_text_report(std::ostream& out, ExpectedReport const& report) {
    model::Fabric const& fabric = report.fabric;
    audit::ExpectedLoads const& found = report.found;
    fmt::print(out, "Expected loads of {}, {}, {}, digest {}\n", base::counted(report.hosts, "host", "hosts"),
               base::counted(fabric.switches(), "switch", "switches"), base::counted(fabric.links(), "link", "links"),
               report.digest);
    if (std::string const origin = fabric.origin.text(); !origin.empty())
        fmt::print(out, "{}\n", base::printable(origin));
    fmt::print(
        out,
        "Routes depend on the source or on chance: no tables hold them. What follows is the mean over all draws.\n\n"
        "  {} of {} pairs are delivered, whatever is drawn, by {:.3f} links on average\n",
        base::grouped(found.delivered), base::grouped(found.pairs), found.mean_links);
    if (found.delivered < found.pairs)
        fmt::print(out, "  ({} that some draw gives no way load nothing here)\n",
                   base::counted(found.pairs - found.delivered, "pair", "pairs"));
    auto const ends = [&](model::Link link) { return link_label(fabric.ends(link, {})); };
    if (found.hottest.exists())
        fmt::print(out,
                   "  all pairs: at most {:.3f} over a link between switches, {:.3f} on average ({:.2f} times): {}\n",
                   found.load[found.hottest.value], found.mean, found.load[found.hottest.value] / found.mean,
                   ends(found.hottest));
    if (found.worst)
        fmt::print(out, "  worst permutation: an expected load of {:.4f} flows, by {} on {}\n", *found.worst,
                   base::counted(found.permutation.size(), "pair", "pairs"), ends(found.worst_link));
    else
        fmt::print(out, "  worst permutation: left out, {}\n",
                   found.hottest.exists() ? "it would take too long" : "no pair is delivered between switches");
}

void write_json_report(std::ostream& out, ExpectedReport const& report) {
    model::Fabric const& fabric = report.fabric;
    audit::ExpectedLoads const& found = report.found;
    Json network = {{"hosts", fabric.endpoints()},
                    {"switches", fabric.switches()},
                    {"links", fabric.links()},
                    {"digest", report.digest}};
    add_origin(network, fabric.origin);
    Json permutation = Json::array(), loads = Json::array();
    for (audit::HostPair const& pair : found.permutation)
        permutation.push_back({base::printable(fabric.network[fabric.network[pair.source].node].name),
                               base::printable(fabric.network[fabric.network[pair.destination].node].name)});
    for (std::size_t l = 0; l < found.load.size(); ++l) {
        Json one = ends_json(fabric.network, model::Link{l});
        one["pairs"] = found.load[l];
        loads.push_back(std::move(one));
    }
    Json const json = {{"schema", "tailback-expected-1"},
                       {"version", version},
                       {"files", files_json(report.files)},
                       {"network", std::move(network)},
                       {"pairs", {{"total", found.pairs}, {"delivered", found.delivered}}},
                       {"mean_links", found.mean_links},
                       {"between_switches",
                        {{"links", found.links},
                         {"mean", found.mean},
                         {"largest", found.hottest.exists() ? Json(found.load[found.hottest.value]) : Json(nullptr)},
                         {"hottest", ends_json(fabric.network, found.hottest)}}},
                       {"worst_permutation",
                        {{"load", found.worst ? Json(*found.worst) : Json(nullptr)},
                         {"link", ends_json(fabric.network, found.worst_link)},
                         {"pairs", std::move(permutation)}}},
                       {"links", std::move(loads)}};
    out << json_text(json, 2) << '\n';
}

}  // namespace tailback::report
