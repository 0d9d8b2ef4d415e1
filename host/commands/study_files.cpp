// Flows, mappings and subsets from files; how many mappings make sense.
#include "host/commands/study_files.hpp"

#include "host/base/error.hpp"
#include "host/formats/formats.hpp"
#include "host/study/flow_file.hpp"
#include "host/study/host_lists.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace tailback {
namespace {

/// False when every mapping is the same, or one of a list.
bool draws_mappings(StudyPlan const& plan) {
    Problem const& p = plan.problem;
    return p.placement != Placement::listed &&
           (p.placement == Placement::random || p.draw_subset || p.drawn_ranks[0] > 0 || p.drawn_ranks[1] > 0);
}

/// False when every flow, on every mapping, goes from a rank to itself, or there is none.
bool flows_leave_their_ranks(FlowList const& list) {
    return std::any_of(list.levels.begin(), list.levels.end(), [](Level const& level) {
        return level.flow_count > 0 || std::any_of(level.random.begin(), level.random.end(),
                                                   [](RandomFlows const& part) { return part.ranks > 1; });
    });
}

/// The pattern's flows on the ranks that it is known to have.
void check_level(Study const& study) {
    constexpr std::uint32_t most = 1u << 24;  // more ranks than that no network has; the plan says so
    bool const two = study.pattern == "ptrnvsptrn";
    if (study.pattern == listed_pattern) {
        only_level(study.listed_flows, *study.level);
        return;
    }
    std::string const& name = two ? study.first : study.pattern;  // the first has as many levels as both
    std::uint32_t const ranks = two ? study.first_ranks : study.ranks;
    if (ranks > most) return;
    if (ranks > 0) {
        only_level(make_pattern_part(name, ranks), *study.level);
        return;
    }
    // The number of hosts is not known yet. What has as many levels on 2 ranks as on 64 has them on any number.
    std::size_t const levels = make_pattern_part(name, 64).levels.size();
    if (levels != make_pattern_part(name, 2).levels.size() || *study.level < levels) return;
    throw InputError(
        {}, fmt::format("the pattern has no level {}", *study.level),
        fmt::format("on any number of ranks it has {}", levels == 1 ? "1 level" : fmt::format("{} levels", levels)),
        levels == 0 ? "leave out --level" : "levels are counted from 0");
}

/// Complains about a file that cannot be opened. What can be opened only once (a pipe, standard input) is left alone.
void check_readable(std::string const& path) {
    std::error_code ignored;
    if (path.empty() || path == "-" ||
        (std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored)))
        return;
    open_source(path);
}

}  // namespace

void check_study(EvaluateOptions& options) {
    Study& study = options.study;
    if (study.pattern == "ptrnvsptrn") {
        make_pattern_part(study.first, 0);
        make_pattern_part(study.second, 0);
    } else if (study.pattern != listed_pattern) {
        make_pattern_part(study.pattern, 0);
    }
    check_readable(options.subset_file);
    check_readable(options.mapping_file);
    if (!options.pattern_file.empty()) {
        LineReader lines(open_source(options.pattern_file), options.pattern_file);
        study.listed_flows = read_flows(lines);
    }
    if (study.level) check_level(study);
}

Study complete_study(EvaluateOptions const& options, Network const& network) {
    Study study = options.study;
    if (!options.pattern_file.empty() && study.listed_flows.ranks == 0) {
        LineReader lines(open_source(options.pattern_file), options.pattern_file);
        study.listed_flows = read_flows(lines);
    }
    if (!options.mapping_file.empty()) {
        if (options.subset_given) tell("warning", "--subset has no effect (the mapping file lists the hosts)");
        LineReader lines(open_source(options.mapping_file), options.mapping_file);
        MappingList list = read_mappings(lines, network);
        if (study.ranks != 0 && study.ranks != list.ranks)
            throw InputError({options.mapping_file, 0},
                             fmt::format("--ranks {} does not fit the mapping file", study.ranks),
                             fmt::format("its mappings have {} hosts", list.ranks), "leave out --ranks");
        std::uint64_t const rest = list.mappings > study.first_mapping ? list.mappings - study.first_mapping : 0;
        if (rest == 0 || (options.mappings_given && study.mappings > rest))
            throw InputError({options.mapping_file, 0},
                             fmt::format("the mapping file has no mapping {}",
                                         rest == 0 ? study.first_mapping : study.first_mapping + study.mappings - 1),
                             fmt::format("it holds {}, counted from 0", list.mappings),
                             "ask for fewer, or leave out --mappings");
        if (!options.mappings_given) study.mappings = rest;
        study.ranks = list.ranks;
        study.mapping_hosts = std::move(list.hosts);
    } else if (!options.subset_file.empty()) {
        LineReader lines(open_source(options.subset_file), options.subset_file);
        study.subset_hosts = read_subset(lines, network);
    }
    return study;
}

void settle_mappings(StudyPlan& plan, EvaluateOptions const& options) {
    if (plan.study.until && !flows_leave_their_ranks(plan.flow_list))
        throw InputError({}, "--until has no effect here",
                         "no flow leaves its rank in any mapping, so there is no mean to estimate", "leave it out");
    if (plan.study.until && plan.none_delivered)
        throw InputError({}, "--until has no effect here",
                         "every route between the hosts of the study fails, so there is no mean to estimate",
                         "leave it out");
    if (draws_mappings(plan)) return;
    if (plan.study.until)
        throw InputError({}, "--until has no effect here",
                         "nothing is drawn at random, so more mappings would add nothing", "leave it out");
    if (plan.study.mapping == MappingKind::identity && !options.mappings_given) plan.study.mappings = 1;
}

}  // namespace tailback
