// What a search for better tables may begin with.
#include "host/api/improve/starts.hpp"

#include "host/api/obtain.hpp"
#include "tests/support/programs/paths.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace tailback::starts_test {
namespace {

/// Of a torus from a file, too; where it is none, the others are there.
TEST(ImproveStarts, HaveDimensionOrderInFiles) {
    for (auto const& [file, is_torus] : {std::pair("sharing/torus3d-444.ibnetdiscover.out.xz", true),
                                         {"opensm/ft2-16/minhop/ibnetdiscover.out.xz", false}}) {
        NetworkChoice choice(fixture(file));
        choice.routing.emplace("minhop", 1);
        Fabric const fabric = obtain({.network = choice, .wanted = Wanted::tables}, {});
        std::vector<Host> hosts;
        for (std::size_t h = 0; h < fabric.network.hosts().size(); ++h) hosts.emplace_back(h);
        SwitchGraph const graph(fabric.network, hosts, CapacityKind::unit);
        Trees input(graph, targets_of_plane(graph, 0));
        input.take(fabric.tables);
        std::vector<NamedTables> all;
        starts_of(choice, std::move(input), 1, all);
        std::vector<std::string> names;
        for (NamedTables const& one : all) names.push_back(one.name);
        EXPECT_EQ(std::count(names.begin(), names.end(), "dor:ties=parity"), is_torus ? 1 : 0) << file;
        EXPECT_EQ(std::count(names.begin(), names.end(), "sssp"), 1) << file;
    }
}

}  // namespace
}  // namespace tailback::starts_test
