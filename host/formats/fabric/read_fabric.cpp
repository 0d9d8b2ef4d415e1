// From one or two paths to a fabric: tells the formats by their content and calls their readers.
#include "host/formats/fabric/read_fabric.hpp"
#include "host/base/extensions.hpp"
#include "host/base/scanner.hpp"
#include "host/formats/fabric/folder.hpp"
#include "host/formats/formats.hpp"
#include "host/formats/registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace tailback::formats {
namespace {

char const* described(Format format) {
    if (NetworkFile const* const added = added_file(format)) return added->name;
    switch (format) {
        case Format::orcs_dot: return "an ORCS dot graph";
        case Format::ibnetdiscover: return "ibnetdiscover output";
        case Format::subnet_list: return "a list of cables (subnet.lst)";
        case Format::lft_dump: return "a dump of forwarding tables";
        case Format::fdbs: return "a dump of forwarding tables (fdbs)";
        case Format::graphml: return "GraphML";
        case Format::db_csv: return "ibdiagnet2.db_csv";
        case Format::net_dump: return "ibdiagnet2.net_dump";
        case Format::lane_maps: return "SL2VL tables";
        case Format::path_levels: return "service levels of paths";
        case Format::adaptive: return "groups of adaptive routing (ibdiagnet2.far)";
        case Format::private_tables: return "private tables (ibdiagnet2.plft)";
        case Format::unknown: break;
    }
    return "a file of unknown format";
}

/// `Switch 36 "S-...`, `Ca 2 "H-...`, `Rt 1 "R-...`, with or without blanks.
bool is_node_line(base::Scanner scan) {
    std::uint64_t ports = 0;
    if (!scan.accept("Switch") && !scan.accept("Ca") && !scan.accept("Hca") && !scan.accept("Rt")) return false;
    return scan.blanks().decimal(ports) && scan.blanks().accept('"');
}

bool is_graph_line(base::Scanner scan) {
    if (scan.accept("strict")) scan.blanks();
    if (!scan.accept("digraph") && !scan.accept("graph")) return false;
    if (scan.at_end()) return true;
    char const next = scan.rest().front();
    return next == '{' || next == '"' || next == ' ' || next == '\t';
}

/// `START_NODES`: capitals, digits and underscores alone.
bool is_section_line(std::string_view text) {
    while (!text.empty() && (text.back() == '\r' || text.back() == ' ')) text.remove_suffix(1);
    return text.size() > 6 && text.substr(0, 6) == "START_" &&
           text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == std::string_view::npos;
}

Format recognise_line(std::string_view line) {
    base::Scanner scan(line);
    scan.blanks();
    std::string_view const text = scan.rest();
    auto const holds = [&](std::string_view word) { return text.find(word) != std::string_view::npos; };
    if (holds("Unicast lids [") || text.substr(0, 15) == "Multicast mlids") return Format::lft_dump;
    if (holds("ucast_routes: Switch 0x")) return Format::fdbs;
    if (text.substr(0, 1) == "{" && holds("NodeGUID:")) return Format::subnet_list;
    if (text.substr(0, 9) == "vendid=0x" || holds("switchguid=0x") || text.substr(0, 9) == "caguid=0x" ||
        is_node_line(scan))
        return Format::ibnetdiscover;
    if (text.substr(0, 13) == "# INDEX_TABLE" || is_section_line(text)) return Format::db_csv;
    if (text.substr(0, 1) == "\"" && holds("\", ") && holds(", 0x") && holds(", LID ")) return Format::net_dump;
    if (holds("-raw_vl_by_sl") || holds("SL2VL")) return Format::lane_maps;
    if (holds("Groups Definition:") || holds("PLFT_NUM:")) return Format::adaptive;
    if (holds("PLFT") || holds("sl-plft:") || holds("dump_plft")) return Format::private_tables;
    if (is_graph_line(scan)) return Format::orcs_dot;
    if (holds("<graphml")) return Format::graphml;
    for (std::size_t f = 0; f < tables().files.size(); ++f)
        if (tables().files[f].begins(text)) return Format(first_added_format + f);
    return Format::unknown;
}

std::string networks_that_are_read() {
    std::vector<std::string> names = {"ibnetdiscover output", "opensm-subnet.lst",
                                      "ibdiagnet2.db_csv or the folder it is in", "GraphML", "an ORCS dot graph"};
    for (NetworkFile const& added : tables().files) names.emplace_back(added.name);
    std::string const last = names.back();
    names.pop_back();
    return fmt::format("{} or {}", fmt::join(names, ", "), last);
}

[[noreturn]] void refuse_unknown(std::string const& path, std::string_view head, bool wants_network) {
    base::SourceLocation const place{path, 0};
    std::string const remedy =
        wants_network ? "give " + networks_that_are_read() + base::left_out_hint("network file")
                      : "give opensm-lfts.dump, dump_fts or ibroute output, opensm.fdbs, or ibdiagnet2.far";
    if (head.empty()) throw base::InputError(place, "the file is empty", "", remedy);
    std::string_view line;
    std::string_view rest = head;
    while (line.empty() && !rest.empty()) {
        line = rest.substr(0, rest.find_first_of("\r\n"));
        rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    }
    throw base::InputError(place, "the format of the file is unknown",
                           "it begins with \"" + std::string(line.substr(0, 60)) + "\"", remedy);
}

void read_tables_of(std::string const& path, std::string const& network_path, model::Fabric& fabric,
                    model::Disagreements& disagreements) {
    io::LineReader lines(io::open_source(path), path);
    Format const format = recognise(lines.peek());
    if (format == Format::unknown) refuse_unknown(path, lines.peek(), false);
    if (format == Format::lft_dump || format == Format::fdbs) {
        fabric.tables = read_tables_as(format, lines, fabric.network, disagreements);
        return;
    }
    if (format == Format::adaptive) {
        AdaptiveTables found = read_far(lines, fabric.network, disagreements);
        fabric.tables = std::move(found.tables);
        fabric.candidates = std::move(found.sets);
        return;
    }
    throw base::InputError(
        {path, 0}, std::string("here are no forwarding tables: it is ") + described(format),
        network_path + " is a topology already",
        "give opensm-lfts.dump, dump_fts or ibroute output, opensm.fdbs, or ibdiagnet2.far as tables");
}

/// A folder of another kind is one that its user forgot to name so.
model::Fabric read_folder_or_name_kind(std::string const& path, model::Disagreements& disagreements, bool with_tables,
                                       model::NamedFiles* used) {
    auto kind = tables().folders.begin();
    try {
        return read_folder(path, disagreements, with_tables, used);
    } catch (base::InputError const&) {
        kind = std::ranges::find_if(tables().folders, [&](NetworkFolder const& one) { return one.is_one(path); });
        if (kind == tables().folders.end()) throw;
    }
    throw base::InputError({path, 0}, fmt::format("the folder has {}", kind->holds), "and no InfiniBand topology",
                           fmt::format("name it with its kind: {}:{}", kind->kind, path));
}

}  // namespace

