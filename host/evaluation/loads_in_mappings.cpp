#include "host/evaluation/loads_in_mappings.hpp"

#include "host/evaluation/on_demand_executor.hpp"
#include "kernels/cpu/body_executor.hpp"

#include <algorithm>
#include <cmath>

namespace tailback::evaluation {
namespace {

constexpr std::uint64_t most_flows = 100'000'000, flows_in_a_moment = 5'000'000, most_mappings = 1000;

/// Adds up how uneven the links' loads in each of some mappings are.
class Unevenness {
public:
    explicit Unevenness(study::StudyPlan const& plan) : plan_(plan) {}
    /// @param loads of a mapping, by index of a link
    void add(std::span<std::uint64_t const> loads) {
        ++sum_.mappings;
        std::vector<std::uint64_t> const by_link = sums_by_link(plan_, loads);
        all_.clear(), inner_.clear();
        for (std::size_t l = 0; l < by_link.size(); ++l) {
            if (!is_link(plan_, l)) continue;
            auto const load = double(by_link[l] * plan_.common_weight);
            all_.push_back(load);
            if (plan_.fabric->between_switches(model::Link{l})) inner_.push_back(load);
        }
        if (plan_.fabric->formula)  // links of hosts that take no part carry nothing
            all_.resize(std::max<std::size_t>(all_.size(), plan_.fabric->links()));
        add(all_, sum_.all), add(inner_, sum_.between_switches);
    }
    LoadsInMappings means() const {
        LoadsInMappings means = sum_;
        for (LoadsInMappings::Spread* const one : {&means.all, &means.between_switches})
            one->largest /= double(sum_.mappings), one->deviation /= double(sum_.mappings);
        return means;
    }

private:
    static void add(std::vector<double> const& loads, LoadsInMappings::Spread& sum) {
        if (loads.empty()) return;
        double total = 0, squares = 0;
        for (double const load : loads) total += load;
        double const mean = total / double(loads.size());
        for (double const load : loads) squares += (load - mean) * (load - mean);
        sum.largest += *std::max_element(loads.begin(), loads.end());
        if (loads.size() > 1) sum.deviation += std::sqrt(squares / double(loads.size() - 1));
    }

    study::StudyPlan const& plan_;
    LoadsInMappings sum_;
    std::vector<double> all_, inner_;
};

/// The flows of mappings, one after another, on their links.
template <class Counter>
class FlowsOnLinks {
public:
    /// @param found the routes, where the problem does not have them; must outlive this
    FlowsOnLinks(kernels::Problem const& p, kernels::FoundRoutes const* found)
        : p_(p),
          flows_(p_, found != nullptr ? kernels::flow_route_finder(*found) : kernels::flow_route_finder(p_)),
          totals_(p),
          load_(p.routes.slots) {}
    FlowsOnLinks(FlowsOnLinks const&) = delete;  // the finder reads its problem
    FlowsOnLinks& operator=(FlowsOnLinks const&) = delete;
    /// @return by index of a link; until the next call
    std::span<std::uint64_t const> loads(std::uint64_t m) {
        std::fill(load_.begin(), load_.end(), 0);
        flows_.place(team_, p_, m);
        if (p_.traffic.all_to_all) {  // its flows are not listed
            add_all_to_all(m);
            return load_;
        }
        for (std::uint32_t l = 0; l < p_.traffic.level_count; ++l) add_level(m, p_.traffic.levels[l]);
        return load_;
    }

private:
    void add_level(std::uint64_t m, kernels::LevelView const& level) {
        kernels::RoutesOfFlows routes = flows_.find(m, {&level, 1});
        Flows const flows{team_, p_, routes, flows_.scratch(), totals_.view()};
        kernels::kernel::each_flow(team_, p_, level, flows_.scratch(), [&](kernels::RankFlow const& flow) {
            if (flows.is_within_node(flow)) return;
            auto const route = routes.of_flow(level.routes_before + flow.number);
            if (routes.fate(route) != 0) return;
            auto const add = [&](std::uint32_t slot) { load_[slot] += flows.weight_of(level, flow); };
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
    kernels::Totals totals_;
    std::vector<std::uint64_t> load_;
};

template <class Counter>
LoadsInMappings count(study::StudyPlan const& plan, std::uint64_t mappings, unsigned threads) {
    Unevenness sum(plan);
    std::uint64_t const first = plan.study.sample.first_mapping;
    auto const add = [&](std::uint64_t begin, std::uint64_t in_all, kernels::FoundRoutes const* found) {
        FlowsOnLinks<Counter> flows(plan.problem, found);
        for (std::uint64_t i = 0; i < in_all; ++i) sum.add(flows.loads(begin + i));
    };
    if (!study::makes_routes_on_demand(plan)) add(first, mappings, nullptr);
    else
        each_found_batch(plan, threads, first, mappings,
                         [&](kernels::FoundRoutes const& found, std::uint64_t in_batch) {
                             add(found.first_mapping, in_batch, &found);
                         });
    return sum.means();
}

}  // namespace

std::optional<LoadsInMappings> loads_in_mappings(study::StudyPlan const& plan, std::uint64_t mappings,
                                                 std::span<std::uint64_t const> link_sums, unsigned threads) {
    if (mappings == 1) {
        Unevenness one(plan);
        one.add(link_sums);
        return one.means();
    }
    std::uint64_t const flows = std::max<std::uint64_t>(1, plan.flows_per_mapping);
    if (mappings == 0 || flows > most_flows) return std::nullopt;
    std::uint64_t const looked_at =
        std::clamp<std::uint64_t>(flows_in_a_moment / flows, 1, std::min(mappings, most_mappings));
    return plan.problem.traffic.weights != nullptr ? count<std::uint64_t>(plan, looked_at, threads)
                                                   : count<std::uint32_t>(plan, looked_at, threads);
}

std::vector<std::uint64_t> sums_by_link(study::StudyPlan const& plan, std::span<std::uint64_t const> sums) {
    if (plan.link_of_index.empty()) return {sums.begin(), sums.end()};
    std::vector<std::uint64_t> by_link(plan.fabric->network.links().size());
    for (std::size_t slot = 0; slot < sums.size(); ++slot)
        if (model::Link const link = plan.link_of_index[slot]; link.exists()) by_link[link.value] += sums[slot];
    return by_link;
}

bool is_link(study::StudyPlan const& plan, std::size_t link) {
    return !plan.link_of_index.empty() || !plan.fabric->ends(model::Link{link}, plan.study_hosts).from.empty();
}

}  // namespace tailback::evaluation
