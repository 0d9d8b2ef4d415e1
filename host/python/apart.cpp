#include "host/python/apart.hpp"

#include "host/base/error.hpp"
#include "kernels/cpu/machine/stop.hpp"

#include <cxxabi.h>
#include <chrono>
#include <system_error>
#include <thread>

#include <pthread.h>
#include <unistd.h>

namespace tailback::python {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto glance = 50ms;     // between two looks for signals
constexpr auto patience = 500ms;  // for work that is told to stop

thread_local std::shared_ptr<Desk> desk_here;

std::atomic<bool> ending = false;      // the interpreter is
std::atomic<unsigned> forks = 0;       // between the process that loaded the module and this one
std::atomic<unsigned> working = 0;     // threads that have work
std::atomic<unsigned> taking_gil = 0;  // threads that have seen that the interpreter is not ending

/// For a thread that is not the main one and would take the GIL of an interpreter that ends: Python ends such a thread
/// by unwinding it, which C++ cannot pass.
[[noreturn]] void rest() {
    for (;;) ::pause();
}

/// Not asked of Python each time: whatever runs there may raise what a signal's handler does.
std::atomic<unsigned long> main_thread = 0;

/// The GIL in the hands of this thread, to be given and taken.
class Gil {
public:
    Gil() : main_(main_thread == PyThread_get_thread_ident()), state_(nullptr) {}
    bool main() const { return main_; }
    bool ended() const { return ending && !main_; }
    void give() { state_ = PyEval_SaveThread(); }
    void take() {
        ++taking_gil;
        if (ended()) {
            --taking_gil;
            rest();
        }
        PyEval_RestoreThread(state_);
        --taking_gil;
    }

private:
    bool main_;
    PyThreadState* state_;
};

/// No thread but the one that forked lives on.
void after_fork() {
    ++forks;
    working = 0;
    taking_gil = 0;
    desk_here.reset();
    main_thread = PyThread_get_thread_ident();
}

/// Somebody presses Ctrl-C while the interpreter waits for work that does not end.
[[noreturn]] void leave() {
    PyErr_Clear();
    PyRun_SimpleString("import sys; sys.stdout.flush(); sys.stderr.flush()");
    ::_exit(130);
}

void end_work() {
    ending = true;
    Gil gil;
    gil.give();
    while (working > 0 || taking_gil > 0) {
        std::this_thread::sleep_for(10ms);
        if (!gil.main()) continue;
        gil.take();
        if (PyErr_CheckSignals() != 0) leave();
        gil.give();
    }
    gil.take();
}

}  // namespace

/// The side of the thread that waits.
class Desk::Waiter {
public:
    Waiter(Desk& desk, AfterInterrupt after, Interruption& interruption)
        : desk_(desk), after_(after), interruption_(interruption) {}

    /// Until the work is done, or nobody waits for it any more.
    void wait(Gil& gil) {
        auto look = Clock::now() + glance;
        std::unique_lock lock(desk_.mutex_);
        for (;;) {
            desk_.changed_.wait_until(lock, look, [&] { return desk_.done_ || desk_.call_; });
            if (desk_.done_) return;
            if (gil.ended()) {
                leave_desk();
                lock.unlock();
                rest();
            }
            if (desk_.call_) {
                std::function<void()> const call = std::exchange(desk_.call_, nullptr);
                lock.unlock();
                gil.take();
                bool const here = make(call);
                gil.give();
                if (!here) return;
                lock.lock();
                desk_.answered_ = true;
                desk_.changed_.notify_all();
            }
            if (Clock::now() < look) continue;
            if (gil.main()) {
                lock.unlock();
                gil.take();
                look_for_signals();
                gil.give();
                lock.lock();
            }
            if (desk_.done_) return;
            if (gives_up_at_ && Clock::now() >= *gives_up_at_) return leave_desk();
            look = Clock::now() + glance;
        }
    }

