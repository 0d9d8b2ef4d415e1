#include "host/model/ethernet.hpp"

#include <algorithm>
#include <iterator>

namespace tailback::model {

LinkRate ethernet_rate(std::uint64_t megabits) {
    struct Known {
        std::uint64_t megabits;
        LinkRate rate;
    };
    constexpr Known known[] = {{2'000, {1, Speed::sdr}},    {10'000, {1, Speed::fdr10}}, {25'000, {1, Speed::edr}},
                               {40'000, {4, Speed::fdr10}}, {50'000, {2, Speed::edr}},   {100'000, {4, Speed::edr}},
                               {200'000, {4, Speed::hdr}},  {400'000, {4, Speed::ndr}},  {800'000, {4, Speed::xdr}},
                               {1'600'000, {8, Speed::xdr}}};
    auto const at =
        std::find_if(std::begin(known), std::end(known), [&](Known const& one) { return one.megabits == megabits; });
    return at == std::end(known) ? LinkRate{} : at->rate;
}

}  // namespace tailback::model
