// A progress bar with rate and time left, for people who wait at a terminal.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace tailback::io {

/// Draws on stderr when that is a terminal and the work takes longer than a second; erases itself.
class Progress {
public:
    /// `unit` names what is counted (`mappings`); `before` of the total were done when this began.
    Progress(std::uint64_t total, char const* unit, std::uint64_t before = 0);
    ~Progress();
    Progress(Progress const&) = delete;
    Progress& operator=(Progress const&) = delete;

    void show(std::uint64_t done);

private:
    using Clock = std::chrono::steady_clock;
    std::uint64_t total_, before_;
    char const* unit_;
    bool terminal_;
    bool drawn_ = false;
    Clock::time_point start_, next_;
};

/// `87 ms`, `1.2 s`, `42 s`, `3 min 20 s`, `5 h 12 min`.
std::string duration_text(double seconds);

}  // namespace tailback::io
