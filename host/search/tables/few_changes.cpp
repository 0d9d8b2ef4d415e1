#include "host/search/tables/few_changes.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace tailback::search {
namespace {

std::uint64_t differing(Trees const& a, Trees const& b, std::uint32_t d) {
    std::uint64_t count = 0;
    for (std::uint32_t v = 0; v < a.graph().switches(); ++v) count += a.arc(d, v) != b.arc(d, v);
    return count;
}

/// What the tree of a target in `trees` costs where `loads` has what others put on links.
double price(Trees const& trees, std::uint32_t d, Trees const& loads) {
    double sum = 0;
    for (std::uint32_t v = 0; v < trees.graph().switches(); ++v)
        if (double const own = trees.weight(d, v); own > 0) {
            std::uint32_t const arc = trees.arc(d, v);
            sum += own * double(loads.load(arc)) * loads.cost(arc);
        }
    return sum;
}

/// What finds no way to a target.
std::uint64_t cut_off(Trees const& trees, std::uint32_t d) {
    std::uint64_t sum = 0;
    for (Sender const& sender : trees.senders_to(d))
        if (sender.at != trees.targets()[d].at && trees.arc(d, sender.at) == Trees::none) sum += sender.amount;
    return sum;
}

}  // namespace

Trees take_over(Trees const& before, Trees const& after, std::uint64_t most_entries, std::uint64_t& entries) {
    Trees mixed = before;
    auto const targets = static_cast<std::uint32_t>(before.targets().size());
    std::vector<std::uint8_t> taken(targets);
    entries = 0;
    for (int pass = 0; pass < 3; ++pass) {
        std::vector<std::pair<double, std::uint32_t>> order;
        for (std::uint32_t d = 0; d < targets; ++d) {
            if (taken[d] != 0) continue;
            std::uint64_t const count = differing(before, after, d);
            if (count == 0) continue;
            mixed.lift(d);
            bool const mends = cut_off(after, d) < cut_off(before, d);
            double const gain = mends ? 1e300 : price(before, d, mixed) - price(after, d, mixed);
            mixed.plant(d);
            if (gain > 0) order.emplace_back(-gain / double(count), d);
        }
        std::sort(order.begin(), order.end());
        for (auto const& [gain, d] : order) {
            std::uint64_t const count = differing(before, after, d);
            if (entries + count > most_entries) continue;
            mixed.lift(d);
            bool const takes =
                cut_off(after, d) < cut_off(before, d) || price(after, d, mixed) < price(before, d, mixed);
            mixed.plant(d);
            if (!takes) continue;
            mixed.replace(d, after);
            taken[d] = 1;
            entries += count;
        }
    }
    return mixed;
}

}  // namespace tailback::search
