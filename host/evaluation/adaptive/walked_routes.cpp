#include "host/evaluation/adaptive/walked_routes.hpp"

#include "host/evaluation/adaptive/walked_executors.hpp"
#include "host/evaluation/rows/pair_rows.hpp"
#include "host/evaluation/rows/rows_pay.hpp"
#include "kernels/device_error.hpp"
#include "topologies/draws.hpp"

#include <fmt/format.h>

namespace tailback::evaluation {
namespace {

/// Links, as they are met.
struct Added {
    void push_back(model::Link link) const { lists.add(link.value); }
    kernels::RouteLists& lists;
};

/// @param Walker begins a mapping, and walks flow by flow, which it appends the links of
template <class Walker>
class WalkingFinder final : public kernels::FlowRouteFinder {
public:
    template <class... Parts>
    explicit WalkingFinder(study::StudyPlan const& plan, Parts const&... parts)
        : plan_(plan), p_(plan.problem), walker_(plan, parts...), ranks_on_host_(plan.study_hosts.size()) {}

    kernels::RoutesOfFlows find(std::uint64_t m, kernels::PlacedFlows const& placed,
                                std::span<kernels::LevelView const> levels) override {
        lists_.begin(levels);
        if (levels.data() == p_.traffic.levels) begin(m, placed);
        kernels::CpuTeam team;
        for (kernels::LevelView const& level : levels) {
            LevelPlace const place{m / p_.placement.repeats, static_cast<std::uint32_t>(&level - p_.traffic.levels)};
            kernels::kernel::each_flow(team, p_, level, placed, [&](kernels::RankFlow const& flow) {
                std::uint32_t const from = placed.host_index_of_rank[flow.source.value],
                                    to = placed.host_index_of_rank[flow.destination.value];
                if (node_ != nullptr && node_[from] == node_[to]) return;
                HostFlow const one{plan_.study_hosts[from], plan_.study_hosts[to], 1, connection(flow)};
                lists_.begin_route();
                bool const arrives = walker_.walk(one, place, flow.number, Added{lists_});
                lists_.end_route(level.routes_before + flow.number, arrives ? 0 : 1);
            });
        }
        return lists_.routes();
    }
    bool goes_by_level() const override { return walker_.goes_by_level(); }

private:
    void begin(std::uint64_t m, kernels::PlacedFlows const& placed) {
        walker_.begin(m);
        if (node_ == nullptr) return;
        std::fill(ranks_on_host_.begin(), ranks_on_host_.end(), 0);
        number_on_host_.clear();
        for (std::uint32_t r = 0; r < p_.placement.ranks; ++r)
            number_on_host_.push_back(ranks_on_host_[placed.host_index_of_rank[r]]++);
    }
    /// Ranks share hosts on compute nodes alone.
    std::uint64_t connection(kernels::RankFlow const& flow) const {
        if (node_ == nullptr) return 0;
        return std::uint64_t{number_on_host_[flow.source.value]} << 32 | number_on_host_[flow.destination.value];
    }

    study::StudyPlan const& plan_;
    kernels::Problem const& p_;
    std::uint32_t const* const node_ = p_.placement.nodes.node;  // by host index
    Walker walker_;
    std::vector<std::uint32_t> ranks_on_host_, number_on_host_;  // by host index; by rank
    kernels::RouteLists lists_;
};

/// Links as slots: all links of a network have theirs in their order.
struct Appended {
    void push_back(model::Link link) const { slots.push_back(static_cast<std::uint32_t>(link.value)); }
    std::vector<std::uint32_t>& slots;
};

class HashWalker {
public:
    /// None where a pair of hosts has several routes: mappings have hashes of their own, or there are several
    /// connections between the two, and the hash tells them apart.
    static std::optional<LidsOfMessages> in_rows(study::StudyPlan const& plan, HashedWays const& ways) {
        if (ways.options.by_mapping) return std::nullopt;  // rows are of one hash
        bool const one_route = plan.problem.placement.nodes.node == nullptr ||
                               ways.hash_of(0).tells_connections_apart() == std::optional(false);
        return one_route ? std::optional(LidsOfMessages{}) : std::nullopt;
    }
    HashWalker(study::StudyPlan const& plan, HashedWays const& ways)
        : ways_(ways), costs_(), path_(ways.graph, costs_, ways.hash_of(0)), repeats_(plan.repeats) {}

