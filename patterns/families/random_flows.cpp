// Flows drawn once, by the pattern's own seed, the same for all mappings: uniform, hot-spot, hot-region, local, gups,
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

/// An offset on a ring of `size`, -floor((size-1)/2) .. floor(size/2): half of the draws within 1, a quarter 2 or 3
/// away, an eighth 4 to 7, an eighth farther; any offset where the ring has none of those.
std::int64_t local_offset(Draws& draws, std::uint32_t size) {
    struct Band {
        std::int64_t first, last;
    };
    constexpr Band bands[] = {{0, 1}, {0, 1}, {0, 1}, {0, 1}, {2, 3}, {2, 3}, {4, 7}, {8, UINT32_MAX}};
    std::int64_t const below = (size - 1) / 2, above = size / 2;
    Band band = bands[draws.next(8)];
    if (band.first > above) band = {0, UINT32_MAX};
    // Its negative offsets, the farthest first, then the others: 0 is not both.
    std::int64_t const low = std::max<std::int64_t>(band.first, 1);
    std::int64_t const left = std::max<std::int64_t>(0, std::min(band.last, below) - low + 1);
    std::int64_t const right = std::min(band.last, above) - band.first + 1;
    std::int64_t const drawn = draws.next(static_cast<std::uint32_t>(left + right));
    return drawn < left ? drawn - (low + left - 1) : band.first + drawn - left;
}

}  // namespace

void write_local(FlowListWriter& out, base::Arguments const& arguments) {
    Grid const grid(arguments, out.ranks(), 0);
    write_drawn(out, arguments, [&](std::uint32_t source, Draws& draws) {
        std::uint32_t destination = source;
        while (destination == source) {
            std::vector<std::uint32_t> at = grid.coordinates(source);
            for (std::size_t d = 0; d < at.size(); ++d) {
                std::int64_t const size = grid.sizes()[d];
                at[d] = static_cast<std::uint32_t>((at[d] + local_offset(draws, grid.sizes()[d]) + size) % size);
            }
            destination = grid.rank(at);
        }
        return destination;
    });
}

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
