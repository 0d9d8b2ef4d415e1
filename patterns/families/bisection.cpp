// bisect, bisect_fb_sym: neighbouring ranks in pairs, one way or both ways. Of an odd number the last rank is idle.
#include "patterns/families.hpp"

namespace tailback::patterns {

void write_bisect(FlowListWriter& out) {
    out.begin_level();
    for (std::uint64_t even = 0; even + 1 < out.ranks(); even += 2) out.flow(even + 1, even);
}

void write_bisect_fb_sym(FlowListWriter& out) {
    out.begin_level();
    for (std::uint64_t even = 0; even + 1 < out.ranks(); even += 2) {
        out.flow(even, even + 1);
        out.flow(even + 1, even);
    }
}

}  // namespace tailback::patterns
