// Max-min rates of flows whose links all have the base rate, from how many flows each link has: the passes of
// LocalBottlenecks, whatever form their links are listed in.
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

#include "kernels/cpu/machine/stop.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace tailback::kernels {

/// So many flows of a rate. A rate may come several times.
struct FlowsOfRate {
    std::uint64_t rate, flows;
};

/// Counter: how many flows a link may have.
template <class Counter>
class BottleneckRates {
public:
    /// @param padding the first of the slots that stand for no link, of which there are `more`
    BottleneckRates(std::uint64_t unit, std::uint32_t padding, std::uint32_t more)
        : unit_(unit),
          padding_(padding),
          open_(padding + more),
          beaten_(padding + more),
          taken_(padding + more),
          share_(padding + more),
          least_(padding + more),
          rate_of_count_{0} {
        // No share of padding is the least of its flows'.
        std::fill(beaten_.begin() + padding_, beaten_.end(), 1);
        std::fill(share_.begin() + padding_, share_.end(), ~std::uint64_t{0});
    }
    /// By slot, flows of the link: to be counted before find, which leaves zero.
    Counter* open() { return open_.data(); }
    /// Needed before `most` where padding was counted, too.
    void forget_padding() { std::fill(open_.begin() + padding_, open_.end(), 0); }
    /// By flow, those of its link with the most, and at least 1: to be found before find. @param flows so many
    std::uint32_t* most(std::size_t flows) {
        if (most_.size() < flows) most_.resize(flows), waiting_.reserve(flows);
        return most_.data();
    }
    /// @param links links.flows() of them; links(flow), its slots; links.each(visit), which calls visit(flow, slots)
    /// for
    ///        all of them in order; links.entries(), their places
    /// @param most_of_all the most flows of a link @param absent so many of the flows, without links, are not told
    /// @return false where the rates of SharedLinks may differ in their last units. @throws Stopped; of no use then
    template <class Links>
    bool find(Links const& links, std::uint32_t most_of_all, std::uint32_t absent = 0) {
        StopWish const stop = StopWish::held();
        rates_.clear();
        prepare_counts(most_of_all);
        mark_beaten(links);
        stop.heed();
        settle_by_counts(links);
        note_counts(absent);
        if (!waiting_.empty()) take_settled_off(links);
        while (!waiting_.empty()) {
            stop.heed();
            find_shares(links);
            settle_by_shares(links);
        }
        clear(links);
        return are_apart(links.flows());
    }
    /// After find.
    std::span<FlowsOfRate const> rates() const { return rates_; }

private:
    static constexpr std::size_t known_rates = 64;
    /// One flow's count need not wait for that of the flow before.
    static constexpr std::uint32_t ways = 4;

