#include "host/api/study.hpp"

#include "host/base/error.hpp"
#include "host/base/numbers.hpp"
#include "host/formats/formats.hpp"
#include "host/io/progress.hpp"
#include "host/model/fabric/fabric_traits.hpp"
#include "host/search/bisection/expected_bandwidth.hpp"
#include "host/study/flow_file.hpp"
#include "host/study/host_lists.hpp"
#include "host/study/plan/host_traffic.hpp"
#include "host/study/traffic_flows.hpp"
#include "host/traffic/formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace tailback::api {
namespace {

/// False when every flow, on every mapping, goes from a rank to itself, or there is none.
bool flows_leave_their_ranks(patterns::FlowList const& list) {
    return std::any_of(list.levels.begin(), list.levels.end(), [](patterns::Level const& level) {
        return level.flow_count > 0 || level.all_to_all ||
               std::any_of(level.random.begin(), level.random.end(),
                           [](patterns::RandomFlows const& part) { return part.ranks > 1; });
    });
}

/// The pattern's flows on the ranks that it is known to have.
void check_level(study::Study const& study) {
    constexpr std::uint32_t most = 1u << 24;  // more ranks than that no network has; the plan says so
    bool const two = study.traffic.pattern == "ptrnvsptrn";
    if (study.traffic.pattern == patterns::listed_pattern) {
        patterns::only_level(study.traffic.listed_flows, *study.traffic.level);
        return;
    }
    std::string const& name =
        two ? study.traffic.first : study.traffic.pattern;  // the first has as many levels as both
    std::uint32_t const ranks = two ? study.traffic.first_ranks : study.placement.ranks;
    if (ranks > most || (ranks == 0 && name.find(':') != std::string::npos)) return;  // its arguments may want others
    if (ranks > 0) {
        patterns::only_level(patterns::make_pattern_part(name, ranks), *study.traffic.level);
        return;
    }
    // The number of hosts is not known yet. What has as many levels on 2 ranks as on 64 has them on any number.
    std::size_t const levels = patterns::make_pattern_part(name, 64).levels.size();
    if (levels != patterns::make_pattern_part(name, 2).levels.size() || *study.traffic.level < levels) return;
    throw base::InputError(
        {}, fmt::format("the pattern has no level {}", *study.traffic.level),
        fmt::format("on any number of ranks it has {}", levels == 1 ? "1 level" : fmt::format("{} levels", levels)),
        levels == 0 ? "leave out --level" : "levels are counted from 0");
}

/// Complains about a file that cannot be opened. What can be opened only once (a pipe, standard input) is left alone.
void check_readable(std::string const& path) {
    std::error_code ignored;
    if (path.empty() || path == "-" ||
        (std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored)))
        return;
    io::open_source(path);
}

struct ListedFlows {
    patterns::FlowList flows;
    std::shared_ptr<traffic::GoalSchedule const> schedule;  ///< that they are of, where its dependencies are taken
    std::vector<std::string> notes, warnings;
};

/// The flows that a pattern file lists, or those of traffic.
ListedFlows read_listed_flows(StudyRequest const& request) {
    ListedFlows listed;
    if (request.traffic_file.empty()) {
        io::LineReader lines(io::open_source(request.pattern_file), request.pattern_file);
        listed.flows = study::read_flows(lines);
        return listed;
    }
    traffic::TrafficMatrix matrix;
    if (request.takes_schedule) {
        traffic::Traffic traffic = traffic::read_traffic_or_schedule(request.traffic_file);
        if (traffic.schedule) {
            listed.schedule = std::make_shared<traffic::GoalSchedule const>(std::move(*traffic.schedule));
            listed.flows = study::flows_of(*listed.schedule, request.traffic_file);
            listed.notes.push_back(
                fmt::format("the schedule is simulated: {} with {}",
                            base::counted(listed.schedule->operations.size(), "operation", "operations"),
                            base::counted(listed.schedule->dependencies.size(), "dependency", "dependencies")));
            return listed;
        }
        matrix = std::move(traffic.matrix);
    } else {
        matrix = traffic::read_traffic(request.traffic_file);
    }
    listed.notes = matrix.notes;
    listed.warnings = matrix.warnings;
    listed.flows = study::flows_of(matrix, request.traffic_file, listed.notes);
    return listed;
}

/// What a schedule's flows, or those without one, cannot have.
void check_schedule(study::Study& study) {
    study::Timing& timing = study.measures.timing;
    if (timing.schedule == nullptr) return;
    timing.dependencies = study::Dependencies::causal;
    if (study.traffic.level)
        throw base::InputError({}, "--level has no meaning for a GOAL schedule", "it has operations, and no levels",
                               "leave it out");
    if (!timing.compute.is_zero())
        throw base::InputError({}, "--compute has no meaning for a GOAL schedule",
                               "it says itself what ranks compute (calc)", "leave it out");
}

