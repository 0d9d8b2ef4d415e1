// What the threads of an executor share: where rows come from and what they hold.
#pragma once

#include "kernels/cpu/fast/row_finder.hpp"
#include "kernels/cpu/fast/row_links.hpp"
#include "kernels/found_routes.hpp"

#include <memory>

namespace tailback::kernels::stages {

template <class HostWord>
struct Rows {
    std::shared_ptr<RowFinder<HostWord> const> finder;  ///< null: the stages do not apply
    std::shared_ptr<RowLinks const> links;
};

/// What rows are looked up in. usual: what is the fastest; the others, where there are some, are for tests.
enum class RowsBy : std::uint8_t { usual, table, halves, sums, blocks };

/// Counters of so many bytes stay in a core's own caches.
inline constexpr std::size_t near_counter_bytes = std::size_t{1} << 20;

/// For a problem whose seats and ranks fit into HostWord.
template <class HostWord>
Rows<HostWord> make_rows(Problem const& p, RowsBy by = RowsBy::usual);

// The kinds that make_rows chooses from; each null where it does not apply.

/// Rows that are kept, read from their table.
template <class HostWord>
Rows<HostWord> make_table_rows(Problem const& p);
/// The same by rows half as wide, where few routes are longer: these take two rows. `anyway`: however many they are.
template <class HostWord>
Rows<HostWord> make_half_rows(Problem const& p, bool anyway = false);
/// The same as sums of two parts, where there are such (kernels/evaluate/route_sums.hpp); 16 bits alone.
template <class HostWord>
Rows<HostWord> make_sum_rows(Problem const& p);
/// Routes by arithmetic: as sums, or computed once and kept for the mapping.
template <class HostWord>
Rows<HostWord> make_computed_rows(Problem const& p);
/// Routes by arithmetic, computed in blocks of flows whenever their links are wanted.
template <class HostWord>
Rows<HostWord> make_block_rows(Problem const& p);

/// Routes that are found before: `found` is looked at anew for every level.
template <class HostWord>
Rows<HostWord> make_found_rows(FoundRoutes const& found);

}  // namespace tailback::kernels::stages