    void note(std::uint64_t rate) {
        std::uint32_t& place = place_[(rate * 0x9E3779B97F4A7C15u >> 32) % known_rates];
        if (place >= rates_.size() || rates_[place].rate != rate) {
            place = static_cast<std::uint32_t>(rates_.size());
            rates_.push_back({rate, 0});
        }
        ++rates_[place].flows;
    }
    /// For links of up to so many flows.
    void prepare_counts(std::uint32_t most) {
        for (std::size_t count = rate_of_count_.size(); count <= most; ++count) rate_of_count_.push_back(unit_ / count);
        if (settled_of_count_.size() < ways * (most + 1)) settled_of_count_.resize(ways * (std::size_t{most} + 1));
    }
    /// Before any flow has a rate the share of a link depends on how many it has alone: the least is that of the most.
    /// A link is no bottleneck where one of its flows has a link with more.
    template <class Links>
    void mark_beaten(Links const& links) {
        Counter const* const open = open_.data();
        std::uint8_t* const beaten = beaten_.data();  // bytes may be anything's: members would be read again for each
        std::uint32_t const* const most_of_flow = most_.data();
        std::uint32_t const padding = padding_;  // marked anyway: a store without a branch that waits for no load
        links.each([=](std::uint32_t f, auto const& slots) {
            std::uint32_t const most = most_of_flow[f];
            for (std::uint32_t const slot : slots) {
                std::uint32_t const is_beaten = 0u - std::uint32_t{open[slot] < most};
                beaten[padding + ((slot - padding) & is_beaten)] = 1;
            }
        });
    }
    template <class Links>
    void settle_by_counts(Links const& links) {
        waiting_.resize(links.flows());
        std::uint8_t const* const beaten = beaten_.data();
        std::uint32_t *const most_of_flow = most_.data(), *const waiting = waiting_.data();
        std::uint64_t* const settled_of_count = settled_of_count_.data();
        std::size_t left = 0;
        links.each([=, &left](std::uint32_t f, auto const& slots) {
            std::uint32_t const most = most_of_flow[f];
            std::uint32_t waits = most == 1 ? 0 : 1;  // it may have no link
            for (std::uint32_t const slot : slots) waits &= beaten[slot];
            std::uint32_t const by = most & (waits - 1);  // 0 where it waits
            most_of_flow[f] = by;
            ++settled_of_count[ways * by + f % ways];
            waiting[left] = f;
            left += waits;
        });
        waiting_.resize(left);
    }
    void note_counts(std::uint32_t absent) {
        for (std::size_t count = 0; ways * count < settled_of_count_.size(); ++count) {
            std::uint64_t flows = count == 1 ? std::uint64_t{0} - absent : 0;
            for (std::size_t way = 0; way < ways; ++way)
                flows += std::exchange(settled_of_count_[ways * count + way], 0);
            if (count > 0 && flows > 0) rates_.push_back({rate_of_count_[count], flows});
        }
    }
    template <class Links>
    void take_settled_off(Links const& links) {
        std::uint32_t const* const settled_by = most_.data();
        std::uint64_t const* const rate_of_count = rate_of_count_.data();
        std::uint64_t* const taken = taken_.data();
        links.each([=](std::uint32_t f, auto const& slots) {
            std::uint64_t const rate = rate_of_count[settled_by[f]];
            for (std::uint32_t const slot : slots) taken[slot] += rate;
        });
        // What is left on links: flows that wait.
        for (std::uint32_t const f : waiting_)
            for (std::uint32_t const slot : links(f)) open_[slot] = 0;
        for (std::uint32_t const f : waiting_)
            for (std::uint32_t const slot : links(f)) ++open_[slot];
    }
    /// Of the links of waiting flows.
    template <class Links>
    void find_shares(Links const& links) {
        for (std::uint32_t const slot : links_) share_[slot] = 0;
        links_.clear();
        for (std::uint32_t const f : waiting_) {
            std::uint64_t least = ~std::uint64_t{0};
            for (std::uint32_t const slot : links(f)) {
                if (share_[slot] == 0) {
                    share_[slot] = (unit_ - taken_[slot]) / open_[slot];
                    least_[slot] = share_[slot];
                    links_.push_back(slot);
                }
                least = std::min(least, share_[slot]);
            }
            for (std::uint32_t const slot : links(f)) least_[slot] = std::min(least_[slot], least);
        }
    }
    template <class Links>
    void settle_by_shares(Links const& links) {
        std::size_t kept = 0;
        settled_.clear();
        for (std::uint32_t const f : waiting_) {
            std::uint64_t rate = 0;
            for (std::uint32_t const slot : links(f))
                if (share_[slot] == least_[slot]) rate = share_[slot];
            if (rate == 0) waiting_[kept++] = f;
            else settled_.push_back({f, rate});
        }
        waiting_.resize(kept);
        for (auto const& [f, rate] : settled_) {
            note(rate);
            for (std::uint32_t const slot : links(f)) --open_[slot], taken_[slot] += rate;
        }
    }
    template <class Links>
    void clear(Links const& links) {
        if (links.entries() < padding_ / 4) {
            links.each([&](std::uint32_t, auto const& slots) {
                for (std::uint32_t const slot : slots)
                    open_[slot] = 0, beaten_[slot] = slot >= padding_, taken_[slot] = 0;
            });
        } else {
            std::fill_n(open_.begin(), padding_, 0);
            std::fill_n(beaten_.begin(), padding_, 0);
            if (!links_.empty()) std::fill_n(taken_.begin(), padding_, 0);
        }
        for (std::uint32_t const slot : links_) share_[slot] = 0;
        links_.clear();
    }
    /// Whether rates that differ do so by more than what divisions leave over on a link.
    bool are_apart(std::uint32_t flows) {
        sorted_.clear();
        for (FlowsOfRate const& rate : rates_) sorted_.push_back(rate.rate);
        std::sort(sorted_.begin(), sorted_.end());
        for (std::size_t r = 1; r < sorted_.size(); ++r)
            if (sorted_[r] != sorted_[r - 1] && sorted_[r] - sorted_[r - 1] <= flows) return false;
        return true;
    }

    std::uint64_t const unit_;
    std::uint32_t const padding_;
    // By slot; 0 between levels, but for padding.
    std::vector<Counter> open_;                    ///< flows without a rate
    std::vector<std::uint8_t> beaten_;             ///< whether one of its flows has a link with more; of padding: 1
    std::vector<std::uint64_t> taken_;             ///< by flows that have a rate
    std::vector<std::uint64_t> share_;             ///< of an open flow; 0: not known
    std::vector<std::uint64_t> least_;             ///< the least share of a link of one of its open flows
    std::vector<std::uint32_t> most_;              ///< by flow: of its links; then settled by so many, or 0
    std::vector<std::uint64_t> rate_of_count_;     ///< by flows of a link; 0 of 0
    std::vector<std::uint64_t> settled_of_count_;  ///< [count][ways]: flows of this rate; 0 between levels
    std::vector<std::uint32_t> waiting_;           ///< open flows
    std::vector<std::pair<std::uint32_t, std::uint64_t>> settled_;  ///< those with a rate of the last pass
    std::vector<std::uint32_t> links_;                              ///< of open flows
    std::vector<FlowsOfRate> rates_;
    std::vector<std::uint64_t> sorted_;
    std::array<std::uint32_t, known_rates> place_{};  ///< in rates_, by a digest of the rate
};

}  // namespace tailback::kernels
