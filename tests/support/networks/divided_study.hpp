// A study whose flows every switch divides equally among its candidate ports, with its network and all that executors
// of it need.
#pragma once

#include "bench/divided_study.hpp"
#include "tests/support/rooms.hpp"

#include <utility>

namespace tailback {

using bench::fabric_with_sets;

/// Made before what refers to it.
struct WholeStudy {
    WholeStudy(Fabric made, Study const& study) : fabric(std::move(made)), whole(make_plan(fabric, study)) {}
    Fabric fabric;
    StudyPlan whole;
};

struct DividedStudy : WholeStudy, bench::DividedPlan {
    /// @param link_cost (number of a link) -> what a unit costs there; null: what the network says
    explicit DividedStudy(Fabric made, Study const& study, std::uint32_t (*link_cost)(std::size_t) = nullptr)
        : WholeStudy(std::move(made), study), DividedPlan(whole, costs_of(fabric, study, link_cost), 1) {}

private:
    static LinkCosts costs_of(Fabric const& fabric, Study const& study, std::uint32_t (*link_cost)(std::size_t)) {
        LinkCosts found = link_costs(fabric.network, study.measures.capacities);
        for (std::size_t l = 0; link_cost != nullptr && l < fabric.network.links().size(); ++l)
            found.cost.push_back(link_cost(l));
        return found;
    }
};

}  // namespace tailback
