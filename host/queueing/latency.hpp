// What packets wait for, estimated: zero-load latencies of all pairs, the load at which a pattern saturates its hottest
// link, and mean waiting up to there. An estimate: arrivals are Poisson, packets of equal length, every link a server
// of its own (M/D/1), hops are independent, and nothing stops a packet because a buffer is full.
#pragma once

#include "host/study/plan/study_plan.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace tailback::queueing {

/// Mean waiting time, in service times, of Poisson arrivals at a server of constant service time that is busy for the
/// share `rho` < 1 of the time: rho / (2 (1 - rho)) (Kleinrock, Queueing Systems I, 1975, 5.7).
double md1_wait(double rho);

struct LatencyQuestion {
    double packet = 4096;  ///< bytes
    study::Timing timing;  ///< its latencies and switching
    bool uniform = true;   ///< every host sends to all others evenly; false: the plan's flows
    /// What a sender injects, as a fraction of the base rate: hottest links are told for it. None: half of saturation.
    std::optional<double> load;
    unsigned threads = 0;
    std::function<void(std::uint64_t)> progress;  ///< hosts done, now and then
};

struct LatencyEstimate {
    bool in_seconds = false;  ///< times; else in what a link of the base rate takes for a byte

    // Of all ordered pairs of the study's hosts.
    std::uint64_t pairs = 0, failed = 0;
    /// Latency without load of a packet, and how many pairs have it; rising.
    std::vector<std::pair<double, std::uint64_t>> latencies, ping_pongs;  ///< the second: there and back, a < b
    double mean_latency = 0, mean_ping_pong = 0;
    double mean_switches = 0;  ///< nodes between two links of a route

    // Of the traffic: what a sender injects, 1 for each, is divided among its flows in proportion to their bytes.
    std::uint64_t senders = 0;
    double largest_load = 0;              ///< of a link, over its capacity: 1 / it is the throughput at saturation
    double largest_between_switches = 0;  ///< the same of links between switches alone
    double saturation = 0;                ///< what a sender injects then, as a fraction of the base rate
    double load = 0;                      ///< as asked for
    struct HotLink {
        model::Link link;
        double load, utilisation, wait;  ///< expected for 1 injected; at `load`; mean wait of a packet at `load`
    };
    /// By falling utilisation, of equal ones by number; ten at most. Links between switches, where any is used: those
    /// of hosts carry what the traffic puts on them.
    std::vector<HotLink> hottest;
    struct Point {
        double share, load, wait, latency;  ///< of saturation; injected; mean wait and latency of a packet
    };
    std::vector<Point> curve;
};

/// Needs a plan with whole routes (Timing::keeps_routes_whole), each rank on its host as in the study's first mapping.
/// @throws InputError for a load that is not below saturation, flows that are drawn, durations in the wrong unit,
/// traffic of which nothing is delivered.
LatencyEstimate estimate_latency(study::StudyPlan const& plan, LatencyQuestion const& question);

}  // namespace tailback::queueing
