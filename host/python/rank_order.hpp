// Orders of ranks that were searched, and the values of commands that give one, as Python holds them.
#pragma once

#include "host/study/plan/study_plan.hpp"

#include <pybind11/pybind11.h>

#include <memory>
#include <string>

namespace tailback::python {

/// Writes a mapping for a launcher. @param owner of the plan. @param words `FORM:PATH`. @throws InputError
void save_mapping(std::shared_ptr<void const> const& owner, study::StudyPlan const& plan, std::uint64_t mapping,
                  std::string const& words);

void declare_rank_orders(pybind11::module_& module);

}  // namespace tailback::python
