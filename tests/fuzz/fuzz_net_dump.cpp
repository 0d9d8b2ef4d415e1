// Fuzz target: tables of ports (ibdiagnet2.net_dump). Whatever comes out must be a sound network.
#include "tests/fuzz/fuzz_reader.hpp"
#include "tests/support/rooms.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    return tailback::fuzz_topology(data, size, tailback::read_net_dump);
}