/// Gives a study the flows that files list. What is returned keeps what is to be told of them.
ListedFlows take_listed_flows(StudyRequest const& request, study::Study& study) {
    ListedFlows listed = read_listed_flows(request);
    study.traffic.listed_flows = std::move(listed.flows);
    study.measures.timing.schedule = std::move(listed.schedule);
    study.measures.timing.schedule_file = request.traffic_file;
    check_schedule(study);
    return listed;
}

/// What the network has beside the hosts of the study.
void note_apart(model::Network const& network, study::Study const& study, TakeSentence const& note) {
    auto const [engines, routers] = model::count_apart(network);
    if (engines > 0 && !study.placement.aggregation_nodes_are_hosts)
        note(
            fmt::format("{} aggregation nodes inside switches are not counted as hosts (--aggregation-nodes hosts "
                        "counts them)",
                        engines));
    note_no_aggregation(network, study.placement.aggregation_nodes_are_hosts, note);
    if (routers > 0) note(fmt::format("{} router ports are not counted as hosts", routers));
}

/// Computations of a schedule are in nanoseconds, which mean nothing where rates are not known.
void note_computations(study::StudyPlan const& plan, TakeSentence const& note) {
    study::Timing const& timing = plan.study.measures.timing;
    if (timing.schedule == nullptr || plan.in_seconds()) return;
    for (traffic::GoalOperation const& operation : timing.schedule->operations)
        if (operation.kind == traffic::GoalOperation::Kind::calculation && operation.amount > 0)
            return note(
                "the rates of the links are not known: a computation of 1 (calc) is taken as the time that a "
                "link of the base rate takes for a byte");
}

/// Nearly every end of a flow changes the rates of a part of all others: many ends among many flows take long.
void note_many_ends(study::StudyPlan const& plan, TakeSentence const& note) {
    constexpr double seconds_each = 20e-9, long_s = 10;  // on one core, as measured for an all-to-all
    kernels::TrafficView const& traffic = plan.problem.traffic;
    if (!plan.problem.measures.sharing.times || traffic.weights == nullptr) return;
    double work = 0;
    std::uint64_t most = 0;
    for (std::uint32_t l = 0; l < traffic.level_count; ++l) {
        kernels::LevelView const& level = traffic.levels[l];
        std::vector<std::uint64_t> sizes(traffic.weights + level.first_flow,
                                         traffic.weights + level.first_flow + level.flows);
        std::sort(sizes.begin(), sizes.end());
        auto const ends = std::uint64_t(std::unique(sizes.begin(), sizes.end()) - sizes.begin());
        work += double(ends) * double(level.flows);
        most = std::max(most, ends);
    }
    if (work * seconds_each < long_s) return;
    note(
        fmt::format("flows have up to {} sizes at once, and rates are shared anew at every end: a mapping may take "
                    "about {} on a core, or more; sizes that are rounded end together, and fewer ends take less",
                    base::grouped(most), io::duration_text(work * seconds_each)));
}

/// Random mappings leave nothing of what a pattern on a grid, or of the numbers' bits, is about.
void note_structure(study::Study const& study, TakeSentence const& note) {
    if (study.placement.mapping != study::MappingKind::random) return;
    patterns::PatternInfo const* const pattern = patterns::find_pattern(study.traffic.pattern);
    if (pattern == nullptr || pattern->meant == patterns::Meant::for_any_mapping) return;
    note(
        fmt::format("{} is about which ranks are near each other, and random mappings put them anywhere "
                    "(--mapping identity keeps them in the order of the hosts)",
                    pattern->name));
}

/// Are there flows that every mapping draws anew?
bool draws_flows(study::Study const& study) {
    auto const draws = [](std::string const& pattern) { return base::name_of_spec(pattern) == "rand"; };
    return study.traffic.pattern == "ptrnvsptrn" ? draws(study.traffic.first) || draws(study.traffic.second)
                                                 : draws(study.traffic.pattern);
}

/// The mappings of a file.
void take_mappings(study::Study& study, StudyRequest const& request, study::MappingList&& list) {
    if (study.placement.ranks != 0 && study.placement.ranks != list.ranks)
        throw base::InputError({request.mapping_file, 0},
                               fmt::format("--ranks {} does not fit the mapping file", study.placement.ranks),
                               fmt::format("its mappings have {} hosts", list.ranks), "leave out --ranks");
    std::uint64_t const rest =
        list.mappings > study.sample.first_mapping ? list.mappings - study.sample.first_mapping : 0;
    if (rest == 0 || (request.mappings_given && study.sample.mappings > rest))
        throw base::InputError({request.mapping_file, 0},
                               fmt::format("the mapping file has no mapping {}",
                                           rest == 0 ? study.sample.first_mapping
                                                     : study.sample.first_mapping + study.sample.mappings - 1),
                               fmt::format("it holds {}, counted from 0", list.mappings),
                               "ask for fewer, or leave out --mappings");
    if (!request.mappings_given) study.sample.mappings = rest;
    study.placement.ranks = list.ranks;
    study.placement.mapping_hosts = std::move(list.hosts);
}

