// The part of YAML that a sweep needs, as a tree that knows its lines: scalars, lists, maps with scalars as keys, null.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tailback::io {

struct YamlNode {
    enum class Kind : std::uint8_t { scalar, list, map, none };  ///< none: `~`, null, or nothing at all
    Kind kind = Kind::scalar;
    std::size_t line = 0;           ///< from 1; of an item of a map: where its key stands
    std::string text;               ///< of a scalar, quotes taken off
    std::vector<std::string> keys;  ///< of a map: those of `items`, all different
    std::vector<YamlNode> items;    ///< of a list or a map
};

/// False when the program was built without yaml-cpp: then read_yaml refuses.
bool yaml_is_built_in();

/// @param name what messages call the text.
/// @throws InputError with name:line for what is no YAML, no single document, empty, deeper than four levels, or has
/// anchors, aliases, tags, NUL characters, a key twice or a key that is no scalar; and when the program was built
/// without YAML.
YamlNode read_yaml(std::string const& text, std::string const& name);

/// The list below `key:`, the one key of the text. @throws InputError with name:line for anything else, which is "no
/// `what`", and for keys beside it.
YamlNode const& only_list(YamlNode const& tree, std::string const& key, std::string const& name,
                          std::string const& what, std::string const& what_to_do);

/// The file that a word in a file of YAML names: the one beside that file, where there is one, else as the word says.
std::string file_beside(std::string const& yaml, std::string const& word);

}  // namespace tailback::io
