#include "host/sweep/schedule_point.hpp"

#include "host/base/extensions.hpp"
#include "host/report/schedule/schedule_report.hpp"
#include "host/study/fabric_digest.hpp"
#include "host/sweep/registry.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tailback::sweep {
namespace {

class SchedulePoint final : public OtherPoint {
public:
    explicit SchedulePoint(api::ScheduleRequest request) : request_(std::move(request)) {}
    api::NetworkChoice const& network() const override { return request_.network; }
    api::FabricRequest fabric_request() const override { return api::fabric_request(request_); }
    std::string inputs() const override {
        return fmt::format("{}\n{}\n{}", request_.workload, request_.placement.ranks_per_node, request_.pattern);
    }
    std::vector<std::string> files() const override {
        return api::read_workload(request_.workload, request_.placement.ranks_per_node, request_.pattern).files;
    }
    std::uint64_t parts() const override { return request_.seeds; }
    std::pair<char const*, char const*> unit() const override { return {"schedule", "schedules"}; }
    std::string report_of(std::shared_ptr<model::Fabric const> const& fabric,
                          evaluation::ExecutionOptions const& execution, api::Listener const& listener) const override {
        api::PreparedSchedule const prepared(request_, fabric, listener);
        auto const progress = [&](std::uint64_t done) {
            if (execution.progress) execution.progress(done / std::max<std::uint64_t>(1, prepared.workload().jobs()));
        };
        api::ScheduleResult const result = api::run_schedule(prepared, execution.threads, execution.stop, progress);
        if (result.interrupted) return "";
        return result::json_text(report::schedule_point(
            {prepared.plan(), prepared.nodes().nodes.size(), request_.workload,
             schedule::name_of(request_.policy.queue), schedule::name_of(request_.policy.nodes), result.seeds,
             result.first_workload, result.first, prepared.workload().has_bytes(), false, study::digest(*fabric)}));
    }

private:
    api::ScheduleRequest request_;
};

std::vector<Column> columns_of_schedules() {
    std::vector<Column> columns;
    for (report::ScheduleNumber const& number : report::schedule_numbers())
        for (std::string const statistic : {"mean", "stderr", "min", "max"})
            columns.push_back(
                {number.point + ("_" + statistic), "", "/metrics/" + std::string(number.point) + "/" + statistic});
    return columns;
}

bool schedule_loses_flows(result::Json const& report) {
    return report.at("pairs").at("undelivered").get<std::uint64_t>() > 0;
}

}  // namespace

std::shared_ptr<OtherPoint const> schedule_point(api::ScheduleRequest request) {
    return std::make_shared<SchedulePoint>(std::move(request));
}

void register_schedule(Registry& registry) {
    for (Column const& column : {Column{"workload", "workload", ""}, Column{"queue", "queue", "/study/queue"},
                                 Column{"select", "select", "/study/select"}})
        base::insert_before(registry.columns, "pattern", column);
    base::insert_before(registry.columns, "time", Column{"seeds", "seeds", "/study/seeds"});
    registry.reports.push_back({"tailback-schedule", columns_of_schedules, schedule_loses_flows});
}

}  // namespace tailback::sweep
