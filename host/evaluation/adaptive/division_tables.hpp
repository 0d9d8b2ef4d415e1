// A SplitPlan as kernels read it.
#pragma once

#include "host/evaluation/adaptive/split_plan.hpp"
#include "kernels/division/division_view.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace tailback::evaluation {

class DivisionTables {
public:
    /// @param hosts of the study, by host index
    /// @throws InputError where it takes more memory than there is.
    DivisionTables(SplitPlan const& split, model::LinkCosts const& costs, std::span<model::Host const> hosts);
    DivisionTables(DivisionTables const&) = delete;

    kernels::DivisionView const& view() const { return view_; }

private:
    void list_hosts(std::span<model::Host const> hosts);
    void list_groups();
    void list_classes();
    void add_class(std::uint32_t one);
    void add_ahead(kernels::DivisionBundle& bundle);
    void point();

    SplitPlan const& split_;
    model::ChoiceGraph const& graph_;
    std::vector<std::uint32_t> cost_, class_of_host_, entry_of_host_, up_link_, exit_link_;
    std::vector<std::uint32_t> entry_rows_, entry_of_row_;
    std::vector<kernels::DivisionStart> start_;
    std::vector<std::uint32_t> first_bundle_;
    std::vector<kernels::DivisionBundle> bundles_;
    std::vector<kernels::DivisionStep> steps_;
    std::vector<std::uint32_t> pulls_;
    std::vector<kernels::DivisionAhead> ahead_;
    std::vector<std::uint32_t> first_port_, link_of_port_, target_of_port_, first_group_, group_of_link_;
    // Of the class that is being added.
    std::vector<std::uint32_t> bundle_of_row_, group_of_row_;
    std::vector<std::vector<std::uint32_t>> from_;  // by row: bundles that send to it
    kernels::DivisionView view_;
};

}  // namespace tailback::evaluation
