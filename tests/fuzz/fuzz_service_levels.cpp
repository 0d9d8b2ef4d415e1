// Fuzz target: service levels of paths, on a network of two switches. Every level that comes out is among those used.
#include "host/formats/lane_files.hpp"
#include "tests/fuzz/fuzz_reader.hpp"
#include "tests/support/rooms.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace tailback;
    answer([&] {
        LineReader lines = fuzz_lines(data, size);
        Disagreements disagreements;
        Network const& net = small_network();
        ServiceLevels const levels = read_service_levels(lines, net, disagreements);
        for (Lid lid = 0; lid < 8; ++lid) {
            must(levels.to(lid).empty() || levels.to(lid).size() == net.hosts().size());
            for (std::uint16_t const bits : levels.to(lid)) must((bits & ~levels.used()) == 0);
        }
        disagreements.warnings();
    });
    return 0;
}
