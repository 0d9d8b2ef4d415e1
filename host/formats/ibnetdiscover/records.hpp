// What lines of ibnetdiscover tell, before it becomes a network.
#pragma once

#include "host/model/network.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace tailback::formats::discover {

/// A cable end as its line states it.
struct PortLine {
    model::Node node;
    model::Port port = 0;
    std::uint32_t remote = 0;  ///< index of the remote id
    model::Port remote_port = 0;
    model::LinkRate rate;
    std::size_t line = 0;
};

/// A node id ("S-0002c90200400028") and what is known of its node.
struct Identity {
    model::Node node;  ///< none while it has no record of its own
    std::string id;
    std::string name;             ///< as a neighbour tells it
    model::Lid lid = 0;           ///< as a neighbour tells it
    std::string odd_lid;          ///< as its own record tells it, where that is no LID
    std::size_t line = 0;         ///< where it was met first
    std::size_t record_line = 0;  ///< its node line; 0 while it has none
    /// What the lines before its node line call it; 0 = nothing.
    std::uint64_t heading_guid = 0, heading_port_guid = 0;
};

/// What a port line tells of the port at the cable's other end.
struct Neighbour {
    std::uint32_t identity;
    model::Port port;  ///< 0 = a switch
    std::uint64_t port_guid;
    model::Lid lid;
    std::size_t line;
    bool told = true;  ///< the LID is told
    std::string odd;   ///< what is told for one and is none
};

/// A port, or with port 0 a switch.
inline std::uint64_t key(model::Node node, model::Port port) { return std::uint64_t{node.value} << 8 | port; }

/// 0 where the id is no GUID behind a letter.
std::uint64_t guid_of_id(std::string_view id);

}  // namespace tailback::formats::discover
