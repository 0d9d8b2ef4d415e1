#include "host/report/evaluate/algorithms_report.hpp"

#include "host/base/numbers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iterator>

namespace tailback::report {
namespace {

using Size = AlgorithmsReport::Size;

std::string time_words(AlgorithmsReport const& report, double time) {
    return report.in_seconds ? time_text(time) : base::plain_text(time);
}

/// As a pattern takes it: `64KiB`.
std::string size_words(std::uint64_t bytes) {
    static char const* const units[] = {"", "KiB", "MiB", "GiB", "TiB"};
    std::size_t unit = 0;
    while (unit + 1 < std::size(units) && bytes % 1024 == 0 && bytes > 0) bytes /= 1024, ++unit;
    return std::to_string(bytes) + units[unit];
}

/// Which go in segments, and of how many bytes.
std::string segments_sentence(AlgorithmsReport const& report) {
    std::vector<std::string> names;
    std::uint64_t segment = 0;  // the same of all
    for (AlgorithmsReport::Algorithm const& one : report.algorithms)
        if (one.segment) names.push_back(one.name), segment = *one.segment;
    if (names.empty()) return "";
    return fmt::format("{} {} in segments of {} (segment= says how many bytes).", fmt::join(names, " and "),
                       names.size() == 1 ? "goes" : "go", size_words(segment));
}

/// Of the fastest.
std::optional<double> share_of(Size const& size) {
    return size.fastest && size.rates[*size.fastest] ? size.rates[*size.fastest]->share() : std::nullopt;
}

}  // namespace

Document document_of(AlgorithmsReport const& report) {
    Document document;
    document.sentence(fmt::format(
        "{} on {} ranks, by each algorithm, {}{}", report.pattern, base::grouped(report.ranks),
        base::counted(report.mappings, report.seed ? "random mapping" : "mapping",
                      report.seed ? "random mappings" : "mappings"),
        report.seed ? fmt::format(" (seed {}; --mapping identity takes ranks in the order of the hosts)", *report.seed)
                    : ""));
    if (report.hosts_used < report.hosts)
        document.sentence(fmt::format("ranks are on {} of {}, the others are idle", base::grouped(report.hosts_used),
                                      base::counted(report.hosts, "host (adapter port)", "hosts (adapter ports)")));
    add_network(document, *report.fabric, report.digest, report.aggregation_nodes_are_hosts);
    if (!report.timing.empty()) document.sentence(report.timing);
    document.heading(fmt::format("Mean times{}; * the fastest", report.in_seconds ? "" : ", in bytes of a link"));
    Table table{.columns = {{"size"}}, .folds = true};
    for (AlgorithmsReport::Algorithm const& one : report.algorithms) table.columns.push_back({one.name});
    table.columns.push_back({"busbw"});
    bool any_share = false;
    for (Size const& size : report.sizes) any_share |= share_of(size).has_value();
    if (any_share) table.columns.push_back({"of cables"});
    for (Size const& size : report.sizes) {
        std::vector<Cell> row = {size_words(size.bytes)};
        for (std::size_t a = 0; a < report.algorithms.size(); ++a)
            row.emplace_back(size.rates[a] ? time_words(report, size.times[a]) + (size.fastest == a ? " *" : "  ")
                                           : "-  ");
        row.emplace_back(size.fastest ? rate_words(*size.rates[*size.fastest], size.rates[*size.fastest]->busbw) : "-");
        if (any_share) row.emplace_back(share_of(size) ? base::fixed_text(100 * *share_of(size), 1) + " %" : "-");
        table.rows.push_back(std::move(row));
    }
    document.table(std::move(table));
    document.sentence(
        fmt::format("busbw is that of the fastest, as nccl-tests define it{}.",
                    any_share ? "; of cables: of the algbw that the cables allow by any routes and in any "
                                "order"
                              : ""),
        2);
    if (std::string const segments = segments_sentence(report); !segments.empty()) document.sentence(segments, 2);
    if (report.without_latency)
        document.sentence("Without --latency every step is free but for its bytes: small sizes take longer in truth.",
                          2);
    for (AlgorithmsReport::Algorithm const& one : report.algorithms)
        if (!one.why_not.empty()) document.sentence(fmt::format("{}: {}", one.name, one.why_not), 2);
    return document;
}

Json value_of(AlgorithmsReport const& report) {
    Json json = head("tailback-algorithms-1", report.files,
                     network_json(*report.fabric, report.digest, report.aggregation_nodes_are_hosts));
    Json sizes = Json::array(), left_out = Json::array();
    for (Size const& size : report.sizes) {
        Json all = Json::array();
        for (std::size_t a = 0; a < report.algorithms.size(); ++a) {
            Json one = {{"algorithm", report.algorithms[a].name}};
            one["segment"] = report.algorithms[a].segment ? Json(*report.algorithms[a].segment) : Json(nullptr);
            one["time"] = size.rates[a] ? real(size.times[a]) : Json(nullptr);
            if (size.rates[a]) one.update(value_of(*size.rates[a]));
            all.push_back(std::move(one));
        }
        sizes.push_back({{"size", size.bytes},
                         {"fastest", size.fastest ? Json(report.algorithms[*size.fastest].name) : Json(nullptr)},
                         {"algorithms", std::move(all)}});
    }
    for (AlgorithmsReport::Algorithm const& one : report.algorithms)
        if (!one.why_not.empty()) left_out.push_back({{"algorithm", one.name}, {"why", one.why_not}});
    json.update({{"pattern", report.pattern},
                 {"ranks", report.ranks},
                 {"mappings", report.mappings},
                 {"seed", report.seed ? Json(*report.seed) : Json(nullptr)},
                 {"hosts_used", report.hosts_used},
                 {"hosts", report.hosts},
                 {"time_unit", report.in_seconds ? "seconds" : "bytes"},
                 {"timing", report.timing},
                 {"latency_counted", !report.without_latency},
                 {"sizes", std::move(sizes)},
                 {"notes", std::move(left_out)}});
    return json;
}

}  // namespace tailback::report
