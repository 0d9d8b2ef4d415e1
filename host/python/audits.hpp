// Audits, comparisons and sweeps, as Python holds them.
#pragma once

#include <pybind11/pybind11.h>

namespace tailback::python {

void declare_audits(pybind11::module_& module);

}  // namespace tailback::python
