// Max-min rates of the flows of a level, by one thread, where all links have the base rate: the numbers of
// SharedLinks, with less work.
//
// What:  a pass gives their rate to all flows of every link that is a local bottleneck: none of its open flows has a
//        link with a smaller share. Those that are left are looked at again, with what their links have left.
// Why so: a link's share never falls when flows with no larger rate are taken off it. So nothing freezes the flows of
//        a local bottleneck before it does, and the least share of all need not be waited for. Most flows have their
//        rate after one pass, by counts of flows alone.
// Needs: shares are rounded down, and what a division leaves over may let a link that ties with another have a unit
//        more when that one comes first. Then two rates are nearer to each other than a link has flows: such a level is
//        not told.
#pragma once

#include "kernels/evaluate/problem.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace tailback::kernels {

class LocalBottlenecks {
public:
    /// So many flows of a rate. A rate may come several times.
    struct Rate {
        std::uint64_t rate, flows;
    };
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
        ++open_[slot];
    }
    /// The rows of flows, one after the other.
    template <std::uint32_t places>
    class Rows {
    public:
        explicit Rows(LocalBottlenecks& to)
            : to_(to), open_(to.open_.data()), row_(to.entries_.data()), padding_(to.padding_) {}
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
    /// @return false where the rates of SharedLinks may differ in their last units. @throws Stopped; of no use then
    bool find_rates();
    /// After find_rates.
    std::span<Rate const> rates() const { return rates_; }

private:
    static constexpr std::size_t known_rates = 64;

    /// places: of rows; 0: lists.
    template <std::uint32_t places>
    auto links_of(std::uint32_t flow) const {
        if constexpr (places == 0) return std::span(entries_.data() + first_[flow], entries_.data() + first_[flow + 1]);
        else return std::span<std::uint32_t const, places>(entries_.data() + std::size_t{flow} * places, places);
    }
    void note(std::uint64_t rate);
    template <std::uint32_t places>
    void find_rates_of();
    template <std::uint32_t places>
    std::uint32_t find_beaten();
    void prepare_counts(std::uint32_t most);
    template <std::uint32_t places>
    void settle_by_counts();
    void note_counts();
    template <std::uint32_t places>
    void take_settled_off();
    template <std::uint32_t places>
    void find_shares();
    template <std::uint32_t places>
    void settle_by_shares();
    void clear_links();
    bool are_apart();

    std::uint64_t const unit_;
    std::uint32_t const padding_;         ///< the first of the slots that stand for no link
    std::uint32_t places_ = 0;            ///< of a row; 0: lists
    std::uint32_t flows_ = 0, used_ = 0;  ///< of the next two; used_: of lists
    std::vector<std::uint32_t> first_,
        entries_;  ///< by flow the first of its entries (lists alone): slots of its links
    // By slot; 0 between levels, but for padding.
    std::vector<std::uint32_t> open_;              ///< flows without a rate
    std::vector<std::uint8_t> beaten_;             ///< whether one of its flows has a link with more; of padding: 1
    std::vector<std::uint64_t> taken_;             ///< by flows that have a rate
    std::vector<std::uint64_t> share_;             ///< of an open flow; 0: not known
    std::vector<std::uint64_t> least_;             ///< the least share of a link of one of its open flows
    std::vector<std::uint32_t> most_;              ///< by flow: of its links; then settled by so many, or 0
    std::vector<std::uint64_t> rate_of_count_;     ///< by flows of a link; 0 of 0
    std::vector<std::uint64_t> settled_of_count_;  ///< flows that have this rate; 0 between levels
    std::vector<std::uint32_t> waiting_;           ///< open flows
    std::vector<std::pair<std::uint32_t, std::uint64_t>> settled_;  ///< those with a rate of the last pass
    std::vector<std::uint32_t> links_;                              ///< of open flows
    std::vector<Rate> rates_;
    std::vector<std::uint64_t> sorted_;
    std::array<std::uint32_t, known_rates> place_{};  ///< in rates_, by a digest of the rate
};

}  // namespace tailback::kernels
