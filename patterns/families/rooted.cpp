// gather, scatter: all to one, one to all; rank 0 is the root.
#include "patterns/families.hpp"

namespace tailback::patterns {

void write_gather(FlowListWriter& out) {
    out.begin_level();
    for (std::uint64_t i = 1; i < out.ranks(); ++i) out.flow(i, 0);
}

void write_scatter(FlowListWriter& out) {
    out.begin_level();
    for (std::uint64_t i = 1; i < out.ranks(); ++i) out.flow(0, i);
}

}  // namespace tailback::patterns
