// Fuzz target: jobs, by the first character: squeue's lines (`q`), sinfo's (`s`), topology.conf (`t`), one job in words
// (`w`), else a file of --jobs. Whatever comes out has names, lines that are there, and hostlists within their bound.
#include "host/api/slurm/slurm.hpp"
#include "host/commands/options/jobs_options.hpp"
#include "host/study/placement/hostlist.hpp"
#include "tests/fuzz/fuzz_reader.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"

#include <algorithm>

namespace {

using namespace tailback;

void read_as(char form, std::string const& text) {
    static Fabric const fabric{small_network(), {}, true};
    static SlurmTree const tree = slurm_tree(fabric, {});
    static TemporaryFolder const folder;
    auto const lines = static_cast<std::size_t>(std::ranges::count(text, '\n')) + 1;
    LineReader reader = lines_of_text(text, "fuzz");
    if (form == 'q') {
        for (RunningJob const& job : read_squeue(reader)) {
            must(!job.name.empty() && job.line > 0 && job.line <= lines);
            if (!job.nodes.empty())
                at_place({"fuzz", job.line}, [&] { must(expand_hostlist(job.nodes).size() <= most_names); });
        }
    } else if (form == 's') {
        IdleNodes const idle = read_sinfo(reader);
        must(idle.names.size() + idle.other_idle.size() + idle.busy <= most_names);
    } else if (form == 't') {
        for (SlurmFinding const& finding : check_slurm(reader, tree))
            must(!finding.message.empty() && finding.line <= lines);
    } else {
        for (JobRequest const& job : read_jobs_file(folder.write("jobs.yaml", text))) must(!job.name.empty());
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    if (size == 0) return 0;
    std::string const text(reinterpret_cast<char const*>(data) + 1, size - 1);
    if (data[0] == 'w') answer_words([&] { must(!read_job(text).name.empty()); });
    else answer([&] { read_as(static_cast<char>(data[0]), text); });
    return 0;
}
