// Better tables for a fabric as it is, as a function: the search, its proof by the audit, and what it takes to load
// them. Nothing is printed, nothing is written.
#pragma once

#include "host/api/jobs.hpp"
#include "host/api/obtain.hpp"
#include "host/report/improve/improve_report.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tailback::api {

class TableSearch;

enum class ImproveObjective : std::uint8_t { collisions, max_load, jobs, permutation };

struct ImproveRequest {
    NetworkChoice network;
    std::string hosts;  ///< a glob on names; empty = all
    model::CapacityKind capacities = model::CapacityKind::from_rates;
    ImproveObjective objective = ImproveObjective::collisions;
    std::vector<JobRequest> jobs;                       ///< whose traffic counts, with that objective
    std::optional<study::NodeGroupingChoice> adapters;  ///< of the jobs: see PlacementRequest
    bool rail_aligned = false;
    std::uint32_t slack = 0;                                       ///< links that ways may take beyond the fewest
    unsigned lanes = 1;                                            ///< on which the tables are to be free of deadlock
    std::optional<std::uint64_t> changes;                          ///< entries that may differ; none = all
    std::optional<std::uint64_t> rounds, moves, trials, restarts;  ///< none = what pays for the network
    std::uint64_t seed = 1;
    unsigned threads = 0;                     ///< 0 = all cores; never changes the tables
    std::atomic<bool> const* stop = nullptr;  ///< when it is set the search ends, with the best so far
    /// When it is set the search by ways of fewest links ends, which one lane may not take; null = `stop`
    std::atomic<bool> const* half_over = nullptr;
    /// With whom the search is shared, and what keeps it; null: nobody. Process 0 alone judges what comes out.
    search::SharedSearch* shared = nullptr;

    /// Every file that is read.
    model::NamedFiles named_files() const;
};

class Improvement {
public:
    /// @throws InputError for anything wrong with the request or its files, and for what has no forwarding tables.
    Improvement(ImproveRequest const& request, Listener const& listener);

    /// With its lanes where it needs some (Fabric::find_lanes).
    model::Fabric const& fabric() const { return *after_; }
    report::ImproveReport report() const;

private:
    report::ImprovedSide judged(ImproveRequest const& request, search::SwitchGraph const& graph,
                                std::shared_ptr<model::Fabric> const& fabric, search::Trees const& trees) const;
    /// @param old trees of the input's tables
    bool loses_bandwidth() const;
    void keep_input();
    void judge(ImproveRequest const& request, search::SwitchGraph const& graph, TableSearch& search,
               Listener const& listener);

    std::shared_ptr<model::Fabric> before_, after_;
    report::ImprovedSide was_, is_;
    report::ImproveOutcome outcome_ = report::ImproveOutcome::best_already;
    std::string objective_, start_;
    search::SearchReport search_;
    std::uint64_t trials_ = 0, valleys_ = 0;
    bool by_order_ = false;
    std::uint64_t entries_ = 0, blocks_ = 0, switches_ = 0;
    std::optional<report::JobsBound> jobs_bound_;
    std::optional<report::LoadBound> load_bound_;
    std::optional<report::BestRouting> best_routing_;
    std::optional<double> most_bandwidth_;
    bool by_capacity_ = false;
    bool may_be_loaded_ = true;
    unsigned lanes_ = 1;
    search::Rollout rollout_ = search::Rollout::nothing;
    model::NamedFiles files_;
};

}  // namespace tailback::api
