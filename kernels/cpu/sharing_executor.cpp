// One thread a mapping, over routes as lists of links: by the body that GPUs run, too, first for loads and fates, then
// for rates and times; or, where that applies, rates and times by LocalBottlenecks and SharedLinks.
#include "kernels/cpu/sharing_executor.hpp"

#include "kernels/cpu/body_executor.hpp"
#include "kernels/cpu/fast/shared_links.hpp"
#include "kernels/cpu/local_bottlenecks.hpp"
#include "kernels/cpu/machine/stop.hpp"
#include "kernels/sharing/completion.hpp"
#include "kernels/sharing/contended_state.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

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

bool are_drawn(LevelView const& level) { return level.routes_to_keep != level.flows; }

bool have_same_ranks(TrafficView const& traffic, LevelView const& a, LevelView const& b) {
    if (a.flows != b.flows || a.unit_min_congestion != b.unit_min_congestion) return false;
    RankPair const* const flows = traffic.flows;
    return std::equal(flows + a.first_flow, flows + a.first_flow + a.flows, flows + b.first_flow,
                      [](RankPair const& one, RankPair const& other) {
                          return one.source == other.source && one.destination == other.destination;
                      });
}

/// By level the first one that has the same flows: itself, where there is none before it or flows are drawn. Steps of a
/// ring are all alike, and those of a pipeline between its beginning and its end. `by_level`: routes are a level's own.
std::vector<std::uint32_t> first_equal_levels(TrafficView const& traffic, bool by_level) {
    auto const compare = [&](LevelView const& a, LevelView const& b) {
        return have_same_ranks(traffic, a, b) &&
               (traffic.weights == nullptr ||
                std::equal(traffic.weights + a.first_flow, traffic.weights + a.first_flow + a.flows,
                           traffic.weights + b.first_flow));
    };
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> seen;  // by a digest
    std::vector<std::uint32_t> first(traffic.level_count);
    for (std::uint32_t l = 0; l < traffic.level_count; ++l) {
        first[l] = l;
        LevelView const& level = traffic.levels[l];
        if (by_level || are_drawn(level)) continue;
        std::uint64_t digest = level.flows;
        auto const add = [&](std::uint64_t word) {
            digest = (digest ^ word) * 0x9E3779B97F4A7C15u, digest ^= digest >> 32;
        };
        for (std::uint64_t f = level.first_flow; f < level.first_flow + level.flows; ++f) {
            add(std::uint64_t{traffic.flows[f].source} << 32 | traffic.flows[f].destination);
            if (traffic.weights != nullptr) add(traffic.weights[f]);
        }
        std::vector<std::uint32_t>& alike = seen[digest];
        for (std::uint32_t const before : alike)
            if (first[l] == l && compare(traffic.levels[before], level)) first[l] = before;
        if (first[l] == l) alike.push_back(l);
    }
    return first;
}

/// By level whether its flows are those of the last level before it that is the first of its kind, but for their bytes:
/// steps of a ring of a size that ranks do not divide. None where routes are a level's own.
std::vector<char> other_bytes_alone(TrafficView const& traffic, std::vector<std::uint32_t> const& first,
                                    bool by_level) {
    std::vector<char> alone(first.size());
    if (by_level) return alone;
    std::optional<std::uint32_t> last;
    for (std::uint32_t l = 0; l < first.size(); ++l) {
        if (first[l] != l) continue;
        LevelView const& level = traffic.levels[l];
        alone[l] = last && !are_drawn(level) && have_same_ranks(traffic, traffic.levels[*last], level);
        last = are_drawn(level) ? std::nullopt : std::optional(l);
    }
    return alone;
}

/// Of the flows of a level, where all have the same and every link the base rate; else 0.
std::uint64_t weight_of_all(Problem const& p, LevelView const& level) {
    if (p.measures.sharing.capacity != nullptr) return 0;
    if (p.traffic.weights == nullptr || level.flows == 0) return 1;
    std::uint64_t const* const weights = p.traffic.weights + level.first_flow;
    std::uint64_t const weight = are_drawn(level) ? 1 : *weights;
    return std::all_of(weights, weights + level.flows, [&](std::uint64_t other) { return other == weight; }) ? weight
                                                                                                             : 0;
}

/// What of a level does not depend on the mapping.
struct KindOfLevel {
    bool with_host_links = false;  ///< flows may share the links of their hosts
    std::uint64_t weight = 0;      ///< weight_of_all, where LocalBottlenecks are asked
};

/// By level that is the first of its kind.
std::vector<KindOfLevel> kinds_of_levels(Problem const& p, std::vector<std::uint32_t> const& first,
                                         std::vector<char> const& other_bytes) {
    std::vector<KindOfLevel> kinds(first.size());
    bool others_follow = false;  // which need SharedLinks
    for (std::size_t l = first.size(); l-- > 0;) {
        if (first[l] != l) continue;
        LevelView const& level = p.traffic.levels[l];
        kinds[l].with_host_links = shares_host_links(p, level) && !ContendedSizes::has_ranks_of_one_flow(p, level);
        if (other_bytes[l] == 0 && !others_follow) kinds[l].weight = weight_of_all(p, level);
        others_follow = other_bytes[l] != 0;
    }
    return kinds;
}

