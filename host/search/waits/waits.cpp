#include "host/search/waits/waits.hpp"

#include <algorithm>
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

/// The number of each link's; without recursion.
std::vector<std::uint32_t> Waits::components() const {
    constexpr std::uint32_t none = 0xFFFF'FFFFu;
    auto const links = static_cast<std::uint32_t>(first_out_.size());
    std::vector<std::uint32_t> component(links, none), number(links, none), lowest(links), open, path;
    std::vector<std::vector<std::uint32_t>> left;  // of each on the path: those that it waits for, still to be seen
    std::uint32_t met = 0, found = 0;
    auto const enter = [&](std::uint32_t a) {
        number[a] = lowest[a] = met++;
        open.push_back(a);
        path.push_back(a);
        left.emplace_back();
        each_out(a, [&](std::uint32_t out) { left.back().push_back(out); });
    };
    for (std::uint32_t start = 0; start < links; ++start) {
        if (number[start] != none) continue;
        enter(start);
        while (!path.empty()) {
            std::uint32_t const a = path.back();
            if (!left.back().empty()) {
                std::uint32_t const out = left.back().back();
                left.back().pop_back();
                if (number[out] == none) enter(out);
                else if (component[out] == none) lowest[a] = std::min(lowest[a], number[out]);
                continue;
            }
            path.pop_back();
            left.pop_back();
            if (!path.empty()) lowest[path.back()] = std::min(lowest[path.back()], lowest[a]);
            if (lowest[a] != number[a]) continue;
            for (std::uint32_t one = none; one != a; open.pop_back()) component[one = open.back()] = found;
            ++found;
        }
    }
    return component;
}

bool Waits::have_a_cycle_beyond(Waits const& others) const {
    if (!have_a_cycle()) return false;
    std::vector<std::uint32_t> const component = components();
    bool found = false;
    for (std::uint32_t a = 0; a < component.size() && !found; ++a)
        each_out(a,
                 [&](std::uint32_t out) { found = found || (component[out] == component[a] && !others.has(a, out)); });
    return found;
}

}  // namespace tailback::search
