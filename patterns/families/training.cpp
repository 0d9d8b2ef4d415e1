// A training step of a neural network on dp x pp x tp ranks: rank = t + tp (d + dp p) is tensor-parallel member t of
// data-parallel replica d in pipeline stage p. (Narayanan et al., "Efficient Large-Scale Language Model Training on GPU
// Clusters Using Megatron-LM", SC'21)
#include "host/base/spec.hpp"
#include "patterns/arguments.hpp"
#include "patterns/families.hpp"
#include "patterns/families/rings.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tailback::patterns {
namespace {

struct Shape {
    std::uint64_t dp, tp, pp, ep;
    std::uint64_t rank(std::uint64_t d, std::uint64_t t, std::uint64_t p) const { return t + tp * (d + dp * p); }
};

/// a x b, or 2^32 where it is more.
std::uint64_t capped_product(std::uint64_t a, std::uint64_t b) { return std::min(a * b, std::uint64_t{1} << 32); }

Shape shape_of(FlowListWriter const& out, base::Arguments const& arguments) {
    std::uint64_t const n = out.ranks();
    Shape shape{1, arguments.number("tp"), arguments.number("pp"), arguments.number("ep")};
    std::uint64_t const others = capped_product(shape.tp, shape.pp);
    shape.dp = arguments.given("dp") ? arguments.number("dp") : std::max<std::uint64_t>(1, n / others);
    std::uint64_t const ranks = capped_product(shape.dp, others);
    if (n > 0 && ranks != n)
        arguments.refuse(fmt::format("there are {} ranks", n),
                         fmt::format("dp x tp x pp is {} x {} x {}{}", shape.dp, shape.tp, shape.pp,
                                     ranks >> 32 != 0 ? ", which is too large" : fmt::format(" = {}", ranks)),
                         "give as many ranks as the product");
    if (n > 0 && shape.dp % shape.ep != 0)
        arguments.refuse(fmt::format("ep is {}", shape.ep), fmt::format("dp, {}, is not a multiple of it", shape.dp),
                         "choose a divisor of dp");
    return shape;
}

/// Everyone in a group of experts sends everyone else in it an equal part.
void exchange_experts(FlowListWriter& out, Shape const& s, std::uint64_t bytes) {
    if (s.ep < 2) return;
    out.begin_level();
    for (std::uint64_t p = 0; p < s.pp; ++p)
        for (std::uint64_t d = 0; d < s.dp; ++d)
            for (std::uint64_t t = 0; t < s.tp; ++t)
                for (std::uint64_t e = d / s.ep * s.ep; e < d / s.ep * s.ep + s.ep; ++e)
                    if (std::uint64_t const part = part_of(bytes, e % s.ep, s.ep); e != d && part > 0)
                        out.flow(s.rank(d, t, p), s.rank(e, t, p), part);
}

/// Activations to the next stage, then gradients back.
void pass_stages(FlowListWriter& out, Shape const& s, std::uint64_t bytes) {
    if (s.pp < 2) return;
    for (bool const forward : {true, false}) {
        out.begin_level();
        for (std::uint64_t p = 0; p + 1 < s.pp; ++p)
            for (std::uint64_t d = 0; d < s.dp; ++d)
                for (std::uint64_t t = 0; t < s.tp; ++t)
                    out.flow(s.rank(d, t, forward ? p : p + 1), s.rank(d, t, forward ? p + 1 : p), bytes);
    }
}

}  // namespace

void write_training(FlowListWriter& out, base::Arguments const& arguments) {
    Shape const s = shape_of(out, arguments);
    if (out.ranks() == 0) return;
    std::uint64_t const n = out.ranks(), a_rank = 2 * (s.tp - 1) + (s.ep - 1) + 2 + 2 * (s.dp - 1);
    if (n * a_rank >> 30 != 0) arguments.refuse("it has 2^30 flows or more", "", "use smaller groups, or fewer ranks");
    std::uint64_t const tp_size = arguments.bytes("tp-size"), dp_size = arguments.bytes("dp-size");
    Rings const tensors{s.dp * s.pp, s.tp,
                        [&](std::uint64_t g, std::uint64_t t) { return s.rank(g % s.dp, t, g / s.dp); },
                        [&](std::uint64_t, std::uint64_t t) { return part_of(tp_size, t, s.tp); }};
    Rings const replicas{s.tp * s.pp, s.dp,
                         [&](std::uint64_t g, std::uint64_t d) { return s.rank(d, g % s.tp, g / s.tp); },
                         [&](std::uint64_t, std::uint64_t d) { return part_of(dp_size, d, s.dp); }};
    write_ring_allreduce(out, tensors);
    exchange_experts(out, s, arguments.bytes("ep-size"));
    pass_stages(out, s, arguments.bytes("pp-size"));
    write_ring_allreduce(out, replicas);
}

}  // namespace tailback::patterns
