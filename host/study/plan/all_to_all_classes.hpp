// An all-to-all whose flows are not listed: when a study may have it so, and what kernels need of it.
#pragma once

#include "host/model/pack/route_store.hpp"
#include "host/study/study.hpp"
#include "kernels/evaluate/all_to_all_view.hpp"
#include "kernels/evaluate/problem.hpp"

#include <cstdint>
#include <vector>

namespace tailback::study {

/// Can what the study asks for be told without a list of its flows? They have to be an all-to-all between ranks on
/// hosts of their own, in the linear model, in no order.
bool may_leave_flows_unlisted(Study const& study);

/// The hosts of a study by the routes that their packets take.
struct AllToAllClasses {
    std::vector<std::uint32_t> class_of_host, first, hosts;  ///< see kernels::AllToAllView

    /// Of the hosts of a problem, whose routes are there. @return what points into this, but for `whole_share`
    kernels::AllToAllView describe(kernels::Problem const& problem);
};

/// The largest congestion that any choice of the problem's hosts can have, in its units: that of all of them at once.
std::uint32_t largest_congestion(kernels::Problem const& problem);

}  // namespace tailback::study
