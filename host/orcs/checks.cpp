// Every ordered pair of hosts, a host with itself included.
#include "host/orcs/checks.hpp"

#include "host/orcs/routes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <ostream>

namespace tailback::orcs {

void check_all_routes(model::Fabric const& fabric, std::ostream& out) {
    std::size_t const hosts = fabric.network.hosts().size();
    OrcsRoutes routes(fabric, out);
    for (std::size_t i = 0; i < hosts; ++i)
        for (std::size_t j = 0; j < hosts; ++j) {
            out << "Testing pair number " << i * hosts + j + 1 << " of " << hosts * hosts << '\n';
            routes.find(model::Host{i}, model::Host{j});
        }
    out << "Completed\n";
}

void print_route_quality(model::Fabric const& fabric, OrcsOptions const& options, std::ostream& out) {
    std::size_t const hosts = fabric.network.hosts().size();
    OrcsRoutes routes(fabric, out);
    std::vector<std::uint64_t> count(fabric.network.links().size(), 0);
    for (std::size_t i = 0; i < hosts; ++i)
        for (std::size_t j = 0; j < hosts; ++j)
            for (std::uint32_t const e : routes.find(model::Host{i}, model::Host{j})) ++count[e];

    std::map<std::uint64_t, std::uint64_t> pairs_by_largest;
    for (std::size_t i = 0; i < hosts; ++i)
        for (std::size_t j = 0; j < hosts; ++j) {
            auto const& route = routes.find(model::Host{i}, model::Host{j});
            std::uint64_t largest = 0;
            for (std::size_t k = 1; k + 1 < route.size(); ++k) largest = std::max(largest, count[route[k]]);
            if (largest > 0) ++pairs_by_largest[largest];
        }
    if (pairs_by_largest.empty())
        out << "gmin: " << (options.version == OrcsVersion::v20 ? "4294967294" : "-2")
            << ", gmax: 0\n";  // as it starts out
    else out << "gmin: " << pairs_by_largest.begin()->first << ", gmax: " << pairs_by_largest.rbegin()->first << '\n';

    // In single precision and ascending order, as ORCS adds up.
    float pairs = 0;
    for (auto const& [largest, number] : pairs_by_largest) pairs += float(number);
    float mean = 0, square = 0;
    for (auto const& [largest, number] : pairs_by_largest) {
        float const probability = float(number) / pairs;
        mean += float(largest) * probability;
        square += float(largest * largest) * probability;
    }
    float const variance = square - mean * mean;
    if (pairs_by_largest.empty()) out << "E: -nan, sigma: -nan\n";
    else out << fmt::format("E: {:.2f}, sigma: {:.2f}\n", mean, std::sqrt(variance));
    out << "Completed\n";
}

}  // namespace tailback::orcs
