// The links of every pair of a graph in one mapping, as far as they matter for what flows share.
//
// What:  a link all of whose pairs use another link, too, which is no faster, is left out: it never has less to give to
//        a flow than that one. So rates are the same to the last unit without it.
#pragma once

#include "host/simulation/graph.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace tailback::simulation {

enum class FlowFate : std::uint8_t { delivered, unreachable, loop, misdelivered, within_node, local };

class PairLinks {
public:
    /// @param slots of the problem @param keeps_all no link is left out
    PairLinks(std::uint32_t slots, bool keeps_all) : keeps_all_(keeps_all), number_of_slot_(slots, none) {}

    /// Forgets the pairs of before.
    void begin();
    /// The next pair, and the rank it leads to; its links follow in their order.
    void add_pair(FlowFate fate, std::uint32_t destination) {
        fate_.push_back(fate);
        destination_.push_back(destination);
        first_.push_back(static_cast<std::uint32_t>(entries_.size()));
    }
    /// Of the pair that was added last.
    void set_fate(FlowFate fate) { fate_.back() = fate; }
    void add_link(std::uint32_t slot, std::uint64_t capacity) {
        std::uint32_t& number = number_of_slot_[slot];
        if (number == none) {
            number = static_cast<std::uint32_t>(slot_.size());
            slot_.push_back(slot);
            capacity_.push_back(capacity);
        }
        entries_.push_back(number);
    }
    /// After the last pair.
    void end();

    FlowFate fate(std::uint32_t pair) const { return fate_[pair]; }
    std::uint32_t destination(std::uint32_t pair) const { return destination_[pair]; }
    /// Links of the whole route; the least capacity of one of them, the largest number without.
    std::uint32_t length(std::uint32_t pair) const { return length_[pair]; }
    std::uint64_t slowest(std::uint32_t pair) const { return slowest_[pair]; }
    /// Numbers of links that matter.
    std::span<std::uint32_t const> links(std::uint32_t pair) const {
        return {entries_.data() + first_[pair], last_[pair] - first_[pair]};
    }
    std::span<std::uint64_t const> capacities() const { return capacity_; }
    std::uint32_t slot(std::uint32_t link) const { return slot_[link]; }

private:
    void list_pairs();
    void leave_out_links();
    bool is_dominated(std::uint32_t link);

    bool const keeps_all_;
    std::vector<std::uint32_t> number_of_slot_;
    std::vector<FlowFate> fate_;
    std::vector<std::uint32_t> destination_, first_, last_, length_;
    std::vector<std::uint64_t> slowest_;
    std::vector<std::uint32_t> entries_;
    // By link.
    std::vector<std::uint32_t> slot_, first_pair_, pairs_, met_;
    std::vector<std::uint64_t> capacity_;
    std::vector<bool> left_out_;
};

}  // namespace tailback::simulation