/// By LocalBottlenecks or SharedLinks. What a level adds is kept for those that have the same flows: sums of whole
/// numbers, whose order does not matter.
template <class Counter>
class SharedLinksWorker {
public:
    SharedLinksWorker(Problem const& p, MakeFinder const& make_finder)
        : sums(p),
          problem_(p),
          flows_(p, make_finder),
          links_(p),
          bottlenecks_(p),
          first_(first_equal_levels(p.traffic, flows_.goes_by_level())),
          other_bytes_alone_(other_bytes_alone(p.traffic, first_, flows_.goes_by_level())),
          kinds_(kinds_of_levels(p, first_, other_bytes_alone_)),
          any_other_bytes_(std::count(other_bytes_alone_.begin(), other_bytes_alone_.end(), 1) > 0) {
        for (std::uint32_t l = 0; l < first_.size(); ++l)
            if (first_[l] != l) kept_[first_[l]];
    }
    MappingTally evaluate(std::uint64_t m) {
        CpuTeam team;
        flows_.place(team, problem_, m);
        RoutesOfFlows routes;  // of one level at a time
        TotalsView const totals = sums.view();
        Flows flows{team, problem_, routes, flows_.scratch(), totals};
        SharedSums shared;
        MappingTally tally{};
        std::uint64_t makespan = 0;
        for (std::uint32_t l = 0; l < problem_.traffic.level_count; ++l) {
            auto const kept = kept_.find(first_[l]);
            Added& added = kept == kept_.end() ? alone_ : kept->second;
            if (first_[l] == l) share(flows, routes, m, l, added);
            shared.add(added.sums);
            makespan += added.makespan;
            for (auto const fate : fates) tally.*fate += added.fates.*fate;
            for (Bin const& bin : added.bins) (bin.of_times ? sums.times : sums.rates)[bin.bin] += bin.flows;
        }
        tally.makespan = makespan;
        shared.tell(problem_.measures.sharing, tally);
        return tally;
    }
    Totals sums;

private:
    using Flows = kernel::Evaluation<false, RoutesOfFlows, CpuTeam, typename FlowsOfMapping<Counter>::TeamScratch>;

    /// So many flows of a rate, or of a time.
    struct Bin {
        bool of_times;
        std::uint32_t bin;
        std::uint64_t flows;
    };
    /// What a level adds to a mapping.
    struct Added {
        SharedSums sums{};
        std::uint64_t makespan = 0;
        MappingTally fates{};
        std::vector<Bin> bins;
    };
    static constexpr std::uint64_t MappingTally::*fates[] = {&MappingTally::delivered, &MappingTally::unreachable,
                                                             &MappingTally::loop,      &MappingTally::misdelivered,
                                                             &MappingTally::local,     &MappingTally::within_nodes};

