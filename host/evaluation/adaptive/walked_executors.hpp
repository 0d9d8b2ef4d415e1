// What evaluates plans whose routes are walked when a mapping is placed: by a hash at every switch, or to one of a
// host's LIDs.
#pragma once

#include "host/evaluation/adaptive/study_columns.hpp"
#include "host/evaluation/adaptive/walked_routes.hpp"
#include "kernels/executor.hpp"

#include <functional>
#include <memory>
#include <string>

namespace tailback::evaluation {

/// Evaluates a plan of so many parts as there are queue pairs (study::divided_plan), one after the other. The plan and
/// the graph must outlive it. By rows of all pairs where these pay (rows_pay), else flow by flow.
std::unique_ptr<kernels::Executor> make_hashed_executor(study::StudyPlan const& plan, HashedWays const& ways,
                                                        unsigned threads);
/// The same of a plan of one part, or, where flows go to all LIDs, of as many as a host has LIDs at most.
std::unique_ptr<kernels::Executor> make_spread_executor(study::StudyPlan const& plan,
                                                        model::Forwarding const& forwarding, LidSpread spread,
                                                        unsigned threads);

/// Makes what evaluates a plan on a CUDA device, by rows of all pairs. @throws DeviceError when there is none, memory
/// does not suffice, or a flow takes more links than a row has.
using MakeOnCuda = std::function<std::unique_ptr<kernels::Executor>(study::StudyPlan const&)>;
/// None where the route of a message is told neither by its pair of hosts nor by where it stands in its level: ranks
/// that share hosts have a hash for each of their connections, and go round LIDs together.
/// @param plan of the whole study
MakeOnCuda hashed_on_cuda(study::StudyPlan const& plan, HashedWays const& ways);
MakeOnCuda spread_on_cuda(study::StudyPlan const& plan, model::Forwarding const& forwarding, LidSpread spread);

/// StudyColumns::add, on a device too where `on_cuda` is not none.
template <class Make>
void add_walked(StudyColumns& columns, std::string const& name, study::FlowDivision const& division,
                std::string const& identity, Make const& make, MakeOnCuda const& on_cuda) {
    if (on_cuda) columns.add(name, division, identity, make, on_cuda);
    else columns.add(name, division, identity, make);
}

}  // namespace tailback::evaluation
