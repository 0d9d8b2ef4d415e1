// The jobs of a schedule: when each comes, what it asks for, what it sends.
#pragma once

#include "host/study/placement/rank_order.hpp"
#include "patterns/pattern.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tailback::schedule {

/// The traffic of jobs that send the same, whatever their size: a pattern, or a list of flows.
class JobTraffic {
public:
    /// @param words of the pattern, or what a list is called. @param listed its flows; none where ranks is 0.
    explicit JobTraffic(std::string words, patterns::FlowList listed = {});
    std::string const& words() const { return words_; }
    /// 0: as many as there are.
    std::uint32_t least_ranks() const { return listed_.ranks; }
    /// @throws InputError where so many ranks cannot have it.
    patterns::FlowList flows(std::uint32_t ranks) const;

private:
    std::string words_;
    patterns::FlowList listed_;
};

struct WorkloadJob {
    std::string name;
    double submit = 0;  ///< seconds
    std::uint32_t nodes = 1;
    double seconds = 0;  ///< it runs for so long; or, where it stretches, would alone on the fabric
    bool stretches = false;
    double communication = 1;  ///< share of its time alone in which it communicates: what congestion lengthens
    double requested = 0;      ///< seconds that it asked for: what EASY goes by; at least `seconds`
    std::shared_ptr<JobTraffic const> traffic;  ///< null: it sends nothing
    study::RankOrder order;                     ///< of its ranks on its nodes
};

/// In the order of submission; at one time in the order of the file.
using Workload = std::vector<WorkloadJob>;

}  // namespace tailback::schedule
