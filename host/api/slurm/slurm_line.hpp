// A line of a topology.conf, and which of its switches are below each other.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tailback::api {

/// A line of topology.conf.
struct SlurmLine {
    std::map<std::string, std::string> keys;  ///< in lower case, with their values
    std::vector<std::string> told;            ///< keys that scontrol has and the file does not
    std::vector<std::string> strange;         ///< words that are neither, and keys that nothing has

    bool is_scontrol() const {
        return keys.contains("aggregatedblock") || (keys.contains("switchname") && keys.contains("level")) ||
               (keys.contains("blockname") && keys.contains("blockindex"));
    }
    /// The value of a key; none also where it is `(null)`.
    std::string const* value(char const* key) const {
        auto const at = keys.find(key);
        return at == keys.end() || at->second == "(null)" ? nullptr : &at->second;
    }
};

/// `KEY=VALUE ..`: blanks may stand around the `=`, and values in double quotes.
SlurmLine read_slurm_line(std::string_view line);

/// Strongly connected components of a graph, each after all that it leads to (Tarjan, without recursion).
/// @param next by vertex: those that it leads to
std::vector<std::vector<std::size_t>> parts_of_circles(std::vector<std::vector<std::size_t>> const& next);

}  // namespace tailback::api