    /// What level l of mapping m adds.
    void share(Flows& flows, RoutesOfFlows& routes, std::uint64_t m, std::uint32_t l, Added& added) {
        LevelView const& level = problem_.traffic.levels[l];
        if (other_bytes_alone_[l] != 0) {
            take_bytes(level);
        } else {
            bool const by_bottlenecks = kinds_[l].weight != 0;
            if (by_bottlenecks && share_by_bottlenecks(flows, routes, m, level, kinds_[l], added)) return;
            if (!by_bottlenecks) routes = flows_.find(m, {&level, 1});
            collect_links(flows, level, kinds_[l]);
            tell_rates();
        }
        added = rates_;
        tell_times(added);
    }
    /// @return false where LocalBottlenecks cannot tell the rates; then `routes` are found. They are found once: some
    ///         finders go by what they found before.
    bool share_by_bottlenecks(Flows& flows, RoutesOfFlows& routes, std::uint64_t m, LevelView const& level,
                              KindOfLevel const& kind, Added& added) {
        std::optional<MappingTally> fates = flows_.list(m, level, kind.with_host_links, bottlenecks_);
        bool const listed = fates.has_value();
        if (!listed) {
            routes = flows_.find(m, {&level, 1});
            fates = list_found(flows, level, kind);
        }
        if (bottlenecks_.find_rates()) {
            tell_bottlenecks(kind, *fates, added);
            return true;
        }
        if (listed) routes = flows_.find(m, {&level, 1});
        return false;
    }
    /// FlowRouteFinder::list, of routes that are found.
    MappingTally list_found(Flows& flows, LevelView const& level, KindOfLevel const& kind) {
        bottlenecks_.begin_level(level.routes_to_keep);
        collect(flows, level, kind.with_host_links, bottlenecks_, [&](RankFlow const&) { bottlenecks_.add_flow(); });
        MappingTally fates = flows.tally;
        fates.within_nodes = within_nodes_.size();
        return fates;
    }
    /// Of flows of one size one that ends has a larger rate than all that still run, and none of those has more
    /// without it: they all end by their first rates.
    void tell_bottlenecks(KindOfLevel const& kind, MappingTally const& fates, Added& added) {
        SharingView const& sharing = problem_.measures.sharing;
        added.sums = {}, added.makespan = 0, added.bins.clear();
        added.fates = fates_of(fates);
        added.fates.within_nodes *= kind.weight;
        for (auto const& [rate, count] : bottlenecks_.rates()) {
            added.sums.add_rate(sharing, rate, count);
            added.bins.push_back({false, rate_bin(sharing, rate), count});
            if (!sharing.times) continue;
            std::uint64_t const end = time_alone(sharing, kind.weight, rate);
            added.makespan = std::max(added.makespan, end);
            added.sums.add_time(end, time_alone(sharing, kind.weight, sharing.unit), count);
            added.bins.push_back({true, weighted_bin(end), count});
        }
    }
    /// Calls begin(flow) for each flow that has a route, and links.add_link(slot) for its links, but for links of hosts
    /// that have one flow each, and the base rate.
    template <class Links, class Begin>
    void collect(Flows& flows, LevelView const& level, bool with_host_links, Links& links, Begin&& begin) {
        constexpr std::uint32_t heeded = 4096;  // flows between two looks
        StopWish const stop = StopWish::held();
        auto const add = [&](std::uint32_t slot) { links.add_link(slot); };
        within_nodes_.clear();
        flows.tally = {};
        flows.tally.local += kernel::each_flow(flows.team, problem_, level, flows.s, [&](RankFlow const& flow) {
            if (flow.number % heeded == 0) stop.heed();
            if (flows.is_within_node(flow)) {
                flows.tally.within_nodes += flows.weight_of(level, flow);
                within_nodes_.push_back(flow.number);
                return;
            }
            auto const route = flows.routes.of_flow(level.routes_before + flow.number);
            if (!flows.note_fate(flows.fate(route))) return;
            begin(flow);
            if (with_host_links) flows.each_host_link(flow, add);
            flows.routes.each(route, add);
        });
    }
    void collect_links(Flows& flows, LevelView const& level, KindOfLevel const& kind) {
        rates_ = {};
        links_.begin_level();
        number_of_flow_.clear();
        collect(flows, level, kind.with_host_links, links_, [&](RankFlow const& flow) {
            links_.add_flow(flows.weight_of(level, flow));
            number_of_flow_.push_back(flow.number);
        });
        rates_.fates = fates_of(flows.tally);
    }
    /// Of a level whose flows are those of the one before, but for their bytes.
    void take_bytes(LevelView const& level) {
        std::uint64_t const* const weights = problem_.traffic.weights + level.first_flow;
        links_.give_back_rates();
        for (std::uint32_t f = 0; f < links_.flows(); ++f) links_.set_weight(f, weights[number_of_flow_[f]]);
        rates_.fates.within_nodes = 0;
        for (std::uint32_t const flow : within_nodes_) rates_.fates.within_nodes += weights[flow];
    }
    void note(std::uint32_t bin) {
        if (bin >= flows_of_bin_.size()) flows_of_bin_.resize(bin + std::size_t{1});
        if (flows_of_bin_[bin]++ == 0) met_.push_back(bin);
    }
    /// What was noted.
    void take_bins(Added& added, bool of_times) {
        for (std::uint32_t const bin : met_)
            added.bins.push_back({of_times, bin, std::exchange(flows_of_bin_[bin], 0)});
        met_.clear();
    }
    void tell_rates() {
        SharingView const& sharing = problem_.measures.sharing;
        links_.find_rates();
        if (any_other_bytes_) links_.keep_rates();
        for (std::uint32_t f = 0; f < links_.flows(); ++f) {
            rates_.sums.add_rate(sharing, links_.rate(f));
            note(rate_bin(sharing, links_.rate(f)));
        }
        take_bins(rates_, false);
    }
    void tell_times(Added& added) {
        if (!problem_.measures.sharing.times) return;
        added.makespan = links_.find_times();
        for (std::uint32_t f = 0; f < links_.flows(); ++f) {
            added.sums.add_time(links_.ended(f), links_.alone(f));
            note(weighted_bin(links_.ended(f)));
        }
        take_bins(added, true);
    }

    Problem problem_;
    FlowsOfMapping<Counter> flows_;
    SharedLinks links_;
    LocalBottlenecks bottlenecks_;
    std::vector<std::uint32_t> const first_;
    std::vector<char> const other_bytes_alone_;
    std::vector<KindOfLevel> const kinds_;
    bool const any_other_bytes_;
    std::vector<std::uint32_t> number_of_flow_, within_nodes_;  ///< of the level whose links are there
    Added rates_;                                               ///< of it, but for times
    std::unordered_map<std::uint32_t, Added> kept_;             ///< of this mapping, by level: what others have again
    std::vector<std::uint64_t> flows_of_bin_;
    std::vector<std::uint32_t> met_;  ///< bins that have some
    Added alone_;                     ///< what no other has
};

bool applies(Problem const& p) {
    return p.measures.sharing.alone && !p.measures.sharing.by_weight && !p.measures.sharing.bottlenecks &&
           p.placement.nodes.aligned == nullptr;
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
