// From a path to a matrix: tells the forms by their content and calls their readers.
#include "host/base/extensions.hpp"
#include "host/io/byte_source.hpp"
#include "host/traffic/read/table.hpp"
#include "host/traffic/registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace tailback::traffic {
namespace {

Traffic read_schedule(io::LineReader& lines, std::string const&) { return {{}, read_goal(lines)}; }

std::vector<Form> forms_of_core() {
    return {
        {.name = "an edge list"},  // a table, as a dense matrix: by their columns
        {.name = "a matrix",
         .has_line = [](std::string_view line) { return line.starts_with("%%MatrixMarket"); },
         .read =
             [](io::LineReader& lines, std::string const&) {
                 return Traffic{read_matrix_market(lines), {}};
             }},
        {.name = "GOAL",
         .has_line = [](std::string_view line) { return line.starts_with("num_ranks"); },
         .read = read_schedule},
    };
}

std::vector<Form> const& all_forms() {
    static std::vector<Form> const all = base::with_extensions(Registry{forms_of_core()}).forms;
    return all;
}

Form const* form_of_line(std::string_view line) {
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    auto const form = std::ranges::find_if(
        all_forms(), [&](Form const& one) { return one.has_line != nullptr && one.has_line(line); });
    return form == all_forms().end() ? nullptr : &*form;
}

/// In front of its lines a log may have anything: `[1,0]<stdout>:`, `[rank0]:`, `{"log":`.
bool is_marked(std::string_view head) {
    std::size_t const first = head.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && (head[first] == '<' || head[first] == '{' || head[first] == '[');
}

/// Null: a table, or none.
Form const* form_of(std::string_view head) {
    if (is_marked(head)) {
        auto const form = std::ranges::find_if(
            all_forms(), [&](Form const& one) { return one.is_marked != nullptr && one.is_marked(head); });
        return form == all_forms().end() ? nullptr : &*form;
    }
    for (std::string_view rest = head; !rest.empty();) {
        std::size_t const end = rest.find('\n');
        if (Form const* const form = form_of_line(rest.substr(0, end))) return form;
        rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    }
    return nullptr;
}

std::string first_line(std::string_view head) {
    head.remove_prefix(std::min(head.find_first_not_of("\r\n"), head.size()));
    std::string shown;
    for (char const c : head.substr(0, std::min<std::size_t>(head.find_first_of("\r\n"), 60)))
        shown += std::isprint(static_cast<unsigned char>(c)) ? c : '?';
    return shown;
}

[[noreturn]] void refuse(TableKind table, std::string_view head, std::string const& name) {
    base::SourceLocation const place{name, 0};
    if (head.find_first_not_of(" \t\r\n") == std::string_view::npos)
        throw base::InputError(place, "the file is empty", "", forms_that_are_read());
    if (table == TableKind::ambiguous)
        throw base::InputError(place, "an edge list or a dense matrix?",
                               "the file has as many lines as columns and can be read as both",
                               "begin an edge list with a line `source destination bytes`, and a matrix with "
                               "a line `# matrix`");
    for (Form const& form : all_forms())
        if (form.refuse != nullptr) form.refuse(head, place);
    throw base::InputError(place, "the format of the file is unknown", "it begins with \"" + first_line(head) + "\"",
                           forms_that_are_read());
}

bool is_tar(std::string_view head) { return head.size() > 262 && head.substr(257, 5) == "ustar"; }

/// The form that reads archives; null: none is built.
Form const* form_of_archives() {
    auto const form = std::ranges::find_if(all_forms(), [](Form const& one) { return one.read_archive != nullptr; });
    return form == all_forms().end() ? nullptr : &*form;
}

/// @param path where the bytes come from, for files beside it; empty = from no file.
Traffic read_any(std::unique_ptr<io::ByteSource> source, std::string const& name, std::string const& path) {
    constexpr std::size_t block = 512;
    Form const* const archives = form_of_archives();
    std::string head = io::read_head(*source, block);
    bool const packed = io::packer_of(head) != nullptr;
    source = io::with_head(std::move(head), std::move(source));
    if (packed && archives != nullptr) return {archives->read_archive(std::move(source), name), {}};
    source = io::unpacked(std::move(source), name);
    head = io::read_head(*source, block);
    bool const tar = is_tar(head);
    source = io::with_head(std::move(head), std::move(source));
    if (tar && archives != nullptr) return {archives->read_archive(std::move(source), name), {}};

    io::LineReader lines(std::move(source), name);
    std::string_view const start = lines.peek();
    if (Form const* const form = form_of(start)) return form->read(lines, path);
    TableKind const table =
        is_marked(start) ? TableKind::neither : recognise_table(start, start.size() < (std::size_t{1} << 16));
    if (table == TableKind::edge_list) return {read_edge_list(lines), {}};
    if (table == TableKind::dense) return {read_dense(lines), {}};
    refuse(table, start, name);
}

TrafficMatrix matrix_in(Traffic&& traffic, std::string const& name) {
    return traffic.schedule ? matrix_of(*traffic.schedule, name) : std::move(traffic.matrix);
}

}  // namespace

std::string forms_that_are_read() {
    std::string text;
    std::string_view last;
    for (Form const& form : all_forms()) {
        if (form.name.empty()) continue;
        if (!last.empty()) text += fmt::format("{}, ", last);
        last = form.name;
    }
    return fmt::format("give {}or {}{}", text, last, base::left_out_hint("form of traffic"));
}

TrafficMatrix read_traffic(std::string const& path, std::function<void(std::uint64_t)> const& tell) {
    std::unique_ptr<io::ByteSource> source = io::open_bytes(path);
    if (tell) source = io::watched(std::move(source), tell);
    TrafficMatrix matrix = matrix_in(read_any(std::move(source), path, path == "-" ? "" : path), path);
    if (matrix.entries.empty()) matrix.warnings.push_back("the matrix is empty: no rank sends anything");
    return matrix;
}

Traffic read_traffic_or_schedule(std::string const& path) {
    return read_any(io::open_bytes(path), path, path == "-" ? "" : path);
}

TrafficMatrix read_traffic(std::unique_ptr<io::ByteSource> source, std::string const& name) {
    return matrix_in(read_any(std::move(source), name, ""), name);
}

}  // namespace tailback::traffic
