// Operations that wait for each other, simulated once more: in exact fractions, every condition asked again at every
// instant. Shares no code with the program.
#pragma once

#include "tests/support/oracle/sharing_oracle.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace tailback::oracle {

/// A flow, which is on the links of its stages one stage after the other; or what takes a time, if stages are empty.
struct Operation {
    std::vector<std::vector<std::size_t>> stages;
    Rational size = 0;
    Rational between = 0, behind = 0;  ///< latency from a stage to the next, and behind the last
    Rational duration = 0;             ///< of what is no flow
    std::size_t rank = 0;              ///< of a flow: it has what flows of lower ranks leave
    Rational weight = 1;               ///< of a flow: its rate grows in proportion, among those of its rank
    std::optional<std::size_t> core;   ///< that runs one at a time
};

struct Times {
    std::optional<Rational> begun, sent, ended;
};

/// @param release when operation o may begin, as far as that is known from what has happened
std::vector<Times> simulate(
    std::vector<Rational> const& capacity, std::vector<Operation> const& operations,
    std::function<std::optional<Rational>(std::size_t o, std::vector<Times> const&)> const& release);

}  // namespace tailback::oracle
