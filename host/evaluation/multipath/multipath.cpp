#include "host/evaluation/multipath/multipath.hpp"

#include "host/base/error.hpp"
#include "host/evaluation/adaptive/found_loads.hpp"
#include "host/evaluation/adaptive/walked_executors.hpp"
#include "host/model/fabric/fabric_traits.hpp"

#include <algorithm>

namespace tailback::evaluation {
namespace {

std::uint32_t checked_lmc(study::StudyPlan const& plan) {
    std::uint32_t const lmc = plan.fabric->formula ? 0 : largest_lmc(plan.fabric->network, plan.study_hosts);
    require_several_lids(plan, lmc);
    return lmc;
}

model::Fabric const& with_equal_routes(study::StudyPlan const& plan) {
    if (plan.fabric->candidates == nullptr)
        throw base::InputError({}, "--queue-pairs needs routes of equal cost",
                               "the routes of this fabric leave no choice",
                               "choose frr:DIR, or --routing ar:minimal, ar:updn or ar:ftree");
    if (plan.problem.placement.nodes.aligned != nullptr)
        throw base::InputError({}, "--rail-aligned does not go with --queue-pairs", "", "leave one of them out");
    return *plan.fabric;
}

}  // namespace

void require_several_lids(study::StudyPlan const& plan, std::uint32_t lmc) {
    if (model::traits_of(*plan.fabric).is_ip)
        throw base::InputError({}, "routers have no LIDs to spread flows over", "they choose by a hash of each flow",
                               "give --queue-pairs 1,2,4,..");
    if (plan.fabric->routing->depends_on_source() || plan.fabric->formula)
        throw base::InputError({}, "there are no LIDs to spread flows over", "forwarding tables have routes to LIDs",
                               "choose a routing that depends on the destination alone");
    if (lmc == 0)
        throw base::InputError({}, "there are no LIDs to spread flows over", "every host of the study has one (LMC 0)",
                               "take dumps of a subnet with LMC above 0, or give --lmc with a --routing");
    if (plan.problem.placement.nodes.aligned != nullptr)
        throw base::InputError({}, "--rail-aligned does not go with flows that are spread over LIDs", "",
                               "leave one of them out");
}

MultipathStudy::MultipathStudy(study::StudyPlan const& plan, std::vector<LidSpread> const& spreads)
    : lmc_(checked_lmc(plan)), forwarding_(*plan.fabric), spreads_{LidSpread::base}, columns_(plan) {
    columns_.add_plain(spread_name(LidSpread::base));
    for (LidSpread const spread : spreads) {
        if (std::find(spreads_.begin(), spreads_.end(), spread) != spreads_.end()) continue;
        spreads_.push_back(spread);
        add_walked(
            columns_, spread_name(spread), {.parts = spread == LidSpread::all ? std::uint64_t{1} << lmc_ : 1}, "",
            [this, spread](study::StudyPlan const& column, unsigned threads) {
                return make_spread_executor(column, forwarding_, spread, threads);
            },
            spread_on_cuda(plan, forwarding_, spread));
    }
}

MultipathStudy::MultipathStudy(study::StudyPlan const& plan, QueuePairCounts const& queue_pairs, unsigned threads)
    : lmc_(0), one_hash_(!queue_pairs.hash.by_mapping), forwarding_(with_equal_routes(plan)), columns_(plan) {
    costs_ = model::link_costs(plan.fabric->network, plan.study.measures.capacities);
    sets_.emplace(forwarding_, model::ChoicesOf::sets, plan.study_hosts);
    split_.emplace(*sets_, plan.study_hosts, threads);
    study::FlowDivision division;
    division.routes_from = study::RoutesFrom::loads;
    division.parts = split_->unit();
    columns_.add(
        "equal", division, std::to_string(split_->unit()),
        [this](study::StudyPlan const& column, unsigned of) {
            return make_equal_executor(column, *split_, costs_, of);
        },
        [this](study::StudyPlan const& column) { return make_cuda_equal_executor(column, *split_, costs_); });
    topologies::FlowHashOptions hash = queue_pairs.hash;
    hash.seed = plan.study.sample.seed;
    hash_is_drawn_ = topologies::FlowHash(hash, plan.fabric->ip.get()).draws(*plan.fabric);
    for (std::uint32_t const count : queue_pairs.counts) {
        if (std::find(queue_pairs_.begin(), queue_pairs_.end(), count) != queue_pairs_.end()) continue;
        queue_pairs_.push_back(count);
        division.routes_from = study::RoutesFrom::finder;
        division.parts = count;
        HashedWays const ways{*sets_, hash, plan.fabric->ip.get(), count};
        add_walked(
            columns_, std::to_string(count), division, hash_identity(hash),
            [ways](study::StudyPlan const& column, unsigned of) { return make_hashed_executor(column, ways, of); },
            hashed_on_cuda(plan, ways));
    }
}

Multipath MultipathStudy::conclude(std::vector<Evaluation>&& results) const {
    Multipath found;
    found.mappings = results.front().mappings;
    found.interrupted = results.front().interrupted;
    found.threads = results.front().threads;
    found.evaluate_s = results.front().evaluate_s;
    found.lmc = lmc_;
    found.spreads = spreads_;
    found.queue_pairs = queue_pairs_;
    found.one_hash = one_hash_;
    found.hash_is_drawn = hash_is_drawn_;
    found.columns = columns_.conclude(std::move(results));
    return found;
}

}  // namespace tailback::evaluation
