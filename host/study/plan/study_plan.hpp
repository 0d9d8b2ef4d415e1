// A study made ready for the kernels: hosts seated, flows listed, routes packed, every index checked.
#pragma once

#include "host/model/host_order.hpp"
#include "host/model/routes/trace.hpp"
#include "host/study/study.hpp"
#include "kernels/evaluate/problem.hpp"
#include "kernels/route_packer.hpp"
#include "patterns/pattern.hpp"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace tailback::study {

/// Where an executor has the routes of flows from: the plan; lists of links that are found mapping by mapping
/// (kernels/cpu/flow_routes.hpp); or there are none, and loads of whole mappings are found.
enum class RoutesFrom : std::uint8_t { plan, finder, loads };

/// Owns what Problem's views point to. Not copyable; keep it alive while an executor runs.
struct StudyPlan {
    Study study;  ///< with `ranks` and `mappings` resolved
    model::Fabric const* fabric = nullptr;
    std::vector<model::Host> study_hosts;  ///< seat -> host
    patterns::FlowList flow_list;
    std::uint64_t flows_per_mapping = 0;  ///< all levels, local ones included

    /// Of flows that all have the same weight: kernels count flows, each standing for so much. With other weights 1.
    std::uint64_t common_weight = 1;
    std::uint64_t bytes = 0;         ///< of a mapping's listed flows; 0: flows have no bytes
    std::uint64_t largest_load = 0;  ///< with weights that differ: see WeightBounds

    /// Congestion is counted in units of 1/denominator: load x cost(link), cost = denominator x base rate / link rate.
    /// Where a flow is several parts, the units are these of a part.
    std::uint64_t denominator = 1;
    std::uint64_t parts = 1;    ///< that a flow is made of: loads count them
    std::uint64_t repeats = 1;  ///< kernels::PlacementView's: so many numbers of the sample are of one mapping
    RoutesFrom routes_from = RoutesFrom::plan;
    std::uint32_t base_rate_elevenths = 0;  ///< in 1/11 Gb/s; 0 = no rates known
    /// MappingTally::share_sum is in units of 1/share_unit: a number with many divisors, so that 1/3 is a whole number
    /// of them.
    std::uint64_t share_unit = 1;
    /// By slot; none for padding, codes and missing cables. Empty where a link's number is its slot.
    std::vector<model::Link> link_of_index;

    double longest_time = 0;  ///< no time of a mapping passes it; of weight 1 on a link of the base rate

    kernels::Problem problem;

    /// Mean number of links of a delivered route over all pairs of seats (of computed routes: over a sample); what
    /// hops/s is counted with.
    double mean_links = 0;
    /// The same of the links whose loads are counted: no host links where these follow from the pattern, none that
    /// flows never share.
    double mean_counted_links = 0;

    bool none_delivered = false;  ///< no route between two seats leads there

    bool has_bytes() const { return bytes > 0; }
    /// Do the links have rates, so that bytes take a known time?
    bool in_seconds() const { return has_bytes() && base_rate_elevenths > 0; }
    /// What a congestion of `denominator` units is in reports: 1; with weights the bytes it stands for, or the seconds
    /// that a link of the base rate takes for them.
    double congestion_unit() const;

    struct Storage;
    std::shared_ptr<Storage> storage;

    /// Seat of every rank in mapping m (what the kernels draw), as hosts.
    std::vector<model::Host> hosts_of_mapping(std::uint64_t m) const;
    /// Other seats, by rank, in place of a listed mapping's: executors that are there already take them, unless it is
    /// the mapping that they had last. `study` keeps its own. Where the new ones put two ranks on a compute node, some
    /// mapping of the study has to, too.
    void seat_again(std::uint64_t mapping, std::span<std::uint32_t const> seats) const;
};

/// @throws InputError for what cannot be studied (more ranks than hosts, unrouted fabric, pattern needs more ranks,
/// listed hosts of a network that is a formula...).
/// Packed rows of more than `row_byte_limit` bytes give way to step tables; the answer is the same.
/// @param like a plan over the same fabric (or null): where hosts and capacities are the same, its routes are used
/// again.
/// @param make_packer who walks forwarding tables: the CPU, or a CUDA device.
StudyPlan make_plan(model::Fabric const& fabric, Study const& study, std::size_t row_byte_limit = std::size_t{4} << 30,
                    StudyPlan const* like = nullptr,
                    kernels::MakeRoutePacker make_packer = kernels::make_cpu_route_packer);

/// How flows use their network otherwise than by the routes of a plan.
struct FlowDivision {
    RoutesFrom routes_from = RoutesFrom::finder;
    std::uint64_t parts = 1;  ///< that a flow is made of
    std::uint64_t repeats = 1;
    /// Of the study's mappings, the first so many, and then no goal.
    std::uint64_t mappings = UINT64_MAX;
    std::vector<Metric> metrics = {};  ///< of the study's metrics these alone; empty: all

    /// Lengths of routes, rates and times mean nothing where flows are in parts.
    bool measures(MetricInfo const& info) const;
};
/// The same study with routes, or loads, that somebody else finds: over all links of the network, and of its metrics
/// those that mean something then. Its numbers are those of flows with weights where loads are found. `mappings` and
/// `first_mapping` count repeats.
/// @throws InputError where the numbers could pass what they are kept in.
StudyPlan divided_plan(StudyPlan const& plan, FlowDivision const& division);

/// The flows that a study asks for, in the order of its pattern. @throws InputError as make_plan does.
patterns::FlowList flows_of(Study const& study);

/// False when every mapping is the same, or one of a list, and no flows are drawn.
bool draws_mappings(StudyPlan const& plan);

/// No routes are kept for the study: they are found flow by flow while it is evaluated.
bool makes_routes_on_demand(StudyPlan const& plan);

/// A pair of the study's hosts whose route fails.
struct FailedPair {
    model::Host source, destination;
    model::Fate fate;
    std::string why;
};
struct FailedPairs {
    std::uint64_t pairs = 0;  ///< ordered pairs of the study's hosts (all seats)
    std::uint64_t unreachable = 0, loop = 0, misdelivered = 0;
    std::vector<FailedPair> first;
    std::uint64_t failed() const { return unreachable + loop + misdelivered; }
};
/// All ordered pairs of the study's hosts that are not delivered: counted, the first `named` of them explained.
FailedPairs failed_pairs(StudyPlan const& plan, std::size_t named);

}  // namespace tailback::study
