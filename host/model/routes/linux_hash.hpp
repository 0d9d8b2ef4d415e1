// The hash by which the Linux kernel picks one of several next hops, bit for bit, for IPv4.
//
// net/ipv4/route.c (fib_multipath_hash), net/core/flow_dissector.c (flow_hash_from_keys_seed) and
// net/ipv4/fib_semantics.c (fib_rebalance) of Linux 6.11 and later, where `net.ipv4.fib_multipath_hash_seed` is the key
// of the hash; before that, and with seed 0, the key is random and nobody can say what a kernel does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace tailback::model {

/// What is hashed of packets that are in no tunnel, as those of RoCE are.
struct LinuxHashPolicy {
    /// Bits of `net.ipv4.fib_multipath_hash_fields`: 1, 2 addresses of source and destination, 4 the protocol, 16, 32
    /// the ports of source and destination. Others mean nothing here.
    std::uint32_t fields = 0;
    bool by_choice = false;  ///< policy 3, whose hash is hashed once more
    static LinuxHashPolicy const layer3, layer4;
    /// `net.ipv4.fib_multipath_hash_policy`: 0 addresses, 1 addresses, ports and protocol, 2 those of what is in a
    /// tunnel, else addresses, 3 by `fields`; none beyond.
    static std::optional<LinuxHashPolicy> of(std::uint32_t number, std::uint32_t fields);
    bool has(std::uint32_t field) const { return (fields & field) != 0; }
    bool tells_source_ports_apart() const { return has(16); }
    bool operator==(LinuxHashPolicy const&) const = default;
};
inline constexpr LinuxHashPolicy LinuxHashPolicy::layer3{1 | 2};
inline constexpr LinuxHashPolicy LinuxHashPolicy::layer4{1 | 2 | 4 | 16 | 32};

/// A packet's 5-tuple, in host byte order. RoCEv2 is UDP to port 4791.
struct FiveTuple {
    std::uint32_t source = 0, destination = 0;
    std::uint16_t source_port = 0, destination_port = 4791;
    std::uint8_t protocol = 17;
};

/// SipHash-2-4 of `size` bytes (Aumasson, Bernstein 2012).
std::uint64_t siphash24(std::byte const* data, std::size_t size, std::uint64_t key0, std::uint64_t key1);

/// The kernel's 31 bits for a forwarded packet. @param seed fib_multipath_hash_seed, not 0
std::uint32_t linux_multipath_hash(FiveTuple const& flow, std::uint32_t seed, LinuxHashPolicy policy);

/// Which of `count` equally weighted next hops, in the kernel's order, has this hash below its bound; a next hop of
/// weight w stands there w times. `count` > 0.
std::size_t linux_next_hop(std::uint32_t hash, std::size_t count);

}  // namespace tailback::model
