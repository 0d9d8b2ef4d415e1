// Permutation number m of a stream: Fisher-Yates whose draws are a pure function of (seed, stream, m, step).
//
// Definition. Let a = 0, 1, .., size-1. For step i = 0, 1, .., steps-1 swap a[i] with a[i + draw(i)], draw(i) uniform
// on 0 .. size-1-i. The random word of step i is word i mod 4 of Philox4x32-10 with key = seed and counter =
// (i div 4, attempt + 2^24 stream, low half of m, high half of m). It is mapped onto the range by the high half of a
// 32x32-bit product; a word in the biased tail is rejected and drawn anew with attempt + 1 (Lemire, "Fast random
// integer generation in an interval", 2019), so every permutation is exactly as likely as every other. With
// steps < size the first `steps` places are a uniform ordered sample.
#pragma once

#include "kernels/common/philox.hpp"
#include "kernels/common/team.hpp"

namespace tailback::kernels {

/// Streams keep the uses of randomness apart.
enum class Stream : std::uint32_t { mapping = 1, subset = 2, first_pattern = 3, second_pattern = 4 };

/// draw(i) above, given the step's first word; redraws in the biased tail.
TAILBACK_HD std::uint32_t bounded_draw(std::uint32_t word, std::uint32_t range, std::uint32_t step, std::uint64_t seed,
                                       Stream stream, std::uint64_t m) {
    std::uint64_t product = std::uint64_t{word} * range;
    if (static_cast<std::uint32_t>(product) < range) {
        std::uint32_t const tail = (0u - range) % range;
        for (std::uint32_t attempt = 1; static_cast<std::uint32_t>(product) < tail; ++attempt) {
            PhiloxBlock const again = philox(step / 4, attempt + (static_cast<std::uint32_t>(stream) << 24),
                                             static_cast<std::uint32_t>(m), static_cast<std::uint32_t>(m >> 32), seed);
            product = std::uint64_t{again.word[step % 4]} * range;
        }
    }
    return static_cast<std::uint32_t>(product >> 32);
}

/// The fewest cells for the claims of a team of so many: a power of two. The more there are, the fewer claims meet by
/// chance.
TAILBACK_HD std::uint32_t claim_cells(std::uint32_t members) {
    std::uint32_t cells = 64;
    while (cells < 4 * members) cells *= 2;
    return cells;
}

/// Words of scratch that drawing needs: a window for each of a Philox block's four words, and cells for claims.
TAILBACK_HD std::uint32_t target_words(std::uint32_t members, std::uint32_t claims) { return 4 * members + claims; }

/// What is drawn: permutation `m` of `stream`, of 0 .. size-1, of which the first `steps` places are wanted.
template <class Key>
struct Draw {
    Key const& seed;
    Stream stream;
    std::uint64_t m;
    std::uint32_t size, steps;

