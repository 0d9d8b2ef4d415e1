// Several jobs whose ranks are ordered at once, each on nodes of its own.
#pragma once

#include "host/api/jobs.hpp"
#include "host/api/ranks/study_places.hpp"
#include "host/search/orders/order_search.hpp"

#include <memory>
#include <string>
#include <vector>

namespace tailback::api {

/// One of them: its ranks among those of all, and its places among those of all.
struct OrderedJob {
    std::string name;
    std::uint32_t first_rank = 0, ranks = 0, first_place = 0, places = 0;
    patterns::FlowList flows;
};

/// The places of all jobs, and what all ranks send, all levels together. Every job sends as fast as the busiest of its
/// ranks lets it, which has weights of `busiest`.
struct JobPlaces {
    static constexpr std::uint64_t busiest = 1 << 24;
    StudyPlaces places;
    std::vector<OrderedJob> jobs;
    JobsRequest request;  ///< where the search begins

    /// All jobs in that order: PlacesOfHosts::order_of. @throws InputError
    search::Order named_order(study::RankOrder const& order, std::shared_ptr<model::Fabric const> const& fabric) const;
    /// search::bisected of each job.
    search::Order bisected() const;
    /// By job: the largest load x cost of a link that it uses, with all jobs on it.
    std::vector<std::uint64_t> busiest_links(search::Order const& order) const;
    /// An order whose busiest link is no busier, and whose lighter jobs have better ones: the job with the busiest link
    /// stays, and the others are searched anew beside it; of them the next one stays, and so on.
    /// @param starts that lighter jobs begin at, beside the order found @param options `moves` for all of that together
    search::FoundOrder relieve_lighter(search::FoundOrder found, std::span<search::Order const> starts,
                                       search::OrderSearchOptions const& options) const;
    /// Of one job, in this order of all: for files of launchers.
    std::shared_ptr<study::StudyPlan const> plan_of(OrderedJob const& job, search::Order const& order) const;
};

/// @param threads 0 = all cores
/// @throws InputError for jobs that cannot be ordered: that run with others or go by priorities
JobPlaces find_places_of_jobs(JobsRequest request, std::shared_ptr<model::Fabric const> const& fabric, unsigned threads,
                              Listener const& listener);

}  // namespace tailback::api
