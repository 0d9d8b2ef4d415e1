#include "host/audit/expected/expected_loads.hpp"

#include "host/base/error.hpp"
#include "host/io/progress.hpp"
#include "host/model/pack/pair_routes.hpp"
#include "host/model/routes/expected_routes.hpp"
#include "host/search/assignment.hpp"
#include "kernels/cpu/machine/stop.hpp"
#include "kernels/cpu/machine/threads.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

namespace tailback::audit {
namespace {

/// Shares are added up as whole numbers, so that no order of work shows.
constexpr double unit = std::uint64_t{1} << 36;

/// The share of a pair's flow on a link between switches, by numbers of hosts in the list.
struct PairShare {
    std::uint32_t link, source, destination;
    double share;
};

/// Asks a routing pair by pair.
class RoutesOfPairs {
public:
    explicit RoutesOfPairs(model::Fabric const& fabric)
        : fabric_(fabric), pairs_(fabric.routing->pairs()), expected_(fabric.routing->law()) {
        if (pairs_ == nullptr)
            throw base::InputError({}, "expected loads are of routes that depend on the source", "these do not",
                                   "audit them as tables");
        if (expected_ == nullptr && fabric.origin.routing_draws)
            throw base::InputError(
                {}, "an audit needs forwarding tables, or routes whose law is known",
                "routes by " + fabric.routing->text() + " are drawn, and it does not tell how",
                "choose ecmp, valiant, romm, rlb, kshortest, allpath or random-up, or a routing by destination alone");
    }
    bool ask(model::Host source, model::Host destination, std::vector<model::LinkShare>& shares) const {
        shares.clear();
        if (expected_ != nullptr) return expected_->expect(fabric_.network, source, destination, shares);
        std::vector<model::Link> links;
        if (!pairs_->append(fabric_.network, source, destination, links)) return false;
        for (model::Link const link : links) shares.push_back({link, 1});
        return true;
    }

private:
    model::Fabric const& fabric_;
    model::PairRoutes const* pairs_;
    model::ExpectedRoutes const* expected_;
};

void add_up(std::vector<model::LinkShare>& shares) {
    std::sort(shares.begin(), shares.end(),
              [](auto const& a, auto const& b) { return std::pair(a.link, a.share) < std::pair(b.link, b.share); });
    std::size_t end = 0;
    for (std::size_t i = 0; i < shares.size(); ++i) {
        if (end > 0 && shares[end - 1].link == shares[i].link) shares[end - 1].share += shares[i].share;
        else shares[end++] = shares[i];
    }
    shares.resize(end);
}

/// Largest matching of every link, from the shares of its pairs.
void find_worst(std::vector<PairShare>& shares, std::span<model::Host const> hosts, unsigned threads,
                ExpectedLoads& found) {
    std::sort(shares.begin(), shares.end(), [](PairShare const& a, PairShare const& b) {
        return std::tuple(a.link, a.source, a.destination) < std::tuple(b.link, b.source, b.destination);
    });
    std::vector<std::size_t> first;
    for (std::size_t i = 0; i < shares.size(); ++i)
        if (i == 0 || shares[i].link != shares[i - 1].link) first.push_back(i);
    first.push_back(shares.size());
    std::size_t const n = hosts.size();
    auto const matrix_of = [&](std::size_t number, std::vector<double>& weight) {
        weight.assign(n * n, 0);
        for (std::size_t i = first[number]; i < first[number + 1]; ++i)
            weight[shares[i].source * n + shares[i].destination] = shares[i].share;
    };
    std::vector<double> worst(first.size() - 1);
    io::Progress progress("worst permutations", worst.size(), "links");
    auto const stop = kernels::StopWish::now();
    kernels::NextOf next(worst.size());
    kernels::in_threads(kernels::threads_to_use(threads), [&] {
        std::vector<double> weight;
        std::vector<std::uint32_t> chosen;
        for (std::size_t l; next.take(l) && !stop.asked();) {
            matrix_of(l, weight);
            worst[l] = search::largest_assignment(weight, n, chosen);
            progress.add(1);
        }
    });
    stop.heed();
    if (worst.empty()) return;
    std::size_t at = 0;  // the first, but for what rounding makes of equals
    for (std::size_t l = 1; l < worst.size(); ++l)
        if (worst[l] > worst[at] * (1 + 1e-12)) at = l;
    found.worst = worst[at];
    found.worst_link = model::Link{shares[first[at]].link};
    std::vector<double> weight;
    std::vector<std::uint32_t> chosen;
    matrix_of(at, weight);
    search::largest_assignment(weight, n, chosen);
    for (std::size_t s = 0; s < n; ++s)
        if (weight[s * n + chosen[s]] > 0) found.permutation.push_back({hosts[s], hosts[chosen[s]]});
}

}  // namespace

ExpectedLoads expect_loads(model::Fabric const& fabric, std::span<model::Host const> hosts, unsigned threads) {
    RoutesOfPairs const routes(fabric);
    ExpectedLoads found;
    std::size_t const links = fabric.network.links().size(), n = hosts.size();
    for (std::size_t l = 0; l < links; ++l) found.links += fabric.between_switches(model::Link{l});
    constexpr double most_shares = 4e7;  // a gigabyte
    bool const matches = double(n) * double(n) * double(n) * double(found.links) <= most_matching_steps &&
                         double(n) * double(n) * double(found.links) <= most_shares;
    std::vector<std::uint64_t> sums(links);
    std::vector<PairShare> kept;
    io::Progress progress("expected loads", n, "hosts");
    auto const stop = kernels::StopWish::now();
    std::mutex adding;
    kernels::NextOf next(n);
    kernels::in_threads(kernels::threads_to_use(threads), [&] {
        std::vector<std::uint64_t> own(links);
        std::vector<PairShare> own_kept;
        std::vector<model::LinkShare> shares;
        std::uint64_t delivered = 0;
        for (std::size_t number; next.take(number);) {
            auto const s = static_cast<std::uint32_t>(number);
            for (std::uint32_t d = 0; d < n && !stop.asked(); ++d) {
                if (s == d || !routes.ask(hosts[s], hosts[d], shares)) continue;
                ++delivered;
                add_up(shares);
                for (model::LinkShare const& one : shares) {
                    own[one.link.value] += static_cast<std::uint64_t>(std::llround(one.share * unit));
                    if (matches && fabric.between_switches(one.link))
                        own_kept.push_back({one.link.value, s, d, one.share});
                }
            }
            progress.add(1);
        }
        std::lock_guard const lock(adding);
        found.delivered += delivered;
        for (std::size_t l = 0; l < links; ++l) sums[l] += own[l];
        kept.insert(kept.end(), own_kept.begin(), own_kept.end());
    });
    stop.heed();
    found.pairs = std::uint64_t{n} * (n - 1);
    double all = 0;
    for (std::size_t l = 0; l < links; ++l) {
        found.load.push_back(double(sums[l]) / unit);
        all += found.load[l];
        if (!fabric.between_switches(model::Link{l})) continue;
        found.mean += found.load[l] / double(found.links);
        if (sums[l] > (found.hottest.exists() ? sums[found.hottest.value] : 0)) found.hottest = model::Link{l};
    }
    if (found.delivered > 0) found.mean_links = all / double(found.delivered);
    if (matches) find_worst(kept, hosts, threads, found);
    return found;
}

}  // namespace tailback::audit
