// ORCS's text layout, byte for byte, its spelling included.
#include "host/orcs/results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ostream>

namespace tailback::orcs {
namespace {

std::string pattern_text(OrcsPattern const& pattern, OrcsVersion version) {
    constexpr std::string_view suffix = "neighbor";
    if (version == OrcsVersion::v20 && pattern.argument.empty() && pattern.name.ends_with(suffix))
        return "neighbor," + pattern.name.substr(0, pattern.name.size() - suffix.size());
    if (version != OrcsVersion::v20 && pattern.name == suffix) return pattern.argument + pattern.name;
    return pattern.text();
}

/// `Minimal Maximal Congestion: 2.000000` and so on; `names` are the words in front of the four numbers.
void print_run_statistics(std::ostream& out, OrcsResults const& results, char const* const (&names)[4],
                          char const* of) {
    double least = 99999999, most = 0, sum = 0;
    std::uint64_t count = 0;
    for (auto const& [value, times] : results.runs) {
        least = std::min(least, value);
        most = std::max(most, value);
        sum += value * double(times);
        count += times;
    }
    double const mean = sum / double(count);
    double variance = 0;
    for (auto const& [value, times] : results.runs) variance += (value - mean) * (value - mean) * double(times);
    variance /= double(count);
    out << "Statistical Results\n===================\n\n";
    double const numbers[] = {least, most, mean, variance};
    for (int i = 0; i < 4; ++i) out << fmt::format("{}: {:f}\n", names[i], numbers[i]);
    out << "===================\n\n";
    for (auto const& [value, times] : results.runs)
        out << fmt::format("{} of {:.0f} occured {} times.\n", of, value, times);
}

/// Both versions print a bin width of 0.05; only 2.0 has it.
int print_bandwidths(std::ostream& out, std::ostream& console, OrcsOptions const& options, OrcsResults const& results) {
    constexpr int bins = 20;
    double const end = options.version == OrcsVersion::v20 ? 1.000000000000001 : 1.01;
    double edges[bins + 1];
    for (int i = 0; i <= bins; ++i) edges[i] = double(i) / double(bins) * end;
    std::uint64_t counts[bins] = {};
    std::uint64_t runs = 0;
    out << fmt::format("Histogramm bin width: {:f}\nFraction of full bandwidt | Number of occurences\n", 0.05);
    for (auto const& [value, times] : results.runs) {
        if (std::isnan(value) && options.version == OrcsVersion::paper) continue;  // no bandwidth, not a bandwidth of 0
        runs += times;
        if (std::isnan(value) && options.version == OrcsVersion::v20) {
            console << "Moo\n-1.000000\n";
            return 1;
        }
        // 1.1 finds no bin edge below a NaN and so puts it into the first bin.
        int const bin = std::isnan(value) ? 0 : int(std::upper_bound(edges, edges + bins, value) - edges) - 1;
        counts[bin] += times;
    }
    for (int i = 0; i < bins; ++i) out << fmt::format("{:12.8f} {:12.8f} {:5d}\n", edges[i], edges[i + 1], counts[i]);
    if (options.version != OrcsVersion::v20) console << runs << '\n';
    return 0;
}

void print_weights(std::ostream& out, OrcsOptions const& options, OrcsResults const& results) {
    std::uint64_t connections = 0;
    for (auto const& [weight, count] : results.weights) connections += count;
    for (auto const& [weight, count] : results.weights)
        out << fmt::format("weight {}: {} of the {} connections ({:.2f}%)\n", weight, count, connections,
                           double(count) / double(connections) * 100);
    if (std::isnan(results.bandwidth))
        out << "\nBW: " << (options.version == OrcsVersion::v20 ? "-1.000000" : "-nan") << '\n';
    else out << fmt::format("\nBW: {:f}\n", results.bandwidth);
}

void print_edges(std::ostream& out, OrcsResults const& results) {
    out << "\nCable Congestions:\n\n Edge-ID\tacc. cong\n";
    for (std::size_t e = 0; e < results.edges.size(); ++e)
        if (results.edges[e] > 0) out << e << '\t' << results.edges[e] << '\n';
}

}  // namespace

void print_orcs_header(std::ostream& out, OrcsOptions const& options, std::uint32_t commsize) {
    auto line = [&](char const* name, auto const& value) { out << name << ": " << value << '\n'; };
    line("Input File", options.input_file);
    line("Output File", options.output_file);
    if (options.version == OrcsVersion::v20) {
        line("Pattern", options.two_patterns() ? options.pattern.name : pattern_text(options.pattern, options.version));
        if (options.two_patterns()) {
            line("    First Pattern", pattern_text(options.first, options.version));
            line("   Second Pattern", pattern_text(options.second, options.version));
        }
        line("Commsize", commsize);
        line("Part_commsize", options.part_commsize);
        line("Subset", options.subset);
        line("Part_subset", options.part_subset);
        line("Level", options.level);
        line("Runs", options.asked_runs);
        line("Metric", options.metric);
        line("Shuffling namelists", options.do_not_shuffle ? "No" : "Yes");
    } else {
        line("Commsize", commsize);
        line("Pattern", pattern_text(options.pattern, options.version));
        line("Level", options.level);
        line("Runs", options.asked_runs);
        line("Subset", options.subset);
        line("Metric", options.metric);
        line("Fstptrn", pattern_text(options.first, options.version));
        line("Secptrn", pattern_text(options.second, options.version));
        line("Part_commsize", options.part_commsize);
    }
    out << '\n';
}

int print_orcs_results(std::ostream& out, std::ostream& console, OrcsOptions const& options,
                       OrcsResults const& results) {
    if (options.metric == "hist_max_cong") print_weights(out, options, results);
    if (options.metric == "get_cable_cong") print_edges(out, results);
    if (options.metric == "hist_acc_band") return print_bandwidths(out, console, options, results);
    if (options.metric == "sum_max_cong")
        print_run_statistics(out, results,
                             {"Minimal Maximal Congestion", "Maximal Maximal Congestion", "Average Maximal Congestion",
                              "Maximal Congestion Variance"},
                             "Congestion sum");
    if (options.metric == "dep_max_delay")
        print_run_statistics(out, results, {"Minimal Delay", "Maximal Delay", "Average Delay", "Delay Variance"},
                             "Delay");
    return 0;
}

std::vector<std::pair<double, std::uint64_t>> count_values(std::vector<double> values) {
    auto const undefined = std::stable_partition(values.begin(), values.end(), [](double v) { return !std::isnan(v); });
    std::sort(values.begin(), undefined);
    std::vector<std::pair<double, std::uint64_t>> counts;
    for (auto at = values.begin(); at != undefined; ++at) {
        if (counts.empty() || counts.back().first != *at) counts.emplace_back(*at, 0);
        ++counts.back().second;
    }
    if (undefined != values.end()) counts.emplace_back(*undefined, std::uint64_t(values.end() - undefined));
    return counts;
}

}  // namespace tailback::orcs
