// The search for better tables of one request: what is tried, in which order, and what of it holds.
#pragma once

#include "host/api/improve/improve.hpp"
#include "host/api/improve/starts.hpp"
#include "host/search/tables/legal_ways.hpp"
#include "host/search/tables/search_tables.hpp"
#include "host/search/waits/free_trees.hpp"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tailback::audit {
struct DeadlockReport;
}
namespace tailback::api {

/// Whether the routes between these hosts are free of deadlock on one lane.
bool is_free_on_one_lane(model::Fabric const& fabric, std::vector<model::Host> const& hosts, unsigned threads);
/// With these trees in its tables, and no lanes.
model::Fabric with_trees(model::Fabric const& fabric, search::Trees const& trees);
/// Layers for the routes of these tables; null where so many lanes do not suffice.
model::FindLanes layers_for(model::Fabric const& fabric, unsigned lanes);

class TableSearch {
public:
    /// @param input trees of the fabric's tables, of what counts: pairs of hosts, or traffic
    TableSearch(ImproveRequest const& request, std::shared_ptr<model::Fabric const> before,
                search::SwitchGraph const& graph, std::vector<model::Host> const& hosts, search::Trees input);

    /// Never throws for a wish to stop: the best so far counts.
    void run();

    report::ImproveOutcome outcome() const { return outcome_; }
    /// Of the base LIDs.
    search::Trees const& input() const { return input_; }
    /// Of all pairs, by the fabric's tables.
    search::Trees const& all_input();
    /// By what was found; once.
    search::Trees all_found();
    bool input_is_free() const;
    /// Is it, or would it be with service levels of its own?
    bool input_fits() const;
    /// Of the tables of a routing that keep what was asked for those that are best; none where no others fit.
    std::optional<report::BestRouting> best_routing();
    /// The fabric with what was found: other LIDs of the hosts, too, and lanes where they are needed.
    std::shared_ptr<model::Fabric> fabric() const { return after_; }

    /// What a search of one slack came to.
    struct Found {
        report::ImproveOutcome outcome = report::ImproveOutcome::best_already;
        std::string start;
        search::SearchReport report;
        std::uint64_t trials = 0, valleys = 0;
        bool by_order = false;
        std::optional<search::Trees> best;
        std::optional<search::LegalWays> ways;
        model::FindLanes lanes = nullptr;
    };

    std::string start;  ///< which tables the search began with: `input`, or a routing
    search::SearchReport report;
    std::uint64_t trials = 0, valleys = 0;
    bool by_order = false;

private:
    bool is_for_load() const {
        return request_.objective == ImproveObjective::max_load || request_.objective == ImproveObjective::jobs;
    }
    bool is_for_permutation() const { return request_.objective == ImproveObjective::permutation; }
    search::LegalWays shortest_ways() const { return search::LegalWays::shortest(graph_, slack_); }
    void set_budget();
    void search_few_changes();
    void change_few(bool frees);
    audit::DeadlockReport circles_of(search::Trees const& trees) const;
    bool free_by_few(search::Trees& trees, std::uint64_t& most_entries) const;
    std::uint64_t entries_that_differ(search::Trees const& trees) const;
    bool is_freed_by_few(search::Trees& trees, std::uint64_t& most_entries) const;
    std::uint64_t trim_few(search::Trees& trees, std::uint64_t most_entries);
    void search_slacks();
    void search_all();
    std::optional<std::size_t> spread_for_an_order(std::vector<search::Trees>& starts) const;
    Found take_found();
    void put_back(Found found);
    std::vector<std::vector<std::uint32_t>> orders_to_try() const;
    void search_one_lane_too(search::Trees found);
    void search_by_order();
    void take_better_start();
    model::Fabric changed_by(search::Trees const& trees) const;
    bool is_free(model::Fabric const& changed) const;
    bool is_free(search::Trees const& trees) const;
    std::optional<bool> told_by_trees(search::Trees const& trees, bool of_everybody) const;
    std::optional<bool> input_told_by_trees(bool of_everybody) const;
    bool others_are_free() const;
    bool fits_on_lanes(search::Trees const& trees, model::FindLanes& lanes) const;
    bool is_lower(search::TreesRank const& rank, search::TreesRank const& than) const;
    bool finds_input_free() const;
    std::optional<double> bandwidth_of(search::Trees const& trees) const;
    bool is_far_above(search::TreesRank const& rank, search::TreesRank const& other) const;
    bool is_above(search::Trees const& trees, search::TreesRank const& rank, search::Trees const& other,
                  search::TreesRank const& of_other) const;
    bool is_lower(search::Trees const& trees, search::TreesRank const& rank, search::Trees const& than,
                  search::TreesRank const& other) const;
    bool is_better(search::Trees const& trees, bool is_free) const;
    search::Trees all_pairs() const;
    std::uint64_t lost_pairs(model::Fabric const& fabric) const;
    void settle();
    void finish();
    std::uint64_t spread_planes(model::ForwardingTables& tables) const;

    ImproveRequest const& request_;
    std::shared_ptr<model::Fabric const> before_;
    search::SwitchGraph const& graph_;
    std::vector<model::Host> const& hosts_;
    std::vector<model::Host> everybody_;
    search::Trees input_;
    std::uint32_t slack_ = 0;
    search::SearchBudget budget_;
    report::ImproveOutcome outcome_ = report::ImproveOutcome::best_already;
    std::optional<search::Trees> best_, all_input_;
    std::optional<search::LegalWays> ways_;
    std::vector<NamedTables> routings_;  ///< that were tried, and the input's where that is not large
    // Found when they are asked for.
    mutable std::optional<bool> input_is_free_, others_are_free_;
    mutable std::optional<search::FreeTrees> free_trees_, free_trees_of_everybody_;
    model::FindLanes lanes_ = nullptr;
    bool changes_few_ = false;  ///< entries that no packet meets stay as they are
    std::shared_ptr<model::Fabric> after_;
};

}  // namespace tailback::api
