// A program of known traffic, run under Open MPI's monitoring: what it wrote is read to the byte.
#include "tests/support/programs/paths.hpp"
#include "tests/support/programs/required.hpp"
#include "tests/support/programs/running.hpp"
#include "tests/traffic/traffic_text.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace tailback::monitoring_live_test {
namespace {

class MonitoringLiveTest : public testing::Test {
protected:
    void SetUp() override { skip_where_missing(missing(), "TAILBACK_REQUIRE_MPI"); }
    /// Runs the program on so many ranks and reads what the monitoring wrote.
    TrafficMatrix trace(unsigned ranks, Words const& words) {
        Words const front = {"mpirun",
                             "--allow-run-as-root",
                             "--oversubscribe",
                             "-n",
                             std::to_string(ranks),
                             "--mca",
                             "pml",
                             "^ucx,cm",
                             "--mca",
                             "pml_monitoring_enable",
                             "2",
                             "--mca",
                             "pml_monitoring_enable_output",
                             "3",
                             "--mca",
                             "pml_monitoring_filename",
                             folder / "trace",
                             program()};
        Finished const run = Running(joined(front, words)).wait();
        EXPECT_EQ(run.code, 0) << run.err;
        return read_traffic(folder / "trace.0.prof");
    }
    static Rows known(std::uint64_t ranks) {
        Rows rows;
        for (std::uint64_t r = 0; r < ranks; ++r)
            for (std::uint64_t k = 1; k < ranks; ++k) rows.push_back({r, (r + k) % ranks, k * (1000 * r + k), k});
        std::sort(rows.begin(), rows.end());
        return rows;
    }
    TemporaryFolder folder;

private:
    static std::string program() { return known_traffic_program(); }
    static std::string missing() {
        if (program().empty()) return "the tests were built without MPI";
        Finished const run = Running({"mpirun", "--version"}).wait();
        if (run.code != 0) return "there is no mpirun";
        return run.out.find("Open MPI") == std::string::npos ? "mpirun is not Open MPI's" : "";
    }
};

TEST_F(MonitoringLiveTest, KnownTrafficIsFoundAgain) {
    for (unsigned const ranks : {2u, 5u}) {
        TrafficMatrix const matrix = trace(ranks, {});
        EXPECT_EQ(matrix.ranks, ranks);
        EXPECT_EQ(rows_of(matrix), known(ranks));
        EXPECT_TRUE(matrix.warnings.empty());
    }
}

/// On two ranks a broadcast is one message, whatever its algorithm.
TEST_F(MonitoringLiveTest, CollectivesAreTheSendsTheyBecame) {
    Rows wanted = known(2);
    wanted[0][2] += 4000;
    wanted[0][3] += 1;
    EXPECT_EQ(rows_of(trace(2, {"broadcast"})), wanted);
}

}  // namespace
}  // namespace tailback::monitoring_live_test
