// Routes made for some destinations at a time and then forgotten: what forwarding tables hold, column by column.
#pragma once

#include "topologies/forwarding_graph.hpp"
#include "topologies/routings/candidates.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace tailback::topologies {

/// Who asks for routes: tables want them all; flows between hosts few, so that what can be found when it is asked for
/// is.
enum class DestinationTreesTo : std::uint8_t { fill_tables, route_flows };
struct DestinationTreesFor {
    DestinationTreesTo to = DestinationTreesTo::fill_tables;
    unsigned threads = 0;  ///< 0 = all cores; no choice depends on it
};

/// One pass over all destinations, from the first forwarder's to the last one's. A routing that balances makes its
/// choices in that order, so every pass gives the same routes.
class DestinationTrees {
public:
    DestinationTrees(ForwardingGraph const& graph, DestinationTreesFor const& what);
    virtual ~DestinationTrees() = default;
    DestinationTrees(DestinationTrees const&) = delete;
    DestinationTrees& operator=(DestinationTrees const&) = delete;

    /// Goes on to the next destinations; false when there are no more.
    bool next();
    /// The destinations of the moment: first() .. last()-1 of ForwardingGraph::destinations, those of first_target() ..
    /// last_target()-1.
    std::uint32_t first() const { return graph_.first_destination[first_target_]; }
    std::uint32_t last() const { return graph_.first_destination[last_target_]; }
    std::uint32_t first_target() const { return first_target_; }
    std::uint32_t last_target() const { return last_target_; }
    /// The arc by which forwarder v sends to destination d of target t of the moment, another forwarder; none = no way.
    virtual std::uint32_t arc(std::uint32_t v, std::uint32_t t, std::uint32_t d) const;

protected:
    static constexpr std::uint16_t no_path = 0xFFFF;
    static constexpr std::uint32_t most_targets = 64;

    ForwardingGraph const& graph() const { return graph_; }
    DestinationTreesTo to() const { return to_; }
    unsigned threads() const { return threads_; }
    /// Choices of forwarder v for the destinations of the moment, as arcs counted from its first one.
    std::span<std::uint16_t> row(std::uint32_t v) {
        return {chosen_.data() + std::size_t{v} * (last() - first()), last() - first()};
    }
    /// No way from anywhere.
    void clear_rows() {
        for (std::uint32_t v = 0; v < graph().size(); ++v)
            for (std::uint16_t& chosen : row(v)) chosen = no_path;
    }
    /// How many targets `make` takes at most, 1 .. most_targets.
    virtual std::uint32_t targets_at_once() = 0;
    /// Prepares what `arc` answers with: fills every row, unless `arc` does without.
    virtual void make() = 0;
    virtual bool has_rows() const { return true; }

private:
    bool is_wanted(std::uint32_t target) const;

    ForwardingGraph const& graph_;
    DestinationTreesTo to_;
    unsigned threads_;
    std::uint32_t first_target_ = 0, last_target_ = 0;
    std::vector<std::uint16_t> chosen_;  // [forwarder][destination of the moment]
};

/// What all passes of `trees` give, as tables.
model::ForwardingTables tables_of(ForwardingGraph const& graph, model::Network const& network, DestinationTrees& trees);

/// What choices have in common. One is called with a forwarder v, some of its arcs and the destinations of a target,
/// and gives an arc for each of these, counted from v's first one. It is called for the targets of a forwarder in their
/// order, for two forwarders perhaps at the same time.
class ArcChoice {
public:
    static constexpr bool remembers = false;  ///< choices depend on earlier ones
    explicit ArcChoice(ForwardingGraph const& graph) : graph_(graph) {}

protected:
    std::uint16_t from_first(std::uint32_t v, std::uint32_t arc) const {
        return static_cast<std::uint16_t>(arc - graph_.first_arc[v]);
    }

private:
    ForwardingGraph const& graph_;
};

/// The arc that has been chosen for the fewest hosts, the first of equals.
class LeastLoaded final : public ArcChoice {
public:
    static constexpr bool remembers = true;
    explicit LeastLoaded(ForwardingGraph const& graph) : ArcChoice(graph), load_(graph.arcs.size()) {}
    void operator()(std::uint32_t v, std::span<std::uint32_t const> arcs,
                    std::span<ForwardingGraph::Destination const> to, std::uint16_t* chosen);

private:
    std::vector<std::uint32_t> load_;
};

/// DestinationTrees target by target: `find(target, candidates)`, then `choose` for every forwarder on the way.
template <class Find, class Choose>
class DestinationTreesByTarget final : public DestinationTrees {
public:
    DestinationTreesByTarget(ForwardingGraph const& graph, DestinationTreesFor const& what, Find find, Choose choose)
        : DestinationTrees(graph, what), find_(std::move(find)), choose_(std::move(choose)) {}

private:
    std::uint32_t targets_at_once() override { return 1; }
    void make() override {
        clear_rows();
        candidates_.clear();
        find_(first_target(), candidates_);
        std::span const to(graph().destinations.data() + first(), graph().destinations.data() + last());
        for (std::size_t i = 0; i < candidates_.order.size(); ++i)
            choose_(candidates_.order[i], candidates_.of(i), to, row(candidates_.order[i]).data());
    }

    Find find_;
    Choose choose_;
    Candidates candidates_;
};

}  // namespace tailback::topologies
