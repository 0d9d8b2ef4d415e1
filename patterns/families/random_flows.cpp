// Flows drawn once, by the pattern's own seed, the same for all mappings: uniform, hot-spot, hot-region, gups,
// map-reduce.
#include "host/base/spec.hpp"
#include "patterns/arguments.hpp"
#include "patterns/families.hpp"

#include <algorithm>

namespace tailback::patterns {
namespace {

/// Uniform on 0 .. n-1 but for `source`.
std::uint32_t other_rank(Draws& draws, std::uint32_t n, std::uint32_t source) {
    std::uint32_t const drawn = draws.next(n - 1);
    return drawn + (drawn >= source ? 1 : 0);
}

std::uint32_t flows_of(base::Arguments const& arguments, std::uint32_t n) {
    return arguments.given("flows") ? arguments.number("flows") : n;
}

/// Calls destination(source, draws) for so many uniform sources.
template <class Destination>
void write_drawn(FlowListWriter& out, base::Arguments const& arguments, Destination&& destination) {
    out.begin_level();
    if (out.ranks() < 2) return;
    Draws draws(arguments.long_number("seed"));
    std::uint32_t const flows = flows_of(arguments, out.ranks());
    for (std::uint32_t f = 0; f < flows; ++f) {
        std::uint32_t const source = draws.next(out.ranks());
        out.flow(source, destination(source, draws));
    }
}

}  // namespace

void write_uniform(FlowListWriter& out, base::Arguments const& arguments) {
    write_drawn(out, arguments,
                [&](std::uint32_t source, Draws& draws) { return other_rank(draws, out.ranks(), source); });
}

void write_hot_spot(FlowListWriter& out, base::Arguments const& arguments) {
    std::uint32_t const root = root_of(arguments, out.ranks()), share = arguments.number("percent");
    write_drawn(out, arguments, [&](std::uint32_t source, Draws& draws) {
        bool const hot = draws.next(100) < share && source != root;
        return hot ? root : other_rank(draws, out.ranks(), source);
    });
}

void write_hot_region(FlowListWriter& out, base::Arguments const& arguments) {
    std::uint32_t const share = arguments.number("percent");
    std::uint32_t const region = std::max(1u, out.ranks() / arguments.number("part"));
    write_drawn(out, arguments, [&](std::uint32_t source, Draws& draws) {
        bool const hot = draws.next(100) < share;
        std::uint32_t const among = hot ? region : out.ranks();
        if (source >= among) return draws.next(among);
        return among == 1 ? other_rank(draws, out.ranks(), source) : other_rank(draws, among, source);
    });
}

void write_gups(FlowListWriter& out, base::Arguments const& arguments) {
    std::uint32_t const n = out.ranks(), updates = arguments.number("updates");
    out.begin_level();
    if (n < 2) return;
    if (std::uint64_t{n} * updates >> 30 != 0)
        arguments.refuse("it has 2^30 flows or more", "", "use fewer ranks or fewer updates");
    Draws draws(arguments.long_number("seed"));
    for (std::uint32_t i = 0; i < n; ++i)
        for (std::uint32_t u = 0; u < updates; ++u) out.flow(i, other_rank(draws, n, i));
}

/// Of the pairs of workers a share is drawn, each pair for itself.
void write_map_reduce(FlowListWriter& out, base::Arguments const& arguments) {
    std::uint32_t const n = out.ranks(), share = arguments.number("percent");
    if (std::uint64_t{n} * n >> 30 != 0) arguments.refuse("it has 2^30 pairs of workers", "", "use fewer ranks");
    Draws draws(arguments.long_number("seed"));
    out.begin_level();
    for (std::uint32_t i = 1; i < n; ++i) out.flow(0, i);
    out.begin_level();
    for (std::uint32_t i = 1; i < n; ++i)
        for (std::uint32_t j = 1; j < n; ++j)
            if (i != j && draws.next(100) < share) out.flow(i, j);
    out.begin_level();
    for (std::uint32_t i = 1; i < n; ++i) out.flow(i, 0);
}

}  // namespace tailback::patterns
