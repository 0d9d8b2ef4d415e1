// First the flows of a batch of mappings are listed by destination, then their routes are found while the trees to
// these destinations are there, and last the mappings are evaluated with the routes that were found.
#include "host/evaluation/tree_executor.hpp"

#include "host/base/error.hpp"
#include "kernels/cpu/team.hpp"
#include "kernels/cpu/threads.hpp"
#include "kernels/evaluate/dispatch.hpp"
#include "kernels/evaluate/evaluate.hpp"
#include "topologies/tree_routes.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>

namespace tailback {
namespace {

/// Routes found before, in the order in which the kernel asks for them: each a word with its length, then its slots.
/// The first of all has no slots: it stands for flows that are not delivered, and for none.
struct FoundRoutes {
    using Kept = std::uint32_t;  ///< a place in the words

    std::uint32_t const* words;
    std::uint32_t const** next;  ///< where the next flow's route lies: moved by every find

    Kept find(std::uint32_t, std::uint32_t) const { return *(*next)++; }
    std::uint32_t fate(Kept route) const { return route == 0 ? static_cast<std::uint32_t>(Fate::unreachable) : 0; }
    template <class Visit>
    void each(Kept route, Visit&& visit) const {
        for (std::uint32_t i = 1; i <= words[route]; ++i) visit(words[route + i]);
    }
    static constexpr bool pads = false;
    static constexpr bool stored = true;
};

/// A flow by its seats.
struct SeatPair {
    std::uint32_t source, destination;
};

class TreeExecutor final : public Executor {
public:
    TreeExecutor(StudyPlan const& plan, unsigned threads)
        : plan_(plan),
          problem_(plan.problem),
          routes_(dynamic_cast<TreeRoutes const&>(*plan.fabric->routing)),
          threads_(threads_to_use(threads)),
          totals_(problem_) {
        if (plan.flows_per_mapping > 0x7FFFFFFF)
            throw InputError({}, "a mapping has more than 2^31 flows", "their routes are kept while it is evaluated",
                             "use fewer ranks, or a --level");
        ForwardingGraph const& graph = routes_.graph();
        Network const& network = plan.fabric->network;
        nowhere_ = static_cast<std::uint32_t>(graph.destinations.size());
        std::vector<std::uint32_t> place_of_lid(network.max_lid() + 1, nowhere_);
        for (std::uint32_t d = 0; d < graph.destinations.size(); ++d) place_of_lid[graph.destinations[d].lid] = d;
        for (Host const host : plan.seats) {
            start_.push_back(graph.entrance(network, host));
            destination_.push_back(place_of_lid[network[host].lid]);
        }
        Scratch<std::uint32_t, FoundRoutes::Kept> measure;
        scratch_bytes_ = measure.lay_out(problem_, nullptr, true);
        memory_.resize(scratch_bytes_ / sizeof(std::uint64_t) + 3);
    }

    void evaluate(std::uint64_t first, std::span<MappingTally> tallies) override {
        for (std::size_t at = 0; at < tallies.size(); at += largest_batch())
            evaluate_batch(first + at,
                           tallies.subspan(at, std::min<std::size_t>(largest_batch(), tallies.size() - at)));
    }
    Totals totals() override { return totals_; }
    std::string device() const override { return "cpu"; }
    unsigned threads() const override { return threads_; }
    /// So many that their own part of a batch takes as long as the pass over all destinations, or a second: no pass is
    /// wasted, and between batches it is seen that somebody wants to stop. Before that is known, about a million flows.
    std::uint64_t good_batch() const override {
        double const good =
            mapping_s_ == 0
                ? std::max(4.0, double(1 << 20) / double(std::max<std::uint64_t>(plan_.flows_per_mapping, 1)))
                : std::max(pass_s_, 1.0) / mapping_s_;
        return static_cast<std::uint64_t>(std::clamp(good, 1.0, double(largest_batch())));
    }

private:
    using Working = Scratch<std::uint32_t, FoundRoutes::Kept>;
    using Clock = std::chrono::steady_clock;

    /// So many that their flows and routes stay below a gigabyte.
    std::uint64_t largest_batch() const {
        double const bytes = double(plan_.flows_per_mapping) * (sizeof(SeatPair) + 8 + 4 * (plan_.mean_links + 1));
        return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(double(1 << 30) / std::max(bytes, 1.0)));
    }

    Working working() {
        Working scratch;
        auto const base = reinterpret_cast<std::uintptr_t>(memory_.data());
        scratch.lay_out(problem_, reinterpret_cast<std::byte*>((base + 15) / 16 * 16), true);
        return scratch;
    }

    void evaluate_batch(std::uint64_t first, std::span<MappingTally> tallies) {
        Clock::time_point const started = Clock::now();
        pass_s_ = 0;
        list_flows(first, tallies.size());
        find_routes();
        std::uint32_t const* next = route_.data();
        FoundRoutes const found{words_.data(), &next};
        Working const scratch = working();
        TotalsView const totals = totals_.view();
        CpuTeam team;
        bool const plain = is_plain(problem_);
        for (std::size_t i = 0; i < tallies.size(); ++i)
            tallies[i] = plain ? evaluate_mapping<true>(team, problem_, found, first + i, scratch, totals)
                               : evaluate_mapping<false>(team, problem_, found, first + i, scratch, totals);
        mapping_s_ = std::max(seconds_since(started) - pass_s_, 1e-9) / double(tallies.size());
    }

