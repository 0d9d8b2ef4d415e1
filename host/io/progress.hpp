// What is going on, for people who wait: a bar at a terminal, a line now and then in a log.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

namespace tailback::io {

/// A piece of work while it lives. Of several the youngest is told. Nothing is told without a ProgressTeller.
class Progress {
public:
    /// @param what is being done (`making the network`); empty: as the work says that it is part of. @param total 0 =
    /// not known. @param unit of the total
    /// (`mappings`). @param before of the total were done when this began.
    explicit Progress(std::string what, std::uint64_t total = 0, char const* unit = "", std::uint64_t before = 0);
    ~Progress();
    Progress(Progress const&) = delete;
    Progress& operator=(Progress const&) = delete;

    void show(std::uint64_t done) { done_.store(done, std::memory_order_relaxed); }
    /// For several threads.
    void add(std::uint64_t more) { done_.fetch_add(more, std::memory_order_relaxed); }
    /// All of it once more.
    void begin_again();
    /// For kernels, which count for themselves.
    std::atomic<std::uint64_t>* counter() { return &done_; }

private:
    friend class ProgressTeller;
    using Clock = std::chrono::steady_clock;
    std::string text(Clock::time_point now, bool with_bar) const;

    std::string what_;
    std::uint64_t total_, before_;
    char const* unit_;
    std::atomic<std::uint64_t> done_;
    Clock::time_point start_;
};

/// While it lives, standard error is not silent for long: a terminal gets a line that is drawn over itself after a
/// second of silence; anything else gets a line after `quiet_s` seconds of silence, in longer runs less often. Where
/// the system grants no thread nothing is told. One at a time.
class ProgressTeller {
public:
    /// @param in_logs false: only terminals are told.
    explicit ProgressTeller(bool in_logs, double quiet_s = 8);
    ~ProgressTeller();
    ProgressTeller(ProgressTeller const&) = delete;
    ProgressTeller& operator=(ProgressTeller const&) = delete;

private:
    struct Thread;
    std::unique_ptr<Thread> thread_;
};

/// From now on nothing is told: another process of the same study does.
void tell_no_progress();

/// To be called before anything else is written to standard error: wipes the line off a terminal, and begins the time
/// of silence anew.
void make_way_on_standard_error();

/// `87 ms`, `1.2 s`, `42 s`, `3 min 20 s`, `5 h 12 min`, `4 d 4 h`.
std::string duration_text(double seconds);

}  // namespace tailback::io
