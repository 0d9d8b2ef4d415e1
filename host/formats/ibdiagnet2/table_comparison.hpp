// Files of tables of one folder, held against each other.
#pragma once

#include "host/formats/formats.hpp"
#include "host/model/tables.hpp"

#include <cstdint>
#include <set>
#include <string>

namespace tailback::formats {

struct Tables {
    std::string file;
    model::ForwardingTables tables;
    std::set<std::uint32_t> damaged;  // switches
    bool has_groups = false;          // of adaptive routing: a `.far` file

    /// What ibroute prints has the table of one switch, which lacks nothing.
    bool is_of_one_switch() const;
};

/// Do entries of `used` send hosts elsewhere than to their ports at many of their switches, and those of `other`
/// nowhere? Then `used` is of another day than the network, and `other` is not.
bool fits_better(model::Network const& network, Tables const& other, Tables const& used);

/// Takes from `other` the tables and LIDs that `used` lacks, and the entries that it lost; then entries that differ, a
/// note a switch. What a damaged table lacks has been told with the damage.
void compare_tables(model::Network const& network, Tables& used, Tables const& other,
                    model::Disagreements& disagreements);

}  // namespace tailback::formats