    /// What the work and the calls came to. With the GIL.
    void conclude(Interruption* taken) {
        if (forked_)
            throw base::InputError({}, "the process was forked inside a callback", "the work stayed in the other one",
                                   "fork before the call or after it");
        if (failure_.met()) failure_.raise();
        std::exception_ptr const error = desk_.left_ ? nullptr : desk_.error_;
        if (interruption_.met() && (desk_.left_ || error || after_ == AfterInterrupt::gives_up || taken == nullptr))
            interruption_.raise();
        if (error) std::rethrow_exception(error);
    }

private:
    /// With the lock.
    void leave_desk() {
        desk_.left_ = true;
        desk_.stop_ = true;
        desk_.changed_.notify_all();
    }
    void interrupt() {
        desk_.stop_ = true;
        if (after_ == AfterInterrupt::gives_up) gives_up_at_ = Clock::now() + patience;
    }
    void look_for_signals() {
        if (!interruption_.met()) {
            if (interruption_.look()) interrupt();
        } else if (PyErr_CheckSignals() != 0) {
            PyErr_Clear();
            gives_up_at_ = Clock::now();
        }
    }
    /// False in a child that the call has forked: there is no work here.
    bool make(std::function<void()> const& call) {
        unsigned const before = forks;
        try {
            call();
        } catch (py::error_already_set& error) {
            if (error.matches(PyExc_KeyboardInterrupt)) {  // what is known is kept
                interruption_.take(error);
                interrupt();
            } else {
                failure_.take(error);
                desk_.failed_ = true;
            }
        }
        return !(forked_ = forks != before);
    }

    Desk& desk_;
    AfterInterrupt after_;
    Interruption& interruption_;
    Interruption failure_;  // of a call
    std::optional<Clock::time_point> gives_up_at_;
    bool forked_ = false;
};

std::shared_ptr<Desk> Desk::here() { return desk_here; }

void Desk::ask(std::function<void()> call) {
    std::lock_guard const turn(asking_);
    std::unique_lock lock(mutex_);
    if (done_) return;
    if (left_ || failed_) throw kernels::Stopped();
    call_ = std::move(call);
    answered_ = false;
    changed_.notify_all();
    changed_.wait(lock, [&] { return answered_ || left_; });
    if (left_ || failed_) throw kernels::Stopped();
}

void Desk::run(std::function<void()>& work, AfterInterrupt after) {
    std::atomic<bool> const never = false;
    kernels::StopWish::Scope const wish(after == AfterInterrupt::gives_up ? stop_ : never);
    std::exception_ptr error;
    try {
        work();
    } catch (...) {
        error = std::current_exception();
    }
    work = nullptr;  // what it holds goes while the program is whole
    std::lock_guard const lock(mutex_);
    error_ = std::move(error);
    done_ = true;
    changed_.notify_all();
}

void run_apart(std::function<void()> work, AfterInterrupt after, Interruption* taken) {
    auto const desk = std::make_shared<Desk>();
    Interruption own;
    Desk::Waiter waiter(*desk, after, taken != nullptr ? *taken : own);
    Gil gil;
    ++working;
    try {
        std::thread([mine = std::shared_ptr(desk), after, work = std::move(work)]() mutable {
            desk_here = mine;
            mine->run(work, after);
            desk_here.reset();
            mine.reset();
            --working;
        }).detach();
    } catch (std::system_error const& error) {
        --working;
        throw base::InputError({}, "no thread can be started", error.what(), "raise the limit (ulimit -u)");
    }
    gil.give();
    waiter.wait(gil);
    gil.take();
    waiter.conclude(taken);
}

bool is_forked() { return forks > 0; }

void without_gil(std::function<void()> const& work) {
    Gil gil;
    std::exception_ptr error;
    ++working;
    gil.give();
    try {
        work();
    } catch (...) {
        error = std::current_exception();
    }
    --working;
    gil.take();
    if (error) std::rethrow_exception(error);
}

void end_work_at_exit(py::module_& module) {
    main_thread = py::module_::import("threading").attr("main_thread")().attr("ident").cast<unsigned long>();
    ending = false;  // of an interpreter that ended before this one
    static int const told = ::pthread_atfork(nullptr, nullptr, [] { after_fork(); });
    (void)told;
    module.def("end_work", &end_work);
    py::module_::import("atexit").attr("register")(module.attr("end_work"));
}

}  // namespace tailback::python
