// Fuzz target: SL2VL tables, on a network of two switches. Every map that comes out has lanes up to 15.
#include "host/formats/lane_files.hpp"
#include "tests/fuzz/fuzz_reader.hpp"
#include "tests/support/rooms.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace tailback;
    answer([&] {
        LineReader lines = fuzz_lines(data, size);
        Disagreements disagreements;
        Network const& net = small_network();
        LaneMaps const maps = read_lane_maps(lines, net, disagreements);
        for (std::size_t n = 0; n < net.nodes().size(); ++n)
            for (Port in = 0; in < 8; ++in)
                for (Port out = 0; out < 8; ++out)
                    if (LaneMap const* const map = maps.find(Node{n}, in, out); map != nullptr)
                        must(net[Node{n}].kind == NodeKind::switch_node);
        for (std::size_t h = 0; h < net.hosts().size(); ++h) maps.find(Host{h});
        disagreements.warnings();
    });
    return 0;
}
