// The extension module tailback._native: thin, as the Python package in front of it gives things their shape.
#include "host/base/error.hpp"
#include "host/options/option.hpp"
#include "host/python/apart.hpp"
#include "host/python/audits.hpp"
#include "host/python/bracket.hpp"
#include "host/python/fabric.hpp"
#include "host/python/rank_order.hpp"
#include "host/python/study.hpp"
#include "version.hpp"

#include <pybind11/stl.h>

#include <exception>
#include <new>

namespace {

/// tailback.InputError with its file and line.
void translate(std::exception_ptr const& thrown) {
    try {
        if (thrown) std::rethrow_exception(thrown);
    } catch (tailback::base::InputError const& error) {
        namespace py = pybind11;
        py::object const type = py::module_::import("tailback._errors").attr("InputError");
        py::object const value = type(error.what());
        value.attr("file") = error.place().file.empty() ? py::object(py::none()) : py::str(error.place().file);
        value.attr("line") = error.place().line == 0 || error.place().file.empty() ? py::object(py::none())
                                                                                   : py::int_(error.place().line);
        value.attr("option") = error.option().empty() ? py::object(py::none()) : py::str(error.option());
        PyErr_SetObject(type.ptr(), value.ptr());
    }
}

/// Options that say which network it is, and how it is routed: a fabric that is made has its own.
std::vector<std::string> network_options() {
    using namespace tailback::options;
    std::vector<std::string> names;
    for (Option const* const option : options_of(evaluate))
        if (option->stage <= Stage::routes || std::string_view(option->name) == "aggregation-nodes")
            names.emplace_back(option->name);
    return names;
}

}  // namespace

PYBIND11_MODULE(_native, module) {
    if (PyInterpreterState_Get() != PyInterpreterState_Main())
        throw pybind11::import_error("tailback does not run in a sub-interpreter; use a process of its own");
    pybind11::register_exception_translator([](std::exception_ptr thrown) { translate(thrown); });
    module.attr("version") = tailback::version;
    module.attr("network_options") = network_options();
    module.def("in_main_interpreter", [] { return PyInterpreterState_Get() == PyInterpreterState_Main(); });
    tailback::python::end_work_at_exit(module);
    tailback::python::declare_fabric(module);
    tailback::python::declare_study(module);
    tailback::python::declare_brackets(module);
    tailback::python::declare_audits(module);
    tailback::python::declare_rank_orders(module);
}
