// Which channel waits for which: a bit for every (link in, its lane) -> (link out, its lane) that some route takes.
#pragma once

#include "host/model/routes/forwarding.hpp"

#include <cstdint>
#include <vector>

namespace tailback::audit {

/// A directed link and a virtual lane on it.
struct Channel {
    model::Link link;
    std::uint8_t lane = 0;
    bool operator==(Channel const&) const = default;
};

/// The dependencies between channels. `add` may be called by many threads at once.
class ChannelDependencies {
public:
    /// Lanes 0 .. lanes - 1.
    ChannelDependencies(model::Forwarding const& forwarding, unsigned lanes);

    unsigned lanes() const { return lanes_; }
    /// Packets that came by `in` on `in_lane` leave `row` by port `out` on `out_lane`. `in` ends at the row's node.
    void add(model::Link in, unsigned in_lane, std::uint32_t row, model::Port out, unsigned out_lane) {
        std::uint64_t const bit = bit_of(row, slot_of_[in.value], out) + in_lane * lanes_ + out_lane;
        std::uint64_t const mask = std::uint64_t{1} << (bit % 64);
        std::uint64_t& word = words_[bit / 64];
        if ((__atomic_load_n(&word, __ATOMIC_RELAXED) & mask) == 0) __atomic_fetch_or(&word, mask, __ATOMIC_RELAXED);
    }
    /// Calls `found(Channel from, std::uint32_t row, Channel to)` for every dependency, in the order of rows.
    template <class Found>
    void each(Found found) const {
        for (std::uint32_t row = 0; row < forwarding_.rows(); ++row) {
            std::uint64_t const end = first_bit_[row + 1];
            for (std::uint64_t at = first_bit_[row]; at < end;) {
                std::uint64_t const word = words_[at / 64] >> (at % 64);
                if (word == 0) {
                    at = (at / 64 + 1) * 64;
                    continue;
                }
                at += static_cast<unsigned>(__builtin_ctzll(word));
                if (at >= end) break;
                report(at++, row, found);
            }
        }
    }

private:
    std::uint64_t bit_of(std::uint32_t row, std::uint32_t slot, model::Port out) const {
        return first_bit_[row] + (std::uint64_t{slot} * ports_[row] + out) * lanes_ * lanes_;
    }
    template <class Found>
    void report(std::uint64_t bit, std::uint32_t row, Found& found) const {
        std::uint64_t const local = bit - first_bit_[row], square = std::uint64_t{lanes_} * lanes_;
        std::uint64_t const slot = local / square / ports_[row];
        model::Port const out = static_cast<model::Port>(local / square % ports_[row]);
        auto const pair = static_cast<unsigned>(local % square);
        found(Channel{model::Link{link_of_index_[first_slot_[row] + slot]}, static_cast<std::uint8_t>(pair / lanes_)},
              row, Channel{forwarding_.link_behind(row, out), static_cast<std::uint8_t>(pair % lanes_)});
    }

    model::Forwarding const& forwarding_;
    unsigned lanes_;
    std::vector<std::uint32_t> slot_of_;        // by link: its number among the links into its row
    std::vector<std::uint32_t> link_of_index_;  // all rows' links in, one row after the other
    std::vector<std::uint64_t> first_slot_;     // by row
    std::vector<model::Port> ports_;            // by row: its highest port + 1
    std::vector<std::uint64_t> first_bit_;      // by row
    std::vector<std::uint64_t> words_;
};

}  // namespace tailback::audit
