// Fuzz target: counters of ports in all their forms. Whatever comes out must be of ports of the network.
#include "host/formats/ibdiagnet2/counters.hpp"
#include "tests/fuzz/fuzz_reader.hpp"
#include "tests/support/rooms.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace tailback;
    answer([&] {
        LineReader lines = fuzz_lines(data, size);
        Disagreements disagreements;
        for (PortCounters const& port : read_counters(lines, small_network(), disagreements).ports)
            must(small_network().link_at(port.node, port.port).exists());
    });
    return 0;
}
