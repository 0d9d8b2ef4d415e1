#include "host/study/traffic_flows.hpp"

#include "host/base/error.hpp"
#include "host/base/numbers.hpp"
#include "patterns/families.hpp"

#include <fmt/format.h>

namespace tailback::study {

patterns::FlowList flows_of(traffic::TrafficMatrix const& matrix, std::string const& file,
                            std::vector<std::string>& notes) {
    constexpr std::uint64_t most_bytes = INT64_MAX;
    patterns::FlowListWriter out(matrix.ranks);
    out.begin_level();
    std::uint64_t flows = 0, empty = 0;
    traffic::for_each_row(matrix, [&](traffic::Entry const& entry) {
        if (entry.bytes > most_bytes)
            throw base::InputError({file, 0},
                                   fmt::format("rank {} sends rank {} {} bytes", entry.source, entry.destination,
                                               base::grouped(entry.bytes)),
                                   fmt::format("a flow has {} at most", base::grouped(most_bytes)),
                                   "write the traffic in a larger unit");
        if (entry.bytes == 0) ++empty;
        else out.flow(entry.source, entry.destination, entry.bytes);
        flows += entry.bytes > 0 && entry.source != entry.destination;
    });
    if (flows == 0)
        throw base::InputError({file, 0}, "there is no flow in the traffic", "no rank sends another a byte",
                               "check that this is the right file; `tailback traffic FILE` tells what is in it");
    notes.push_back(fmt::format("the traffic is evaluated as one level of {}, all there at once",
                                base::counted(flows, "flow", "flows")));
    if (empty > 0)
        notes.push_back(base::counted(empty, "pair has", "pairs have") + " messages without bytes: left out");
    if (matrix.unit != traffic::Unit::bytes)
        notes.push_back(fmt::format("{} are evaluated as if each were a byte", traffic::name_of(matrix.unit)));
    patterns::FlowList list = out.take();
    list.bytes_given = matrix.unit == traffic::Unit::bytes;
    return list;
}

patterns::FlowList flows_of(traffic::GoalSchedule const& schedule, std::string const& file) {
    constexpr std::uint64_t most_bytes = INT64_MAX;
    patterns::FlowListWriter out(schedule.ranks);
    out.begin_level();
    bool any = false;
    for (traffic::GoalOperation const& operation : schedule.operations) {
        if (operation.kind != traffic::GoalOperation::Kind::send) continue;
        if (operation.amount > most_bytes)
            throw base::InputError({file, operation.line}, "the message is too large",
                                   fmt::format("a flow has {} bytes at most", base::grouped(most_bytes)),
                                   "write the schedule in a larger unit");
        out.flow(operation.rank, operation.peer, operation.amount);
        any |= operation.amount > 0 && operation.rank != operation.peer;
    }
    if (!any)
        throw base::InputError({file, 0}, "there is no flow in the schedule", "no rank sends another a byte",
                               "check that this is the right file");
    return out.take();
}

}  // namespace tailback::study
