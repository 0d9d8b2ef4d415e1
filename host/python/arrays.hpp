// numpy arrays over memory that C++ owns: nothing is copied, and the owner lives as long as an array does.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace tailback::python {

namespace py = pybind11;

/// A read-only view of `count` numbers that lie `stride` bytes apart.
template <class Number, class Owner>
py::array view_of(std::shared_ptr<Owner> owner, Number const* first, std::size_t count,
                  std::size_t stride = sizeof(Number)) {
    auto* const kept = new std::shared_ptr<Owner>(std::move(owner));
    py::capsule const base(kept, [](void* pointer) { delete static_cast<std::shared_ptr<Owner>*>(pointer); });
    py::array array(py::dtype::of<Number>(), {py::ssize_t(count)}, {py::ssize_t(stride)}, first, base);
    array.attr("setflags")(py::arg("write") = false);
    return array;
}

/// Whoever makes one of the class without its parts (`__new__`, a copy) gets a TypeError: functions of the module make
/// them.
inline void refuse_new(py::handle made) {
    made.attr("__new__") =
        py::module_::import("builtins")
            .attr("staticmethod")(py::cpp_function([](py::handle type, py::args const&, py::kwargs const&) {
                throw py::type_error(type.attr("__name__").cast<std::string>() +
                                     " cannot be made like this (it would have no parts); call tailback.make or "
                                     "tailback.read, and methods of what they return");
            }));
    // Nor by `__new__` of the class below it, which is not safe for a class that has another.
    reinterpret_cast<PyTypeObject*>(made.ptr())->tp_new = [](PyTypeObject* type, PyObject*, PyObject*) -> PyObject* {
        PyErr_Format(PyExc_TypeError, "%s cannot be made like this (it would have no parts); call tailback.make",
                     type->tp_name);
        return nullptr;
    };
}

/// An array that owns the numbers it is given.
template <class Number>
py::array array_of(std::vector<Number> numbers) {
    auto const owner = std::make_shared<std::vector<Number> const>(std::move(numbers));
    return view_of(owner, owner->data(), owner->size());
}

}  // namespace tailback::python
