// Worst case of links where switches divide flows equally among their ports: the largest load that a permutation of the
// hosts puts on a link between switches.
//
// It is the largest matching of sources and destinations, weighed with the part of the pair's flow that the link
// carries (Towles and Dally, SPAA 2002). All sources of a row have the same parts, and so have destinations that all
// switches treat alike: each of these is one, with so many hosts. What every source could have at most, or every
// destination, is a bound; links are looked at from the largest on, and most reach it greedily.
#pragma once

#include "host/model/routes/choice_graph.hpp"

#include <cstdint>
#include <optional>
#include <span>

namespace tailback::audit {

struct DividedWorst {
    double flows = 0;         ///< of weight 1
    bool exact = true;        ///< false: no permutation puts more on any link, and one puts ..
    double at_least = 0;      ///< .. this on some link; exact: the same as `flows`
    model::Link link;         ///< the first that has it; none = nothing goes between switches
    std::uint64_t links = 0;  ///< that have it
};

/// Pairs that some choice does not deliver load nothing. None where it would take long: a matter of the fabric alone.
/// @param most_matching steps of assignments, a second or two @throws kernels::Stopped
std::optional<DividedWorst> worst_divided_permutation(model::ChoiceGraph const& graph,
                                                      std::span<model::Host const> hosts, unsigned threads,
                                                      double most_matching = 2e9);

}  // namespace tailback::audit
