// Mappings evaluated where people see how far it is, and where signals stop it with a report on those that are done.
#pragma once

#include "host/evaluation/interruption.hpp"
#include "host/io/progress.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace tailback::commands {

class VisibleRun {
public:
    explicit VisibleRun(std::uint64_t mappings);
    VisibleRun(VisibleRun const&) = delete;
    VisibleRun& operator=(VisibleRun const&) = delete;

    /// @param execution with `progress` and `stop`; must not be used after this is gone
    template <class Execution>
    void watch(Execution& execution) {
        execution.progress = [this](std::uint64_t done) { progress_->show(done); };
        execution.stop = [this] { return interruption_->signal() != 0; };
        if constexpr (requires { execution.wish; }) execution.wish = &interruption_->wish();
    }
    /// Signals end the program again. @param result with `interrupted` and `mappings`
    template <class Result>
    void end(Result const& result) {
        end(result.interrupted, result.mappings);
    }
    /// The last line: what was done, how fast, on what. @param result with `mappings`, `evaluate_s` and `threads`
    template <class Result>
    static void tell_done(Result const& result, std::string const& of = "") {
        tell_done(result.mappings, of, result.evaluate_s, result.threads);
    }

private:
    void end(bool interrupted, std::uint64_t done);
    static void tell_done(std::uint64_t mappings, std::string const& of, double seconds, unsigned threads);

    std::uint64_t mappings_;
    std::optional<io::Progress> progress_;
    std::optional<evaluation::Interruption> interruption_;
};

}  // namespace tailback::commands
