// Definition: what is written of a mapping for a launcher, read back, is the same nodes for the same ranks; a name that
// the file cannot hold is refused before anything is evaluated, with what to do.
#include "host/study/plan/write_placement.hpp"
#include "host/study/placement/host_file.hpp"
#include "host/study/placement/node_mappings.hpp"
#include "tests/support/networks/nasty_networks.hpp"
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/reading.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace tailback::write_placement_test {
namespace {

using Numbers = std::vector<std::uint32_t>;

/// Six hosts at one switch, of which two have the names to be tried.
Fabric fabric_with(std::string const& one, std::string const& two) {
    Sketch sketch;
    Node const leaf = sketch.add_switch(8);
    for (std::string const& name :
         {std::string("node1"), one, std::string("node2"), two, std::string("node3"), std::string("node4")})
        sketch.node(sketch.host_at(leaf)).name = name;
    return sketch.route();
}

/// A mapping by nodes: in blocks, or mixed.
StudyPlan plan_of(Fabric const& fabric, std::shared_ptr<ComputeNodes const> const& nodes, Numbers const& ranks) {
    Study study;
    study.traffic.pattern = "rand";
    study.sample.mappings = 1;
    study.placement.mapping = MappingKind::listed;
    study.placement.ranks = static_cast<std::uint32_t>(ranks.size());
    for (std::uint32_t const node : ranks) study.placement.mapping_hosts.push_back(nodes->nodes[node].adapters.front());
    NodePlacement placed;
    placed.nodes = nodes;
    study.placement.nodes = placed;
    return make_plan(fabric, study);
}

/// Nodes by rank, as `--nodes FILE` and `--mapping file:FILE` read them.
Numbers read_back(std::string const& text, PlacementForm form, ComputeNodes const& nodes, Network const& network) {
    LineReader lines = lines_of_text(text, "written");
    Numbers ranks;
    if (form == PlacementForm::mapping) {
        for (Host const host : read_node_mappings(lines, nodes, network, {.nodes = {}, .ranks_per_node = 9}).hosts)
            ranks.push_back(nodes.node_of_host[host.value]);
        return ranks;
    }
    NodeFinder finder(nodes, network);
    NodeSelection const read = read_host_file(lines, nodes, finder);
    for (GivenSlot const given : read.given) ranks.push_back(read.nodes[given.node]);
    if (read.given.empty())
        for (std::size_t n = 0; n < read.nodes.size(); ++n)
            ranks.insert(ranks.end(), std::max(1u, read.slots[n]), read.nodes[n]);
    return ranks;
}

std::vector<std::string> const plain = {"a",    "node-1_x.y", "n1.cluster.example", "rank1", "slot", "slots", "9node",
                                        "0x1f", "7",          "node001-ib0"};
std::vector<std::string> const odd = {
    "#1", "a b",    "a=b",   "a,b",   "x[1-2]", "x]",        "a:3",         "+n0",     "rank 0", "a#b", "\"q\"", "a\tb",
    "*",  "leaf:x", "any:2", "n\x01", "a/b",    "n slots=3", "slot slot=1", "n\u00e9", "a\\",    "'q'", "1: n"};

TEST(WritePlacement, IsReadBackAsTheSameNodes) {
    int refused = 0;
    for (std::vector<std::string> const* const names : {&plain, &odd})
        for (std::size_t n = 0; n < names->size(); ++n) {
            std::string const& other = n % 2 == 0 ? (*names)[(n + 1) % names->size()] : std::string("other");
            Fabric const fabric = fabric_with((*names)[n], other);
            auto const nodes = std::make_shared<ComputeNodes const>(find_compute_nodes(fabric, {}, false));
            ASSERT_EQ(nodes->nodes.size(), 6u) << (*names)[n];
            for (Numbers const& ranks : {Numbers{4, 4, 0, 1, 1, 1, 5, 3, 2}, Numbers{0, 1, 2, 3, 4, 5, 1, 0, 3}})
                for (PlacementForm const form :
                     {PlacementForm::mapping, PlacementForm::hostfile, PlacementForm::rankfile, PlacementForm::slurm}) {
                    SCOPED_TRACE((*names)[n] + " beside " + other + " in form " + std::to_string(int(form)));
                    StudyPlan const plan = plan_of(fabric, nodes, ranks);
                    std::string const error = error_of([&] { check_placement_names(plan, form); });
                    bool const must_be_written = names == &plain || form == PlacementForm::mapping;
                    if (must_be_written) {
                        EXPECT_EQ(error, "no error");
                    } else {
                        EXPECT_NE(error.find("cannot be written into a "), std::string::npos) << error;
                        EXPECT_NE(error.find("mapping:FILE"), std::string::npos) << error;
                        ++refused;
                        continue;
                    }
                    std::ostringstream out;
                    write_placement(out, form, plan, 0);
                    EXPECT_EQ(read_back(out.str(), form, *nodes, fabric.network), ranks) << out.str();
                }
        }
    EXPECT_EQ(refused, int(odd.size()) * 2 * 3);
}

/// Of names that launchers can hold: one that several nodes have, and what a hostfile takes for a rankfile.
TEST(WritePlacement, WhatWouldBeReadAsAnotherIsRefused) {
    auto const error = [](std::string const& one, std::string const& two, PlacementForm form) {
        Fabric const fabric = fabric_with(one, two);
        auto const nodes = std::make_shared<ComputeNodes const>(find_compute_nodes(fabric, {}, false));
        StudyPlan const plan = plan_of(fabric, nodes, {0, 1, 2, 3, 4, 5});
        return error_of([&] { check_placement_names(plan, form); });
    };
    for (PlacementForm const form : {PlacementForm::hostfile, PlacementForm::rankfile, PlacementForm::slurm})
        EXPECT_NE(error("twin", "twin", form).find("there are several nodes \"twin\""), std::string::npos);
    EXPECT_NE(error("rank", "x", PlacementForm::hostfile).find("node \"rank\" cannot be written into a hostfile"),
              std::string::npos);
    EXPECT_EQ(error("rank", "x", PlacementForm::rankfile), "no error");
    EXPECT_EQ(error("twin", "twin", PlacementForm::mapping), "no error");
    EXPECT_NE(error("a b", "x", PlacementForm::rankfile)
                  .find("node \"a b\" cannot be written into a rankfile (there \" \" is not a part of a name)"),
              std::string::npos);
}

/// The program refuses before it evaluates, exit code 2, and leaves the file alone.
TEST(WritePlacement, IsRefusedFirst) {
    TemporaryFolder const folder;
    std::string const net = folder.write("net", two_leaves), best = folder.write("best", "before\n");
    Words const study = {"evaluate",  "--network", net,        "--routing",   "minhop",
                         "--pattern", "rand",      "--metric", "sum_max_cong"};
    Finished const done = run_tailback(joined(study, {"--write-best", "hostfile:" + best}));
    EXPECT_EQ(done.code, 2);
    EXPECT_NE(done.err.find("node \"node 1\" cannot be written into a hostfile"), std::string::npos) << done.err;
    EXPECT_EQ(read_whole(best), "before\n");
    EXPECT_EQ(run_tailback(joined(study, {"--write-best", "mapping:" + best})).code, 0);
}

}  // namespace
}  // namespace tailback::write_placement_test
