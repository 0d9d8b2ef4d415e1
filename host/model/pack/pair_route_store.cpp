// Packs routes that depend on the source: a row for every ordered pair of seats.
#include "host/model/pack/route_store.hpp"

#include "host/base/memory.hpp"
#include "host/model/routes/pair_routes.hpp"
#include "kernels/evaluate/dispatch.hpp"

#include <algorithm>
#include <cstring>
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

}  // namespace

RouteStore pack_pair_routes(Fabric const& fabric, PairRoutes const& routes, std::vector<Host> const& study_hosts,
                            LinkCosts const& costs, std::size_t row_byte_limit) {
    Network const& net = fabric.network;
    RouteStore store;
    std::vector<Link> down;
    store.host_links_implied = host_links_are_implied(fabric, study_hosts, down);
    std::vector<std::uint32_t> index_of_link(net.links().size(), kernels::Index<int>::none_value);
    for (std::size_t l = 0; l < net.links().size(); ++l) {
        LinkRecord const& link = net[Link{l}];
        bool const between = net[link.from].kind == NodeKind::switch_node && net[link.to].kind == NodeKind::switch_node;
        if (store.host_links_implied && !between) continue;
        index_of_link[l] = static_cast<std::uint32_t>(store.link_of_index.size());
        store.link_of_index.push_back(Link{l});
    }
    store.inner = static_cast<std::uint32_t>(store.link_of_index.size());
    store.groups = static_cast<std::uint32_t>(study_hosts.size());
    for (std::size_t s = 0; s < study_hosts.size(); ++s) store.group.push_back(static_cast<std::uint32_t>(s));

    auto const count = static_cast<std::int64_t>(study_hosts.size());
    std::uint32_t longest = 0;
    std::uint64_t delivered = 0, failed = 0, links = 0;
#pragma omp parallel reduction(max : longest) reduction(+ : delivered, failed, links)
    {
        PairWalker walker(net, routes, study_hosts, index_of_link);
#pragma omp for schedule(dynamic, 16)
        for (std::int64_t s = 0; s < count; ++s)
            for (std::size_t d = 0; d < study_hosts.size(); ++d) {
                if (std::size_t(s) == d) continue;
                if (!walker.walk(std::size_t(s), d)) {
                    ++failed;
                    continue;
                }
                ++delivered;
                links += walker.links();
                longest = std::max(longest, static_cast<std::uint32_t>(walker.slots().size()));
            }
    }
    store.sum_up(delivered, failed, links, longest);

    std::size_t const row_bytes = store.choose_rows(kernels::pair_row_widths16, kernels::row_widths32);
    if (row_bytes == 0)
        throw base::InputError({}, "a route has " + std::to_string(longest) + " links between switches",
                               "routes that depend on their source are kept whole, in up to " +
                                   std::to_string(store.form == kernels::RouteForm::rows16 ? 32 : 16) + " links",
                               "choose a routing that tables can hold, or a smaller network");
    if (study_hosts.size() * study_hosts.size() > row_byte_limit / row_bytes)
        throw base::InputError({},
                               "routes between " + std::to_string(study_hosts.size()) + " hosts do not fit into " +
                                   std::to_string(row_byte_limit >> 20) + " MiB",
                               "they depend on their source, so that each pair has its own",
                               "study fewer ranks, or choose a routing that tables can hold");
    base::require_memory("the routes of all pairs of the study's hosts",
                         study_hosts.size() * study_hosts.size() * row_bytes,
                         "study fewer ranks, or choose a routing that tables can hold");
    store.rows = kernels::HugeBuffer(study_hosts.size() * study_hosts.size() * row_bytes);

#pragma omp parallel
    {
        PairWalker walker(net, routes, study_hosts, index_of_link);
        std::vector<std::uint32_t> route(store.row_width);
#pragma omp for schedule(dynamic, 16)
        for (std::int64_t s = 0; s < count; ++s)
            for (std::size_t d = 0; d < study_hosts.size(); ++d) {
                std::fill(route.begin(), route.end(), store.inner);
                if (std::size_t(s) != d) {
                    if (walker.walk(std::size_t(s), d))
                        std::copy(walker.slots().begin(), walker.slots().end(), route.begin());
                    else route[0] = store.inner + static_cast<std::uint32_t>(Fate::unreachable);
                }
                store.put_row(std::size_t(s) * study_hosts.size() + d, route);
            }
    }
    store.add_outer_slots(net, study_hosts, down, costs);
    return store;
}

}  // namespace tailback::model
