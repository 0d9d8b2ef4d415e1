// Fuzz target: workloads, YAML or the Standard Workload Format. Whatever comes out are jobs that can be run, and those
// drawn are in the order of their submission.
#include "host/api/schedule.hpp"
#include "tests/fuzz/fuzz_reader.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace tailback;
    static TemporaryFolder const folder;
    answer([&] {
        std::string const path = folder.write("workload", std::string(reinterpret_cast<char const*>(data), size));
        WorkloadFile const file = read_workload(path, 2, "");
        std::size_t jobs = 0;
        for (WorkloadEntry const& entry : file.entries) jobs += entry.count;
        must(jobs >= file.entries.size() && !file.entries.empty());
        if (jobs > 1000) return;
        double submitted = 0;
        for (WorkloadJob const& job : draw_workload(file, 1)) {
            must(job.submit >= submitted && job.seconds >= 0 && job.nodes > 0 && job.requested >= job.seconds);
            must(job.communication >= 0 && job.communication <= 1);
            submitted = job.submit;
        }
    });
    return 0;
}