/// Whether mappings differ by the hash that each draws.
bool draws_hashes(StudyRequest const& request) {
    return request.bracket ? request.bracket->hash.by_mapping
                           : !request.queue_pairs.counts.empty() && request.queue_pairs.hash.by_mapping;
}

/// One mapping, unless more are asked for, where mappings are alike; there a goal is an error, unless each draws a
/// hash.
void settle_mappings(study::StudyPlan& plan, StudyRequest const& request) {
    if (plan.study.sample.until && !flows_leave_their_ranks(plan.flow_list))
        throw base::InputError({}, "--until has no effect here",
                               "no flow leaves its rank in any mapping, so there is no mean to estimate",
                               "leave it out");
    if (plan.study.sample.until && plan.none_delivered)
        throw base::InputError({}, "--until has no effect here",
                               "every route between the hosts of the study fails, so there is no mean to estimate",
                               "leave it out");
    if (study::draws_mappings(plan)) return;
    if (plan.study.sample.until && draws_hashes(request)) return;
    if (plan.study.sample.until)
        throw base::InputError({}, "--until has no effect here",
                               "nothing is drawn at random, so more mappings would add nothing", "leave it out");
    if (plan.study.placement.mapping == study::MappingKind::identity && !request.mappings_given)
        plan.study.sample.mappings = 1;
}

/// Lists the hosts of every mapping where ranks are placed on compute nodes; else does nothing.
void place_ranks(study::Study& study, StudyRequest const& request, model::Fabric const& fabric) {
    PlacementRequest const& placement = request.placement;
    if (!placement.asked()) return;
    if (request.mapping_file.empty())
        return place_study(study, placement, fabric,
                           {request.network.spec, request.mappings_given,
                            draws_flows(study) || (study.sample.until && draws_hashes(request))});
    take_mappings(study, request,
                  list_placed_mappings(study, placement, fabric, request.network.spec, request.mapping_file));
}

/// What the hosts send each other in the study's first mapping: who runs where is found on the same network with other
/// routes.
topologies::HostTraffic traffic_of_study(StudyRequest const& request, model::Fabric const& fabric,
                                         TakeSentence const& note) {
    study::Study study = complete_study(request, fabric, [](std::string const&) {});
    place_ranks(study, request, fabric);
    study::StudyPlan const plan = study::make_plan(fabric, study);
    note(fmt::format("{} knows the traffic of mapping {}{}", request.network.routing->text(),
                     study.sample.first_mapping,
                     study::draws_mappings(plan) ? ", and the other mappings take the same routes" : ""));
    return study::host_traffic(plan, study.sample.first_mapping);
}

}  // namespace

bool wants_traffic(StudyRequest const& request) {
    return request.network.routing && request.network.routing->wants_traffic();
}

FabricRequest fabric_request(StudyRequest const& request, TakeSentence const& note) {
    study::Placement const& placement = request.study.placement;
    FabricRequest wanted{.network = request.network, .wanted = Wanted::mappings};
    if (request.study.measures.timing.keeps_routes_whole && request.network.form != RoutesForm::trees)
        wanted.wanted = Wanted::flows;
    wanted.names_nodes = request.placement.asked();
    bool const keeps_pairs = request.network.routing && request.network.routing->algorithm().make_pairs != nullptr;
    if (keeps_pairs && request.subset_file.empty() && request.mapping_file.empty())
        wanted.hosts_of_pairs =
            placement.ranks > 0 && placement.subset != study::SubsetKind::random ? placement.ranks : UINT64_MAX;
    wanted.traffic = [&request, note](model::Fabric const& fabric) { return traffic_of_study(request, fabric, note); };
    return wanted;
}

void check_study(StudyRequest& request) {
    study::Study& study = request.study;
    if (study.traffic.pattern == "ptrnvsptrn") {
        patterns::make_pattern_part(study.traffic.first, 0);
        patterns::make_pattern_part(study.traffic.second, 0);
    } else if (study.traffic.pattern != patterns::listed_pattern) {
        patterns::make_pattern_part(study.traffic.pattern, 0);
    }
    PlacementRequest const& placement = request.placement;
    for (auto const& [use, path] : placement.named_files()) check_readable(path);
    check_readable(request.subset_file);
    check_readable(request.mapping_file);
    if (request.lists_flows()) {
        ListedFlows listed = take_listed_flows(request, study);
        request.flow_notes = std::move(listed.notes);
        request.flow_warnings = std::move(listed.warnings);
    }
    if (study.traffic.level) check_level(study);
}

