// How many routes of tables share links and turns: of all pairs of hosts, of one source, of one destination.
#pragma once

#include "host/model/tables.hpp"
#include "host/search/switch_graph.hpp"

#include <cstdint>
#include <vector>

namespace tailback::search {

/// Of the flows of a mapping of `bisect` over one arc.
struct FlowMoments {
    double mean = 0;
    double pairs = 0;  ///< mean of n (n - 1): the second factorial moment
};

/// Between the seats of a graph, to base LIDs. A turn is a link between switches and the one that a route takes next.
class SharedRoutes {
public:
    SharedRoutes(SwitchGraph const& graph, model::ForwardingTables const& tables);
    static std::uint64_t bytes(SwitchGraph const& graph);

    bool all_delivered() const { return all_delivered_; }
    /// The arc by which a switch sends to a seat at another one; `none` where it has none.
    std::uint32_t next(std::uint32_t at, std::uint32_t seat) const;

    std::uint64_t pairs(std::uint32_t arc) const { return pairs_[arc]; }
    std::uint64_t turning(std::uint32_t arc, std::uint32_t then) const { return turning_[turn(arc, then)]; }
    /// Sums of squares over sources, and over destinations, of their pairs over an arc.
    double source_squares(std::uint32_t arc) const { return source_squares_[arc]; }
    double destination_squares(std::uint32_t arc) const { return destination_squares_[arc]; }
    /// Two flows that share a source or a destination are never both there; each two others with the same chance.
    FlowMoments moments(std::uint32_t arc) const;
    /// Pairs towards a seat that pass a switch, or leave it.
    std::uint32_t of_destination(std::uint32_t at, std::uint32_t seat) const {
        return passing_[std::size_t(seat) * graph_.switches() + at];
    }

    /// From now on `of_source` is of each host at this switch.
    void count_from(std::uint32_t s);
    std::uint32_t of_source(std::uint32_t arc) const { return of_source_[arc]; }
    std::uint32_t of_source(std::uint32_t arc, std::uint32_t then) const { return source_turning_[turn(arc, then)]; }

private:
    void count_to(std::uint32_t seat);
    std::size_t turn(std::uint32_t arc, std::uint32_t then) const {
        return first_turn_[arc] + then - graph_.first_arc(graph_[arc].to);
    }

    SwitchGraph const& graph_;
    model::ForwardingTables const& tables_;
    bool all_delivered_ = true;
    std::vector<std::uint64_t> pairs_, turning_;
    std::vector<double> source_squares_, destination_squares_;
    std::vector<std::uint32_t> passing_;                     // [seat][switch]
    std::vector<std::uint32_t> of_source_, source_turning_;  // by arc, by turn
    std::vector<std::size_t> first_turn_, first_port_;
    std::vector<std::uint32_t> arc_at_;  // [switch][port]
};

}  // namespace tailback::search
