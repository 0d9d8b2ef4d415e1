#include "host/search/bounds/price_bound.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <queue>

namespace tailback::search {
namespace {

Whole common_divisor(Whole a, Whole b) {
    while (b != 0) {
        Whole const rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

}  // namespace

bool Fraction::operator<(Fraction const& other) const {
    // By continued fractions: products need not fit.
    Whole a = p, b = q, c = other.p, d = other.q;
    for (bool turned = false;; turned = !turned) {
        if (a / b != c / d) return (a / b < c / d) != turned;
        a %= b, c %= d;
        if (a == 0 || c == 0) return (a == 0 && c != 0) != turned && !(a == 0 && c == 0);
        std::swap(a, b), std::swap(c, d);
    }
}

Fraction fraction(Whole p, Whole q) {
    Whole const divisor = common_divisor(p, q);
    return divisor == 0 ? Fraction{0, 1} : Fraction{p / divisor, q / divisor};
}

std::string text_of(Whole number) {
    std::string text;
    do text.insert(text.begin(), char('0' + int(number % 10)));
    while ((number /= 10) != 0);
    return text;
}

template <class Price>
std::vector<Price> priced_distances(Bundles const& bundles, std::uint32_t to, BoundRoutes routes,
                                    std::vector<Price> const& price) {
    constexpr Price none = std::numeric_limits<Price>::max();
    std::vector<Price> away(bundles.switches(), none);
    away[to] = 0;
    if (routes == BoundRoutes::shortest) {
        std::vector<std::uint32_t> links;
        for (std::uint32_t const s : bundles.nearest_first(to, links))
            for (std::uint32_t b = bundles.first(s); b < bundles.first(s + 1); ++b)
                if (std::uint32_t const next = bundles[b].to; links[next] < links[s])
                    away[s] = std::min(away[s], price[b] + away[next]);
        return away;
    }
    using Place = std::pair<Price, std::uint32_t>;
    std::priority_queue<Place, std::vector<Place>, std::greater<>> queue;
    queue.push({0, to});
    while (!queue.empty()) {
        auto const [far, s] = queue.top();
        queue.pop();
        if (far != away[s]) continue;
        for (std::uint32_t const b : bundles.into(s)) {
            Price const next = far + price[b];
            if (next >= away[bundles[b].from]) continue;
            away[bundles[b].from] = next;
            queue.push({next, bundles[b].from});
        }
    }
    return away;
}
template std::vector<double> priced_distances(Bundles const&, std::uint32_t, BoundRoutes, std::vector<double> const&);
template std::vector<std::uint64_t> priced_distances(Bundles const&, std::uint32_t, BoundRoutes,
                                                     std::vector<std::uint64_t> const&);

PriceSums price_sums(Bundles const& bundles, Demand const& demand, BoundRoutes routes,
                     std::vector<std::uint64_t> const& price) {
    Whole sum = 0, capacity = 0;
    for (std::uint32_t d = 0; d < bundles.switches(); ++d) {
        if (demand.to(d).empty()) continue;
        std::vector<std::uint64_t> const away = priced_distances(bundles, d, routes, price);
        for (Demand::Part const& part : demand.to(d))
            if (away[part.from] != no_way) sum += Whole{part.amount} * away[part.from];
    }
    for (std::uint32_t b = 0; b < price.size(); ++b) capacity += Whole{price[b]} * bundles[b].units;
    return {sum * bundles.unit(), capacity * bundles.denominator()};
}

}  // namespace tailback::search
