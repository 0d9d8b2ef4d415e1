// Fuzz target: lists of compute nodes, by the first character: a hostlist (`l`), lines of mappings (`m`), else a
// hostfile or rankfile. Whatever comes out names nodes that are there.
#include "host/study/placement/host_file.hpp"
#include "host/study/placement/hostlist.hpp"
#include "host/study/placement/node_mappings.hpp"
#include "tests/fuzz/fuzz_reader.hpp"
#include "tests/support/rooms.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace tailback;
    static Fabric const fabric{small_network(), {}, true};
    static ComputeNodes const nodes = find_compute_nodes(fabric, {}, false);
    answer([&] {
        if (size == 0) return;
        std::string const text(reinterpret_cast<char const*>(data) + 1, size - 1);
        LineReader lines = lines_of_text(text, "fuzz");
        if (data[0] == 'l') {
            must(expand_hostlist(text).size() <= most_names);
        } else if (data[0] == 'm') {
            MappingList const list =
                read_node_mappings(lines, nodes, fabric.network, {.nodes = {}, .ranks_per_node = 3});
            must(list.hosts.size() == std::size_t{list.ranks} * list.mappings);
            for (Host const host : list.hosts) must(host.value < fabric.network.hosts().size());
        } else {
            NodeFinder finder(nodes, fabric.network);
            NodeSelection const selection = read_host_file(lines, nodes, finder);
            must(!selection.nodes.empty() && selection.slots.size() == selection.nodes.size());
            for (std::uint32_t const node : selection.nodes) must(node < nodes.nodes.size());
            for (GivenSlot const given : selection.given) must(given.node < selection.nodes.size());
        }
    });
    return 0;
}
