// Max-min rates and completion times once more, in exact fractions of any size: progressive filling as the books have
// it, and event after event. Shares no code with the program.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>

#include <cstddef>
#include <vector>

namespace tailback::oracle {

using Rational = boost::multiprecision::cpp_rational;

struct SharingQuestion {
    std::vector<Rational> capacity;                ///< by link
    std::vector<std::vector<std::size_t>> routes;  ///< by flow: its links
    std::vector<Rational> size;                    ///< by flow
    std::vector<Rational> weight;                  ///< rates grow in proportion; empty: alike
};

/// By flow; of flows that are not `active` 0.
std::vector<Rational> max_min_rates(SharingQuestion const& question, std::vector<bool> const& active);

/// When each flow ends, if all start at 0.
std::vector<Rational> completion_times(SharingQuestion const& question);

/// Does every active flow have a full link on which no flow has more for its weight?
bool has_bottlenecks(SharingQuestion const& question, std::vector<Rational> const& rates);

}  // namespace tailback::oracle
