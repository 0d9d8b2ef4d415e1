// tailback traffic: what is in a file of traffic; and the same in another form.
#include "host/base/error.hpp"
#include "host/commands/command.hpp"
#include "host/commands/options/network_options.hpp"
#include "host/commands/report_file.hpp"
#include "host/io/output_file.hpp"
#include "host/io/progress.hpp"
#include "host/options/parsed_options.hpp"
#include "host/report/traffic/traffic_report.hpp"
#include "host/study/flow_file.hpp"
#include "host/study/traffic_flows.hpp"
#include "host/traffic/formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace tailback::commands {
namespace {

constexpr char const* traffic_text = R"(
FILE is recognised by its content (- is standard input, .xz and .gz are unpacked):
  edge list      source destination bytes [messages]; `# ranks N` in front says how many ranks
  matrix         a row and a column for every rank: CSV, TSV, blanks, or MatrixMarket
  mpiP           a report with a communication matrix; graphStats.txt of the same collection
  Open MPI       the monitoring component's PREFIX.RANK.prof (one stands for those of all ranks)
  PFProf         the packed archive of one JSON file a rank
  GOAL           the sends of a schedule
  NCCL           a log with NCCL_DEBUG=INFO: connections between nodes, without bytes
  MSCCL          an algorithm as XML: chunks

Sums that a file states are compared with what was read; where they differ, it is refused.

Formats to write: edges, csv (a dense matrix), matrix-market, flows (a pattern file, for sweeps).

Examples:
  tailback traffic lulesh.mpiP --picture lulesh.svg
  tailback traffic trace.0.prof --format json
  tailback traffic cg-c-128.tar.gz --to edges --output cg.edges
  tailback evaluate --network torus:4x4x4 --routing dor --traffic lulesh.mpiP --metric all
)";

traffic::TrafficMatrix read_with_progress(std::string const& file) {
    std::error_code unknown;
    std::uintmax_t const size = std::filesystem::file_size(file, unknown);
    if (unknown || size == 0) return traffic::read_traffic(file);
    io::Progress progress("reading " + file, size, "bytes");
    return traffic::read_traffic(file, [&](std::uint64_t read) { progress.show(std::min<std::uint64_t>(read, size)); });
}

using Write = void (*)(std::ostream&, traffic::TrafficMatrix const&);

/// What `--pattern file:PATH` reads.
void write_pattern(std::ostream& out, traffic::TrafficMatrix const& matrix) {
    std::vector<std::string> notes;
    patterns::FlowList const flows = study::flows_of(matrix, "", notes);
    for (std::string const& note : notes) tell_note(note);
    study::write_flows(out, flows);
}

Write write_function(options::ParsedOptions const& options) {
    if (!options.given("to")) return nullptr;
    constexpr Write functions[] = {traffic::write_edges, traffic::write_dense, traffic::write_matrix_market,
                                   write_pattern};
    return functions[options.choice("to")];
}

}  // namespace

std::string traffic_notes() { return traffic_text; }

int run_traffic(std::vector<std::string> const& arguments) {
    options::ParsedOptions const options(options::traffic, arguments);
    std::string const file = options.word("one file is told at a time", "`tailback traffic --help` shows examples");
    if (file.empty())
        throw base::InputError({}, "no file of traffic is given", "", "`tailback traffic --help` shows examples");
    report::Form const form = format_of(options);
    std::uint64_t const top = options.number("top");
    Write const write = write_function(options);
    std::string const output = *options.text("output");
    std::vector<std::string> outputs = {output};
    if (options.given("picture")) outputs.push_back(*options.text("picture"));
    check_files({file}, outputs);

    traffic::TrafficMatrix const matrix = read_with_progress(file);
    for (std::string const& note : matrix.notes) tell_note(note);
    for (std::string const& warning : matrix.warnings) tell_warning(warning);
    report::TrafficReport const report{file, matrix, top};
    OutputFiles files;
    io::OutputFile& first = files.add(output);
    if (write != nullptr) write(first.stream(), matrix);
    else write_report(first, report, form);
    if (outputs.size() > 1) report::write_traffic_svg(files.add(outputs[1]).stream(), report);
    files.commit();
    return success;
}

}  // namespace tailback::commands
