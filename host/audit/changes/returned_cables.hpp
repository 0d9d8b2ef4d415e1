// Cables that are missing, by what their return would bring: each is put in, and tables are made anew.
#pragma once

#include "host/model/network.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tailback::audit {

/// A cable between two switches that is not there, by ports that are free.
struct MissingCable {
    model::Node from, to;
    model::Port from_port = 0, to_port = 0;
};

/// Cables between switches that an older network has and this one has not; those of switches that are gone, or whose
/// ports have other cables now, are left out. Nodes are matched as model::NetworkMatch does.
std::vector<MissingCable> cables_gone(model::Network const& before, model::Network const& now);

/// Cables that would be there if both of their switches were as most of their like are: of the switches that share at
/// least half of the neighbours with one, two thirds have as many more cables to the other. As far as ports are free.
std::vector<MissingCable> cables_of_uneven_bundles(model::Network const& network);

/// Numbers of tables made anew, by rounds (search/tables/rounds.hpp) from several starts: means over the starts.
struct TablesMade {
    double bandwidth = 0;   ///< of random bisections, by formula
    double collisions = 0;  ///< of a random permutation
    double largest = 0;     ///< pairs over a link between switches
};
struct ReturnedCable {
    MissingCable cable;
    TablesMade tables;
    double gain = 0;          ///< in bandwidth, over the network as it is
    std::uint64_t least = 0;  ///< no tables have a lower largest load then
    bool stands_out = false;  ///< it gains more than the least does, beyond the error
};
struct CableReturns {
    TablesMade as_it_is;
    std::uint64_t least = 0;
    /// Of a gain: three standard errors, as starts differ. All are alike where none stands out.
    double error = 0;
    std::vector<ReturnedCable> cables;  ///< largest gain first, then in their order
};

/// Each cable by itself. All links count alike. The same numbers on any machine. @throws InputError; kernels::Stopped
CableReturns try_cables(model::Network const& network, std::span<model::Host const> hosts,
                        std::vector<MissingCable> const& cables);

}  // namespace tailback::audit
