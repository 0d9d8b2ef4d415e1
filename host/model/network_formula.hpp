// A network that is kept nowhere: its sizes, names and links come from a formula.
#pragma once

#include "host/base/error.hpp"
#include "host/model/network.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace tailback::model {

/// Hosts sit on the switches 0 .. host_switches-1, `hosts_each` on ports 1.. of each, in order.
class NetworkFormula {
public:
    virtual ~NetworkFormula() = default;

    std::uint32_t hosts = 0, switches = 0, host_switches = 0, hosts_each = 1;
    std::uint64_t links = 0;  ///< directed; those of hosts included
    std::uint32_t inner = 0;  ///< slots of links between switches (some may not exist)

    virtual std::string switch_name(std::uint32_t number) const = 0;
    /// The link of an inner slot.
    virtual LinkEnds ends(std::uint32_t slot) const = 0;
    /// Neighbours of a switch among the switches, in port order.
    virtual void neighbours(std::uint32_t number, std::vector<std::uint32_t>& found) const = 0;

    static std::string host_name(std::uint32_t host) { return "H" + std::to_string(host + 1); }
    /// The host that a name or a LID (of one: its number) means. @throws InputError where none does.
    std::uint32_t locate_host(std::string const& word, base::SourceLocation const& place) const;
    LinkEnds up_link(std::uint32_t host) const;
    LinkEnds down_link(std::uint32_t host) const;
    /// All hosts in the order of breadth_first_hosts (host/model/host_order.hpp).
    std::vector<std::uint32_t> breadth_first_hosts() const;
};

}  // namespace tailback::model
