// ORCS's annotated dot from a file or standard input.
#include "host/formats/formats.hpp"
#include "host/formats/orcs_dot.hpp"

namespace tailback {

Fabric read_orcs_dot(LineReader& lines, Disagreements& disagreements) {
    constexpr std::size_t most_bytes = std::size_t{1}
                                       << 30;  // cgraph counts edges in 28 bits: 5 bytes an edge at least
    std::string const text = lines.rest(most_bytes);
    return parse_orcs_dot(text, lines.name(), disagreements);
}

}  // namespace tailback
