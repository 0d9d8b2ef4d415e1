// From a path to a matrix: tells the forms by their content and calls their readers.
#include "host/base/scanner.hpp"
#include "host/io/byte_source.hpp"
#include "host/traffic/formats.hpp"
#include "host/traffic/read/table.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>

namespace tailback::traffic {
namespace {

enum class Form : std::uint8_t {
    unknown,
    empty,
    edge_list,
    dense,
    ambiguous,
    graph_stats,
    matrix_market,
    mpip,
    monitoring,
    goal,
    nccl_log,
    msccl,
    other_xml,
    json
};

/// `E  0  1  1024 bytes ..`
bool is_monitoring_line(std::string_view line) {
    if (line == "# POINT TO POINT") return true;
    if (line.size() < 2 || std::string_view("EISRC").find(line[0]) == std::string_view::npos || line[1] != '\t')
        return false;
    base::Scanner scan(line);
    std::uint64_t number = 0;
    scan.skip(2);
    return scan.decimal(number) && scan.accept('\t') && scan.decimal(number) && scan.accept('\t') &&
           scan.decimal(number) && scan.accept(" bytes");
}

Form recognise_line(std::string_view line) {
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (line.starts_with("@ mpiP")) return Form::mpip;
    if (line.starts_with("%%MatrixMarket")) return Form::matrix_market;
    if (line.starts_with("---") && line.find("Graph Information") != std::string_view::npos) return Form::graph_stats;
    if (line.starts_with("num_ranks")) return Form::goal;
    if (is_monitoring_line(line)) return Form::monitoring;
    if (line.find(" NCCL INFO ") != std::string_view::npos) return Form::nccl_log;
    return Form::unknown;
}

/// @param whole `head` is all of the file.
Form recognise_form(std::string_view head, bool whole) {
    std::size_t const first = head.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return Form::empty;
    // In front of its lines a log may have anything: `[1,0]<stdout>:`, `[rank0]:`, `{"log":`.
    bool const marked = head[first] == '<' || head[first] == '{' || head[first] == '[';
    if (marked && head.find(" NCCL INFO ") != std::string_view::npos) return Form::nccl_log;
    if (head[first] == '<') return head.find("<algo") == std::string_view::npos ? Form::other_xml : Form::msccl;
    if (head[first] == '{' || head[first] == '[') return Form::json;
    for (std::string_view rest = head; !rest.empty();) {
        std::size_t const end = rest.find('\n');
        if (Form const form = recognise_line(rest.substr(0, end)); form != Form::unknown) return form;
        rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    }
    switch (recognise_table(head, whole)) {
        case TableKind::edge_list: return Form::edge_list;
        case TableKind::dense: return Form::dense;
        case TableKind::ambiguous: return Form::ambiguous;
        case TableKind::neither: break;
    }
    return Form::unknown;
}

std::string first_line(std::string_view head) {
    head.remove_prefix(std::min(head.find_first_not_of("\r\n"), head.size()));
    std::string shown;
    for (char const c : head.substr(0, std::min<std::size_t>(head.find_first_of("\r\n"), 60)))
        shown += std::isprint(static_cast<unsigned char>(c)) ? c : '?';
    return shown;
}

[[noreturn]] void refuse(Form form, std::string_view head, std::string const& name) {
    base::SourceLocation const place{name, 0};
    std::string const forms =
        "give an edge list, a matrix, a report of mpiP, files of Open MPI's monitoring, an archive of PFProf, GOAL, a "
        "log of NCCL, or an algorithm of MSCCL";
    if (form == Form::empty) throw base::InputError(place, "the file is empty", "", forms);
    if (form == Form::ambiguous)
        throw base::InputError(place, "an edge list or a dense matrix?",
                               "the file has as many lines as columns and can be read as both",
                               "of an edge list, begin it with a line `source destination bytes`; write a matrix as "
                               "MatrixMarket, or as an edge list");
    if (form == Form::json)
        throw base::InputError(place, "a JSON file alone is not read here", "PFProf writes one for every rank",
                               "give the archive of all of them (tar czf trace.tar.gz *.json)");
    if (form == Form::other_xml)
        throw base::InputError(place, "the XML is not an algorithm of MSCCL", "it has no <algo>", forms);
    throw base::InputError(place, "the format of the file is unknown", "it begins with \"" + first_line(head) + "\"",
                           forms);
}

/// `PREFIX.RANK.prof` of all ranks, in their order, for one of them; the path alone where it is no such name.
std::vector<std::string> files_of_all_ranks(std::string const& path) {
    namespace fs = std::filesystem;
    auto const prefix_of = [](std::string name) {
        if (!name.ends_with(".prof")) return std::string();
        name.resize(name.size() - 5);
        std::size_t const dot = name.rfind('.');
        if (dot == std::string::npos || dot + 1 == name.size() || name.size() - dot > 10 ||
            name.find_first_not_of("0123456789", dot + 1) != std::string::npos)
            return std::string();
        return name.substr(0, dot + 1);
    };
    fs::path const file = path;
    std::string const prefix = prefix_of(file.filename().string());
    std::vector<std::pair<unsigned long, std::string>> found;
    std::error_code ignored;
    fs::path const folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
    if (!prefix.empty())
        for (fs::directory_entry const& entry : fs::directory_iterator(folder, ignored))
            if (std::string const name = entry.path().filename().string(); prefix_of(name) == prefix)
                found.emplace_back(std::stoul(name.substr(prefix.size())),
                                   (file.has_parent_path() ? entry.path() : fs::path(name)).string());
    std::sort(found.begin(), found.end());
    std::vector<std::string> paths;
    for (auto const& [rank, one] : found) paths.push_back(one);
    if (paths.empty()) paths.push_back(path);
    return paths;
}

bool is_tar(std::string_view head) { return head.size() > 262 && head.substr(257, 5) == "ustar"; }

/// @param path where the bytes come from, for files beside it; empty = from no file.
/// @param schedule gets that of a GOAL file, in place of its matrix; null: it is not wanted.
TrafficMatrix read_any(std::unique_ptr<io::ByteSource> source, std::string const& name, std::string const& path,
                       std::optional<GoalSchedule>* schedule = nullptr) {
    constexpr std::size_t block = 512;
    std::string head = io::read_head(*source, block);
    bool const packed = io::packer_of(head) != nullptr;
    source = io::with_head(std::move(head), std::move(source));
    if (packed) return read_pfprof(std::move(source), name);
    source = io::unpacked(std::move(source), name);
    head = io::read_head(*source, block);
    bool const tar = is_tar(head);
    source = io::with_head(std::move(head), std::move(source));
    if (tar) return read_pfprof(std::move(source), name);

    io::LineReader lines(std::move(source), name);
    std::string_view const start = lines.peek();
    Form const form = recognise_form(start, start.size() < (std::size_t{1} << 16));
    switch (form) {
        case Form::edge_list: return read_edge_list(lines);
        case Form::dense: return read_dense(lines);
        case Form::graph_stats: return read_graph_stats(lines);
        case Form::matrix_market: return read_matrix_market(lines);
        case Form::mpip: return read_mpip(lines);
        case Form::monitoring: {
            std::vector<std::string> const paths = path.empty() ? std::vector<std::string>{} : files_of_all_ranks(path);
            return paths.size() > 1 ? read_monitoring(paths) : read_monitoring(lines);
        }
        case Form::goal:
            if (schedule == nullptr) return matrix_of(read_goal(lines), name);
            *schedule = read_goal(lines);
            return {};
        case Form::nccl_log: return read_nccl_log(lines);
        case Form::msccl: return read_msccl(lines);
        default: refuse(form, start, name);
    }
}

}  // namespace

TrafficMatrix read_traffic(std::string const& path, std::function<void(std::uint64_t)> const& tell) {
    std::unique_ptr<io::ByteSource> source = io::open_bytes(path);
    if (tell) source = io::watched(std::move(source), tell);
    TrafficMatrix matrix = read_any(std::move(source), path, path == "-" ? "" : path);
    if (matrix.entries.empty()) matrix.warnings.push_back("the matrix is empty: no rank sends anything");
    return matrix;
}

Traffic read_traffic_or_schedule(std::string const& path) {
    Traffic traffic;
    traffic.matrix = read_any(io::open_bytes(path), path, path == "-" ? "" : path, &traffic.schedule);
    return traffic;
}

TrafficMatrix read_traffic(std::unique_ptr<io::ByteSource> source, std::string const& name) {
    return read_any(std::move(source), name, "");
}

}  // namespace tailback::traffic
