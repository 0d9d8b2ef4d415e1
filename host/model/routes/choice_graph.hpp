// A fabric with candidate sets, renumbered for whole-fabric work: groups of ports and what lies behind them, and
// destinations that every switch treats alike.
#pragma once

#include "host/model/routes/candidate_sets.hpp"
#include "host/model/routes/forwarding.hpp"
#include "host/model/routes/next_hop.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace tailback::model {

/// Which choices switches have: those of their candidate sets, or the static entries alone.
enum class ChoicesOf : std::uint8_t { sets, static_entries };

/// Rows are those of Forwarding. A group is a set of ports of a row; a row's entry for a destination is a group, or one
/// of the marks. A set without a port leaves the static entry in force.
class ChoiceGraph {
public:
    static constexpr std::uint32_t no_way = 0xFFFFFFFFu;   ///< the row drops packets for the destination
    static constexpr std::uint32_t arrived = 0xFFFFFFFEu;  ///< the destination's own row, which forwards
    static constexpr std::uint32_t exit = 0xFFFFFFFDu;     ///< by the cable to the destination, a member's own
    static bool is_mark(std::uint32_t group) { return group >= exit; }

    struct Option {
        Link link;  ///< none = nothing is plugged in
        kernels::Target target = kernels::nothing;
        Port port = 0;
    };
    struct Member {
        Destination to;
        Link exit;  ///< from the class's exit row
    };
    /// Destinations with equal entries at all rows but one, where each leaves by its own cable.
    struct Class {
        std::uint32_t first = 0, count = 0;        ///< of its members
        std::uint32_t exit_row = kernels::no_row;  ///< none: a class of one member, whose entries are as they are
        std::uint64_t column = 0;                  ///< where its column begins
    };

    /// `hosts` are the destinations, at all their LIDs. The forwarding must outlive it.
    /// @throws InputError where it takes more memory than there is.
    ChoiceGraph(Forwarding const& forwarding, ChoicesOf what, std::span<Host const> hosts);

    Forwarding const& forwarding() const { return forwarding_; }
    std::uint32_t rows() const { return forwarding_.rows(); }
    std::uint32_t groups() const { return static_cast<std::uint32_t>(first_option_.size()) - 1; }
    std::span<Option const> options(std::uint32_t group) const {
        return {options_.data() + first_option_[group], options_.data() + first_option_[group + 1]};
    }
    std::span<Class const> classes() const { return classes_; }
    std::span<Member const> members(Class const& one) const { return {members_.data() + one.first, one.count}; }
    /// By row: a group or a mark.
    std::span<std::uint32_t const> column(Class const& one) const { return {columns_.data() + one.column, rows()}; }
    /// The class of a host's base LID and its member there; none: it is no destination.
    std::uint32_t class_of(Host host) const { return class_of_[host.value]; }
    std::uint32_t member_of(Host host) const { return member_of_[host.value]; }
    static constexpr std::uint32_t none = 0xFFFFFFFFu;

    /// True when an option of a class's group leads to this destination.
    bool delivers(Option const& option, Member const& member) const {
        return (option.target & kernels::arrival_bit) != 0 && option.target < kernels::foreign_port &&
               (option.target & ~kernels::arrival_bit) == forwarding_.arrival_of(member.to.host);
    }
    /// The entry of a row for a LID as it is: a group or a mark.
    std::uint32_t entry(std::uint32_t row, Destination const& to);

private:
    std::uint32_t add_group(std::uint32_t row, std::span<Port const> ports);
    std::uint32_t single(std::uint32_t row, Port port);
    /// Fills `column_`; the exit row where the destination leaves all others alike by one cable, else no_row.
    std::uint32_t read_column(Destination const& to, Link& exit);
    void classify(std::span<Destination const> destinations);

    Forwarding const& forwarding_;
    CandidateSets const* sets_;
    std::vector<std::uint32_t> first_option_ = {0};
    std::vector<Option> options_;
    std::vector<std::vector<std::uint32_t>> group_of_set_;  // [row][group]
    std::vector<std::uint32_t> single_;                     // [row][port]
    std::vector<std::uint32_t> column_;
    std::vector<Class> classes_;
    std::vector<Member> members_;
    std::vector<std::uint32_t> columns_;
    std::vector<std::uint32_t> class_of_, member_of_;
};

/// All choices towards one class of destinations, from the rows where packets may be.
class ChoiceWalk {
public:
    explicit ChoiceWalk(ChoiceGraph const& graph);

    /// Finds what all choices from these rows on come to.
    void grow(ChoiceGraph::Class const& one, std::span<std::uint32_t const> starts);

    bool met(std::uint32_t row) const { return state_[row] != 0; }
    /// Rows that were met, every one before those that its choices lead to; not so where choices run in a circle.
    std::vector<std::uint32_t> const& order() const { return order_; }
    /// A bit for every Fate that some choice from here on comes to.
    std::uint8_t fates(std::uint32_t row) const { return fates_[row]; }
    bool always_delivered(std::uint32_t row) const { return fates_[row] == 1u << unsigned(Fate::delivered); }
    /// Links from here to the destination at least and at most, host links left out (but that which leads to it); of
    /// rows that are always delivered.
    std::uint32_t shortest(std::uint32_t row) const { return shortest_[row]; }
    std::uint32_t longest(std::uint32_t row) const { return longest_[row]; }
    static constexpr std::uint8_t bit(Fate fate) { return static_cast<std::uint8_t>(1u << unsigned(fate)); }

private:
    void visit(std::uint32_t start);
    void judge();
    void judge_circles();
    std::uint8_t fate_of(std::uint32_t row) const;
    void measure(std::uint32_t row);

    ChoiceGraph const& graph_;
    std::vector<std::uint8_t> state_, fates_;
    std::vector<std::uint32_t> order_, shortest_, longest_;
    struct Step {
        std::uint32_t row, next;
    };
    std::vector<Step> stack_;
    std::span<std::uint32_t const> column_;
    ChoiceGraph::Member const* member_ = nullptr;
    bool circular_ = false;
};

}  // namespace tailback::model
