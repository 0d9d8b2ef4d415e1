// `tailback place` on matrices of real applications and on published quadratic assignment problems (developers' data).
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/shared_data.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace tailback::place_data_test {
namespace {

double value_found(Words const& words) {
    Finished const done = run_tailback(joined(words, {"--random-orders", "0", "--format", "json", "--quiet"}));
    EXPECT_EQ(done.code, 0) << done.err;
    return nlohmann::json::parse(done.out)["orders"].back()["value"];
}

/// The least known shares of the bytes that leave a leaf, of 64 ranks on eight leaves of eight hosts.
TEST(PlaceData, BytesOfApplicationsThatLeaveALeaf) {
    if (!shared_data_is_there()) GTEST_SKIP() << "no ../shared/data";
    for (auto const& [name, share] : {std::pair{"lulesh", .3396}, {"clover_leaf", .2857}, {"cg.C", .2258}}) {
        Words const words = {
            "place",     "xgft:m=8x8,w=1x8",
            "--ranks",   "64",
            "--traffic", (shared_data() / "traffic/mpip" / (std::string(name) + ".64.mpiP.xz")).string()};
        double const all = value_found(joined(words, {"--goal", "node-bytes", "--moves", "1"}));
        double const leave = value_found(joined(words, {"--goal", "leaf-bytes", "--moves", "10M"}));
        EXPECT_NEAR(leave / all, share, 5e-5) << name;
    }
}

/// QAPLIB: flows on meshes. nug are optima, sko the best that are known.
TEST(PlaceData, HopBytesOfPublishedProblems) {
    if (!shared_data_is_there()) GTEST_SKIP() << "no ../shared/data";
    struct Case {
        char const *name, *mesh;
        double known, above;
    };
    for (Case const& one : {Case{"nug12", "mesh:4x3", 578, 0}, Case{"nug15", "mesh:5x3", 1150, 0},
                            Case{"nug20", "mesh:5x4", 2570, 0}, Case{"nug30", "mesh:6x5", 6124, 0},
                            Case{"sko42", "mesh:7x6", 15812, .002}, Case{"sko64", "mesh:8x8", 48498, .002}}) {
        double const found =
            value_found({"place", one.mesh, "--goal", "hop-bytes", "--moves", "30M", "--mapping", "shuffle",
                         "--traffic", (shared_data() / "placement" / (std::string(one.name) + ".matrix")).string()});
        EXPECT_GE(found, one.known) << one.name;
        EXPECT_LE(found, one.known * (1 + one.above)) << one.name;
    }
}

}  // namespace
}  // namespace tailback::place_data_test
