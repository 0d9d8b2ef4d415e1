#include "host/schedule/workload.hpp"

namespace tailback::schedule {

JobTraffic::JobTraffic(std::string words, patterns::FlowList listed)
    : words_(std::move(words)), listed_(std::move(listed)) {}

patterns::FlowList JobTraffic::flows(std::uint32_t ranks) const {
    return listed_.ranks > 0 ? patterns::make_listed_pattern(listed_, ranks) : patterns::make_pattern(words_, ranks);
}

}  // namespace tailback::schedule
