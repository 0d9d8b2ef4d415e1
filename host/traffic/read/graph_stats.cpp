// graphStats.txt: what a study of mpiP's matrices left, undirected edges with the bytes of both directions.
#include "host/base/numbers.hpp"
#include "host/base/scanner.hpp"
#include "host/traffic/formats.hpp"
#include "host/traffic/read/fields.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

namespace tailback::traffic {
namespace {

/// `Average Degree:  451.036` against the pairs that were read.
void check_degree(io::LineReader& lines, std::string_view line, TrafficMatrix& matrix, std::uint64_t pairs) {
    base::Scanner scan(line);
    if (!scan.accept("Average Degree:")) return;
    double const stated = std::strtod(std::string(scan.blanks().rest()).c_str(), nullptr);
    double const read = double(pairs) / double(matrix.ranks);
    if (!(std::abs(stated - read) <= 1e-6 * read))
        throw base::InputError(lines.place(), "the edges do not add up to the average degree of the file",
                               fmt::format("it states {}, and {} edges of {} ranks make {}", base::exact_text(stated),
                                           pairs / 2, matrix.ranks, base::exact_text(read)),
                               "check that the file is complete");
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
            throw base::InputError(lines.place(), "this is no edge", "a line is `a , b = bytes`", "check this line");
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
    while (lines.next(line)) check_degree(lines, line, matrix, 2 * edges);
    return matrix;
}

}  // namespace tailback::traffic
