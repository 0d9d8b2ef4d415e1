// graphStats.txt: what a study of mpiP's matrices left, undirected edges with the bytes of both directions.
#include "host/base/numbers.hpp"
#include "host/base/scanner.hpp"
#include "host/traffic/read/fields.hpp"
#include "host/traffic/traces/traces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace tailback::traffic {
namespace {

/// Ranks that an edge names.
std::uint64_t named_ranks(TrafficMatrix const& matrix) {
    std::vector<bool> named(matrix.ranks);
    for (Entry const& entry : matrix.entries) named[entry.source] = named[entry.destination] = true;
    return std::uint64_t(std::count(named.begin(), named.end(), true));
}

/// `Average Degree:  451.036` against the edges that were read. It also says how many ranks there are: those that no
/// edge names may count or not.
void check_degree(io::LineReader& lines, std::string_view line, TrafficMatrix& matrix, std::uint64_t edges) {
    base::Scanner scan(line);
    if (!scan.accept("Average Degree:")) return;
    double const stated = std::strtod(std::string(scan.blanks().rest()).c_str(), nullptr);
    double const ranks = stated > 0 ? std::round(2 * double(edges) / stated) : 0;
    double const degree = 2 * double(edges) / ranks;
    bool const fits = ranks >= 1 && ranks <= most_ranks && std::abs(degree - stated) <= 1e-9 * stated &&
                      (ranks >= matrix.ranks || ranks == double(named_ranks(matrix)));
    if (!fits)
        throw base::InputError(
            lines.place(), "the edges do not add up to the average degree of the file",
            fmt::format("it states {}, and {} edges of {} ranks make {}", base::exact_text(stated), edges, matrix.ranks,
                        base::exact_text(2 * double(edges) / double(matrix.ranks))),
            "check that the file is complete");
    matrix.ranks = std::max(matrix.ranks, static_cast<std::uint32_t>(ranks));
    ++matrix.sums_checked;
}

}  // namespace

TrafficMatrix read_graph_stats(io::LineReader& lines) {
    MatrixBuilder builder([&] { return lines.place(); });
    std::string_view line;
    std::uint64_t edges = 0;
    bool ended = false;
    lines.next(line);  // the heading, by which it was recognised
    while (!ended && lines.next(line)) {
        if (line.empty()) continue;
        ended = line.starts_with("---") && line.find("end") != std::string_view::npos;
        if (ended) break;
        base::Scanner scan(line);
        std::uint64_t a = 0, b = 0;
        if (!scan.blanks().decimal(a) || !scan.blanks().accept(',') || !scan.blanks().decimal(b) ||
            !scan.blanks().accept('='))
            throw base::InputError(lines.place(), "this is not an edge", "a line is `a , b = bytes`",
                                   "check this line");
        std::string_view word;
        Fields(scan.rest()).next(word);
        std::uint64_t const both = whole(lines, word, "number of bytes");
        std::uint32_t const low = builder.rank(std::min(a, b)), high = builder.rank(std::max(a, b));
        builder.add({low, high, both - both / 2, 0});
        builder.add({high, low, both / 2, 0});
        ++edges;
    }
    if (!ended)
        throw base::InputError(lines.place(), "the list of edges stops in the middle",
                               "the line `Graph info end` is missing", "copy the file again");
    TrafficMatrix matrix = builder.take("an undirected edge list (graphStats.txt)");
    matrix.notes.push_back("the edges are undirected: half of the bytes of each was taken for either direction");
    while (lines.next(line)) check_degree(lines, line, matrix, edges);
    return matrix;
}

}  // namespace tailback::traffic
