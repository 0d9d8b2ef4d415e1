// Parameters that several patterns have, as rows of the table name them.
#pragma once

#include "patterns/table.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tailback::patterns {

using base::Parameter;
using base::ParameterKind;
using Rows = std::vector<PatternRow>;

inline Parameter number(char const* name, char const* summary, char const* fallback, std::uint64_t least,
                        std::uint64_t most) {
    return {.name = name, .fallback = fallback, .summary = summary, .least = least, .most = most};
}
inline Parameter bytes(char const* name, char const* summary, char const* fallback) {
    return {.name = name, .kind = ParameterKind::bytes, .fallback = fallback, .summary = summary, .least = 1};
}
inline Parameter choice(char const* name, char const* summary, std::vector<std::string> choices) {
    std::string const fallback = choices.front();
    return {.name = name,
            .kind = ParameterKind::choice,
            .fallback = fallback,
            .summary = summary,
            .choices = std::move(choices)};
}
inline Parameter dims(char const* summary) {
    return {.name = "dims", .kind = ParameterKind::numbers, .summary = summary, .least = 1, .optional = true};
}
inline Parameter flows() {
    Parameter parameter = number("flows", "how many; as many as ranks unless given", "", 1, 1u << 30);
    parameter.optional = true;
    return parameter;
}
inline Parameter seed() { return number("seed", "of the draws, the same for all mappings", "1", 0, UINT64_MAX); }
inline Parameter root() { return number("root", "its rank", "0", 0, UINT32_MAX); }
inline Parameter percent(char const* summary, char const* fallback) {
    return number("percent", summary, fallback, 0, 100);
}

/// collective_rows.cpp
Rows collective_rows();

}  // namespace tailback::patterns
