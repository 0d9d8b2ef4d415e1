// Traffic as text: what it is, how much, how evenly, between whom most.
#include "host/base/numbers.hpp"
#include "host/report/traffic/traffic_report.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <cmath>
#include <ostream>
#include <set>

namespace tailback::report {
namespace {

using traffic::RankSum;
using traffic::TrafficMatrix;

/// 135920072376 -> ` (126.6 GiB)`; nothing below 1 KiB, and for what is no bytes.
std::string in_large_units(TrafficMatrix const& matrix, double bytes) {
    if (matrix.unit != traffic::Unit::bytes || bytes < 1024) return "";
    char const* const units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    std::size_t unit = 0;
    for (bytes /= 1024; bytes >= 1024; bytes /= 1024) ++unit;
    return fmt::format(" ({} {})", base::fixed_text(bytes, 1), units[unit]);
}

std::string percent(double part, double whole) {
    return whole > 0 ? base::fixed_text(100 * part / whole, 1) + " %" : "-";
}

void write_totals(std::ostream& out, TrafficMatrix const& matrix) {
    RankSum const own = traffic::to_themselves(matrix);
    std::uint64_t const pairs = matrix.entries.size() - own.partners;
    double const possible = double(matrix.ranks) * (double(matrix.ranks) - 1);
    std::string const unit = traffic::name_of(matrix.unit);
    fmt::print(out, "  {:<12} {} of {} ordered pairs of ranks ({}){}\n", "pairs", base::grouped(pairs),
               base::grouped(std::uint64_t{matrix.ranks} * (matrix.ranks - 1)), percent(double(pairs), possible),
               pairs > 0 && traffic::is_symmetric(matrix) ? "; the same in both directions" : "");
    fmt::print(out, "  {:<12} {}{}\n", unit, base::grouped(matrix.bytes), in_large_units(matrix, double(matrix.bytes)));
    if (matrix.messages_known)
        fmt::print(out, "  {:<12} {}{}\n", "messages", base::grouped(matrix.messages),
                   matrix.messages > 0
                       ? fmt::format(", {} {} each on average",
                                     base::three_digits(double(matrix.bytes) / double(matrix.messages)), unit)
                       : "");
    if (own.partners > 0)
        fmt::print(out, "  {:<12} {} {} of that from {}\n", "", base::grouped(own.bytes), unit,
                   base::counted(own.partners, "rank to itself", "ranks to themselves"));
    fmt::print(out, "  {:<12} {}\n", "checked",
               matrix.sums_checked > 0 ? base::counted(matrix.sums_checked, "sum that the file states agrees",
                                                       "sums that the file states agree") +
                                             " with what was read"
                                       : "the file states no sums");
}

/// Least, mean and most over all ranks, those that send (or receive) nothing included.
void write_spread(std::ostream& out, TrafficMatrix const& matrix, char const* what, std::vector<RankSum> const& sums) {
    auto const by_bytes = [](RankSum const& a, RankSum const& b) { return a.bytes < b.bytes; };
    auto const silent = ranks_without(sums, matrix.ranks);
    RankSum const least =
        silent.empty() ? *std::min_element(sums.begin(), sums.end(), by_bytes) : RankSum{.rank = silent[0].first};
    auto const shown = [](RankSum const& sum) {
        return fmt::format("{} (rank {})", base::grouped(sum.bytes), sum.rank);
    };
    double const mean = double(matrix.bytes) / double(matrix.ranks);
    fmt::print(out, "  {:<12} {:>26} {:>20} {:>26}\n", what, shown(least),
               mean < 1000 && matrix.bytes % matrix.ranks != 0
                   ? base::three_digits(mean)
                   : base::grouped(static_cast<std::uint64_t>(std::llround(mean))),
               shown(*std::max_element(sums.begin(), sums.end(), by_bytes)));
}

void write_heaviest(std::ostream& out, TrafficReport const& report) {
    TrafficMatrix const& matrix = report.matrix;
    std::vector<traffic::Entry> const pairs = traffic::heaviest(matrix, report.top);
    if (pairs.empty()) return;
    fmt::print(out, "\nheaviest pairs\n  {:>8}    {:<8} {:>20} {:>8}{}\n", "source", "dest.",
               traffic::name_of(matrix.unit), "share", matrix.messages_known ? fmt::format(" {:>14}", "messages") : "");
    for (traffic::Entry const& pair : pairs)
        fmt::print(out, "  {:>8} -> {:<8} {:>20} {:>8}{}\n", pair.source, pair.destination, base::grouped(pair.bytes),
                   percent(double(pair.bytes), double(matrix.bytes)),
                   matrix.messages_known ? fmt::format(" {:>14}", base::grouped(pair.messages)) : "");
}

void write_silent(std::ostream& out, TrafficMatrix const& matrix, char const* what, std::vector<RankSum> const& sums) {
    auto const silent = ranks_without(sums, matrix.ranks);
    if (silent.empty()) return;
    constexpr std::size_t most = 10;
    std::string list;
    for (std::size_t i = 0; i < std::min(most, silent.size()); ++i) {
        auto const [first, last] = silent[i];
        list += (i == 0 ? "" : ", ") + (first == last ? std::to_string(first) : fmt::format("{}-{}", first, last));
    }
    fmt::print(out, "{} {}: {}{}\n", base::counted(matrix.ranks - sums.size(), "rank", "ranks"), what, list,
               silent.size() > most ? ", ..." : "");
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

void write_traffic_text(std::ostream& out, TrafficReport const& report) {
    TrafficMatrix const& matrix = report.matrix;
    std::string const name = report.file == "-" ? "standard input" : base::printable(report.file);
    fmt::print(out, "{}: {}, {}", name, matrix.format, base::counted(matrix.ranks, "rank", "ranks"));
    std::set<std::string> const hosts(matrix.hosts.begin(), matrix.hosts.end());
    if (!hosts.empty()) fmt::print(out, " on {}", base::counted(hosts.size(), "host", "hosts"));
    fmt::print(out, "\n");
    write_totals(out, matrix);
    std::vector<RankSum> const rows = traffic::row_sums(matrix), columns = traffic::column_sums(matrix);
    if (!rows.empty()) {
        fmt::print(out, "\n  {:<12} {:>26} {:>20} {:>26}\n", std::string(traffic::name_of(matrix.unit)), "least",
                   "mean", "most");
        write_spread(out, matrix, "sent", rows);
        write_spread(out, matrix, "received", columns);
    }
    write_heaviest(out, report);
    if (rows.size() < matrix.ranks || columns.size() < matrix.ranks) fmt::print(out, "\n");
    write_silent(out, matrix, rows.size() + 1 == matrix.ranks ? "sends nothing" : "send nothing", rows);
    write_silent(out, matrix, columns.size() + 1 == matrix.ranks ? "receives nothing" : "receive nothing", columns);
}

}  // namespace tailback::report
