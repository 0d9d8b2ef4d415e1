#include "host/api/outcomes/schedule_outcome.hpp"

#include "host/study/fabric_digest.hpp"

namespace tailback::api {

report::ScheduleReport make_report(PreparedSchedule const& prepared, ScheduleResult const& result,
                                   std::string const& queue, std::string const& select) {
    return {prepared.plan(),
            prepared.nodes().nodes.size(),
            prepared.request().workload,
            queue,
            select,
            result.seeds,
            result.first_workload,
            result.first,
            prepared.workload().has_bytes(),
            result.interrupted,
            study::digest(*prepared.plan().fabric),
            result.others};
}

}  // namespace tailback::api
