// Fuzz target: opensm.fdbs, on a network of two switches. All routes over what comes out must end.
#include "tests/fuzz/fuzz_reader.hpp"
#include "tests/support/rooms.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace tailback;
    auto const with = [](CutOff cut_off) {
        return [cut_off](LineReader& lines, Network const& network, Disagreements& disagreements) {
            return read_fdbs(lines, network, disagreements, cut_off);
        };
    };
    fuzz_tables(data, size, with(CutOff::is_data));
    return fuzz_tables(data, size, with(CutOff::is_refused));
}
