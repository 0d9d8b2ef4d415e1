#include "host/simulation/pair_links.hpp"

#include <algorithm>

namespace tailback::simulation {

void PairLinks::begin() {
    for (std::uint32_t const slot : slot_) number_of_slot_[slot] = none;
    for (auto* const list : {&destination_, &first_, &last_, &length_, &entries_, &slot_}) list->clear();
    fate_.clear();
    slowest_.clear();
    capacity_.clear();
}

void PairLinks::end() {
    std::size_t const pairs = fate_.size();
    last_.assign(first_.begin(), first_.end());
    length_.resize(pairs);
    slowest_.resize(pairs);
    for (std::size_t p = 0; p < pairs; ++p) {
        last_[p] = p + 1 < pairs ? first_[p + 1] : static_cast<std::uint32_t>(entries_.size());
        length_[p] = last_[p] - first_[p];
        slowest_[p] = ~std::uint64_t{0};
        for (std::uint32_t e = first_[p]; e < last_[p]; ++e)
            slowest_[p] = std::min(slowest_[p], capacity_[entries_[e]]);
    }
    if (!keeps_all_) leave_out_links();
}

void PairLinks::list_pairs() {
    first_pair_.assign(slot_.size() + 1, 0);
    for (std::uint32_t const l : entries_) ++first_pair_[l + 1];
    for (std::size_t l = 0; l < slot_.size(); ++l) first_pair_[l + 1] += first_pair_[l];
    pairs_.resize(entries_.size());
    met_.assign(first_pair_.begin(), first_pair_.end() - 1);
    for (std::uint32_t p = 0; p < fate_.size(); ++p)
        for (std::uint32_t e = first_[p]; e < last_[p]; ++e) pairs_[met_[entries_[e]]++] = p;
}

/// Is there another link, no faster, that all of its pairs use? Of two with the same pairs and capacity the first
/// stays.
bool PairLinks::is_dominated(std::uint32_t link) {
    std::uint32_t const count = first_pair_[link + 1] - first_pair_[link];
    std::span<std::uint32_t const> const pairs{pairs_.data() + first_pair_[link], count};
    bool dominated = false;
    for (std::uint32_t const p : pairs)
        for (std::uint32_t e = first_[p]; e < last_[p]; ++e) {
            std::uint32_t const other = entries_[e];
            if (++met_[other] < count || other == link || capacity_[other] > capacity_[link]) continue;
            std::uint32_t const others = first_pair_[other + 1] - first_pair_[other];
            dominated |= capacity_[other] < capacity_[link] || others > count || other < link;
        }
    for (std::uint32_t const p : pairs)
        for (std::uint32_t e = first_[p]; e < last_[p]; ++e) met_[entries_[e]] = 0;
    return dominated;
}

void PairLinks::leave_out_links() {
    list_pairs();
    met_.assign(slot_.size(), 0);
    left_out_.assign(slot_.size(), false);
    for (std::uint32_t l = 0; l < slot_.size(); ++l) left_out_[l] = is_dominated(l);
    for (std::size_t p = 0; p < fate_.size(); ++p) {
        std::uint32_t kept = first_[p];
        for (std::uint32_t e = first_[p]; e < last_[p]; ++e)
            if (!left_out_[entries_[e]]) entries_[kept++] = entries_[e];
        last_[p] = kept;
    }
}

}  // namespace tailback::simulation
