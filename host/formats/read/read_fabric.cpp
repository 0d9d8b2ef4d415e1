// From one or two paths to a fabric: tells the formats by their content and calls their readers.
#include "host/base/scanner.hpp"
#include "host/formats/formats.hpp"

#include <cctype>

namespace tailback::formats {
namespace {

char const* name_of(Format format) {
    switch (format) {
        case Format::orcs_dot: return "an ORCS dot graph";
        case Format::ibnetdiscover: return "ibnetdiscover output";
        case Format::subnet_list: return "a list of cables (subnet.lst)";
        case Format::lft_dump: return "a dump of forwarding tables";
        case Format::fdbs: return "a dump of forwarding tables (fdbs)";
        case Format::graphml: return "GraphML";
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
    if (is_graph_line(scan)) return Format::orcs_dot;
    if (holds("<graphml")) return Format::graphml;
    return Format::unknown;
}

[[noreturn]] void refuse_unknown(std::string const& path, std::string_view head, bool wants_network) {
    base::SourceLocation const place{path, 0};
    std::string const remedy = wants_network
                                   ? "give ibnetdiscover output, opensm-subnet.lst, GraphML or an ORCS dot graph"
                                   : "give opensm-lfts.dump, dump_fts or ibroute output, or opensm.fdbs";
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

model::ForwardingTables read_tables(std::string const& path, std::string const& network_path,
                                    model::Network const& network, model::Disagreements& disagreements) {
    io::LineReader lines(io::open_source(path), path);
    Format const format = recognise(lines.peek());
    switch (format) {
        case Format::lft_dump: return read_lft_dump(lines, network, disagreements);
        case Format::fdbs: return read_fdbs(lines, network, disagreements);
        case Format::unknown: refuse_unknown(path, lines.peek(), false);
        default: break;
    }
    throw base::InputError({path, 0}, std::string("--tables is ") + name_of(format),
                           "--network " + network_path + " is a topology already",
                           "give opensm-lfts.dump, dump_fts or ibroute output, or opensm.fdbs as --tables");
}

}  // namespace

Format recognise(std::string_view head) {
    if (head.substr(0, 3) == "\xEF\xBB\xBF") head.remove_prefix(3);
    while (!head.empty()) {
        std::size_t const end = head.find('\n');
        std::string_view const line = head.substr(0, end);
        if (Format const format = recognise_line(line); format != Format::unknown) return format;
        head.remove_prefix(end == std::string_view::npos ? head.size() : end + 1);
    }
    return Format::unknown;
}

model::Fabric read_fabric(std::string const& network_path, std::optional<std::string> const& tables_path,
                          model::Disagreements& disagreements) {
    if (network_path == "-" && tables_path == "-")
        throw base::InputError({}, "--network and --tables are both standard input", "", "give one of them as a file");
    io::LineReader lines(io::open_source(network_path), network_path);
    Format const format = recognise(lines.peek());
    model::Fabric fabric;
    switch (format) {
        case Format::orcs_dot:
            if (tables_path)
                throw base::InputError({network_path, 0}, "--tables cannot be combined with an ORCS dot graph",
                                       "it contains its routes, in the comments of its edges", "leave out --tables");
            return read_orcs_dot(lines, disagreements);
        case Format::ibnetdiscover: fabric.network = read_ibnetdiscover(lines, disagreements); break;
        case Format::subnet_list: fabric.network = read_subnet_list(lines, disagreements); break;
        case Format::graphml: fabric.network = read_graphml(lines, disagreements); break;
        case Format::lft_dump:
        case Format::fdbs:
            throw base::InputError({network_path, 0}, std::string("--network is ") + name_of(format),
                                   "it says nothing about cables",
                                   "give the topology (ibnetdiscover output) as --network and this file as --tables");
        case Format::unknown: refuse_unknown(network_path, lines.peek(), true);
    }
    if (tables_path) {
        fabric.tables = read_tables(*tables_path, network_path, fabric.network, disagreements);
        fabric.routed = true;
    } else {
        fabric.tables = model::ForwardingTables(fabric.network, 0);
    }
    return fabric;
}

}  // namespace tailback::formats
