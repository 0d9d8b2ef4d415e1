// Traces of real applications, where the developers' data folder is there: known sums.
#include "tests/support/programs/shared_data.hpp"
#include "tests/traffic/traffic_text.hpp"

#include <gtest/gtest.h>

namespace tailback::traffic_data_test {
namespace {

struct Known {
    char const* file;
    std::uint32_t ranks;
    std::size_t pairs;
    std::uint64_t bytes, sums_checked;
};
void PrintTo(Known const& known, std::ostream* out) { *out << known.file; }

class TrafficData : public testing::TestWithParam<Known> {};

TEST_P(TrafficData, HasTheKnownSums) {
    if (!shared_data_is_there()) GTEST_SKIP() << "../shared/data is not here";
    Known const known = GetParam();
    TrafficMatrix const matrix = read_traffic((shared_data() / "traffic" / known.file).string());
    EXPECT_EQ(matrix.ranks, known.ranks);
    EXPECT_EQ(matrix.entries.size() - to_themselves(matrix).partners, known.pairs);
    EXPECT_EQ(matrix.bytes, known.bytes);
    EXPECT_EQ(matrix.sums_checked, known.sums_checked);
    std::uint64_t rows = 0, columns = 0;
    for (RankSum const& sum : row_sums(matrix)) rows += sum.bytes;
    for (RankSum const& sum : column_sums(matrix)) columns += sum.bytes;
    EXPECT_EQ(rows, known.bytes);
    EXPECT_EQ(columns, known.bytes);
    EXPECT_TRUE(matrix.warnings.empty());
}

/// Of lulesh and cg: the edges and bytes that another program counted (two pairs an edge where both directions send).
INSTANTIATE_TEST_SUITE_P(
    All, TrafficData,
    testing::Values(Known{"mpip/lulesh.64.mpiP.xz", 64, 992, 135'920'072'376, 128},
                    Known{"mpip/cg.C.64.mpiP.xz", 64, 368, 73'513'504'500, 128},
                    Known{"mpip/clover_leaf.64.mpiP.xz", 64, 285, 99'983'915'416, 128},
                    Known{"mpip/amg2013.1000.graphStats.txt.xz", 1000, 451'036, 239'554'118'393, 1},
                    Known{"mpip/clover_leaf.1152.graphStats.txt.xz", 1152, 6'770, 484'124'464'408, 1},
                    Known{"pfprof/cg-c-128.tar.gz", 128, 1008, 94'852'203'096, 256},
                    Known{"pfprof/openfoam-cavity-160.tar.gz", 160, 2310, 161'804'826'566, 320},
                    Known{"goal/binary_tree_32.goal", 32, 31, 31, 1}));

/// 524 undirected edges.
TEST(TrafficData, LuleshHasAsManyEdgesAsItsGraph) {
    if (!shared_data_is_there()) GTEST_SKIP() << "../shared/data is not here";
    TrafficMatrix const matrix = read_traffic((shared_data() / "traffic/mpip/lulesh.64.mpiP.xz").string());
    Rows edges;
    for (Entry const& entry : matrix.entries)
        edges.push_back({std::min(entry.source, entry.destination), std::max(entry.source, entry.destination), 0, 0});
    std::sort(edges.begin(), edges.end());
    EXPECT_EQ(std::unique(edges.begin(), edges.end()) - edges.begin(), 524);
}

}  // namespace
}  // namespace tailback::traffic_data_test
