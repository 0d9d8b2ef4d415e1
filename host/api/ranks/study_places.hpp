// The places that ranks may take on the nodes of a study, the ways between them, and what the ranks send.
#pragma once

#include "host/api/study.hpp"
#include "host/search/places/place_problem.hpp"

#include <map>
#include <memory>
#include <vector>

namespace tailback::api {

/// Where ranks sit, as places: of places at one host those that are free yet, in their order.
class PlacesOfHosts {
public:
    explicit PlacesOfHosts(std::span<model::Host const> places);
    /// @return shorter where a host has no place that is left: up to the first such
    search::Order order_of(std::span<model::Host const> hosts) const;

private:
    std::map<std::uint32_t, std::vector<std::uint32_t>> of_host_;
};

/// What running jobs put on the links of a network.
struct BusyLinks {
    std::vector<double> busy;  ///< by model::Link: 1 is a link as busy as the busiest adapter of a job that is alone
    std::vector<double> harm;  ///< by model::Link: 1 / (the busiest link of a job that uses it), the largest; 0: none
    double unit = 0;  ///< load x cost of the busiest adapter of the ranks that are placed, in their own weights
};

struct StudyPlaces;
enum class WeightsOfFlows : std::uint8_t { own, alike };
/// What ranks send each other, `search::tidied`. @throws InputError for flows that are drawn
std::vector<search::PlacedLevel> levels_of(patterns::FlowList const& list, std::string const& pattern,
                                           WeightsOfFlows weights);
/// The costs of links and the ways between all places. @throws InputError where there are none
/// @param threads 0 = all cores
void find_ways(StudyPlaces& places, unsigned threads);

/// A study with an order of its ranks, and all places of its nodes (or of others) for a search.
struct StudyPlaces {
    std::shared_ptr<study::StudyPlan const> start, all;
    search::PlaceProblem problem;   ///< levels as `search::tidied` has them
    std::vector<model::Link> link;  ///< by link of the ways
    search::Order order;            ///< that of `start`

    std::vector<model::Host> const& hosts() const { return all->study.placement.mapping_hosts; }
    /// Multiplies all weights, so that the background can be given in whole units of them, and adds it.
    /// @return by what
    std::uint64_t put_beside(BusyLinks const& links);
};

/// @param nodes where the places are, by number; empty: those of the request
/// @throws InputError where the study has nothing to order: fewer than two ranks, flows that are drawn, pairs of places
/// without a route, routes that are made on demand.
StudyPlaces find_places(StudyRequest const& request, std::vector<std::uint32_t> const& nodes,
                        std::shared_ptr<model::Fabric const> const& fabric, unsigned threads, Listener const& listener);

}  // namespace tailback::api
