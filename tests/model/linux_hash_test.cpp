// The Linux kernel's choice among next hops: SipHash-2-4 by its published vector, and what a kernel (6.18) answered to
// `ip route get` of forwarded packets, over 16 equal next hops.
#include "host/model/routes/linux_hash.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace tailback::linux_hash_test {
namespace {

struct Answer {
    FiveTuple flow;
    std::uint32_t seed;
    LinuxHashPolicy policy;
    std::size_t next_hop;
};
std::vector<Answer> const& answers() {
    static std::vector<Answer> const told = {
        {{0xAC10A042, 0xC0A8BE5C, 52114, 4791, 6}, 0x3039, LinuxHashPolicy::layer4, 11},
        {{0xAC10C7F2, 0xC0A840A7, 3399, 4791, 17}, 0x3039, LinuxHashPolicy::layer4, 13},
        {{0xAC106079, 0xC0A8DF40, 24954, 4791, 17}, 0x3039, LinuxHashPolicy::layer4, 0},
        {{0xAC1004BC, 0xC0A83869, 18317, 11933, 17}, 0x3039, LinuxHashPolicy::layer4, 14},
        {{0xAC10C4CD, 0xC0A81324, 40497, 40466, 17}, 0x3039, LinuxHashPolicy::layer4, 13},
        {{0xAC102201, 0xC0A8F9E0, 349, 4791, 17}, 0x3039, LinuxHashPolicy::layer4, 9},
        {{0xAC10E02B, 0xC0A84B51, 63012, 4791, 17}, 0x3039, LinuxHashPolicy::layer4, 0},
        {{0xAC10F1F8, 0xC0A8B133, 63345, 63249, 6}, 0x3039, LinuxHashPolicy::layer4, 13},
        {{0xAC10065D, 0xC0A86B2B, 61329, 9549, 17}, 0x3039, LinuxHashPolicy::layer4, 9},
        {{0xAC10554E, 0xC0A8D29B, 38414, 222, 17}, 0x3039, LinuxHashPolicy::layer4, 1},
        {{0xAC10505B, 0xC0A8D24F, 31507, 45641, 17}, 0x3039, LinuxHashPolicy::layer4, 14},
        {{0xAC107C79, 0xC0A8B52E, 3736, 4791, 6}, 0x3039, LinuxHashPolicy::layer4, 11},
        {{0xAC10D968, 0xC0A8058D, 51626, 27449, 6}, 0xDEADBEEF, LinuxHashPolicy::layer4, 9},
        {{0xAC1095D8, 0xC0A80374, 3063, 4791, 17}, 0xDEADBEEF, LinuxHashPolicy::layer4, 9},
        {{0xAC101FC2, 0xC0A83FEE, 53707, 61738, 6}, 0xDEADBEEF, LinuxHashPolicy::layer4, 14},
        {{0xAC10845B, 0xC0A8E587, 16443, 50830, 17}, 0xDEADBEEF, LinuxHashPolicy::layer4, 13},
        {{0xAC1097C0, 0xC0A8C8CD, 24072, 56341, 17}, 0xDEADBEEF, LinuxHashPolicy::layer4, 5},
        {{0xAC106FF3, 0xC0A8FB18, 13664, 22331, 17}, 0xDEADBEEF, LinuxHashPolicy::layer4, 1},
        {{0xAC105847, 0xC0A8EDB4, 35727, 6035, 6}, 0xDEADBEEF, LinuxHashPolicy::layer4, 4},
        {{0xAC104F2E, 0xC0A8CD15, 41079, 9757, 6}, 0xDEADBEEF, LinuxHashPolicy::layer4, 1},
        {{0xAC102AB9, 0xC0A80D15, 64665, 39365, 17}, 0xDEADBEEF, LinuxHashPolicy::layer4, 0},
        {{0xAC103DBE, 0xC0A89959, 54153, 16398, 6}, 0xDEADBEEF, LinuxHashPolicy::layer4, 11},
        {{0xAC10260F, 0xC0A8FBEB, 41834, 2145, 6}, 0xDEADBEEF, LinuxHashPolicy::layer4, 0},
        {{0xAC10D736, 0xC0A822FC, 47951, 4791, 6}, 0xDEADBEEF, LinuxHashPolicy::layer4, 13},
        {{0xAC101C2C, 0xC0A87060, 9781, 3852, 6}, 0x7, LinuxHashPolicy::layer3, 1},
        {{0xAC102575, 0xC0A8ED9F, 55854, 11095, 6}, 0x7, LinuxHashPolicy::layer3, 11},
        {{0xAC10B1BB, 0xC0A8527B, 17960, 19073, 6}, 0x7, LinuxHashPolicy::layer3, 13},
        {{0xAC10E726, 0xC0A81D61, 53875, 4791, 6}, 0x7, LinuxHashPolicy::layer3, 6},
        {{0xAC10DF57, 0xC0A82F17, 32235, 17847, 17}, 0x7, LinuxHashPolicy::layer3, 8},
        {{0xAC10CACC, 0xC0A8C75C, 45522, 4791, 6}, 0x7, LinuxHashPolicy::layer3, 2},
        {{0xAC105E90, 0xC0A8B5AC, 18406, 54738, 6}, 0x7, LinuxHashPolicy::layer3, 0},
        {{0xAC10C6FC, 0xC0A8B1B8, 19258, 62711, 17}, 0x7, LinuxHashPolicy::layer3, 6},
        {{0xAC1095DB, 0xC0A8037A, 35848, 50707, 6}, 0x7, LinuxHashPolicy::layer3, 5},
        {{0xAC10AC47, 0xC0A8774A, 53522, 32791, 6}, 0x7, LinuxHashPolicy::layer3, 7},
        {{0xAC1047A5, 0xC0A859BD, 61441, 54277, 6}, 0x7, LinuxHashPolicy::layer3, 14},
        {{0xAC10EDD8, 0xC0A82DDF, 56818, 45111, 6}, 0x7, LinuxHashPolicy::layer3, 2},
    };
    return told;
}

LinuxHashPolicy by(std::uint32_t policy, std::uint32_t fields) { return *LinuxHashPolicy::of(policy, fields); }

/// Policies 2 and 3; fields of one side alone are not alike both ways.
std::vector<Answer> const& answers_of_other_policies() {
    static std::vector<Answer> const told = {
        {{0xAC101326, 0xC0A8350C, 50129, 4791, 17}, 12345, by(2, 7), 15},
        {{0xAC10264B, 0xC0A86A17, 51106, 4791, 17}, 12345, by(2, 7), 8},
        {{0xAC103970, 0xC0A89F22, 52083, 4791, 17}, 12345, by(2, 7), 8},
        {{0xAC104C95, 0xC0A8D42D, 53060, 4791, 6}, 12345, by(2, 7), 3},
        {{0xAC105FBA, 0xC0A80938, 54037, 4791, 17}, 12345, by(2, 7), 8},
        {{0xAC101326, 0xC0A8350C, 50129, 4791, 17}, 12345, by(3, 7), 14},
        {{0xAC10264B, 0xC0A86A17, 51106, 4791, 17}, 12345, by(3, 7), 15},
        {{0xAC103970, 0xC0A89F22, 52083, 4791, 17}, 12345, by(3, 7), 14},
        {{0xAC104C95, 0xC0A8D42D, 53060, 4791, 6}, 12345, by(3, 7), 2},
        {{0xAC105FBA, 0xC0A80938, 54037, 4791, 17}, 12345, by(3, 7), 3},
        {{0xAC101326, 0xC0A8350C, 50129, 4791, 17}, 12345, by(3, 1), 6},
        {{0xAC10264B, 0xC0A86A17, 51106, 4791, 17}, 12345, by(3, 1), 9},
        {{0xAC103970, 0xC0A89F22, 52083, 4791, 17}, 12345, by(3, 1), 1},
        {{0xAC104C95, 0xC0A8D42D, 53060, 4791, 6}, 12345, by(3, 1), 7},
        {{0xAC105FBA, 0xC0A80938, 54037, 4791, 17}, 12345, by(3, 1), 6},
        {{0xAC101326, 0xC0A8350C, 50129, 4791, 17}, 12345, by(3, 19), 8},
        {{0xAC10264B, 0xC0A86A17, 51106, 4791, 17}, 12345, by(3, 19), 0},
        {{0xAC103970, 0xC0A89F22, 52083, 4791, 17}, 12345, by(3, 19), 7},
        {{0xAC104C95, 0xC0A8D42D, 53060, 4791, 6}, 12345, by(3, 19), 1},
        {{0xAC105FBA, 0xC0A80938, 54037, 4791, 17}, 12345, by(3, 19), 5},
        {{0xAC101326, 0xC0A8350C, 50129, 4791, 17}, 12345, by(3, 55), 5},
        {{0xAC10264B, 0xC0A86A17, 51106, 4791, 17}, 12345, by(3, 55), 2},
        {{0xAC103970, 0xC0A89F22, 52083, 4791, 17}, 12345, by(3, 55), 10},
        {{0xAC104C95, 0xC0A8D42D, 53060, 4791, 6}, 12345, by(3, 55), 0},
        {{0xAC105FBA, 0xC0A80938, 54037, 4791, 17}, 12345, by(3, 55), 4},
    };
    return told;
}

TEST(LinuxHash, SipHashHasItsPublishedValue) {
    std::array<std::byte, 15> input;
    for (std::size_t i = 0; i < input.size(); ++i) input[i] = std::byte(i);
    EXPECT_EQ(siphash24(input.data(), input.size(), 0x0706050403020100u, 0x0f0e0d0c0b0a0908u), 0xa129ca6149be45e5u);
}

TEST(LinuxHash, NextHopsAreTheKernels) {
    for (std::vector<Answer> const& all : {answers(), answers_of_other_policies()})
        for (Answer const& told : all)
            EXPECT_EQ(linux_next_hop(linux_multipath_hash(told.flow, told.seed, told.policy), 16), told.next_hop)
                << told.flow.source_port << " " << told.seed << " " << told.policy.fields;
}

/// Queue pairs differ in their source ports alone.
TEST(LinuxHash, SourcePortsAreToldApartByTheirFieldAlone) {
    EXPECT_FALSE(by(0, 55).tells_source_ports_apart());
    EXPECT_TRUE(by(1, 7).tells_source_ports_apart());
    EXPECT_FALSE(by(2, 55).tells_source_ports_apart());
    EXPECT_FALSE(by(3, 7).tells_source_ports_apart());
    EXPECT_FALSE(by(3, 39).tells_source_ports_apart());
    EXPECT_TRUE(by(3, 16).tells_source_ports_apart());
    EXPECT_FALSE(LinuxHashPolicy::of(4, 7));
}

TEST(LinuxHash, BothDirectionsHashAlike) {
    for (Answer told : answers()) {
        std::uint32_t const there = linux_multipath_hash(told.flow, told.seed, told.policy);
        std::swap(told.flow.source, told.flow.destination);
        std::swap(told.flow.source_port, told.flow.destination_port);
        EXPECT_EQ(linux_multipath_hash(told.flow, told.seed, told.policy), there);
    }
}

TEST(LinuxHash, BoundsAreThoseOfTheKernel) {
    // fib_rebalance: upper bound i = DIV_ROUND_CLOSEST(cumulated weight << 31, total) - 1; the first that is not below.
    for (std::size_t const count : {1, 2, 3, 5, 6, 7, 12, 64, 100}) {
        std::vector<std::uint32_t> probes = {0, 0x7FFFFFFF};
        for (std::uint64_t i = 1; i <= count; ++i)
            for (std::int64_t const off : {-2, -1, 0, 1})
                if (std::int64_t const at = std::int64_t(((i << 31) + count / 2) / count) + off; at < 0x80000000)
                    probes.push_back(static_cast<std::uint32_t>(at));
        for (std::uint32_t const hash : probes) {
            std::size_t naive = 0;
            while (hash > (((std::uint64_t{naive} + 1) << 31) + count / 2) / count - 1) ++naive;
            EXPECT_EQ(linux_next_hop(hash, count), naive) << hash << " of " << count;
        }
    }
}

}  // namespace
}  // namespace tailback::linux_hash_test
