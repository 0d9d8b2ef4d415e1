// From what somebody asks to an answer: a network, a study of it, a report. Values in, values out; nothing is printed.
#pragma once

#include "host/api/obtain.hpp"
#include "host/api/placement.hpp"
#include "host/audit/audit.hpp"
#include "host/audit/loads/groups.hpp"
#include "host/evaluation/adaptive/bracket.hpp"
#include "host/evaluation/evaluation.hpp"
#include "host/evaluation/multipath/multipath.hpp"
#include "host/report/evaluate/evaluate_report.hpp"
#include "host/study/host_lists.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tailback::api {

/// A study and the network that it is about. Nothing is read yet.
struct StudyRequest {
    NetworkChoice network;
    /// All but the hosts and flows that files list.
    study::Study study;
    std::string pattern_file, traffic_file, subset_file, mapping_file;  ///< empty = none
    std::vector<std::string> flow_notes, flow_warnings;                 ///< what was made of traffic, once it is read
    PlacementRequest placement;   ///< ranks on compute nodes, where that is asked for
    bool takes_schedule = false;  ///< traffic that is a GOAL schedule is taken with its dependencies
    bool mappings_given = false;  ///< false: as many as make sense (one where nothing is drawn, all of a list)
    std::optional<evaluation::BracketOptions> bracket;  ///< evaluated as a bracket: columns side by side
    std::vector<evaluation::LidSpread> spreads;         ///< evaluated as one column for each, beside the base LID's
    evaluation::QueuePairCounts queue_pairs;            ///< evaluated as one column for each, beside equal division
    bool subset_given = false;                          ///< the subset was asked for: told when it has no effect
    bool ebb_by_formula = false;                        ///< beside what is sampled: see expected_bandwidth
    std::string group_by = {};  ///< see audit::group_nodes: loads of links summed by group; empty = not asked

    bool lists_flows() const { return !pattern_file.empty() || !traffic_file.empty(); }
    /// No columns side by side.
    bool is_alone() const { return !bracket && spreads.empty() && queue_pairs.counts.empty(); }
    /// Every file that is read.
    model::NamedFiles named_files() const;
    std::vector<std::string> files() const { return paths_of(named_files()); }
};

/// Checks what can be known without the network, before that is made: names of patterns, a level that cannot be, files
/// that are not there. Reads the flows of a pattern file, or of traffic. @throws InputError
void check_study(StudyRequest& request);

/// The study with the hosts and flows that files list; flows that check_study has read are kept. @throws InputError
study::Study complete_study(StudyRequest const& request, study::NamedHosts const& hosts, TakeSentence const& warn);

/// The routes of the request's network depend on what its study sends.
bool wants_traffic(StudyRequest const& request);
/// The fabric of a study: of all hosts, for its traffic where the routing wants to know it. The request must stay.
FabricRequest fabric_request(StudyRequest const& request, TakeSentence const& note);

/// The study of a request planned on its fabric: with the hosts and flows that files list, its ranks on compute nodes
/// where that is asked for, one mapping where nothing is random and no more are asked for. Routes are packed on
/// `device`, where they come from tables.
/// @param like a plan over the same fabric (or null): where hosts and capacities are the same, its routes are used
/// again. @throws InputError, also for a goal without anything random
study::StudyPlan plan_study(StudyRequest const& request, model::Fabric const& fabric, Listener const& listener,
                            study::StudyPlan const* like = nullptr,
                            evaluation::DeviceChoice device = evaluation::DeviceChoice::cpu);

/// A network that was read or made and routed, and a study planned on it: ready to be evaluated, any number of times.
class PreparedStudy {
public:
    /// Reads or makes the network, routes it, packs the routes: on `device`, where they come from tables.
    /// @throws InputError for anything wrong with the request or its files.
    explicit PreparedStudy(StudyRequest request, Listener const& listener = {},
                           evaluation::DeviceChoice device = evaluation::DeviceChoice::cpu);
    /// The same on a network that is there already, whatever `request.network` says; null: as above.
    PreparedStudy(StudyRequest request, std::shared_ptr<model::Fabric const> fabric, Listener const& listener,
                  evaluation::DeviceChoice device);

    study::StudyPlan const& plan() const { return *plan_; }
    /// By `group_by`; null where that was not asked.
    audit::NodeGroups const* groups() const { return groups_.get(); }
    /// By `ebb_by_formula`; none where that was not asked.
    std::optional<double> expected_bandwidth() const { return expected_bandwidth_; }

private:
    std::shared_ptr<model::Fabric const> fabric_;  ///< the plan points to it
    std::shared_ptr<study::StudyPlan const> plan_;
    std::shared_ptr<audit::NodeGroups const> groups_;
    std::optional<double> expected_bandwidth_;
};

/// Runs a study. @throws InputError when a CUDA device is asked for and there is none.
inline evaluation::Evaluation evaluate(PreparedStudy const& study, evaluation::ExecutionOptions const& options = {}) {
    return evaluation::evaluate(study.plan(), options);
}

/// Of `bisect` on a fabric with candidate sets: up to 1,000 mappings, fewer on many hosts. None where nothing is
/// delivered. @throws InputError
std::optional<audit::SampledBisection> sample_bisection(StudyRequest request,
                                                        std::shared_ptr<model::Fabric const> const& fabric,
                                                        unsigned threads);

/// What it came to, for the writers of host/report. Both must outlive the report.
inline report::Report make_report(PreparedStudy const& study, evaluation::Evaluation const& result) {
    report::Report report = report::make_report(study.plan(), result);
    report.groups = study.groups();
    report.expected_bandwidth = study.expected_bandwidth();
    return report;
}

}  // namespace tailback::api