    TAILBACK_HD PhiloxBlock block(std::uint32_t number) const {
        return philox(number, static_cast<std::uint32_t>(stream) << 24, static_cast<std::uint32_t>(m),
                      static_cast<std::uint32_t>(m >> 32), seed);
    }
};
template <class Key>
Draw(Key const&, Stream, std::uint64_t, std::uint32_t, std::uint32_t) -> Draw<Key>;

/// A window of Fisher-Yates steps goes forward in rounds. Step k, at place s + k with target j(k), may swap as soon as
/// no earlier step of the window that still waits has the target j(k) or s + k: then nothing it reads or writes will be
/// changed by an earlier step, and the outcome is that of the steps one by one (deterministic reservations: Shun et
/// al., "Sequential random permutation, list contraction and tree contraction are highly parallel", 2015). A step onto
/// itself changes nothing and never waits.
namespace kernel {

/// Draws a block's steps again, those in the biased tail until they are out of it.
TAILBACK_APART void redraw_block(Draw<std::uint64_t> const& draw, std::uint32_t block, std::uint32_t* targets) {
    PhiloxBlock const words = draw.block(block);
    for (std::uint32_t k = 0; k < 4; ++k)
        if (std::uint32_t const step = 4 * block + k; step < draw.steps)
            targets[k] = step + bounded_draw(words.word[k], draw.size - step, step, draw.seed, draw.stream, draw.m);
}

/// Targets of a chunk of 4 windows, a Philox block a member. Ends without a barrier.
template <class Team, class Key>
TAILBACK_KERNEL void draw_chunk(Team& team, Draw<Key> const& draw, std::uint32_t first, std::uint32_t* targets) {
    struct alignas(16) Four {
        std::uint32_t target[4];
    };
    std::uint32_t const block = first / 4 + team.member();
    if (4 * block >= draw.steps) return;
    PhiloxBlock const words = draw.block(block);
    Four four;
    bool redraw = false;  // one time in 2^32 / size: kept out of the way
    for (std::uint32_t k = 0; k < 4; ++k) {
        std::uint32_t const step = 4 * block + k, range = draw.size - step;
        WideProduct const product = wide_product(words.word[k], range);
        four.target[k] = step + product.high;  // of steps beyond the last nobody asks
        redraw |= step < draw.steps && product.low < range;
    }
    reinterpret_cast<Four*>(targets)[team.member()] = four;
    if (redraw) {
        std::uint64_t const seed = draw.seed;
        redraw_block({seed, draw.stream, draw.m, draw.size, draw.steps}, block, targets + 4 * team.member());
    }
}

/// A lane's step of a window.
struct LaneStep {
    std::uint32_t step, target;
    bool waits;  ///< it is there, and not onto itself
};

/// Bit k: member k aims at my target or at my place, and is before me. By a look at all others' targets at once.
/// `aims`: the window's targets, which all have read.
template <class Team>
TAILBACK_KERNEL std::uint32_t find_by_match(Team& team, LaneStep const& mine, std::uint32_t window,
                                            std::uint32_t* aims) {
    std::uint32_t const me = team.member(), below = (1u << me) - 1;
    aims[me] = 0;  // who aims at which member's place
    std::uint32_t const same = team.match(mine.target), before_me = same & below, ahead = mine.target - window;
    team.sync("targets read");
    if (mine.waits && before_me == 0 && ahead < team.members()) aims[ahead] = same;
    team.sync("aims told");
    return before_me | aims[me];
}

/// The same without memory: a ballot for each bit of the targets. What lies above those bits tells apart only members
/// whose steps are beyond the last, and they are before nobody.
/// @tparam bits of a target that steps can have
template <std::uint32_t bits, class Team>
TAILBACK_KERNEL std::uint32_t find_by_ballots(Team& team, LaneStep const& mine, std::uint32_t window) {
    std::uint32_t const width = team.members(), me = team.member(), below = (1u << me) - 1;
    std::uint32_t same = ~0u, at_my_place = team.ballot(mine.target - window < width);
    for (std::uint32_t bit = 0; bit < bits; ++bit) {
        std::uint32_t const mask = 1u << bit, having = team.ballot((mine.target & mask) != 0);
        same &= (mine.target & mask) != 0 ? having : ~having;
        if (mask < width) at_my_place &= (me & mask) != 0 ? having : ~having;  // windows begin at multiples of `width`
    }
    return (same | at_my_place) & below;
}
template <class HostWord, class Team>
TAILBACK_KERNEL std::uint32_t find_by_ballots(Team& team, LaneStep const& mine, std::uint32_t window,
                                              std::uint32_t size) {
    if (size <= 256) return find_by_ballots<8>(team, mine, window);
    if (size <= 2048) return find_by_ballots<11>(team, mine, window);
    return find_by_ballots<8 * sizeof(HostWord)>(team, mine, window);
}

/// The same or more: all that share a cell with either. Waiting too often changes no outcome. `cells` are 0 before and
/// after; by the first barrier that follows, in all members' eyes.
template <class Team>
TAILBACK_KERNEL std::uint32_t find_by_cells(Team& team, LaneStep const& mine, std::uint32_t* cells) {
    std::uint32_t const me = team.member(), below = (1u << me) - 1, in_cells = claim_cells(team.members()) - 1;
    std::uint32_t& aimed_at = cells[mine.target & in_cells];
    if (mine.waits) team.join(aimed_at, 1u << me);
    team.sync("cells joined");
    std::uint32_t const before_me = aimed_at & below, at_my_place = cells[mine.step & in_cells] & below;
    team.sync("cells read");
    if (mine.waits && before_me == 0) aimed_at = 0;  // by its first member alone
    return before_me | at_my_place;
}

/// Each member finds once a window whom it has to wait for.
template <class Team, class Key, class HostWord>
TAILBACK_KERNEL void shuffle_by_lanes(Team& team, Draw<Key> const& draw, std::uint32_t* targets, HostWord* order) {
    std::uint32_t const width = team.members(), me = team.member();
    std::uint32_t const steps = draw.steps;
    std::uint32_t* const cells = targets + 4 * width;
    if constexpr (Team::finds_by == FindBy::cells)
        for (std::uint32_t const cell : team.each(claim_cells(width))) cells[cell] = 0;
    for (std::uint32_t chunk = 0; chunk < steps; chunk += 4 * width) {
        team.sync("targets of the last chunk read");  // the last chunk's targets have been read
        draw_chunk(team, draw, chunk, targets);
        team.sync("targets drawn by lanes");
        for (std::uint32_t window = chunk; window < chunk + 4 * width && window < steps; window += width) {
            std::uint32_t const step = window + me;
            bool const there = step < steps;
            std::uint32_t* const aims = targets + (window - chunk);
            std::uint32_t const target = there ? aims[me] : draw.size + me;
            LaneStep const mine{step, target, there && target != step};
            std::uint32_t waits_for;
            if constexpr (Team::finds_by == FindBy::cells) waits_for = find_by_cells(team, mine, cells);
            else if constexpr (Team::finds_by == FindBy::ballots)
                waits_for = find_by_ballots<HostWord>(team, mine, window, draw.size);
            else waits_for = find_by_match(team, mine, window, aims);
            if (!mine.waits) waits_for = ~0u;  // all of them: never more
            for (std::uint32_t waiting = team.ballot(mine.waits); waiting != 0;) {
                bool const goes = (waits_for & waiting) == 0;
                if (goes) {
                    HostWord const moved = order[step];
                    order[step] = order[target];
                    order[target] = moved;
                    waits_for = ~0u;
                }
                team.sync("steps of lanes taken");
                waiting &= ~team.ballot(goes);
            }
        }
    }
}

/// Members write claims of their targets into cells, chosen by the target's low bits: the earliest holds the cell. Two
/// targets that share a cell wait for each other without need, and that is all.
template <class Team, class Key, class HostWord>
TAILBACK_KERNEL void shuffle_by_claims(Team& team, Draw<Key> const& draw, std::uint32_t* targets, HostWord* order) {
    std::uint32_t const steps = draw.steps;
    constexpr std::uint32_t rounds =
        64;  // claims of a later round are lower, so that cells are cleared once in so many
    std::uint32_t const width = team.members(), me = team.member(), cells = team.claims(), in_cells = cells - 1;
    std::uint32_t* const claims = targets + 4 * width;
    std::uint32_t round = rounds;
    for (std::uint32_t chunk = 0; chunk < steps; chunk += 4 * width) {
        draw_chunk(team, draw, chunk, targets);
        team.sync("targets drawn for claims");
        for (std::uint32_t window = chunk; window < chunk + 4 * width && window < steps; window += width) {
            std::uint32_t const step = window + me;
            std::uint32_t const target = step < steps ? targets[step - chunk] : step;
            bool waits = target != step;
            do {
                if (round == rounds) {
                    for (std::uint32_t const cell : team.each(cells)) claims[cell] = ~0u;
                    round = 0;
                    team.sync("claims cleared");
                }
                std::uint32_t const mine = (rounds - 1 - round++) << 16 | me;
                if (waits) team.lower(claims[target & in_cells], mine);
                team.sync("claims made");
                if (waits && claims[target & in_cells] == mine) {
                    std::uint32_t const other =
                        claims[step & in_cells];  // of this round and earlier than mine: it aims at my place
                    if (other >= mine || other >> 16 != mine >> 16) {
                        HostWord const moved = order[step];
                        order[step] = order[target];
                        order[target] = moved;
                        waits = false;
                    }
                }
            } while (team.any(waits, "claims settled"));
        }
    }
}

}  // namespace kernel

/// Fills `order[0..size)` with permutation `m` of `stream`, of which the first `steps` places are final. All members of
/// the team call it. `is_filled`: `order` is 0, 1, 2, .. already. `targets` is scratch: of a team of one for `steps`
/// rounded up to a multiple of 4, of others see target_words.
template <class Team, class Key, class HostWord>
TAILBACK_KERNEL void draw_permutation(Team& team, Draw<Key> const& draw, std::uint32_t* targets, HostWord* order,
                                      bool is_filled = false) {
    if (!is_filled)
        for (std::uint32_t const i : team.each(draw.size)) order[i] = static_cast<HostWord>(i);
    if constexpr (TeamOfLanes<Team>) {
        kernel::shuffle_by_lanes(team, draw, targets, order);
    } else if constexpr (TeamWithClaims<Team>) {
        kernel::shuffle_by_claims(team, draw, targets, order);
    } else {
        std::uint32_t const steps = draw.steps;
        if constexpr (requires { team.draw_targets(draw.seed, draw.stream, draw.m, draw.size, steps, targets); })
            team.draw_targets(draw.seed, draw.stream, draw.m, draw.size, steps, targets);
        else
            for (std::uint32_t i = 0; i < steps; ++i)
                targets[i] =
                    i + bounded_draw(draw.block(i / 4).word[i % 4], draw.size - i, i, draw.seed, draw.stream, draw.m);
        for (std::uint32_t i = 0; i < steps; ++i) {
            std::uint32_t const j = targets[i];
            HostWord const moved = order[i];
            order[i] = order[j];
            order[j] = moved;
        }
    }
}

}  // namespace tailback::kernels
