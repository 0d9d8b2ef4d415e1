// Rows of single mappings (--per-mapping) on the emulated device: the CPU's for any batch, and in memory that the batch
// bounds. How large batches may be is the course's (tests/evaluation/interruption_test.cpp).
#include "host/evaluation/evaluation.hpp"
#include "tests/emulated_gpu/emulated_gpu.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/families/xgft.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace tailback::rows_of_mappings_test {
namespace {

TEST(RowsOfMappings, AreTheCpusForAnyBatch) {
    Fabric const network = make_xgft({{4, 4}, {1, 2}, 0});
    std::size_t most = 0;
    auto const rows = [&](DeviceChoice device, std::uint64_t mappings, std::uint64_t batch) {
        Study study;
        study.traffic.pattern = "rand";
        study.sample.mappings = mappings;
        study.measures.metrics = {Metric::hist_acc_band, Metric::sum_max_cong};
        std::vector<MappingTally> found;
        ExecutionOptions options{.device = device, .threads = 1, .batch = batch};
        most = 0;
        options.per_mapping = [&](std::uint64_t m, std::span<MappingTally const> row) {
            EXPECT_EQ(m, found.size());
            found.push_back(row.front());
            most = std::max(most, emulated_gpu::memory_in_use());
        };
        EXPECT_EQ(evaluate(make_plan(network, study), options).mappings, mappings);
        return found;
    };
    std::vector<MappingTally> const want = rows(DeviceChoice::cpu, 120, 0);
    for (std::uint64_t const batch : {1, 7, 32, 119, 120, 0})
        EXPECT_EQ(rows(DeviceChoice::cuda, 120, batch), want) << batch;
    std::size_t const of_all = most;
    rows(DeviceChoice::cuda, 120, 16);
    std::size_t const of_few = most;
    rows(DeviceChoice::cuda, 600, 16);
    EXPECT_EQ(most, of_few);
    EXPECT_LT(of_few, of_all);
}

}  // namespace
}  // namespace tailback::rows_of_mappings_test
