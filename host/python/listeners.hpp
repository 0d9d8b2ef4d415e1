// What Python hears: notes in its log, warnings as warnings, Ctrl-C.
#pragma once

#include "host/api/audit.hpp"
#include "host/api/obtain.hpp"

#include <pybind11/pybind11.h>

namespace tailback::python {

namespace py = pybind11;

/// Notes go to the logger `tailback`, warnings to Python's. May be called with or without the GIL.
api::Listener listener();

/// True once somebody has pressed Ctrl-C, which Python's main thread alone is told. May be called without the GIL.
class Interruption {
public:
    /// True from the first Ctrl-C on.
    bool met();
    /// Ctrl-C that was met elsewhere. With the GIL.
    void take(py::error_already_set const& error);
    /// Raises KeyboardInterrupt, or what a signal's handler has raised. @pre met(), with the GIL
    [[noreturn]] void raise();
    /// That exception; None where nobody has pressed anything.
    py::object exception() const { return met_ ? value_ : py::none(); }

private:
    bool met_ = false;
    py::object type_, value_, trace_;
};

}  // namespace tailback::python
