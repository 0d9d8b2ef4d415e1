// A sweep's file is the product of its lists, in one fixed order of options; an entry that is a map sets several
// options in place of what stands outside. Whatever else the file holds is refused with the line it stands in.
#include "host/sweep/sweep_file.hpp"
#include "host/base/error.hpp"
#include "host/io/yaml_tree.hpp"
#include "tests/support/programs/paths.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

namespace tailback::sweep_file_test {
namespace {

class SweepFile : public ::testing::Test {
protected:
    void SetUp() override {
        if (!yaml_is_built_in()) GTEST_SKIP() << "built without yaml-cpp";
    }
};

/// Points as lines of words.
std::string points_of(std::string const& text) {
    std::string all;
    for (SweepPoint const& point : read_sweep(text, "s.yaml")) {
        std::string line;
        for (std::string const& word : words_of(point)) line += (line.empty() ? "" : " ") + word.substr(2);
        all += line + "\n";
    }
    return all;
}

void expect_refused(std::string const& text, std::string const& message) {
    SCOPED_TRACE(text.substr(0, 80));
    try {
        read_sweep(text, "s.yaml");
        FAIL() << "not refused";
    } catch (InputError const& error) {
        EXPECT_TRUE(std::string(error.what()).starts_with(message)) << error.what();
    }
}

TEST_F(SweepFile, IsTheProductOfItsLists) {
    EXPECT_EQ(points_of("network: torus:4x4\n"), "network=torus:4x4\n");
    EXPECT_EQ(points_of("seed: [1, 2]\npattern: [rand, bisect]\nnetwork: ['torus:4x4,hosts=2', mesh:3x3]\n"),
              "network=torus:4x4,hosts=2 pattern=rand seed=1\nnetwork=torus:4x4,hosts=2 pattern=rand seed=2\n"
              "network=torus:4x4,hosts=2 pattern=bisect seed=1\nnetwork=torus:4x4,hosts=2 pattern=bisect seed=2\n"
              "network=mesh:3x3 pattern=rand seed=1\nnetwork=mesh:3x3 pattern=rand seed=2\n"
              "network=mesh:3x3 pattern=bisect seed=1\nnetwork=mesh:3x3 pattern=bisect seed=2\n");
}

TEST_F(SweepFile, MetricsAreASet) {
    EXPECT_EQ(points_of("network: ring:5\nmetric: [hist_acc_band, sum_max_cong]\n"),
              "network=ring:5 metric=hist_acc_band,sum_max_cong\n");
}

TEST_F(SweepFile, AMapStandsInPlaceOfWhatIsOutside) {
    EXPECT_EQ(
        points_of("network:\n  - {network: [a, b], routing: [x, y], ranks: 4}\n  - c\nrouting: [u, v]\nranks: 9\n"),
        "network=a routing=x ranks=4\nnetwork=a routing=y ranks=4\nnetwork=b routing=x ranks=4\nnetwork=b routing=y "
        "ranks=4\n"
        "network=c routing=u ranks=9\nnetwork=c routing=v ranks=9\n");
    EXPECT_EQ(
        points_of(
            "network: n\npattern: [{pattern: ptrnvsptrn, first: ring, first-ranks: [2, 3], second: bisect}, rand]\n"),
        "network=n pattern=ptrnvsptrn first=ring first-ranks=2 second=bisect\n"
        "network=n pattern=ptrnvsptrn first=ring first-ranks=3 second=bisect\nnetwork=n pattern=rand\n");
}

TEST_F(SweepFile, TablesStandInPlaceOfARouting) {
    EXPECT_EQ(points_of("network: [{network: f, tables: t}, g]\nrouting: [updn]\n"),
              "network=f tables=t\nnetwork=g routing=updn\n");
}

TEST_F(SweepFile, NothingLeavesAnOptionOut) {
    EXPECT_EQ(points_of("network: [{network: f, routing: ~}, g]\nrouting: updn\nfail-cables: [~, 1%]\n"),
              "network=f\nnetwork=f fail-cables=1%\nnetwork=g routing=updn\nnetwork=g routing=updn fail-cables=1%\n");
}

TEST_F(SweepFile, StrictIsAFlag) {
    EXPECT_EQ(points_of("network: n\nstrict: [true, false]\n"), "network=n strict\nnetwork=n\n");
}

TEST_F(SweepFile, IsRefusedWithItsLine) {
    expect_refused("", "s.yaml: the file holds nothing");
    expect_refused("# only a comment\n", "s.yaml");
    expect_refused("---\n", "s.yaml:2: the file holds nothing");
    expect_refused("torus:4x4\n", "s.yaml:1: the file is not a map of options");
    expect_refused("- torus:4x4\n", "s.yaml:1: the file is not a map of options");
    expect_refused("pattern: rand\n", "s.yaml: \"network\" is missing");
    expect_refused("network: n\npatern: rand\n",
                   "s.yaml:2: unknown key \"patern\" (the nearest is \"pattern\"); keys are network, tables,");
    expect_refused("networks: n\n", "s.yaml:1: unknown key \"networks\" (the nearest is \"network\")");
    expect_refused("network: n\nzzzzzzzzzzzz: 1\n", "s.yaml:2: unknown key \"zzzzzzzzzzzz\"; keys are");
    expect_refused("network: n\nseed: 1\nseed: 2\n", "s.yaml:3: \"seed\" is given twice (first in line 2)");
    expect_refused("network:\n", "s.yaml:1: \"network\" has no value");
    expect_refused("network: n\nseed: []\n", "s.yaml:2: the list of \"seed\" is empty");
    expect_refused("network: n\nseed: [1, '']\n", "s.yaml:2: \"seed\" has an empty value");
    expect_refused("network: n\nseed:\n  - [1, 2]\n", "s.yaml:3: a list in the list of \"seed\"");
    expect_refused("network: n\nseed: [{seed: {seed: 1}}]\n", "s.yaml:2: a map as an entry of \"seed\"");
    expect_refused("network: n\nmetric: [{metric: all}]\n", "s.yaml:2: a map as an entry of \"metric\"");
    expect_refused("network: n\npattern:\n  - {pattern: rand, routing: updn}\n",
                   "s.yaml:3: \"routing\" cannot stand in an entry of \"pattern\"");
    expect_refused("network:\n  - {routing: updn}\n", "s.yaml:2: an entry of \"network\" does not say which");
    expect_refused("network: n\nstrict: perhaps\n", "s.yaml:2: \"strict\" is neither true nor false");
    expect_refused("network: &n torus:4x4\n", "s.yaml:1: anchors and aliases are not understood here");
    expect_refused("network: &n torus:4x4\ntables: *n\n", "s.yaml:1: anchors and aliases");
    expect_refused("network: n\ntables: *n\n", "s.yaml:2: this is not YAML");
    expect_refused("network: torus:4x4\nrouting: \"dor\\0x\"\n",
                   "s.yaml:2: a NUL character (no option's value has one); leave it out");
    expect_refused("\"network\\0\": torus:4x4\n", "s.yaml:1: a NUL character");
    expect_refused("network: !!str n\n", "s.yaml:1: tags are not understood here");
    expect_refused("network: n\n? [a, b]\n: c\n", "s.yaml:2: a key is a list or a map");
    expect_refused("network: n\n---\nnetwork: m\n", "s.yaml:2: a second YAML document begins");
    expect_refused("network: [n\n", "s.yaml:2: this is not YAML");
    expect_refused("network: n\n\tseed: 1\n", "s.yaml:");
    expect_refused("network: [[[[[[[[n]]]]]]]]\n", "s.yaml:1: lists and maps are nested too deeply");
    expect_refused("network: " + std::string(500000, '[') + "\n", "s.yaml:1: ");
    expect_refused("network: n\n" + std::string(100000, '-') + "\n", "s.yaml:");
    std::string many = "network: n\n";
    for (char const* const key : {"seed", "ranks", "mappings"}) {
        many += std::string(key) + ": [0";
        for (int i = 1; i < 100; ++i) many += "," + std::to_string(i);
        many += "]\n";
    }
    expect_refused(many, "s.yaml: the sweep has more than 100,000 points");
}

TEST_F(SweepFile, TheExamplesAreUnderstood) {
    std::size_t met = 0;
    for (auto const& entry : std::filesystem::recursive_directory_iterator(fixture("../../examples")))
        if (entry.path().extension() == ".yaml" && entry.path().parent_path().filename() != "schedule") {
            EXPECT_FALSE(read_sweep(read_whole(entry.path().string()), entry.path().string()).empty());
            ++met;
        }
    EXPECT_GE(met, 3u);
}

TEST_F(SweepFile, BytesOfAllKindsAreAnswered) {
    for (std::string const& text : {std::string("\0\0\0", 3),
                                    std::string("\xFF\xFE"
                                                "n\0e\0",
                                                6),
                                    std::string("network: \"\\q\"\n"), std::string("%YAML 9.9\n---\nnetwork: n\n"),
                                    std::string("network: |\n  a\n  b\n"), std::string("network: n # \xC3\x28\n"),
                                    std::string("{network: n, {}: 1}"), std::string("\xEF\xBB\xBFnetwork: n\n")})
        try {
            read_sweep(text, "s.yaml");
        } catch (InputError const& error) {
            EXPECT_TRUE(std::string(error.what()).starts_with("s.yaml")) << error.what();
        }
}

}  // namespace
}  // namespace tailback::sweep_file_test
