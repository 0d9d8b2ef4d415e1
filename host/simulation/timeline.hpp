// When everything of one mapping happens: its flows and computations, how many flows run, and how busy the hottest
// links are.
#pragma once

#include "host/simulation/graph.hpp"
#include "host/simulation/pair_links.hpp"

#include <cstdint>
#include <vector>

namespace tailback::simulation {

struct Timeline {
    struct Flow {
        std::uint32_t source, destination;  ///< ranks
        std::uint32_t label;                ///< as Task::label
        FlowFate fate;
        std::uint64_t weight;
        Ticks released, sent, arrived;
    };
    struct Computation {
        std::uint32_t rank;  ///< `nobody`: of all ranks
        std::uint32_t label;
        Ticks from, to;
    };
    struct HotLink {
        model::Link link;             ///< as the plan numbers it
        double mean = 0;              ///< utilisation from beginning to end, 0 to 1
        std::vector<double> by_part;  ///< utilisation in each part of the time
    };

    std::uint64_t mapping = 0;
    bool by_levels = true;  ///< labels are levels; false: lines of a schedule
    Ticks makespan = 0;
    std::vector<Flow> flows;  ///< in the order in which they were released
    std::vector<Computation> computations;
    std::vector<double> running;               ///< mean number of flows in each part of the time
    std::vector<HotLink> hottest;              ///< by falling mean utilisation, of equal ones by number; ten at most
    static constexpr std::size_t parts = 200;  ///< of the time from beginning to end, all of the same length
};

/// Simulates one mapping with barriers or as the study's timing says. Needs a plan that wants times, with whole routes
/// (Timing::keeps_routes_whole). @throws InputError as make_graph does.
Timeline make_timeline(study::StudyPlan const& plan, std::uint64_t mapping);

}  // namespace tailback::simulation
