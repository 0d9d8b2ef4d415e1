// Other routings tried on a network: the numbers of each are those of an audit of its own tables, the best comes first.
#include "host/audit/changes/tried_routings.hpp"

#include "host/api/audit.hpp"
#include "host/base/error.hpp"
#include "tests/support/programs/paths.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace tailback {
namespace {

AuditChoice trying(std::string const& network, std::string const& routing) {
    AuditChoice choice;
    choice.network = NetworkChoice(network);
    choice.network.routing.emplace(routing, 1);
    choice.no_service_levels = true;
    choice.try_routings = true;
    choice.threads = 1;
    return choice;
}

TEST(TriedRoutings, AreWhatAuditsOfTheirTablesSay) {
    for (char const* const spec : {"torus:4x4", "xgft:m=4x4,w=1x2", "dragonfly:a=4,p=2,h=1", "hypercube:3"}) {
        FabricAudit const audit(trying(spec, "random"));
        ASSERT_GE(audit.found().tried.size(), 5u) << spec;
        for (TriedRouting const& one : audit.found().tried) {
            if (!one.refused.empty()) continue;
            AuditChoice choice = trying(spec, one.name == "as they are" ? "random" : one.name);
            choice.try_routings = false;
            FabricAudit const alone(choice);
            Audit const& found = alone.found();
            EXPECT_EQ(one.not_delivered, found.fates().total - found.fates().delivered) << spec << " " << one.name;
            EXPECT_EQ(one.largest, found.balance.largest_between_switches) << spec << " " << one.name;
            EXPECT_EQ(one.free, found.deadlock->free) << spec << " " << one.name;
            ASSERT_TRUE(one.bandwidth && found.bisection) << spec << " " << one.name;
            EXPECT_EQ(*one.bandwidth, found.bisection->mean) << spec << " " << one.name;
        }
    }
}

TEST(TriedRoutings, ComeBestFirst) {
    FabricAudit const audit(trying("xgft:m=6x6,w=1x6", "random"));
    std::vector<TriedRouting> const& tried = audit.found().tried;
    auto const dmodk =
        std::find_if(tried.begin(), tried.end(), [](TriedRouting const& one) { return one.name == "dmodk"; });
    ASSERT_NE(dmodk, tried.end());
    EXPECT_EQ(*tried.front().bandwidth, *dmodk->bandwidth);  // of an intact tree nothing better is known
    EXPECT_TRUE(std::any_of(tried.begin(), tried.end(), [](TriedRouting const& t) { return t.name == "as they are"; }));
    for (std::size_t i = 1; i < tried.size(); ++i)
        if (tried[i].refused.empty()) {
            EXPECT_LE(tried[i - 1].not_delivered, tried[i].not_delivered);
            EXPECT_GE(*tried[i - 1].bandwidth, *tried[i].bandwidth);
        }
}

/// An entry that is gone at a switch and at the host's own switch.
TEST(TriedRoutings, CountWhatTablesLose) {
    AuditChoice choice = trying("xgft:m=4x4,w=1x4", "minhop");
    Fabric broken = obtain({.network = choice.network, .wanted = Wanted::tables}, {});
    Network const& net = broken.network;
    broken.tables.set(net[net.up_link(Host{0})].to, net[Host{0}].lid, ForwardingTables::no_entry);
    broken.tables.set(net[net.up_link(Host{4})].to, net[Host{15}].lid, ForwardingTables::no_entry);
    FabricAudit const audit(choice, std::make_shared<Fabric const>(broken), Disagreements(false), {});
    for (TriedRouting const& one : audit.found().tried) {
        if (!one.refused.empty()) continue;
        EXPECT_EQ(one.not_delivered, one.name == "as they are" ? 15u + 4u : 0u) << one.name;
    }
    EXPECT_EQ(audit.found().fates().total - audit.found().fates().delivered, 19u);
}

/// A torus from a file is one to dimension order; a tree is none, and the reason stands there.
TEST(TriedRoutings, FindDimensionOrderInFiles) {
    auto const tried = [](std::string const& file, std::string const& routing) {
        FabricAudit const audit(trying(fixture(file), routing));
        for (TriedRouting const& one : audit.found().tried)
            if (one.name == "dor:ties=parity") return one;
        ADD_FAILURE() << file;
        return TriedRouting{};
    };
    TriedRouting const torus = tried("sharing/torus3d-444.ibnetdiscover.out.xz", "dor:order=zyx");
    EXPECT_EQ(torus.refused, "");
    EXPECT_EQ(torus.not_delivered, 0u);
    EXPECT_EQ(torus.largest, 128u);
    EXPECT_TRUE(torus.free);
    EXPECT_NE(tried("opensm/ft2-16/minhop/ibnetdiscover.out.xz", "minhop").refused.find("dor finds no whole torus"),
              std::string::npos);
    EXPECT_THROW(FabricAudit(trying(fixture("opensm/ft2-16/minhop/ibnetdiscover.out.xz"), "dor")), InputError);
}

TEST(TriedRoutings, AreNotThoseOfHostsThatForward) {
    EXPECT_THROW(FabricAudit(trying("bcube:n=2,k=1", "bfs")), InputError);
}

}  // namespace
}  // namespace tailback
