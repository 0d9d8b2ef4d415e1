#include "patterns/arguments.hpp"

#include "host/base/error.hpp"
#include "kernels/common/permutation.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tailback::patterns {
namespace {

/// Searches the factors of `rest`, none larger than `most`, whose sum is the least.
void search(std::uint32_t rest, std::size_t dimensions, std::uint32_t most, std::vector<std::uint32_t>& chosen,
            std::vector<std::uint32_t>& best, std::uint64_t& least) {
    if (dimensions == 1) {
        if (rest > most) return;
        chosen.push_back(rest);
        std::uint64_t sum = 0;
        for (std::uint32_t const size : chosen) sum += size;
        if (sum < least) least = sum, best = chosen;
        chosen.pop_back();
        return;
    }
    for (std::uint32_t size = 1; size <= rest && size <= most; ++size) {
        if (rest % size != 0) continue;
        chosen.push_back(size);
        search(rest / size, dimensions - 1, size, chosen, best, least);
        chosen.pop_back();
    }
}

}  // namespace

std::uint32_t Draws::next(std::uint32_t range) {
    auto const stream = static_cast<kernels::Stream>(5);
    kernels::PhiloxBlock const words =
        kernels::philox(step_ / 4, static_cast<std::uint32_t>(stream) << 24, 0, 0, seed_);
    std::uint32_t const drawn = kernels::bounded_draw(words.word[step_ % 4], range, step_, seed_, stream, 0);
    ++step_;
    return drawn;
}

std::vector<std::uint32_t> near_cubic(std::uint32_t n, std::size_t dimensions) {
    std::vector<std::uint32_t> chosen, best;
    std::uint64_t least = UINT64_MAX;
    search(n, dimensions, n, chosen, best, least);
    return best;
}

Grid::Grid(base::Arguments const& arguments, std::uint32_t ranks, std::size_t dimensions) {
    if (!arguments.given("dims")) {
        sizes_ = near_cubic(ranks, std::max<std::size_t>(dimensions, 1));
        return;
    }
    sizes_ = arguments.numbers("dims");
    if (dimensions != 0 && sizes_.size() != dimensions)
        arguments.refuse(fmt::format("it has {} dimensions", dimensions), fmt::format("dims names {}", sizes_.size()),
                         fmt::format("give {} sizes, or leave out dims", dimensions));
    if (ranks == 0) return;  // their number is not known yet
    std::uint64_t product = 1;
    for (std::uint32_t const size : sizes_) product = std::min<std::uint64_t>(product * size, UINT32_MAX);
    if (product != ranks)
        arguments.refuse(
            fmt::format("there are {} ranks", ranks),
            fmt::format("the product of dims is {}", product == UINT32_MAX ? "too large" : fmt::format("{}", product)),
            "give as many ranks as the product, or leave out dims");
}

std::uint32_t Grid::ranks() const {
    std::uint32_t product = 1;
    for (std::uint32_t const size : sizes_) product *= size;
    return product;
}

std::vector<std::uint32_t> Grid::coordinates(std::uint32_t rank) const {
    std::vector<std::uint32_t> at;
    for (std::uint32_t const size : sizes_) {
        at.push_back(rank % size);
        rank /= size;
    }
    return at;
}

std::uint32_t Grid::rank(std::vector<std::uint32_t> const& coordinates) const {
    std::uint32_t rank = 0;
    for (std::size_t d = sizes_.size(); d-- > 0;) rank = rank * sizes_[d] + coordinates[d];
    return rank;
}

std::uint64_t parts_of(std::uint64_t bytes, std::uint64_t first, std::uint64_t last, std::uint64_t n) {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>(Wide{bytes} * last / n) - static_cast<std::uint64_t>(Wide{bytes} * first / n);
}

std::uint32_t root_of(base::Arguments const& arguments, std::uint32_t ranks) {
    std::uint32_t const root = arguments.number("root");
    if (ranks > 0 && root >= ranks)
        arguments.refuse("there is no such root", "ranks are counted from 0", "name a rank of the pattern");
    return root;
}

}  // namespace tailback::patterns
