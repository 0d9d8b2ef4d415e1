// Nodes that are free, as a scheduler tells them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tailback::io {
class LineReader;
}
namespace tailback::api {

/// Names of nodes that are free, as a scheduler tells.
struct IdleNodes {
    std::vector<std::string> names;       ///< each once
    std::vector<std::string> other_idle;  ///< idle, but with a mark that keeps jobs away
    std::uint64_t busy = 0;               ///< names of any other state
};
/// A file of them, what it is called in reports, and its reader.
struct IdleNodesFile {
    std::string name, path;
    IdleNodes (*read)(io::LineReader& lines) = nullptr;
};

}  // namespace tailback::api
