#include "host/commands/options/worst_case_options.hpp"

#include "host/audit/worst_case/replay.hpp"
#include "host/base/error.hpp"
#include "host/base/numbers.hpp"
#include "host/commands/options/network_options.hpp"
#include "host/io/progress.hpp"
#include "host/result/link_label.hpp"
#include "host/study/plan/study_plan.hpp"
#include "kernels/cpu/machine/threads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace tailback::commands {
std::vector<std::string> WorstCaseOptions::outputs() const {
    if (mapping_file.empty()) return {};
    return {mapping_file, flow_file()};
}

WorstCaseOptions worst_case_options(options::ParsedOptions const& options) {
    WorstCaseOptions parsed;
    parsed.wishes.permutations = audit::WorstCaseChoice(options.choice("worst-case"));
    parsed.wishes.shifts = audit::ShiftChoice(options.choice("shifts"));
    parsed.wishes.order = audit::ShiftOrder(options.choice("shift-order"));
    if (!options.given("write-worst-permutation")) return parsed;
    parsed.mapping_file = *options.text("write-worst-permutation");
    if (parsed.mapping_file.empty() || parsed.mapping_file == "-")
        throw base::InputError({}, "--write-worst-permutation needs a file of its own",
                               "a second file may be written beside it", "name a file");
    if (parsed.wishes.permutations == audit::WorstCaseChoice::bound ||
        parsed.wishes.permutations == audit::WorstCaseChoice::none)
        throw base::InputError({}, "--write-worst-permutation has nothing to write",
                               "only --worst-case exact computes the permutation",
                               "leave out --worst-case, or set it to exact");
    parsed.wishes.permutations = audit::WorstCaseChoice::exact;
    parsed.wishes.name_permutation = true;
    return parsed;
}

std::vector<std::string> write_worst_permutation(OutputFiles& files, model::Network const& network,
                                                 audit::WorstCase const& worst, WorstCaseOptions const& options,
                                                 std::vector<std::string> const& network_words) {
    if (worst.permutation.empty()) return {};
    audit::Replay const replay = audit::replay_of(worst.permutation);
    std::string const what =
        fmt::format("{} flows on the link {}", worst.permutation.size(), result::link_label(network, worst.worst));
    audit::write_replay_mapping(files.add(options.mapping_file).stream(), network, replay, what);
    if (replay.flows) audit::write_replay_flows(files.add(options.flow_file()).stream(), replay, what);
    std::vector<std::string> words = {"evaluate"};
    words.insert(words.end(), network_words.begin(), network_words.end());
    words.insert(words.end(),
                 {"--pattern", replay.flows ? "file:" + options.flow_file() : "bisect", "--mapping",
                  "file:" + options.mapping_file, "--capacities", "unit", "--metric", "sum_max_cong,get_cable_cong"});
    return words;
}

std::vector<std::string> shift_replay(model::Network const& network, audit::WorstCase const& worst,
                                      bool aggregation_nodes_are_hosts, std::vector<std::string> const& network_words) {
    if (!worst.shifts || worst.shifts->worst_shift == 0 ||
        worst.shift_order != model::breadth_first_hosts(network, aggregation_nodes_are_hosts))
        return {};
    std::vector<std::string> words = {"evaluate"};
    words.insert(words.end(), network_words.begin(), network_words.end());
    if (aggregation_nodes_are_hosts) words.insert(words.end(), {"--aggregation-nodes", "hosts"});
    words.insert(words.end(), {"--pattern", fmt::format("{}shift", worst.shifts->worst_shift), "--mapping", "identity",
                               "--mappings", "1", "--capacities", "unit", "--metric", "sum_max_cong,get_cable_cong"});
    return words;
}

}  // namespace tailback::commands
