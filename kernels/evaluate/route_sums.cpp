#include "kernels/evaluate/route_sums.hpp"

#include <algorithm>
#include <utility>

namespace tailback::kernels {
namespace {

constexpr std::uint32_t none = 0xFFFFFFFF;

/// Which pairs are far from each other is taken from the lengths of their routes; everything else follows, and is
/// checked.
class Search {
public:
    explicit Search(RowTable const& table)
        : table_(table),
          words_(table.words_a_row),
          groups_(table.groups),
          seats_(static_cast<std::uint32_t>(table.group_of_host_index.size())) {}

    RouteSums run() {
        sums_.source.assign(std::size_t{groups_} * words_, 0);
        sums_.destination.assign(std::size_t{seats_} * words_, 0);
        find_blocks();
        if (!blocks_are_small() || !solve() || !holds()) return {};
        return std::move(sums_);
    }

private:
    std::uint64_t const* row(std::uint32_t g, std::uint32_t d) const {
        return table_.words + (std::size_t{g} * seats_ + d) * words_;
    }

    bool is_longest(std::uint32_t g, std::uint32_t d) const {
        std::uint32_t const links_a_word = 64 / table_.link_index_bits, last = table_.longest - 1;
        std::uint64_t const shifted = row(g, d)[last / links_a_word] >> (last % links_a_word * table_.link_index_bits);
        return (shifted & ((std::uint64_t{1} << table_.link_index_bits) - 1)) != table_.padding;
    }

    /// Groups whose routes to each other are shorter than the longest share a block.
    void find_blocks() {
        std::vector<std::uint32_t> a_host_index(groups_, none);
        for (std::uint32_t d = seats_; d-- > 0;) a_host_index[table_.group_of_host_index[d]] = d;
        sums_.block_of_group.assign(groups_, none);
        std::uint32_t blocks = 0;
        for (std::uint32_t g = 0; g < groups_; ++g) {
            if (a_host_index[g] == none || sums_.block_of_group[g] != none) continue;
            for (std::uint32_t other = g; other < groups_; ++other)
                if (a_host_index[other] != none && sums_.block_of_group[other] == none &&
                    (other == g || !is_longest(g, a_host_index[other])))
                    sums_.block_of_group[other] = blocks;
            ++blocks;
        }
        sums_.block_of_host_index.resize(seats_);
        for (std::uint32_t d = 0; d < seats_; ++d)
            sums_.block_of_host_index[d] = sums_.block_of_group[table_.group_of_host_index[d]];
    }

    bool blocks_are_small() const {
        std::vector<std::uint64_t> groups_in, seats_in;
        for (std::uint32_t const b : sums_.block_of_group)
            if (b != none) groups_in.resize(std::max<std::size_t>(groups_in.size(), b + 1)), ++groups_in[b];
        seats_in.resize(groups_in.size());
        for (std::uint32_t const b : sums_.block_of_host_index) ++seats_in[b];
        std::uint64_t inside = 0;
        for (std::size_t b = 0; b < groups_in.size(); ++b) inside += groups_in[b] * seats_in[b];
        return groups_in.size() >= 3 && inside <= std::uint64_t{groups_} * seats_ / 4;
    }

    bool far(std::uint32_t g, std::uint32_t d) const { return sums_.block_of_group[g] != sums_.block_of_host_index[d]; }

    /// Every part from the parts known before: group 0's is 0; destinations far from it; groups far from one of those;
    /// the rest.
    bool solve() {
        std::vector<bool> group_known(groups_), seat_known(seats_);
        auto first_used = [&](auto&& good) -> std::uint32_t {
            for (std::uint32_t g = 0; g < groups_; ++g)
                if (sums_.block_of_group[g] != none && good(g)) return g;
            return none;
        };
        std::uint32_t const start = first_used([](std::uint32_t) { return true; });
        group_known[start] = true;
        auto learn_seats = [&](std::uint32_t g) {
            for (std::uint32_t d = 0; d < seats_; ++d)
                if (!seat_known[d] && far(g, d)) {
                    for (std::uint32_t w = 0; w < words_; ++w) destination(d)[w] = row(g, d)[w] - source(g)[w];
                    seat_known[d] = true;
                }
        };
        auto learn_group = [&](std::uint32_t g) {
            for (std::uint32_t d = 0; d < seats_ && !group_known[g]; ++d)
                if (seat_known[d] && far(g, d)) {
                    for (std::uint32_t w = 0; w < words_; ++w) source(g)[w] = row(g, d)[w] - destination(d)[w];
                    group_known[g] = true;
                }
        };
        learn_seats(start);
        for (std::uint32_t g = 0; g < groups_; ++g)
            if (sums_.block_of_group[g] != none) learn_group(g);
        std::uint32_t const second = first_used(
            [&](std::uint32_t g) { return group_known[g] && sums_.block_of_group[g] != sums_.block_of_group[start]; });
        if (second == none) return false;
        learn_seats(second);
        for (std::uint32_t g = 0; g < groups_; ++g)
            if (sums_.block_of_group[g] != none) learn_group(g);
        return true;
    }

    bool holds() const {
        for (std::uint32_t g = 0; g < groups_; ++g)
            for (std::uint32_t d = 0; d < seats_; ++d) {
                if (sums_.block_of_group[g] == none || !far(g, d)) continue;
                for (std::uint32_t w = 0; w < words_; ++w)
                    if (sums_.source[std::size_t{g} * words_ + w] + sums_.destination[std::size_t{d} * words_ + w] !=
                        row(g, d)[w])
                        return false;
            }
        return true;
    }

    std::uint64_t* source(std::uint32_t g) { return &sums_.source[std::size_t{g} * words_]; }
    std::uint64_t* destination(std::uint32_t d) { return &sums_.destination[std::size_t{d} * words_]; }

    RowTable table_;
    std::uint32_t words_, groups_, seats_;
    RouteSums sums_;
};

}  // namespace

std::vector<std::uint64_t> widened_rows(void const* rows, std::size_t count) {
    auto const* const first = static_cast<std::uint32_t const*>(rows);
    return count > std::size_t{1} << 25 ? std::vector<std::uint64_t>()
                                        : std::vector<std::uint64_t>(first, first + count);
}

RouteSums find_route_sums(RowTable const& rows) {
    if (rows.groups < 3 || rows.longest == 0 || rows.group_of_host_index.empty()) return {};
    return Search(rows).run();
}

}  // namespace tailback::kernels
