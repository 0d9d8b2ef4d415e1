// What an IP fabric knows beside cables and routes: the addresses of hosts, and how each switch hashes.
#pragma once

#include "host/model/network.hpp"
#include "host/model/routes/lags.hpp"
#include "host/model/routes/linux_hash.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tailback::model {

struct IpPlan {
    /// IPv4, by host; 0 = not known.
    std::vector<std::uint32_t> address;
    /// By node: fib_multipath_hash_seed and fib_multipath_hash_policy of switches that tell them.
    std::vector<std::optional<std::uint32_t>> seed;
    std::vector<std::optional<LinuxHashPolicy>> policy;
    /// Ends of cables that are taken to be there as routes go by them, though nobody hears the other end: by node.
    std::vector<std::pair<Node, Port>> unheard;
    Lags lags;
    /// Members of LAGs that have a cable and carry nothing, and why: `is a backup`.
    struct IdleMember {
        Node node;
        Port port;
        std::string why;
    };
    std::vector<IdleMember> idle;
    /// Of the ends of a cable that which is an idle member; null: none is.
    IdleMember const* idle_end(LinkRecord const& link) const {
        for (IdleMember const& one : idle)
            if ((one.node == link.from && one.port == link.from_port) ||
                (one.node == link.to && one.port == link.to_port))
                return &one;
        return nullptr;
    }
    /// Sentences on what of the files is no part of the fabric, and on what goes by another name.
    std::vector<std::string> remarks;
};

/// Of a host of a network that knows no addresses: 10.0.0.1 and on.
inline std::uint32_t made_up_address(std::uint32_t host) { return 0x0A000001u + host; }
/// `10.0.0.1`
inline std::string address_text(std::uint32_t address) {
    std::string text;
    for (int shift = 24; shift >= 0; shift -= 8)
        text += (shift < 24 ? "." : "") + std::to_string(address >> shift & 0xFF);
    return text;
}

}  // namespace tailback::model
