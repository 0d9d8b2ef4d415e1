// Candidate sets: for a switch and a destination LID, the group of ports of which any may be taken. Adaptive routing
// (NVIDIA's .far files) and equal-cost multipath are described by them; the static entry beside each is in the
// forwarding tables.
#pragma once

#include "host/model/network.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace tailback::model {

/// How a switch picks a port for a LID: the table's entry alone, any port of the group, or a hash over the group.
enum class LidState : std::uint8_t { fixed, free, hashed };

/// Who chooses: switches, packet by packet, as queues are (adaptive routing), or a hash of the flow among routes of
/// equal cost (ECMP).
enum class ChosenBy : std::uint8_t { switches, hash };

/// Groups belong to a switch and are numbered from 0 there; equal sets of ports are one group unless a file numbers
/// them apart. Entries are two bytes each, [switch][LID].
class CandidateSets {
public:
    using Group = std::uint16_t;
    static constexpr Group no_group = 0x7FFF;
    static constexpr std::size_t most_groups = 0x7FFE;
    static constexpr std::size_t most_places = 65'536;  ///< of a set with weights

    CandidateSets() = default;
    /// Of a network with `nodes` nodes, for LIDs 0 .. lids - 1. `words`: where they come from, for reports.
    CandidateSets(std::size_t nodes, std::size_t lids, std::string words, ChosenBy by = ChosenBy::switches);

    std::string const& words() const { return words_; }
    ChosenBy chosen_by() const { return by_; }
    std::size_t lids() const { return lids_; }
    void add_row(Node node);
    bool has_row(Node node) const { return node.value < row_.size() && row_[node.value] != no_row; }

    /// The group of a node with these ports; made where there is none. @throws InputError beyond most_groups.
    Group group_of(Node node, std::span<Port const> ports);
    /// A group that a file numbers `number`, whatever others there are.
    Group add_group(Node node, std::span<Port const> ports, std::uint32_t number);
    std::size_t groups(Node node) const { return has_row(node) ? rows_[row_[node.value]].number.size() : 0; }
    /// As they were given, which is the order in which a hash counts them; a port stands as often as its weight.
    std::span<Port const> ports(Node node, Group group) const;
    /// As a file numbers it, from 1 where there was no file.
    std::uint32_t number(Node node, Group group) const { return rows_[row_[node.value]].number[group]; }

    /// `node` has a row. A fixed entry has no group.
    void set(Node node, Lid lid, LidState state, Group group);
    Group group(Node node, Lid lid) const {
        return has_row(node) && lid < lids_ ? static_cast<Group>(entry(node, lid) & no_group) : no_group;
    }
    LidState state(Node node, Lid lid) const {
        if (group(node, lid) == no_group) return LidState::fixed;
        return (entry(node, lid) & hashed_bit) != 0 ? LidState::hashed : LidState::free;
    }

private:
    static constexpr std::uint32_t no_row = 0xFFFFFFFFu;
    static constexpr std::uint16_t hashed_bit = 0x8000;
    struct Row {
        std::vector<std::uint32_t> first = {0};  // ports of group g: first[g] .. first[g + 1]
        std::vector<Port> ports;
        std::vector<std::uint32_t> number;
        std::unordered_multimap<std::uint64_t, Group> by_hash;
    };
    std::uint16_t entry(Node node, Lid lid) const { return entries_[std::size_t{row_[node.value]} * lids_ + lid]; }

    std::string words_;
    ChosenBy by_ = ChosenBy::switches;
    std::size_t lids_ = 0;
    std::vector<std::uint32_t> row_;  // by node
    std::vector<Row> rows_;
    std::vector<std::uint16_t> entries_;
};

class ForwardingTables;
class Lags;
/// What nodes do that see which of their ports have a cable: sets lose the others, and so do entries that a hash goes
/// beside. What a member of a LAG took its other members take, in equal parts. A set or an entry that would have no
/// port stays as it is. @param lags null = there are none
/// @throws InputError where a set would have over 65,536 places.
void keep_cabled_ports(Network const& network, Lags const* lags, ForwardingTables& tables,
                       std::shared_ptr<CandidateSets const>& sets);

}  // namespace tailback::model
