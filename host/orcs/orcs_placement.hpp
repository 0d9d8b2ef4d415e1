// Who sits where in a run, as ORCS chooses it: the subset of hosts, and their order in every run.
#pragma once

#include "host/model/network.hpp"
#include "host/orcs/options.hpp"

#include <vector>

namespace tailback::orcs {

/// Hosts in the order in which a breadth-first search from the file's first node, be it a host or a switch, comes
/// upon them. What it does not reach is missing: that is what ORCS does (see breadth_first_hosts for what it should).
std::vector<model::Host> orcs_breadth_first_hosts(model::Network const& network);

class OrcsPlacement {
public:
    /// `ranks` is the resolved communicator size.
    /// @throws InputError when the subset has fewer hosts, or the node ordering file cannot be read.
    OrcsPlacement(model::Network const& network, OrcsOptions const& options, std::uint32_t ranks);

    /// The subset, before any run is shuffled.
    std::vector<model::Host> const& subset() const { return subset_; }
    /// Hosts by rank in run `run` (from 0).
    std::vector<model::Host> hosts_of_run(std::uint64_t run) const;
    /// True when all runs shuffle the whole subset (or nothing): no part of it is fixed or apart.
    bool plain() const { return front_.empty() && part_.empty(); }

private:
    std::uint64_t seed_;
    bool shuffle_;
    std::vector<model::Host> subset_;
    std::vector<model::Host> front_;  ///< ordered by file: first in every run, never shuffled
    std::vector<model::Host> part_;   ///< the first pattern's own subset: next, shuffled among themselves
    std::vector<model::Host> rest_;   ///< the others
};

/// The number that version 2.0 reads out of a host's name: hexadecimal digits after the `H`.
std::uint64_t orcs_guid(std::string const& name);

}  // namespace tailback::orcs
