// What extensions add to the formats that are read: files and folders with a network.
#pragma once

#include "host/formats/formats.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tailback::formats {

/// A file with a network. Those of the core are recognised before it.
struct NetworkFile {
    char const* name;                       ///< in messages: `a plan of cables`
    bool (*begins)(std::string_view line);  ///< is it such a file, by a line of its beginning?
    model::Network (*read)(io::LineReader& lines, model::Disagreements& disagreements);
};

/// A folder that is named with its kind, `KIND:PATH`, and has routes as well.
struct NetworkFolder {
    std::string_view kind;
    char const* name;   ///< in messages: `a folder of routers`
    char const* holds;  ///< what is in it: `routes and neighbours of IP routers`
    /// @param path without its kind
    model::Fabric (*read)(std::string const& path, model::Disagreements& disagreements);
    bool (*is_one)(std::string const& path);  ///< by what is in it

    std::string path_of(std::string_view named) const { return std::string(named.substr(kind.size() + 1)); }
};

struct Registry {
    std::vector<NetworkFile> files;
    std::vector<NetworkFolder> folders;
};

/// Calls every extension's register_NAME(Registry&) (generated from extensions.cmake).
void register_extensions(Registry& registry);
/// What extensions have added.
Registry const& tables();

/// Format of the first of Registry::files; the others follow.
inline constexpr std::size_t first_added_format = std::size_t(Format::private_tables) + 1;
/// Null: a format of the core.
NetworkFile const* added_file(Format format);
/// The kind that it is named with; null: none.
NetworkFolder const* folder_named(std::string_view network);

}  // namespace tailback::formats
