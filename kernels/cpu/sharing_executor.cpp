// One thread a mapping, over routes as lists of links: by the body that GPUs run, too, first for loads and fates, then
// for rates and times; or, where that applies, rates and times by SharedLinks.
#include "kernels/cpu/sharing_executor.hpp"

#include "kernels/cpu/body_executor.hpp"
#include "kernels/cpu/fast/shared_links.hpp"
#include "kernels/sharing/completion.hpp"

namespace tailback::kernels {
namespace {

/// Counter: std::uint32_t, or std::uint64_t for flows with weights.
template <class Counter>
class SharingWorker {
public:
    SharingWorker(Problem const& p, MakeFinder const& make_finder) : sums(p), problem_(p), flows_(p, make_finder) {
        sharing_memory_ = HugeBuffer(sharing_.lay_out(p, nullptr));
        sharing_.lay_out(p, sharing_memory_.data());
    }
    MappingTally evaluate(std::uint64_t m) {
        CpuTeam team;
        flows_.place(team, problem_, m);
        RoutesOfFlows const routes = flows_.find(m, {problem_.traffic.levels, problem_.traffic.level_count});
        MappingTally tally = evaluate_placed<false>(team, problem_, routes, flows_.scratch(), sums.view());
        share_placed(team, problem_, routes, ScratchOfRates{flows_.scratch(), sharing_}, sums.view(), tally);
        return tally;
    }
    Totals sums;

private:
    Problem problem_;
    FlowsOfMapping<Counter> flows_;
    SharingScratch sharing_{};
    HugeBuffer sharing_memory_;
};

/// By SharedLinks.
template <class Counter>
class SharedLinksWorker {
public:
    SharedLinksWorker(Problem const& p, MakeFinder const& make_finder)
        : sums(p), problem_(p), flows_(p, make_finder), links_(p) {}
    MappingTally evaluate(std::uint64_t m) {
        CpuTeam team;
        flows_.place(team, problem_, m);
        RoutesOfFlows routes;  // of one level at a time
        TotalsView const totals = sums.view();
        Flows flows{team, problem_, routes, flows_.scratch(), totals};
        SharedSums shared;
        std::uint64_t makespan = 0;
        for (std::uint32_t l = 0; l < problem_.traffic.level_count; ++l) {
            routes = flows_.find(m, {problem_.traffic.levels + l, 1});
            collect(flows, problem_.traffic.levels[l]);
            tell(shared, makespan);
        }
        MappingTally tally = fates_of(flows.tally);
        tally.makespan = makespan;
        shared.tell(problem_.measures.sharing, tally);
        return tally;
    }
    Totals sums;

private:
    using Flows = kernel::Evaluation<false, RoutesOfFlows, CpuTeam, typename FlowsOfMapping<Counter>::TeamScratch>;

    /// The level's flows and their links, but for links of hosts that have one flow each, and the base rate.
    void collect(Flows& flows, LevelView const& level) {
        bool const with_host_links = problem_.routes.host_links_implied &&
                                     !(problem_.traffic.weights == nullptr &&
                                       problem_.measures.sharing.capacity == nullptr && level.unit_min_congestion);
        auto const add = [&](std::uint32_t slot) { links_.add_link(slot); };
        links_.begin_level();
        flows.tally.local += kernel::each_flow(flows.team, problem_, level, flows.s, [&](RankFlow const& flow) {
            auto const route = flows.routes.of_flow(level.routes_before + flow.number);
            if (!flows.note_fate(flows.fate(route))) return;
            links_.add_flow(flows.weight_of(level, flow));
            if (with_host_links) flows.each_host_link(flow, add);
            flows.routes.each(route, add);
        });
    }
    void tell(SharedSums& shared, std::uint64_t& makespan) {
        SharingView const& sharing = problem_.measures.sharing;
        links_.find_rates();
        for (std::uint32_t f = 0; f < links_.flows(); ++f) {
            shared.add_rate(sharing, links_.rate(f));
            ++sums.rates[rate_bin(sharing, links_.rate(f))];
        }
        if (!sharing.times) return;
        makespan += links_.find_times();
        for (std::uint32_t f = 0; f < links_.flows(); ++f) {
            shared.add_time(links_.ended(f), time_alone(sharing, links_.weight(f), links_.slowest(f)));
            ++sums.times[weighted_bin(links_.ended(f))];
        }
    }

    Problem problem_;
    FlowsOfMapping<Counter> flows_;
    SharedLinks links_;
};

bool applies(Problem const& p) {
    return p.measures.sharing.alone && !p.measures.sharing.by_weight && !p.measures.sharing.bottlenecks &&
           p.placement.nodes.node == nullptr;
}

template <class Counter>
std::unique_ptr<Executor> make_with(Problem const& problem, unsigned threads, MakeFinder const& finder,
                                    CpuVariant variant) {
    if (variant == CpuVariant::fastest && applies(problem))
        return std::make_unique<CpuExecutor<SharedLinksWorker<Counter>>>(threads_to_use(threads), problem, finder);
    return std::make_unique<CpuExecutor<SharingWorker<Counter>>>(threads_to_use(threads), problem, finder);
}

}  // namespace

std::unique_ptr<Executor> make_sharing_executor(Problem const& problem, unsigned threads, MakeFinder const& finder,
                                                CpuVariant variant) {
    return problem.traffic.weights != nullptr ? make_with<std::uint64_t>(problem, threads, finder, variant)
                                              : make_with<std::uint32_t>(problem, threads, finder, variant);
}

}  // namespace tailback::kernels
