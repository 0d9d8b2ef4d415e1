// How files of programs that trace applications are known.
#include "host/base/extensions.hpp"
#include "host/base/scanner.hpp"
#include "host/traffic/registry.hpp"
#include "host/traffic/traces/traces.hpp"

namespace tailback::traffic {
namespace {

/// A form that needs its lines alone.
template <TrafficMatrix (*read)(io::LineReader&)>
Traffic by_lines(io::LineReader& lines, std::string const&) {
    return {read(lines), {}};
}

Traffic read_all_ranks(io::LineReader& lines, std::string const& path) {
    std::vector<std::string> const paths = path.empty() ? std::vector<std::string>{} : files_of_all_ranks(path);
    return {paths.size() > 1 ? read_monitoring(paths) : read_monitoring(lines), {}};
}

bool holds(std::string_view text, std::string_view word) { return text.find(word) != std::string_view::npos; }

char first_of(std::string_view head) {
    std::size_t const first = head.find_first_not_of(" \t\r\n");
    return first == std::string_view::npos ? '\0' : head[first];
}

bool is_of_mpip(std::string_view line) { return line.starts_with("@ mpiP"); }
bool is_graph_stats(std::string_view line) { return line.starts_with("---") && holds(line, "Graph Information"); }
bool is_of_nccl(std::string_view text) { return holds(text, " NCCL INFO "); }
bool is_of_msccl(std::string_view head) { return first_of(head) == '<' && holds(head, "<algo"); }

/// `E  0  1  1024 bytes ..`
bool is_of_monitoring(std::string_view line) {
    if (line == "# POINT TO POINT") return true;
    if (line.size() < 2 || std::string_view("EISRC").find(line[0]) == std::string_view::npos || line[1] != '\t')
        return false;
    base::Scanner scan(line);
    std::uint64_t number = 0;
    scan.skip(2);
    return scan.decimal(number) && scan.accept('\t') && scan.decimal(number) && scan.accept('\t') &&
           scan.decimal(number) && scan.accept(" bytes");
}

void refuse_json(std::string_view head, base::SourceLocation const& place) {
    if (first_of(head) == '{' || first_of(head) == '[')
        throw base::InputError(place, "a JSON file alone is not read here", "PFProf writes one for every rank",
                               "give the archive of all of them (tar czf trace.tar.gz *.json)");
}

void refuse_other_xml(std::string_view head, base::SourceLocation const& place) {
    if (first_of(head) == '<')
        throw base::InputError(place, "the XML is not an algorithm of MSCCL", "it has no <algo>",
                               forms_that_are_read());
}

}  // namespace

void register_traces(Registry& registry) {
    for (Form const& form : {
             Form{.name = "a report of mpiP", .has_line = is_of_mpip, .read = by_lines<read_mpip>},
             Form{.name = "files of Open MPI's monitoring", .has_line = is_of_monitoring, .read = read_all_ranks},
             Form{.name = "an archive of PFProf", .read_archive = read_pfprof, .refuse = refuse_json},
             Form{.name = "", .has_line = is_graph_stats, .read = by_lines<read_graph_stats>},
         })
        base::insert_before(registry.forms, "GOAL", form);
    registry.forms.push_back(
        {.name = "a log of NCCL", .is_marked = is_of_nccl, .has_line = is_of_nccl, .read = by_lines<read_nccl_log>});
    registry.forms.push_back({.name = "an algorithm of MSCCL",
                              .is_marked = is_of_msccl,
                              .read = by_lines<read_msccl>,
                              .refuse = refuse_other_xml});
}

}  // namespace tailback::traffic
