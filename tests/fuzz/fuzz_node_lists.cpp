// Fuzz target: files that name nodes or numbers line by line, by the first character: roots (`r`), groups (`g`),
// groups where names may be missing (`G`), a subset (`s`), mappings (`m`), compute nodes (`c`), adapters of slots
// (`a`), ORCS's order of nodes (`o`). Whatever comes out is of the network, and no host is there twice.
#include "host/audit/loads/groups.hpp"
#include "host/formats/read/roots.hpp"
#include "host/orcs/orcs_placement.hpp"
#include "host/study/host_lists.hpp"
#include "host/study/placement/placer.hpp"
#include "tests/fuzz/fuzz_reader.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"

#include <algorithm>
#include <set>

namespace {

using namespace tailback;

void must_be_different(std::span<Host const> hosts) {
    std::set<std::uint32_t> met;
    for (Host const host : hosts) must(host.value < small_network().hosts().size() && met.insert(host.value).second);
}

void check_groups(std::string const& words, MissingNodes missing) {
    NodeGroups const groups = group_nodes(small_network(), words, missing);
    must(groups.of_node.size() == small_network().nodes().size());
    for (std::uint32_t const group : groups.of_node) must(group < groups.names.size());
}

void check_mappings(LineReader& lines) {
    MappingList const list = read_mappings(lines, small_network());
    must(list.hosts.size() == list.ranks * list.mappings);
    for (std::size_t m = 0; m < list.mappings; ++m)
        must_be_different(std::span(list.hosts).subspan(m * list.ranks, list.ranks));
}

void check_compute_nodes(std::string const& path) {
    Fabric const fabric{small_network(), {}, true};
    ComputeNodes const nodes = find_compute_nodes(fabric, {NodeGrouping::file, 1, path}, false);
    std::vector<Host> all;
    for (ComputeNodes::Node const& node : nodes.nodes) {
        must(!node.name.empty() && !node.adapters.empty());
        all.insert(all.end(), node.adapters.begin(), node.adapters.end());
    }
    must_be_different(all);
}

void check_orcs(std::string const& path) {
    OrcsOptions options;
    options.node_ordering_file = path;
    OrcsPlacement const placement(small_network(), options, 2);
    must_be_different(placement.hosts_of_run(0));
}

void read_as(char form, std::string const& text) {
    static TemporaryFolder const folder;
    std::string const path = folder.write("list", text);
    LineReader lines = lines_of_text(text, "fuzz");
    switch (form) {
        case 'r':
            for (Node const node : read_roots(path, small_network())) must(small_network().is_switch(node));
            break;
        case 'g': check_groups("file:" + path, MissingNodes::are_refused); break;
        case 'G': check_groups("file:" + path, MissingNodes::are_left_out); break;
        case 's': must_be_different(read_subset(lines, small_network())); break;
        case 'm': check_mappings(lines); break;
        case 'c': check_compute_nodes(path); break;
        case 'a': must(!read_rail_rule("file:" + path).listed.empty()); break;
        case 'o': check_orcs(path); break;
        default: break;
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    if (size == 0) return 0;
    answer(
        [&] { read_as(static_cast<char>(data[0]), std::string(reinterpret_cast<char const*>(data) + 1, size - 1)); });
    return 0;
}
