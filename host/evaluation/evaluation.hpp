// The answer to a study: the kernels' integers turned into metrics.
#pragma once

#include "host/evaluation/column.hpp"
#include "host/evaluation/device/device.hpp"
#include "host/evaluation/goal.hpp"
#include "host/evaluation/loads_in_mappings.hpp"
#include "host/evaluation/processes/processes.hpp"
#include "host/evaluation/run_sums.hpp"
#include "host/evaluation/statistics.hpp"

#include <functional>
#include <map>
#include <span>

namespace tailback::evaluation {

/// Checkpointing what was found so far, so that another run can go on from there.
struct Checkpointing {
    std::vector<RunSums> before;  ///< by column, where to begin: not evaluated again; empty = nothing is there
    std::function<void(std::span<RunSums const>)> save;  ///< by column; none = nothing is kept
    double every_s = 30;                                 ///< time between two calls of `save`; 0 = after every batch
};

/// How to run; nothing in here may change the answer.
struct ExecutionOptions {
    DeviceChoice device = DeviceChoice::automatic;
    unsigned threads = 0;     ///< 0 = all cores
    std::uint64_t batch = 0;  ///< 0 = as many as take a good while, at most what the executor likes
    /// Called when it is known where the work runs: `cpu` or the device's name, and why a CUDA device that is there is
    /// not used (empty: nobody has to know).
    std::function<void(std::string const& device, std::string const& note)> tell_device;
    /// Called after every batch with mappings done so far.
    std::function<void(std::uint64_t done)> progress;
    /// Called with every mapping's tallies, in order of mappings: those of the first column, then of those beside it
    /// that have the mapping; of each as many as it repeats mappings.
    std::function<void(std::uint64_t mapping, std::span<kernels::MappingTally const>)> per_mapping;
    /// Asked after every batch, and in a batch whose routes take seconds to compute on demand; true ends the evaluation
    /// there.
    std::function<bool()> stop;
    /// The same as a flag: ends in its middle the first batch, of which nothing could be reported before it is over,
    /// and any of no more mappings than threads. The mappings of that batch are left out.
    std::atomic<bool> const* wish = nullptr;
    /// Saves now and then, when stopped, and when a goal was not reached.
    Checkpointing checkpointing;
    /// Who shares the work; null = nobody. Then all of them call `evaluate`, with the same plan. `stop` may be true at
    /// any of them; the other functions are called at rank 0 alone, which alone gets the answer.
    Processes const* processes = nullptr;
};

/// A metric's number of one mapping; NaN where it is a mean over no flow.
double number_of(study::StudyPlan const& plan, study::Metric metric, kernels::MappingTally const& tally);

/// What a metric sorts flows by.
struct FlowsSorted {
    /// The number, and flows with it: ascending, none with 0 flows.
    std::vector<std::pair<double, std::uint64_t>> counts;
    std::vector<double> ends;           ///< numbers are low <= number < end, `counts` has `low`; empty: they are exact
    double mean_of_inverse = 0;         ///< mean of 1/number over delivered flows; NaN when there are none
    double mean_of_inverse_of_all = 0;  ///< over all flows, those not delivered as 0
};

struct LinkSum {
    model::Link link;
    std::uint64_t sum;        ///< flows over all levels and mappings, or their bytes
    double scaled;            ///< sum / largest sum, 0..1
    std::uint64_t flows = 0;  ///< without their bytes
};

struct Evaluation {
    std::uint64_t mappings = 0;  ///< evaluated: the first so many of the study; 0 = stopped in the first, no numbers
    bool interrupted = false;    ///< by `stop`; fewer than the study has, and no goal reached
    std::optional<Precision> until;  ///< of a study with a goal

    std::uint64_t delivered = 0, unreachable = 0, loop = 0, misdelivered = 0;  ///< flows met
    std::uint64_t local = 0;                                                   ///< flows from a rank to itself
    std::uint64_t within_nodes = 0, bytes_within_nodes = 0;  ///< flows between ranks of one compute node; their bytes
    std::map<study::Metric, Distribution> numbers;  ///< of the metrics asked for that have one number a mapping
    /// Of those that are means over delivered flows, the same over all flows, those not delivered as 0; where all are
    /// delivered, it is the same and is not in here.
    std::map<study::Metric, Distribution> numbers_of_all;
    std::map<study::Metric, FlowsSorted> flows;  ///< of those that sort flows

    /// Of a metric that sums up links: every link of the network, in link order (of a regular network: of the study's
    /// hosts, by slot).
    std::vector<LinkSum> links;
    std::uint64_t largest_link_sum = 0;
    std::optional<LoadsInMappings> in_mappings;  ///< of loads of links

    // how it ran (never part of a report)
    std::string device;
    unsigned threads = 0;
    double evaluate_s = 0;
    std::uint64_t hops = 0;  ///< links of delivered flows' routes; 0 when not counted
};

/// A column that was to reach a goal has not.
bool missed_goal(std::span<Evaluation const> columns);

/// Runs the plan. @throws InputError when `cuda` is asked for and there is none.
/// In several processes `interrupted` and `until->reached` are right in each.
Evaluation evaluate(study::StudyPlan const& plan, ExecutionOptions const& options);

/// Runs columns batch by batch side by side, so that all have the same mappings when they are stopped. A goal is
/// reached when it is in all of them. Columns of fewer mappings than the first have the first so many.
std::vector<Evaluation> evaluate(std::span<Column const> columns, ExecutionOptions const& options);

}  // namespace tailback::evaluation
