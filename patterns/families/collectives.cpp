// Collective operations by algorithm: a level is a step, a flow has the bytes of its message. `size` is what a rank
// contributes to a reduction, what an allgather or a broadcast gives each rank, and what a pair of ranks exchanges in
// an all-to-all. Data that is divided among n ranks is divided as part_of does; parts of 0 bytes are not sent.
// (Thakur, Rabenseifner, Gropp, "Optimization of Collective Communication Operations in MPICH", IJHPCA 19, 2005)
#include "host/base/spec.hpp"
#include "patterns/arguments.hpp"
#include "patterns/families.hpp"
#include "patterns/families/pipeline.hpp"
#include "patterns/families/rails.hpp"
#include "patterns/families/rings.hpp"

#include <algorithm>
#include <bit>
#include <initializer_list>
#include <string>

namespace tailback::patterns {
namespace {

void send(FlowListWriter& out, std::uint64_t from, std::uint64_t to, std::uint64_t bytes) {
    if (bytes > 0) out.flow(from, to, bytes);
}

/// What is done with ranks beyond the largest power of two, p = n - r: before, rank 2i + 1 < 2r gives its data to rank
/// 2i and waits; after, it is given the result. `rank(i)` is the i-th of the p that are left.
class PowerOfTwo {
public:
    explicit PowerOfTwo(std::uint64_t n) : ranks(n == 0 ? 0 : std::bit_floor(n)), rest_(n - ranks) {}
    std::uint64_t const ranks;
    std::uint64_t rank(std::uint64_t i) const { return i < rest_ ? 2 * i : i + rest_; }
    void gather(FlowListWriter& out, std::uint64_t bytes) const {
        if (rest_ == 0) return;
        out.begin_level();
        for (std::uint64_t i = 0; i < rest_; ++i) send(out, 2 * i + 1, 2 * i, bytes);
    }
    void give_back(FlowListWriter& out, std::uint64_t bytes) const {
        if (rest_ == 0) return;
        out.begin_level();
        for (std::uint64_t i = 0; i < rest_; ++i) send(out, 2 * i, 2 * i + 1, bytes);
    }

private:
    std::uint64_t rest_;
};

void recursive_doubling(FlowListWriter& out, std::uint64_t bytes) {
    PowerOfTwo const power(out.ranks());
    power.gather(out, bytes);
    for (std::uint64_t distance = 1; distance < power.ranks; distance *= 2) {
        out.begin_level();
        for (std::uint64_t i = 0; i < power.ranks; ++i) send(out, power.rank(i), power.rank(i ^ distance), bytes);
    }
    power.give_back(out, bytes);
}

/// Half of what is left goes to the partner: p/2, p/4, .. 1 away.
void recursive_halving(FlowListWriter& out, PowerOfTwo const& power, std::uint64_t bytes) {
    std::uint64_t const p = power.ranks;
    for (std::uint64_t distance = p / 2; distance >= 1; distance /= 2) {
        out.begin_level();
        for (std::uint64_t i = 0; i < p; ++i) {
            std::uint64_t const partner = i ^ distance, first = partner / distance * distance;
            send(out, power.rank(i), power.rank(partner), parts_of(bytes, first, first + distance, p));
        }
    }
}

/// What a rank has goes to the partner: 1, 2, .. p/2 away.
void gather_by_doubling(FlowListWriter& out, PowerOfTwo const& power, std::uint64_t bytes) {
    std::uint64_t const p = power.ranks;
    for (std::uint64_t distance = 1; distance < p; distance *= 2) {
        out.begin_level();
        for (std::uint64_t i = 0; i < p; ++i) {
            std::uint64_t const first = i / distance * distance;
            send(out, power.rank(i), power.rank(i ^ distance), parts_of(bytes, first, first + distance, p));
        }
    }
}

void rabenseifner(FlowListWriter& out, std::uint64_t bytes) {
    PowerOfTwo const power(out.ranks());
    power.gather(out, bytes);
    recursive_halving(out, power, bytes);
    gather_by_doubling(out, power, bytes);
    power.give_back(out, bytes);
}

/// The number of flows, or as many, is the product of these.
void check_count(base::Arguments const& arguments, std::initializer_list<std::uint64_t> factors) {
    std::uint64_t product = 1;
    for (std::uint64_t const factor : factors)
        if (product = std::min(factor, std::uint64_t{1} << 31) * product; product >> 30 != 0)
            arguments.refuse("it has 2^30 flows or more", "",
                             "use fewer ranks, larger segments, or an algorithm of fewer steps");
}

/// Where a message has the sizes of many ranks.
void check_sizes(FlowListWriter const& out, base::Arguments const& arguments) {
    if (out.ranks() > 0 && arguments.bytes("size") > INT64_MAX / out.ranks())
        arguments.refuse("a message could pass 2^63 bytes", "", "use a smaller size");
}

void need_power_of_two(FlowListWriter const& out, base::Arguments const& arguments) {
    if (out.ranks() > 0 && !std::has_single_bit(out.ranks()))
        arguments.refuse("the algorithm wants a power of two of ranks", "there are " + std::to_string(out.ranks()),
                         "choose another algorithm or number of ranks");
}

/// In step t rank i sends part i + t to its owner.
void pairwise_reduce_scatter(FlowListWriter& out, std::uint64_t bytes) {
    std::uint64_t const n = out.ranks();
    for (std::uint64_t t = 1; t < n; ++t) {
        out.begin_level();
        for (std::uint64_t i = 0; i < n; ++i) send(out, i, (i + t) % n, part_of(bytes, (i + t) % n, n));
    }
}

/// In step l rank i sends the parts i .. i + min(2^l, n - 2^l) - 1 that it has to rank i - 2^l.
void bruck_allgather(FlowListWriter& out, std::uint64_t bytes) {
    std::uint64_t const n = out.ranks();
    for (std::uint64_t distance = 1; distance < n; distance *= 2) {
        out.begin_level();
        std::uint64_t const count = std::min(distance, n - distance);
        for (std::uint64_t i = 0; i < n; ++i) {
            std::uint64_t const end = i + count;
            std::uint64_t const sent = end <= n ? parts_of(bytes, i, end, n) : bytes - parts_of(bytes, end - n, i, n);
            send(out, i, (i + n - distance) % n, sent);
        }
    }
}

/// In step l rank i sends the blocks for ranks i + k, bit l of k set, to rank i + 2^l. (Bruck et al., "Efficient
/// Algorithms for All-to-All Communications in Multiport Message-Passing Systems", 1997)
void bruck_alltoall(FlowListWriter& out, std::uint64_t block) {
    std::uint64_t const n = out.ranks();
    for (std::uint64_t distance = 1; distance < n; distance *= 2) {
        // Of 0 .. n-1 those whose bit is set: half of every whole period, and what is left of the last.
        std::uint64_t const rest = n % (2 * distance);
        std::uint64_t const blocks = n / (2 * distance) * distance + (rest > distance ? rest - distance : 0);
        out.begin_level();
        for (std::uint64_t i = 0; i < n; ++i) send(out, i, (i + distance) % n, blocks * block);
    }
}

/// Ranks by their number from the root on: number 0 is the root.
struct FromRoot {
    std::uint64_t root, ranks;
    std::uint64_t rank(std::uint64_t number) const { return (number + root) % ranks; }
};

/// A level of a binomial tree of parts: number i has those of i .. i + 2 span - 1, and i + span those from its own on,
/// which are scattered from i or gathered to it.
void binomial_parts(FlowListWriter& out, FromRoot const& from, std::uint64_t bytes, std::uint64_t span, bool gathers) {
    std::uint64_t const n = from.ranks;
    out.begin_level();
    for (std::uint64_t i = 0; i + span < n; i += 2 * span) {
        std::uint64_t const near = from.rank(i), far = from.rank(i + span);
        send(out, gathers ? far : near, gathers ? near : far, parts_of(bytes, i + span, std::min(n, i + 2 * span), n));
    }
}
/// Number i ends with part i.
void binomial_scatter(FlowListWriter& out, FromRoot const& from, std::uint64_t bytes) {
    for (std::uint64_t span = std::bit_ceil(from.ranks) / 2; span >= 1; span /= 2)
        binomial_parts(out, from, bytes, span, false);
}
/// Number i begins with part i.
void binomial_gather(FlowListWriter& out, FromRoot const& from, std::uint64_t bytes) {
    for (std::uint64_t span = 1; span < from.ranks; span *= 2) binomial_parts(out, from, bytes, span, true);
}

/// In step t member i of each ring sends part (i + first - t) mod n to member i + 1.
void pass_around(FlowListWriter& out, Rings const& rings, std::uint64_t first) {
    std::uint64_t const n = rings.members;
    for (std::uint64_t t = 0; t + 1 < n; ++t) {
        out.begin_level();
        for (std::uint64_t g = 0; g < rings.groups; ++g)
            for (std::uint64_t i = rings.in_node - 1; i < n && rings.in_node < n; i += rings.in_node)
                send(out, rings.rank(g, i), rings.rank(g, (i + 1) % n), rings.part(g, (i + first + n - t) % n));
    }
}

/// All ranks, whose parts are divided among the channels: a ring each, in which the ranks of a node are a chain; or, of
/// the hierarchical algorithms, a ring of nodes, whose parts are those of their ranks.
Rings rings_of(Rails const& rails, base::Arguments const& arguments, bool of_nodes) {
    std::uint64_t const m = rails.per_node, n = rails.nodes * m, c = rails.channels, bytes = arguments.bytes("size");
    if (of_nodes)
        return {c, rails.nodes, [=](std::uint64_t g, std::uint64_t node) { return rails.rank(node, g); },
                [=](std::uint64_t g, std::uint64_t node) {
                    return part_of(parts_of(bytes, node * m, (node + 1) * m, n), g, c);
                }};
    return {c, n, [=](std::uint64_t g, std::uint64_t i) { return rails.rank(i / m, g); },
            [=](std::uint64_t g, std::uint64_t i) {
                return part_of(part_of(bytes, rails.in_chain(i / m, g, i % m), n), g, c);
            },
            m};
}

using WriteRings = void (*)(FlowListWriter&, Rings const&);

/// `ring` or `hierarchical`, which do the same between nodes; @return false: another algorithm.
bool write_by_rings(FlowListWriter& out, base::Arguments const& arguments, WriteRings write, std::uint64_t ways) {
    bool const of_nodes = arguments.word("algorithm") == "hierarchical";
    if (!of_nodes && arguments.word("algorithm") != "ring") return false;
    Rails const rails(out, arguments, of_nodes ? Rails::Use::needed : Rails::Use::chosen);
    Rings const rings = rings_of(rails, arguments, of_nodes);
    check_count(arguments, {ways, rings.members, rails.nodes, rings.groups});
    write(out, rings);
    return true;
}

/// Of algorithms that do not go by nodes.
void refuse_rails(FlowListWriter& out, base::Arguments const& arguments) { Rails(out, arguments, Rails::Use::none); }

/// What a node has for the ranks of another one on a rail goes first to its own adapter on that rail, then over the
/// fabric, in one message: in step t from node a to node a + t. (NCCL's PXN)
void pxn_alltoall(FlowListWriter& out, base::Arguments const& arguments, std::uint64_t block) {
    Rails const rails(out, arguments, Rails::Use::needed);
    check_count(arguments, {rails.nodes, rails.nodes, rails.rails()});
    for (std::uint64_t t = 1; t < rails.nodes; ++t) {
        out.begin_level();
        for (std::uint64_t a = 0; a < rails.nodes; ++a)
            for (std::uint64_t rail = 0; rail < rails.rails(); ++rail)
                send(out, rails.rank(a, rail), rails.rank((a + t) % rails.nodes, rail),
                     rails.per_node * rails.ranks_on(rail) * block);
    }
}

void refuse_segments(base::Arguments const& arguments) {
    if (arguments.said("segment"))
        arguments.refuse("segment has no effect", "the algorithm divides its messages by itself",
                         "leave it out, or take an algorithm of trees or chains");
}

std::uint64_t segment_of(base::Arguments const& arguments) {
    return arguments.given("segment") ? arguments.bytes("segment") : 0;
}

}  // namespace

void write_ring_reduce_scatter(FlowListWriter& out, Rings const& rings) { pass_around(out, rings, rings.members - 1); }

void write_ring_allgather(FlowListWriter& out, Rings const& rings) { pass_around(out, rings, 0); }

void write_ring_allreduce(FlowListWriter& out, Rings const& rings) {
    pass_around(out, rings, 0);
    pass_around(out, rings, 1);
}

void write_allreduce(FlowListWriter& out, base::Arguments const& arguments) {
    std::uint64_t const bytes = arguments.bytes("size");
    std::string const& algorithm = arguments.word("algorithm");
    if (algorithm == "double-binary-tree") {
        Rails const rails(out, arguments, Rails::Use::chosen);
        check_count(arguments,
                    {4, rails.nodes, rails.channels,
                     segments_of(part_of(bytes, rails.channels - 1, rails.channels), segment_of(arguments))});
        return write_double_binary_tree(out, rails, bytes, segment_of(arguments));
    }
    refuse_segments(arguments);
    if (write_by_rings(out, arguments, write_ring_allreduce, 2)) return;
    refuse_rails(out, arguments);
    if (algorithm == "recursive-doubling") return recursive_doubling(out, bytes);
    rabenseifner(out, bytes);
}

void write_reduce_scatter(FlowListWriter& out, base::Arguments const& arguments) {
    std::uint64_t const bytes = arguments.bytes("size");
    if (write_by_rings(out, arguments, write_ring_reduce_scatter, 1)) return;
    refuse_rails(out, arguments);
    if (arguments.word("algorithm") == "pairwise") {
        check_count(arguments, {out.ranks(), out.ranks()});
        return pairwise_reduce_scatter(out, bytes);
    }
    need_power_of_two(out, arguments);
    recursive_halving(out, PowerOfTwo(out.ranks()), bytes);
}

void write_allgather(FlowListWriter& out, base::Arguments const& arguments) {
    std::uint64_t const bytes = arguments.bytes("size");
    if (write_by_rings(out, arguments, write_ring_allgather, 1)) return;
    refuse_rails(out, arguments);
    if (arguments.word("algorithm") == "bruck") return bruck_allgather(out, bytes);
    need_power_of_two(out, arguments);
    gather_by_doubling(out, PowerOfTwo(out.ranks()), bytes);
}

void write_alltoall(FlowListWriter& out, base::Arguments const& arguments) {
    std::uint64_t const n = out.ranks(), block = arguments.bytes("size");
    check_sizes(out, arguments);
    if (arguments.word("algorithm") == "pxn") return pxn_alltoall(out, arguments, block);
    refuse_rails(out, arguments);
    if (arguments.word("algorithm") == "bruck") return bruck_alltoall(out, block);
    check_count(arguments, {n, n});
    for (std::uint64_t t = 1; t < n; ++t) {  // pairwise
        out.begin_level();
        for (std::uint64_t i = 0; i < n; ++i) send(out, i, std::has_single_bit(n) ? i ^ t : (i + t) % n, block);
    }
}

namespace {

/// Ranks in a row from the root on, a part each.
Rings ring_from(FromRoot const& from, base::Arguments const& arguments) {
    Rings rings = rings_of(Rails(from.ranks), arguments, false);
    rings.rank = [from](std::uint64_t, std::uint64_t number) { return from.rank(number); };
    return rings;
}

/// `binomial` or `chain`, in segments: from the root on to all, or backwards, to the root.
void write_by_tree(FlowListWriter& out, base::Arguments const& arguments, FromRoot const& from, bool to_root) {
    std::uint64_t const n = from.ranks, bytes = arguments.bytes("size");
    bool const chain = arguments.word("algorithm") == "chain";
    std::uint64_t const segment = segment_of(arguments), segments = segments_of(bytes, segment);
    std::uint64_t const rounds = n < 2 ? 0 : chain ? n - 1 : std::uint64_t(std::bit_width(n - 1));
    check_count(arguments, {n, segments});
    out.set_size(bytes);
    write_pipeline(out, rounds, segments, [&](std::uint64_t round, std::uint64_t number) {
        std::uint64_t const outwards = to_root ? rounds - 1 - round : round;
        std::uint64_t const first = chain ? outwards : 0, step = chain ? 1 : std::uint64_t{1} << outwards;
        for (std::uint64_t i = first; i < first + step && i + step < n; ++i) {
            std::uint64_t const near = from.rank(i), far = from.rank(i + step);
            send(out, to_root ? far : near, to_root ? near : far, segment_bytes(bytes, segment, number));
        }
    });
}

}  // namespace

void write_broadcast(FlowListWriter& out, base::Arguments const& arguments) {
    FromRoot const from{root_of(arguments, out.ranks()), out.ranks()};
    if (arguments.word("algorithm") != "scatter-allgather") return write_by_tree(out, arguments, from, false);
    refuse_segments(arguments);
    check_count(arguments, {2, from.ranks, from.ranks});
    if (from.ranks < 2) return;
    binomial_scatter(out, from, arguments.bytes("size"));
    write_ring_allgather(out, ring_from(from, arguments));
}

void write_reduce(FlowListWriter& out, base::Arguments const& arguments) {
    FromRoot const from{root_of(arguments, out.ranks()), out.ranks()};
    if (arguments.word("algorithm") != "reduce-scatter-gather") return write_by_tree(out, arguments, from, true);
    refuse_segments(arguments);
    check_count(arguments, {2, from.ranks, from.ranks});
    if (from.ranks < 2) return;
    write_ring_reduce_scatter(out, ring_from(from, arguments));
    binomial_gather(out, from, arguments.bytes("size"));
}

/// Dissemination (Hensgen, Finkel, Manber 1988).
void write_barrier(FlowListWriter& out, base::Arguments const&) {
    out.set_size(1);
    write_bruck(out);
}

void write_n_bodies(FlowListWriter& out, base::Arguments const& arguments) {
    check_sizes(out, arguments);
    std::uint64_t const n = out.ranks(), bytes = arguments.bytes("size");
    for (std::uint64_t distance = 1; distance < n; distance *= 2) {
        out.begin_level();
        for (std::uint64_t i = 0; i < n; ++i)
            send(out, i, (i + distance) % n, std::min(distance, n - distance) * bytes);
    }
}

}  // namespace tailback::patterns
