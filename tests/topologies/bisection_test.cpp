// Of every family the bisection (as tests/support/networks/halves.hpp defines it) of a dozen sizes and more. A value
// stands between what some half costs and what is proved below: by routes, by an eigenvalue, by switches common to all,
// or by branch and bound over all halves. Where the two meet it is the bisection; elsewhere the row says how far apart
// they may be.
#include "tests/support/networks/halves.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <set>

namespace tailback::bisection_test {
namespace {

using Size = std::size_t;

struct Row {
    std::string spec;
    std::optional<Size> value;              ///< cables of a half; without it that of the best that a search finds
    double ratio = 1;                       ///< so many times the bisection are no less; 1: the value is the bisection
    Halves::Half half = nullptr;            ///< one with so many cables, where it is not that of the first hosts
    std::optional<double> eigenvalue = {};  ///< the second of the Laplacian, where it is known
};
using Rows = std::vector<Row>;

Size power(Size base, Size exponent) {
    Size result = 1;
    for (; exponent > 0; --exponent) result *= base;
    return result;
}

/// What the row says of its network.
void expect(Row const& row) {
    SCOPED_TRACE(row.spec);
    Topology const topology = make_topology(row.spec);
    Halves const halves(topology);
    Size best = row.half ? halves.of_half(row.half) : halves.of_first_half();
    if (row.ratio > 1 && row.value) {
        EXPECT_EQ(best, *row.value);
    }
    if (row.value.value_or(0) < best) best = std::min(best, halves.found());
    Size const value = row.value.value_or(best);

    Size bound = 0;
    auto const proved = [&](Size more) {
        bound = std::max(bound, more);
        return double(value) <= row.ratio * double(bound) + 1e-9;
    };
    if (row.eigenvalue) {
        EXPECT_NEAR(halves.second_eigenvalue(), *row.eigenvalue, 1e-3);
    }
    bool const met = proved(row.eigenvalue ? halves.bound_by_eigenvalue(*row.eigenvalue) : 0) ||
                     proved(halves.bound_by_common_switches()) || proved(halves.bound_by_even_routes()) ||
                     proved(halves.bound_by_routing(topology, topology.usual_routing)) ||
                     proved(halves.bound_by_routing(topology, "sssp"));
    if (!met || best > value)
        if (Size const least = halves.least(5'000'000); least > 0) bound = least, best = std::min(best, least);
    EXPECT_LE(bound, best);
    EXPECT_LE(best, value);
    EXPECT_LE(double(value), row.ratio * double(bound) + 1e-9) << "proved no more than " << bound;
}

// Trees. Two levels of L leaves with w cables to each upper switch: wherever it stands, with half of the leaves on
// either side, an upper switch loses w floor(L/2). More levels of full width: half of the hosts. Of many leaves uniform
// traffic proves half of that.

Row two_levels(std::string spec, Size leaves, Size up) { return {std::move(spec), leaves / 2 * up}; }

Rows of_xgft() {
    Rows rows;
    for (auto const& [m, l, w] : std::vector<std::array<Size, 3>>{{4, 4, 4},
                                                                  {4, 6, 2},
                                                                  {8, 16, 8},
                                                                  {6, 6, 3},
                                                                  {5, 12, 5},
                                                                  {10, 10, 4},
                                                                  {16, 8, 16},
                                                                  {2, 2, 2},
                                                                  {3, 8, 7},
                                                                  {7, 14, 1},
                                                                  {2, 18, 3},
                                                                  {5, 9, 3},
                                                                  {3, 5, 7},
                                                                  {18, 36, 18},
                                                                  {24, 48, 12}})
        rows.push_back(two_levels(fmt::format("xgft:m={}x{},w=1x{}", m, l, w), l, w));
    rows.push_back({"xgft:m=8x8,w=1x4,p=1x2", 32});
    rows.push_back({"xgft:m=2x2x4,w=1x2x2", 8});
    return rows;
}
Rows of_kary() {
    Rows rows;
    for (auto const& [k, n] : std::vector<std::pair<Size, Size>>{{2, 2},
                                                                 {2, 3},
                                                                 {2, 4},
                                                                 {2, 5},
                                                                 {4, 2},
                                                                 {4, 3},
                                                                 {6, 2},
                                                                 {8, 2},
                                                                 {10, 2},
                                                                 {12, 2},
                                                                 {14, 2},
                                                                 {16, 2},
                                                                 {36, 2},
                                                                 {4, 4},
                                                                 {6, 3},
                                                                 {8, 3}})
        rows.push_back(
            {fmt::format("kary-ntree:k={},n={}", k, n), power(k, n) / 2, n > 2 && power(k, n - 1) > 16 ? 2.0 : 1.0});
    return rows;
}
Rows of_mport() {
    Rows rows;
    for (auto const& [m, n] : std::vector<std::pair<Size, Size>>{{4, 2},
                                                                 {4, 3},
                                                                 {4, 4},
                                                                 {6, 2},
                                                                 {8, 2},
                                                                 {10, 2},
                                                                 {12, 2},
                                                                 {14, 2},
                                                                 {16, 2},
                                                                 {18, 2},
                                                                 {20, 2},
                                                                 {36, 2},
                                                                 {6, 3},
                                                                 {8, 3}})
        rows.push_back({fmt::format("mport-ntree:m={},n={}", m, n), m * power(m / 2, n - 1) / 2,
                        n > 2 && 2 * power(m / 2, n - 1) > 16 ? 2.0 : 1.0});
    return rows;
}
Rows of_thin() {  // k'^(n-1) k/2: table 1 of the INSEE dissertation
    Rows rows;
    for (auto const& [k, up, n] : std::vector<std::array<Size, 3>>{{8, 1, 2},
                                                                   {8, 2, 2},
                                                                   {8, 3, 2},
                                                                   {8, 4, 2},
                                                                   {8, 5, 2},
                                                                   {8, 6, 2},
                                                                   {8, 7, 2},
                                                                   {8, 8, 2},
                                                                   {4, 1, 3},
                                                                   {4, 2, 3},
                                                                   {4, 3, 3},
                                                                   {2, 1, 5},
                                                                   {6, 4, 2},
                                                                   {10, 2, 2},
                                                                   {8, 1, 3},
                                                                   {8, 3, 3},
                                                                   {8, 4, 3},
                                                                   {10, 2, 3}})
        rows.push_back({fmt::format("thintree:k={},up={},n={}", k, up, n), power(up, n - 1) * k / 2,
                        n > 2 && power(k, n - 1) > 16 ? 2.0 : 1.0});
    return rows;
}
Rows of_clos() {
    Rows rows;
    for (auto const& [radix, taper] : std::vector<std::pair<Size, Size>>{{4, 1},
                                                                         {6, 1},
                                                                         {6, 2},
                                                                         {8, 1},
                                                                         {8, 3},
                                                                         {10, 1},
                                                                         {12, 1},
                                                                         {12, 2},
                                                                         {12, 3},
                                                                         {14, 1},
                                                                         {16, 1},
                                                                         {16, 3},
                                                                         {18, 2},
                                                                         {36, 1}})
        rows.push_back(
            two_levels(fmt::format("clos:radix={},levels=2,taper={}", radix, taper), radix, radix / (taper + 1)));
    return rows;
}
Rows of_rail() {
    Rows rows;
    for (auto const& [gpus, nodes, groups] : std::vector<std::array<Size, 3>>{{8, 16, 4},
                                                                              {8, 4, 2},
                                                                              {4, 8, 2},
                                                                              {2, 2, 2},
                                                                              {4, 4, 4},
                                                                              {1, 6, 4},
                                                                              {2, 12, 2},
                                                                              {3, 5, 6},
                                                                              {6, 3, 2},
                                                                              {1, 1, 8},
                                                                              {5, 3, 4},
                                                                              {2, 4, 10},
                                                                              {1, 5, 7}})
        rows.push_back(
            two_levels(fmt::format("rail:gpus={},nodes={},groups={}", gpus, nodes, groups), gpus * groups, nodes));
    rows.push_back(two_levels("rail:gpus=2,nodes=3,groups=2,spines=1", 4, 1));
    return rows;
}

// Products of rings or lines: Arjona Aroca and Fernandez Anta, "Bisection (band)width of product networks" (2014). Of
// complete graphs the same holds with the shortest side first, as a longer one costs more cables a switch.

Size cut_of_ring(Size) { return 2; }
Size cut_of_line(Size) { return 1; }
Size cut_of_complete_graph(Size n) { return n * n / 4; }

/// The sides in their order up to the first even one: each is cut in the middle, an odd one but for its middle layer,
/// which is cut across the sides that follow.
Row product(std::string const& family, std::vector<Size> sides, Size (*cut)(Size side), bool longest_first) {
    std::string spec = family + ":";
    for (Size const n : sides) spec += std::to_string(n) + "x";
    spec.pop_back();
    std::sort(sides.begin(), sides.end());
    if (longest_first) std::reverse(sides.begin(), sides.end());
    Size value = 0, layer = 1;
    for (Size const n : sides) layer *= n;
    for (Size const n : sides) {
        layer /= n;
        value += cut(n) * layer;
        if (n % 2 == 0) break;
    }
    return {spec, value};
}
std::vector<std::vector<Size>> const grids = {{4, 4},    {5, 5},       {3, 3},    {4, 8},       {3, 6},
                                              {3, 5},    {5, 7},       {5, 5, 6}, {3, 3, 3},    {4, 4, 4},
                                              {8, 8, 8}, {10, 10, 10}, {4, 6, 8}, {4, 4, 4, 4}, {16, 16}};
Rows of_tori() {
    Rows rows;
    for (auto const& sides : grids) rows.push_back(product("torus", sides, cut_of_ring, true));
    return rows;
}
Rows of_meshes() {
    Rows rows;
    for (auto const& sides : grids) rows.push_back(product("mesh", sides, cut_of_line, true));
    return rows;
}
Rows of_rings() {
    Rows rows;
    for (Size n = 3; n < 60; n += 4) rows.push_back({"ring:" + std::to_string(n), 2});
    rows.push_back({"ring:8", 2}), rows.push_back({"ring:64,hosts=3", 2});
    return rows;
}
Rows of_hypercubes() {  // 2^(n-1)
    Rows rows;
    for (Size n = 1; n <= 10; ++n) rows.push_back({fmt::format("hypercube:n={}", n), power(2, n - 1)});
    rows.push_back({"hypercube:n=3,hosts=2", 4}), rows.push_back({"hypercube:n=6,hosts=5", 32});
    return rows;
}
Rows of_hyperx() {
    Rows rows;
    for (auto const& sides : std::vector<std::vector<Size>>{{4, 4},
                                                            {4, 8},
                                                            {3, 4},
                                                            {3, 3},
                                                            {5, 3},
                                                            {6, 4},
                                                            {2, 2},
                                                            {16, 2},
                                                            {8, 8},
                                                            {6, 6},
                                                            {10, 10},
                                                            {3, 3, 3},
                                                            {4, 4, 4},
                                                            {5, 5},
                                                            {6, 8, 10}})
        rows.push_back(product("hyperx", sides, cut_of_complete_graph, false));
    return rows;
}
Rows of_full() {  // floor(n^2/4)
    Rows rows;
    for (Size n = 2; n <= 24; n += n < 10 ? 1 : 3) rows.push_back({fmt::format("fully-connected:n={}", n), n * n / 4});
    rows.push_back({"fully-connected:n=8,cables=2", 32});
    return rows;
}

// Circulant, twisted and triangular lattices on a torus.

Rows of_twisted() {  // 2a x a with twist a: two squares a x a, all of whose 4a cables outwards lead to the other
    Rows rows;
    for (Size a = 3; a <= 14; ++a)
        rows.push_back({fmt::format("twisted-torus:{}x{}", 2 * a, a), 4 * a, a <= 4 ? 1 : 1.31,
                        [a](std::uint32_t host_index) { return host_index % (2 * a) < a; }});
    for (auto const& [sizes, value] : std::vector<std::pair<std::string, Size>>{{"4x4", 8},
                                                                                {"4x3", 10},
                                                                                {"5x3", 10},
                                                                                {"6x4", 12},
                                                                                {"6x5", 14},
                                                                                {"6x6", 12},
                                                                                {"8x3", 12},
                                                                                {"10x3", 14},
                                                                                {"12x3", 12},
                                                                                {"6x3,twist=1", 8},
                                                                                {"8x4,twist=2", 12},
                                                                                {"3x3x3,twist=1x1", 26}})
        rows.push_back({"twisted-torus:" + sizes, value});
    return rows;
}
Rows of_midimew() {  // b = ceil(sqrt(n/2)): an arc of half of the switches costs 2b + 2(b - 1), for n = 2b^2 the least
    Rows rows;
    for (Size const b : {2, 3, 4}) rows.push_back({fmt::format("midimew:{}", 2 * b * b), 4 * b - 2});
    for (auto const& [n, value] : std::vector<std::pair<Size, Size>>{
             {5, 6}, {6, 6}, {10, 8}, {12, 10}, {13, 10}, {16, 10}, {20, 10}, {24, 12}, {25, 14}, {28, 14}, {36, 16}})
        rows.push_back({fmt::format("midimew:{}", n), value});
    for (Size const b : {5, 6, 7, 8, 10}) rows.push_back({fmt::format("midimew:{}", 2 * b * b), 4 * b - 2, 1.31});
    return rows;
}
Rows of_triangular() {  // a x b, a <= b: two straight cuts of 2a cables; of odd b with a step, two more
    Rows rows;
    for (Size k = 3; k <= 16; ++k)
        rows.push_back({fmt::format("triangular-torus:{}x{}", k, k), 4 * k + k % 2 * 2, k <= 6 || k == 8 ? 1 : 1.09});
    for (auto const& [a, b] :
         std::vector<std::pair<Size, Size>>{{3, 4}, {3, 5}, {3, 6}, {4, 5}, {4, 6}, {4, 8}, {5, 6}, {3, 10}})
        rows.push_back({fmt::format("triangular-torus:{}x{}", a, b), 4 * a + b % 2 * 2});
    return rows;
}

// Few hops.

Rows of_dragonflies() {  // even numbers of groups, and few local routes beside the global ones: (groups/2)^2 pairs of
                         // groups
    Rows rows;
    for (auto const& [a, p, h] : std::vector<std::array<Size, 3>>{
             {3, 1, 1}, {5, 2, 1}, {7, 1, 1}, {7, 4, 3}, {9, 1, 1}, {9, 1, 3}, {11, 1, 1}, {13, 1, 1}}) {
        Size const pairs = (a * h + 1) / 2;
        rows.push_back({fmt::format("dragonfly:a={},p={},h={}", a, p, h), pairs * pairs});
    }
    for (auto const& [a, p, h, groups] :
         std::vector<std::array<Size, 4>>{{6, 2, 2, 4}, {4, 2, 1, 2}, {10, 2, 1, 6}, {4, 2, 2, 4}})
        rows.push_back({fmt::format("dragonfly:a={},p={},h={},groups={}", a, p, h, groups),
                        groups / 2 * (groups / 2) * (a * h / (groups - 1))});
    rows.push_back({"dragonfly:a=2,p=1,h=1", 2});   // a ring of 6
    rows.push_back({"dragonfly:a=4,p=2,h=2", 20});  // 9 groups
    for (char const* const arrangement : {"absolute", "relative", "palmtree", "circulant", "helix", "nautilus"})
        rows.push_back({fmt::format("dragonfly:a=5,p=3,h=3,arrangement={}", arrangement), 64, 1.25});
    return rows;
}
Rows of_dragonflies_plus() {
    Rows rows;
    for (auto const& [leaves, p, h] : std::vector<std::array<Size, 3>>{
             {3, 2, 1}, {3, 3, 1}, {5, 1, 1}, {7, 2, 1}, {7, 2, 3}, {9, 2, 1}, {9, 1, 3}, {11, 1, 1}}) {
        Size const pairs = (leaves * h + 1) / 2;
        rows.push_back({fmt::format("dragonfly+:leaves={},p={},h={}", leaves, p, h), pairs * pairs});
    }
    for (auto const& [leaves, p, h, groups] :
         std::vector<std::array<Size, 4>>{{4, 2, 2, 4}, {4, 3, 1, 2}, {6, 2, 1, 2}, {6, 2, 1, 4}})
        rows.push_back({fmt::format("dragonfly+:leaves={},p={},h={},groups={}", leaves, p, h, groups),
                        groups / 2 * (groups / 2) * (leaves * h / (groups - 1))});
    rows.push_back({"dragonfly+:leaves=5,p=2,h=3,spines=5", 64});
    rows.push_back({"dragonfly+:leaves=2,p=2,h=1", 3});  // 3 groups
    return rows;
}
Rows of_slimflies() {
    // The second eigenvalue of the Laplacian is q (McKay-Miller-Siran graphs), so that a half costs at least q^3/2. So
    // do q columns, as equally many of both kinds as can be; where q is odd, q/2 more. Of q = 3 that is the least, too.
    Rows rows;
    for (Size const q : {3, 4, 5, 7, 8, 9, 11, 13, 16, 17, 19, 23}) {
        bool const odd = q % 2 == 1;
        rows.push_back({fmt::format("slimfly:q={},hosts=1", q), (q * q * q + (odd ? q : 0)) / 2,
                        odd && q > 3 ? double(q * q * q + q) / double(q * q * q + 1) : 1,
                        [q](std::uint32_t v) { return v < q * q ? v / q < (q + 1) / 2 : v / q - q < q / 2; },
                        double(q)});
    }
    return rows;
}
Rows of_polarflies() {  // with loops at its quadrics A^2 = J + q I: the second eigenvalue of the Laplacian is q + 1 -
                        // sqrt(q)
    Rows rows;
    for (auto const& [q, value] : std::vector<std::pair<Size, Size>>{{2, 3}, {3, 8}, {4, 17}, {5, 30}})
        rows.push_back({fmt::format("polarfly:q={}", q), value, 1, nullptr, q + 1 - std::sqrt(double(q))});
    for (Size const q : {7, 8, 9, 11, 13, 16, 17, 19})
        rows.push_back(
            {fmt::format("polarfly:q={},hosts=1", q), std::nullopt, 1.06, nullptr, q + 1 - std::sqrt(double(q))});
    return rows;
}
Rows of_jellyfish() {  // random: no form; a sharp bound by the eigenvalue of the very graph
    Rows rows;
    for (auto const& [n, r] : std::vector<std::pair<Size, Size>>{{10, 3},
                                                                 {16, 4},
                                                                 {20, 5},
                                                                 {24, 6},
                                                                 {30, 7},
                                                                 {40, 6},
                                                                 {50, 8},
                                                                 {64, 10},
                                                                 {80, 12},
                                                                 {100, 6},
                                                                 {100, 16},
                                                                 {125, 24}})
        for (int const seed : {1, 2}) {
            std::string const spec = fmt::format("jellyfish:switches={},degree={},seed={}", n, r, seed);
            double const second = Halves(make_topology(spec)).second_eigenvalue();
            rows.push_back({spec, std::nullopt, n <= 30 ? 1 : r == 6 ? 1.75 : 1.4, nullptr, second});
        }
    return rows;
}

// One switch and stars: half of the hosts or of the spokes, as a part without the hub loses a cable for each of its
// switches.

Rows of_stars() {
    Rows rows;
    for (Size n = 2; n <= 14; ++n) rows.push_back({fmt::format("star:n={},hosts={}", n, n % 3 + 1), n / 2});
    rows.push_back({"star:n=40", 20});
    return rows;
}
Rows of_crossbars() {
    Rows rows;
    for (Size n = 2; n <= 16; ++n) rows.push_back({fmt::format("crossbar:{}", n), n / 2});
    rows.push_back({"crossbar:300", 150});
    return rows;
}
/// Of the test that runs, gone when it ends: a test that a server runs destroys nothing that is static.
std::optional<TemporaryFolder> files;

Rows of_edge_lists() {  // wheels: the hub loses n/2 spokes to an arc of n/2 of the n rim switches, and that has two
                        // ends
    TemporaryFolder const& folder = files.emplace();
    Rows rows;
    for (Size n = 4; n < 28; n += 2) {
        std::string text;
        for (Size i = 0; i < n; ++i) text += fmt::format("r{} r{}\nhub r{}\n", i, (i + 1) % n, i);
        rows.push_back({"edge-list:" + folder.write(fmt::format("wheel{}", n), text), n / 2 + 2});
    }
    return rows;
}

// Server-centric networks.

Rows of_bcubes() {
    Rows rows;
    for (Size k = 1; k <= 6; ++k)
        rows.push_back({fmt::format("bcube:n=2,k={}", k), power(2, k - 1)});  // a hypercube with a switch on each cable
    for (Size const n : {3, 4, 8}) rows.push_back({fmt::format("bcube:n={},k=1", n), n / 2});
    for (auto const& [n, k, value] : std::vector<std::array<Size, 3>>{{3, 2, 4}, {3, 3, 13}, {4, 2, 8}, {5, 2, 11}})
        rows.push_back({fmt::format("bcube:n={},k={}", n, k), value});
    // Arjona Aroca and Fernandez Anta (2014), n even: between n^(k+1) / (4 (n - 1)) and n^k / 2.
    for (auto const& [n, k] : std::vector<std::pair<Size, Size>>{{4, 3}, {6, 2}, {6, 3}, {8, 2}, {16, 2}})
        rows.push_back({fmt::format("bcube:n={},k={}", n, k), power(n, k) / 2, 2 * double(n - 1) / double(n)});
    return rows;
}
Rows of_dcells() {
    Rows rows;
    for (Size const n : {2, 3, 4, 7, 8}) rows.push_back({fmt::format("dcell:n={},k=0", n), n / 2});
    for (auto const& [n, value] : std::vector<std::pair<Size, Size>>{{2, 2}, {3, 3}, {4, 6}, {5, 8}, {6, 10}})
        rows.push_back({fmt::format("dcell:n={},k=1", n), value});
    rows.push_back({"dcell:n=2,k=2", 11});
    for (auto const& [n, k] : std::vector<std::pair<Size, Size>>{{7, 1}, {8, 1}, {3, 2}})
        rows.push_back({fmt::format("dcell:n={},k={}", n, k), std::nullopt, 1.9});
    return rows;
}
Rows of_ficonns() {
    Rows rows;
    for (Size const n : {2, 4, 6, 8, 10}) rows.push_back({fmt::format("ficonn:n={},k=0", n), n / 2});
    for (auto const& [n, k, value] :
         std::vector<std::array<Size, 3>>{{2, 1, 1}, {2, 2, 1}, {2, 3, 1}, {4, 1, 2}, {6, 1, 4}, {8, 1, 6}, {4, 2, 4}})
        rows.push_back({fmt::format("ficonn:n={},k={}", n, k), value});
    for (auto const& [n, k] : std::vector<std::pair<Size, Size>>{{10, 1}, {12, 1}, {16, 1}, {8, 2}})
        rows.push_back({fmt::format("ficonn:n={},k={}", n, k), std::nullopt, 1.6});
    return rows;
}
Rows of_hcns() {  // n parts joined two by two: n^2/4 cables (n even) between the first half and the second, the least
                  // where parts are large enough
    Rows rows;
    for (Size const n : {4, 9}) rows.push_back({fmt::format("hcn:n={},h=0", n), n / 2});
    for (auto const& [n, h] :
         std::vector<std::pair<Size, Size>>{{2, 1}, {2, 2}, {2, 3}, {2, 4}, {2, 5}, {4, 1}, {4, 2}, {4, 3}, {6, 2}})
        rows.push_back({fmt::format("hcn:n={},h={}", n, h), n * n / 4});
    for (auto const& [n, h, value] : std::vector<std::array<Size, 3>>{{3, 1, 2}, {3, 2, 3}, {5, 1, 6}, {6, 1, 8}})
        rows.push_back({fmt::format("hcn:n={},h={}", n, h), value});
    for (Size const n : {8, 10}) rows.push_back({fmt::format("hcn:n={},h=1", n), n * n / 4, 1.7});
    return rows;
}
Rows of_bcns() {  // of gamma = h: C copies of an HCN joined two by two. C^2/4 where C is even and the copies are large
                  // enough
    Rows rows;
    auto const spec = [](Size alpha, Size beta, Size h) {
        return fmt::format("bcn:alpha={},beta={},h={}", alpha, beta, h);
    };
    for (auto const& [alpha, beta, h] : std::vector<std::array<Size, 3>>{
             {2, 1, 0}, {3, 1, 0}, {5, 1, 0}, {2, 3, 0}, {3, 3, 0}, {3, 1, 1}, {4, 5, 0}, {2, 7, 0}, {5, 1, 1}}) {
        Size const copies = power(alpha, h) * beta + 1;
        rows.push_back({spec(alpha, beta, h), copies * copies / 4, copies <= 4 ? 1 : 1.5});
    }
    for (auto const& [alpha, beta, h, value] : std::vector<std::array<Size, 4>>{
             {2, 2, 0, 2}, {3, 2, 0, 2}, {2, 5, 0, 8}, {2, 1, 1, 2}, {2, 2, 1, 4}, {2, 1, 2, 4}})
        rows.push_back({spec(alpha, beta, h), value});
    for (auto const& [alpha, beta, h] : std::vector<std::array<Size, 3>>{{3, 3, 1}, {3, 1, 2}})
        rows.push_back({spec(alpha, beta, h), std::nullopt, 2});
    return rows;
}
Rows of_dpillars() {
    // Rows parted by the highest digit, n/2 even: (n/2)^k, every switch of one stage loses half of its cables. With n =
    // 4 a wrapped butterfly of as many inputs, with a switch for every four of its edges: its bisection (n/2)^k
    // (Bornstein et al. 2001) is at most twice the one here, as a switch of four cables stands for a K(2,2), which
    // costs at most twice as many cables.
    Rows rows;
    for (auto const& [n, k] :
         std::vector<std::pair<Size, Size>>{{4, 2}, {4, 3}, {4, 4}, {4, 5}, {4, 6}, {8, 2}, {8, 3}, {12, 2}, {16, 2}}) {
        Size const column = power(n / 2, k);
        rows.push_back({fmt::format("dpillar:n={},k={}", n, k), column, column <= 8 || (n == 8 && k == 2) ? 1 : 1.8,
                        [column](std::uint32_t host_index) { return host_index % column < column / 2; }});
    }
    for (Size const k : {2, 3, 5, 8, 13}) rows.push_back({fmt::format("dpillar:n=2,k={}", k), 2});  // a ring of k hosts
    rows.push_back({"dpillar:n=6,k=2", 8});
    for (auto const& [n, k] : std::vector<std::pair<Size, Size>>{{6, 3}, {10, 2}})
        rows.push_back({fmt::format("dpillar:n={},k={}", n, k), std::nullopt, 1.6});
    return rows;
}

std::map<std::string, Rows (*)()> const rows_of = {{"xgft", of_xgft},
                                                   {"kary-ntree", of_kary},
                                                   {"mport-ntree", of_mport},
                                                   {"thintree", of_thin},
                                                   {"clos", of_clos},
                                                   {"rail", of_rail},
                                                   {"torus", of_tori},
                                                   {"mesh", of_meshes},
                                                   {"ring", of_rings},
                                                   {"twisted-torus", of_twisted},
                                                   {"midimew", of_midimew},
                                                   {"triangular-torus", of_triangular},
                                                   {"hypercube", of_hypercubes},
                                                   {"hyperx", of_hyperx},
                                                   {"fully-connected", of_full},
                                                   {"dragonfly", of_dragonflies},
                                                   {"dragonfly+", of_dragonflies_plus},
                                                   {"slimfly", of_slimflies},
                                                   {"polarfly", of_polarflies},
                                                   {"jellyfish", of_jellyfish},
                                                   {"star", of_stars},
                                                   {"crossbar", of_crossbars},
                                                   {"edge-list", of_edge_lists},
                                                   {"bcube", of_bcubes},
                                                   {"dcell", of_dcells},
                                                   {"ficonn", of_ficonns},
                                                   {"hcn", of_hcns},
                                                   {"bcn", of_bcns},
                                                   {"dpillar", of_dpillars}};

std::vector<std::string> family_names() {
    std::vector<std::string> names;
    // Of the others no bisection is known, or none was held to these networks yet.
    std::set<std::string> const without = {"aries", "swcube", "knkstar", "nesttree", "nestghc"};
    for (Family const& family : all_families())
        if (!without.contains(family.name)) names.push_back(family.name);
    return names;
}

class Bisection : public testing::TestWithParam<std::string> {
protected:
    void TearDown() override { files.reset(); }
};

TEST_P(Bisection, OfADozenSizes) {
    auto const found = rows_of.find(GetParam());
    ASSERT_NE(found, rows_of.end()) << "no rows of " << GetParam();
    std::set<std::string> specs;
    for (Row const& row : found->second()) {
        EXPECT_EQ(TopologySpec(row.spec).family().name, GetParam());
        EXPECT_TRUE(specs.insert(row.spec).second) << row.spec << " twice";
        expect(row);
    }
    EXPECT_GE(specs.size(), 12u);
}
INSTANTIATE_TEST_SUITE_P(Families, Bisection, testing::ValuesIn(family_names()), [](auto const& family) {
    std::string name = family.param == "dragonfly+" ? "dragonfly_plus" : family.param;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
});

}  // namespace
}  // namespace tailback::bisection_test
