// The forms that are lines and values; the picture and the trace have files of their own.
#include "host/report/timeline/timeline_files.hpp"

#include "host/report/forms.hpp"
#include "host/study/fabric_digest.hpp"

#include <algorithm>
#include <map>

namespace tailback::report {
namespace {

using simulation::Timeline;
constexpr char const* fate_words[] = {"delivered", "unreachable", "loop", "misdelivered", "within node", "local"};

/// What flows of a level, from the first release to the last arrival.
Json levels_json(TimelineReport const& report) {
    std::map<std::uint32_t, std::pair<simulation::Ticks, simulation::Ticks>> levels;
    for (Timeline::Flow const& flow : report.timeline.flows) {
        auto& [from, to] = levels.try_emplace(flow.label, flow.released, flow.arrived).first->second;
        from = std::min(from, flow.released);
        to = std::max(to, flow.arrived);
    }
    Json json = Json::array();
    for (auto const& [level, span] : levels)
        json.push_back({{"level", level}, {"start", report.time(span.first)}, {"end", report.time(span.second)}});
    return json;
}

Json hottest_json(TimelineReport const& report) {
    Json json = Json::array();
    for (Timeline::HotLink const& hot : report.timeline.hottest) {
        Json one = ends_json(report.ends(hot.link));
        one["mean"] = hot.mean;
        one["utilisation"] = hot.by_part;
        json.push_back(std::move(one));
    }
    return json;
}

Json flow_json(TimelineReport const& report, Timeline::Flow const& flow) {
    return {{"source", flow.source},
            {"destination", flow.destination},
            {report.label(), flow.label},
            {"size", report.size(flow)},
            {"start", report.time(flow.released)},
            {"sent", report.time(flow.sent)},
            {"end", report.time(flow.arrived)},
            {"fate", fate_words[std::size_t(flow.fate)]}};
}

Json computation_json(TimelineReport const& report, Timeline::Computation const& computation) {
    return {{"rank", computation.rank == simulation::nobody ? Json(nullptr) : Json(computation.rank)},
            {report.label(), computation.label},
            {"start", report.time(computation.from)},
            {"end", report.time(computation.to)}};
}

}  // namespace

TimelineForm timeline_form(std::string const& file) {
    if (file.ends_with(".trace") || file.ends_with(".trace.json")) return TimelineForm::trace;
    if (file.ends_with(".json")) return TimelineForm::json;
    if (file.ends_with(".svg")) return TimelineForm::svg;
    return TimelineForm::csv;
}

double TimelineReport::time(simulation::Ticks ticks) const {
    return double(ticks) * plan.congestion_unit() / double(plan.problem.measures.sharing.time_unit);
}

TimelineReport make_timeline_report(study::StudyPlan const& plan, simulation::Timeline const& timeline) {
    TimelineReport report{plan, timeline, {}};
    for (model::Host const host : plan.hosts_of_mapping(timeline.mapping))
        report.host_of_rank.push_back(plan.fabric->formula != nullptr
                                          ? model::NetworkFormula::host_name(static_cast<std::uint32_t>(host.value))
                                          : host_label(plan.fabric->network, host));
    return report;
}

void write_timeline(std::ostream& out, TimelineReport const& report, TimelineForm form) {
    switch (form) {
        case TimelineForm::csv: return write_timeline_csv(out, report);
        case TimelineForm::json: return write_json(out, value_of(report), long_lists_of(report));
        case TimelineForm::svg: return write_timeline_svg(out, report);
        case TimelineForm::trace: return write_timeline_trace(out, report);
    }
}

void write_timeline_csv(std::ostream& out, TimelineReport const& report) {
    CsvTable table(out, {"kind", "source", "destination", report.label(), "size", "start", "sent", "end", "fate",
                         "source_host", "destination_host"});
    std::vector<std::string> const& hosts = report.host_of_rank;
    for (Timeline::Flow const& flow : report.timeline.flows) {
        Json row = flow_json(report, flow);
        row.update(
            {{"kind", "flow"}, {"source_host", hosts[flow.source]}, {"destination_host", hosts[flow.destination]}});
        table.item(row);
        if (!out) return;  // whoever commits the file says why
    }
    for (Timeline::Computation const& computation : report.timeline.computations) {
        Json row = computation_json(report, computation);
        row["kind"] = "computation";
        row["source"] = row["rank"];
        if (computation.rank != simulation::nobody) row["source_host"] = hosts[computation.rank];
        table.item(row);
    }
}

Json head_of(TimelineReport const& report) {
    study::Study const& study = report.plan.study;
    return head("tailback-timeline-1", study.files,
                network_json(*report.plan.fabric, study::digest(*report.plan.fabric),
                             study.placement.aggregation_nodes_are_hosts));
}

Json value_of(TimelineReport const& report) {
    Timeline const& timeline = report.timeline;
    Json json = head_of(report);
    json.update({{"mapping", timeline.mapping},
                 {"unit", report.unit()},
                 {"makespan", report.time(timeline.makespan)},
                 {"hosts", report.host_of_rank}});
    if (timeline.by_levels) json["levels"] = levels_json(report);
    json.update({{"part", report.time(timeline.makespan) / double(Timeline::parts)},
                 {"running", timeline.running},
                 {"hottest", hottest_json(report)}});
    return json;
}

std::vector<LongList> long_lists_of(TimelineReport const& report) {
    Timeline const& timeline = report.timeline;
    return {{"flows", timeline.flows.size(), [&](std::size_t i) { return flow_json(report, timeline.flows[i]); }},
            {"computations", timeline.computations.size(),
             [&](std::size_t i) { return computation_json(report, timeline.computations[i]); }}};
}

}  // namespace tailback::report
