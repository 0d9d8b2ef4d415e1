// Which of several equal next hops a flow takes at a switch: by a hash of the flow, and of the switch unless all hash
// alike (polarisation).
#pragma once

#include "host/model/network.hpp"
#include "host/model/routes/ip_plan.hpp"
#include "host/model/tables.hpp"

#include <cstdint>
#include <memory>
#include <optional>

namespace tailback::topologies {

struct FlowHashOptions {
    std::uint64_t seed = 1;
    /// The Linux kernel's own (host/model/routes/linux_hash.hpp) in place of one of random words.
    bool linux_kernel = false;
    bool same = false;  ///< one function for all switches
    bool by_source = true, by_destination = true;
    /// Of the kernel's: fib_multipath_hash_seed of all switches that do not tell theirs; none = each has its own,
    /// drawn.
    std::optional<std::uint32_t> kernel_seed;
    model::LinuxHashPolicy policy = model::LinuxHashPolicy::layer4;
    /// Of studies: every mapping draws a seed of its own; mapping 0 has this one.
    bool by_mapping = false;
};

/// What is hashed: a queue pair of a connection.
struct HashedFlow {
    model::Host source, destination;
    std::uint32_t queue_pair = 0;  ///< of the connection's
    std::uint64_t connection = 0;  ///< of those between the two hosts; 0 where there is one
};

class FlowHash {
public:
    /// @param plan of a fabric that has addresses, else null; must outlive it.
    explicit FlowHash(FlowHashOptions options, model::IpPlan const* plan = nullptr) : options_(options), plan_(plan) {}

    FlowHashOptions const& options() const { return options_; }
    /// The place of the next hop among `count`. Connections, and the queue pairs of one, are hashed each on its own.
    std::size_t pick(HashedFlow const& flow, model::Node at, std::size_t count) const;
    /// The same by the kernel's hash, for a packet that is known.
    std::size_t pick(model::FiveTuple const& flow, model::Node at, std::size_t count) const;
    /// The packets of a queue pair: UDP from a port drawn of 49152 .. 65535 to 4791, as RoCEv2 sends them.
    model::FiveTuple tuple(HashedFlow const& flow) const;
    /// Whether connections between the same two hosts are hashed each on its own: not by addresses alone. None: some
    /// switches do, others do not.
    std::optional<bool> tells_connections_apart() const;
    /// Whether another FlowHashOptions::seed could choose otherwise: not where all switches tell their seeds, or are
    /// given one, and none hashes source ports.
    bool draws(model::Fabric const& fabric) const;
    /// fib_multipath_hash_seed of a switch.
    std::uint32_t kernel_seed(model::Node at) const;

private:
    model::LinuxHashPolicy policy_of(model::Node at) const;
    /// None: it is drawn.
    std::optional<std::uint32_t> told_seed(model::Node at) const;
    /// What the words of a connection are drawn with.
    std::uint64_t seed_of(HashedFlow const& flow) const;

    FlowHashOptions options_;
    model::IpPlan const* plan_;
};

}  // namespace tailback::topologies
