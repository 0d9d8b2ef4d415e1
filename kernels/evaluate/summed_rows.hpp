// Rows as sums for teams that share small tables: two parts of 4 bytes or more a row, instead of a table of all pairs
// that lies in L2.
#pragma once

#include "kernels/evaluate/routes.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tailback::kernels {

/// Row (source, destination) = from[group of source] + to[destination], unless both are of one block: then it is in the
/// rows.
struct SummedView {
    void const* from = nullptr;            ///< [group] parts as wide as rows; null: there are no sums
    void const* to = nullptr;              ///< [seat]
    std::uint32_t const* where = nullptr;  ///< [seat] its group, and its block times 2^16
};

/// The tables, for rows that are sums of parts (kernels/evaluate/route_sums.hpp).
class SummedTables {
public:
    /// Empty when rows are none, or too many for 32 bits, or too many groups for 16. Finds sums where the problem does
    /// not bring them.
    explicit SummedTables(Problem const& p);
    bool empty() const { return words_.empty(); }
    /// All tables in one piece, so that a block copies them in one go.
    std::vector<std::uint64_t> const& words() const { return words_; }
    /// The view of a copy of `words` that begins at `first`.
    SummedView view(std::uint64_t const* first) const;

private:
    std::vector<std::uint64_t> words_;
    std::size_t to_at_ = 0, where_at_ = 0;
};

/// Like RouteRows, but looked up by seats.
template <class LinkWord, std::uint32_t width>
struct SummedRows {
    using Rows = RouteRows<LinkWord, width>;
    using Kept = typename Rows::Kept;
    using Word = typename Rows::Word;

    Rows rows;
    SummedView summed;

    TAILBACK_HD SummedRows(Problem const& p, SummedView const& tables) : rows(p), summed(tables) {}

    TAILBACK_KERNEL Kept find(std::uint32_t source, std::uint32_t destination) const {
        std::uint32_t const s = summed.where[source], d = summed.where[destination], group = s & 0xFFFF;
        if (s >> 16 == d >> 16)
            return rows.rows[group * rows.study_hosts + destination];  // in 32 bits: see SummedTables
        auto const *from = static_cast<Word const*>(summed.from) + group * Rows::words,
                   *to = static_cast<Word const*>(summed.to) + destination * Rows::words;
        Kept row;
        for (std::uint32_t w = 0; w < Rows::words; ++w) row.word[w] = from[w] + to[w];
        return row;
    }
    TAILBACK_KERNEL std::uint32_t fate(Kept const& row) const { return rows.fate(row); }
    template <class Visit>
    TAILBACK_KERNEL void each(Kept const& row, Visit&& visit) const {
        rows.each(row, visit);
    }
    static constexpr bool by_seat = true;
    static constexpr bool pads = true;
    static constexpr bool stored = true;
};

}  // namespace tailback::kernels
