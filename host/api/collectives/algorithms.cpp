#include "host/api/collectives/algorithms.hpp"

#include "host/base/error.hpp"
#include "host/report/evaluate/timing_value.hpp"
#include "host/study/fabric_digest.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tailback::api {
namespace {

constexpr std::uint64_t segment_bytes = std::uint64_t{512} << 10;
constexpr std::uint64_t usual_mappings = 10;  // of many studies, where nobody says how many

bool says(std::string const& spec, std::string const& key) {
    return spec.find("," + key + "=") != spec.npos || spec.find(":" + key + "=") != spec.npos;
}

bool takes_segments(std::string const& algorithm) {
    return algorithm == "double-binary-tree" || algorithm == "binomial" || algorithm == "chain";
}

}  // namespace

report::AlgorithmsReport compare_algorithms(StudyRequest const& request, Listener const& listener,
                                            evaluation::ExecutionOptions const& execution) {
    std::string const& pattern = request.study.traffic.pattern;
    std::vector<patterns::WithAlgorithm> const all = patterns::with_every_algorithm(pattern);
    std::vector<std::string> sizes;
    for (std::uint64_t size = 1024; !says(pattern, "size") && size <= std::uint64_t{1} << 30; size *= 4)
        sizes.push_back(fmt::format(",size={}", size));
    if (sizes.empty()) sizes.emplace_back();
    report::AlgorithmsReport report{.pattern = pattern, .files = request.named_files()};
    report.timing = report::timing_sentence(request.study.measures.timing);
    report.aggregation_nodes_are_hosts = request.study.placement.aggregation_nodes_are_hosts;
    for (patterns::WithAlgorithm const& one : all) report.algorithms.push_back({one.algorithm, {}});
    StudyRequest first = request;
    std::optional<base::InputError> refused;  // by every algorithm
    for (patterns::WithAlgorithm const& one : all) {
        first.study.traffic.pattern = one.spec;
        try {
            check_study(first);
            refused.reset();
            break;
        } catch (base::InputError const& error) {
            if (!refused) refused = error;
        }
    }
    if (refused) throw *refused;
    report.fabric = obtain_shared(fabric_request(first, listener.note), listener);
    report.digest = study::digest(*report.fabric);
    bool told = false;
    std::optional<report::CableTime> cables;  // the same for all
    for (std::string const& size : sizes) {
        report::AlgorithmsReport::Size row{0, {}, {}};
        bool idle = false;  // nothing crosses the network
        for (std::size_t a = 0; a < all.size(); ++a) {
            row.rates.emplace_back();
            row.times.push_back(0);
            StudyRequest study = request;
            study.study.traffic.pattern = all[a].spec + size;
            if (takes_segments(all[a].algorithm) && !says(pattern, "segment"))
                study.study.traffic.pattern += fmt::format(",segment={}", segment_bytes);
            study.study.measures.metrics = {study::Metric::makespan};
            if (!request.mappings_given) study.study.sample.mappings = usual_mappings;
            try {
                PreparedStudy const prepared(std::move(study), report.fabric, told ? Listener{} : listener,
                                             execution.device);
                told = true;
                evaluation::Evaluation const result = evaluate(prepared, execution);
                row.rates[a] = report::collective_rates(prepared.plan(), result, cables);
                row.bytes = base::parse_arguments(prepared.plan().study.traffic.pattern,
                                                  patterns::find_pattern(pattern)->parameters, pattern)
                                .bytes("size");
                report.ranks = prepared.plan().study.placement.ranks;
                report.in_seconds = prepared.plan().in_seconds();
                char const* const why = row.rates[a] ? nullptr : report::why_no_number(prepared.plan());
                idle |= why != nullptr;
                if (!row.rates[a]) report.algorithms[a].why_not = why != nullptr ? why : "flows fail";
                else row.times[a] = result.numbers.at(study::Metric::makespan).mean();
            } catch (base::InputError const& error) {
                report.algorithms[a].why_not = error.what();
            }
            bool const less = row.rates[a] && (!row.fastest || row.times[a] < row.times[*row.fastest]);
            if (less) row.fastest = a;
        }
        if (!row.fastest && !idle)
            throw base::InputError(
                {}, fmt::format("no algorithm of {} can be done here", base::name_of_spec(pattern)),
                fmt::format("{}: {}", report.algorithms.front().name, report.algorithms.front().why_not),
                "where flows fail, `tailback audit` tells which and why");
        report.sizes.push_back(std::move(row));
    }
    return report;
}

}  // namespace tailback::api
