// A network that cannot be held is refused by its parameters alone: at once, whatever it would have grown to.
#include "host/base/error.hpp"
#include "tests/support/programs/cpu_time.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/layout.hpp"
#include "topologies/regular.hpp"
#include "topologies/routing.hpp"

#include <gtest/gtest.h>

namespace tailback::sizes_test {
namespace {

/// Seconds of a processor until it is refused.
template <class Make>
double refused_after(Make make) {
    test::OwnTime const used;
    EXPECT_THROW(make(), InputError);
    return used.seconds();
}

constexpr double at_once = 1;  // seconds: what is made takes minutes

class TooLarge : public testing::TestWithParam<char const*> {};

TEST_P(TooLarge, IsRefusedAtOnce) {
    TopologySpec const spec(GetParam());
    EXPECT_LT(refused_after([&] { make_topology(spec); }), at_once);
    if (spec.family().regular == nullptr) return;
    EXPECT_LT(refused_after([&] {
                  if (make_regular(spec, nullptr) == nullptr) throw InputError({}, "no formula", "", "");
              }),
              at_once);
}

INSTANTIATE_TEST_SUITE_P(All, TooLarge,
                         testing::Values("dragonfly:a=200,p=1,h=200",  // 3.2e9 links
                                         "dragonfly:a=1000,p=1,h=16",  // 1.6e10 links
                                         "dragonfly:a=65000,p=65000,h=1,groups=65000",
                                         "torus:65000x65000,hosts=65000",  //
                                         "hypercube:n=24,hosts=65000",     //
                                         "hyperx:65000x65000",             //
                                         "mesh:100000x100000",             //
                                         "kary-ntree:k=32767,n=24",        //
                                         "fully-connected:n=65000,hosts=65000"));

class TooLargeAsLists : public testing::TestWithParam<char const*> {};

TEST_P(TooLargeAsLists, IsRefusedAtOnce) {
    EXPECT_LT(refused_after([&] { make_topology(TopologySpec(GetParam())); }), at_once);
}

INSTANTIATE_TEST_SUITE_P(All, TooLargeAsLists,
                         testing::Values("star:n=65000,hosts=65000", "fully-connected:n=65000",
                                         "dragonfly+:leaves=32000,p=1,h=1", "jellyfish:switches=16777216,degree=64",
                                         "bcube:n=65000,k=2", "dcell:n=65000,k=2", "hcn:n=65000,h=2",
                                         "dpillar:n=65000,k=3", "midimew:n=16777216,hosts=2",
                                         "triangular-torus:65000x65000", "twisted-torus:65000x65000", "slimfly:q=1009",
                                         "polarfly:q=1009"));

/// What a family states before it makes a network is what it makes.
TEST(Sizes, AreThoseOfTheNetworks) {
    for (Family const& family : all_families()) {
        if (family.name == "edge-list" || family.name == "aries") continue;  // need files
        EXPECT_EQ(sizes_of(family.example).hosts, make_topology(family.example).network.hosts().size())
            << family.example;
    }
    EXPECT_EQ(sizes_of("xgft:m=4x4,w=1x4,hosts=13").hosts, 13u);
    EXPECT_EQ(sizes_of("kary-ntree:k=200,n=3").hosts, 8'000'000u);
    EXPECT_THROW(sizes_of("kary-ntree:k=300,n=3").hosts, InputError);
}

}  // namespace
}  // namespace tailback::sizes_test
