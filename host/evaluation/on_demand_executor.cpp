// First the flows of a batch of mappings are listed by destination, then their routes are found while the trees to
// these destinations are there, and last the mappings are evaluated with the routes that were found. Each by all
// threads.
#include "host/evaluation/on_demand_executor.hpp"

#include "host/base/error.hpp"
#include "host/io/progress.hpp"
#include "kernels/cpu/fast/team.hpp"
#include "kernels/cpu/machine/threads.hpp"
#include "kernels/evaluate/evaluate.hpp"
#include "topologies/on_demand/on_demand_routes.hpp"

#include <algorithm>
#include <chrono>

namespace tailback::evaluation {
namespace {

/// A flow by host indices; `nobody` for one from a rank to itself, or inside a compute node.
struct HostIndexPair {
    static constexpr std::uint32_t nobody = 0xFFFFFFFF;
    std::uint32_t source = nobody, destination = nobody;
};

/// SharedWords that threads add to; what was added stays where it is.
class SharedWords {
public:
    void clear() { chunks_.clear(), used_ = chunk; }
    /// Room for `count` words.
    std::uint32_t* add(std::size_t count) {
        if (used_ + count > chunk) {
            chunks_.push_back(std::make_unique<std::uint32_t[]>(std::max(chunk, count)));
            used_ = 0;
        }
        std::uint32_t* const at = chunks_.back().get() + used_;
        used_ += count;
        return at;
    }

private:
    static constexpr std::size_t chunk = std::size_t{1} << 16;
    std::vector<std::unique_ptr<std::uint32_t[]>> chunks_;
    std::size_t used_ = chunk;
};

class OnDemandExecutor final : public kernels::Executor {
public:
    OnDemandExecutor(study::StudyPlan const& plan, unsigned threads, std::function<bool()> stop)
        : plan_(plan),
          stop_(std::move(stop)),
          problem_(plan.problem),
          routes_(static_cast<topologies::OnDemandRoutes const&>(*plan.fabric->routing)),
          threads_(kernels::threads_to_use(threads)),
          walkers_(threads_),
          executor_(kernels::make_cpu_executor(problem_, threads_, found_)) {
        if (plan.flows_per_mapping > 0x7FFFFFFF)
            throw base::InputError({}, "a mapping has more than 2^31 flows",
                                   "their routes are kept while it is evaluated", "use fewer ranks, or a --level");
        for (std::uint32_t l = 0; l < problem_.traffic.level_count; ++l)
            places_ += problem_.traffic.levels[l].routes_to_keep;
        found_.per_mapping = places_;
        topologies::ForwardingGraph const& graph = routes_.graph();
        model::Network const& network = plan.fabric->network;
        nowhere_ = static_cast<std::uint32_t>(graph.destinations.size());
        std::vector<std::uint32_t> place_of_lid(network.max_lid() + 1, nowhere_);
        for (std::uint32_t d = 0; d < graph.destinations.size(); ++d) place_of_lid[graph.destinations[d].lid] = d;
        for (model::Host const host : plan.study_hosts) {
            start_.push_back(graph.entrance(network, host));
            destination_.push_back(place_of_lid[network[host].lid]);
        }
    }

    void evaluate(std::uint64_t first, std::span<kernels::MappingTally> tallies) override {
        if (!reducing_) counted_ = false;
        for (std::size_t at = 0; at < tallies.size(); at += largest_batch()) {
            evaluate_batch(first + at,
                           tallies.subspan(at, std::min<std::size_t>(largest_batch(), tallies.size() - at)));
            counted_ = true;
        }
    }
    void evaluate_and_reduce(std::uint64_t first, std::uint64_t count, kernels::WantedNumbers const& wanted) override {
        reducing_ = true;
        counted_ = false;
        Executor::evaluate_and_reduce(first, count, wanted);
        reducing_ = false;
    }
    /// Finds the routes of mappings without evaluating them.
    void each_batch(std::uint64_t first, std::uint64_t count,
                    std::function<void(kernels::FoundRoutes const&, std::uint64_t)> const& visit) {
        for (std::uint64_t at = 0; at < count; at += largest_batch()) {
            std::uint64_t const batch = std::min(largest_batch(), count - at);
            find_batch(first + at, batch);
            visit(found_, batch);
        }
    }
    kernels::Totals totals() override { return executor_->totals(); }
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
    using Clock = std::chrono::steady_clock;
    /// Who wants to stop gets what a batch comes to if that does not take long.
    static constexpr double finished_below_s = 3;

