// One thread a mapping: by the body that GPUs run, too, first for loads and fates, then for rates and times; or, where
// that applies, rates and times by SharedLinks.
#include "kernels/cpu/sharing_executor.hpp"

#include "kernels/cpu/body_executor.hpp"
#include "kernels/cpu/fast/prefetch.hpp"
#include "kernels/cpu/fast/shared_links.hpp"
#include "kernels/sharing/completion.hpp"

#include <type_traits>

namespace tailback::kernels {
namespace {

/// Counter: std::uint32_t, or std::uint64_t for flows with weights.
template <class Routes, class Counter>
class SharingWorker {
public:
    SharingWorker(Problem const& p, Routes const& routes) : sums(p), problem_(p), routes_(routes) {
        memory_ = HugeBuffer(scratch_.lay_out(p, nullptr, true));
        std::memset(memory_.data(), 0, memory_.size());
        scratch_.lay_out(p, memory_.data(), true);
        sharing_memory_ = HugeBuffer(sharing_.lay_out(p, nullptr));
        sharing_.lay_out(p, sharing_memory_.data());
    }
    MappingTally evaluate(std::uint64_t m) {
        CpuTeam team;
        MappingTally tally = evaluate_mapping<false>(team, problem_, routes_, m, scratch_, sums.view());
        share_placed(team, problem_, routes_, scratch_, sharing_, sums.view(), tally);
        return tally;
    }
    Totals sums;

private:
    Problem problem_;
    Routes routes_;
    Scratch<Counter, typename Routes::Kept> scratch_;
    SharingScratch sharing_{};
    HugeBuffer memory_, sharing_memory_;
};

/// By SharedLinks.
template <class Routes, class Counter>
class SharedLinksWorker {
public:
    SharedLinksWorker(Problem const& p, Routes const& routes) : sums(p), problem_(p), routes_(routes), links_(p) {
        memory_ = HugeBuffer(scratch_.lay_out(p, nullptr, true));
        std::memset(memory_.data(), 0, memory_.size());
        scratch_.lay_out(p, memory_.data(), true);
    }
    MappingTally evaluate(std::uint64_t m) {
        CpuTeam team;
        TotalsView const totals = sums.view();
        kernel::place_ranks(team, problem_, m, scratch_);
        Flows flows{team, problem_, routes_, scratch_, totals};
        SharedSums shared;
        std::uint64_t makespan = 0;
        for (std::uint32_t l = 0; l < problem_.level_count; ++l) {
            collect(flows, problem_.levels[l]);
            tell(shared, makespan);
        }
        MappingTally tally = fates_of(flows.tally);
        tally.makespan = makespan;
        shared.tell(problem_.sharing, tally);
        return tally;
    }
    Totals sums;

private:
    using TeamScratch = Scratch<Counter, typename Routes::Kept>;
    using Flows = kernel::Evaluation<false, Routes, CpuTeam, TeamScratch>;

    /// The level's flows and their links, but for links of hosts that have one flow each, and the base rate.
    void collect(Flows& flows, LevelView const& level) {
        bool const with_host_links =
            problem_.host_links_implied &&
            !(problem_.weights == nullptr && problem_.sharing.capacity == nullptr && level.unit_min_congestion);
        std::uint32_t const padding = problem_.inner;
        auto const add = [&](std::uint32_t slot) {
            if (slot != padding) links_.add_link(slot);
        };
        links_.begin_level();
        if constexpr (requires { routes_.place(0u, 0u); })  // rows are far apart: ask for all of them first
            if (problem_.routes_exceed_cache)
                kernel::each_flow(flows.team, problem_, level, scratch_, [&](RankFlow const& flow) {
                    prefetch(routes_.place(problem_.group[flows.source_of(flow).value],
                                           flows.host_of(flow.destination).value));
                });
        flows.tally.local += kernel::each_flow(flows.team, problem_, level, scratch_, [&](RankFlow const& flow) {
            auto const route = flows.find(flow);
            if (!flows.note_fate(flows.fate(route))) return;
            links_.add_flow(flows.weight_of(level, flow));
            if (with_host_links) flows.each_host_link(flow, add);
            routes_.each(route, add);
        });
    }
    void tell(SharedSums& shared, std::uint64_t& makespan) {
        SharingView const& sharing = problem_.sharing;
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
    Routes routes_;
    TeamScratch scratch_;
    HugeBuffer memory_;
    SharedLinks links_;
};

bool applies(Problem const& p) {
    return p.sharing.alone && !p.sharing.by_weight && !p.sharing.bottlenecks && p.nodes.node == nullptr;
}

template <class Counter>
std::unique_ptr<Executor> make_with(Problem const& problem, unsigned threads, CpuVariant variant) {
    std::unique_ptr<Executor> executor;
    with_routes(problem, [&]<class Routes>(Routes const& routes) {
        auto const make = [&]<class Worker>(std::type_identity<Worker>) {
            executor = std::make_unique<CpuExecutor<Worker>>(threads_to_use(threads), problem, routes);
        };
        if (variant == CpuVariant::fastest && applies(problem))
            make(std::type_identity<SharedLinksWorker<Routes, Counter>>{});
        else make(std::type_identity<SharingWorker<Routes, Counter>>{});
    });
    return executor;
}

}  // namespace

std::unique_ptr<Executor> make_sharing_executor(Problem const& problem, unsigned threads, CpuVariant variant) {
    return problem.weights != nullptr ? make_with<std::uint64_t>(problem, threads, variant)
                                      : make_with<std::uint32_t>(problem, threads, variant);
}

}  // namespace tailback::kernels
