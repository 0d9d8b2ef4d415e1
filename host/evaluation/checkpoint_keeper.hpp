// Keeps a checkpoint up to date while work goes on, whatever happens to its disk.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace tailback::evaluation {

/// Writes checkpoints; what goes wrong is told when it begins, when it ends, and how often it came at the end of all.
class CheckpointKeeper {
public:
    using Tell = std::function<void(std::string const&)>;
    CheckpointKeeper(Tell warn, Tell note);

    /// @param write writes it, or throws InputError
    void save(std::function<void()> const& write);
    /// Of a run whose checkpoint is to stay.
    void tell_at_end() const;

private:
    std::string failures() const;

    Tell warn_, note_;
    std::uint64_t failed_ = 0;  ///< in a row
};

}  // namespace tailback::evaluation
