// The table of forms of traffic, and what extensions add to it.
#pragma once

#include "host/traffic/formats.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace tailback::traffic {

/// A form of traffic: how a file of it is known, by its first bytes, and how it is read.
struct Form {
    std::string_view name;  ///< where an error says what may be given: `a report of mpiP`; empty: not there
    /// Of files whose first character is `<`, `{` or `[`, by all of their beginning. Null: none of them is it.
    bool (*is_marked)(std::string_view head) = nullptr;
    /// Of other files, by any line of their beginning. Null: by none.
    bool (*has_line)(std::string_view line) = nullptr;
    /// @param path of the file, for others beside it; empty: it is none. Null: it is an archive.
    Traffic (*read)(io::LineReader& lines, std::string const& path) = nullptr;
    /// Of tar, and of what packers wrote that are unknown here. Null: it is no archive.
    TrafficMatrix (*read_archive)(std::unique_ptr<io::ByteSource> archive, std::string const& name) = nullptr;
    /// Throws InputError where a marked file of no form is one that people take for this form. Null: none is.
    void (*refuse)(std::string_view head, base::SourceLocation const& place) = nullptr;
};

struct Registry {
    std::vector<Form> forms;  ///< base::insert_before: in the order of errors; the first that a file is
};

/// Calls every extension's register_NAME(Registry&) (generated from extensions.cmake).
void register_extensions(Registry& registry);
/// `give an edge list, a matrix, .., or GOAL`
std::string forms_that_are_read();

}  // namespace tailback::traffic
