#include "host/search/waits/waits.hpp"

#include <bit>

namespace tailback::search {

Waits::Waits(SwitchGraph const& graph) {
    std::uint64_t count = 0;
    for (Arc const& arc : graph.arcs()) {
        first_.push_back(count);
        first_out_.push_back(graph.first_arc(arc.to));
        count += graph.arcs_of(arc.to).size();
    }
    first_.push_back(count);
    bits_.assign((count + 63) / 64, 0);
}

template <class Visit>
void Waits::each_out(std::uint32_t in, Visit&& visit) const {
    for (std::uint64_t at = first_[in], end = first_[in + 1]; at < end; at = (at / 64 + 1) * 64) {
        std::uint64_t word = bits_[at / 64] >> (at % 64);
        if (std::uint64_t const here = end - at; here < 64) word &= (std::uint64_t{1} << here) - 1;
        for (; word != 0; word &= word - 1)
            visit(first_out_[in] + static_cast<std::uint32_t>(at - first_[in]) +
                  static_cast<std::uint32_t>(std::countr_zero(word)));
    }
}

bool Waits::have_a_cycle() const {
    std::vector<std::uint32_t> waiting(first_out_.size()), free;
    for (std::uint32_t a = 0; a < waiting.size(); ++a) each_out(a, [&](std::uint32_t out) { ++waiting[out]; });
    for (std::uint32_t a = 0; a < waiting.size(); ++a)
        if (waiting[a] == 0) free.push_back(a);
    for (std::size_t at = 0; at < free.size(); ++at)
        each_out(free[at], [&](std::uint32_t out) {
            if (--waiting[out] == 0) free.push_back(out);
        });
    return free.size() < waiting.size();
}

}  // namespace tailback::search
