// Long work on a thread of its own, while the thread that Python called from listens: for Ctrl-C, for the end of the
// interpreter, and for what the work has to tell. A thread of its own also has OpenMP threads of its own: those of the
// thread that forks are missing in the child.
#pragma once

#include "host/python/listeners.hpp"

#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <type_traits>
#include <utility>

namespace tailback::python {

/// What becomes of work after Ctrl-C.
enum class AfterInterrupt {
    gives_up,      ///< it is told to stop, and nobody waits for it for long
    gives_result,  ///< it is waited for, as it asks Desk::stop_asked and has something by then; a second Ctrl-C gives
                   ///< up
};

/// Between work and the thread that waits for it.
class Desk {
public:
    /// Of the work that runs on the calling thread; null where none does.
    static std::shared_ptr<Desk> here();

    /// Lets the waiting thread make a call, with the GIL. Nothing happens once the work is over.
    /// @throws kernels::Stopped when the call has raised, and when nobody waits any more.
    void ask(std::function<void()> call);
    bool stop_asked() const { return stop_.load(std::memory_order_relaxed); }
    /// The same, for work that is made to end by kernels::StopWish, and gives what it has by then.
    std::atomic<bool> const& wish() const { return stop_; }
    void stop() { stop_ = true; }

private:
    friend void run_apart(std::function<void()> work, AfterInterrupt after, Interruption* interruption);
    class Waiter;
    void run(std::function<void()>& work, AfterInterrupt after);

    std::mutex asking_;  // one call after the other
    std::mutex mutex_;   // of all below
    std::condition_variable changed_;
    std::function<void()> call_;
    bool answered_ = false, failed_ = false, done_ = false, left_ = false;
    std::exception_ptr error_;  // of the work
    std::atomic<bool> stop_ = false;
};

/// @param interruption where the work gives a result: the Ctrl-C that ended it.
void run_apart(std::function<void()> work, AfterInterrupt after, Interruption* interruption);

/// Runs `work` and returns what it returns; whatever it throws is thrown. With the GIL, which the work does not have.
/// The work owns all it uses, and nothing of Python: it may go on for a while when nobody waits any more.
/// @throws what a signal's handler raises, KeyboardInterrupt for one, unless that is taken by `interruption`.
template <class Work>
auto apart(Work work, AfterInterrupt after = AfterInterrupt::gives_up, Interruption* interruption = nullptr) {
    using Result = std::invoke_result_t<Work&>;
    auto const kept = std::make_shared<Work>(std::move(work));
    if constexpr (std::is_void_v<Result>) {
        run_apart([kept] { (*kept)(); }, after, interruption);
    } else {
        auto const result = std::make_shared<std::optional<Result>>();
        run_apart([kept, result] { result->emplace((*kept)()); }, after, interruption);
        return std::move(**result);
    }
}

/// This process was forked from one that had the module: OpenMP's threads of the thread that forked are gone.
bool is_forked();

/// Lets go of the GIL for work that is too short to have a thread of its own. Not in a forked process.
void without_gil(std::function<void()> const& work);

/// Ends work under way before the interpreter ends. @param module where the function is kept that does it.
void end_work_at_exit(py::module_& module);

}  // namespace tailback::python
