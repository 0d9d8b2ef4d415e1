// What a device makes of tallies is what they come to one by one, whatever bits their numbers have: keys of several
// batches are sorted together by the bits of those before, and once more where that was too few.
#include "kernels/cuda/reduction.cuh"
#include "tests/emulated_gpu/emulated_gpu.hpp"
#include "tests/support/rooms.hpp"
#include "tests/support/teams/against_cpu.hpp"

#include <gtest/gtest.h>

#include <deque>
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

/// Tallies of 300 mappings; of those that deliver nothing the mean is not defined.
std::vector<MappingTally> tallies_up_to(std::uint64_t most, std::mt19937_64& random) {
    std::vector<MappingTally> tallies(300);
    for (MappingTally& tally : tallies) {
        auto const any = [&] { return random() % 4 == 0 ? most : random() % (most + 1); };
        tally.congestion_sum = any();
        tally.share_sum = any();
        tally.delivered = random() % 2;
    }
    return tallies;
}

Reduction reduced(std::vector<MappingTally> const& tallies, std::uint64_t first) {
    Reduction sum;
    for (std::size_t i = 0; i < tallies.size(); ++i) sum.add(wanted(), first + i, tallies[i]);
    return sum;
}

/// Holds tallies, which the device has until the end.
class Holder {
public:
    void hold(std::vector<MappingTally> const& tallies, std::uint64_t first) {
        on_device_.push_back(upload(tallies.data(), tallies.size()));
        cudaDeviceSynchronize();
        reduction.hold(on_device_.back().data(), first, static_cast<std::uint32_t>(tallies.size()), wanted());
    }
    DeviceReduction reduction;

private:
    std::deque<DeviceArray<MappingTally>> on_device_;
};

/// Batch after batch, in one reduction: values of few bits, at the end of those bits, beyond, and none at all.
TEST_F(ReductionOnEmulatedGpu, IsThatOfTheTalliesWhateverBitsTheyHave) {
    Holder holder;
    std::mt19937_64 random(5);
    auto const expect_reduced = [&](std::vector<MappingTally> const& tallies) {
        holder.hold(tallies, 50);
        holder.reduction.sort();
        expect_same(holder.reduction.fetch(), reduced(tallies, 50));
    };
    for (std::uint64_t const most :
         {std::uint64_t{3}, std::uint64_t{254}, std::uint64_t{255}, std::uint64_t{256}, std::uint64_t{7},
          std::uint64_t{65534}, std::uint64_t{65535}, std::uint64_t{1} << 40, std::uint64_t{9}, UINT64_MAX - 1}) {
        SCOPED_TRACE(most);
        std::vector<MappingTally> tallies = tallies_up_to(most, random);
        expect_reduced(tallies);
        for (MappingTally& tally : tallies) tally.delivered = 0;
        expect_reduced(tallies);
    }
}

/// Several batches are held with gaps between their mappings, and further ones while those are sorted: what is told is
/// of each lot alone, with the right numbers of mappings.
TEST_F(ReductionOnEmulatedGpu, HoldsBatchesWhileOthersAreSorted) {
    Holder holder;
    DeviceReduction& reduction = holder.reduction;
    std::mt19937_64 random(6);
    Reduction want[2], got[2];
    std::uint64_t first = 10;
    for (std::uint32_t lot = 0; lot < 2; ++lot) {
        for (std::uint64_t const most : {std::uint64_t{7}, std::uint64_t{70000}, std::uint64_t{9} << lot * 30}) {
            if (reduction.holds()) {
                EXPECT_TRUE(reduction.has_room(first, 300));
                EXPECT_FALSE(reduction.has_room(first - 101, 300));  // of mappings that are there
            }
            std::vector<MappingTally> const tallies = tallies_up_to(most, random);
            want[lot].merge(reduced(tallies, first));
            holder.hold(tallies, first);
            first += 400;
        }
        if (lot == 1) got[0] = reduction.fetch();
        reduction.sort();
        EXPECT_FALSE(reduction.holds());
        EXPECT_TRUE(reduction.sorts());
    }
    got[1] = reduction.fetch();
    EXPECT_FALSE(reduction.sorts());
    for (std::uint32_t lot = 0; lot < 2; ++lot) expect_same(got[lot], want[lot]);
}

/// Values that nearly all differ are paired with their counts by two threads, where there are two cores, a stretch
/// each: every value once, those at the ends of stretches too.
TEST_F(ReductionOnEmulatedGpu, PairsHundredsOfThousandsOfValuesByThreads) {
    constexpr std::size_t two_stretches = 2 * ValueCounts::values_a_thread;
    std::vector<MappingTally> tallies(two_stretches + 2000);
    std::mt19937_64 random(8);
    for (MappingTally& tally : tallies) {
        tally.congestion_sum = random() >> 20;
        tally.share_sum = random() % 1000;
        tally.delivered = 1;
    }
    Holder holder;
    holder.hold(tallies, 50);
    holder.reduction.sort();
    Reduction const got = holder.reduction.fetch();
    EXPECT_GE(got.number[0].values.counts.sorted(1).size(), two_stretches);
    expect_same(got, reduced(tallies, 50));
}

/// As many as there is memory for, which goes by the first batch.
TEST_F(ReductionOnEmulatedGpu, TellsWhenNoMoreCanBeHeld) {
    Holder holder;
    std::mt19937_64 random(7);
    std::uint64_t first = 0;
    for (; first == 0 || holder.reduction.has_room(first, 300); first += 300)
        holder.hold(tallies_up_to(7, random), first);
    EXPECT_EQ(first, 16 * 300u);
    holder.reduction.sort();
    EXPECT_EQ(holder.reduction.fetch().mappings, first);
}

}  // namespace
}  // namespace tailback::reduction_test
