// Brackets of adaptive routing, as Python holds them.
#pragma once

#include <pybind11/pybind11.h>

namespace tailback::python {

void declare_brackets(pybind11::module_& module);

}  // namespace tailback::python
