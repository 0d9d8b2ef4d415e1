// ForwardingTables: what was set is read back, absent entries are absent, and neither growing nor widening changes
// that.
#include "host/model/tables.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

namespace tailback::tables_test {
namespace {

Network two_switches() {
    NetworkBuilder builder;
    Node const a = builder.add_node({.name = "a", .guid = 1, .lid = 1});
    Node const b = builder.add_node({.name = "b", .guid = 2, .lid = 2});
    Node const h = builder.add_node({.kind = NodeKind::adapter, .name = "h", .guid = 3});
    builder.add_host({.node = h, .port = 1, .lid = 3});
    builder.add_link({.from = h, .from_port = 1, .to = a, .to_port = 1});
    builder.add_link({.from = a, .from_port = 1, .to = h, .to_port = 1});
    builder.add_link({.from = a, .from_port = 2, .to = b, .to_port = 1});
    builder.add_link({.from = b, .from_port = 1, .to = a, .to_port = 2});
    Disagreements disagreements(true);
    return builder.finish(disagreements, "test");
}

TEST(ForwardingTables, GrowsAndWidensWithoutLosingEntries) {
    Network const network = two_switches();
    Node const a{0}, b{1};
    ForwardingTables tables(network);
    tables.add_table(a);
    EXPECT_FALSE(tables.has_table(b));
    EXPECT_EQ(tables.port(b, 1), ForwardingTables::no_entry);
    tables.set(a, 3, 1);
    tables.add_table(b);
    tables.set(b, 3, 1);
    tables.set(b, 9, 7);  // beyond the owned LIDs: grows
    EXPECT_EQ(tables.port(a, 3), 1u);
    EXPECT_EQ(tables.port(a, 9), ForwardingTables::no_entry);
    EXPECT_EQ(tables.port(b, 9), 7u);
    tables.set(a, 2, 254);
    EXPECT_NE(tables.narrow_row(a), nullptr);
    tables.set(a, 1, 255);  // a real port 255 needs wide entries
    EXPECT_EQ(tables.narrow_row(a), nullptr);
    EXPECT_EQ(tables.port(a, 1), 255u);
    EXPECT_EQ(tables.port(a, 2), 254u);
    EXPECT_EQ(tables.port(a, 3), 1u);
    EXPECT_EQ(tables.port(b, 9), 7u);
    EXPECT_EQ(tables.port(b, 2), ForwardingTables::no_entry);
    tables.set(b, 9, ForwardingTables::no_entry);
    EXPECT_EQ(tables.port(b, 9), ForwardingTables::no_entry);
}

}  // namespace
}  // namespace tailback::tables_test
