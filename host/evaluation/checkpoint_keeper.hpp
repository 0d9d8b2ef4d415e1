// Keeps a checkpoint up to date while a study runs, whatever happens to its disk.
#pragma once

#include "host/evaluation/checkpoint.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace tailback::evaluation {

/// Writes checkpoints; what goes wrong is told when it begins, when it ends, and how often it came at the end of all.
class CheckpointKeeper {
public:
    using Tell = std::function<void(std::string const&)>;
    CheckpointKeeper(Checkpoint& checkpoint, Tell warn, Tell note);

    void save(std::span<RunSums const> sums);
    /// Of a run whose checkpoint is to stay.
    void tell_at_end() const;

private:
    std::string failures() const;

    Checkpoint& checkpoint_;
    Tell warn_, note_;
    std::uint64_t failed_ = 0;  ///< in a row
};

}  // namespace tailback::evaluation
