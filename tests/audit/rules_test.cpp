// Which findings follow from which: rules by their relation, and their order.
#include "host/audit/causes/rules.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/topology.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tailback::rules_test {
namespace {

/// Leaves 0 and 1, of which one has a host, and spines 2 and 3.
struct Small {
    Small() {
        NetworkBuilder builder;
        for (char const* const name : {"leaf0", "leaf1", "spine2", "spine3"})
            builder.add_node({.kind = NodeKind::switch_node, .name = name, .guid = 0x10 + guid++, .ports = 4});
        for (Port leaf = 0; leaf < 2; ++leaf)
            for (Port spine = 0; spine < 2; ++spine) {
                Node const a{leaf}, b{2u + spine};
                Port const up = Port(spine + 1), down = Port(leaf + 1);
                builder.add_link({.from = a, .from_port = up, .to = b, .to_port = down});
                builder.add_link({.from = b, .from_port = down, .to = a, .to_port = up});
            }
        Node const host = builder.add_node({.kind = NodeKind::adapter, .name = "host", .guid = 0x20, .ports = 1});
        builder.add_host({.node = host, .port = 1, .lid = 1});
        builder.add_link({.from = host, .from_port = 1, .to = Node{0}, .to_port = 4});
        builder.add_link({.from = Node{0}, .from_port = 4, .to = host, .to_port = 1});
        Disagreements ignored;
        fabric.network = builder.finish(ignored, "net");
        fabric.tables = ForwardingTables(fabric.network, 4);
        fabric.routed = true;
    }
    std::uint64_t guid = 0;
    Fabric fabric;
};

Finding at(Code code, Node node, Port port = 0) { return Finding(code, "", 1, std::to_string(node.value), node, port); }

/// Of each finding, how many symptoms it has.
std::vector<std::size_t> folded(Rule const& rule, Fabric const& fabric, std::vector<Finding> findings) {
    fold(rule, fabric, findings);
    std::vector<std::size_t> symptoms;
    for (Finding const& one : findings) symptoms.push_back(one.symptoms.size());
    return symptoms;
}

using Counts = std::vector<std::size_t>;

TEST(Rules, RelationsSayWhereASymptomIs) {
    Small const small;
    auto const rule = [](Relation relation) {
        return Rule{{{Code::file_damaged}}, {{}, {FindingKind::unreachable}}, relation};
    };
    Node const leaf{0}, other{1}, spine{2};
    Finding const cause = at(Code::file_damaged, leaf, 1), here = at(Code::no_entry, leaf, 1),
                  elsewhere_here = at(Code::no_entry, leaf, 2), far_end = at(Code::no_entry, spine, 1),
                  elsewhere = at(Code::no_entry, other, 2);
    std::vector<Finding> const all = {cause, here, elsewhere_here, far_end, elsewhere};
    EXPECT_EQ(folded(rule(Relation::same_port), small.fabric, all), (Counts{1, 0, 0, 0}));
    EXPECT_EQ(folded(rule(Relation::same_node), small.fabric, all), (Counts{2, 0, 0}));
    EXPECT_EQ(folded(rule(Relation::same_cable), small.fabric, all), (Counts{2, 0, 0}));
    EXPECT_EQ(folded(rule(Relation::node_and_cables), small.fabric, all), (Counts{3, 0}));
    EXPECT_EQ(folded(rule(Relation::whole_fabric), small.fabric, all), (Counts{4}));
    EXPECT_EQ(folded({{{Code::odd_lid}}, {{}, {FindingKind::unreachable}}, Relation::whole_fabric}, small.fabric, all),
              (Counts{0, 0, 0, 0, 0}));
}

/// Pairs of symptoms count with their cause, and the first cause at a place takes them.
TEST(Rules, TheFirstCauseTakesPairs) {
    Small const small;
    std::vector<Finding> findings = {at(Code::file_damaged, Node{0}), at(Code::file_damaged, Node{0}),
                                     at(Code::no_entry, Node{0}), at(Code::sends_to_no_cable, Node{0})};
    fold({{{Code::file_damaged}}, {{Code::no_entry}}, Relation::same_node}, small.fabric, findings);
    ASSERT_EQ(findings.size(), 3u);
    EXPECT_EQ(findings[0].pairs, 2u);
    EXPECT_EQ(findings[1].pairs, 1u);
    ASSERT_EQ(findings[0].symptoms.size(), 1u);
    EXPECT_EQ(findings[0].symptoms[0].code, Code::no_entry);
    EXPECT_EQ(findings[2].code, Code::sends_to_no_cable);
}

/// What the table itself says: a table that is cut off explains what its switch has no entry for, and nothing else.
TEST(Rules, ATableThatIsNotWholeExplainsWhatItLacks) {
    Small small;
    small.fabric.tables.add_table(Node{0});
    small.fabric.tables.set(Node{0}, 2, 1);
    Finding lacking = at(Code::no_entry, Node{0}), sent = at(Code::wrong_host, Node{0}, 1);
    lacking.lids.add(3);
    sent.lids.add(2);
    std::vector<Finding> findings = {at(Code::table_cut_off, Node{0}), lacking, sent};
    std::vector<Host> const nobody;
    fold_all({small.fabric, nobody}, findings);
    ASSERT_EQ(findings.size(), 2u);
    ASSERT_EQ(findings[0].symptoms.size(), 1u);
    EXPECT_EQ(findings[0].symptoms[0].code, Code::no_entry);
    EXPECT_EQ(findings[1].code, Code::wrong_host);
}

/// Every step says what it does, and is a rule or a function.
TEST(Rules, StepsAreRulesOrFunctions) {
    std::size_t rules = 0;
    for (FoldStep const& step : fold_steps()) {
        EXPECT_NE(std::string(step.name), "");
        bool const is_rule = !step.rule.causes.codes.empty() || !step.rule.causes.kinds.empty();
        EXPECT_NE(is_rule, step.function != nullptr) << step.name;
        rules += is_rule;
    }
    EXPECT_EQ(rules, 5u);
}

}  // namespace
}  // namespace tailback::rules_test
