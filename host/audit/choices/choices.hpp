// Adaptive routing audited over ALL choices of its switches: what some choice comes to, how long routes can be, who can
// wait for whom, how even loads are where switches divide equally, and what is odd about the groups themselves.
#pragma once

#include "host/audit/deadlock/channel_cycles.hpp"
#include "host/audit/findings/finding.hpp"
#include "host/audit/loads/balance.hpp"
#include "host/model/routes/choice_graph.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace tailback::audit {

/// Groups of a fabric's candidate sets, and how they are used by entries of switches for destination LIDs.
struct GroupFacts {
    std::uint64_t groups = 0;                 ///< that have ports
    std::uint32_t smallest = 0, largest = 0;  ///< ports of a group in use
    std::uint64_t entries = 0;                ///< of switches for LIDs of hosts that hang off other switches
    std::uint64_t with_group = 0;             ///< that choose among a group that has ports
    std::uint64_t choices = 0;                ///< ports of those groups, added up
    std::uint64_t empty_groups = 0;           ///< in use and without a port
    std::uint64_t with_empty_group = 0;       ///< entries of those: the static entry is taken
};

/// Between request.hosts, at all their LIDs.
struct ChoiceReport {
    std::uint64_t pairs = 0;   ///< (source, destination LID)
    std::uint64_t always = 0;  ///< that every choice delivers
    std::uint64_t never = 0;   ///< that no choice delivers
    /// Pairs that some choice drops, sends in a circle, delivers to another host; by Fate. A pair may be in several.
    std::uint64_t some[4] = {};
    /// Of pairs that every choice delivers: (links of the shortest, of the longest route) and how many.
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> lengths;

    bool deadlock_free = true;  ///< of all choices together, on one lane
    std::vector<ChannelCycle> cycles;

    GroupFacts groups;

    /// Under equal division at every switch. Pairs that some choice does not deliver are left out.
    PairLoads loads;
    model::Link hottest;  ///< between switches, the first with the largest load
    double largest_load() const { return hottest.exists() ? loads.pairs(hottest) : 0; }

    std::uint64_t sometimes_failing() const { return pairs - always - never; }
};

/// What all pairs of hosts put on links where every switch divides equally among the ports of its set.
PairLoads divided_loads(model::ChoiceGraph const& graph, std::span<model::Host const> hosts, unsigned threads);

struct AllChoices {
    std::uint64_t not_always = 0;  ///< pairs of hosts that some choice does not deliver
    bool free = true;              ///< of deadlock over all choices together, on one lane
};
/// Between these hosts, which are the graph's destinations, at all their LIDs.
AllChoices judge_all_choices(model::ChoiceGraph const& graph, std::span<model::Host const> hosts);

struct Audit;
/// After audit_deadlock: fills `audit.choices`, adds its findings and judges the balance anew, by equal division, where
/// the fabric has candidate sets.
/// O(destination classes x ports of all switches).
void audit_choices(Audit& audit);

/// What is odd about the groups themselves: without a port, without the static entry's port, entries for a LID that are
/// unlike those for the other LIDs of the same switch.
std::vector<Finding> odd_groups(model::Fabric const& fabric, std::span<model::Host const> hosts, GroupFacts& facts);

/// Of routes of equal cost: next hops that routes lack although they are as short as those they have, where most routes
/// of the fabric lack none. A cable that no route goes by in either direction is one finding. Elsewhere none.
/// O(destination LIDs x links between switches).
std::vector<Finding> missing_members(model::Fabric const& fabric, std::span<model::Host const> hosts);

/// Between two routers of a folder a cable that routes go by, though neither end hears the other: it may be a LAG whose
/// members no file tells, and other cables between the two its members. No link: there is none.
model::Link cable_of_unknown_members(model::Fabric const& fabric, model::Node one, model::Node other);

/// Does an entry of a switch for a host, or a set that it takes, have the port? The fabric has candidate sets.
bool some_choice_takes(model::Fabric const& fabric, model::Node node, model::Port port);

/// Of links that no route takes: one finding for all between two nodes, as an operator looks at them together. What
/// some choice takes is used.
/// @param of_chosen_hosts pairs of other hosts were not looked at
std::vector<Finding> find_unused_cables(model::Fabric const& fabric, std::vector<model::Link> unused,
                                        bool of_chosen_hosts);

}  // namespace tailback::audit
