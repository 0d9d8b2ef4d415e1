// Pairs of a study's hosts whose routes fail, counted and explained.
#include "host/model/pack/route_store.hpp"
#include "host/study/plan/study_plan.hpp"
#include "kernels/evaluate/dispatch.hpp"

namespace tailback::study {

FailedPairs failed_pairs(StudyPlan const& plan, std::size_t named) {
    FailedPairs result;
    kernels::Problem const& p = plan.problem;
    result.pairs = std::uint64_t{p.placement.study_hosts} * (p.placement.study_hosts - 1);
    if (p.routes.all_delivered) return result;
    auto const name = [&](std::uint32_t s, std::uint32_t d, model::Route const& route) {
        model::Network const& network = plan.fabric->network;
        model::Host const source = plan.study_hosts[s], destination = plan.study_hosts[d];
        model::Lid const lid = network[destination].lid;
        result.first.push_back(
            {source, destination, route.fate,
             lid == 0 ? network.describe(network[destination].node) + " has no LID" : route.why(*plan.fabric, lid)});
    };
    if (auto const unreachable = plan.fabric->routing->find_unreachable(*plan.fabric, plan.study_hosts, named)) {
        result.unreachable = unreachable->count;
        for (auto const& [s, d, route] : unreachable->first) name(s, d, route);
        return result;
    }
    kernels::with_routes(p, [&](auto const& routes) {
        for (std::uint32_t s = 0; s < p.placement.study_hosts; ++s)
            for (std::uint32_t d = 0; d < p.placement.study_hosts; ++d) {
                if (s == d) continue;
                std::uint32_t const fate = routes.fate(routes.find(p.routes.group[s], d));
                if (fate == 0) continue;
                result.unreachable += fate == 1;
                result.loop += fate == 2;
                result.misdelivered += fate == 3;
                if (result.first.size() >= named) continue;
                model::Route route = model::trace_from_host(*plan.fabric, plan.study_hosts[s],
                                                            plan.fabric->network[plan.study_hosts[d]].lid);
                route.fate = model::Fate(fate);
                name(s, d, route);
            }
    });
    return result;
}

}  // namespace tailback::study
