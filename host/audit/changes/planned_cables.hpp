// Is a fabric cabled as planned? Cables that lead elsewhere, are missing, or that nobody planned; ends that were
// swapped are one mistake; and what each mistake costs.
#pragma once

#include "host/audit/changes/judged_networks.hpp"
#include "host/formats/plan/cable_plan.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tailback::audit {

/// A port is in one planned cable and in one found cable at most, so what differs falls into chains in which planned
/// and found cables take turns. A chain that closes is cables whose ends were swapped (two, or more in a circle).
enum class Miscabling : std::uint8_t { swapped, wrong, missing, extra };
inline constexpr char const* miscabling_names[] = {"swapped", "wrong", "missing", "extra"};

struct CableMistake {
    Miscabling kind = Miscabling::wrong;
    std::vector<std::size_t> planned;  ///< places in the plan; none of an extra cable
    std::vector<model::Link> found;    ///< one direction of each; none of a missing cable
    std::string rack;                  ///< of the plan; where it has none, the switch at one end
};

/// Ports that the plan calls in another way than the network calls those of the same devices: `Ethernet1`, where the
/// ports there are called `1`.
struct OtherForm {
    std::string planned, here;  ///< for example
    std::uint64_t ports = 0, devices = 0;
    std::vector<std::string> texts;  ///< as in unknown_ports
};

struct PlanComparison {
    std::uint64_t as_planned = 0;  ///< cables
    std::vector<CableMistake> mistakes;
    /// Cables of kinds that the plan has none of, which are not compared: between switches, of hosts.
    std::uint64_t between_switches = 0, of_hosts = 0;
    std::vector<std::string> unknown;        ///< devices of the plan that the network does not have, or has several of
    std::vector<std::string> unknown_ports;  ///< `leaf01 [swp9]`: of devices that it has, without a cable of that name
    std::vector<OtherForm> other_forms;      ///< two ports or more of unknown_ports each
    std::uint64_t count(Miscabling kind) const;
};

/// Nodes by folded names (formats::folded_name), ports by number, label or name. Cables inside a director are no cables
/// of a plan.
PlanComparison compare_plan(model::Network const& network, formats::CablePlan const& plan);

/// The network with these mistakes put right, with the devices of the plan that it lacks; a cable to a port that can
/// be none of these is left out.
model::Network put_right(model::Network const& network, formats::CablePlan const& plan,
                         std::span<CableMistake const> mistakes);

/// What mistakes cost, by routes that one routing makes anew for each network (judged_networks.hpp). `refused` where a
/// network cannot be built: the plan names a port that the fabric lacks, or one mistake alone has some of the cables of
/// a device that it lacks.
struct PlanCosts {
    std::string routing;
    bool divided = false;                  ///< judged by equal division; else by tables
    std::optional<JudgedNetwork> by_own;   ///< as it is, by the routes that are there
    JudgedNetwork as_it_is, as_planned;    ///< by the routing
    std::vector<JudgedNetwork> put_right;  ///< each of the first mistakes alone
};
/// A routing that makes routes of the fabric's kind: sets of ports where its switches have these, else tables.
std::string usual_routing_of_costs(model::Fabric const& fabric);
/// @param most of the mistakes @throws InputError; kernels::Stopped
PlanCosts cost_of_mistakes(model::Fabric const& fabric, formats::CablePlan const& plan, PlanComparison const& found,
                           std::string const& routing, std::uint64_t most, unsigned threads);

}  // namespace tailback::audit
