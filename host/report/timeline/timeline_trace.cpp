// Chrome's trace event format (Google: "Trace Event Format"): what Perfetto and chrome://tracing open. A rank is a
// process; its sends, and its computations, stand on as many tracks as run at once, so that none overlaps another. The
// hottest links are counters.
#include "host/base/numbers.hpp"
#include "host/report/forms.hpp"
#include "host/report/timeline/timeline_files.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <ostream>

namespace tailback::report {
namespace {

using simulation::Ticks;
using simulation::Timeline;
class TraceWriter {
public:
    TraceWriter(std::ostream& out, TimelineReport const& report)
        : out_(out), report_(report), scale_(report.plan.in_seconds() ? 1e6 : 1) {}

    void write() {
        Json other = head_of(report_);
        other["unit"] = report_.plan.in_seconds() ? "seconds" : "1 us stands for 1 unit of the report";
        out_ << "{\"displayTimeUnit\":\"ns\",\"otherData\":" << json_text(other) << ",\n\"traceEvents\":[";
        name_ranks();
        flow_tracks_.resize(report_.host_of_rank.size());
        computation_tracks_.resize(report_.host_of_rank.size() + 1);
        for (Timeline::Flow const& flow : report_.timeline.flows) write_flow(flow);
        for (Timeline::Computation const& computation : report_.timeline.computations) write_computation(computation);
        for (Timeline::HotLink const& hot : report_.timeline.hottest) write_counter(hot);
        out_ << "\n]}\n";
    }

private:
    void event(Json const& json) {
        out_ << (first_ ? "\n" : ",\n") << json_text(json);
        first_ = false;
    }
    double microseconds(Ticks ticks) const { return base::rounded(report_.time(ticks) * scale_); }

    void name_ranks() {
        for (std::size_t rank = 0; rank < report_.host_of_rank.size(); ++rank) {
            event({{"ph", "M"},
                   {"name", "process_name"},
                   {"pid", rank + 1},
                   {"args", {{"name", fmt::format("rank {} on {}", rank, report_.host_of_rank[rank])}}}});
            event(
                {{"ph", "M"}, {"name", "process_sort_index"}, {"pid", rank + 1}, {"args", {{"sort_index", rank + 1}}}});
        }
        event({{"ph", "M"}, {"name", "process_name"}, {"pid", 0}, {"args", {{"name", "hottest links"}}}});
    }
    /// The first track that is free from then on; it is taken until `to`.
    static std::size_t track(std::vector<Ticks>& busy_until, Ticks from, Ticks to) {
        std::size_t at = 0;
        while (at < busy_until.size() && busy_until[at] > from) ++at;
        if (at == busy_until.size()) busy_until.push_back(0);
        busy_until[at] = to;
        return at;
    }
    void write_flow(Timeline::Flow const& flow) {
        std::size_t const at = track(flow_tracks_[flow.source], flow.released, flow.arrived);
        event({{"ph", "X"},
               {"name", fmt::format("to {}", flow.destination)},
               {"cat", "flow"},
               {"pid", flow.source + 1},
               {"tid", 2 * at + 1},
               {"ts", microseconds(flow.released)},
               {"dur", microseconds(flow.arrived - flow.released)},
               {"args", {{"size", report_.size(flow)}, {report_.label(), flow.label}}}});
    }
    void write_computation(Timeline::Computation const& computation) {
        bool const of_all = computation.rank == simulation::nobody;
        std::size_t const rank = of_all ? computation_tracks_.size() - 1 : computation.rank;
        std::size_t const at = track(computation_tracks_[rank], computation.from, computation.to);
        event({{"ph", "X"},
               {"name", of_all ? "all ranks compute" : "compute"},
               {"cat", "computation"},
               {"pid", of_all ? 0 : rank + 1},
               {"tid", 2 * at + 2},
               {"ts", microseconds(computation.from)},
               {"dur", microseconds(computation.to - computation.from)},
               {"args", {{report_.label(), computation.label}}}});
    }
    void write_counter(Timeline::HotLink const& hot) {
        std::string const name = link_label(report_.ends(hot.link));
        double const part = report_.time(report_.timeline.makespan) * scale_ / double(Timeline::parts);
        for (std::size_t p = 0; p < hot.by_part.size(); ++p)
            if (p == 0 || hot.by_part[p] != hot.by_part[p - 1])
                event({{"ph", "C"},
                       {"name", name},
                       {"pid", 0},
                       {"ts", double(p) * part},
                       {"args", {{"utilisation", hot.by_part[p]}}}});
    }

    std::ostream& out_;
    TimelineReport const& report_;
    double const scale_;
    bool first_ = true;
    std::vector<std::vector<Ticks>> flow_tracks_, computation_tracks_;  ///< by rank and track: busy until
};

}  // namespace

void write_timeline_trace(std::ostream& out, TimelineReport const& report) { TraceWriter(out, report).write(); }

}  // namespace tailback::report
