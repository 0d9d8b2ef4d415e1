// Flows that divide over several ways so that the largest congestion of a link is as small as can be, with a bound by
// duality: the maximum concurrent flow problem.
//
// A linear program, solved as those are solved approximately (Shahrokhi and Matula, J. ACM 1990; Grigoriadis and
// Khachiyan, SIAM J. Optim. 1994): what goes to one destination after the other moves to shorter ways under prices that
// grow exponentially with congestion, at every place by as much as the second derivatives say (Bertsekas, Gafni and
// Gallager, IEEE Trans. Commun. 1984). Every set of prices gives a lower bound: sum of demand x distance, divided by
// the sum of price x capacity. What is found gives the upper bound.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tailback::search {

/// What goes to one destination: places in the order in which it meets them, the destination behind the last.
struct FlowsToOne {
    struct Way {
        std::uint32_t to;  ///< a place, or places() for the destination
        std::uint32_t link;
    };
    std::vector<double> demand;            ///< by place: what enters there
    std::vector<std::uint32_t> first_way;  ///< by place, and the end
    std::vector<Way> ways;                 ///< each leads to a later place
    std::vector<double> flow;              ///< by way

    std::uint32_t places() const { return static_cast<std::uint32_t>(demand.size()); }
    /// `flow`: at every place equal parts to all its ways.
    void divide_equally();
};

struct DividedFlowsLimits {
    double gap = 0.01;  ///< (upper - lower) / lower that suffices
    /// Ways looked at, over all sweeps; after that the bounds stay as far apart as they are.
    std::uint64_t most_steps = 100'000'000;
};

class DividedFlows {
public:
    /// @param scale by link: 1 / capacity
    /// @param load by link: what is there already and cannot move
    DividedFlows(std::vector<double> scale, std::vector<double> load);

    /// With its flow as it is divided now.
    void add(FlowsToOne flows);
    /// From prices as steep as these on, where others have found them; 0 = not known.
    void begin_at(double steepness) { steepness_ = steepness; }
    /// Sequential: the same numbers with any number of threads. @throws kernels::Stopped
    void solve(DividedFlowsLimits const& limits);

    std::span<FlowsToOne const> all() const { return all_; }
    double lower() const { return lower_; }  ///< no division has a smaller largest congestion
    double upper() const { return upper_; }  ///< the division kept by `keep_best` has this one
    bool within(double gap) const { return upper_ <= lower_ * (1 + gap); }
    std::uint64_t sweeps() const { return sweeps_; }
    /// By link: of the division with the largest congestion `upper`.
    std::vector<double> const& best_load() const { return best_load_; }
    /// Of that division: by way. Empty where flows are not kept.
    std::vector<double> const& best_flow(std::size_t i) const { return best_flow_[i]; }
    void keep_flows() { keeps_flows_ = true; }
    /// By link, per unit of load: what gave `lower`.
    std::vector<double> const& best_price() const { return best_price_; }
    /// Of the division as it is now.
    std::vector<double> const& price() const { return price_; }
    double steepness() const { return steepness_; }
    /// sum of demand x distance / sum of price x capacity, for any prices.
    double bound_of(std::vector<double> const& price);

private:
    double congestion(std::uint32_t link) const { return load_[link] * scale_[link]; }
    double note_upper();
    void find_prices(double steepness);
    double mean_congestion() const;
    double price_at(std::uint32_t link, double load, double steepness) const;
    void find_distances(FlowsToOne const& one, std::vector<double> const& price);
    void improve(FlowsToOne& one);
    void find_through(FlowsToOne const& one);
    void find_shares(FlowsToOne const& one);
    void pour(FlowsToOne const& one);
    void hold_back(FlowsToOne const& one);
    double find_step();
    double far(FlowsToOne::Way const& way) const { return price_[way.link] + distance_[way.to]; }
    double bends(FlowsToOne::Way const& way) const {
        return steepness_ * scale_[way.link] * price_[way.link] + slope_[way.to];
    }

    std::vector<FlowsToOne> all_;
    std::vector<std::vector<double>> best_flow_;                                      // by destination
    std::vector<double> load_, best_load_, price_, best_price_, way_, scale_, held_;  // by link
    std::vector<double> distance_, slope_, here_;                                     // by place
    std::vector<double> moved_, share_, has_;                                         // by way
    std::vector<double> new_price_;                                                   // of changed links
    std::vector<std::uint32_t> used_, changed_, nearest_;
    double fixed_ = 0, steepness_ = 0, reference_ = 0, lower_ = 0, upper_ = 0;
    std::uint64_t sweeps_ = 0;
    bool keeps_flows_ = false;
};

}  // namespace tailback::search
