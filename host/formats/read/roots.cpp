// Lists of root switches: a GUID or a name a line.
#include "host/formats/read/roots.hpp"

#include "host/base/scanner.hpp"
#include "host/io/line_reader.hpp"

#include <algorithm>

namespace tailback::formats {
namespace {

bool is_guid(std::string_view word, std::uint64_t& guid) {
    base::Scanner scan(word);
    return scan.accept("0x") && scan.hex(guid) && scan.at_end();
}

std::string_view without_comment(std::string_view line) {
    for (std::size_t at = 0; at < line.size(); ++at)
        if (line[at] == '#' && (at == 0 || line[at - 1] == ' ' || line[at - 1] == '\t')) line = line.substr(0, at);
    std::string_view const blanks = " \t\r";
    std::size_t const first = std::min(line.find_first_not_of(blanks), line.size());
    return line.substr(first, line.find_last_not_of(blanks) + 1 - first);
}

}  // namespace

model::Node node_of_word(model::Network const& network, std::string const& word) {
    std::uint64_t guid = 0;
    if (is_guid(word, guid) && guid != 0) {
        if (model::Node const node = network.node_by_guid(guid); node.exists()) return node;
        for (std::size_t n = 0; n < network.nodes().size(); ++n)
            if (network[model::Node{n}].port_guid == guid) return model::Node{n};
    }
    return network.node_by_name(word);
}

std::vector<model::Node> read_roots(std::string const& path, model::Network const& network) {
    io::LineReader lines(io::open_source(path), path);
    std::vector<model::Node> roots;
    std::string_view line;
    while (lines.next(line)) {
        std::string const word(without_comment(line));
        if (word.empty()) continue;
        model::Node const node = node_of_word(network, word);
        std::uint64_t guid = 0;
        if (!node.exists() && is_guid(word, guid))
            throw base::InputError(lines.place(), "the network has no node of GUID " + word, "",
                                   "check that the list and the topology are of the same fabric");
        if (!node.exists())
            throw base::InputError(
                lines.place(), "\"" + word.substr(0, 60) + "\" is neither a GUID nor the name of a node",
                "one root per line is expected", "write 0x and up to 16 hex digits, or a switch's name");
        if (!network.is_switch(node))
            throw base::InputError(lines.place(), network.describe(node) + " is not a switch", "roots are switches",
                                   "leave the line out");
        roots.push_back(node);
    }
    if (roots.empty())
        throw base::InputError({path, 0}, "the file lists no roots", "", "write one switch GUID a line, or one name");
    std::vector<bool> there(network.nodes().size());
    std::erase_if(roots, [&](model::Node const node) {
        bool const again = there[node.value];
        there[node.value] = true;
        return again;
    });
    return roots;
}

}  // namespace tailback::formats
