// Device, threads and timings.
#include "host/report/run_info.hpp"

#include "host/base/numbers.hpp"
#include "host/io/progress.hpp"

#include <fmt/format.h>

namespace tailback::report {

Json value_of(RunInfo const& run) {
    Json json = head(schema_of_runs, run.files, run.network);
    json.update({{"device", run.device},
                 {"threads", run.threads},
                 {"processes", run.processes},
                 {"read_s", run.read_s},
                 {"evaluate_s", run.evaluate_s},
                 {"mappings_per_s", run.mappings_per_s()},
                 {"hops_per_s", run.hops_per_s()}});
    return json;
}

std::string run_info_line(RunInfo const& run) {
    std::string const threads =
        run.device == "cpu" ? fmt::format(", {} thread{}", run.threads, run.threads == 1 ? "" : "s") : "";
    std::string const processes = run.processes == 1 ? "" : fmt::format(" in each of {} processes", run.processes);
    return fmt::format("{} mapping{} in {} on {}{}{}: {} mappings/s, {} hops/s; read in {}",
                       base::grouped(run.mappings), run.mappings == 1 ? "" : "s", io::duration_text(run.evaluate_s),
                       run.device, threads, processes, base::three_digits(run.mappings_per_s()),
                       base::three_digits(run.hops_per_s()), io::duration_text(run.read_s));
}

}  // namespace tailback::report
