#include "host/search/places/plan_ways.hpp"

#include "host/base/error.hpp"
#include "host/base/memory.hpp"
#include "host/base/numbers.hpp"
#include "host/io/progress.hpp"
#include "kernels/cpu/body_executor.hpp"
#include "kernels/cpu/machine/stop.hpp"
#include "kernels/cpu/machine/threads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace tailback::search {
namespace {

/// Ways from one place to all.
struct WaysFrom {
    std::vector<std::uint32_t> slots;  ///< the plan's numbers of their links, one way after the other
    std::vector<std::size_t> ends;     ///< by destination: where in `slots` its way ends
    std::uint64_t lost = 0;            ///< ways that end nowhere
};

/// Follows the ways of one place at a time; each thread has its own.
class WayFinder {
public:
    explicit WayFinder(kernels::Problem const& problem)
        : p_(problem), flows_(p_, kernels::flow_route_finder(p_)), ranks_(p_.placement.ranks) {
        flows_.place(team_, p_, 0);
    }
    WayFinder(WayFinder const&) = delete;  // the finder reads its problem

    void find(std::uint32_t source, WaysFrom& from) {
        from.slots.clear();
        from.ends.clear();
        from.lost = 0;
        pairs_.clear();
        for (std::uint32_t destination = 0; destination < ranks_; ++destination)
            pairs_.push_back({source, destination});
        kernels::LevelView level;
        level.flows = level.routes_to_keep = ranks_;
        p_.traffic.flows = pairs_.data();
        kernels::RoutesOfFlows routes = flows_.find(0, {&level, 1});
        Flows const flows{team_, p_, routes, flows_.scratch(), none_};
        kernels::kernel::each_flow(team_, p_, level, flows_.scratch(), [&](kernels::RankFlow const& flow) {
            if (flow.source.value != flow.destination.value && !flows.is_within_node(flow)) {
                auto const route = routes.of_flow(flow.number);
                auto const add = [&](std::uint32_t slot) { from.slots.push_back(slot); };
                std::uint32_t const up = p_.routes.inner + 4, down = up + p_.placement.study_hosts;
                if (routes.fate(route) != 0) {
                    ++from.lost;
                } else {
                    if (p_.routes.host_links_implied) add(up + flows.source_of(flow).value);
                    routes.each(route, add);
                    if (p_.routes.host_links_implied) add(down + flows.host_of(flow.destination).value);
                }
            }
            from.ends.push_back(from.slots.size());
        });
    }

private:
    using Flows = kernels::kernel::Evaluation<false, kernels::RoutesOfFlows, kernels::CpuTeam,
                                              kernels::FlowsOfMapping<std::uint64_t>::TeamScratch>;
    kernels::Problem p_;
    kernels::CpuTeam team_;
    kernels::FlowsOfMapping<std::uint64_t> flows_;
    kernels::TotalsView none_{};
    std::uint32_t ranks_;
    std::vector<kernels::RankPair> pairs_;
};

/// The links of the ways between the places that the ranks of a plan sit on, numbered as they first come.
class WaysOfPlan {
public:
    /// @param cost, slots out: by link, its cost and the plan's number of it
    WaysOfPlan(study::StudyPlan const& plan, std::vector<std::uint32_t>& cost, std::vector<std::uint32_t>& slots)
        : p_(plan.problem),
          ranks_(p_.placement.ranks),
          cost_(cost),
          slots_(slots),
          number_(p_.routes.slots, UINT32_MAX) {}

    Ways find(unsigned threads) {
        io::Progress progress("ways between places", ranks_, "places");
        auto const stop = kernels::StopWish::now();
        first_.reserve(std::size_t{ranks_} * ranks_ + 1);
        constexpr std::uint32_t sources_of_a_thread = 16;  // between two waits of the threads for each other
        threads = std::min(threads, ranks_ / sources_of_a_thread + 1);
        std::vector<std::unique_ptr<WayFinder>> finders(threads);
        std::vector<WaysFrom> found(std::min(ranks_, threads * sources_of_a_thread));
        for (std::uint32_t begin = 0; begin < ranks_;) {
            // the first alone: by its ways memory is asked for
            auto const count = begin == 0 ? 1 : std::min<std::size_t>(found.size(), ranks_ - begin);
            kernels::NextOf next(count);
            kernels::in_threads(begin == 0 ? 1 : threads, [&] {
                auto& finder = finders[static_cast<std::size_t>(kernels::this_thread())];
                if (!finder) finder = std::make_unique<WayFinder>(p_);
                for (std::size_t k; next.take(k);) {
                    stop.heed();
                    finder->find(begin + static_cast<std::uint32_t>(k), found[k]);
                }
            });
            for (std::size_t k = 0; k < count; ++k) add(found[k]);
            if (begin == 0) require_ways(links_.size());
            begin += static_cast<std::uint32_t>(count);
            progress.show(begin);
        }
        if (lost_ > 0)
            throw base::InputError(
                {}, fmt::format("{} of the places are not delivered", base::counted(lost_, "pair", "pairs")),
                "an order could lose flows then", "look for the cause with `tailback audit`, or choose other nodes");
        return {ranks_, std::move(first_), std::move(links_)};
    }

private:
    void add(WaysFrom const& from) {
        std::size_t const before = links_.size();
        for (std::uint32_t const slot : from.slots) {
            if (number_[slot] == UINT32_MAX) {
                number_[slot] = static_cast<std::uint32_t>(cost_.size());
                slots_.push_back(slot);
                cost_.push_back(p_.routes.cost == nullptr ? 1 : p_.routes.cost[slot]);
            }
            links_.push_back(number_[slot]);
        }
        for (std::size_t const end : from.ends) first_.push_back(before + end);
        lost_ += from.lost;
    }
    /// For all ways, by those of the first place.
    void require_ways(std::uint64_t of_one) {
        std::uint64_t const all = of_one * ranks_ + of_one * ranks_ / 8;
        base::require_memory("ways between places", first_.capacity() * sizeof first_[0] + all * sizeof links_[0],
                             "choose fewer nodes");
        links_.reserve(all);
    }

    kernels::Problem const& p_;
    std::uint32_t ranks_;
    std::vector<std::uint32_t>&cost_, &slots_, number_;  ///< `number_` by slot
    std::vector<std::uint64_t> first_ = {0};
    std::vector<std::uint32_t> links_;
    std::uint64_t lost_ = 0;
};

}  // namespace

Ways ways_of(study::StudyPlan const& plan, unsigned threads, std::vector<std::uint32_t>& cost,
             std::vector<std::uint32_t>& slots) {
    std::uint64_t const places = plan.problem.placement.ranks;
    base::require_memory("ways between places", places * places * sizeof(std::uint64_t), "choose fewer nodes");
    return WaysOfPlan(plan, cost, slots).find(kernels::threads_to_use(threads));
}

}  // namespace tailback::search
