// What switches send each other, as whole numbers: the demand that a bound of loads is for.
#pragma once

#include "host/search/switch_graph.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace tailback::search {

/// So much from one seat to another.
struct SeatFlow {
    std::uint32_t from = 0, to = 0;  ///< seats
    std::uint64_t amount = 1;
};

/// Between seats at one switch nothing counts: it takes no link between switches.
class Demand {
public:
    struct Part {
        std::uint32_t from;  ///< a switch
        std::uint64_t amount;
    };

    /// 1 from every seat to every LID of every seat at another switch.
    static Demand all_pairs(SwitchGraph const& graph);
    /// Flows between the same switches are summed.
    static Demand of_flows(SwitchGraph const& graph, std::span<SeatFlow const> flows);
    /// By destination, then source, which differ.
    using Sums = std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t>;
    static Demand of_sums(std::uint32_t switches, Sums const& sums);

    /// What goes to the seats at a switch, by source switch, in their order; nothing from the switch itself.
    std::span<Part const> to(std::uint32_t destination) const {
        return std::span(parts_).subspan(first_[destination], first_[destination + 1] - first_[destination]);
    }
    std::uint64_t total() const { return total_; }

private:
    std::vector<Part> parts_;
    std::vector<std::size_t> first_;
    std::uint64_t total_ = 0;
};

/// LIDs of a seat's host.
std::uint32_t lids_of(SwitchGraph const& graph, std::uint32_t seat);

}  // namespace tailback::search