std::string date_of_dump(std::string_view head) {
    while (head.starts_with('#') || head.starts_with('\n')) {
        std::size_t const end = head.find('\n');
        if (end == std::string_view::npos) break;  // what is cut says nothing
        std::string_view const line = head.substr(0, end);
        head.remove_prefix(end + 1);
        for (std::string_view const words : {"generated on ", "Timestamp", "Running date"})
            if (std::size_t const at = line.find(words); at != std::string_view::npos) {
                std::string_view const date =
                    line.substr(std::min(line.size(), line.find_first_not_of(" \t:=", at + words.size())));
                return std::string(base::trimmed(date, " \t\r"));
            }
    }
    return "";
}

model::Network read_topology_as(Format format, io::LineReader& lines, model::Disagreements& disagreements) {
    if (NetworkFile const* const added = added_file(format)) return added->read(lines, disagreements);
    switch (format) {
        case Format::ibnetdiscover: return read_ibnetdiscover(lines, disagreements);
        case Format::subnet_list: return read_subnet_list(lines, disagreements);
        case Format::graphml: return read_graphml(lines, disagreements);
        case Format::db_csv: return read_db_csv(lines, disagreements);
        case Format::net_dump: return read_net_dump(lines, disagreements);
        default: break;
    }
    throw base::InputError({lines.name(), 0}, std::string("the file is not a topology: it is ") + described(format),
                           "it says nothing about cables",
                           "give the topology (ibnetdiscover output) as the network, and this file as its tables");
}

model::ForwardingTables read_tables_as(Format format, io::LineReader& lines, model::Network const& network,
                                       model::Disagreements& disagreements, CutOff cut_off) {
    return format == Format::fdbs ? read_fdbs(lines, network, disagreements, cut_off)
                                  : read_lft_dump(lines, network, disagreements, cut_off);
}

Format recognise(std::string_view head) {
    while (!head.empty()) {
        std::size_t const end = head.find('\n');
        std::string_view const line = head.substr(0, end);
        if (Format const format = recognise_line(line); format != Format::unknown) return format;
        head.remove_prefix(end == std::string_view::npos ? head.size() : end + 1);
    }
    return Format::unknown;
}

model::Fabric read_fabric(std::string const& network_path, std::optional<std::string> const& tables_path,
                          model::Disagreements& disagreements, model::NamedFiles* used) {
    if (network_path == "-" && tables_path == "-")
        throw base::InputError({}, "the network and its tables are both standard input", "",
                               "give one of them as a file");
    if (NetworkFolder const* const kind = folder_named(network_path)) {
        if (tables_path)
            throw base::InputError({network_path, 0}, fmt::format("{} has no tables beside it", kind->name),
                                   "the folder contains the routes", "leave out " + *tables_path);
        return kind->read(kind->path_of(network_path), disagreements);
    }
    model::Fabric fabric;
    if (is_folder(network_path)) {
        fabric = read_folder_or_name_kind(network_path, disagreements, !tables_path, used);
    } else {
        io::LineReader lines(io::open_source(network_path), network_path);
        Format const format = recognise(lines.peek());
        if (format == Format::unknown) refuse_unknown(network_path, lines.peek(), true);
        if (format == Format::orcs_dot) {
            if (tables_path)
                throw base::InputError({network_path, 0}, "an ORCS dot graph has no tables beside it",
                                       "it contains its routes, in the comments of its edges",
                                       "leave out " + *tables_path);
            return read_orcs_dot(lines, disagreements);
        }
        fabric.origin.dumped = date_of_dump(lines.peek());
        fabric.network = read_topology_as(format, lines, disagreements);
    }
    if (tables_path) {
        read_tables_of(*tables_path, network_path, fabric, disagreements);
        fabric.routed = true;
    } else if (!fabric.routed) {
        fabric.tables = model::ForwardingTables(fabric.network, 0);
    }
    return fabric;
}

}  // namespace tailback::formats
