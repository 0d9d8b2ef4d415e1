// Where a network and its routes come from, when not from files: what a report must tell so that it can be made again.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tailback::model {

/// The files that were read, by what they are for (`network`, `tables`, ...), as they were named.
using NamedFiles = std::vector<std::pair<std::string, std::string>>;

struct NetworkOrigin {
    std::string spec;                ///< empty = a file
    std::string routing;             ///< empty = a file's own tables
    std::uint64_t routing_seed = 0;  ///< of `routing`
    bool routing_draws = false;      ///< that seed matters
    /// What was taken away (topologies/failures.hpp), and of how many.
    std::uint64_t failed_cables = 0, cables = 0, failed_switches = 0, switches = 0, failure_seed = 0;
    bool failures_are_named = false;  ///< nothing of them was drawn
    /// Of the failed cables: members of LAGs whose hosts go on by others, so that their endpoints are gone with them.
    std::uint64_t failed_host_members = 0;
    /// Rate of links whose rate nobody tells, in Gb/s, and how many these are; 0 = none was given.
    double default_gbps = 0;
    std::uint64_t links_by_default = 0, links = 0;
    std::string dumped = {};  ///< when the network was dumped, in the words of its file; empty where that does not say

    bool failed() const { return cables > 0 || switches > 0; }
    /// `torus:8x8, routed by dor:ties=random (seed 1), without 3 of 128 cables (seed 1)`; empty for files alone.
    std::string text() const;
};

}  // namespace tailback::model
