// Exact expectations of bandwidths on two-level D-mod-K trees (docs/exact-expectation.md).
#pragma once

#include "tests/support/rooms.hpp"
#include "topologies/families/xgft.hpp"

#include <algorithm>
#include <cstdint>

namespace tailback {

/// XGFT(2; d, leaves; 1, d).
struct Tree {
    std::uint32_t d, leaves;
    std::uint32_t hosts() const { return d * leaves; }
    Fabric fabric() const { return make_xgft({{d, leaves}, {1, d}}); }
};

enum class Law { rand, bisect, bisect_fb_sym };

/// E[C(X, j)]: ways to choose j flows on the up link besides the given one.
inline double binomial_moment(Law law, Tree tree, std::uint32_t j) {
    double const n = tree.hosts(), p = tree.d - 1.0, q = tree.leaves - 2.0;
    double moment = 1;
    for (std::uint32_t i = 0; i < j; ++i) {
        moment *= (p - i) * (q - i) / (i + 1.0);  // C(p, j) C(q, j) j!, one factor of each
        moment /= law == Law::rand ? n - 1 - i : n - 3 - 2.0 * i;
        if (law == Law::bisect) moment /= 2;
    }
    return moment;
}

inline double expectation_of_leaving_flows(Law law, Tree tree) {
    double sum = 0;
    for (std::uint32_t j = 0; j <= std::min(tree.d - 1, tree.leaves - 2); ++j)
        sum += (j % 2 == 0 ? 1 : -1) / (j + 1.0) * binomial_moment(law, tree, j);
    return sum;
}

inline double share_that_leaves(Law law, Tree tree) {
    double const n = tree.hosts();
    return law == Law::rand ? 1 - tree.d / n : (n - tree.d) / (n - 1);
}

inline double expectation(Law law, Tree tree) {
    double const leaves = share_that_leaves(law, tree);
    return 1 - leaves + leaves * expectation_of_leaving_flows(law, tree);
}

}  // namespace tailback
