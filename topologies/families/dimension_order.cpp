#include "topologies/families/dimension_order.hpp"

#include "host/base/error.hpp"

#include <algorithm>
#include <numeric>
#include <string>

namespace tailback::topologies {

std::vector<std::uint32_t> dimension_order(base::Arguments const& options, std::size_t dimensions) {
    std::vector<std::uint32_t> order(dimensions);
    std::iota(order.begin(), order.end(), 0u);
    if (!options.given("order")) return order;
    std::string const& word = options.word("order");
    std::string const letters = "xyzw";
    std::vector<std::uint32_t> named;
    if (!word.empty() && word.find_first_not_of(letters) == std::string::npos) {
        for (char const c : word) named.push_back(static_cast<std::uint32_t>(letters.find(c)));
    } else if (!word.empty() && word.size() < 64 && word.find_first_not_of("0123456789x") == std::string::npos) {
        std::uint32_t number = 0;
        for (char const c : word + 'x') {
            if (c != 'x') {
                number = std::min<std::uint32_t>(number * 10 + static_cast<std::uint32_t>(c - '0'), 1000);
                continue;
            }
            named.push_back(number - 1);  // of 0 a number that no dimension has
            number = 0;
        }
    }
    std::vector<std::uint32_t> sorted = named;
    std::sort(sorted.begin(), sorted.end());
    if (sorted != order)
        throw base::InputError({}, "order \"" + word + "\" does not name each dimension once",
                               "there are " + std::to_string(dimensions),
                               "write letters as in zyx, or numbers from 1 as in 3x2x1");
    return named;
}

void refuse_order_and_lanes(base::Arguments const& options) {
    if (options.given("order"))
        throw base::InputError({}, "this network's dimensions have one order",
                               "its routes are shortest vectors of steps", "leave out order");
    if (options.word("lanes") != "one")
        throw base::InputError({}, "this network has no datelines", "its rings run into each other", "choose dfsssp");
}

}  // namespace tailback::topologies
