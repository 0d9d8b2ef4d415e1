// Max-min rates and completion times of the flows of a level, by one thread: the numbers of kernels/sharing, with less
// work.
//
// What:  only links that several flows use are looked at. A round looks again at those alone whose flows were frozen.
//        Where flows have ended, only those can change whose rate is not below the least of theirs, and which hang
//        together with them by links of such flows: they alone are shared anew.
// Why so: a flow that has ended was not frozen in rounds of smaller shares. Its links were no bottlenecks there, and
//        with one flow less they have more to share: these rounds are as before. A flow whose rate stays ends when it
//        was to end before.
#pragma once

#include "kernels/evaluate/problem.hpp"
#include "kernels/sharing/max_min.hpp"
#include "kernels/sharing/tell.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tailback::kernels {

class SharedLinks {
public:
    /// Needs: rates do not go by weights.
    explicit SharedLinks(Problem const& problem);

    /// Forgets the flows of before.
    void begin_level();
    /// The next flow; its links follow.
    void add_flow(std::uint64_t weight) {
        first_.push_back(static_cast<std::uint32_t>(entries_.size()));
        weight_.push_back(weight);
    }
    void add_link(std::uint32_t slot) {
        entries_.push_back(slot);
        ++load_[slot];
    }
    std::uint32_t flows() const { return static_cast<std::uint32_t>(weight_.size()); }

    void find_rates();
    std::uint64_t rate(std::uint32_t flow) const { return rate_[flow]; }
    /// What find_times overwrites is kept from here on. After find_rates.
    void keep_rates();
    /// As after find_rates. After keep_rates.
    void give_back_rates();
    /// Its rate does not depend on it.
    void set_weight(std::uint32_t flow, std::uint64_t weight) { weight_[flow] = weight; }

    /// After find_rates, whose rates it overwrites. @return the time of the last completion.
    std::uint64_t find_times();
    std::uint64_t ended(std::uint32_t flow) const { return end_[flow]; }
    /// time_alone of the flow on the slowest of its links. After find_rates.
    std::uint64_t alone(std::uint32_t flow) { return time_at(weight_[flow], slowest(flow)); }

private:
    struct Time {
        std::uint64_t weight, rate, time;  ///< no rate is 0
    };
    static constexpr std::size_t known_times = 64;
    static constexpr std::uint32_t none = 0xFFFFFFFFu;
    static constexpr std::uint64_t no_share = ~std::uint64_t{0}, is_open = ~std::uint64_t{0};

    std::uint64_t slowest(std::uint32_t flow) const;
    /// What a rate takes for a weight, rounded up. Levels have the same few again and again.
    std::uint64_t time_at(std::uint64_t weight, std::uint64_t rate) {
        Time& known = times_[((weight * 31 + rate) * 0x9E3779B97F4A7C15u >> 32) % known_times];
        if (known.weight != weight || known.rate != rate)
            known = {weight, rate, time_alone(problem_.measures.sharing, weight, rate)};
        return known.time;
    }
    void number_links();
    void list_flows_of_links();
    void fill(std::vector<std::uint32_t>& links);
    void freeze(std::uint64_t share);
    void spread_from(std::vector<std::uint32_t> const& ended, std::uint64_t least_rate);
    std::uint64_t share_anew(std::uint64_t clock);

    Problem const& problem_;
    std::uint32_t const least_load_;  ///< links with fewer flows are left out
    // By slot.
    std::vector<std::uint32_t> load_, number_of_slot_;
    // By flow.
    std::vector<std::uint32_t> first_, last_;  ///< into entries_: its links, by number once they have one
    std::vector<std::uint64_t> weight_, rate_, old_rate_, end_, since_;
    std::vector<WideWord> left_;
    std::vector<std::uint32_t> entries_;
    // By link.
    std::vector<std::uint32_t> slot_, first_on_, flows_on_, active_;
    std::vector<std::uint64_t> remaining_, share_;
    std::vector<unsigned char> touched_, met_;
    std::vector<std::uint32_t> on_;  ///< flows of links
    std::vector<std::uint64_t> kept_rate_;
    std::vector<std::uint32_t> kept_flows_on_, kept_on_;
    std::array<Time, known_times> times_{};
    // Of a round, or of a completion.
    std::vector<std::uint32_t> open_, frozen_, changed_, running_, ended_now_, reached_links_, reached_flows_;
};

}  // namespace tailback::kernels
