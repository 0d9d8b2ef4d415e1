// ring: one message goes around, one hop a level.
#include "patterns/families.hpp"

namespace tailback::patterns {

void write_ring(FlowListWriter& out) {
    std::uint64_t const n = out.ranks();
    for (std::uint64_t i = 0; i < n; ++i) {
        out.begin_level();
        out.flow(i, (i + 1) % n);
    }
}

}  // namespace tailback::patterns
