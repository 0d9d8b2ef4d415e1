// How long several jobs take on one fabric at max-min rates: each alone, or some of them together.
#pragma once

#include "host/simulation/graph.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace tailback::simulation {

/// For one thread.
class JobTimes {
public:
    virtual ~JobTimes() = default;
    /// Looks up where the ranks of the mapping are.
    virtual void place(std::uint64_t mapping) = 0;
    /// All of `jobs` (numbers, ascending) start at once. @param ends gets when the last flow of each, and what it
    /// computes, has ended; in their order.
    virtual void run(std::span<std::uint32_t const> jobs, std::span<Ticks> ends) = 0;
};

/// Makes any number of JobTimes that share one graph. @param plan one of several jobs (see study::Timing), which wants
/// times; must outlive them. @throws InputError as make_graph does.
class JobTimesMaker {
public:
    explicit JobTimesMaker(study::StudyPlan const& plan);
    std::unique_ptr<JobTimes> make() const;

private:
    study::StudyPlan const& plan_;
    std::shared_ptr<Graph const> graph_;
};

}  // namespace tailback::simulation
