// Fuzz target: sweeps. Whatever comes out has options that exist, in order, none twice, each with a value and a line.
#include "host/sweep/sweep_file.hpp"
#include "tests/fuzz/fuzz_reader.hpp"
#include "tests/support/rooms.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace tailback;
    answer([&] {
        for (SweepPoint const& point : read_sweep(std::string(reinterpret_cast<char const*>(data), size), "fuzz")) {
            must(!point.empty() && point.front().option == 0);
            for (std::size_t i = 0; i < point.size(); ++i) {
                must(point[i].option < options::sweep_keys().size() && !point[i].value.empty() && point[i].line > 0);
                must(i == 0 || point[i - 1].option < point[i].option);
            }
        }
    });
    return 0;
}
