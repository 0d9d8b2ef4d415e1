#include "kernels/evaluate/summed_rows.hpp"

#include "kernels/evaluate/route_sums.hpp"

#include <algorithm>
#include <cstring>

namespace tailback::kernels {
namespace {

/// Longest route of the rows, in slots.
std::uint32_t longest_row(Problem const& p, std::uint64_t const* words, std::uint32_t words_a_row,
                          std::uint32_t link_index_bits) {
    std::uint32_t const links_a_word = 64 / link_index_bits;
    std::uint64_t const mask = (std::uint64_t{1} << link_index_bits) - 1;
    std::uint32_t longest = 0;
    std::size_t const rows = std::size_t{p.routes.groups} * p.placement.study_hosts;
    for (std::size_t row = 0; row < rows && longest < p.routes.row_width; ++row)
        for (std::uint32_t k = longest; k < p.routes.row_width; ++k)
            if ((words[row * words_a_row + k / links_a_word] >> (k % links_a_word * link_index_bits) & mask) !=
                p.routes.inner)
                longest = k + 1;
    return longest;
}

}  // namespace

SummedTables::SummedTables(Problem const& p) {
    bool const narrow = p.routes.form == RouteForm::rows16;
    if ((!narrow && p.routes.form != RouteForm::rows32) || !p.routes.all_delivered || p.routes.groups > 0xFFFF ||
        p.routes.rows == nullptr || p.routes.lids.are_several())
        return;
    if (std::uint64_t{p.routes.groups} * p.placement.study_hosts > 0xFFFFFFFF) return;
    std::uint32_t const link_index_bits = narrow ? 16 : 32,
                        words_a_row = (p.routes.row_width * link_index_bits + 63) / 64;
    bool const half = p.routes.row_width * link_index_bits ==
                      32;  // a row is half a word: sums are found of rows with nothing in the other half
    RouteSums found;
    SumsView sums = p.routes.sums;
    if (sums.source == nullptr) {
        std::vector<std::uint64_t> widened;
        if (half) {
            widened = widened_rows(p.routes.rows, std::size_t{p.routes.groups} * p.placement.study_hosts);
            if (widened.empty()) return;
        }
        auto const* const rows = half ? widened.data() : static_cast<std::uint64_t const*>(p.routes.rows);
        std::vector<std::uint32_t> const group(p.routes.group, p.routes.group + p.placement.study_hosts);
        found = find_route_sums({rows, words_a_row, link_index_bits, p.routes.inner,
                                 longest_row(p, rows, words_a_row, link_index_bits), p.routes.groups, group});
        if (found.empty()) return;
        sums = {found.source.data(), found.destination.data(), found.block_of_group.data(),
                found.block_of_host_index.data()};
    }
    for (std::uint32_t host_index = 0; host_index < p.placement.study_hosts; ++host_index)
        if (sums.block_of_host_index[host_index] > 0xFFFF ||
            sums.block_of_group[p.routes.group[host_index]] != sums.block_of_host_index[host_index])
            return;
    auto const put = [&](std::uint64_t const* parts, std::size_t rows) {
        if (!half) {
            words_.insert(words_.end(), parts, parts + rows * words_a_row);
            return;
        }
        std::vector<std::uint32_t> const halves(parts, parts + rows);
        std::size_t const at = words_.size();
        words_.resize(at + (rows + 1) / 2);
        std::memcpy(&words_[at], halves.data(), rows * sizeof halves[0]);
    };
    put(sums.source, p.routes.groups);
    to_at_ = words_.size();
    put(sums.destination, p.placement.study_hosts);
    where_at_ = words_.size();
    words_.resize(where_at_ + (p.placement.study_hosts + 1) / 2);
    std::vector<std::uint32_t> where(p.placement.study_hosts);
    for (std::uint32_t host_index = 0; host_index < p.placement.study_hosts; ++host_index)
        where[host_index] = p.routes.group[host_index] | sums.block_of_host_index[host_index] << 16;
    std::memcpy(&words_[where_at_], where.data(), where.size() * sizeof where[0]);
}

SummedView SummedTables::view(std::uint64_t const* first) const {
    if (empty()) return {};
    return {first, first + to_at_, reinterpret_cast<std::uint32_t const*>(first + where_at_)};
}

}  // namespace tailback::kernels
