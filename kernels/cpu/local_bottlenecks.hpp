// Max-min rates of the flows of a level, by one thread, where all links have the base rate: the numbers of
// SharedLinks, with less work. Flows come with their links one by one, or as rows of the stages.
#pragma once

#include "kernels/cpu/bottleneck_rates.hpp"
#include "kernels/cpu/level_rows.hpp"
#include "kernels/evaluate/problem.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tailback::kernels {

class LocalBottlenecks {
public:
    using Rate = FlowsOfRate;
    /// Rows of links have at most so many places.
    static constexpr std::uint32_t most_places = 10;

    /// Needs: capacities are alike.
    explicit LocalBottlenecks(Problem const& problem);

    /// Forgets the flows of before. @param flows at most so many follow
    /// @param places of the row of links that each of them has; 0: they have lists of any length
    void begin_level(std::size_t flows, std::uint32_t places = 0);
    /// The next flow of those with lists; its links follow.
    void add_flow() { first_[flows_++] = used_; }
    void add_link(std::uint32_t slot) {
        if (used_ == entries_.size()) entries_.resize(2 * entries_.size());
        entries_[used_++] = slot;
        ++by_links_.open()[slot];
    }
    /// The rows of flows, one after the other.
    template <std::uint32_t places>
    class Rows {
    public:
        explicit Rows(LocalBottlenecks& to)
            : to_(to), open_(to.by_links_.open()), row_(to.entries_.data()), padding_(to.padding_) {}
        Rows(Rows const&) = delete;
        Rows& operator=(Rows const&) = delete;
        ~Rows() { to_.flows_ = static_cast<std::uint32_t>((row_ - to_.entries_.data()) / places); }

        /// The next place of the row that is begun. @param padding the slot that stands for no link
        void put(std::uint32_t place, std::uint32_t slot, std::uint32_t padding) {
            row_[place] = slot == padding ? padding_ + place : slot;
        }
        /// All places of the row have their slots.
        void end_row() {
            for (std::uint32_t k = 0; k < places; ++k) ++open_[row_[k]];
            row_ += places;
        }

    private:
        LocalBottlenecks& to_;
        std::uint32_t* const open_;
        std::uint32_t* row_;
        std::uint32_t const padding_;
    };
    /// In place of begin_level and what follows: the rows that were found last. They stay until find_rates.
    void take_rows(stages::LevelRows const& rows) { stage_rows_ = &rows; }

    /// @return false where the rates of SharedLinks may differ in their last units. @throws Stopped; of no use then
    bool find_rates();
    /// After find_rates.
    std::span<Rate const> rates() const { return by_rows_ ? in_rows_.rates() : by_links_.rates(); }

private:
    template <std::uint32_t places>
    bool find_rates_of();
    std::uint32_t find_most_of_rows(stages::LevelRows const& rows);
    bool find_rates_of_rows(stages::LevelRows const& rows);

    std::uint32_t const padding_;         ///< the first of the slots that stand for no link
    std::uint32_t places_ = 0;            ///< of a row; 0: lists
    std::uint32_t flows_ = 0, used_ = 0;  ///< of the next two; used_: of lists
    std::vector<std::uint32_t> first_,
        entries_;  ///< by flow the first of its entries (lists alone): slots of its links
    BottleneckRates<std::uint32_t> by_links_;
    BottleneckRates<std::uint16_t> in_rows_;
    stages::LevelRows const* stage_rows_ = nullptr;
    bool by_rows_ = false;                  ///< whose rates
    std::vector<std::uint64_t> no_shares_;  ///< what RowLinks asks for
};

}  // namespace tailback::kernels
