// Traffic for people: what it is, how much, how evenly, between whom most.
#include "host/base/numbers.hpp"
#include "host/report/traffic/traffic_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace tailback::report {
namespace {

using traffic::RankSum;
using traffic::TrafficMatrix;

/// 135920072376 -> ` (126.6 GiB)`; nothing below 1 KiB, and for what is no bytes.
std::string in_large_units(TrafficMatrix const& matrix) {
    double const bytes = double(matrix.bytes);
    return matrix.unit != traffic::Unit::bytes || bytes < 1024 ? "" : " (" + bytes_text(bytes) + ")";
}

std::string percent(double part, double whole) {
    return whole > 0 ? base::fixed_text(100 * part / whole, 1) + " %" : "-";
}

void add_totals(Document& document, TrafficMatrix const& matrix) {
    RankSum const own = traffic::to_themselves(matrix);
    std::uint64_t const pairs = matrix.entries.size() - own.partners;
    double const possible = double(matrix.ranks) * (double(matrix.ranks) - 1);
    std::string const unit = traffic::name_of(matrix.unit);
    document.fact(
        "pairs",
        fmt::format("{} of {} ordered pairs of ranks ({}){}", base::grouped(pairs),
                    base::grouped(std::uint64_t{matrix.ranks} * (matrix.ranks - 1)), percent(double(pairs), possible),
                    pairs > 0 && traffic::is_symmetric(matrix) ? "; the same in both directions" : ""));
    document.fact(unit, base::grouped(matrix.bytes) + in_large_units(matrix));
    if (matrix.messages_known)
        document.fact("messages",
                      base::grouped(matrix.messages) +
                          (matrix.messages > 0
                               ? fmt::format(", {} {} each on average",
                                             base::three_digits(double(matrix.bytes) / double(matrix.messages)), unit)
                               : ""));
    if (own.partners > 0)
        document.fact("", fmt::format("{} {} of that from {}", base::grouped(own.bytes), unit,
                                      base::counted(own.partners, "rank to itself", "ranks to themselves")));
    document.fact("checked", matrix.sums_checked > 0
                                 ? base::counted(matrix.sums_checked, "sum that the file states agrees",
                                                 "sums that the file states agree") +
                                       " with what was read"
                                 : "the file states no sums");
}

/// Least, mean and most over all ranks, those that send (or receive) nothing included.
std::vector<Cell> spread_row(TrafficMatrix const& matrix, char const* what, std::vector<RankSum> const& sums) {
    auto const by_bytes = [](RankSum const& a, RankSum const& b) { return a.bytes < b.bytes; };
    auto const silent = ranks_without(sums, matrix.ranks);
    RankSum const least =
        silent.empty() ? *std::min_element(sums.begin(), sums.end(), by_bytes) : RankSum{.rank = silent[0].first};
    auto const told = [](RankSum const& sum) {
        return fmt::format("{} (rank {})", base::grouped(sum.bytes), sum.rank);
    };
    double const mean = double(matrix.bytes) / double(matrix.ranks);
    return {what, told(least),
            mean < 1000 && matrix.bytes % matrix.ranks != 0
                ? base::three_digits(mean)
                : base::grouped(static_cast<std::uint64_t>(std::llround(mean))),
            told(*std::max_element(sums.begin(), sums.end(), by_bytes))};
}

void add_heaviest(Document& document, TrafficReport const& report) {
    TrafficMatrix const& matrix = report.matrix;
    std::vector<traffic::Entry> const pairs = traffic::heaviest(matrix, report.top);
    if (pairs.empty()) return;
    document.heading("heaviest pairs");
    Table table{.columns = {{"source"}, {"destination"}, {traffic::name_of(matrix.unit)}, {"share"}}};
    if (matrix.messages_known) table.columns.push_back({"messages"});
    for (traffic::Entry const& pair : pairs) {
        table.rows.push_back({std::to_string(pair.source), std::to_string(pair.destination), base::grouped(pair.bytes),
                              percent(double(pair.bytes), double(matrix.bytes))});
        if (matrix.messages_known) table.rows.back().emplace_back(base::grouped(pair.messages));
    }
    document.table(std::move(table));
}

void add_silent(Document& document, TrafficMatrix const& matrix, char const* what, std::vector<RankSum> const& sums) {
    auto const silent = ranks_without(sums, matrix.ranks);
    if (silent.empty()) return;
    constexpr std::size_t most = 10;
    std::string list;
    for (std::size_t i = 0; i < std::min(most, silent.size()); ++i) {
        auto const [first, last] = silent[i];
        list += (i == 0 ? "" : ", ") + (first == last ? std::to_string(first) : fmt::format("{}-{}", first, last));
    }
    document.sentence(fmt::format("{} {}: {}{}", base::counted(matrix.ranks - sums.size(), "rank", "ranks"), what, list,
                                  silent.size() > most ? ", ..." : ""));
}

}  // namespace

std::vector<std::pair<std::uint32_t, std::uint32_t>> ranks_without(std::vector<RankSum> const& sums,
                                                                   std::uint32_t ranks) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> without;
    std::uint32_t next = 0;
    for (RankSum const& sum : sums) {
        if (sum.rank > next) without.emplace_back(next, sum.rank - 1);
        next = sum.rank + 1;
    }
    if (next < ranks) without.emplace_back(next, ranks - 1);
    return without;
}

Document document_of(TrafficReport const& report) {
    TrafficMatrix const& matrix = report.matrix;
    std::set<std::string> const hosts(matrix.hosts.begin(), matrix.hosts.end());
    Document document;
    document.sentence(fmt::format("{}: {}, {}{}", report.file == "-" ? "standard input" : report.file, matrix.format,
                                  base::counted(matrix.ranks, "rank", "ranks"),
                                  hosts.empty() ? "" : " on " + base::counted(hosts.size(), "host", "hosts")));
    add_totals(document, matrix);
    std::vector<RankSum> const rows = traffic::row_sums(matrix), columns = traffic::column_sums(matrix);
    if (!rows.empty())
        document.blank().table({.columns = {word_column(traffic::name_of(matrix.unit)), {"least"}, {"mean"}, {"most"}},
                                .rows = {spread_row(matrix, "sent", rows), spread_row(matrix, "received", columns)}});
    add_heaviest(document, report);
    if (rows.size() < matrix.ranks || columns.size() < matrix.ranks) document.blank();
    add_silent(document, matrix, rows.size() + 1 == matrix.ranks ? "sends nothing" : "send nothing", rows);
    add_silent(document, matrix, columns.size() + 1 == matrix.ranks ? "receives nothing" : "receive nothing", columns);
    return document;
}

}  // namespace tailback::report
