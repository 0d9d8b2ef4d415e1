#include "host/search/bounds/fabric_bound.hpp"

#include "host/base/numbers.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>

namespace tailback::search {
namespace {

constexpr std::size_t most_cables = 3;  // that are tried
constexpr std::uint64_t most_steps_a_cable = 50'000'000;

/// Bundles by what they and their ways back pay for the bound, of each pair of switches the first; the most first.
std::vector<std::pair<double, std::uint32_t>> payers(Bundles const& bundles, std::vector<std::uint64_t> const& price) {
    std::vector<std::pair<double, std::uint32_t>> all;
    for (std::uint32_t b = 0; b < price.size(); ++b) {
        std::uint32_t const back = bundles.reverse(b);
        if (back != SwitchGraph::none && back < b) continue;
        double paid = double(price[b]) * bundles[b].capacity;
        if (back != SwitchGraph::none) paid += double(price[back]) * bundles[back].capacity;
        if (paid > 0) all.emplace_back(paid, b);
    }
    std::stable_sort(all.begin(), all.end(), [](auto const& a, auto const& b) { return a.first > b.first; });
    return all;
}

/// Of the switch that gets whole destinations: the bundle that they leave by, or else one that pays most.
std::uint32_t bundle_of(Bundles const& bundles, TableBound const& whole, std::vector<std::uint64_t> const& price) {
    std::uint32_t best = bundles.first(whole.at);
    for (std::uint32_t b = best; b < bundles.first(whole.at + 1); ++b)
        if (whole.next == SwitchGraph::none ? price[b] > price[best] : bundles[b].to == whole.next) best = b;
    return best;
}

std::uint64_t least_of(LoadBound const& divided, TableBound const& whole) {
    return std::max(divided.bound.rounded_up(), whole.load.rounded_up());
}

class Builder {
public:
    Builder(model::Network const& network, std::span<model::Host const> hosts, BoundRoutes routes,
            LoadBoundLimits const& limits)
        : graph_(network, hosts, model::CapacityKind::unit),
          bundles_(graph_),
          demand_(Demand::all_pairs(graph_)),
          limits_(limits) {
        found_.routes = routes;
    }

    FabricBound build() {
        LoadBound const divided = find_load_bound(bundles_, demand_, found_.routes, limits_);
        found_.whole = find_table_bound(bundles_, found_.routes);
        found_.divided = divided.bound;
        found_.sums = divided.sums;
        found_.upper = divided.upper;
        found_.least = least_of(divided, found_.whole);
        if (found_.whole.at != SwitchGraph::none) found_.at = graph_.node(found_.whole.at);
        if (found_.whole.next != SwitchGraph::none) found_.next = graph_.node(found_.whole.next);
        if (found_.least == 0) return std::move(found_);
        note_prices(divided.price);
        try_cables(divided.price);
        return std::move(found_);
    }

private:
    void note_prices(std::vector<std::uint64_t> const& price) {
        for (std::uint32_t a = 0; a < graph_.arcs().size(); ++a)
            if (std::uint64_t const one = price[bundles_.of_arc(a)]; one > 0)
                found_.prices.push_back({graph_[a].link, one, double(one) / double(found_.sums.capacities)});
        std::stable_sort(found_.prices.begin(), found_.prices.end(),
                         [](PricedLink const& a, PricedLink const& b) { return a.price > b.price; });
    }

    void try_cables(std::vector<std::uint64_t> const& price) {
        auto const all = payers(bundles_, price);
        std::vector<std::uint32_t> candidates;
        if (found_.is_by_whole()) candidates.push_back(bundle_of(bundles_, found_.whole, price));
        else
            for (auto const& [paid, b] : all) {
                if (paid < all.front().first / 2) break;
                candidates.push_back(b);
            }
        found_.tried_cables = candidates.size() <= most_cables;
        if (!found_.tried_cables) return;  // many carry it alike
        for (std::uint32_t const b : candidates) {
            Bundles more = bundles_;
            more.add_cable(b);
            LoadBoundLimits limits = limits_;
            limits.gap = 0.001;
            limits.most_steps = std::min(limits.most_steps, most_steps_a_cable);
            std::uint64_t const least =
                least_of(find_load_bound(more, demand_, found_.routes, limits), find_table_bound(more, found_.routes));
            if (least < found_.least) found_.cables.push_back({first_link(b), least});
        }
        std::stable_sort(found_.cables.begin(), found_.cables.end(),
                         [](ExtraCable const& a, ExtraCable const& b) { return a.least < b.least; });
    }

    model::Link first_link(std::uint32_t bundle) const {
        for (std::uint32_t a = graph_.first_arc(bundles_[bundle].from);; ++a)
            if (bundles_.of_arc(a) == bundle) return graph_[a].link;
    }

    SwitchGraph const graph_;
    Bundles const bundles_;
    Demand const demand_;
    LoadBoundLimits const& limits_;
    FabricBound found_;
};

}  // namespace

FabricBound find_fabric_bound(model::Network const& network, std::span<model::Host const> hosts, BoundRoutes routes,
                              LoadBoundLimits const& limits) {
    return Builder(network, hosts, routes, limits).build();
}

void write_certificate(std::ostream& out, model::Network const& network, FabricBound const& bound,
                       std::string const& digest) {
    bool const shortest = bound.routes == BoundRoutes::shortest;
    fmt::print(out,
               "# no {} of this fabric have a smaller largest load of a link between switches\n"
               "# fabric: {}\n"
               "# demand: 1 from every host to every LID of every other\n"
               "# routes: {}\n"
               "# sum of demand x priced distance: {}\n"
               "# sum of price x capacity: {}\n"
               "# bound: {}/{}\n"
               "# links without a row have the price 0; all capacities are 1\n"
               "from,from_guid,from_port,to,to_guid,to_port,price\n",
               shortest ? "shortest routes" : "routes", digest, shortest ? "shortest" : "any",
               text_of(bound.sums.distances), text_of(bound.sums.capacities), text_of(bound.divided.p),
               text_of(bound.divided.q));
    auto const end = [&](model::Node node, model::Port port) {
        std::uint64_t const guid = network[node].guid;
        return fmt::format("{},{},{}", base::csv_field(network[node].name),
                           guid == 0 ? "" : fmt::format("{:#018x}", guid),
                           base::csv_field(network.port_name(node, port)));
    };
    std::vector<PricedLink> links = bound.prices;
    std::sort(links.begin(), links.end(), [](PricedLink const& a, PricedLink const& b) { return a.link < b.link; });
    for (PricedLink const& one : links)
        fmt::print(out, "{},{},{}\n", end(network[one.link].from, network[one.link].from_port),
                   end(network[one.link].to, network[one.link].to_port), one.price);
}

}  // namespace tailback::search
