// Fuzz target: opensm.fdbs, on a network of two switches. All routes over what comes out must end.
#include "tests/fuzz/fuzz_reader.hpp"
#include "tests/support/rooms.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    return tailback::fuzz_tables(data, size, tailback::read_fdbs);
}
