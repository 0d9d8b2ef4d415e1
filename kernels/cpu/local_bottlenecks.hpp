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
#include <vector>

namespace tailback::kernels {

class LocalBottlenecks {
public:
    /// So many flows of a rate. A rate may come several times.
    struct Rate {
        std::uint64_t rate, flows;
    };

    /// Needs: capacities are alike.
    explicit LocalBottlenecks(Problem const& problem);

    /// Forgets the flows of before.
    void begin_level();
    /// The next flow; its links follow.
    void add_flow() {
        if (flows_ + 1 >= first_.size()) first_.resize(2 * first_.size());
        first_[flows_++] = used_;
    }
    void add_link(std::uint32_t slot) {
        if (used_ == entries_.size()) entries_.resize(2 * entries_.size());
        entries_[used_++] = slot;
        ++open_[slot];
    }
    /// @return false where the rates of SharedLinks may differ in their last units. @throws Stopped; of no use then
    bool find_rates();
    /// After find_rates.
    std::span<Rate const> rates() const { return rates_; }

private:
    static constexpr std::size_t known_rates = 64;

    std::span<std::uint32_t const> links_of(std::uint32_t flow) const {
        return {entries_.data() + first_[flow], entries_.data() + first_[flow + 1]};
    }
    void note(std::uint64_t rate);
    void find_most_open();
    void settle_by_counts();
    void take_settled_off();
    void find_shares();
    void settle_by_shares();
    void clear_links();
    bool are_apart();

    std::uint64_t const unit_;
    std::uint32_t flows_ = 0, used_ = 0;          ///< of the next two
    std::vector<std::uint32_t> first_, entries_;  ///< by flow the first of its entries: slots of its links
    // By slot; 0 between levels.
    std::vector<std::uint32_t> open_;              ///< flows without a rate
    std::vector<std::uint32_t> most_open_;         ///< the largest open_ of a link of one of its flows
    std::vector<std::uint64_t> taken_;             ///< by flows that have a rate
    std::vector<std::uint64_t> share_;             ///< of an open flow; 0: not known
    std::vector<std::uint64_t> least_;             ///< the least share of a link of one of its open flows
    std::vector<std::uint64_t> rate_;              ///< by flow; 0: open
    std::vector<std::uint64_t> rate_of_count_;     ///< by flows of a link
    std::vector<std::uint64_t> settled_of_count_;  ///< flows that have this rate; 0 between levels
    std::vector<std::uint32_t> waiting_;           ///< open flows
    std::vector<std::uint32_t> settled_;           ///< those that the last pass has given a rate
    std::vector<std::uint32_t> links_;             ///< of these
    std::vector<Rate> rates_;
    std::vector<std::uint64_t> sorted_;
    std::array<std::uint32_t, known_rates> place_{};  ///< in rates_, by a digest of the rate
};

}  // namespace tailback::kernels
