// rand: every rank sends to where a random permutation puts it.
#include "patterns/families.hpp"

namespace tailback::patterns {

void write_rand(FlowListWriter& out) {
    out.begin_level();
    out.random_flows({.first_rank = 0, .ranks = out.ranks(), .stream = 0});
}

}  // namespace tailback::patterns
