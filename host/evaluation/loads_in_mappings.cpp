#include "host/evaluation/loads_in_mappings.hpp"

#include "host/evaluation/evaluation.hpp"
#include "host/evaluation/on_demand_executor.hpp"
#include "kernels/cpu/body_executor.hpp"

#include <algorithm>
#include <cmath>

namespace tailback::evaluation {
namespace {

constexpr std::uint64_t most_flows = 100'000'000, flows_in_a_moment = 5'000'000, most_mappings = 1000;

/// Adds up how uneven the links' loads in each of some mappings are. Only links that carry something are looked at.
class Unevenness {
public:
    Unevenness(study::StudyPlan const& plan, std::span<LinkSum const> links) : link_of_slot_(plan.link_of_index) {
        std::size_t slots = plan.problem.routes.slots;
        if (!link_of_slot_.empty()) slots = plan.fabric->network.links().size();
        load_.resize(slots);
        is_inner_.resize(slots);
        for (LinkSum const& one : links) {
            is_inner_[one.link.value] = plan.fabric->between_switches(one.link);
            inner_ += is_inner_[one.link.value];
        }
        all_ = plan.fabric->formula ? plan.fabric->links() : links.size();  // those of hosts that take no part, too
    }
    /// @param slot index of a link, see kernels::Problem
    void add_to_slot(std::uint32_t slot, std::uint64_t load) {
        if (link_of_slot_.empty()) add(model::Link{slot}, load);
        else if (model::Link const link = link_of_slot_[slot]; link.exists()) add(link, load);
    }
    void add(model::Link link, std::uint64_t load) {
        if (load == 0) return;
        if (load_[link.value] == 0) loaded_.push_back(link);
        load_[link.value] += load;
    }
    void end_mapping() {
        ++sum_.mappings;
        add_spread(all_, false, sum_.all);
        add_spread(inner_, true, sum_.between_switches);
        for (model::Link const link : loaded_) load_[link.value] = 0;
        loaded_.clear();
    }
    /// @param unit of the loads that were added
    LoadsInMappings means(double unit) const {
        LoadsInMappings means = sum_;
        double const scale = unit / double(sum_.mappings);
        for (LoadsInMappings::Spread* const one : {&means.all, &means.between_switches})
            one->largest *= scale, one->deviation *= scale;
        return means;
    }

private:
    void add_spread(std::uint64_t links, bool inner_alone, LoadsInMappings::Spread& sum) const {
        std::uint64_t largest = 0, count = 0;
        double total = 0, squares = 0;
        auto const each_load = [&](auto const& visit) {
            for (model::Link const link : loaded_)
                if (!inner_alone || is_inner_[link.value]) visit(load_[link.value]);
        };
        each_load([&](std::uint64_t load) { total += double(load), largest = std::max(largest, load), ++count; });
        double const mean = links > 0 ? total / double(links) : 0;
        each_load([&](std::uint64_t load) { squares += (double(load) - mean) * (double(load) - mean); });
        squares += double(links - count) * mean * mean;  // those that carry nothing
        sum.largest += double(largest);
        if (links > 1) sum.deviation += std::sqrt(squares / double(links - 1));
    }

