// One number of mappings that somebody thinks of one after the other, by the executors of a study's columns.
#pragma once

#include "host/evaluation/column.hpp"

#include <mutex>
#include <optional>
#include <span>
#include <vector>

namespace tailback::evaluation {

class MappingScores {
public:
    /// @param column its study lists mappings, which together have all hosts that will come, and two ranks on a compute
    /// node where some mapping will have that. They are overwritten.
    MappingScores(Column const& column, study::Metric metric);
    ~MappingScores();

    /// The number, in whole units, added up over the repeats of a mapping. None: no flow meets the network. Any threads
    /// may ask at once, half as many as the study lists mappings.
    /// @param hosts by rank
    std::optional<std::uint64_t> of(std::span<model::Host const> hosts) const;
    /// What 1 of `of` is.
    double unit() const;
    study::StudyPlan const& plan() const { return *column_.plan; }

private:
    struct Worker;
    std::unique_ptr<Worker> take() const;

    Column column_;
    study::NumberScale scale_;
    std::vector<std::uint32_t> seat_of_host_;
    mutable std::mutex taking_;
    mutable std::vector<std::unique_ptr<Worker>> idle_;
    mutable std::uint64_t made_ = 0;
};

}  // namespace tailback::evaluation
