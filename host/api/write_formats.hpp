// The formats in which a network and its tables can be written.
#pragma once

#include "host/model/tables.hpp"

#include <cstdint>
#include <iosfwd>
#include <span>
#include <string>
#include <vector>

namespace tailback::api {

/// What of a fabric a format has room for.
struct Holds {
    bool network = false;
    bool rates = false, capacities = false, lmc = false;  ///< of the network
    bool unknown_rates = true;                            ///< that no rate is known
    bool choices = false;                                 ///< the ports that switches choose among, beside the tables
};

struct WriteFormat {
    char const* name;
    char const* file_name;  ///< what `tailback generate` calls the file
    bool wants_tables;
    bool wants_lanes;  ///< Fabric::find_lanes
    Holds holds;
    void (*write)(std::ostream&, model::Fabric const&);
    /// Of the file, at least; null = it is never very large.
    std::uint64_t (*least_bytes)(model::Fabric const&) = nullptr;
    /// A sentence for each thing that it has no room for beside what `holds` tells; null = there is none.
    std::vector<std::string> (*left_out)(model::Fabric const&) = nullptr;
};

std::span<WriteFormat const> all_write_formats();
/// @param option that the name was given to, for the message. @throws InputError with the nearest.
WriteFormat const& find_write_format(std::string const& name, std::string const& option);

/// `ibdiagnet2`: what ibdiagnet2's folder may have of these (has_content). Otherwise the one.
std::vector<WriteFormat const*> find_write_formats(std::string const& name, std::string const& option);
/// Has a fabric anything for it? Of files that a folder may lack: tables, choices of switches.
bool has_content(WriteFormat const& format, model::Fabric const& fabric);
/// A sentence for each thing that a fabric has and none of the files holds: choices of switches, of files with tables;
/// rates, capacities and the LMC, of files with the network. And for rates that files make up, as no link has one.
std::vector<std::string> lost_parts(std::span<WriteFormat const* const> formats, model::Fabric const& fabric);

}  // namespace tailback::api
