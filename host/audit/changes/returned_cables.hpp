// Cables that are missing, by what their return would bring: each is put in, and tables are made anew.
#pragma once

#include "host/model/network.hpp"
#include "host/model/routes/lags.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tailback::topologies {
class RoutingSpec;
}

namespace tailback::audit {

/// A cable between two switches that is not there, by ports that are free.
struct MissingCable {
    model::Node from, to;
    model::Port from_port = 0, to_port = 0;
    model::Link beside = {};  ///< one LAG with this cable, which is there; none = a LAG that is told, or no LAG
};

/// Cables between switches that an older network has and this one has not; those of switches that are gone, or whose
/// ports have other cables now, are left out. Nodes are matched as model::NetworkMatch does.
/// @param lags of the older network; null = none
std::vector<MissingCable> cables_gone(model::Network const& before, model::Network const& now,
                                      model::Lags const* lags = nullptr);

/// Cables that would be there if both of their switches were as most of their like are: of the switches that share at
/// least half of the neighbours with one, two thirds have as many more cables to the other. As far as ports are free.
/// Where all cables between the two are one LAG it is a member of it, at a port of the LAG that has no cable if there
/// is one.
/// @param lags null = none
std::vector<MissingCable> cables_of_uneven_bundles(model::Network const& network, model::Lags const* lags = nullptr);

/// Numbers of routes made anew. Of tables: by rounds (search/tables/rounds.hpp) from several starts, means over the
/// starts. Of flows that divide: by equal division over the sets that a routing makes (NetworkJudge).
struct RoutesMade {
    /// Of random bisections: of tables by formula, else mean of some drawn ones. None = not known.
    std::optional<double> bandwidth;
    std::optional<double> collisions;  ///< of a random permutation; of tables alone
    double largest = 0;                ///< pairs over a link between switches
    std::uint64_t not_delivered = 0;   ///< ordered pairs: that some choice loses, or some of the tables
};
struct ReturnedCable {
    MissingCable cable;
    RoutesMade routes;
    std::optional<double> gain;  ///< in bandwidth, over the network as it is; none = not known of both
    double least = 0;            ///< no tables (no division of flows) have a lower largest load then
    bool stands_out = false;     ///< it gains more than the last does, beyond the error, or delivers more pairs
};
/// What numbers of routes made anew are means over.
enum class ReturnsDraw : std::uint8_t {
    starts,      ///< of tables
    bisections,  ///< bandwidth alone, of flows that divide over sets
    orders       ///< of ports and hosts, by which tables that lead into LAGs break ties
};
struct CableReturns {
    std::string routing;  ///< whose next hops divide flows; empty = by tables
    ReturnsDraw drawn = ReturnsDraw::starts;
    std::size_t draws = 0;  ///< so many of these; 0 = bandwidth as it is is not known
    RoutesMade as_it_is;
    double least = 0;
    /// Of a gain: three standard errors, as draws differ. All are alike where none stands out.
    double error = 0;
    /// Fewest pairs that are not delivered first, then most bandwidth (not known: last), then in their order.
    std::vector<ReturnedCable> cables;
};

/// Each cable by itself. All links count alike. The same numbers on any machine. @throws InputError; kernels::Stopped
CableReturns try_cables(model::Network const& network, std::span<model::Host const> hosts,
                        std::vector<MissingCable> const& cables);

/// The same where flows divide equally over all next hops of a routing that makes sets of them, `ar:minimal` or tables
/// that lead into LAGs. A LAG is one next hop, and what it carries is divided over its members; a cable that was one
/// of them is one again.
/// @param lags null = none
/// @param routing with its seed, and with roots of the network's switches if it has a list
CableReturns try_divided_cables(model::Network const& network, model::Lags const* lags,
                                std::span<model::Host const> hosts, std::vector<MissingCable> const& cables,
                                topologies::RoutingSpec const& routing, unsigned threads);

}  // namespace tailback::audit
