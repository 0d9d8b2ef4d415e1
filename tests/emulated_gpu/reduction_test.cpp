// What a device makes of tallies is what they come to one by one, whatever bits their numbers have: keys are sorted by
// the bits of the batches before, and once more where that was too few.
#include "kernels/cuda/reduction.cuh"
#include "tests/emulated_gpu/emulated_gpu.hpp"
#include "tests/support/rooms.hpp"
#include "tests/support/teams/against_cpu.hpp"

#include <gtest/gtest.h>

#include <random>

namespace tailback::reduction_test {
namespace {

class ReductionOnEmulatedGpu : public ::testing::Test {
protected:
    void SetUp() override { emulated_gpu::reset(); }
    void TearDown() override { emulated_gpu::reset(); }
};

WantedNumbers wanted() {
    WantedNumbers numbers;
    numbers.number[0] = {.part = TallyPart::congestion_sum};
    numbers.number[1] = {.part = TallyPart::share_sum, .is_mean = true};
    numbers.count = 2;
    return numbers;
}

void expect_reduced(DeviceReduction& reduction, std::vector<MappingTally> const& tallies) {
    DeviceArray<MappingTally> const on_device = upload(tallies.data(), tallies.size());
    cudaDeviceSynchronize();
    Reduction want;
    for (std::size_t i = 0; i < tallies.size(); ++i) want.add(wanted(), 50 + i, tallies[i]);
    CudaStream stream;
    reduction.start(on_device.data(), static_cast<std::uint32_t>(tallies.size()), wanted(), stream.get());
    expect_same(reduction.finish(50), want);
}

/// Batch after batch, in one reduction: values of few bits, at the end of those bits, beyond, and none at all.
TEST_F(ReductionOnEmulatedGpu, IsThatOfTheTalliesWhateverBitsTheyHave) {
    DeviceReduction reduction;
    std::mt19937_64 random(5);
    for (std::uint64_t const most :
         {std::uint64_t{3}, std::uint64_t{254}, std::uint64_t{255}, std::uint64_t{256}, std::uint64_t{7},
          std::uint64_t{65534}, std::uint64_t{65535}, std::uint64_t{1} << 40, std::uint64_t{9}, UINT64_MAX - 1}) {
        SCOPED_TRACE(most);
        std::vector<MappingTally> tallies(300);
        for (MappingTally& tally : tallies) {
            auto const any = [&] { return random() % 4 == 0 ? most : random() % (most + 1); };
            tally.congestion_sum = any();
            tally.share_sum = any();
            tally.delivered = random() % 2;  // of those that deliver nothing the mean is not defined
        }
        expect_reduced(reduction, tallies);
        for (MappingTally& tally : tallies) tally.delivered = 0;
        expect_reduced(reduction, tallies);
    }
}

}  // namespace
}  // namespace tailback::reduction_test
