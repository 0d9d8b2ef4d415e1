// Collective operations in the table of patterns.
#include "patterns/row_parameters.hpp"

namespace tailback::patterns {
namespace {

Parameter algorithm(std::vector<std::string> choices) { return choice("algorithm", "how", std::move(choices)); }
/// What goes round or across between compute nodes, behind what the pattern has of its own.
std::vector<Parameter> with_rails(std::vector<Parameter> own, bool channels = true) {
    auto const some = [](char const* name, char const* summary) {
        return Parameter{.name = name, .summary = summary, .least = 1, .optional = true};
    };
    own.push_back(some("per-node", "ranks in a row that share a compute node; as placed unless given"));
    own.push_back(some("rails", "adapters of a node that they use; as placed, or one for each, unless given"));
    if (channels)
        own.push_back(
            some("channels", "rings or pairs of trees, number c on rail c mod rails; as many as rails unless given"));
    return own;
}
Parameter segment(char const* summary) {
    return {.name = "segment", .kind = ParameterKind::bytes, .summary = summary, .least = 1, .optional = true};
}

}  // namespace

Rows collective_rows() {
    Rows rows = {
        {{"allreduce", "everyone has `size` bytes and gets the sum of all",
          "ring: 8 flows of size/4 in each direction step", 2, "ring: 2n(n-1) flows, 2(n-1) S bytes",
          with_rails({algorithm({"ring", "hierarchical", "recursive-doubling", "rabenseifner", "double-binary-tree"}),
                      bytes("size", "bytes a rank has", "1MiB"),
                      segment("double-binary-tree: bytes of a channel that a step takes up; all unless given")})},
         write_allreduce,
         "allreduce:algorithm=ring,size=64MiB"},
        {{"reduce-scatter", "everyone has `size` bytes and gets its part of the sum",
          "ring: 0->1 1->2 2->3 3->0 | .. | ..", 2, "ring, pairwise: n(n-1) flows; (n-1) S bytes",
          with_rails({algorithm({"ring", "hierarchical", "pairwise", "recursive-halving"}),
                      bytes("size", "bytes a rank has", "1MiB")})},
         write_reduce_scatter,
         "reduce-scatter:algorithm=pairwise,size=64MiB"},
        {{"allgather", "everyone gets `size` bytes, a part from each", "ring: 0->1 1->2 2->3 3->0 | .. | ..", 2,
          "ring: n(n-1) flows; (n-1) S bytes",
          with_rails({algorithm({"ring", "hierarchical", "bruck", "recursive-doubling"}),
                      bytes("size", "bytes a rank gets", "1MiB")})},
         write_allgather,
         "allgather:algorithm=bruck,size=64MiB"},
        {{"alltoall", "everyone has `size` bytes for each other rank, in steps",
          "pairwise: 0->1 1->0 2->3 3->2 | 0->2 .. | 0->3 ..", 2, "pairwise: n(n-1) flows, n(n-1) S bytes",
          with_rails({algorithm({"pairwise", "pxn", "bruck"}), bytes("size", "bytes for each other rank", "1MiB")},
                     false)},
         write_alltoall,
         "alltoall:algorithm=bruck,size=64KiB"},
        {{"broadcast",
          "the root has `size` bytes for all",
          "binomial: 0->1 | 0->2 1->3",
          2,
          "binomial, chain: n - 1 flows, (n-1) S bytes",
          {algorithm({"binomial", "scatter-allgather", "chain"}), bytes("size", "bytes of the message", "1MiB"), root(),
           segment("binomial, chain: bytes of the message that a step takes up; all unless given")}},
         write_broadcast,
         "broadcast:algorithm=scatter-allgather,size=64MiB"},
        {{"reduce",
          "everyone has `size` bytes, and the root gets the sum of all",
          "binomial: 2->0 3->1 | 1->0",
          2,
          "binomial, chain: n - 1 flows, (n-1) S bytes",
          {algorithm({"binomial", "reduce-scatter-gather", "chain"}), bytes("size", "bytes a rank has", "1MiB"), root(),
           segment("binomial, chain: bytes of the message that a step takes up; all unless given")}},
         write_reduce,
         "reduce:algorithm=chain,size=64MiB"},
        {{"barrier", "dissemination: in level l, i -> (i+2^l) mod n, a byte each",
          "0->1 1->2 2->3 3->0 | 0->2 1->3 2->0 3->1", 2, "n ceil(log2 n) flows and bytes"},
         write_barrier,
         "barrier"},
        {{"n-bodies",
          "in level l, i -> (i+2^l) mod n with min(2^l, n-2^l) times `size` bytes",
          "0->1 1->2 2->3 3->0 | 0->2 1->3 2->0 3->1",
          2,
          "n ceil(log2 n) flows, n(n-1) S bytes",
          {bytes("size", "bytes of a rank's bodies", "1MiB")}},
         write_n_bodies,
         "n-bodies:size=64KiB"},
        {{"training",
          "a step of training on dp x tp x pp ranks: tensor, expert, pipeline and data parallel traffic",
          "tp=2,pp=2: 0->1 1->0 2->3 3->2 (twice) | 0->2 1->3 | 2->0 3->1",
          2,
          "tp: 2 dp pp (tp-1) Stp, pp: 2 dp tp (pp-1) Spp, dp: 2 tp pp (dp-1) Sdp, ep: n (ep-1)/ep Sep bytes",
          {number("tp", "tensor-parallel ranks, which vary fastest", "1", 1, UINT32_MAX),
           number("pp", "pipeline stages, which vary slowest", "1", 1, UINT32_MAX),
           number("ep", "expert-parallel replicas, a divisor of dp", "1", 1, UINT32_MAX),
           {.name = "dp", .summary = "data-parallel replicas; n / (tp pp) unless given", .least = 1, .optional = true},
           bytes("tp-size", "bytes of a ring allreduce of each tensor-parallel group", "16MiB"),
           bytes("ep-size", "bytes each rank divides among its experts", "16MiB"),
           bytes("pp-size", "bytes between two stages, each way", "16MiB"),
           bytes("dp-size", "bytes of a ring allreduce of each data-parallel group", "256MiB")}},
         write_training,
         "training:tp=8,pp=4,dp-size=1GiB"},
    };
    for (PatternRow& row : rows) row.each_has_size = false;
    return rows;
}

}  // namespace tailback::patterns