    bool goes_by_level() const { return false; }
    void begin(std::uint64_t m) {
        std::uint64_t const now = ways_.options.by_mapping ? m : m % repeats_;
        if (now != std::exchange(number_, now)) path_.set_hash(ways_.hash_of(now % repeats_, now / repeats_));
    }
    template <class Links>
    bool walk(HostFlow const& flow, LevelPlace const&, std::uint32_t, Links links) const {
        for (std::uint32_t pair = 0; pair < ways_.queue_pairs; ++pair)
            if (!path_.walk(flow, pair, links)) return false;
        return true;
    }
    template <class Links>
    bool walk_row(HostFlow const& flow, std::uint32_t, Links links) const {
        return walk(flow, {}, 0, links);
    }

private:
    HashedWays ways_;
    model::LinkCosts costs_;
    OnePath path_;
    std::uint64_t repeats_, number_ = 0;  // number_: mapping and repeat whose hash picks
};

/// The LIDs of messages that go round them, by where they stand in their level. None where that depends on the mapping:
/// ranks share hosts, or send more after a message that some mappings do without.
std::optional<std::vector<std::uint8_t>> turns_of_messages(kernels::Problem const& p, std::uint32_t lids) {
    if (p.placement.nodes.node != nullptr) return std::nullopt;
    std::vector<std::uint8_t> turn;
    std::vector<std::uint32_t> sent(p.placement.ranks);
    std::vector<bool> has_drawn(p.placement.ranks);
    bool depends = false;
    auto const send = [&](std::uint32_t rank, bool draws) {
        depends |= has_drawn[rank];
        has_drawn[rank] = draws;
        turn.push_back(static_cast<std::uint8_t>(sent[rank]++ % lids));
    };
    for (std::uint32_t l = 0; l < p.traffic.level_count; ++l) {
        kernels::LevelView const& level = p.traffic.levels[l];
        for (std::uint32_t f = 0; f < level.flows; ++f) send(p.traffic.flows[level.first_flow + f].source, false);
        for (kernels::RandomPart const& part : level.random)
            for (std::uint32_t i = 0; i < part.ranks; ++i) send(part.first_rank + i, true);
    }
    return depends ? std::nullopt : std::optional(std::move(turn));
}

class LidWalker {
public:
    LidWalker(study::StudyPlan const& plan, model::Forwarding const& forwarding, LidSpread spread)
        : network_(plan.fabric->network),
          parts_(plan.parts),
          spread_(spread),
          paths_(forwarding, spread, plan.study.sample.seed) {}

    /// None where LIDs are chosen neither by pair nor by where messages stand.
    static std::optional<LidsOfMessages> in_rows(study::StudyPlan const& plan, model::Forwarding const&,
                                                 LidSpread spread) {
        if (!is_by_message(spread)) return LidsOfMessages{};
        LidsOfMessages lids{1u << largest_lmc(plan.fabric->network, plan.study_hosts), {}, plan.study.sample.seed};
        if (spread == LidSpread::random) return lids;
        std::optional turn = turns_of_messages(plan.problem, lids.most);
        if (!turn) return std::nullopt;
        lids.turn = std::move(*turn);
        return lids;
    }
    bool goes_by_level() const { return is_by_message(spread_); }

    void begin(std::uint64_t) { paths_.begin(); }
    template <class Links>
    bool walk(HostFlow const& flow, LevelPlace const& place, std::uint32_t message, Links links) {
        return walk_to(flow, paths_.choose(flow.source, flow.destination, place, message), links);
    }
    template <class Links>
    bool walk_row(HostFlow const& flow, std::uint32_t lid, Links links) {
        if (!is_by_message(spread_)) return walk(flow, {}, 0, links);
        std::uint32_t const offset = lid & ((1u << network_[flow.destination].lmc) - 1);
        return walk_to(flow, std::span(&offset, 1), links);
    }

private:
    /// Whether each message has a LID of its own.
    static bool is_by_message(LidSpread spread) {
        return spread == LidSpread::random || spread == LidSpread::round_robin;
    }
    template <class Links>
    bool walk_to(HostFlow const& flow, std::span<std::uint32_t const> offsets, Links links) {
        for (std::uint32_t const offset : offsets) {
            links_.clear();
            if (!paths_.walk(flow.source, flow.destination, network_[flow.destination].lid + offset, links_))
                return false;
            for (std::uint64_t part = 0; part < parts_; part += offsets.size())
                for (model::Link const link : links_) links.push_back(link);
        }
        return true;
    }

