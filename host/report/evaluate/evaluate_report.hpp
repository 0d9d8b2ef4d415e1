// What a study came to, in the forms people and programs read. Nothing in here varies from run to run or machine to
// machine: no device, no time, no path but as it was named.
#pragma once

#include "host/evaluation/evaluation.hpp"
#include "host/report/evaluate/collective_rates.hpp"
#include "host/report/forms.hpp"
#include "host/result/next_step.hpp"

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace tailback::audit {
struct NodeGroups;
}

namespace tailback::report {

/// Everything a report tells. References must outlive it.
struct Report {
    study::StudyPlan const& plan;
    evaluation::Evaluation const& result;
    study::FailedPairs failed;  ///< of the study's hosts
    std::string digest;         ///< of the fabric

    Json network_value() const;
    /// Empty where the network is a formula.
    model::Network const& network() const { return plan.fabric->network; }
    /// False for InfiniBand's names, which need not be unique.
    bool names_are_unique() const { return plan.fabric->names_are_unique(); }
    model::NetworkOrigin const& origin() const { return plan.fabric->origin; }
    model::LinkEnds ends(model::Link link) const;
    bool between_switches(model::Link link) const;
    study::Study const& study() const { return plan.study; }
    audit::NodeGroups const* groups = nullptr;      ///< by which loads of links are summed; null: by none
    std::uint64_t usable_hosts = 0;                 ///< hosts that a study may use
    std::optional<double> expected_bandwidth = {};  ///< effective bisection bandwidth by formula; none = not asked
    std::optional<CollectiveRates> rates = {};      ///< of a collective operation that has times
    result::OtherCommands others = {};              ///< for next steps
    /// Those asked for, in the order of the table.
    std::vector<study::MetricInfo const*> metrics() const;
    evaluation::Distribution const& number(study::MetricInfo const& info) const {
        return result.numbers.at(info.metric);
    }
    /// Over all flows, those not delivered as 0.
    evaluation::Distribution const& number_of_all(study::MetricInfo const& info) const {
        auto const at = result.numbers_of_all.find(info.metric);
        return at == result.numbers_of_all.end() ? number(info) : at->second;
    }
    evaluation::FlowsSorted const& flows_of(study::MetricInfo const& info) const {
        return result.flows.at(info.metric);
    }
    /// `, in seconds` or `, in bytes` where flows have bytes and the metric's number is a congestion; else empty.
    std::string in_unit() const;
    std::string in_unit(study::MetricInfo const& info) const;
    /// What an axis of a metric's histogram says, with the unit.
    std::string axis(study::MetricInfo const& info) const;
    std::uint64_t flows() const { return result.delivered + result.unreachable + result.loop + result.misdelivered; }
    std::uint64_t failed_flows() const { return flows() - result.delivered; }
    bool nothing_delivered() const { return result.delivered == 0 && flows() > 0; }
    /// For people alone: commands name files, and reports do not depend on how these are called.
    std::vector<result::NextStep> next_steps() const;
};

inline constexpr std::size_t named_pairs = 10;  ///< how many undeliverable pairs are named

/// Gathers what is still missing: failed pairs, the digest.
Report make_report(study::StudyPlan const& plan, evaluation::Evaluation const& result);

/// What a report tells of the fabric and the study's hosts alone: worth keeping for several studies of the same.
struct FabricFacts {
    study::FailedPairs failed;
    std::string digest;
};
FabricFacts facts_of(study::StudyPlan const& plan);
Report make_report(study::StudyPlan const& plan, evaluation::Evaluation const& result, FabricFacts facts);

/// Keys: docs/report.md.
Json value_of(Report const& report);
/// The numbers wanted first, histograms drawn, and what is left out.
Document document_of(Report const& report);
/// Histogram of a metric that has one number a mapping, as a picture of its own.
void write_svg_histogram(std::ostream& out, Report const& report, study::Metric metric);

/// The fine histogram of a metric whose numbers are fractions, from 0 to above the largest.
evaluation::Distribution::Binned fine_bins(evaluation::Distribution const& values, study::NumberBins const& bins);
/// Of flows with bytes, a metric without bins of its own whose numbers are too many to list: equal bins from the least
/// to the largest. None where they are listed.
std::optional<evaluation::Distribution::Binned> bins_of_many(Report const& report,
                                                             evaluation::Distribution const& values);

/// Of flows in bins: the first bin up to which the share `q` of them lies. Needs a flow.
std::size_t bin_of_quantile(evaluation::FlowsSorted const& sorted, double q);

/// One line: pattern, ranks, hosts, mappings, seed.
std::string study_sentence(Report const& report);
/// One line: how many bytes a mapping's flows have, and what congestions are told in. Needs flows with bytes.
std::string weights_sentence(Report const& report);
/// One line: that nothing was delivered, that it was interrupted, and whether the goal was reached; empty when there is
/// nothing of that.
std::string ending_sentence(Report const& report);
/// The same in few words, for pictures; empty also when the goal was reached.
std::string ending_words(Report const& report);
/// A host as people call it: its name, with the LID where the network has LIDs of its own.
std::string host_label(model::Network const& network, model::Host host);
/// 0.3 of 10,000 -> `0.003 %`; tells small from none.
std::string percent_text(std::uint64_t part, std::uint64_t whole);

}  // namespace tailback::report
