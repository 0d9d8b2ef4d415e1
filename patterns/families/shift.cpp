// Xshift: every rank sends to the rank X further on, around the ring of all ranks.
#include "patterns/families.hpp"

#include <charconv>

namespace tailback::patterns {

void write_shift(FlowListWriter& out, std::uint32_t distance) {
    std::uint64_t const n = out.ranks();
    out.begin_level();
    for (std::uint64_t i = 0; i < n; ++i) out.flow(i, (i + distance) % n);
}

std::uint32_t number_before(std::string_view name, std::string_view word) {
    std::uint32_t number = 0;
    auto const [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (error != std::errc{} || std::string_view(end, std::size_t(name.data() + name.size() - end)) != word) return 0;
    return number;
}

}  // namespace tailback::patterns
