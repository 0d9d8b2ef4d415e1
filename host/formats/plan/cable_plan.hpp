// A plan of cables: which port is to be cabled to which, as tables of planners and UFM's network diff tool (NDT) have
// it. What it says of a network, and the network that it describes.
#pragma once

#include "host/formats/device_names.hpp"
#include "host/io/line_reader.hpp"
#include "host/model/network.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tailback::formats {

/// One end of a cable. Names are folded: small letters, without what dumps put around them (`MF0;`, `:MQM8700/U1`).
struct PlannedEnd {
    std::string device, port;  ///< as the file has them
    std::string name;          ///< folded; of a host's port that of its adapter: `node01 ibp11s0f0`
    std::string unit;          ///< of a director: `l16/u2`
    model::Port number = 0;    ///< of a switch's port, or of an adapter's where it is told; 0 = the port has a name
    bool of_switch = false;    ///< of a device that is one: see read_cable_plan

    /// The same for two ends that mean one port.
    std::string key() const;
    /// `leaf-01 [21]`, as reports name a port.
    std::string text() const;
    /// Of the node that has it, where a network is built of the plan: `node01 ibp11s0f0`, `leaf-01`, `core/L16/U2`.
    std::string node_name() const;
};

struct PlannedCable {
    PlannedEnd from, to;
    std::string rack;  ///< of the column with that name; empty = there is none
    std::string rate;
    std::size_t line = 0;
};

/// A cable at a port that has one by an earlier line.
struct SecondCable {
    PlannedCable cable;
    base::SourceLocation place;
    std::string text;  ///< `leaf-01 [21] has a cable in line 4 already`
    std::string sentence() const { return place.file + ":" + std::to_string(place.line) + ": " + text; }
};

struct CablePlan {
    std::vector<PlannedCable> cables;  ///< each once, whichever end is told first
    std::vector<SecondCable> doubles;  ///< which are left out
    std::uint64_t open = 0;            ///< lines with one end alone
    std::uint64_t management = 0;      ///< cables at a switch's management port (`mgmt0`), which are left out
};

/// Does a line name the columns of a plan?
bool is_plan_header(std::string_view line);
/// Columns go by their names (`StartDevice`, `Source Port`, `to`, ..), in any order, behind others; commas, semicolons
/// or tabs between them.
/// A switch is a device with a port as switches have them: a number (`Port 21`, `Blade 16_Port 2/20`), a label
/// (`1/31/2`), an interface of a router (is_router_interface). Of cables that join no switch so far, devices with such
/// cables to several others are switches, too. All others are hosts.
/// @throws InputError where no line names them, or a row lacks some or has a port that is none.
CablePlan read_cable_plan(io::LineReader& lines);
/// The network of a plan: switches are devices with switch ports, the leaf chips of a director with as many spine chips
/// as the largest of them has cables outside; all others are hosts, a node for each of their ports. Devices of second
/// cables are there, without these.
/// @throws InputError where it has no hosts
model::Network read_planned_network(io::LineReader& lines, model::Disagreements& disagreements);

}  // namespace tailback::formats