study::Study complete_study(StudyRequest const& request, study::NamedHosts const& hosts, TakeSentence const& warn) {
    study::Study study = request.study;
    study.files = request.named_files();
    if (request.lists_flows() && study.traffic.listed_flows.ranks == 0) take_listed_flows(request, study);
    if (request.placement.asked()) return study;
    if (!request.mapping_file.empty()) {
        if (request.subset_given) warn("--subset has no effect (the mapping file lists the hosts)");
        io::LineReader lines(io::open_source(request.mapping_file), request.mapping_file);
        take_mappings(study, request, study::read_mappings(lines, hosts));
    } else if (!request.subset_file.empty()) {
        io::LineReader lines(io::open_source(request.subset_file), request.subset_file);
        study.placement.subset_hosts = study::read_subset(lines, hosts);
    }
    return study;
}

study::StudyPlan plan_study(StudyRequest const& request, model::Fabric const& fabric, Listener const& listener,
                            study::StudyPlan const* like, evaluation::DeviceChoice device) {
    study::Study study = complete_study(request, fabric, listener.warn);
    place_ranks(study, request, fabric);
    if (study.placement.nodes)
        for (std::string const& note : study.placement.nodes->notes) listener.note(note);
    note_apart(fabric.network, study, listener.note);
    note_structure(study, listener.note);
    if (request.network.routing && request.network.routing->bounds_lanes())
        listener.note(
            "virtual lanes do not matter here; `tailback audit` and `tailback generate` check whether they suffice");
    study::StudyPlan plan =
        study::make_plan(fabric, study, std::size_t{4} << 30, like, evaluation::route_packer_on(device));
    settle_mappings(plan, request);
    if (!plan.flow_list.note.empty()) listener.note(plan.flow_list.note);
    note_computations(plan, listener.note);
    note_many_ends(plan, listener.note);
    return plan;
}

PreparedStudy::PreparedStudy(StudyRequest request, Listener const& listener, evaluation::DeviceChoice device)
    : PreparedStudy(std::move(request), nullptr, listener, device) {}

PreparedStudy::PreparedStudy(StudyRequest request, std::shared_ptr<model::Fabric const> fabric,
                             Listener const& listener, evaluation::DeviceChoice device) {
    check_study(request);
    for (std::string const& note : request.flow_notes) listener.note(note);
    for (std::string const& warning : request.flow_warnings) listener.warn(warning);
    if (!fabric) fabric = obtain_shared(fabric_request(request, listener.note), listener);
    groups_ = groups_of(*fabric, request.group_by);
    plan_ = std::make_shared<study::StudyPlan const>(plan_study(request, *fabric, listener, nullptr, device));
    if (request.ebb_by_formula) expected_bandwidth_ = search::expected_bandwidth(*plan_);
    fabric_ = std::move(fabric);
}

model::NamedFiles StudyRequest::named_files() const {
    return with_named(with_named(network.named_files(), {{"pattern", pattern_file},
                                                         {"traffic", traffic_file},
                                                         {"subset", subset_file},
                                                         {"mapping", mapping_file},
                                                         {"groups", audit::file_of_groups(group_by)}}),
                      placement.named_files());
}

std::optional<audit::SampledBisection> sample_bisection(StudyRequest request,
                                                        std::shared_ptr<model::Fabric const> const& fabric,
                                                        unsigned threads) {
    constexpr std::uint64_t most_flows = 1'000'000;  // some seconds
    std::uint64_t const hosts = std::max<std::uint64_t>(1, fabric->endpoints());
    request.study.sample.mappings = std::clamp<std::uint64_t>(most_flows / hosts, 10, 1000);
    PreparedStudy const study(request, fabric, {}, evaluation::DeviceChoice::cpu);
    evaluation::Bracket const found = evaluation::evaluate_bracket(
        study.plan(), {.optimal_mappings = 0}, {.device = evaluation::DeviceChoice::cpu, .threads = threads});
    auto const mean_of = [&](evaluation::Division division) -> std::optional<audit::SampledBisection::Mean> {
        evaluation::Evaluation const& result = found.of(division).result;
        auto const all = result.numbers_of_all.find(study::Metric::hist_acc_band);
        evaluation::Distribution const& numbers =
            all != result.numbers_of_all.end() ? all->second : result.numbers.at(study::Metric::hist_acc_band);
        if (numbers.count() == 0) return std::nullopt;
        return audit::SampledBisection::Mean{numbers.mean(), (numbers.ci99().second - numbers.ci99().first) / 2};
    };
    auto const equal = mean_of(evaluation::Division::equal), hashed = mean_of(evaluation::Division::hashed);
    if (!equal || !hashed) return std::nullopt;
    return audit::SampledBisection{found.mappings, *equal, *hashed};
}

}  // namespace tailback::api