    /// So many that their flows and routes stay below a gigabyte.
    std::uint64_t largest_batch() const {
        double const bytes =
            double(plan_.flows_per_mapping) * (sizeof(HostIndexPair) + 16 + 4 * (plan_.mean_links + 1));
        return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(double(1 << 30) / std::max(bytes, 1.0)));
    }

    void evaluate_batch(std::uint64_t first, std::span<kernels::MappingTally> tallies) {
        Clock::time_point const started = Clock::now();
        find_batch(first, tallies.size());
        executor_->evaluate(first, tallies);
        mapping_s_ = std::max(seconds_since(started) - pass_s_, 1e-9) / double(tallies.size());
    }

    void find_batch(std::uint64_t first, std::uint64_t mappings) {
        pass_s_ = 0;
        list_flows(first, mappings);
        find_routes();
        found_.first_mapping = first;
        found_.routes = routes_found_.data();
    }

    /// Calls run(i, the thread's number) for i < count, by all threads; throws what one of them throws.
    template <class Run>
    void in_parallel(std::int64_t count, Run&& run) const {
        kernels::FirstFailure failed;
#pragma omp parallel for schedule(dynamic, 1) num_threads(static_cast <int>(threads_))
        for (std::int64_t i = 0; i < count; ++i) failed.hold([&] { run(i, std::size_t(kernels::this_thread())); });
        failed.rethrow();
    }

    static double seconds_since(Clock::time_point then) {
        return std::chrono::duration<double>(Clock::now() - then).count();
    }

    bool is_within_node(kernels::HostIndex source, kernels::HostIndex destination) const {
        std::uint32_t const* const node = problem_.placement.nodes.node;
        return node != nullptr && node[source.value] == node[destination.value];
    }

    /// In the order of FoundRoutes.
    void list_flows(std::uint64_t first, std::size_t mappings) {
        flows_.assign(mappings * places_, {});
        in_parallel(std::int64_t(mappings), [&](std::int64_t i, std::size_t thread) {
            kernels::CpuTeam team;
            kernels::Scratch<std::uint32_t, std::uint32_t> const scratch = walkers_[thread].scratch(problem_);
            kernels::kernel::place_ranks(team, problem_, first + std::uint64_t(i), scratch);
            HostIndexPair* const flows = flows_.data() + std::size_t(i) * places_;
            for (std::uint32_t l = 0; l < problem_.traffic.level_count; ++l) {
                kernels::LevelView const& level = problem_.traffic.levels[l];
                kernels::kernel::each_flow(team, problem_, level, scratch, [&](kernels::RankFlow const& flow) {
                    kernels::HostIndex const source{scratch.host_index_of_rank[flow.source.value]},
                        destination{scratch.host_index_of_rank[flow.destination.value]};
                    if (is_within_node(source, destination)) return;
                    flows[level.routes_before + flow.number] = {
                        kernels::leaving_host(problem_.placement.nodes, source, destination).value, destination.value};
                });
            }
        });
    }

    void find_routes() {
        topologies::ForwardingGraph const& graph = routes_.graph();
        // Flows by their destination.
        std::vector<std::uint64_t> first_flow(nowhere_ + std::size_t{2});
        routes_found_.assign(flows_.size(), kernels::FoundRoutes::local);
        for (HostIndexPair const& flow : flows_)
            if (flow.source != HostIndexPair::nobody) ++first_flow[destination_[flow.destination] + 1];
        for (std::size_t d = 1; d < first_flow.size(); ++d) first_flow[d] += first_flow[d - 1];
        std::vector<std::uint64_t> next(first_flow.begin(), first_flow.end() - 1);
        order_.resize(first_flow.back());
        for (std::size_t f = 0; f < flows_.size(); ++f)
            if (flows_[f].source != HostIndexPair::nobody) {
                routes_found_[f] = kernels::FoundRoutes::unreachable;
                order_[next[destination_[flows_[f].destination]]++] = static_cast<std::uint32_t>(f);
            }
        for (Walker& walker : walkers_) walker.words.clear();
        Clock::time_point started = Clock::now();
        auto const trees = routes_.start(plan_.fabric->network, threads_);
        io::Progress progress("computing the routes of a batch", graph.size(), "switches");
        auto const next_trees = [&] {
            bool const more = trees->next();
            pass_s_ += seconds_since(started);
            return more;
        };
        for (; next_trees(); started = Clock::now()) {
            progress.show(trees->last_target());
            if (!counted_ && pass_s_ > finished_below_s && stop_ && stop_()) throw StoppedInBatch{};
            std::uint32_t const first = trees->first_target();
            in_parallel(trees->last_target() - first, [&](std::int64_t i, std::size_t thread) {
                std::uint32_t const t = first + static_cast<std::uint32_t>(i);
                for (std::uint32_t d = graph.first_destination[t]; d < graph.first_destination[t + 1]; ++d)
                    for (std::uint64_t f = first_flow[d]; f < first_flow[d + 1]; ++f)
                        walk(*trees, t, d, order_[f], walkers_[thread]);
            });
        }
    }

