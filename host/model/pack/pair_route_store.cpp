// Packs routes that depend on the source: a row for every ordered pair of seats.
#include "host/model/pack/route_store.hpp"

#include "host/base/memory.hpp"
#include "host/io/progress.hpp"
#include "host/model/pack/pair_routes.hpp"
#include "kernels/cpu/machine/stop.hpp"
#include "kernels/cpu/machine/threads.hpp"
#include "kernels/evaluate/dispatch.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace tailback::model {
namespace {

/// The inner part of a pair's route as slots; false when there is no route.
class PairWalker {
public:
    PairWalker(Network const& network, PairRoutes const& routes, std::vector<Host> const& study_hosts,
               std::vector<std::uint32_t> const& index_of_link)
        : network_(network), routes_(routes), seats_(study_hosts), index_of_link_(index_of_link) {}

    bool walk(std::size_t s, std::size_t d) {
        links_.clear();
        slots_.clear();
        if (!routes_.append(network_, seats_[s], seats_[d], links_)) return false;
        for (Link const link : links_)
            if (std::uint32_t const slot = index_of_link_[link.value]; slot != kernels::Index<int>::none_value)
                slots_.push_back(slot);
        return true;
    }
    std::size_t links() const { return links_.size(); }
    std::vector<std::uint32_t> const& slots() const { return slots_; }

private:
    Network const& network_;
    PairRoutes const& routes_;
    std::vector<Host> const& seats_;
    std::vector<std::uint32_t> const& index_of_link_;
    std::vector<Link> links_;
    std::vector<std::uint32_t> slots_;
};

/// What walks to the destinations come to.
struct WalkSums {
    std::uint64_t delivered = 0, failed = 0, links = 0;
    std::uint32_t longest = 0;
};

/// A study's pairs, walked by all threads.
class AllPairs {
public:
    AllPairs(Network const& network, PairRoutes const& routes, std::vector<Host> const& study_hosts, RouteStore& store)
        : network_(network),
          routes_(routes),
          seats_(study_hosts),
          store_(store),
          index_of_link_(network.links().size(), kernels::Index<int>::none_value),
          progress_("computing the routes of all pairs", 2 * study_hosts.size(), "sources") {
        for (std::size_t l = 0; l < network.links().size(); ++l) {
            LinkRecord const& link = network[Link{l}];
            bool const between = network.is_switch(link.from) && network.is_switch(link.to);
            if (store.host_links_implied && !between) continue;
            index_of_link_[l] = static_cast<std::uint32_t>(store.link_of_index.size());
            store.link_of_index.push_back(Link{l});
        }
    }

    /// Of some pairs, in a moment.
    WalkSums look() const {
        constexpr std::size_t sources = 16, destinations = 256;
        WalkSums sums;
        PairWalker walker(network_, routes_, seats_, index_of_link_);
        std::size_t const seats = seats_.size();
        for (std::size_t s = 0; s < seats; s += seats / sources + 1)
            for (std::size_t d = 0; d < seats; d += seats / destinations + 1) add(walker, s, d, sums);
        return sums;
    }
    WalkSums measure() {
        std::uint64_t delivered = 0, failed = 0, links = 0;
        std::uint32_t longest = 0;
        auto const count = static_cast<std::int64_t>(seats_.size());
        auto const stop = kernels::StopWish::now();
        kernels::FirstFailure thrown;
#pragma omp parallel reduction(max : longest) reduction(+ : delivered, failed, links)
        {
            auto walker = thrown.made([&] { return PairWalker(network_, routes_, seats_, index_of_link_); });
            WalkSums mine;
#pragma omp for schedule(dynamic, 16)
            for (std::int64_t s = 0; s < count; ++s) {
                progress_.add(1);
                thrown.hold([&] {
                    for (std::size_t d = 0; d < seats_.size() && !stop.asked(); ++d)
                        add(*walker, std::size_t(s), d, mine);
                });
            }
            delivered = mine.delivered;
            failed = mine.failed;
            links = mine.links;
            longest = mine.longest;
        }
        thrown.rethrow();
        stop.heed();
        return {delivered, failed, links, longest};
    }
    /// Into the store's rows.
    void fill() {
        auto const count = static_cast<std::int64_t>(seats_.size());
        auto const stop = kernels::StopWish::now();
        kernels::FirstFailure failed;
#pragma omp parallel
        {
            auto walker = failed.made([&] { return PairWalker(network_, routes_, seats_, index_of_link_); });
            auto route = failed.made([&] { return std::vector<std::uint32_t>(store_.row_width); });
#pragma omp for schedule(dynamic, 16)
            for (std::int64_t s = 0; s < count; ++s) {
                progress_.add(1);
                failed.hold([&] {
                    for (std::size_t d = 0; d < seats_.size() && !stop.asked(); ++d) {
                        std::fill(route->begin(), route->end(), store_.inner);
                        if (std::size_t(s) != d) {
                            if (walker->walk(std::size_t(s), d))
                                std::copy(walker->slots().begin(), walker->slots().end(), route->begin());
                            else (*route)[0] = store_.inner + static_cast<std::uint32_t>(Fate::unreachable);
                        }
                        store_.put_row(std::size_t(s) * seats_.size() + d, *route);
                    }
                });
            }
        }
        failed.rethrow();
        stop.heed();
    }

private:
    static void add(PairWalker& walker, std::size_t s, std::size_t d, WalkSums& sums) {
        if (s == d) return;
        if (!walker.walk(s, d)) {
            ++sums.failed;
            return;
        }
        ++sums.delivered;
        sums.links += walker.links();
        sums.longest = std::max(sums.longest, static_cast<std::uint32_t>(walker.slots().size()));
    }

