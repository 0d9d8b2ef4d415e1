#include "host/sweep/evaluate_points.hpp"

#include "host/base/error.hpp"
#include "host/sweep/point_evaluator.hpp"

#include <algorithm>
#include <new>
#include <tuple>

namespace tailback::sweep {
namespace {

/// A later point of `order` has this one's network with other routes.
bool network_is_needed(std::vector<CheckedPoint> const& points, std::vector<std::size_t> const& order, std::size_t at) {
    CheckedPoint const& now = points[order[at]];
    for (std::size_t next = at + 1; next < order.size() && points[order[next]].network == now.network; ++next)
        if (points[order[next]].fabric != now.fabric || api::wants_traffic(now.request)) return true;
    return false;
}

/// What a point's progress is counted in.
std::uint64_t parts_of(CheckedPoint const& point) {
    return point.other != nullptr ? point.other->parts() : point.request.study.sample.mappings;
}

}  // namespace

std::vector<SweepRow> known_rows(CheckedSweep const& sweep, SweepJournal const& journal) {
    std::vector<SweepRow> rows;
    for (CheckedPoint const& point : sweep.points) {
        std::string const* const known = journal.find(point.meaning);
        rows.push_back({point.point, known != nullptr ? *known : "", ""});
    }
    return rows;
}

std::vector<std::size_t> open_points(CheckedSweep const& sweep, std::vector<SweepRow> const& rows) {
    std::vector<std::size_t> order;
    for (std::size_t p = 0; p < rows.size(); ++p)
        if (rows[p].report.empty()) order.push_back(p);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        auto const key = [&](std::size_t p) {
            CheckedPoint const& point = sweep.points[p];
            return std::tuple(point.network, point.fabric, point.hosts);
        };
        return key(a) < key(b);
    });
    return order;
}

std::uint64_t mappings_of(CheckedSweep const& sweep, std::vector<std::size_t> const& points) {
    std::uint64_t all = 0;
    for (std::size_t const p : points) all += std::min<std::uint64_t>(parts_of(sweep.points[p]), UINT64_MAX / 2 - all);
    return all;
}

bool evaluate_points(CheckedSweep const& sweep, std::vector<std::size_t> const& order, SweepJournal& journal,
                     evaluation::ExecutionOptions execution, SweepListener const& listener,
                     std::vector<SweepRow>& rows) {
    std::uint64_t before = 0;
    execution.progress = [&](std::uint64_t done) { listener.progress(before + done); };
    PointEvaluator evaluator(listener.warn);
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (execution.stop && execution.stop()) return false;
        CheckedPoint const& point = sweep.points[order[i]];
        SweepRow& row = rows[order[i]];
        listener.turn_to(order[i]);
        if (std::string const* const known = journal.find(point.meaning)) {  // the same point twice
            row.report = *known;
        } else {
            try {
                row.report = evaluator.report_of(point, execution, network_is_needed(sweep.points, order, i));
            } catch (base::InputError const& error) {
                row.reason = error.what();
            } catch (std::bad_alloc const&) {
                row.reason = "not enough memory; a smaller study or network may fit";
                evaluator = PointEvaluator(listener.warn);
            }
            if (row.report.empty() && row.reason.empty()) return false;
            if (!row.report.empty()) journal.add(point.meaning, row.report);
        }
        before += parts_of(point);
        listener.progress(before);
    }
    return true;
}

}  // namespace tailback::sweep
