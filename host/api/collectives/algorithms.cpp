#include "host/api/collectives/algorithms.hpp"

#include "host/base/error.hpp"
#include "host/report/evaluate/timing_value.hpp"
#include "host/study/fabric_digest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace tailback::api {
namespace {

constexpr std::uint64_t segment_bytes = std::uint64_t{512} << 10;
constexpr std::uint64_t usual_mappings = 10;  // of many studies, where nobody says how many

bool says(std::string const& spec, std::string const& key) {
    return spec.find("," + key + "=") != spec.npos || spec.find(":" + key + "=") != spec.npos;
}

using Algorithms = std::vector<patterns::WithAlgorithm>;
using Size = report::AlgorithmsReport::Size;

/// Bytes that a spec says.
std::uint64_t bytes_of(std::string const& spec, std::string const& key) {
    return base::parse_arguments(spec, patterns::find_pattern(spec)->parameters, spec).bytes(key);
}

/// In turn, as words of a spec.
std::vector<std::string> sizes_of(std::string const& pattern) {
    std::vector<std::string> sizes;
    for (std::uint64_t size = 1024; !says(pattern, "size") && size <= std::uint64_t{1} << 30; size *= 4)
        sizes.push_back(fmt::format(",size={}", size));
    if (sizes.empty()) sizes.emplace_back();
    return sizes;
}

/// What is wrong with the study whatever the algorithm. @return the study by one that can be
StudyRequest checked(StudyRequest study, Algorithms const& all) {
    std::optional<base::InputError> refused;
    for (patterns::WithAlgorithm const& one : all) {
        study.study.traffic.pattern = one.spec;
        try {
            check_study(study);
            return study;
        } catch (base::InputError const& error) {
            if (!refused) refused = error;
        }
    }
    throw *refused;
}

/// The studies of one table.
class Studies {
public:
    Studies(StudyRequest const& request, Listener const& listener, evaluation::ExecutionOptions const& execution,
            report::AlgorithmsReport& report)
        : request_(request), listener_(listener), execution_(execution), report_(report) {}

    /// By one algorithm, the pattern of which is `spec`. @throws InputError where it cannot be done
    void run(std::string const& spec, std::size_t algorithm, Size& row) {
        StudyRequest study = request_;
        study.study.traffic.pattern = spec;
        study.study.measures.metrics = {study::Metric::makespan};
        if (!request_.mappings_given) study.study.sample.mappings = usual_mappings;
        PreparedStudy const prepared(std::move(study), report_.fabric, told_ ? Listener{} : listener_,
                                     execution_.device);
        told_ = true;
        evaluation::Evaluation const result = evaluate(prepared, execution_);
        row.rates[algorithm] = report::collective_rates(prepared.plan(), result, cables_);
        report_.ranks = prepared.plan().study.placement.ranks;
        report_.in_seconds = prepared.plan().in_seconds();
        tell_mappings(prepared.plan());
        if (row.rates[algorithm]) {
            row.times[algorithm] = result.numbers.at(study::Metric::makespan).mean();
            return;
        }
        char const* const why = report::why_no_number(prepared.plan());
        is_idle_ |= why != nullptr;
        report_.algorithms[algorithm].why_not = why != nullptr ? why : "flows fail";
    }
    /// Nothing crosses the network.
    bool is_idle() const { return is_idle_; }

private:
    void tell_mappings(study::StudyPlan const& plan) {
        study::Sample const& sample = plan.study.sample;
        report_.mappings = sample.mappings;
        if (study::draws_mappings(plan)) report_.seed = sample.seed;
        std::vector<model::Host> const hosts = plan.hosts_of_mapping(sample.first_mapping);
        report_.hosts_used = std::set<model::Host>(hosts.begin(), hosts.end()).size();
        report_.hosts = std::ranges::count_if(plan.fabric->network.hosts(), [&](model::HostRecord const& host) {
            return host.role != model::HostRole::aggregation || plan.study.placement.aggregation_nodes_are_hosts;
        });
    }

    StudyRequest const& request_;
    Listener const& listener_;
    evaluation::ExecutionOptions const& execution_;
    report::AlgorithmsReport& report_;
    bool told_ = false, is_idle_ = false;
    std::optional<report::CableTime> cables_;  ///< the same for all
};

/// With `to` in the place of the spec `from`.
std::string said_of(std::string const& to, std::string const& from, std::string message) {
    if (std::size_t const at = message.find(from); at != message.npos) message.replace(at, from.size(), to);
    return message;
}

/// Where nothing could be done. What all algorithms say is said of the pattern as it was written.
[[noreturn]] void refuse(report::AlgorithmsReport const& report, Algorithms const& all) {
    std::set<std::string> reasons;
    for (std::size_t a = 0; a < all.size(); ++a)
        reasons.insert(said_of(report.pattern, all[a].spec, report.algorithms[a].why_not));
    if (reasons.size() == 1 && *reasons.begin() != "flows fail") throw base::InputError({}, *reasons.begin(), "", "");
    throw base::InputError({}, fmt::format("no algorithm of {} can be done here", base::name_of_spec(report.pattern)),
                           fmt::format("{}: {}", report.algorithms.front().name, report.algorithms.front().why_not),
                           "where flows fail, `tailback audit` tells which and why");
}

Size compare(Studies& studies, Algorithms const& all, std::string const& size, report::AlgorithmsReport& report) {
    Size row{0, std::vector<std::optional<report::CollectiveRates>>(all.size()), std::vector<double>(all.size())};
    for (std::size_t a = 0; a < all.size(); ++a) {
        std::string spec = all[a].spec + size;
        if (report.algorithms[a].segment && !says(spec, "segment"))
            spec += fmt::format(",segment={}", *report.algorithms[a].segment);
        row.bytes = bytes_of(spec, "size");
        try {
            studies.run(spec, a, row);
        } catch (base::InputError const& error) {
            report.algorithms[a].why_not = said_of(all[a].spec, spec, error.what());
        }
        if (row.rates[a] && (!row.fastest || row.times[a] < row.times[*row.fastest])) row.fastest = a;
    }
    return row;
}

}  // namespace

report::AlgorithmsReport compare_algorithms(StudyRequest const& request, Listener const& listener,
                                            evaluation::ExecutionOptions const& execution) {
    std::string const& pattern = request.study.traffic.pattern;
    Algorithms const all = patterns::with_every_algorithm(pattern);
    report::AlgorithmsReport report{.pattern = pattern, .files = request.named_files()};
    study::Timing const& timing = request.study.measures.timing;
    report.timing = report::timing_sentence(timing);
    report.without_latency = timing.link_latency.is_zero() && timing.switch_latency.is_zero();
    report.aggregation_nodes_are_hosts = request.study.placement.aggregation_nodes_are_hosts;
    for (patterns::WithAlgorithm const& one : all) {
        report.algorithms.push_back({one.algorithm, {}, {}});
        if (!one.in_segments) continue;
        report.algorithms.back().segment = says(pattern, "segment") ? bytes_of(one.spec, "segment") : segment_bytes;
    }
    StudyRequest const first = checked(request, all);
    report.fabric = obtain_shared(fabric_request(first, listener.note), listener);
    report.digest = study::digest(*report.fabric);
    Studies studies(request, listener, execution, report);
    for (std::string const& size : sizes_of(pattern)) {
        Size row = compare(studies, all, size, report);
        if (!row.fastest && !studies.is_idle()) refuse(report, all);
        report.sizes.push_back(std::move(row));
    }
    return report;
}

}  // namespace tailback::api
