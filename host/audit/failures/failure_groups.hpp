// Failing routes in groups: by the entry that breaks them off, by the circle they run in.
#pragma once

#include "host/audit/failures/explain.hpp"
#include "host/model/routes/destination_tree.hpp"

#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tailback::audit {

/// Collects them tree after tree, LIDs ascending.
class FailureGroups {
public:
    explicit FailureGroups(model::Forwarding const& forwarding) : forwarding_(forwarding), mark_(forwarding.rows()) {}

    void add(model::DestinationTree const& tree);
    /// All groups, in the order of a report; without examples.
    Explanation take();

private:
    void add_broken_entries(model::DestinationTree const& tree);
    /// Who does not know a LID: `everybody` where two tables or more have no entry for it, `others` where of three or
    /// more its owner's switch alone has one.
    enum class Unknown { no, everybody, others };
    Unknown unknown_to(model::Lid lid) const;
    model::Node home_of(model::Lid lid) const;
    void add_unknown(model::DestinationTree const& tree, std::uint32_t row, Unknown to);
    void add_circles(model::DestinationTree const& tree);
    void drop_small_circles();

    model::Forwarding const& forwarding_;
    std::vector<std::uint32_t> mark_;  // [row] the round that saw it
    std::uint32_t round_ = 0;
    std::vector<BrokenEntry> entries_;
    std::unordered_map<std::uint64_t, std::size_t> entry_at_;  // row, port
    std::map<std::vector<Step>, Circle> circles_;
    std::map<std::tuple<std::uint32_t, model::Port, bool>, std::size_t> unknown_at_;  // node, port, known_to_itself
    Explanation result_;
};

}  // namespace tailback::audit
