// The whole audit of a fabric: every part asked, every number and finding a report tells.
#pragma once

#include "host/audit/changes/returned_cables.hpp"
#include "host/audit/changes/tried_routings.hpp"
#include "host/audit/changes/what_if.hpp"
#include "host/audit/choices/choices.hpp"
#include "host/audit/deadlock/deadlock.hpp"
#include "host/audit/failures/explain.hpp"
#include "host/audit/failures/switch_lids.hpp"
#include "host/audit/findings/finding.hpp"
#include "host/audit/loads/all_pairs.hpp"
#include "host/audit/loads/balance.hpp"
#include "host/audit/loads/groups.hpp"
#include "host/audit/loads/levels.hpp"
#include "host/audit/worst_case/worst_case.hpp"
#include "host/model/routes/forwarding.hpp"
#include "host/search/bisection/expected_bisection.hpp"
#include "host/search/bounds/fabric_bound.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tailback::audit {

/// Effective bisection bandwidth, sampled: where flows divide equally, and where a hash picks a port for every flow.
struct SampledBisection {
    struct Mean {
        double mean = 0, half_width = 0;  ///< of its 99 % confidence interval
    };
    std::uint64_t mappings = 0;
    Mean equal, hashed;
};

struct AuditRequest {
    std::vector<model::Host> hosts;                 ///< endpoints that send and are sent to
    std::vector<model::Host> apart;                 ///< aggregation nodes, counted apart
    std::optional<std::vector<model::Node>> roots;  ///< of up*/down*; none = inferred
    bool levels_are_unknown = false;                ///< paths may have service levels that nobody has told; 0 is taken
    bool circles = true;                            ///< of a deadlock, beside the verdict
    evaluation::ExecutionOptions execution;
    model::NamedFiles files;  ///< that were read, for reports
    model::NamedFiles used;   ///< of a folder, what its files are used for: `network`, `tables`, ..; empty elsewhere

    /// `hosts` and `apart`
    std::vector<model::Host> everybody() const;
};

/// What was found. The fabric must outlive it. Nothing in here depends on device or threads.
struct Audit {
    explicit Audit(model::Fabric const& audited) : fabric(audited), forwarding(audited) {}
    Audit(Audit const&) = delete;

    model::Fabric const& fabric;
    model::Forwarding forwarding;
    AuditRequest request;
    Levels levels;
    UpDown updown;
    AllPairsRequest all_pairs_request;
    AllPairsResult all_pairs;  ///< between request.hosts, by the tables alone
    std::vector<bool> usable;  ///< links that `request.hosts` could use; empty = all
    Balance balance;           ///< of `load()`
    Asymmetry asymmetry;
    SwitchLids switch_lids;
    PairCounts apart_pairs;                  ///< everybody to aggregation nodes, and those to everybody
    TurnSet apart_turns;                     ///< of those pairs
    Explanation failing;                     ///< of all_pairs, why they fail
    std::vector<Explanation> apart_failing;  ///< of the pairs apart
    /// Parts that are filled where they are asked for.
    std::optional<DeadlockReport> deadlock;
    /// Where aggregation nodes are apart: cyclic components of channels when their pairs count, too.
    std::optional<std::uint64_t> cyclic_components_with_apart;
    /// The verdict of `deadlock` holds at service level 0 alone, and paths may have others.
    bool deadlock_is_undecided = false;
    std::optional<ChoiceReport> choices;       ///< where the fabric has candidate sets
    std::optional<WhatIf> removal;             ///< --without-cable, --without-switch
    std::vector<CablePairs> cables;            ///< --criticality; empty = not asked
    std::vector<GroupSum> groups;              ///< --group-by; empty = not asked
    std::optional<search::FabricBound> bound;  ///< what no tables can beat; --bound
    std::string no_bound;                      ///< why there is none; empty = not asked
    /// Of hosts that are paired at random, all links counted alike; --ebb.
    std::optional<search::ExpectedBisection> bisection;
    std::optional<SampledBisection> sampled;  ///< in its place where the fabric has candidate sets
    std::optional<double> most_bisection;  ///< no tables give more; none where flows may divide or hosts have more LIDs
    std::vector<TriedRouting> tried;       ///< --try-routings; empty = not asked
    std::optional<CableReturns> returns;   ///< --return-cables
    WorstCase worst_case;
    /// Worst first: pairs that fail, by number; then deadlock, inconsistent, aggregation, switch_lids, updown,
    /// nonminimal, asymmetric, unused, each by pairs.
    std::vector<Finding> findings;

    model::Network const& network() const { return fabric.network; }
    /// By link, in 1/balance.unit of a pair: by equal division where switches choose among sets, else by the tables.
    std::vector<std::uint64_t> const& load() const { return choices ? choices->loads.load : all_pairs.load; }
    double pairs_over(model::Link link) const { return balance.pairs(double(load()[link.value])); }
    /// Of the pairs between request.hosts: by the tables, and what lane 15 drops is unreachable.
    PairCounts fates() const;
    /// Findings of a kind, and causes with symptoms of it.
    std::uint64_t count(FindingKind kind) const;
    /// Pairs of all findings of a kind.
    std::uint64_t pairs(FindingKind kind) const;
    void add(std::vector<Finding> more);
    /// Before all others: these may take them in.
    void add_first(std::vector<Finding> more);
    /// Puts symptoms under their causes and brings the findings into their order; after the last `add`.
    void sort_findings();
};

/// Fills `audit` (its request is set) with the numbers of the routes between hosts: levels, pairs by fate and why they
/// fail, loads, balance. No findings.
void audit_routes(Audit& audit);
/// The same of what is counted apart from hosts: fates alone of the LIDs of switches and of aggregation nodes.
void audit_apart(Audit& audit);
/// After both: the findings on consistency, fates and their causes, path quality, idle cables.
void find_faults(Audit& audit, model::Disagreements const& disagreements);
/// After audit_routes: fills `deadlock` (point 6). On one lane when both are null.
void audit_deadlock(Audit& audit, model::LaneMaps const* maps, model::ServiceLevels const* levels);

/// Fills `bound`, or says why it cannot be.
void audit_bound(Audit& audit, search::BoundRoutes routes);

/// Fills `bisection` and `most_bisection`.
void audit_bisection(Audit& audit);

/// Fills `returns`: by tables, or where the fabric's switches divide flows by equal division over the next hops that
/// `routing` makes. @throws InputError where hosts forward
void audit_returns(Audit& audit, std::vector<MissingCable> const& cables, topologies::RoutingSpec const& routing);

/// Fills `tried`. @param topology the audit's network, with its family's routings. @throws InputError where hosts
/// forward
void audit_routings(Audit& audit, topologies::Topology const& topology);

/// Endpoints by role and name. `pattern`: a glob on the node's name (`*`, `?`, `[..]`); empty = all.
/// Aggregation nodes are hosts when `aggregation_nodes_are_hosts`, else they go apart (whatever their name).
/// Router ports count as hosts.
void choose_endpoints(model::Network const& network, std::string const& pattern, bool aggregation_nodes_are_hosts,
                      AuditRequest& request);
/// Fewer send nothing to each other, and a report of no pair would call anything sound. @throws InputError
void require_two_hosts(model::Network const& network, std::string const& pattern, AuditRequest const& request);

}  // namespace tailback::audit
