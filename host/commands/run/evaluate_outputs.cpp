// What `tailback evaluate` writes beside its report.
#include "host/commands/run/evaluate_outputs.hpp"

#include "host/base/numbers.hpp"
#include "host/commands/messages.hpp"
#include "host/io/disk_room.hpp"
#include "host/study/host_lists.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <vector>

namespace tailback::commands {

void dump_mappings(io::OutputFile& file, study::StudyPlan const& plan, std::uint64_t mappings) {
    study::Study const& study = plan.study;
    std::ostream& out = file.stream();
    fmt::print(out, "# mappings {} .. {} of pattern {} on {} ranks, subset {}, mapping {}, seed {}\n",
               study.sample.first_mapping, study.sample.first_mapping + mappings - 1, study.traffic.pattern,
               study.placement.ranks, study::subset_name(study), study::mapping_name(study), study.sample.seed);
    out << "# one mapping a line: the host of rank 0, of rank 1, ...; `--mapping file:PATH` reads this\n";
    study::MappingWriter writer(out, *plan.fabric);
    for (std::uint64_t m = 0; m < mappings; ++m) {
        writer.write(plan.hosts_of_mapping(study.sample.first_mapping + m));
        if (!out) return;  // whoever commits it says why, and what has become of the others
    }
}

void tell_size_of_dump(EvaluateOptions const& options, study::StudyPlan const& plan) {
    constexpr double much = 1e9, bytes_a_host = 6;
    double const bytes = double(plan.study.sample.mappings) * double(plan.study.placement.ranks) * bytes_a_host;
    if (options.dump_mappings.empty()) return;
    constexpr std::uint64_t least_bytes_a_host = 2;  // a digit and a blank
    if (!plan.study.sample.until)
        io::require_room(options.dump_mappings,
                         plan.study.sample.mappings * plan.study.placement.ranks * least_bytes_a_host);
    if (bytes < much) return;
    tell("note",
         fmt::format("--dump-mappings will write {}about {} GB to {}", plan.study.sample.until ? "at most " : "",
                     base::three_digits(bytes / 1e9), options.dump_mappings));
}

}  // namespace tailback::commands
