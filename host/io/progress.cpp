// One thread looks at what is going on a few times a second.
#include "host/io/progress.hpp"

#include "host/base/bins.hpp"
#include "host/base/numbers.hpp"
#include "host/io/terminal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include <unistd.h>

namespace tailback::io {
namespace {

using Clock = std::chrono::steady_clock;

/// Shared by those who work and the one who tells.
struct Board {
    std::mutex mutex;
    std::vector<Progress const*> works;  ///< the youngest last
    Clock::time_point last_told = Clock::now();
    bool line_drawn = false;
    bool muted = false;
};

Board& board() {
    static Board& one = *new Board;  // never gone: whoever ends the program, a thread may look at it
    return one;
}

void wipe(Board& b) {
    if (b.line_drawn) std::fputs("\r\033[K", stderr);
    b.line_drawn = false;
}

double seconds_between(Clock::time_point from, Clock::time_point to) {
    return std::chrono::duration<double>(to - from).count();
}

/// Seconds of silence that a log bears after so many seconds: every few at first, then a line a minute.
double patience(double quiet_s, double running_s) { return running_s < 15 * quiet_s ? quiet_s : 60; }

}  // namespace

Progress::Progress(std::string what, std::uint64_t total, char const* unit, std::uint64_t before)
    : what_(std::move(what)), total_(total), before_(before), unit_(unit), done_(before), start_(Clock::now()) {
    std::lock_guard const lock(board().mutex);
    if (what_.empty()) what_ = board().works.empty() ? "at work" : board().works.back()->what_;
    board().works.push_back(this);
}

Progress::~Progress() {
    std::lock_guard const lock(board().mutex);
    wipe(board());
    std::erase(board().works, this);
}

void Progress::begin_again() {
    std::lock_guard const lock(board().mutex);
    start_ = Clock::now();
    before_ = 0;
    show(0);
}

std::string Progress::text(Clock::time_point now, bool with_bar) const {
    std::uint64_t const done = std::min(done_.load(std::memory_order_relaxed), total_);
    double const seconds = seconds_between(start_, now);
    if (total_ == 0 || done == before_) {
        if (seconds < 1) return what_;
        std::string const of = total_ == 0 ? "" : fmt::format("none of {} {} yet, ", base::grouped(total_), unit_);
        return fmt::format("{}: {}{} so far", what_, of, duration_text(seconds));
    }
    double const rate = double(done - before_) / seconds, share = 100 * double(done) / double(total_);
    std::string const left = duration_text(double(total_ - done) / rate) + " left";
    if (with_bar)
        return fmt::format("{} {:3.0f} %  {} {}/s, {}", base::padded(base::block_bar(done, total_, 30), 30), share,
                           base::three_digits(rate), unit_, left);
    return fmt::format("{}: {:.0f} % of {} {} in {}, {}", what_, share, base::grouped(total_), unit_,
                       duration_text(seconds), left);
}

struct ProgressTeller::Thread {
    Thread(bool logs, double quiet) : in_logs(logs), quiet_s(quiet), terminal(::isatty(STDERR_FILENO) == 1) {}

    void run() {
        std::unique_lock lock(board().mutex);
        while (!end.wait_for(lock, std::chrono::milliseconds(200), [&] { return ended; })) look();
        wipe(board());
    }
    void look() {
        Board& b = board();
        Clock::time_point const now = Clock::now();
        double const silent_s = seconds_between(b.last_told, now);
        if (b.muted) return;
        if (terminal ? silent_s < 1 : !in_logs || silent_s < patience(quiet_s, seconds_between(start, now))) return;
        std::string const text = b.works.empty()
                                     ? fmt::format("still at work after {}", duration_text(seconds_between(start, now)))
                                     : b.works.back()->text(now, terminal);
        if (terminal) {
            std::fputs(("\r" + base::shortened(text, terminal_columns(STDERR_FILENO) - 2) + "\033[K").c_str(), stderr);
            b.line_drawn = true;
        } else {
            std::fputs(("tailback: note: " + base::printable(text) + "\n").c_str(), stderr);
            b.last_told = now;
        }
        std::fflush(stderr);
    }

    bool in_logs;
    double quiet_s;
    bool terminal;
    Clock::time_point start = Clock::now();
    bool ended = false;
    std::condition_variable end;
    std::thread thread;
};

ProgressTeller::ProgressTeller(bool in_logs, double quiet_s) : thread_(std::make_unique<Thread>(in_logs, quiet_s)) {
    make_way_on_standard_error();
    sigset_t all, before;  // signals are for the thread that works
    sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    try {
        thread_->thread = std::thread([t = thread_.get()] { t->run(); });
    } catch (std::system_error const&) {  // the work can be done without it
    }
    if (thread_->thread.joinable()) ::pthread_setname_np(thread_->thread.native_handle(), "progress");
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

ProgressTeller::~ProgressTeller() {
    {
        std::lock_guard const lock(board().mutex);
        thread_->ended = true;
    }
    thread_->end.notify_all();
    if (thread_->thread.joinable()) thread_->thread.join();
}

void tell_no_progress() {
    std::lock_guard const lock(board().mutex);
    board().muted = true;
}

void make_way_on_standard_error() {
    std::lock_guard const lock(board().mutex);
    wipe(board());
    board().last_told = Clock::now();
}

std::string duration_text(double seconds) {
    if (seconds < 1) return fmt::format("{} ms", base::three_digits(seconds * 1000));
    if (seconds < 10) return fmt::format("{:.1f} s", seconds);
    if (seconds < 100) return fmt::format("{:.0f} s", seconds);
    auto const whole = static_cast<std::uint64_t>(seconds);
    if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
    constexpr std::uint64_t hour = 3600, day = 24 * hour;
    if (whole < 100 * hour) return fmt::format("{} h {} min", whole / hour, whole % hour / 60);
    return fmt::format("{} d {} h", whole / day, whole % day / hour);
}

}  // namespace tailback::io