    Network const& network_;
    PairRoutes const& routes_;
    std::vector<Host> const& seats_;
    RouteStore& store_;
    std::vector<std::uint32_t> index_of_link_;
    io::Progress progress_;
};

/// Sets the form of the store's rows for its longest route. @return bytes of all rows. @throws InputError when they are
/// too long or too many.
std::size_t choose_pair_rows(RouteStore& store, std::size_t hosts, std::size_t row_byte_limit) {
    std::size_t const row_bytes = store.choose_rows(kernels::pair_row_widths16, kernels::row_widths32);
    if (row_bytes == 0)
        throw base::InputError({}, "a route has " + std::to_string(store.longest) + " links between switches",
                               "routes that depend on their source are kept whole, in up to " +
                                   std::to_string(store.form == kernels::RouteForm::rows16 ? 32 : 16) + " links",
                               "choose a routing that tables can hold, or a smaller network");
    require_pair_rows(hosts, row_bytes, row_byte_limit);
    base::require_memory("the routes of all pairs of the study's hosts", hosts * hosts * row_bytes,
                         "study fewer ranks, or choose a routing that tables can hold");
    return hosts * hosts * row_bytes;
}

}  // namespace

void require_pair_rows(std::uint64_t hosts, std::size_t row_bytes, std::size_t row_byte_limit, bool fewer_ranks_help) {
    if (hosts * hosts <= row_byte_limit / row_bytes) return;
    auto const most = static_cast<std::uint64_t>(std::sqrt(double(row_byte_limit / most_pair_row_bytes)));
    throw base::InputError({},
                           "routes between " + std::to_string(hosts) + " hosts do not fit into " +
                               std::to_string(row_byte_limit >> 20) + " MiB",
                           "they depend on their source, so that each pair has its own",
                           (fewer_ranks_help ? "study at most " + std::to_string(most) + " ranks, or choose "
                                             : std::string("choose a smaller network, or ")) +
                               "a routing that tables can hold");
}

std::size_t pair_row_bytes_at_least(Network const& network) {
    if (network.hosts().empty()) return least_pair_row_bytes;
    std::vector<std::uint32_t> links(network.nodes().size());  // from the first host's node, and one
    std::vector<Node> reached = {network[Host{0}].node};
    links[reached.front().value] = 1;
    for (std::size_t i = 0; i < reached.size(); ++i) {
        Node const node = reached[i];
        for (std::uint32_t l = 0; l < network.link_count(node); ++l) {
            Node const next = network[Link{network.first_link(node).value + l}].to;
            if (links[next.value] != 0) continue;
            links[next.value] = links[node.value] + 1;
            reached.push_back(next);
        }
    }
    std::uint32_t farthest = 0;
    for (HostRecord const& host : network.hosts()) farthest = std::max(farthest, links[host.node.value]);
    RouteStore store;
    constexpr std::uint32_t own = 2;  // the links of the two hosts may have no place in a row
    store.longest = farthest > 1 + own ? farthest - 1 - own : 0;
    std::size_t const bytes = store.choose_rows(kernels::pair_row_widths16, kernels::row_widths32);
    return std::max(bytes, least_pair_row_bytes);  // too long for any: told when the routes are there
}

RouteStore pack_pair_routes(Fabric const& fabric, PairRoutes const& routes, std::vector<Host> const& study_hosts,
                            LinkCosts const& costs, std::size_t row_byte_limit) {
    Network const& net = fabric.network;
    RouteStore store;
    std::vector<Link> down;
    store.host_links_implied = host_links_are_implied(fabric, study_hosts, down);
    AllPairs pairs(net, routes, study_hosts, store);
    store.inner = static_cast<std::uint32_t>(store.link_of_index.size());
    store.groups = static_cast<std::uint32_t>(study_hosts.size());
    for (std::size_t s = 0; s < study_hosts.size(); ++s) store.group.push_back(static_cast<std::uint32_t>(s));

    store.longest = pairs.look().longest;
    choose_pair_rows(store, study_hosts.size(), row_byte_limit);  // what is refused for some need not wait for all
    WalkSums const sums = pairs.measure();
    store.sum_up(sums.delivered, sums.failed, sums.links, sums.longest);
    store.rows = kernels::HugeBuffer(choose_pair_rows(store, study_hosts.size(), row_byte_limit));
    pairs.fill();
    store.add_outer_slots(net, study_hosts, down, costs);
    return store;
}

}  // namespace tailback::model
