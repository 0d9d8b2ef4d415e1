// Matrices from text in memory, and as triples that a test can write down.
#pragma once

#include "host/traffic/formats.hpp"
#include "tests/support/programs/reading.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace tailback {

using namespace traffic;

/// source, destination, bytes, messages
using Rows = std::vector<std::array<std::uint64_t, 4>>;

inline TrafficMatrix matrix_from(std::string const& text) { return read_traffic(source_of(text), "file"); }

inline Rows rows_of(TrafficMatrix const& matrix) {
    Rows rows;
    for (Entry const& entry : matrix.entries)
        rows.push_back({entry.source, entry.destination, entry.bytes, entry.messages});
    return rows;
}

inline std::string refusal(std::string const& text) {
    return error_of([&] { matrix_from(text); });
}

}  // namespace tailback
