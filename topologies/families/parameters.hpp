// Parameters that several families have.
#pragma once

#include "host/base/spec.hpp"

#include <string>
#include <utility>

namespace tailback::topologies {

/// A whole number; it must be given unless there is a fallback.
inline base::Parameter number_parameter(std::string name, std::string summary, std::uint64_t least, std::uint64_t most,
                                        std::string fallback = "") {
    return {.name = std::move(name),
            .fallback = std::move(fallback),
            .summary = std::move(summary),
            .least = least,
            .most = most};
}

inline base::Parameter hosts_parameter(std::string where = "every switch") {
    return number_parameter("hosts", "hosts on " + where, 1, 65000, "1");
}

inline base::Parameter cables_parameter() {
    return number_parameter("cables", "parallel cables between two switches", 1, 65000, "1");
}

/// `8x8x8`
inline base::Parameter sizes_parameter(std::uint64_t least = 1, std::uint64_t most = 65000) {
    return {.name = "sizes",
            .kind = base::ParameterKind::numbers,
            .summary = "switches in each dimension, the first varies fastest",
            .least = least,
            .most = most,
            .aliases = {"dims"}};
}

}  // namespace tailback::topologies
