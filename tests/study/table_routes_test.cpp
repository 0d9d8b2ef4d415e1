// Rows and steps packed from tables, pair by pair against routes that are walked link by link.
#include "host/model/pack/route_store.hpp"
#include "kernels/evaluate/dispatch.hpp"
#include "tests/support/networks/table_fabrics.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

#include <set>

namespace tailback::table_routes_test {
namespace {

/// A route as the tables have it, in slots.
struct WantedRoute {
    Fate fate = Fate::delivered;
    std::vector<std::uint32_t> slots;
    std::size_t links = 0;
};

class Wanted {
public:
    Wanted(Fabric const& fabric, RouteStore const& store)
        : fabric_(fabric), index_of_link_(fabric.network.links().size(), store.inner) {
        for (std::uint32_t slot = 0; slot < store.inner; ++slot) index_of_link_[store.link_of_index[slot].value] = slot;
        inner_ = store.inner;
    }
    WantedRoute route(Host source, Host destination) const {
        Network const& net = fabric_.network;
        Route const traced = trace_from_host(fabric_, source, net[destination].lid);
        WantedRoute wanted{traced.fate, {}, traced.links.size()};
        if (traced.fate != Fate::delivered) return wanted;
        for (Link const link : traced.links)
            if (index_of_link_[link.value] != inner_) wanted.slots.push_back(index_of_link_[link.value]);
        return wanted;
    }

private:
    Fabric const& fabric_;
    std::vector<std::uint32_t> index_of_link_;
    std::uint32_t inner_;
};

void expect_the_traced(Fabric const& fabric, std::vector<Host> const& hosts, RouteStore const& store,
                       std::set<Fate>& fates) {
    Wanted const wanted(fabric, store);
    Problem problem;
    problem.placement.study_hosts = static_cast<std::uint32_t>(hosts.size());
    store.describe(problem);
    std::uint64_t delivered = 0, failed = 0, links = 0;
    std::size_t longest = 0;
    with_routes(problem, [&](auto const& routes) {
        for (std::uint32_t s = 0; s < hosts.size(); ++s)
            for (std::uint32_t d = 0; d < hosts.size(); ++d) {
                Lid const lid = fabric.network[hosts[d]].lid;
                bool const owned = lid != 0 && fabric.network.owner(lid).host == hosts[d];
                if (s == d) continue;
                auto const route = routes.find(problem.routes.group[s], d);
                if (!owned) {  // what arrives elsewhere does not arrive
                    EXPECT_NE(routes.fate(route), 0u);
                    ++failed;
                    continue;
                }
                WantedRoute const want = wanted.route(hosts[s], hosts[d]);
                fates.insert(want.fate);
                ASSERT_EQ(Fate(routes.fate(route)), want.fate) << s << " to " << d;
                if (want.fate != Fate::delivered) {
                    ++failed;
                    continue;
                }
                ++delivered;
                links += want.links;
                longest = std::max(longest, want.slots.size());
                std::vector<std::uint32_t> got;
                routes.each(route, [&](std::uint32_t slot) {
                    if (slot != store.inner) got.push_back(slot);
                });
                ASSERT_EQ(got, want.slots) << s << " to " << d;
            }
    });
    EXPECT_EQ(store.all_delivered, failed == 0);
    EXPECT_EQ(store.none_delivered, delivered == 0);
    EXPECT_EQ(store.longest, longest);
    EXPECT_DOUBLE_EQ(store.mean_links, delivered == 0 ? 0.0 : double(links) / double(delivered));
}

TEST(TableRoutes, RowsAndStepsAreTheTracedRoutes) {
    std::set<Fate> fates;
    std::set<RouteForm> forms;
    for (NastyNetwork const& network : table_fabrics()) {
        Fabric const& fabric = network.fabric;
        std::size_t const count = fabric.network.hosts().size();
        std::vector<Host> all, some;
        for (std::size_t h = 0; h < count; ++h) all.emplace_back(h);
        for (std::size_t h = 0; h < count; h += 2) some.emplace_back((h * 7 + 3) % count / 2 * 2);
        std::sort(some.begin(), some.end());
        some.erase(std::unique(some.begin(), some.end()), some.end());
        for (std::vector<Host> const& hosts : {all, some})
            for (std::size_t const row_byte_limit : {std::size_t{0}, std::size_t{1} << 30}) {
                SCOPED_TRACE(network.name + ", rows of " + std::to_string(row_byte_limit) + " bytes");
                RouteStore const store = pack_routes(fabric, hosts, {}, row_byte_limit);
                forms.insert(store.form);
                expect_the_traced(fabric, hosts, store, fates);
            }
    }
    EXPECT_EQ(fates.size(), 4u);
    EXPECT_EQ(forms, (std::set{RouteForm::rows16, RouteForm::steps}));
}

}  // namespace
}  // namespace tailback::table_routes_test
