// Fuzz target: lists of compute nodes, by the first character: a hostlist (`l`), lines of mappings (`m`), else a
// hostfile or rankfile. Whatever comes out names nodes that are there.
#include "host/study/placement/host_file.hpp"
#include "host/study/placement/hostlist.hpp"
#include "host/study/placement/node_mappings.hpp"
#include "tests/fuzz/fuzz_reader.hpp"
#include "tests/support/rooms.hpp"

namespace {

using namespace tailback;

void read_as(char form, std::string const& text) {
    static Fabric const fabric{small_network(), {}, true};
    static ComputeNodes const nodes = find_compute_nodes(fabric, {}, false);
    LineReader lines = lines_of_text(text, "fuzz");
    if (form == 'm') {
        MappingList const list = read_node_mappings(lines, nodes, fabric.network, {.nodes = {}, .ranks_per_node = 3});
        must(list.hosts.size() == std::size_t{list.ranks} * list.mappings);
        for (Host const host : list.hosts) must(host.value < fabric.network.hosts().size());
    } else {
        NodeFinder finder(nodes, fabric.network);
        NodeSelection const selection = read_host_file(lines, nodes, finder);
        must(!selection.nodes.empty() && selection.slots.size() == selection.nodes.size());
        for (std::uint32_t const node : selection.nodes) must(node < nodes.nodes.size());
        for (GivenSlot const given : selection.given) must(given.node < selection.nodes.size());
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    if (size == 0) return 0;
    std::string const text(reinterpret_cast<char const*>(data) + 1, size - 1);
    if (data[0] == 'l') answer_words([&] { must(expand_hostlist(text).size() <= most_names); });
    else answer([&] { read_as(static_cast<char>(data[0]), text); });
    return 0;
}
