// What Python hears: notes in its log, warnings as warnings, Ctrl-C.
#pragma once

#include "host/api/audit.hpp"
#include "host/api/obtain.hpp"

#include <pybind11/pybind11.h>

#include <cstdint>
#include <functional>

namespace tailback::python {

namespace py = pybind11;

/// Notes go to the logger `tailback`, warnings to Python's. Made by work that runs apart (host/python/apart.hpp), whose
/// waiting thread passes them on.
api::Listener listener();

/// Passes numbers on to `callback`, which lives as long as somebody waits for the work that calls it. Empty for None.
std::function<void(std::uint64_t)> teller(py::object const& callback);

/// The same, made by work that runs apart, for any of its threads: nothing is thrown. Where the callback raises, or
/// returns False, the work is told to stop.
std::function<void(std::uint64_t)> stopping_teller(py::handle callback);

/// What a signal's handler has raised, such as KeyboardInterrupt, which Python's main thread alone is told. Nothing of
/// it but `met` without the GIL.
class Interruption {
public:
    /// Asks Python for signals. True when a handler has raised something.
    bool look();
    bool met() const { return met_; }
    /// One that was met elsewhere.
    void take(py::error_already_set const& error);
    /// Raises it. @pre met()
    [[noreturn]] void raise();
    /// The exception; None where nobody has pressed anything.
    py::object exception() const { return met_ ? value_ : py::none(); }

private:
    bool met_ = false;
    py::object type_, value_, trace_;
};

}  // namespace tailback::python
