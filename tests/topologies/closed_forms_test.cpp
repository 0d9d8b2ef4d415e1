// Of every family a dozen sizes against closed forms: hosts, switches, cables, degree, diameter, average distance.
// Distances are links between two hosts, host cables included, over all ordered pairs. Where no closed form is known a
// published bound stands in. The bisection is in bisection_test.cpp.
#include "tests/support/networks/network_facts.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/topology.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

namespace tailback::closed_forms_test {
namespace {

using Size = std::size_t;

struct Expected {
    std::string spec;
    Size hosts, switches, cables;
    Size degree;  ///< most cables of a switch
    Size diameter;
    std::optional<double> average;
    bool diameter_is_bound = false;
};

Size power(Size base, Size exponent) {
    Size result = 1;
    for (; exponent > 0; --exponent) result *= base;
    return result;
}

/// All pairs of hosts by distance, of one host: count at 2, 3, .. links.
double mean(std::vector<std::pair<double, double>> const& hosts_at_links) {
    double hosts = 0, links = 0;
    for (auto const& [count, distance] : hosts_at_links) hosts += count, links += count * distance;
    return links / hosts;
}

/// Two levels: leaves of `below` hosts, `up` switches each joined to all leaves.
Expected two_levels(std::string spec, Size below, Size leaves, Size up) {
    double const hosts = double(below * leaves);
    return {std::move(spec),
            below * leaves,
            leaves + up,
            below * leaves + leaves * up,
            std::max(below + up, leaves),
            4,
            mean({{double(below) - 1, 2}, {hosts - double(below), 4}})};
}

/// n levels of k-ary trees: k^l - k^(l-1) hosts at 2l links; of those at the top all that are left.
double tree_mean(Size k, Size n, Size hosts) {
    std::vector<std::pair<double, double>> at;
    for (Size level = 1; level < n; ++level)
        at.emplace_back(double(power(k, level) - power(k, level - 1)), 2.0 * double(level));
    at.emplace_back(double(hosts - power(k, n - 1)), 2.0 * double(n));
    return mean(at);
}

Expected grid(std::string const& family, std::vector<Size> const& sizes, bool wraps) {
    std::string spec = family + ":";
    Size switches = 1;
    for (Size const n : sizes) switches *= n, spec += std::to_string(n) + "x";
    spec.pop_back();
    Size cables = switches, degree = 1, diameter = 2;
    double distance = 0;
    for (Size const n : sizes) {
        bool const closed = wraps && n > 2;
        cables += closed ? switches : switches / n * (n - 1);
        degree += n > 2 ? 2 : n - 1;
        diameter += wraps ? n / 2 : n - 1;
        distance += wraps ? double(n * n / 4) / double(n) : double(n * n - 1) / double(3 * n);
    }
    double const all = double(switches);
    return {spec, switches, switches, cables, degree, diameter, 2 + distance * all / (all - 1)};
}

std::vector<std::vector<Size>> const grids = {{4, 4},    {8, 8},    {3, 5},       {2, 6},    {16},    {5, 5}, {4, 4, 4},
                                              {3, 4, 5}, {2, 2, 2}, {2, 3, 4, 5}, {6, 6, 6}, {12, 3}, {1, 7}};

using Rows = std::vector<Expected>;

Rows of_xgft() {
    Rows rows;
    for (auto const& [m, l, w] : std::vector<std::array<Size, 3>>{{4, 4, 4},
                                                                  {4, 6, 2},
                                                                  {2, 9, 1},
                                                                  {8, 16, 8},
                                                                  {18, 36, 18},
                                                                  {3, 5, 7},
                                                                  {6, 6, 3},
                                                                  {5, 12, 5},
                                                                  {10, 10, 4},
                                                                  {16, 8, 16},
                                                                  {2, 2, 2},
                                                                  {7, 3, 1}})
        rows.push_back(two_levels(fmt::format("xgft:m={}x{},w=1x{}", m, l, w), m, l, w));
    return rows;
}
std::vector<std::pair<Size, Size>> const trees = {{2, 2}, {2, 3}, {2, 5}, {2, 8}, {3, 3}, {3, 4}, {4, 2},
                                                  {4, 3}, {4, 4}, {5, 3}, {8, 2}, {8, 3}, {12, 2}};
Rows of_kary() {
    Rows rows;
    for (auto const& [k, n] : trees)
        rows.push_back({fmt::format("kary-ntree:k={},n={}", k, n), power(k, n), n * power(k, n - 1), n * power(k, n),
                        2 * k, 2 * n, tree_mean(k, n, power(k, n))});
    return rows;
}
Rows of_mport() {
    Rows rows;
    for (auto const& [h, n] : trees)
        rows.push_back({fmt::format("mport-ntree:m={},n={}", 2 * h, n), 2 * power(h, n), (2 * n - 1) * power(h, n - 1),
                        n * 2 * power(h, n), 2 * h, 2 * n, tree_mean(h, n, 2 * power(h, n))});
    return rows;
}
Rows of_thin() {  // tables 2 and 3 of the INSEE dissertation are tested in tree_families_test.cpp
    Rows rows;
    for (auto const& [k, up, n] : std::vector<std::array<Size, 3>>{{2, 1, 2},
                                                                   {2, 1, 5},
                                                                   {4, 2, 3},
                                                                   {4, 1, 4},
                                                                   {4, 3, 3},
                                                                   {5, 3, 3},
                                                                   {6, 4, 2},
                                                                   {7, 5, 3},
                                                                   {8, 1, 3},
                                                                   {8, 2, 2},
                                                                   {8, 4, 3},
                                                                   {8, 7, 2}}) {
        Size switches = 0;
        for (Size i = 0; i < n; ++i) switches += power(k, n - 1 - i) * power(up, i);
        rows.push_back({fmt::format("thintree:k={},up={},n={}", k, up, n), power(k, n), switches, switches * k, k + up,
                        2 * n, tree_mean(k, n, power(k, n))});
    }
    return rows;
}
Rows of_clos() {
    Rows rows;
    for (auto const& [radix, taper] : std::vector<std::pair<Size, Size>>{
             {4, 1}, {6, 1}, {6, 2}, {8, 1}, {8, 3}, {9, 2}, {10, 1}, {12, 2}, {12, 3}, {16, 1}, {16, 3}, {24, 2}}) {
        Size const up = radix / (taper + 1);
        rows.push_back(two_levels(fmt::format("clos:radix={},taper={}", radix, taper), radix - up, radix, up));
    }
    return rows;
}
Rows of_rail() {
    Rows rows;
    for (auto const& [gpus, nodes, groups] : std::vector<std::array<Size, 3>>{{8, 16, 1},
                                                                              {8, 16, 4},
                                                                              {8, 4, 2},
                                                                              {4, 8, 3},
                                                                              {2, 2, 2},
                                                                              {4, 4, 4},
                                                                              {8, 8, 8},
                                                                              {1, 6, 5},
                                                                              {2, 12, 3},
                                                                              {3, 5, 7},
                                                                              {6, 3, 2},
                                                                              {8, 2, 9}})
        rows.push_back(two_levels(fmt::format("rail:gpus={},nodes={},groups={}", gpus, nodes, groups), nodes,
                                  gpus * groups, nodes));
    return rows;
}
Rows of_grids(std::string const& family, bool wraps) {
    Rows rows;
    for (std::vector<Size> const& sizes : grids) rows.push_back(grid(family, sizes, wraps));
    return rows;
}
Rows of_rings() {
    Rows rows;
    for (Size n = 3; n < 60; n += 4) rows.push_back(grid("ring", {n}, true));
    return rows;
}
Rows of_twisted() {  // 2a x a with twist a (Camara et al. 2010): diameter a
    Rows rows;
    for (Size a = 3; a <= 14; ++a)
        rows.push_back(
            {fmt::format("twisted-torus:{}x{}", 2 * a, a), 2 * a * a, 2 * a * a, 6 * a * a, 5, 2 + a, std::nullopt});
    return rows;
}
Rows of_midimew() {  // Beivide et al. 1991: 4i switches at distance i < d, the others at d = ceil((sqrt(2n - 1) - 1) /
                     // 2)
    Rows rows;
    for (Size const n : {5, 6, 8, 13, 20, 25, 40, 41, 64, 100, 150, 255, 400}) {
        auto const d = Size(std::ceil((std::sqrt(2.0 * double(n) - 1) - 1) / 2));
        std::vector<std::pair<double, double>> at;
        double nearer = 0;
        for (Size i = 1; i < d; ++i) at.emplace_back(4.0 * double(i), 2.0 + double(i)), nearer += 4.0 * double(i);
        at.emplace_back(double(n) - 1 - nearer, 2.0 + double(d));
        rows.push_back({fmt::format("midimew:{}", n), n, n, 3 * n, 5, 2 + d, mean(at)});
    }
    return rows;
}
Rows of_triangular() {  // diameter floor(2k/3)
    Rows rows;
    for (Size k = 3; k <= 16; ++k)
        rows.push_back(
            {fmt::format("triangular-torus:{}x{}", k, k), k * k, k * k, 4 * k * k, 7, 2 + 2 * k / 3, std::nullopt});
    return rows;
}
Rows of_hypercubes() {
    Rows rows;
    for (Size n = 1; n <= 12; ++n) {
        Size const all = power(2, n);
        if (n <= 10)
            rows.push_back({fmt::format("hypercube:n={}", n), all, all, all + n * all / 2, n + 1, n + 2,
                            2 + double(n * all / 2) / double(all - 1)});
        else {  // two hosts on each
            Size const few = power(2, n - 8), m = n - 8;
            rows.push_back({fmt::format("hypercube:n={},hosts=2", m), 2 * few, few, 2 * few + m * few / 2, m + 2, m + 2,
                            mean({{1, 2}, {2.0 * double(few - 1), 2 + double(m * few / 2) / double(few - 1)}})});
        }
    }
    return rows;
}
Rows of_hyperx() {
    Rows rows;
    for (auto const& [x, y, hosts] : std::vector<std::array<Size, 3>>{{2, 2, 1},
                                                                      {3, 2, 1},
                                                                      {4, 4, 1},
                                                                      {4, 4, 4},
                                                                      {8, 8, 2},
                                                                      {5, 3, 2},
                                                                      {6, 6, 3},
                                                                      {7, 2, 5},
                                                                      {9, 9, 1},
                                                                      {12, 4, 2},
                                                                      {16, 2, 1},
                                                                      {10, 10, 2}}) {
        Size const all = x * y;
        rows.push_back(
            {fmt::format("hyperx:{}x{},hosts={}", x, y, hosts), all * hosts, all, all * hosts + all * (x + y - 2) / 2,
             hosts + x + y - 2, 4,
             mean({{double(hosts) - 1, 2}, {double(hosts * (x + y - 2)), 3}, {double(hosts * (x - 1) * (y - 1)), 4}})});
    }
    return rows;
}
Rows of_full() {
    Rows rows;
    for (auto const& [n, hosts] : std::vector<std::pair<Size, Size>>{
             {2, 1}, {3, 1}, {4, 2}, {5, 5}, {6, 4}, {8, 4}, {9, 1}, {10, 10}, {12, 3}, {16, 8}, {24, 2}, {40, 4}})
        rows.push_back({fmt::format("fully-connected:n={},hosts={}", n, hosts), n * hosts, n,
                        n * hosts + n * (n - 1) / 2, hosts + n - 1, 3,
                        mean({{double(hosts) - 1, 2}, {double(hosts * (n - 1)), 3}})});
    return rows;
}
Rows of_dragonflies() {  // at most local, global, local
    Rows rows;
    for (auto const& [a, p, h] : std::vector<std::array<Size, 3>>{{2, 1, 1},
                                                                  {3, 2, 1},
                                                                  {4, 2, 2},
                                                                  {4, 1, 1},
                                                                  {2, 2, 3},
                                                                  {3, 3, 3},
                                                                  {5, 1, 2},
                                                                  {6, 1, 1},
                                                                  {6, 3, 3},
                                                                  {4, 4, 4},
                                                                  {7, 1, 2},
                                                                  {8, 1, 1}}) {
        Size const groups = a * h + 1, switches = a * groups;
        rows.push_back({fmt::format("dragonfly:a={},p={},h={}", a, p, h), p * switches, switches,
                        p * switches + groups * a * (a - 1) / 2 + groups * (groups - 1) / 2, a - 1 + p + h, 5,
                        std::nullopt});
    }
    return rows;
}
Rows of_dragonflies_plus() {
    Rows rows;
    for (auto const& [leaves, p, h] : std::vector<std::array<Size, 3>>{{2, 1, 1},
                                                                       {2, 2, 1},
                                                                       {2, 2, 2},
                                                                       {3, 2, 1},
                                                                       {3, 3, 2},
                                                                       {4, 4, 1},
                                                                       {4, 2, 2},
                                                                       {5, 1, 1},
                                                                       {5, 5, 1},
                                                                       {3, 1, 4},
                                                                       {2, 3, 5},
                                                                       {6, 2, 1}}) {
        Size const groups = leaves * h + 1, hosts = p * leaves * groups;
        rows.push_back({fmt::format("dragonfly+:leaves={},p={},h={}", leaves, p, h), hosts, 2 * leaves * groups,
                        hosts + groups * leaves * leaves + groups * (groups - 1) / 2, leaves + std::max(p, h), 5,
                        mean({{double(p) - 1, 2}, {double(p * leaves - p), 4}, {double(hosts - p * leaves), 5}})});
    }
    return rows;
}
Rows of_slimflies() {  // diameter two; of the default and of other numbers of hosts
    Rows rows;
    for (auto const& [q, hosts] : std::vector<std::pair<Size, Size>>{
             {3, 0}, {4, 0}, {5, 0}, {7, 0}, {8, 0}, {9, 1}, {11, 1}, {3, 1}, {4, 2}, {5, 3}, {7, 1}, {13, 1}}) {
        Size const degree = q % 4 == 3   ? (3 * q + 1) / 2
                            : q % 4 == 1 ? (3 * q - 1) / 2
                                         : 3 * q / 2,
                   p = hosts != 0 ? hosts : (degree + 1) / 2, all = 2 * q * q;
        rows.push_back({fmt::format("slimfly:q={},hosts={}", q, p), all * p, all, all * p + all * degree / 2,
                        p + degree, 4,
                        mean({{double(p) - 1, 2}, {double(p * degree), 3}, {double(p * (all - 1 - degree)), 4}})});
        if (hosts == 0) rows.back().spec = fmt::format("slimfly:q={}", q);
    }
    return rows;
}
Rows of_polarflies() {  // q + 1 switches of degree q, the others of q + 1
    Rows rows;
    for (auto const& [q, hosts] : std::vector<std::pair<Size, Size>>{
             {2, 0}, {3, 0}, {4, 0}, {5, 0}, {7, 0}, {8, 1}, {9, 1}, {11, 1}, {13, 1}, {2, 3}, {3, 1}, {16, 1}}) {
        Size const p = hosts != 0 ? hosts : (q + 2) / 2, all = q * q + q + 1, joined = q * (q + 1) * (q + 1);
        rows.push_back({fmt::format("polarfly:q={}", q) + (hosts != 0 ? fmt::format(",hosts={}", p) : ""), all * p, all,
                        all * p + joined / 2, p + q + 1, 4,
                        mean({{double(all * p * (p - 1)), 2},
                              {double(p * p * joined), 3},
                              {double(p * p * (all * (all - 1) - joined)), 4}})});
    }
    return rows;
}
Rows of_stars() {
    Rows rows;
    for (auto const& [n, hosts] : std::vector<std::pair<Size, Size>>{
             {2, 1}, {2, 4}, {3, 3}, {4, 1}, {4, 8}, {5, 2}, {6, 6}, {8, 4}, {9, 1}, {12, 2}, {20, 5}, {40, 3}})
        rows.push_back({fmt::format("star:n={},hosts={}", n, hosts), n * hosts, n + 1, n * hosts + n,
                        std::max(n, hosts + 1), 4, mean({{double(hosts) - 1, 2}, {double((n - 1) * hosts), 4}})});
    return rows;
}
Rows of_crossbars() {
    Rows rows;
    for (Size const n : {2, 3, 4, 5, 8, 13, 16, 31, 32, 64, 100, 300})
        rows.push_back({fmt::format("crossbar:{}", n), n, 1, n, n, 2, 2});
    return rows;
}
Rows of_edge_lists(TemporaryFolder const& folder) {  // wheels: a rim of n switches around a hub
    Rows rows;
    for (Size n = 4; n < 28; n += 2) {
        std::string text;
        for (Size i = 0; i < n; ++i) text += fmt::format("r{} r{}\nhub r{}\n", i, (i + 1) % n, i);
        double const all = double(n) + 1, joined = 4.0 * double(n);
        rows.push_back({"edge-list:" + folder.write(fmt::format("wheel{}", n), text), n + 1, n + 1, n + 1 + 2 * n,
                        n + 1, 4, 4 - joined / (all * (all - 1))});
    }
    return rows;
}
Rows of_bcubes() {
    Rows rows;
    for (auto const& [n, k] : std::vector<std::pair<Size, Size>>{
             {2, 1}, {2, 2}, {2, 3}, {2, 6}, {3, 2}, {3, 3}, {4, 2}, {4, 3}, {5, 2}, {6, 3}, {8, 2}, {16, 2}}) {
        double const all = double(power(n, k));
        rows.push_back({fmt::format("bcube:n={},k={}", n, k), power(n, k), k * power(n, k - 1), k * power(n, k), n,
                        2 * k, 2.0 * double(k) * double(n - 1) / double(n) * all / (all - 1)});
    }
    return rows;
}
/// Routes of 2^level switches and 2^level - 1 cables between: 2^(level+1) - 1 steps from host to host.
Size recursive_links(Size level) { return 3 * power(2, level) - 1; }
Rows of_dcells() {  // Guo et al. 2008: diameter below 2^(k+1) steps from host to host
    Rows rows;
    for (auto const& [n, k] : std::vector<std::pair<Size, Size>>{
             {2, 0}, {7, 0}, {2, 1}, {3, 1}, {4, 1}, {5, 1}, {6, 1}, {9, 1}, {16, 1}, {2, 2}, {3, 2}, {4, 2}}) {
        Size hosts = n;
        for (Size level = 1; level <= k; ++level) hosts *= hosts + 1;
        rows.push_back({fmt::format("dcell:n={},k={}", n, k), hosts, hosts / n, hosts + k * hosts / 2, n,
                        recursive_links(k), std::nullopt, k > 0});
    }
    return rows;
}
Rows of_ficonns() {  // Li et al. 2009: at most 2^(k+1) - 1 steps
    Rows rows;
    for (auto const& [n, k] : std::vector<std::pair<Size, Size>>{
             {4, 0}, {8, 0}, {2, 1}, {4, 1}, {6, 1}, {8, 1}, {10, 1}, {16, 1}, {24, 1}, {4, 2}, {8, 2}, {32, 1}}) {
        Size hosts = n, between = 0;
        for (Size level = 1; level <= k; ++level) hosts *= hosts / power(2, level) + 1;
        for (Size level = 1; level <= k; ++level) between += hosts / power(2, level) / 2;
        rows.push_back({fmt::format("ficonn:n={},k={}", n, k), hosts, hosts / n, hosts + between, n, recursive_links(k),
                        std::nullopt, k > 0});
    }
    return rows;
}
Rows of_hcns() {  // Guo et al. 2013: diameter 2^(h+1) - 1 steps from host to host
    Rows rows;
    for (auto const& [n, h] : std::vector<std::pair<Size, Size>>{
             {4, 0}, {9, 0}, {2, 1}, {3, 1}, {4, 1}, {6, 1}, {10, 1}, {3, 2}, {4, 2}, {6, 2}, {3, 3}, {4, 3}})
        rows.push_back({fmt::format("hcn:n={},h={}", n, h), power(n, h + 1), power(n, h),
                        power(n, h + 1) + (power(n, h + 1) - n) / 2, n, recursive_links(h), std::nullopt, h > 0});
    return rows;
}
Rows of_bcns() {  // two HCNs and the cable between their copies
    Rows rows;
    for (auto const& [alpha, beta, h] : std::vector<std::array<Size, 3>>{{2, 1, 0},
                                                                         {2, 3, 0},
                                                                         {3, 2, 0},
                                                                         {4, 4, 0},
                                                                         {6, 5, 0},
                                                                         {2, 1, 1},
                                                                         {2, 2, 1},
                                                                         {3, 1, 1},
                                                                         {3, 2, 1},
                                                                         {4, 2, 1},
                                                                         {2, 1, 2},
                                                                         {2, 2, 2}}) {
        Size const leaves = power(alpha, h), copies = leaves * beta + 1, hosts = leaves * (alpha + beta) * copies;
        rows.push_back({fmt::format("bcn:alpha={},beta={},h={}", alpha, beta, h), hosts, leaves * copies,
                        hosts + copies * (power(alpha, h + 1) - alpha) / 2 + copies * (copies - 1) / 2, alpha + beta,
                        2 * recursive_links(h) + 1, std::nullopt, h > 0});
    }
    return rows;
}
Rows of_dpillars() {  // Erickson et al. 2015: diameter k + floor(k/2) steps from host to host
    Rows rows;
    for (auto const& [n, k] : std::vector<std::pair<Size, Size>>{
             {4, 2}, {6, 2}, {8, 2}, {10, 2}, {16, 2}, {4, 3}, {6, 3}, {8, 3}, {4, 4}, {6, 4}, {4, 5}, {4, 6}}) {
        Size const hosts = k * power(n / 2, k);
        rows.push_back({fmt::format("dpillar:n={},k={}", n, k), hosts, hosts / (n / 2), 2 * hosts, n, 2 * (k + k / 2),
                        std::nullopt, true});
    }
    return rows;
}

void expect(Expected const& wanted) {
    SCOPED_TRACE(wanted.spec);
    Topology const topology = make_topology(wanted.spec);
    Network const& net = topology.network;
    EXPECT_EQ(net.hosts().size(), wanted.hosts);
    EXPECT_EQ(net.switches(), wanted.switches);
    EXPECT_EQ(net.links().size(), 2 * wanted.cables);
    Size degree = 0;
    for (std::size_t n = 0; n < net.nodes().size(); ++n)
        if (net[Node{n}].kind == NodeKind::switch_node) degree = std::max<Size>(degree, net.link_count(Node{n}));
    EXPECT_EQ(degree, wanted.degree);
    Size diameter = 0;
    double links = 0;
    auto const distances = host_distances(net, topology.hosts_do == HostsDo::forward);
    for (auto const& row : distances)
        for (std::uint32_t const d : row) diameter = std::max<Size>(diameter, d), links += d;
    EXPECT_LE(diameter, wanted.diameter);
    if (!wanted.diameter_is_bound) {
        EXPECT_EQ(diameter, wanted.diameter);
    }
    double const hosts = double(wanted.hosts);
    if (wanted.average) {
        EXPECT_NEAR(links / (hosts * (hosts - 1)), *wanted.average, 1e-9);
    }
}

TEST(ClosedForms, OfADozenSizesOfEveryFamily) {
    TemporaryFolder const folder;
    std::map<std::string, Rows> const rows = {{"xgft", of_xgft()},
                                              {"kary-ntree", of_kary()},
                                              {"mport-ntree", of_mport()},
                                              {"thintree", of_thin()},
                                              {"clos", of_clos()},
                                              {"rail", of_rail()},
                                              {"torus", of_grids("torus", true)},
                                              {"mesh", of_grids("mesh", false)},
                                              {"ring", of_rings()},
                                              {"twisted-torus", of_twisted()},
                                              {"midimew", of_midimew()},
                                              {"triangular-torus", of_triangular()},
                                              {"hypercube", of_hypercubes()},
                                              {"hyperx", of_hyperx()},
                                              {"fully-connected", of_full()},
                                              {"dragonfly", of_dragonflies()},
                                              {"dragonfly+", of_dragonflies_plus()},
                                              {"slimfly", of_slimflies()},
                                              {"polarfly", of_polarflies()},
                                              {"star", of_stars()},
                                              {"crossbar", of_crossbars()},
                                              {"edge-list", of_edge_lists(folder)},
                                              {"bcube", of_bcubes()},
                                              {"dcell", of_dcells()},
                                              {"ficonn", of_ficonns()},
                                              {"hcn", of_hcns()},
                                              {"bcn", of_bcns()},
                                              {"dpillar", of_dpillars()}};
    for (Family const& family : all_families()) {
        if (family.name == "jellyfish") continue;  // below
        // These have tests of their own (aries_test, nested_test, server_centric_test), with fewer sizes.
        if (std::set<std::string>{"aries", "swcube", "knkstar", "nesttree", "nestghc"}.contains(family.name)) continue;
        auto const found = rows.find(family.name);
        ASSERT_NE(found, rows.end()) << family.name;
        EXPECT_GE(found->second.size(), 12u) << family.name;
        for (Expected const& wanted : found->second) expect(wanted);
    }
}

// A random graph's sizes and degree are given; its mean distance is at least Moore's: r (r-1)^(i-1) switches at
// distance i, as far as they go.
TEST(ClosedForms, JellyfishIsNoNearerThanMooresBound) {
    for (auto const& [n, r, hosts] : std::vector<std::array<Size, 3>>{{10, 3, 1},
                                                                      {20, 4, 2},
                                                                      {24, 23, 1},
                                                                      {30, 5, 1},
                                                                      {50, 7, 3},
                                                                      {64, 6, 1},
                                                                      {100, 3, 1},
                                                                      {100, 10, 2},
                                                                      {125, 24, 2},
                                                                      {200, 8, 1},
                                                                      {256, 16, 1},
                                                                      {300, 30, 1}}) {
        SCOPED_TRACE(fmt::format("{} {} {}", n, r, hosts));
        Topology const topology = make_topology(fmt::format("jellyfish:switches={},degree={},hosts={}", n, r, hosts));
        Network const& net = topology.network;
        NetworkFacts const facts = facts_of(net);
        EXPECT_EQ(facts.hosts, n * hosts);
        EXPECT_EQ(facts.switches, n);
        EXPECT_EQ(facts.switch_cables, n * r / 2);
        EXPECT_EQ(facts.degree, (std::map<std::size_t, std::size_t>{{r, n}}));
        double nearest = 0, left = double(n) - 1, ring = double(r);
        Size least_diameter = 0;
        while (left > 0) {
            ++least_diameter;
            nearest += std::min(ring, left) * double(least_diameter);
            left -= ring;
            ring *= double(r) - 1;
        }
        double sum = 0;
        for (auto const& [hops, pairs] : switch_distances(net)) sum += double(hops) * double(pairs);
        EXPECT_GE(sum / double(n * (n - 1)), nearest / double(n - 1) - 1e-9);
        EXPECT_LE(sum / double(n * (n - 1)),
                  1.25 * nearest / double(n - 1));  // random graphs are nearly as good (Singla et al. 2012)
        EXPECT_GE(switch_distances(net).rbegin()->first, least_diameter);
    }
}

}  // namespace
}  // namespace tailback::closed_forms_test
