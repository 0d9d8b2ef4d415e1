// A k-ary 2-cube drawn by hand, with dimension-order routing, for tests of exact results.
#pragma once

#include "host/model/tables.hpp"
#include "tests/support/rooms.hpp"

namespace tailback {

/// k x k switches of `hosts` hosts each: switch (x, y) is node hosts * k * k + y * k + x, its hosts are (y * k + x) *
/// hosts ..; hosts are nodes in that order with LIDs 1... Ports 1..4 lead to x+1, x-1, y+1, y-1 (modulo k), host h
/// hangs on port 5 + h. Routes correct x first, then y, each the shorter way round, ties to +. k > 2.
Fabric make_test_torus(std::uint32_t k, std::uint32_t hosts);

}  // namespace tailback
