// Fuzz target: the JSON files of a device. The first byte says which.
#include "host/formats/frr/frr.hpp"
#include "tests/fuzz/fuzz_reader.hpp"
#include "tests/support/rooms.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace tailback;
    if (size == 0) return 0;
    answer([&] {
        LineReader lines = fuzz_lines(data + 1, size - 1);
        Disagreements disagreements;
        switch (data[0] % 8) {
            case 0:
                for (IpRoute const& route : read_ip_routes(lines, disagreements).routes)
                    must(route.prefix.length <= 32);
                break;
            case 1: read_lldp(lines, disagreements); break;
            case 2: read_ip_addresses(lines, disagreements); break;
            case 4: read_next_hops(lines, disagreements); break;
            case 5: read_interface_rates(lines, disagreements, "swp1"); break;
            default: read_hash_settings(lines);
        }
        disagreements.warnings();
    });
    return 0;
}
