// One network is held against another: which node is which, and what differs, as evidence.
#include "host/model/fabric/network_differences.hpp"
#include "tests/support/programs/reading.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

namespace tailback::network_match_test {
namespace {

constexpr char const* one_leaf = R"(vendid=0x2c9
switchguid=0xa1(a1)
Switch	3 "S-00000000000000a1"		# "leaf" base port 0 lid 1 lmc 0
[1]	"H-00000000000000b0"[1](b1) 		# "h1 HCA-1" lid 3 4xEDR
[2]	"H-00000000000000c0"[1](c1) 		# "h2 HCA-1" lid 4 4xEDR

caguid=0xb0
Ca	1 "H-00000000000000b0"		# "h1 HCA-1"
[1](b1) 	"S-00000000000000a1"[1]		# lid 3 lmc 0 "leaf" lid 1 4xEDR

caguid=0xc0
Ca	1 "H-00000000000000c0"		# "h2 HCA-1"
[1](c1) 	"S-00000000000000a1"[2]		# lid 4 lmc 0 "leaf" lid 1 4xEDR
)";

std::string with(std::string text, std::string const& from, std::string const& to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size())
        text.replace(at, from.size(), to);
    return text;
}
Network read(std::string const& text) {
    Disagreements ignored;
    return read_topology(text, ignored);
}
NetworkDifferences found(Network const& before, Network const& after) {
    return differences(before, after, NetworkMatch(before, after));
}
bool is_empty(NetworkDifferences const& one) {
    return one.nodes_gone.empty() && one.nodes_new.empty() && one.renamed.empty() && one.ports.empty() &&
           one.cables_gone.empty() && one.cables_new.empty() && one.rates.empty();
}

TEST(NetworkMatch, NodesAreTheSameByGuidOrByThatOfAPort) {
    Network const before = read(one_leaf),
                  by_port = read(with(with(one_leaf, "00b0", "00b1"), "caguid=0xb0", "caguid=0xb1"));
    EXPECT_TRUE(is_empty(found(before, before)));
    EXPECT_TRUE(is_empty(found(before, by_port)));
    EXPECT_TRUE(is_empty(found(by_port, before)));
    Network const another =
        read(with(with(with(one_leaf, "00b0", "00d0"), "caguid=0xb0", "caguid=0xd0"), "(b1)", "(d1)"));
    NetworkDifferences const exchanged = found(before, another);
    EXPECT_EQ(exchanged.nodes_gone.size(), 1u);
    EXPECT_EQ(exchanged.nodes_new.size(), 1u);
    EXPECT_EQ(exchanged.cables_gone.size(), 1u);
    EXPECT_EQ(exchanged.cables_new.size(), 1u);
}

TEST(NetworkMatch, EveryDifferenceIsEvidence) {
    Network const before = read(one_leaf);
    NetworkDifferences const named = found(before, read(with(one_leaf, "h2 HCA-1", "h9 HCA-1")));
    ASSERT_EQ(named.renamed.size(), 1u);
    EXPECT_EQ(before[named.renamed[0].first].name, "h2 HCA-1");
    NetworkDifferences const moved = found(before, read(with(with(one_leaf, "lid 4", "lid 9"), "(c1)", "(c7)")));
    ASSERT_EQ(moved.ports.size(), 1u);
    EXPECT_EQ(moved.ports[0].before, 4u);
    EXPECT_EQ(moved.ports[0].after, 9u);
    EXPECT_EQ(moved.ports[0].guid_before, 0xc1u);
    EXPECT_EQ(moved.ports[0].guid_after, 0xc7u);
    EXPECT_TRUE(moved.ports[0].has_other_lids());
    NetworkDifferences const other_guid = found(before, read(with(one_leaf, "(c1)", "(c7)")));
    ASSERT_EQ(other_guid.ports.size(), 1u);
    EXPECT_FALSE(other_guid.ports[0].has_other_lids());
    EXPECT_EQ(found(before, read(with(one_leaf, "4xEDR", "1xEDR"))).rates.size(), 4u);
    NetworkDifferences const replugged =
        found(before, read(with(with(one_leaf, "[2]\t\"H-", "[3]\t\"H-"), "a1\"[2]", "a1\"[3]")));
    EXPECT_EQ(replugged.cables_gone.size(), 1u);
    EXPECT_EQ(replugged.cables_new.size(), 1u);
    EXPECT_TRUE(replugged.nodes_gone.empty());
}

}  // namespace
}  // namespace tailback::network_match_test
