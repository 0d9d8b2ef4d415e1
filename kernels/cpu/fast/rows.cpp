#include "kernels/cpu/fast/rows.hpp"

namespace tailback::stages {
namespace {

/// Runs of neighbours have no other form; else it pays where counters leave the core's own caches.
template <class Seat>
bool blocks_pay(Problem const& p) {
    bool const runs = p.form == RouteForm::torus || p.form == RouteForm::torus_by_middle;
    return runs || (sizeof(Seat) == 4 && std::size_t{p.inner} * sizeof(std::uint16_t) > near_counter_bytes);
}

}  // namespace

template <class Seat>
Rows<Seat> make_rows(Problem const& p, RowsBy by) {
    switch (by) {
        case RowsBy::table: return make_table_rows<Seat>(p);
        case RowsBy::sums: return make_sum_rows<Seat>(p);
        case RowsBy::blocks: return make_block_rows<Seat>(p);
        case RowsBy::usual: break;
    }
    Rows<Seat> made;
    if (blocks_pay<Seat>(p)) made = make_block_rows<Seat>(p);
    if (!made.finder && p.far_routes) made = make_sum_rows<Seat>(p);
    if (!made.finder) made = make_table_rows<Seat>(p);
    if (!made.finder) made = make_computed_rows<Seat>(p);
    return made;
}

template Rows<std::uint16_t> make_rows(Problem const&, RowsBy);
template Rows<std::uint32_t> make_rows(Problem const&, RowsBy);

}  // namespace tailback::stages
