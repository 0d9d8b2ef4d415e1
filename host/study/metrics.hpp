// The metrics: a line each in the table here, described in a file of its own, NAME.cpp. Everything else goes by the
// descriptions.
#pragma once

#include "kernels/executor.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// The table, in the order of reports.
#define TAILBACK_METRICS(METRIC) \
    METRIC(sum_max_cong)         \
    METRIC(hist_max_cong)        \
    METRIC(hist_acc_band)        \
    METRIC(dep_max_delay)        \
    METRIC(get_cable_cong)       \
    METRIC(route_length)         \
    METRIC(hop_bytes)            \
    METRIC(throughput)           \
    METRIC(max_min_band)         \
    METRIC(max_min_least)        \
    METRIC(max_min_jain)         \
    METRIC(bottlenecks)          \
    METRIC(makespan)             \
    METRIC(completion_time)      \
    METRIC(slowdown)

namespace tailback::study {

struct Study;
struct StudyPlan;

#define TAILBACK_METRIC(name) name,
enum class Metric : std::uint8_t { TAILBACK_METRICS(TAILBACK_METRIC) };
#undef TAILBACK_METRIC

/// What kernels have to find out besides every mapping's congestions.
struct KernelWork {
    bool delays = false;       ///< MappingTally::delay
    bool congestions = false;  ///< Totals::histogram
    bool link_sums = false;    ///< Totals::link_sums
    bool route_links = false;  ///< MappingTally::route_links, hop_weight and flow_weight, Totals::lengths
    bool rates = false;        ///< max-min rates: MappingTally::rate_sum, least_rate and jain, Totals::rates
    bool bottlenecks = false;  ///< how often links freeze flows, in Totals::link_sums
    bool times = false;        ///< MappingTally::makespan, ended_sum and slowdown_sum, Totals::times
};

/// How a number of every mapping is kept: as an integer, off by `error` integers at most. The number is
/// integer x unit / scale.
struct NumberScale {
    kernels::MappingNumber integer;
    double scale = 1, error = 0, unit = 1;
};

/// Bins of numbers that are fractions.
struct NumberBins {
    /// Of the coarse histogram: so many over [0, end), and what lies above; 0: there is none.
    std::size_t coarse = 0;
    double end = 0;
    std::size_t fine_per_one = 1;  ///< of the fine histogram: so many over [0, 1), and so on

    /// In reports.
    char const* fine_name() const { return coarse > 0 ? "histogram_fine" : "histogram"; }
};

/// A metric that is one number a mapping.
struct NumberOfMapping {
    NumberScale (*scale)(StudyPlan const&);
    double (*largest)(StudyPlan const&);  ///< that can be; the least is 0
    bool higher_is_worse = true;
    bool has_mean_of_all = false;    ///< a mean over delivered flows; told too with the others as 0
    bool in_bytes = false;           ///< bytes, or numbers of links where flows have none: never a time
    bool is_time = false;            ///< also where it is a mean
    bool is_pure = false;            ///< a number without a unit
    bool is_bandwidth = false;       ///< so many links of the base rate, or a part of one
    std::optional<NumberBins> bins;  ///< of fractions; none: numbers are few, and listed
    char const* sorted_by;           ///< "mappings by .."
    char const* axis;                ///< of a picture
    /// What it would be if only the links of hosts had a limit; null: it has no such number, none: it is not known.
    std::optional<double> (*ideal)(StudyPlan const&) = nullptr;
};

/// A metric that sorts the delivered flows of all levels and mappings by a number.
struct FlowHistogram {
    std::vector<std::uint64_t> kernels::Totals::*counts;  ///< by the number times `scale`
    double (*scale)(StudyPlan const&);
    char const* key;              ///< the number's name in reports
    char const* list;             ///< the list's
    char const* mean_of_inverse;  ///< the name of the mean of 1/number, in reports and
    char const* inverse_title;    ///< for people; null: it means nothing
    char const* heading;          ///< "flows by ..", for people
    bool of_congestion = false;   ///< the number is a congestion: with weights in bytes or seconds, in weighted bins
    bool of_rate = false;         ///< the number is a rate, in bins that are counted from 1
    bool of_time = false;         ///< the number is a time, in weighted bins
};

/// All there is to know of a metric. It is any of: one number a mapping, a histogram over flows, sums over links.
struct MetricInfo {
    Metric metric{};  ///< set by the table
    char const* name;
    std::vector<std::string> aliases = {};  ///< what else it may be called; reports say `name`
    char const* per;                        ///< mapping, flow or link
    char const* summary;
    char const* example;  ///< what it says of a few flows
    std::string (*title)(Study const&);
    KernelWork work;
    std::optional<NumberOfMapping> number;
    std::optional<FlowHistogram> flows;
    bool sums_links = false;
    bool sums_are_loads = true;  ///< what these sums say; false: flows that the link was the bottleneck of
    bool is_for_all = true;      ///< `--metric all` means it, too
    bool comes_first = false;    ///< in reports for people, and where one metric is meant and none is named
};

/// Those that `all` means.
std::vector<Metric> metrics_of_all();

/// In the order of the table: that of Metric.
std::span<MetricInfo const> all_metrics();
/// The same, those that come first before the others.
std::span<MetricInfo const* const> metrics_for_people();

MetricInfo const& info_of(Metric metric);

/// By its name or an alias. @throws InputError with the nearest name.
Metric metric_named(std::string const& name);

/// `a, b or c`: those with one number a mapping.
std::string names_of_numbers();

namespace metrics {

#define TAILBACK_METRIC(name) MetricInfo name();
TAILBACK_METRICS(TAILBACK_METRIC)
#undef TAILBACK_METRIC

// What several metrics have in common.

/// A number that is a sum of congestions.
NumberScale congestion_scale(StudyPlan const& plan, kernels::TallyPart part);
/// Times in units of SharingView::time_unit, and the longest that can be.
NumberScale time_scale(StudyPlan const& plan, kernels::TallyPart part);
double largest_time(StudyPlan const& plan);
/// Capacity of the fastest link.
double largest_capacity(StudyPlan const& plan);
/// The mean of a mapping's max-min rates.
NumberScale rate_scale(StudyPlan const& plan);
/// As large as the largest congestion on every level.
double largest_congestion_sum(StudyPlan const& plan);

}  // namespace metrics
}  // namespace tailback::study
