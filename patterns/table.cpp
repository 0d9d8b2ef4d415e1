#include "patterns/registry.hpp"
#include "patterns/row_parameters.hpp"

#include <utility>
#include <vector>

namespace tailback::patterns {
namespace {

/// For writers without parameters.
template <void (*write)(FlowListWriter&)>
void plain(FlowListWriter& out, base::Arguments const&) {
    write(out);
}
template <void (*write)(FlowListWriter&, base::Arguments const&, std::size_t), std::size_t dimensions>
void grid(FlowListWriter& out, base::Arguments const& arguments) {
    write(out, arguments, dimensions);
}
template <std::uint32_t degree>
void neighbors(FlowListWriter& out, base::Arguments const&) {
    write_neighbor(out, degree);
}

char const* const near_cubic_sizes = "ranks in each dimension, the first varies fastest; near-cubic unless given";

/// Those of ORCS, and what is made otherwise.
Rows orcs_rows() {
    return {
        {{"null", "no flow at all", "(none)", 1, "0 flows"}, plain<write_null>, "null", false},
        {{"rand", "i -> pi(i), a random permutation drawn anew for every mapping", "0->2 1->0 2->1", 1,
          "n flows, those from a rank to itself included"},
         plain<write_rand>,
         "rand",
         false},
        {{"bisect", "2i+1 -> 2i", "1->0 3->2", 2, "floor(n/2) flows"}, plain<write_bisect>},
        {{"bisect_fb_sym", "2i <-> 2i+1", "0->1 1->0 2->3 3->2", 2, "2 floor(n/2) flows"}, plain<write_bisect_fb_sym>},
        {{"tree", "binomial tree: in level l, i -> i+2^l for i < 2^l", "0->1 | 0->2 1->3", 2, "n - 1 flows"},
         plain<write_tree>},
        {{"bruck", "in level l, i -> (i+2^l) mod n for all i", "0->1 1->2 2->3 3->0 | 0->2 1->3 2->0 3->1", 2,
          "n ceil(log2 n) flows"},
         plain<write_bruck>},
        {{"gather", "i -> root", "1->0 2->0 3->0", 2, "n - 1 flows", {root()}}, write_all_to_one, "gather:root=3"},
        {{"scatter", "root -> i", "0->1 0->2 0->3", 2, "n - 1 flows", {root()}}, write_one_to_all, "scatter:root=3"},
        {{"ring", "in level l, l -> (l+1) mod n", "0->1 | 1->2 | 2->3 | 3->0", 1, "n flows"}, plain<write_ring>},
        {{"recdbl", "recursive doubling: in level l, k <-> k+2^l; ranks beyond a power of two in one more level",
          "0->1 1->0 2->3 3->2 | 0->2 2->0 1->3 3->1", 2, "p log2 p + n - p flows, p the largest power of two <= n"},
         plain<write_recdbl>},
        {{"2neighbor", "greedy neighbour graph of degree 2, both ways (any Xneighbor is understood)",
          "0->1 0->2 1->0 1->2 2->0 2->1", 2, "2n flows if 3 divides n"},
         neighbors<2>},
        {{"4neighbor", "greedy neighbour graph of degree 4, both ways", "ranks 0..4 all with each other, 5..9, ...", 2,
          "4n flows if 5 divides n"},
         neighbors<4>},
        {{"6neighbor", "greedy neighbour graph of degree 6, both ways", "ranks 0..6 all with each other, 7..13, ...", 2,
          "6n flows if 7 divides n"},
         neighbors<6>},
        {{"1shift", "i -> (i+1) mod n (any Xshift is understood: i -> (i+X) mod n)", "0->1 1->2 2->3 3->0", 2,
          "n flows"},
         [](FlowListWriter& out, base::Arguments const&) { write_shift(out, 1); }},
        {{"ptrnvsptrn", "a first pattern on ranks 0..z-1 beside a second one on the others, level by level",
          "bisect beside ring, z = 2: 1->0 2->3", 2},
         nullptr},
        {{listed_pattern, "levels of flows that a file lists: --pattern file:PATH",
          "lines `level`, `0 1`, `1 0`, `level`, `2 0`: 0->1 1->0 | 2->0", 1},
         nullptr},
    };
}

Rows everyone_rows() {
    return {
        {{"all-to-all", "i -> j for all i, j", "0->1 0->2 0->3 1->0 .. 3->2", 2, "n(n-1) flows"}, write_all_to_all},
        {{"many-all-to-all",
          "all-to-all among each `group` ranks in a row",
          "group=2: 0->1 1->0 2->3 3->2",
          2,
          "n(g-1) flows if g divides n",
          {number("group", "ranks of a group", "8", 1, UINT32_MAX)}},
         write_many_all_to_all,
         "many-all-to-all:group=8"},
        {{"one-to-all", "root -> i", "0->1 0->2 0->3", 2, "n - 1 flows", {root()}},
         write_one_to_all,
         "one-to-all:root=3"},
        {{"all-to-one", "i -> root", "1->0 2->0 3->0", 2, "n - 1 flows", {root()}},
         write_all_to_one,
         "all-to-one:root=3"},
        {{"uniform",
          "random sources, each to a random other rank",
          "0->2 2->1 3->0 0->1",
          2,
          "F flows",
          {flows(), seed()}},
         write_uniform,
         "uniform:flows=1000"},
        {{"hot-spot",
          "as uniform, but `percent` of the flows go to the root",
          "1->0 0->3 2->0 1->3",
          2,
          "F flows",
          {percent("of flows that go to the root", "2"), root(), flows(), seed()}},
         write_hot_spot,
         "hot-spot:percent=10"},
        {{"hot-region",
          "as uniform, but `percent` of the flows go to the first n / `part` ranks",
          "1->0 0->3 2->0 1->3",
          2,
          "F flows",
          {percent("of flows that go to the region", "25"),
           number("part", "the region is 1/part of the ranks", "8", 1, UINT32_MAX), flows(), seed()}},
         write_hot_region,
         "hot-region:percent=50"},
        {{"local",
          "as uniform, to ranks nearby on a torus: of 8 offsets 4 are -1 to 1, 2 are 2 or 3, 1 is 4 to 7, 1 farther",
          "0->1 3->0 1->2 2->3",
          2,
          "F flows",
          {dims("ranks in each dimension, the first varies fastest; one ring unless given"), flows(), seed()}},
         write_local,
         "local:dims=8x8"},
        {{"gups",
          "each rank sends `updates` flows of 8 bytes to random other ranks",
          "updates=1: 0->2 1->0 2->3 3->1",
          2,
          "n u flows",
          {number("updates", "flows of each rank", "16", 1, 1u << 20), seed(),
           bytes("size", "bytes of each flow", "8")}},
         write_gups,
         "gups:updates=64"},
        {{"map-reduce",
          "rank 0 -> all; `percent` of the pairs of the others; all -> rank 0",
          "0->1 0->2 0->3 | 1->2 1->3 2->1 .. | 1->0 2->0 3->0",
          2,
          "2(n-1) + (n-1)(n-2) flows with percent=100",
          {percent("of the pairs of workers", "100"), seed()}},
         write_map_reduce,
         "map-reduce:percent=25"},
    };
}

Rows permutation_rows() {
    char const* const of_bits = "2^l ranks send, l = floor(log2 n); a rank that is its own partner is local";
    Rows rows = {
        {{"shift",
          "i -> (i + by) mod n",
          "0->1 1->2 2->3 3->0",
          2,
          "n flows",
          {number("by", "how far", "1", 1, UINT32_MAX)}},
         write_shift_by,
         "shift:by=8"},
        {{"transpose", "rank y k + x -> x k + y on the largest square of k x k ranks", "1->2 2->1", 2,
          "k(k-1) flows, k = floor(sqrt n)"},
         write_transpose},
        {{"tornado",
          "nearly half way around the first dimension: x -> x + ceil(k/2) - 1 mod k",
          "0->1 1->2 2->3 3->0",
          2,
          "n flows; none if k < 3",
          {dims("ranks in each dimension, the first varies fastest; one dimension unless given"),
           choice("offset", "nearly half way, or half way (floor(k/2))", {"nearly", "half"})}},
         write_tornado,
         "tornado:dims=8x8"},
        {{"bit-complement", "i -> the complement of its bits", "0->3 1->2 2->1 3->0", 2, of_bits},
         write_bit_complement},
        {{"bit-reversal", "i -> its bits in reverse order", "1->2 2->1", 2, of_bits}, write_bit_reversal},
        {{"bit-transpose", "i -> its bits rotated by half their number", "1->2 2->1", 2, of_bits}, write_bit_transpose},
        {{"perfect-shuffle", "i -> its bits rotated up by one", "1->2 2->1", 2, of_bits}, write_perfect_shuffle},
        {{"butterfly", "i -> its highest and lowest bit exchanged", "1->2 2->1", 2, of_bits}, write_butterfly},
    };
    for (PatternRow& row : rows) row.info.meant = Meant::for_neighbours;
    return rows;
}

Rows grid_rows() {
    auto const periodic = [](std::vector<std::string> choices) {
        return choice("periodic", "do the ends of a dimension meet", std::move(choices));
    };
    auto const stencil = [&]() -> std::vector<Parameter> {
        return {dims(near_cubic_sizes), periodic({"no", "yes"}),
                choice("diagonals", "with diagonal neighbours", {"no", "yes"})};
    };
    auto const flood = [&]() -> std::vector<Parameter> { return {dims(near_cubic_sizes), periodic({"yes", "no"})}; };
    char const* const of_stencil = "sum over dimensions of 2 n (k-1)/k flows; 2n each where the ends meet and k > 1";
    char const* const of_sweep = "sum over dimensions of n (k-1)/k flows in sum of (k-1) levels";
    Rows rows = {
        {{"stencil-2d", "everyone with its neighbours on a grid, all at once",
          "0->1 0->2 1->0 1->3 2->3 2->0 3->2 3->1", 2, of_stencil, stencil()},
         grid<write_stencil, 2>,
         "stencil-2d:dims=16x8,periodic=yes"},
        {{"stencil-3d", "the same in three dimensions", "as stencil-2d", 2, of_stencil, stencil()},
         grid<write_stencil, 3>,
         "stencil-3d:dims=8x8x4,diagonals=yes"},
        {{"sweep-2d",
          "a wavefront: in level l the ranks whose coordinates add up to l send up each dimension",
          "0->1 0->2 | 1->3 2->3",
          2,
          of_sweep,
          {dims(near_cubic_sizes)}},
         grid<write_sweep, 2>,
         "sweep-2d:dims=16x8"},
        {{"sweep-3d", "the same in three dimensions", "as sweep-2d", 2, of_sweep, {dims(near_cubic_sizes)}},
         grid<write_sweep, 3>,
         "sweep-3d:dims=8x8x4"},
        {{"flood-2d", "from rank 0 to all: in level l the ranks l steps away send to neighbours one step farther",
          "0->1 0->2 | 1->3 2->3", 2, "a flow for each pair of neighbours that are not equally far", flood()},
         grid<write_flood, 2>,
         "flood-2d:dims=16x8"},
        {{"flood-3d", "the same in three dimensions", "as flood-2d", 2,
          "a flow for each pair of neighbours that are not equally far", flood()},
         grid<write_flood, 3>,
         "flood-3d:dims=8x8x4"},
    };
    for (PatternRow& row : rows) row.info.meant = Meant::for_neighbours;
    return rows;
}

}  // namespace

Parameter size_parameter() { return bytes("size", "bytes of each flow", "1"); }

std::span<PatternRow const> pattern_rows() {
    static Rows const table = [] {
        Registry registry;
        Rows& all = registry.rows;
        for (Rows const& rows : {orcs_rows(), everyone_rows(), permutation_rows(), grid_rows(), collective_rows()})
            all.insert(all.end(), rows.begin(), rows.end());
        register_extensions(registry);
        for (PatternRow& row : all) {
            std::vector<Parameter>& parameters = row.info.parameters;
            bool const own = !parameters.empty() && parameters.back().name == "size";
            if (row.write != nullptr && row.each_has_size && !own) parameters.push_back(size_parameter());
        }
        return all;
    }();
    return table;
}

PatternRow const* find_row(std::string const& name) {
    for (PatternRow const& row : pattern_rows())
        if (name == row.info.name) return &row;
    return nullptr;
}

}  // namespace tailback::patterns