    /// What a thread works with.
    struct Walker {
        SharedWords words;
        std::vector<std::uint32_t> route;
        std::vector<std::uint64_t> memory;

        kernels::Scratch<std::uint32_t, std::uint32_t> scratch(kernels::Problem const& p) {
            kernels::Scratch<std::uint32_t, std::uint32_t> scratch;
            kernels::ScratchLayout layout;
            layout.counts = false;
            memory.resize(scratch.lay_out(p, nullptr, layout) / sizeof(std::uint64_t) + 3);
            auto const base = reinterpret_cast<std::uintptr_t>(memory.data());
            scratch.lay_out(p, reinterpret_cast<std::byte*>((base + 15) / 16 * 16), layout);
            return scratch;
        }
    };

    void walk(topologies::DestinationTrees const& trees, std::uint32_t target, std::uint32_t destination,
              std::uint32_t flow, Walker& walker) {
        topologies::ForwardingGraph const& graph = routes_.graph();
        auto const next_arc = [&](std::uint32_t v) {
            return v == topologies::ForwardingGraph::none || v == target ? topologies::ForwardingGraph::none
                                                                         : trees.arc(v, target, destination);
        };
        std::uint32_t v = start_[flows_[flow].source];
        std::uint32_t arc = next_arc(v);
        if (v != target && arc == topologies::ForwardingGraph::none && !problem_.routes.all_delivered) return;
        walker.route.assign(1, 0);
        for (; v != target; arc = next_arc(v)) {
            if (arc == topologies::ForwardingGraph::none || walker.route.size() > graph.size())
                throw std::logic_error("a route made destination by destination does not arrive");
            walker.route.push_back(arc);
            v = graph.arcs[arc].to;
        }
        walker.route[0] = static_cast<std::uint32_t>(walker.route.size() - 1);
        std::uint32_t* const kept = walker.words.add(walker.route.size());
        std::copy(walker.route.begin(), walker.route.end(), kept);
        routes_found_[flow] = kept;
    }

    study::StudyPlan const& plan_;
    std::function<bool()> stop_;
    bool reducing_ = false;
    bool counted_ = false;  // something since the caller asked: it is too late to stop
    kernels::Problem const& problem_;
    topologies::OnDemandRoutes const& routes_;
    unsigned threads_;
    std::vector<std::uint32_t> start_;        // by seat: where its packets enter
    std::vector<std::uint32_t> destination_;  // by seat: its place among the graph's destinations, or
    std::uint32_t nowhere_ = 0;               // when its cable has failed
    std::uint64_t places_ = 0;                // of a mapping's flows
    double pass_s_ = 0, mapping_s_ = 0;       // of the batch before: the trees alone, and the rest by mapping
    // Of the batch.
    std::vector<HostIndexPair> flows_;
    std::vector<std::uint32_t> order_;  // flows by destination
    std::vector<std::uint32_t const*> routes_found_;
    std::vector<Walker> walkers_;
    kernels::FoundRoutes found_;
    std::unique_ptr<kernels::Executor> executor_;
};

}  // namespace

std::unique_ptr<kernels::Executor> make_tree_executor(study::StudyPlan const& plan, unsigned threads,
                                                      std::function<bool()> stop) {
    return std::make_unique<OnDemandExecutor>(plan, threads, std::move(stop));
}

void each_found_batch(study::StudyPlan const& plan, unsigned threads, std::uint64_t first, std::uint64_t count,
                      std::function<void(kernels::FoundRoutes const&, std::uint64_t)> const& visit) {
    OnDemandExecutor(plan, threads, nullptr).each_batch(first, count, visit);
}

}  // namespace tailback::evaluation
