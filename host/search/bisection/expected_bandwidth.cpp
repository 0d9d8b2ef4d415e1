#include "host/search/bisection/expected_bandwidth.hpp"

#include "host/base/error.hpp"
#include "host/model/tables.hpp"
#include "host/search/bisection/expected_bisection.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace tailback::search {
namespace {

[[noreturn]] void refuse_ebb(std::string const& why, std::string const& what_to_do) {
    throw base::InputError({}, "--ebb formula is not defined for this study", why, what_to_do, "ebb");
}

/// The formula counts flows: by a link of another capacity than 1 more of them get a whole part, or fewer.
bool links_are_alike(SwitchGraph const& graph, model::LinkCosts const& costs) {
    auto const has_one = [&](model::Link link) {
        return !link.exists() || costs.cost.empty() || costs.cost[link.value] == costs.denominator;
    };
    return std::ranges::all_of(graph.arcs(), [&](Arc const& arc) { return has_one(arc.link); }) &&
           std::ranges::all_of(graph.seats(), [&](Seat const& seat) {
               model::Link const up = graph.network().up_link(seat.host);
               return has_one(up) && has_one(graph.network()[up].reverse);
           });
}

}  // namespace

double expected_bandwidth(study::StudyPlan const& plan) {
    study::Study const& study = plan.study;
    model::Fabric const& fabric = *plan.fabric;
    if (study.traffic.pattern != "bisect")
        refuse_ebb("it is of hosts that are paired at random, and the pattern is " + study.traffic.pattern,
                   "choose --pattern bisect, or leave --ebb out");
    if (study.placement.mapping != study::MappingKind::random || study.placement.nodes ||
        study.placement.ranks != plan.study_hosts.size())
        refuse_ebb("it is of all hosts of a study, each with one rank by a random mapping",
                   "leave --mapping, --nodes and --ranks out, or --ebb");
    if (study.measures.sharing != study::Sharing::linear)
        refuse_ebb("it is of 1/congestion, and bandwidth is shared max-min",
                   "choose --sharing linear, or leave --ebb out");
    if (fabric.candidates != nullptr)
        refuse_ebb("switches choose among several ports, so flows may divide", "leave --ebb out");
    if (fabric.formula || fabric.tables.tables() == 0)
        refuse_ebb("these routes are no forwarding tables", "choose a routing by destination, or leave --ebb out");
    model::Network const& network = fabric.network;
    std::vector<model::Host> hosts = plan.study_hosts;
    std::sort(hosts.begin(), hosts.end());  // the order of audits, so the same sums
    SwitchGraph const graph(network, hosts, study.measures.capacities);
    if (!links_are_alike(graph, model::link_costs(network, study.measures.capacities)))
        refuse_ebb("links have several rates, and the formula counts links alike",
                   "add --capacities unit, or leave --ebb out");
    if (graph.seats().size() != plan.study_hosts.size())
        refuse_ebb("some hosts have no LID or no cable to a switch", "choose other hosts, or leave --ebb out");
    ExpectedBisection const expected = expect_bisection(graph, fabric.tables);
    if (!expected.missing.empty()) refuse_ebb(expected.missing, "leave --ebb out");
    return expected.mean;
}

}  // namespace tailback::search
