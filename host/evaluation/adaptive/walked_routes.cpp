#include "host/evaluation/adaptive/walked_routes.hpp"

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
            std::uint32_t message = 0;
            kernels::kernel::each_flow(team, p_, level, placed, [&](kernels::RankFlow const& flow) {
                std::uint32_t const from = placed.host_index_of_rank[flow.source.value],
                                    to = placed.host_index_of_rank[flow.destination.value];
                if (node_ != nullptr && node_[from] == node_[to]) return;
                HostFlow const one{plan_.study_hosts[from], plan_.study_hosts[to], 1, connection(flow)};
                lists_.begin_route();
                bool const arrives = walker_.walk(one, place, message++, Added{lists_});
                lists_.end_route(level.routes_before + flow.number, arrives ? 0 : 1);
            });
        }
        return lists_.routes();
    }

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

class HashWalker {
public:
    HashWalker(study::StudyPlan const& plan, HashedWays const& ways)
        : ways_(ways), costs_(), path_(ways.graph, costs_, ways.hash_of(0)), repeats_(plan.repeats) {}

    void begin(std::uint64_t m) {
        if (std::uint64_t const now = m % repeats_; now != std::exchange(repeat_, now))
            path_.set_hash(ways_.hash_of(now));
    }
    bool walk(HostFlow const& flow, LevelPlace const&, std::uint32_t, Added links) const {
        for (std::uint32_t pair = 0; pair < ways_.queue_pairs; ++pair)
            if (!path_.walk(flow, pair, links)) return false;
        return true;
    }

private:
    HashedWays ways_;
    model::LinkCosts costs_;
    OnePath path_;
    std::uint64_t repeats_, repeat_ = 0;
};

class LidWalker {
public:
    LidWalker(study::StudyPlan const& plan, model::Forwarding const& forwarding, LidSpread spread)
        : network_(plan.fabric->network), parts_(plan.parts), paths_(forwarding, spread, plan.study.sample.seed) {}

    void begin(std::uint64_t) { paths_.begin(); }
    bool walk(HostFlow const& flow, LevelPlace const& place, std::uint32_t message, Added links) {
        std::span const offsets = paths_.choose(flow.source, flow.destination, place, message);
        for (std::uint32_t const offset : offsets) {
            links_.clear();
            if (!paths_.walk(flow.source, flow.destination, network_[flow.destination].lid + offset, links_))
                return false;
            for (std::uint64_t part = 0; part < parts_; part += offsets.size())
                for (model::Link const link : links_) links.push_back(link);
        }
        return true;
    }

private:
    model::Network const& network_;
    std::uint64_t parts_;
    LidPaths paths_;
    std::vector<model::Link> links_;
};

}  // namespace

topologies::FlowHash HashedWays::hash_of(std::uint64_t repeat) const {
    topologies::FlowHashOptions hash = options;
    hash.seed += repeat;
    return topologies::FlowHash(hash, ip);
}

std::string hash_identity(topologies::FlowHashOptions const& hash) {
    return fmt::format("{}{}{}{}{}, kernel seed {}", int(hash.linux_kernel), int(hash.same), int(hash.by_source),
                       int(hash.by_destination), int(hash.policy),
                       hash.kernel_seed ? std::to_string(*hash.kernel_seed) : "none");
}

kernels::MakeFinder hashed_route_finder(study::StudyPlan const& plan, HashedWays const& ways) {
    return [&plan, ways] { return std::make_unique<WalkingFinder<HashWalker>>(plan, ways); };
}

kernels::MakeFinder spread_route_finder(study::StudyPlan const& plan, model::Forwarding const& forwarding,
                                        LidSpread spread) {
    return
        [&plan, &forwarding, spread] { return std::make_unique<WalkingFinder<LidWalker>>(plan, forwarding, spread); };
}

}  // namespace tailback::evaluation
