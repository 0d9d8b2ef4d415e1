// What a fabric is wanted for decides the form of its routes, and not what comes of them.
#include "host/api/jobs.hpp"
#include "host/api/study.hpp"
#include "host/base/error.hpp"
#include "host/evaluation/jobs/jobs.hpp"
#include "host/model/fabric/fabric_traits.hpp"
#include "tests/support/networks/router_fabric.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

namespace tailback::obtain_test {
namespace {

FabricRequest wanted(std::string const& network, Wanted what, std::string const& routing = "") {
    FabricRequest request{.network = NetworkChoice(network), .wanted = what, .user = "a test"};
    if (!routing.empty()) request.network.routing.emplace(routing);
    return request;
}

TEST(Obtain, RoutesAreWhereTheWishWantsThem) {
    EXPECT_EQ(traits_of(obtain(wanted("torus:4x4", Wanted::network), {})).routes, RoutesAre::none);
    for (Wanted const any : {Wanted::tables, Wanted::routes, Wanted::flows, Wanted::mappings})
        EXPECT_EQ(traits_of(obtain(wanted("torus:4x4", any), {})).routes, RoutesAre::tables);
    EXPECT_EQ(traits_of(obtain(wanted("torus:4x4", Wanted::routes, "valiant"), {})).routes, RoutesAre::pairs);
    EXPECT_THROW(obtain(wanted("torus:4x4", Wanted::tables, "valiant"), {}), InputError);
    for (auto const& [form, are] :
         {std::pair{RoutesForm::arithmetic, RoutesAre::formula}, std::pair{RoutesForm::trees, RoutesAre::on_demand},
          std::pair{RoutesForm::tables, RoutesAre::tables}}) {
        FabricRequest request = wanted("torus:4x4", Wanted::mappings);
        request.network.form = form;
        EXPECT_EQ(traits_of(obtain(request, {})).routes, are);
        request.wanted = Wanted::flows;  // routes that are made on demand are not looked up one by one
        EXPECT_EQ(traits_of(obtain(request, {})).routes,
                  are == RoutesAre::formula ? RoutesAre::formula : RoutesAre::tables);
        request.wanted = Wanted::tables;
        EXPECT_EQ(traits_of(obtain(request, {})).routes, RoutesAre::tables);
    }
    EXPECT_TRUE(traits_of(obtain(wanted("torus:4x4", Wanted::tables, "ar:minimal"), {})).by_load);
}

/// A large network is a formula for whoever can do with one; nodes that are called by name are kept beside it.
TEST(Obtain, LargeNetworksAreFormulas) {
    FabricRequest request = wanted("mport-ntree:m=64,n=3", Wanted::flows);
    Fabric const bare = obtain(request, {});
    EXPECT_EQ(traits_of(bare).routes, RoutesAre::formula);
    EXPECT_TRUE(bare.network.nodes().empty());
    request.names_nodes = true;
    Fabric const named = obtain(request, {});
    EXPECT_EQ(traits_of(named).routes, RoutesAre::formula);
    EXPECT_EQ(named.network.hosts().size(), bare.endpoints());
    EXPECT_EQ(named.network[named.network[Host{7}].node].name, NetworkFormula::host_name(7));
}

TEST(Obtain, AFolderOfRoutersChoosesByAHash) {
    TemporaryFolder const folder;
    router_fabric::write(folder, router_fabric::routers(), router_fabric::Told::kernel_and_addresses);
    FabricTraits const tables = traits_of(obtain(wanted("frr:" + folder.path(), Wanted::tables), {}));
    EXPECT_TRUE(tables.is_ip && tables.by_hash);
    EXPECT_EQ(tables.routes, RoutesAre::tables);
    EXPECT_EQ(traits_of(obtain(wanted("frr:" + folder.path(), Wanted::routes), {})).routes, RoutesAre::pairs);
}

/// A store that keeps the network gets no change of it; one that lets go hands it over.
TEST(Obtain, AStoreOfNetworksIsAskedFirst) {
    FabricRequest const request = wanted("torus:4x4", Wanted::tables, "minhop");
    std::shared_ptr<NetworkInput> kept;
    int asked = 0;
    ReadNetwork const store = [&](FabricRequest const& of, TakeSentence const& warn) {
        ++asked;
        if (!kept) kept = read_network(of, warn);
        return kept;
    };
    Fabric const first = obtain(request, {}, store);
    EXPECT_EQ(kept->network().nodes().size(), first.network.nodes().size());
    Fabric const second = obtain(request, {}, store);
    EXPECT_EQ(asked, 2);
    EXPECT_EQ(second.network.links().size(), first.network.links().size());
    Fabric const last = obtain(request, {}, [&](auto const&, auto const&) { return std::move(kept); });
    EXPECT_EQ(last.network.links().size(), first.network.links().size());
}

JobsResult jobs_on(std::string const& network, RoutesForm form) {
    JobsRequest request;
    request.network = NetworkChoice(network);
    request.network.form = form;
    request.jobs = {read_job("a:pattern=rand,nodes=any:6"), read_job("b:pattern=all-to-all,ranks=5"),
                    read_job("c:pattern=ring,ranks=4,mapping=random")};
    request.mappings = 50;
    request.mappings_given = true;
    PreparedJobs const jobs(request);
    EXPECT_EQ(traits_of(*jobs.plan().fabric).routes,
              form == RoutesForm::arithmetic ? RoutesAre::formula : RoutesAre::tables);
    return evaluate_jobs(jobs.plan(), jobs.jobs(), {.threads = 1});
}

TEST(Obtain, JobsOnAFormulaAreThoseOnTables) {
    for (char const* const network :
         {"torus:4x4", "mport-ntree:m=4,n=3", "hyperx:3x3,hosts=2", "dragonfly:p=2,a=4,h=2"}) {
        SCOPED_TRACE(network);
        JobsResult const stored = jobs_on(network, RoutesForm::tables), made = jobs_on(network, RoutesForm::arithmetic);
        ASSERT_EQ(stored.jobs.size(), made.jobs.size());
        for (std::size_t j = 0; j < made.jobs.size(); ++j) {
            EXPECT_EQ(stored.jobs[j].alone.mean(), made.jobs[j].alone.mean());
            EXPECT_EQ(stored.jobs[j].together.mean(), made.jobs[j].together.mean());
            EXPECT_GT(made.jobs[j].alone.mean(), 0);
            EXPECT_EQ(stored.jobs[j].delivered, made.jobs[j].delivered);
        }
    }
}

}  // namespace
}  // namespace tailback::obtain_test
