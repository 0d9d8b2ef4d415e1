// All routes to one destination at once: what every node does with a packet for it, and how that ends.
#pragma once

#include "host/model/routes/trace.hpp"

#include <span>
#include <vector>

namespace tailback {

/// The rows of a network (places where routes start or pass: all nodes, then the extra ones given, sources whose first
/// link is fixed) and what each does with packets for one destination.

class RouteTree {
public:
    struct ExtraRow {
        Link first;  ///< none = a source without cable
    };
    /// What a row does: fate of a packet that starts there, the link it takes, and how many links are left.
    struct Step {
        Fate fate = Fate::unreachable;
        Link link;               ///< none when it fails
        std::uint32_t left = 0;  ///< links to the end, this one included
    };

    RouteTree(Fabric const& fabric, std::vector<ExtraRow> const& extra);

    std::size_t rows() const { return met_.size(); }
    static std::uint32_t row_of(Node node) { return node.value; }

    /// Resolves the routes from all `starts` to `destination`. O(rows passed): the routes form a tree.
    void resolve(Host destination, std::span<std::uint32_t const> starts);
    /// Of a row passed in the last `resolve`.
    Step const& operator[](std::uint32_t row) const { return steps_[row]; }
    /// Rows passed in the last `resolve`.
    std::vector<std::uint32_t> const& passed() const { return passed_; }

private:
    Link link_from(std::uint32_t row, Lid lid) const;

    Fabric const& fabric_;
    std::vector<ExtraRow> const& extra_;
    std::uint32_t turn_ = 0;
    std::vector<std::uint32_t> met_;  // by row: turn * 2 when on the path, + 1 when done
    std::vector<Step> steps_;
    std::vector<std::uint32_t> path_, passed_;
};

}  // namespace tailback
