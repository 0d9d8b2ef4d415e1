// The jobs that run at one time, and what they do to each other on links.
#pragma once

#include "host/evaluation/jobs/flow_loads.hpp"
#include "host/schedule/simulate.hpp"

#include <memory>
#include <vector>

namespace tailback::schedule {

class RunningJobs {
public:
    explicit RunningJobs(kernels::Problem const& problem);

    /// Adds job number `job` with all levels of its traffic. @param host_index by rank. @return its largest load.
    /// @throws InputError where loads could pass 2^63.
    std::uint64_t add(std::uint32_t job, patterns::FlowList const& flows, std::uint32_t const* host_index,
                      evaluation::FlowDraw draw, evaluation::FlowFates& fates);
    void remove(std::uint32_t job);
    /// Jobs whose slowdown may have changed since the last call.
    std::vector<std::uint32_t> take_changed();
    /// 1 for a job without load.
    double slowdown(std::uint32_t job) const;
    /// Of all running jobs, by link.
    std::vector<std::uint64_t> const& total() const { return total_; }
    /// By link: 1 / the largest load x cost that a job which uses it meets anywhere, the largest of these; 0: no job.
    std::vector<double> shares() const;
    /// The largest load x cost of a link.
    std::uint64_t largest_load() const;

private:
    struct Running {
        std::vector<evaluation::LinkLoad> loads;  ///< of each link once
        std::uint64_t largest = 0;
    };
    std::uint64_t cost(std::uint32_t link) const {
        return problem_.routes.cost != nullptr ? problem_.routes.cost[link] : 1;
    }
    Running const& running(std::uint32_t job) const;
    void mark_users(std::uint32_t link);

    kernels::Problem const& problem_;
    std::unique_ptr<evaluation::LoadCounter> counter_;
    std::vector<std::uint64_t> total_, own_;         ///< by link; own_ is zero between calls
    std::vector<std::vector<std::uint32_t>> users_;  ///< by link: the running jobs with load there
    std::vector<std::pair<std::uint32_t, Running>> jobs_;
    std::vector<std::uint32_t> changed_;
};

}  // namespace tailback::schedule
