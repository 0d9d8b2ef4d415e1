// Links from one switch to another, taken together: flows that may divide load all of a bundle's links alike.
#pragma once

#include "host/search/bounds/capacity_graph.hpp"
#include "host/search/switch_graph.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace tailback::search {

/// By which ways a bound lets flows go: by as few links as today's distances have, or by any.
enum class BoundRoutes : std::uint8_t { shortest, any };

struct Bundle {
    std::uint32_t from = 0, to = 0;         ///< switches
    double capacity = 0;                    ///< of all its links
    std::uint64_t units = 0;                ///< the same, see Bundles::unit
    std::vector<std::uint32_t> costs = {};  ///< Arc::cost of each link; none of vertices that are no switches
};

/// By `from`, then `to`.
class Bundles {
public:
    explicit Bundles(SwitchGraph const& graph);
    /// The vertices of others in place of switches; parallel edges are a bundle of one link.
    Bundles(std::uint32_t vertices, std::span<CapacityGraph::Edge const> edges);

    SwitchGraph const& graph() const { return *graph_; }  ///< needs: they are of switches
    std::uint32_t switches() const { return static_cast<std::uint32_t>(first_.size() - 1); }
    /// A capacity is `units` x denominator / unit, all whole numbers.
    std::uint64_t unit() const { return unit_; }
    std::uint64_t denominator() const { return denominator_; }
    std::span<Bundle const> all() const { return all_; }
    Bundle const& operator[](std::uint32_t bundle) const { return all_[bundle]; }
    std::uint32_t of_arc(std::uint32_t arc) const { return of_arc_[arc]; }
    /// As if one more cable like the bundle's first lay beside it, both ways where the bundle has a way back.
    void add_cable(std::uint32_t bundle);
    /// From `to` back to `from`; SwitchGraph::none where no link leads there.
    std::uint32_t reverse(std::uint32_t bundle) const;
    /// Those that leave a switch: first(s) .. first(s + 1) - 1.
    std::uint32_t first(std::uint32_t s) const { return first_[s]; }
    /// Numbers of those that lead to a switch.
    std::span<std::uint32_t const> into(std::uint32_t s) const {
        return std::span(into_).subspan(first_into_[s], first_into_[s + 1] - first_into_[s]);
    }

    /// Switches from which a way leads to `to`, nearest first, beginning with itself; `distance`, by switch, in links.
    std::vector<std::uint32_t> nearest_first(std::uint32_t to, std::vector<std::uint32_t>& distance) const;

private:
    void add_link(Bundle& bundle, std::uint32_t cost);
    void find_into();

    SwitchGraph const* graph_ = nullptr;
    std::uint64_t unit_ = 1, denominator_ = 1;
    std::vector<Bundle> all_;
    std::vector<std::uint32_t> of_arc_, first_, into_, first_into_;
};

}  // namespace tailback::search