    static double seconds_since(Clock::time_point then) {
        return std::chrono::duration<double>(Clock::now() - then).count();
    }

    /// In the order in which the kernel meets them.
    void list_flows(std::uint64_t first, std::size_t mappings) {
        flows_.clear();
        Working const scratch = working();
        CpuTeam team;
        for (std::size_t i = 0; i < mappings; ++i) {
            kernel::place_ranks(team, problem_, first + i, scratch);
            for (std::uint32_t l = 0; l < problem_.level_count; ++l)
                kernel::each_flow(team, problem_, problem_.levels[l], scratch, [&](RankFlow const& flow) {
                    flows_.push_back(
                        {scratch.seat_of_rank[flow.source.value], scratch.seat_of_rank[flow.destination.value]});
                });
        }
    }

    void find_routes() {
        ForwardingGraph const& graph = routes_.graph();
        // Flows by their destination.
        std::vector<std::uint64_t> first_flow(nowhere_ + std::size_t{2});
        for (SeatPair const& flow : flows_) ++first_flow[destination_[flow.destination] + 1];
        for (std::size_t d = 1; d < first_flow.size(); ++d) first_flow[d] += first_flow[d - 1];
        std::vector<std::uint64_t> next(first_flow.begin(), first_flow.end() - 1);
        order_.resize(flows_.size());
        for (std::size_t f = 0; f < flows_.size(); ++f)
            order_[next[destination_[flows_[f].destination]]++] = static_cast<std::uint32_t>(f);

        words_.assign(1, 0);
        route_.assign(flows_.size(), 0);
        Clock::time_point started = Clock::now();
        auto const trees = routes_.start(plan_.fabric->network, threads_);
        auto const next_trees = [&] {
            bool const more = trees->next();
            pass_s_ += seconds_since(started);
            return more;
        };
        for (; next_trees(); started = Clock::now())
            for (std::uint32_t t = trees->first_target(); t < trees->last_target(); ++t)
                for (std::uint32_t d = graph.first_destination[t]; d < graph.first_destination[t + 1]; ++d)
                    for (std::uint64_t i = first_flow[d]; i < first_flow[d + 1]; ++i) walk(*trees, t, d, order_[i]);
    }

    void walk(Trees const& trees, std::uint32_t target, std::uint32_t destination, std::uint32_t flow) {
        ForwardingGraph const& graph = routes_.graph();
        auto const next_arc = [&](std::uint32_t v) {
            return v == ForwardingGraph::none || v == target ? ForwardingGraph::none
                                                             : trees.arc(v, target, destination);
        };
        std::uint32_t v = start_[flows_[flow].source];
        std::uint32_t arc = next_arc(v);
        if (v != target && arc == ForwardingGraph::none && !problem_.all_delivered) return;
        std::size_t const begin = words_.size();
        route_[flow] = static_cast<std::uint32_t>(begin);
        words_.push_back(0);
        for (; v != target; arc = next_arc(v)) {
            if (arc == ForwardingGraph::none || words_.size() - begin > graph.size())
                throw std::logic_error("a route made destination by destination does not arrive");
            words_.push_back(arc);
            v = graph.arcs[arc].to;
        }
        words_[begin] = static_cast<std::uint32_t>(words_.size() - begin - 1);
        if (words_.size() > 0xFFFF0000)
            throw InputError({}, "the routes of a mapping's flows do not fit into 16 GiB", "", "use fewer ranks");
    }

    StudyPlan const& plan_;
    Problem const& problem_;
    TreeRoutes const& routes_;
    unsigned threads_;
    std::vector<std::uint32_t> start_;        // by seat: where its packets enter
    std::vector<std::uint32_t> destination_;  // by seat: its place among the graph's destinations, or
    std::uint32_t nowhere_ = 0;               // when its cable has failed
    Totals totals_;
    std::size_t scratch_bytes_ = 0;
    std::vector<std::uint64_t> memory_;
    double pass_s_ = 0, mapping_s_ = 0;  // of the batch before: the trees alone, and the rest by mapping
    // Of the batch.
    std::vector<SeatPair> flows_;
    std::vector<std::uint32_t> order_;  // flows by destination
    std::vector<std::uint32_t> route_;  // by flow: its place in
    std::vector<std::uint32_t> words_;
};

}  // namespace

bool makes_routes_on_demand(StudyPlan const& plan) {
    return dynamic_cast<TreeRoutes const*>(plan.fabric->routing.get()) != nullptr;
}

std::unique_ptr<Executor> make_tree_executor(StudyPlan const& plan, unsigned threads) {
    return std::make_unique<TreeExecutor>(plan, threads);
}

}  // namespace tailback
