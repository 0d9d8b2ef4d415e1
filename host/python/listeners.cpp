#include "host/python/listeners.hpp"

#include "host/python/apart.hpp"
#include "kernels/cpu/machine/stop.hpp"

namespace tailback::python {

api::Listener listener() {
    auto const tell = [desk = Desk::here()](std::function<void()> call) {
        if (desk) desk->ask(std::move(call));
    };
    return {
        .note =
            [tell](std::string const& text) {
                tell([text] { py::module_::import("logging").attr("getLogger")("tailback").attr("info")("%s", text); });
            },
        .warn =
            [tell](std::string const& text) {
                tell([text] {
                    py::module_ const ours = py::module_::import("tailback._errors");
                    py::module_::import("warnings").attr("warn")(text, ours.attr("InputWarning"), 3);
                });
            }};
}

std::function<void(std::uint64_t)> teller(py::object const& callback) {
    if (callback.is_none()) return nullptr;
    return [called = py::handle(callback)](std::uint64_t number) {
        if (auto const desk = Desk::here()) desk->ask([called, number] { called(number); });
    };
}

std::function<void(std::uint64_t)> stopping_teller(py::handle callback) {
    if (callback.is_none()) return nullptr;
    return [callback, desk = Desk::here()](std::uint64_t number) {
        try {
            desk->ask([callback, desk, number] {
                if (callback(number).is(py::bool_(false))) desk->stop();
            });
        } catch (kernels::Stopped const&) {
            desk->stop();
        }
    };
}

bool Interruption::look() {
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
