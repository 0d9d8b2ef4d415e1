// One line on stderr, drawn over itself a few times a second.
#include "host/io/progress.hpp"

#include "host/base/bins.hpp"
#include "host/base/numbers.hpp"
#include "host/io/terminal.hpp"

#include <fmt/format.h>

#include <cstdio>

#include <unistd.h>

namespace tailback::io {

Progress::Progress(std::uint64_t total, char const* unit, std::uint64_t before)
    : total_(total),
      before_(before),
      unit_(unit),
      terminal_(::isatty(STDERR_FILENO) == 1),
      start_(Clock::now()),
      next_(start_ + std::chrono::seconds(1)) {}

Progress::~Progress() {
    if (drawn_) std::fputs("\r\033[K", stderr);
}

void Progress::show(std::uint64_t done) {
    if (!terminal_ || Clock::now() < next_) return;
    next_ = Clock::now() + std::chrono::milliseconds(200);
    double const seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    double const rate = double(done - before_) / seconds;
    std::string const left = done == before_ ? "" : ", " + duration_text(double(total_ - done) / rate) + " left";
    std::string const line = fmt::format("{} {:3.0f} %  {} {}/s{}", base::padded(base::block_bar(done, total_, 30), 30),
                                         100 * double(done) / double(total_), base::three_digits(rate), unit_, left);
    std::fputs(("\r" + base::shortened(line, terminal_columns(STDERR_FILENO) - 2) + "\033[K").c_str(), stderr);
    std::fflush(stderr);
    drawn_ = true;
}

std::string duration_text(double seconds) {
    if (seconds < 1) return fmt::format("{} ms", base::three_digits(seconds * 1000));
    if (seconds < 10) return fmt::format("{:.1f} s", seconds);
    if (seconds < 100) return fmt::format("{:.0f} s", seconds);
    auto const whole = static_cast<std::uint64_t>(seconds);
    if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
    return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

}  // namespace tailback::io
