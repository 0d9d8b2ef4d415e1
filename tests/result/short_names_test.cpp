// Names without what all switches' names begin and end with: what is left out, where nothing is, and documents.
#include "host/result/document.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace tailback::short_names_test {
namespace {

Network network_of(std::vector<std::string> const& switches, std::string const& host = "node1 HCA-1") {
    NetworkBuilder builder(true);
    for (std::string const& name : switches)
        builder.add_node({.kind = NodeKind::switch_node, .name = name, .ports = 4});
    Node const node = builder.add_node({.kind = NodeKind::adapter, .name = host, .ports = 1});
    builder.add_host({node, 1, 0, 1});
    builder.add_link({.from = node, .from_port = 1, .to = Node{0u}, .to_port = 1});
    builder.add_link({.from = Node{0u}, .from_port = 1, .to = node, .to_port = 1});
    Disagreements disagreements;
    return builder.finish(disagreements, "");
}
ShortNames short_of(Network const& network) {
    Network const* const networks[] = {&network};
    return ShortNames(networks);
}

TEST(ShortNames, LeaveOutWhatAllHaveUpToASign) {
    Network const net = network_of({"MF0;leaf-1:MQM8700/U1", "MF0;leaf-12:MQM8700/U1", "MF0;spine-1:MQM8700/U1"});
    ShortNames const names = short_of(net);
    ASSERT_TRUE(names.any());
    EXPECT_EQ(names.in("switch \"MF0;leaf-1:MQM8700/U1\" (0x1) port 3 -> MF0;spine-1:MQM8700/U1 [2]"),
              "switch \"leaf-1\" (0x1) port 3 -> spine-1 [2]");
    EXPECT_EQ(names.in("MF0;leaf-12:MQM8700/U1"), "leaf-12");
    EXPECT_EQ(names.in("MF0;other:MQM8700/U1 xMF0;leaf-1:MQM8700/U1 MF0;leaf-1:MQM8700/U12 MF0;"),
              "MF0;other:MQM8700/U1 xMF0;leaf-1:MQM8700/U1 MF0;leaf-1:MQM8700/U12 MF0;");
    EXPECT_EQ(names.in(""), "");
    EXPECT_EQ(names.sentence(),
              "names of switches without \"MF0;\" in front and \":MQM8700/U1\" behind, which all of them have");
    EXPECT_EQ(short_of(network_of({"hall4-leaf1", "hall4-spine1"})).in("hall4-leaf1"), "leaf1");
    EXPECT_EQ(short_of(network_of({"leaf1.dc.example", "spine1.dc.example"})).in("spine1.dc.example"), "spine1");
}

TEST(ShortNames, StayWholeWhereLittleIsSavedOrSomethingIsAmbiguous) {
    for (std::vector<std::string> const& switches :
         std::vector<std::vector<std::string>>{{"S1_0", "S2_0"},
                                               {"leaf-1", "leaf-2"},            // numbers alone
                                               {"a-b", "a-c"},                  // two columns
                                               {"rack-x", "rack-x"},            // one name
                                               {"rack-one", "rack-one-two"},    // `rack-one` is all that is shared
                                               {"rack-a", "rack-node1 HCA-1"},  // a host's name
                                               {"rack-alone"}})
        EXPECT_FALSE(short_of(network_of(switches)).any() && switches.front() != "rack-one") << switches.front();
    Network const net = network_of({"rack-one", "rack-one-two"});
    EXPECT_EQ(short_of(net).in("rack-one-two, rack-one"), "one-two, one");
}

/// Everything but lines, which are copied, and the sentence that says so.
TEST(ShortNames, AreTheTextOfADocument) {
    Network const net = network_of({"hall4-leaf1", "hall4-spine1"});
    Network const* const networks[] = {&net};
    Document document;
    document.sentence("of hall4-leaf1").shorten_names(networks);
    document.line("tailback trace hall4-leaf1", 2).fact("hot", "hall4-spine1 [3]");
    document.table({.columns = {name_column("link"), name_column()},
                    .rows = {{LinkEnds{"hall4-leaf1", 1, "hall4-spine1", 2}, "hall4-leaf1"}}});
    document.bars({Bar{.label = LinkEnds{"hall4-leaf1", 1, "node1 HCA-1", 1}, .value = 1, .count = "1"}});
    std::ostringstream out;
    write_text(out, document, 40);
    EXPECT_EQ(out.str(),
              "of leaf1\nnames of switches without \"hall4-\" in\nfront, which all of them have\n"
              "  tailback trace hall4-leaf1\n  hot     spine1 [3]\n"
              "  link\n  leaf1 [1] -> spine1 [2]  leaf1\n"
              "  leaf1 [1] -> node1 HCA-1 [1] │██████ 1\n");
}

}  // namespace
}  // namespace tailback::short_names_test
