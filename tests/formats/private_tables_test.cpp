// Private forwarding tables of a folder of ibdiagnet2: which of them counts is what ports take by the .plft file, and
// where it and the .far file do not fit is told at its place.
#include "host/formats/ibdiagnet2/private_tables.hpp"
#include "host/formats/fabric/folder.hpp"
#include "host/model/routes/candidate_sets.hpp"
#include "tests/support/programs/reading.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/routing.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <sstream>

namespace tailback::private_tables_test {
namespace {

/// A tree with two private tables at every switch: number 0 sends everything out of port 1, number 1 as `ar:minimal`.
struct Folder {
    Folder() {
        Topology topology = make_topology("xgft:2;3,3;1,2");
        std::ostringstream db;
        write_db_csv(db, topology.network);
        folder.write("ibdiagnet2.db_csv", db.str());
        Disagreements strict(true);
        LineReader lines = lines_of_text(db.str(), "db");
        network = read_db_csv(lines, strict);
        topology.network = network;
        Routes routes = make_routes(topology, {"ar:minimal", 1});
        Fabric fabric{network, std::move(routes.tables), true, std::move(routes.routing), nullptr, {}};
        fabric.candidates = std::move(routes.candidates);
        std::ostringstream out;
        write_far(out, fabric);
        far = out.str();
        std::string first =
            "PLFT_NUM: 0, top: 0x0001\nLID     Static Port  Lid State  Group\n0x0001  1            Static\n";
        for (std::size_t at = 0; (at = far.find("PLFT_NUM: 0", at)) != far.npos; at += first.size() + 11) {
            far[at + 10] = '1';
            far.insert(at, first);
        }
        folder.write("ibdiagnet2.far", far);
        expected = std::move(fabric);
    }
    /// All ports of all switches take `table` for service level 0, table 0 for level 1; `change` may edit a line.
    std::string map(std::uint32_t table,
                    std::function<std::string(std::size_t, Port, std::string)> const& change = {}) const {
        std::string text = "File version: 1\n";
        for (std::size_t n = 0; n < network.nodes().size(); ++n) {
            if (network[Node{n}].kind != NodeKind::switch_node) continue;
            text += fmt::format("\ndump_plft: Switch {:#018x}\n", network[Node{n}].guid);
            for (Port port = 0; port <= network[Node{n}].ports; ++port) {
                std::string const line = fmt::format("rq:{} sl-plft:0:{}, 1:0\n", port, table);
                text += change ? change(n, port, line) : line;
            }
        }
        return text;
    }
    Fabric read(std::string const& plft, Disagreements& disagreements) const {
        folder.write("ibdiagnet2.plft", plft);
        return read_folder(folder.path(), disagreements);
    }
    std::size_t a_switch() const {
        for (std::size_t n = 0;; ++n)
            if (network[Node{n}].kind == NodeKind::switch_node) return n;
    }
    TemporaryFolder folder;
    Network network;
    Fabric expected;
    std::string far;
};

TEST(PrivateTables, TheTableOfServiceLevelZeroCounts) {
    Folder const folder;
    Disagreements disagreements;
    Fabric const fabric = folder.read(folder.map(1), disagreements);
    EXPECT_FALSE(disagreements.any()) << (disagreements.any() ? disagreements.warnings().front() : "");
    ASSERT_TRUE(fabric.candidates != nullptr);
    for (std::size_t n = 0; n < fabric.network.nodes().size(); ++n)
        for (Lid lid = 1; lid <= fabric.network.max_lid(); ++lid)
            EXPECT_EQ(fabric.tables.port(Node{n}, lid), folder.expected.tables.port(Node{n}, lid));
    Disagreements other;
    Fabric const by_zero = folder.read(folder.map(0), other);
    EXPECT_EQ(by_zero.tables.port(Node{folder.a_switch()}, 1), 1u);
}

TEST(PrivateTables, WhatDoesNotFitIsToldAtItsPlace) {
    Folder const folder;
    std::size_t const s = folder.a_switch();
    Disagreements missing(false, 10);
    folder.read(folder.map(1,
                           [&](std::size_t n, Port port, std::string line) {
                               return n == s && port == 2 ? std::string("rq:2 sl-plft:0:1, 1:0, 3:7\n") : line;
                           }),
                missing);
    ASSERT_EQ(missing.noted().size(), 1u);
    EXPECT_EQ(
        missing.noted()[0].text,
        "packets of service level 3 that come here go by private table 7 (ibdiagnet2.plft), which the switch does "
        "not have (ibdiagnet2.far)");
    EXPECT_EQ(missing.noted()[0].where.node, Node{s});
    EXPECT_EQ(missing.noted()[0].where.port, 2u);

    Disagreements unused(false, 10);
    folder.read(
        folder.map(1, [&](std::size_t n, Port port,
                          std::string) { return fmt::format("rq:{} sl-plft:0:1, 1:{}\n", port, n == s ? 1 : 0); }),
        unused);
    ASSERT_EQ(unused.noted().size(), 1u);
    EXPECT_EQ(unused.noted()[0].text.substr(0, 32), "no port takes private table 0 (i");

    Disagreements without(false, 10);
    std::string const whole = folder.map(1);
    folder.read(whole.substr(0, whole.rfind("\ndump_plft")), without);
    EXPECT_EQ(without.times(Disagreement::unlike_file), 1u);

    Disagreements odd(false, 10);
    folder.read(folder.map(1,
                           [&](std::size_t n, Port port, std::string line) {
                               return n == s && port == 1 ? std::string("rq:1 sl-plft:0:1, 77:0\n") : line;
                           }),
                odd);
    EXPECT_EQ(odd.times(Disagreement::unparsed_line), 1u);
}

TEST(PrivateTables, NothingIsRefused) {
    Folder const folder;
    for (std::string const text :
         {"dump_plft: Switch 0xzz\nrq:", "PLFT\nSwitch 0x1\n1 : 0:0", "sl-plft:\n\n", "dump_plft: Switch 0x\n7"}) {
        Disagreements disagreements;
        EXPECT_NO_THROW(folder.read(text, disagreements));
    }
}

}  // namespace
}  // namespace tailback::private_tables_test
