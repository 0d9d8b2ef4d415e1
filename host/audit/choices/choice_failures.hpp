// Where some choice of adaptive routing fails although the static entries do not: dead ends, circles, wrong hosts, each
// once, with the choices that lead there.
#pragma once

#include "host/audit/failures/detour.hpp"
#include "host/audit/findings/finding.hpp"
#include "host/model/routes/choice_graph.hpp"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace tailback::audit {

/// Collects them class by class; one for each thread, added up in the order of classes.
class ChoiceFailures {
public:
    explicit ChoiceFailures(model::ChoiceGraph const& graph) : graph_(&graph) {}

    /// @param starts rows where packets enter @param senders by row, how many
    void add(model::ChoiceGraph::Class const& one, model::ChoiceWalk const& walk, std::span<std::uint32_t const> starts,
             std::vector<std::uint32_t> const& senders);
    void add(ChoiceFailures const& more);
    struct Failure {
        Finding finding;
        std::vector<model::Node> switches;  ///< where it is: one, or those of a circle
    };
    std::vector<Failure> failures() const;

private:
    /// A port of a row (0: the row itself, which has no entry), or a circle of them.
    struct Place {
        model::Fate fate;
        std::vector<Step> at;
        auto operator<=>(Place const&) const = default;
    };
    struct Trouble {
        std::uint64_t pairs = 0;
        std::vector<model::Lid> lids;
        std::string way;  ///< the choices that lead there, of the first destination
    };
    class StaticFailures;  // in choice_failures.cpp
    void note(Place place, model::ChoiceGraph::Class const& one, std::uint64_t pairs,
              std::span<std::uint32_t const> column, std::span<std::uint32_t const> starts);
    Place circle_through(std::uint32_t row, std::span<std::uint32_t const> column, model::ChoiceWalk const& walk) const;
    std::string way_to(std::uint32_t row, std::span<std::uint32_t const> column,
                       std::span<std::uint32_t const> starts) const;
    std::string port_text(std::uint32_t row, model::Port port) const;
    Code code_of(Place const& place) const;
    std::string text_of(Place const& place) const;

    model::ChoiceGraph const* graph_;
    std::map<Place, Trouble> found_;
};

}  // namespace tailback::audit