    std::span<model::Link const> link_of_slot_;
    std::vector<std::uint64_t> load_;  ///< by link; zero between mappings
    std::vector<bool> is_inner_;       ///< between switches
    std::vector<model::Link> loaded_;
    std::uint64_t all_ = 0, inner_ = 0;
    LoadsInMappings sum_;
};

/// The flows of mappings, one after another, on their links.
template <class Counter>
class FlowsOnLinks {
public:
    /// @param found the routes, where the problem does not have them; must outlive this
    FlowsOnLinks(kernels::Problem const& p, kernels::FoundRoutes const* found, Unevenness& loads)
        : p_(p),
          flows_(p_, found != nullptr ? kernels::flow_route_finder(*found) : kernels::flow_route_finder(p_)),
          loads_(loads) {}
    FlowsOnLinks(FlowsOnLinks const&) = delete;  // the finder reads its problem
    FlowsOnLinks& operator=(FlowsOnLinks const&) = delete;
    void add_mapping(std::uint64_t m) {
        flows_.place(team_, p_, m);
        if (p_.traffic.all_to_all) add_all_to_all(m);  // its flows are not listed
        else
            for (std::uint32_t l = 0; l < p_.traffic.level_count; ++l) add_level(m, p_.traffic.levels[l]);
        loads_.end_mapping();
    }

private:
    void add_level(std::uint64_t m, kernels::LevelView const& level) {
        kernels::RoutesOfFlows routes = flows_.find(m, {&level, 1});
        Flows const flows{team_, p_, routes, flows_.scratch(), none_};
        kernels::kernel::each_flow(team_, p_, level, flows_.scratch(), [&](kernels::RankFlow const& flow) {
            if (flows.is_within_node(flow)) return;
            auto const route = routes.of_flow(level.routes_before + flow.number);
            if (routes.fate(route) != 0) return;
            auto const add = [&](std::uint32_t slot) { loads_.add_to_slot(slot, flows.weight_of(level, flow)); };
            if (p_.routes.host_links_implied) flows.each_host_link(flow, add);
            routes.each(route, add);
        });
    }
    void add_all_to_all(std::uint64_t m) {
        std::uint32_t const ranks = p_.placement.ranks;
        std::vector<kernels::RankPair> pairs;
        for (std::uint32_t source = 0; source < ranks; ++source) {
            pairs.clear();
            for (std::uint32_t destination = 0; destination < ranks; ++destination)
                if (destination != source) pairs.push_back({source, destination});
            kernels::LevelView level;
            level.flows = level.routes_to_keep = static_cast<std::uint32_t>(pairs.size());
            p_.traffic.flows = pairs.data();
            add_level(m, level);
        }
    }

    using Flows = kernels::kernel::Evaluation<false, kernels::RoutesOfFlows, kernels::CpuTeam,
                                              typename kernels::FlowsOfMapping<Counter>::TeamScratch>;
    kernels::Problem p_;
    kernels::CpuTeam team_;
    kernels::FlowsOfMapping<Counter> flows_;
    kernels::TotalsView none_{};
    Unevenness& loads_;
};

template <class Counter>
void add_mappings(study::StudyPlan const& plan, std::uint64_t mappings, unsigned threads, Unevenness& loads) {
    auto const add = [&](std::uint64_t first, std::uint64_t count, kernels::FoundRoutes const* found) {
        FlowsOnLinks<Counter> flows(plan.problem, found, loads);
        for (std::uint64_t i = 0; i < count; ++i) flows.add_mapping(first + i);
    };
    std::uint64_t const first = plan.study.sample.first_mapping;
    if (!study::makes_routes_on_demand(plan)) return add(first, mappings, nullptr);
    each_found_batch(plan, threads, first, mappings, [&](kernels::FoundRoutes const& found, std::uint64_t in_batch) {
        add(found.first_mapping, in_batch, &found);
    });
}

}  // namespace

std::optional<LoadsInMappings> loads_in_mappings(study::StudyPlan const& plan, std::uint64_t mappings,
                                                 std::span<LinkSum const> links, unsigned threads) {
    std::uint64_t const flows = std::max<std::uint64_t>(1, plan.flows_per_mapping);
    if (mappings == 0 || (flows > most_flows && mappings > 1)) return std::nullopt;
    Unevenness loads(plan, links);
    if (mappings == 1) {
        for (LinkSum const& one : links) loads.add(one.link, one.sum);
        loads.end_mapping();
        return loads.means(1);
    }
    std::uint64_t const looked_at =
        std::clamp<std::uint64_t>(flows_in_a_moment / flows, 1, std::min(mappings, most_mappings));
    if (plan.problem.traffic.weights != nullptr) add_mappings<std::uint64_t>(plan, looked_at, threads, loads);
    else add_mappings<std::uint32_t>(plan, looked_at, threads, loads);
    return loads.means(double(plan.common_weight));
}

}  // namespace tailback::evaluation
