// What an improvement is judged by, beside the audit: the hosts that count, and what jobs send.
#pragma once

#include "host/api/improve/improve.hpp"
#include "host/search/bounds/demand.hpp"
#include "host/search/bounds/load_bound.hpp"
#include "host/search/tables/trees.hpp"

#include <memory>
#include <string>
#include <vector>

namespace tailback::api {

/// Those of a pattern, or all; no aggregation nodes. @throws InputError for fewer than two
std::vector<model::Host> hosts_of(model::Fabric const& fabric, std::string const& pattern);
/// All endpoints that can be sent to, those that are left out and aggregation nodes among them.
std::vector<model::Host> everybody_of(model::Network const& network);

struct JobTraffic {
    std::vector<search::SeatFlow> flows;               ///< bytes, or flows of those that have none
    std::vector<std::vector<search::Sender>> senders;  ///< by seat: shares, in units that 32 bits hold
};
/// What the request's jobs send, all levels added up. @throws InputError for anything wrong with them
JobTraffic traffic_of_jobs(ImproveRequest const& request, search::SwitchGraph const& graph,
                           std::shared_ptr<model::Fabric const> const& fabric, Listener const& listener);
/// Pairs over a link between switches; where these are of several capacities, by capacity (1 = that of the base rate).
double largest_load_of(search::SwitchGraph const& graph, search::Trees const& trees);
report::JobsBound bound_of_jobs(search::SwitchGraph const& graph, JobTraffic const& traffic);

}  // namespace tailback::api
