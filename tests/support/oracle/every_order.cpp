#include "tests/support/oracle/every_order.hpp"

#include <algorithm>
#include <numeric>

namespace tailback::oracle {
namespace {

constexpr double nearly_nothing = 1e-9;

/// Progressive filling: all that may grow do so alike, until a link is full.
std::vector<double> filled_rates(std::vector<std::vector<PartOnLink> const*> const& ways,
                                 std::vector<bool> const& active, std::uint32_t links) {
    std::vector<double> rates(ways.size(), 0), left(links, 1);
    std::vector<bool> growing = active;
    std::vector<int> users(links);
    for (;;) {
        std::fill(users.begin(), users.end(), 0);
        for (std::size_t f = 0; f < ways.size(); ++f)
            if (growing[f])
                for (PartOnLink const& one : *ways[f]) ++users[one.link];
        double step = 1e300;
        for (std::uint32_t l = 0; l < links; ++l)
            if (users[l] > 0) step = std::min(step, left[l] / users[l]);
        if (step == 1e300) return rates;
        for (std::uint32_t l = 0; l < links; ++l) left[l] -= step * users[l];
        for (std::size_t f = 0; f < ways.size(); ++f) {
            if (!growing[f]) continue;
            rates[f] += step;
            for (PartOnLink const& one : *ways[f]) growing[f] = growing[f] && left[one.link] > nearly_nothing;
        }
    }
}

class OneOrder {
public:
    OneOrder(OrdersQuestion const& question, std::vector<std::uint32_t> const& place) : q_(question), place_(place) {}

    void look_at_loads(BestOfOrders& best) {
        std::vector<double> all(q_.links), now(q_.links);
        double time = 0, hops = 0, out_of_leaf = 0, out_of_rack = 0, out_of_node = 0;
        for (auto const& level : q_.levels) {
            std::fill(now.begin(), now.end(), 0);
            for (WeighedFlow const& flow : level) {
                std::uint32_t const a = place_[flow.source], b = place_[flow.destination];
                double parts = 0;
                for (PartOnLink const& one : q_.ways[a][b]) now[one.link] += flow.weight * one.part, parts += one.part;
                hops += flow.weight * std::max(0.0, parts - 2);
                out_of_leaf += q_.leaf[a] != q_.leaf[b] ? flow.weight : 0;
                out_of_rack += q_.rack[a] != q_.rack[b] ? flow.weight : 0;
                out_of_node += q_.node[a] != q_.node[b] ? flow.weight : 0;
            }
            time += *std::max_element(now.begin(), now.end());
            for (std::uint32_t l = 0; l < q_.links; ++l) all[l] += now[l];
        }
        best.time = std::min(best.time, time);
        best.load = std::min(best.load, *std::max_element(all.begin(), all.end()));
        best.hop_bytes = std::min(best.hop_bytes, hops);
        best.leaf_bytes = std::min(best.leaf_bytes, out_of_leaf);
        best.rack_bytes = std::min(best.rack_bytes, out_of_rack);
        best.node_bytes = std::min(best.node_bytes, out_of_node);
    }

    void look_at_rates(BestOfOrders& best) {
        double least = 1e300, makespan = 0, ended = 0;
        std::size_t flows = 0;
        for (auto const& level : q_.levels) {
            std::vector<std::vector<PartOnLink> const*> ways;
            std::vector<double> left;
            for (WeighedFlow const& flow : level) {
                auto const& way = q_.ways[place_[flow.source]][place_[flow.destination]];
                if (way.empty()) continue;
                ways.push_back(&way);
                left.push_back(flow.weight);
            }
            std::vector<bool> active(ways.size(), true);
            flows += ways.size();
            double clock = 0;
            for (std::size_t open = ways.size(); open > 0;) {
                std::vector<double> const rates = filled_rates(ways, active, q_.links);
                if (open == ways.size()) least = std::min(least, *std::min_element(rates.begin(), rates.end()));
                double step = 1e300;
                for (std::size_t f = 0; f < ways.size(); ++f)
                    if (active[f]) step = std::min(step, left[f] / rates[f]);
                clock += step;
                for (std::size_t f = 0; f < ways.size(); ++f) {
                    if (!active[f]) continue;
                    left[f] -= step * rates[f];
                    if (left[f] > nearly_nothing) continue;
                    active[f] = false;
                    ended += clock;
                    --open;
                }
            }
            makespan += clock;
        }
        if (flows == 0) return;
        best.rate = std::max(best.rate, least);
        best.makespan = std::min(best.makespan, makespan);
        best.completion_time = std::min(best.completion_time, ended / double(flows));
    }

private:
    OrdersQuestion const& q_;
    std::vector<std::uint32_t> const& place_;
};

}  // namespace

BestOfOrders best_of_all_orders(OrdersQuestion const& question, bool with_rates) {
    std::vector<std::uint32_t> place(question.ranks);
    std::iota(place.begin(), place.end(), 0u);
    BestOfOrders best;
    do {
        OneOrder order(question, place);
        order.look_at_loads(best);
        if (with_rates) order.look_at_rates(best);
    } while (std::next_permutation(place.begin(), place.end()));
    return best;
}

}  // namespace tailback::oracle
