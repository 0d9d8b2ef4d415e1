#include "kernels/cpu/fast/rows.hpp"

namespace tailback::kernels::stages {
namespace {

/// Runs of neighbours have no other form; else it pays where counters leave the core's own caches.
template <class HostWord>
bool blocks_pay(Problem const& p) {
    bool const runs = p.routes.form == RouteForm::torus || p.routes.form == RouteForm::torus_by_middle;
    return runs || (sizeof(HostWord) == 4 && std::size_t{p.routes.inner} * sizeof(std::uint16_t) > near_counter_bytes);
}

}  // namespace

template <class HostWord>
Rows<HostWord> make_rows(Problem const& p, RowsBy by) {
    switch (by) {
        case RowsBy::table: return make_table_rows<HostWord>(p);
        case RowsBy::halves: return make_half_rows<HostWord>(p, true);
        case RowsBy::sums: return make_sum_rows<HostWord>(p);
        case RowsBy::blocks: return make_block_rows<HostWord>(p);
        case RowsBy::usual: break;
    }
    Rows<HostWord> made;
    if (blocks_pay<HostWord>(p)) made = make_block_rows<HostWord>(p);
    if (!made.finder && p.routes.exceed_cache) made = make_sum_rows<HostWord>(p);
    if (!made.finder) made = make_half_rows<HostWord>(p);
    if (!made.finder) made = make_table_rows<HostWord>(p);
    if (!made.finder) made = make_computed_rows<HostWord>(p);
    return made;
}

template Rows<std::uint16_t> make_rows(Problem const&, RowsBy);
template Rows<std::uint32_t> make_rows(Problem const&, RowsBy);

}  // namespace tailback::kernels::stages
