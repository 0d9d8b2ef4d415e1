#include "host/python/listeners.hpp"

namespace tailback::python {

api::Listener listener() {
    return {.note =
                [](std::string const& text) {
                    py::gil_scoped_acquire const gil;
                    py::module_::import("logging").attr("getLogger")("tailback").attr("info")("%s", text);
                },
            .warn =
                [](std::string const& text) {
                    py::gil_scoped_acquire const gil;
                    py::module_ const ours = py::module_::import("tailback._errors");
                    py::module_::import("warnings").attr("warn")(text, ours.attr("InputWarning"), 3);
                }};
}

bool Interruption::met() {
    if (met_) return true;
    py::gil_scoped_acquire const gil;
    if (PyErr_CheckSignals() == 0) return false;
    PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    type_ = py::reinterpret_steal<py::object>(type);
    value_ = py::reinterpret_steal<py::object>(value);
    trace_ = py::reinterpret_steal<py::object>(trace);
    return met_ = true;
}

void Interruption::take(py::error_already_set const& error) {
    type_ = error.type();
    value_ = error.value();
    trace_ = error.trace();
    met_ = true;
}

void Interruption::raise() {
    PyErr_Restore(type_.release().ptr(), value_.release().ptr(), trace_.release().ptr());
    throw py::error_already_set();
}

}  // namespace tailback::python
