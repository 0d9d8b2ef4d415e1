#include "host/schedule/running_jobs.hpp"

#include "host/base/error.hpp"

#include <algorithm>
#include <utility>

namespace tailback::schedule {
namespace {

__extension__ using Wide = unsigned __int128;

}  // namespace

RunningJobs::RunningJobs(kernels::Problem const& problem)
    : problem_(problem),
      counter_(evaluation::make_load_counter(problem)),
      total_(problem.routes.slots),
      own_(problem.routes.slots),
      users_(problem.routes.slots) {}

std::uint64_t RunningJobs::add(std::uint32_t job, patterns::FlowList const& flows, std::uint32_t const* host_index,
                               evaluation::FlowDraw draw, evaluation::FlowFates& fates) {
    Running added;
    std::vector<evaluation::LinkLoad> of_level;
    auto const refuse = [] {
        throw base::InputError({}, "the running jobs have too many bytes", "the load of a link could pass 2^63",
                               "write their traffic in a larger unit");
    };
    for (patterns::Level const& level : flows.levels) {
        counter_->count(flows, level, host_index, draw, fates, of_level);
        for (auto const& [link, load] : of_level) {
            if (own_[link] == 0) added.loads.push_back({link, 0});
            if (load > INT64_MAX - own_[link]) refuse();
            own_[link] += load;
        }
    }
    for (evaluation::LinkLoad& one : added.loads) {
        one.load = std::exchange(own_[one.link], 0);
        if ((Wide{total_[one.link]} + one.load) * cost(one.link) > Wide{INT64_MAX}) refuse();
        total_[one.link] += one.load;
        users_[one.link].push_back(job);
        mark_users(one.link);
        added.largest = std::max(added.largest, one.load * cost(one.link));
    }
    std::uint64_t const largest = added.largest;
    jobs_.emplace_back(job, std::move(added));
    return largest;
}

RunningJobs::Running const& RunningJobs::running(std::uint32_t job) const {
    return std::find_if(jobs_.begin(), jobs_.end(), [&](auto const& one) { return one.first == job; })->second;
}

void RunningJobs::mark_users(std::uint32_t link) {
    changed_.insert(changed_.end(), users_[link].begin(), users_[link].end());
    // Most links are met again and again by the same jobs.
    if (changed_.size() > 4096) {
        std::sort(changed_.begin(), changed_.end());
        changed_.erase(std::unique(changed_.begin(), changed_.end()), changed_.end());
    }
}

void RunningJobs::remove(std::uint32_t job) {
    for (auto const& [link, load] : running(job).loads) {
        total_[link] -= load;
        std::erase(users_[link], job);
        mark_users(link);
    }
    std::erase_if(jobs_, [&](auto const& one) { return one.first == job; });
}

std::vector<std::uint32_t> RunningJobs::take_changed() {
    std::sort(changed_.begin(), changed_.end());
    changed_.erase(std::unique(changed_.begin(), changed_.end()), changed_.end());
    std::erase_if(changed_, [&](std::uint32_t job) {
        return std::none_of(jobs_.begin(), jobs_.end(), [&](auto const& one) { return one.first == job; });
    });
    return std::exchange(changed_, {});
}

double RunningJobs::slowdown(std::uint32_t job) const {
    Running const& of = running(job);
    if (of.largest == 0) return 1;
    std::uint64_t largest = 0;
    for (auto const& [link, load] : of.loads) largest = std::max(largest, total_[link] * cost(link));
    return double(largest) / double(of.largest);
}

std::vector<double> RunningJobs::shares() const {
    std::vector<double> shares(total_.size());
    for (auto const& [job, running] : jobs_) {
        std::uint64_t largest = 0;
        for (auto const& [link, load] : running.loads) largest = std::max(largest, total_[link] * cost(link));
        for (auto const& [link, load] : running.loads) shares[link] = std::max(shares[link], 1 / double(largest));
    }
    return shares;
}

std::uint64_t RunningJobs::largest_load() const {
    std::uint64_t largest = 0;
    for (std::uint32_t link = 0; link < total_.size(); ++link)
        if (total_[link] != 0) largest = std::max(largest, total_[link] * cost(link));
    return largest;
}

}  // namespace tailback::schedule
