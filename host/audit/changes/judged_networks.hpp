// Networks that differ in some cables, judged by routes that one routing makes anew: so that only what cables change is
// told, and not how the routing breaks ties.
#pragma once

#include "host/model/routes/lags.hpp"
#include "host/model/tables.hpp"
#include "topologies/routing.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tailback::audit {

/// What routes come to; all links count alike. Where switches choose among sets of ports, of equal division: a number
/// for each of some random bisections. Elsewhere of tables: a number for each of some orders of ports and hosts, by
/// which the routing breaks ties.
struct JudgedNetwork {
    std::string refused;              ///< why there are no routes, and no numbers
    bool divided = false;             ///< judged by equal division
    std::vector<double> bandwidth;    ///< of random bisections; empty = not known
    double largest = 0;               ///< mean load of the most loaded link between switches, in pairs of hosts
    std::uint64_t not_delivered = 0;  ///< ordered pairs: that some choice loses, or some of the tables
    bool free = true;                 ///< of deadlock on one lane, whatever is chosen, by all of the tables
};

/// Mean bandwidth, and what it gains over another network: each number beside the one of the same draw.
struct BandwidthGain {
    double mean = 0;
    double error = 0;  ///< half the width of the 99 % interval (Student's t); 0 where all draws gain alike
};
std::optional<double> mean_bandwidth(JudgedNetwork const& judged);
std::optional<BandwidthGain> gain_over(JudgedNetwork const& before, JudgedNetwork const& after);

class NetworkJudge {
public:
    /// @param routing with its seed, and with roots of the networks' switches if it has a list
    /// @param threads 0 = all cores
    NetworkJudge(topologies::RoutingSpec routing, unsigned threads) : routing_(std::move(routing)), threads_(threads) {}

    /// By the routing. Ports and hosts are numbered by what they lead to: networks with the same switches, as many
    /// cables between each two of them and as many hosts at each have the same numbers. @throws kernels::Stopped
    /// @param lags cables that are one next hop together; null = none
    /// @param hosts of the network, whose traffic alone counts; empty = all that have a cable
    JudgedNetwork judge(model::Network const& network, model::Lags const* lags = nullptr,
                        std::span<model::Host const> hosts = {}) const;
    /// By its own routes, with the same random bisections. @throws base::InputError; kernels::Stopped
    JudgedNetwork judge_as_it_is(model::Fabric const& fabric) const;

private:
    topologies::RoutingSpec routing_;
    unsigned threads_;
};

/// The network with its ports and hosts in an order that depends on nothing but the draw, its switches, how many cables
/// lie between each two of them and how many hosts are at each; hosts have LIDs in this order.
/// @param lags of the network; they get the new numbers of ports
model::Network in_drawn_order(model::Network const& network, std::uint32_t draw, model::Lags* lags = nullptr);

}  // namespace tailback::audit