    model::Network const& network_;
    std::uint64_t parts_;
    LidSpread spread_;
    LidPaths paths_;
    std::vector<model::Link> links_;
};

template <class Walker>
class PairWalkBy final : public PairWalk {
public:
    template <class... Parts>
    PairWalkBy(std::uint64_t repeat, study::StudyPlan const& plan, Parts const&... parts)
        : plan_(plan), walker_(plan, parts...) {
        walker_.begin(repeat);
    }
    bool append(kernels::HostIndex from, kernels::HostIndex to, std::uint32_t lid,
                std::vector<std::uint32_t>& slots) override {
        HostFlow const one{plan_.study_hosts[from.value], plan_.study_hosts[to.value], 1, 0};
        return walker_.walk_row(one, lid, Appended{slots});
    }

private:
    study::StudyPlan const& plan_;
    Walker walker_;
};

/// @param parts what walkers are made of, which must outlive them where it is not copied
template <class Walker, class... Parts>
std::unique_ptr<kernels::Executor> by_rows(study::StudyPlan const& plan, unsigned threads, LidsOfMessages const& lids,
                                           MakeRowExecutor const& make, Parts const&... parts) {
    return make_row_executor(
        plan, threads,
        [&](std::uint64_t repeat) { return std::make_unique<PairWalkBy<Walker>>(repeat, plan, parts...); }, make, lids);
}

/// @param make_finder where rows of all pairs do not pay
template <class Walker, class... Parts>
std::unique_ptr<kernels::Executor> make_walking_executor(study::StudyPlan const& plan, unsigned threads,
                                                         kernels::MakeFinder const& make_finder,
                                                         Parts const&... parts) {
    std::unique_ptr<kernels::Executor> executor;
    std::optional<LidsOfMessages> const lids = Walker::in_rows(plan, parts...);
    if (lids && rows_pay(plan, lids->most))
        executor = by_rows<Walker>(
            plan, threads, *lids, [&](kernels::Problem const& problem) { return make_cpu_executor(problem, threads); },
            parts...);
    if (executor != nullptr) return executor;
    return kernels::make_cpu_executor(plan.problem, threads, make_finder);
}

template <class Walker, class... Parts>
std::unique_ptr<kernels::Executor> make_cuda_walking_executor(study::StudyPlan const& plan, Parts const&... parts) {
    std::unique_ptr<kernels::Executor> executor = by_rows<Walker>(
        plan, 0, Walker::in_rows(plan, parts...).value(),
        [](kernels::Problem const& p) { return kernels::make_cuda_executor(p); }, parts...);
    if (executor == nullptr)
        throw kernels::DeviceError("CUDA: a flow takes too many links, over all its parts; use --device cpu");
    return executor;
}

}  // namespace

std::uint64_t hash_seed_of(std::uint64_t seed, std::uint64_t mapping) {
    if (mapping == 0) return seed;
    constexpr std::uint32_t of_mappings = 1;  // 0: those of connections
    kernels::PhiloxBlock const block =
        kernels::philox(static_cast<std::uint32_t>(mapping), static_cast<std::uint32_t>(mapping >> 32), of_mappings,
                        static_cast<std::uint32_t>(topologies::BuildStream::connection), seed);
    return std::uint64_t{block.word[0]} << 32 | block.word[1];
}

topologies::FlowHash HashedWays::hash_of(std::uint64_t repeat, std::uint64_t mapping) const {
    topologies::FlowHashOptions hash = options;
    hash.seed = (options.by_mapping ? hash_seed_of(hash.seed, mapping) : hash.seed) + repeat;
    return topologies::FlowHash(hash, ip);
}

std::string hash_identity(topologies::FlowHashOptions const& hash) {
    return fmt::format(
        "{}{}{}{}, fields {}{}, kernel seed {}{}", int(hash.linux_kernel), int(hash.same), int(hash.by_source),
        int(hash.by_destination), hash.policy.fields, hash.policy.by_choice ? " hashed once more" : "",
        hash.kernel_seed ? std::to_string(*hash.kernel_seed) : "none", hash.by_mapping ? ", drawn by mapping" : "");
}

kernels::MakeFinder hashed_route_finder(study::StudyPlan const& plan, HashedWays const& ways) {
    return [&plan, ways] { return std::make_unique<WalkingFinder<HashWalker>>(plan, ways); };
}

kernels::MakeFinder spread_route_finder(study::StudyPlan const& plan, model::Forwarding const& forwarding,
                                        LidSpread spread) {
    return
        [&plan, &forwarding, spread] { return std::make_unique<WalkingFinder<LidWalker>>(plan, forwarding, spread); };
}

std::unique_ptr<kernels::Executor> make_hashed_executor(study::StudyPlan const& plan, HashedWays const& ways,
                                                        unsigned threads) {
    return make_walking_executor<HashWalker>(plan, threads, hashed_route_finder(plan, ways), ways);
}

std::unique_ptr<kernels::Executor> make_spread_executor(study::StudyPlan const& plan,
                                                        model::Forwarding const& forwarding, LidSpread spread,
                                                        unsigned threads) {
    return make_walking_executor<LidWalker>(plan, threads, spread_route_finder(plan, forwarding, spread), forwarding,
                                            spread);
}

MakeOnCuda hashed_on_cuda(study::StudyPlan const& plan, HashedWays const& ways) {
    if (!HashWalker::in_rows(plan, ways)) return nullptr;
    return [ways](study::StudyPlan const& column) { return make_cuda_walking_executor<HashWalker>(column, ways); };
}

MakeOnCuda spread_on_cuda(study::StudyPlan const& plan, model::Forwarding const& forwarding, LidSpread spread) {
    if (!LidWalker::in_rows(plan, forwarding, spread)) return nullptr;
    return [&forwarding, spread](study::StudyPlan const& column) {
        return make_cuda_walking_executor<LidWalker>(column, forwarding, spread);
    };
}

}  // namespace tailback::evaluation
