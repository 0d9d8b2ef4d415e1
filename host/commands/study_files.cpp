// Flows, mappings and subsets from files; how many mappings make sense.
#include "host/commands/study_files.hpp"

#include "host/error.hpp"
#include "host/formats/formats.hpp"
#include "host/study/flow_file.hpp"
#include "host/study/host_lists.hpp"

#include <fmt/format.h>

namespace tailback {
namespace {

/// False when every mapping is the same, or one of a list.
bool draws_mappings(StudyPlan const& plan) {
    Problem const& p = plan.problem;
    return p.placement != Placement::listed &&
           (p.placement == Placement::random || p.draw_subset || p.drawn_ranks[0] > 0 || p.drawn_ranks[1] > 0);
}

}  // namespace

Study complete_study(EvaluateOptions const& options, Network const& network) {
    Study study = options.study;
    if (!options.pattern_file.empty()) {
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
    if (draws_mappings(plan)) return;
    if (plan.study.until)
        throw InputError({}, "--until has no use here",
                         "nothing is drawn at random, so there is nothing to know better", "leave it out");
    if (plan.study.mapping == MappingKind::identity && !options.mappings_given) plan.study.mappings = 1;
}

}  // namespace tailback
