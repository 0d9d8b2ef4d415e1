// The formats in which a network and its tables can be written.
#pragma once

#include "host/model/tables.hpp"

#include <cstdint>
#include <iosfwd>
#include <span>
#include <string>
#include <vector>

namespace tailback::api {

struct WriteFormat {
    char const* name;
    char const* file_name;  ///< what `tailback generate` calls the file
    bool wants_tables;
    bool wants_lanes;  ///< Fabric::find_lanes
    void (*write)(std::ostream&, model::Fabric const&);
    /// Of the file, at least; null = it is never very large.
    std::uint64_t (*least_bytes)(model::Fabric const&) = nullptr;
};

std::span<WriteFormat const> all_write_formats();
/// @param option that the name was given to, for the message. @throws InputError with the nearest.
WriteFormat const& find_write_format(std::string const& name, std::string const& option);

/// `ibdiagnet2`: what ibdiagnet2's folder has of these; without tables as far as the network goes. Otherwise the one.
std::vector<WriteFormat const*> find_write_formats(std::string const& name, std::string const& option, bool tables);

}  // namespace tailback::api
