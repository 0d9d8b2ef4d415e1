#include "host/search/bounds/table_bound.hpp"

#include "kernels/cpu/machine/stop.hpp"

#include <algorithm>
#include <map>

namespace tailback::search {
namespace {

/// LIDs by how many sources' flows a switch gets whole for each of them.
using ByWeight = std::map<std::uint64_t, std::uint64_t, std::greater<>>;

/// Least t with room for so many in links of these costs.
std::uint64_t least_room(std::vector<std::uint32_t> const& costs, std::uint64_t wanted) {
    auto const has_room = [&](std::uint64_t t) {
        std::uint64_t room = 0;
        for (std::uint32_t const cost : costs) room += t / cost;
        return room >= wanted;
    };
    std::uint64_t low = 0, high = wanted * *std::min_element(costs.begin(), costs.end());
    while (low + 1 < high) {
        std::uint64_t const middle = low + (high - low) / 2;
        (has_room(middle) ? high : low) = middle;
    }
    return high;
}

class Finder {
public:
    Finder(Bundles const& bundles, BoundRoutes routes)
        : bundles_(bundles),
          graph_(bundles.graph()),
          lids_(graph_.switches()),
          whole_(graph_.switches()),
          of_bundle_(bundles.all().size()) {
        for (std::uint32_t i = 0; i < graph_.seats().size(); ++i) lids_[graph_.seats()[i].at] += lids_of(graph_, i);
        kernels::StopWish const wish = kernels::StopWish::now();
        for (std::uint32_t d = 0; d < graph_.switches(); ++d) {
            if (lids_[d] == 0) continue;
            wish.heed();
            routes == BoundRoutes::shortest ? by_dominators(d) : by_ends(d);
        }
    }

    TableBound best() {
        std::vector<std::uint32_t> costs;
        for (std::uint32_t s = 0; s < graph_.switches(); ++s) {
            costs.clear();
            for (std::uint32_t b = bundles_.first(s); b < bundles_.first(s + 1); ++b) {
                costs.insert(costs.end(), bundles_[b].costs.begin(), bundles_[b].costs.end());
                see(of_bundle_[b], bundles_[b].costs, s, bundles_[b].to);
            }
            see(whole_[s], costs, s, SwitchGraph::none);
        }
        return best_;
    }

private:
    /// Of every switch, the sources whose every shortest way to `to` passes it.
    void by_dominators(std::uint32_t to) {
        std::vector<std::uint32_t> const order = bundles_.nearest_first(to, links_);
        above_.resize(graph_.switches()), through_.assign(graph_.switches(), 0);
        above_[to] = to;
        for (std::size_t i = 1; i < order.size(); ++i) {
            std::uint32_t const s = order[i];
            std::uint32_t common = SwitchGraph::none;
            for (std::uint32_t b = bundles_.first(s); b < bundles_.first(s + 1); ++b) {
                std::uint32_t other = bundles_[b].to;
                if (links_[other] + 1 != links_[s]) continue;
                if (common == SwitchGraph::none) common = other;
                while (common != other)
                    (links_[common] > links_[other] ? common : other) =
                        above_[links_[common] > links_[other] ? common : other];
            }
            above_[s] = common;
        }
        for (std::size_t i = order.size(); i-- > 1;) {
            std::uint32_t const s = order[i];
            through_[s] += graph_.hosts_at(s);
            through_[above_[s]] += through_[s];
            if (through_[s] == 0) continue;
            whole_[s][through_[s]] += lids_[to];
            std::uint32_t only = SwitchGraph::none, ways = 0;
            for (std::uint32_t b = bundles_.first(s); b < bundles_.first(s + 1); ++b)
                if (links_[bundles_[b].to] + 1 == links_[s]) only = b, ++ways;
            if (ways == 1) of_bundle_[only][through_[s]] += lids_[to];
        }
    }

    void by_ends(std::uint32_t to) {
        std::uint64_t others = 0;
        for (std::uint32_t const s : bundles_.nearest_first(to, links_)) {
            if (s == to || graph_.hosts_at(s) == 0) continue;
            others += graph_.hosts_at(s);
            whole_[s][graph_.hosts_at(s)] += lids_[to];
        }
        if (others > 0 && bundles_.into(to).size() == 1) of_bundle_[bundles_.into(to).front()][others] += lids_[to];
    }

    void see(ByWeight const& weights, std::vector<std::uint32_t> const& costs, std::uint32_t at, std::uint32_t next) {
        std::uint64_t count = 0;
        for (auto const& [weight, more] : weights) {  // the heaviest first; each of `count` weighs so much or more
            count += more;
            Fraction const load = fraction(Whole{weight} * least_room(costs, count), graph_.denominator());
            if (best_.load < load) best_ = {load, at, next, weight, count, costs.size()};
        }
    }

    Bundles const& bundles_;
    SwitchGraph const& graph_;
    std::vector<std::uint64_t> lids_;  // by switch
    std::vector<ByWeight> whole_;      // by switch
    std::vector<ByWeight> of_bundle_;  // of LIDs that leave by that bundle alone
    std::vector<std::uint32_t> links_, above_;
    std::vector<std::uint64_t> through_;
    TableBound best_;
};

}  // namespace

TableBound find_table_bound(Bundles const& bundles, BoundRoutes routes) { return Finder(bundles, routes).best(); }

}  // namespace tailback::search
