// Fuzz target: files in the Standard Workload Format. Whatever comes out must be jobs in order that can be run.
#include "host/schedule/swf.hpp"
#include "tests/fuzz/fuzz_reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace tailback;
    answer([&] {
        LineReader lines = fuzz_lines(data, size);
        double submitted = 0;
        for (SwfJob const& job : read_swf(lines).jobs) {
            must(job.submit >= submitted && job.seconds > 0 && job.processors > 0 && job.requested >= job.seconds);
            submitted = job.submit;
        }
    });
    return 0;
}
