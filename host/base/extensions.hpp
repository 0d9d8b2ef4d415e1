// Optional domains (extensions.cmake): rows that they put into tables of the core, and what a build without some says.
#pragma once

#include "host/base/error.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tailback::base {

std::string_view name_of_row(auto const& row) { return row.name; }

/// Puts a row in front of the first one of this name; at the end where there is none.
template <class Row>
void insert_before(std::vector<Row>& rows, std::string_view name, Row row) {
    rows.insert(std::find_if(rows.begin(), rows.end(), [&](Row const& other) { return name_of_row(other) == name; }),
                std::move(row));
}

/// The tables of a room's core and what extensions add: a room with a Registry has register_extensions(Registry&),
/// which calls every extension's register_NAME (generated from extensions.cmake).
template <class Registry>
Registry with_extensions(Registry registry) {
    register_extensions(registry);
    return registry;
}

/// What is missed by name in a build without an extension.
struct LeftOut {
    char const* extension;
    char const* kind;  ///< a word for users: command, topology, ..
    char const* name;
};
std::span<LeftOut const> left_out();
/// Those that are built, divided by blanks; `all`, `none`.
char const* names_of_extensions();

/// @throws InputError where an extension has it that is left out
void refuse_left_out(std::string_view kind, std::string_view name, SourceLocation const& place = {});
/// What of a kind is left out, where it cannot be asked for by name, as the end of an error's advice: `; this build was
/// configured without the extension compare: a plan of cables`; empty: nothing.
std::string left_out_hint(std::string_view kind);

}  // namespace tailback::base
