// Routes that are walked flow by flow when a mapping is placed: by a hash at every switch, or to one of a host's LIDs.
#pragma once

#include "host/evaluation/adaptive/lid_paths.hpp"
#include "host/evaluation/adaptive/one_path.hpp"
#include "kernels/cpu/flow_routes.hpp"

namespace tailback::evaluation {

/// What a hash needs to know; the graph must outlive who walks by it.
struct HashedWays {
    model::ChoiceGraph const& graph;
    topologies::FlowHashOptions options;
    model::IpPlan const* ip = nullptr;
    std::uint32_t queue_pairs = 1;
    /// Of repeat number k of a mapping: with its seed + k (FlowHashOptions::by_mapping).
    topologies::FlowHash hash_of(std::uint64_t repeat, std::uint64_t mapping = 0) const;
};
/// The seed of a mapping that draws its own, of `seed` and its number: `seed` itself for mapping 0.
std::uint64_t hash_seed_of(std::uint64_t seed, std::uint64_t mapping);
/// What tells hashes apart, but for the study's seed.
std::string hash_identity(topologies::FlowHashOptions const& hash);
/// Finds the routes of a plan of so many parts as there are queue pairs (study::divided_plan), one after the other.
kernels::MakeFinder hashed_route_finder(study::StudyPlan const& plan, HashedWays const& ways);

/// Finds those of a plan of one part, or, where flows go to all LIDs, of as many as a host has LIDs at most.
kernels::MakeFinder spread_route_finder(study::StudyPlan const& plan, model::Forwarding const& forwarding,
                                        LidSpread spread);

}  // namespace tailback::evaluation
