// Work that people see: how far it is, and signals that stop it with a report on what is done by then.
#pragma once

#include "host/evaluation/interruption.hpp"
#include "host/io/progress.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace tailback::commands {

class VisibleRun {
public:
    /// What is done, of how many of what.
    struct Work {
        std::string what;
        std::uint64_t total;
        char const* unit;
        std::uint64_t before = 0;  ///< of the total were done when this began
        bool is_shown = true;      ///< false: another process of the same study shows it
    };
    enum class Stops : std::uint8_t { by_signals, by_signals_but_term, never };  ///< never: signals end the program

    explicit VisibleRun(std::uint64_t mappings) : VisibleRun({"evaluating", mappings, "mappings"}) {}
    explicit VisibleRun(Work work, Stops stops = Stops::by_signals);
    VisibleRun(VisibleRun const&) = delete;
    VisibleRun& operator=(VisibleRun const&) = delete;

    void show(std::uint64_t done) {
        if (progress_) progress_->show(done);
    }
    bool stop_asked() const { return interruption_ && interruption_->signal() != 0; }
    /// True from the first signal on. Needs one that signals stop.
    std::atomic<bool> const& wish() const { return interruption_->wish(); }
    /// @param execution with `progress` and `stop`; must not be used after this is gone
    template <class Execution>
    void watch(Execution& execution) {
        execution.progress = [this](std::uint64_t done) { show(done); };
        execution.stop = [this] { return stop_asked(); };
        if constexpr (requires { execution.wish; }) execution.wish = &interruption_->wish();
    }
    /// Nothing is shown any more, and signals end the program again.
    void end();
    /// The same; tells how much was done where it was interrupted. @param result with `interrupted` and `mappings`
    template <class Result>
    void end(Result const& result) {
        end(result.interrupted, result.mappings);
    }
    /// The last line: `1,000 mappings in 1.2 s on 2 threads`.
    static void tell_done(std::string const& what, double seconds, unsigned threads);
    /// @param result with `mappings`, `evaluate_s` and `threads`
    template <class Result>
    static void tell_done(Result const& result, std::string const& of = "") {
        tell_done(counted_mappings(result.mappings) + of, result.evaluate_s, result.threads);
    }

private:
    void end(bool interrupted, std::uint64_t done);
    static std::string counted_mappings(std::uint64_t mappings);

    std::uint64_t total_;
    std::optional<io::Progress> progress_;
    std::optional<evaluation::Interruption> interruption_;
};

}  // namespace tailback::commands
