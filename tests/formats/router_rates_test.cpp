// Rates of interfaces in a folder of routers: ethtool's text and the kernel's files of speeds, and what follows:
// capacities, times, and words of IP in a diff and a trace.
#include "host/formats/frr/frr.hpp"
#include "host/model/ethernet.hpp"
#include "tests/support/networks/router_fabric.hpp"
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/reading.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace tailback::router_rates_test {
namespace {

InterfaceRates rates_of(std::string const& text, std::string const& interface = "") {
    LineReader lines = lines_of_text(text);
    Disagreements disagreements;
    InterfaceRates const found = read_interface_rates(lines, disagreements, interface);
    EXPECT_TRUE(disagreements.warnings().empty()) << text;
    return found;
}

TEST(RouterRates, OfEthtoolAndOfTheKernelsFiles) {
    EXPECT_EQ(rates_of("Settings for swp1:\n\tSupported ports: [ FIBRE ]\n\tSpeed: 400000Mb/s\n\tDuplex: Full\n"
                       "Settings for swp2:\n\tSpeed: Unknown!\nSettings for swp3:\n\tSpeed: 100000Mb/s\n"),
              (InterfaceRates{{"swp1", 400'000}, {"swp3", 100'000}}));
    EXPECT_EQ(rates_of("/sys/class/net/swp1/speed:200000\n/sys/class/net/lo/speed:-1\nswp2/speed:25000\n"),
              (InterfaceRates{{"swp1", 200'000}, {"swp2", 25'000}}));
    EXPECT_EQ(rates_of("==> /sys/class/net/swp1/speed <==\n800000\n\n==> /sys/class/net/swp2/speed <==\n-1\n"),
              (InterfaceRates{{"swp1", 800'000}}));
    EXPECT_EQ(rates_of("50000\n", "swp9"), (InterfaceRates{{"swp9", 50'000}}));
    EXPECT_TRUE(rates_of("Speed: 1000Mb/s\n99999999999999999999\n\xFF: :/speed:1\n").empty());
    EXPECT_TRUE(rates_of("-1\n", "swp9").empty());
    for (std::uint64_t const gigabits : {2, 10, 25, 40, 50, 100, 200, 400, 800, 1600})
        EXPECT_EQ(ethernet_rate(gigabits * 1000).elevenths_of_gbps(), gigabits * 11) << gigabits;
    EXPECT_FALSE(ethernet_rate(1000).stated());
    EXPECT_FALSE(ethernet_rate(0).stated());
}

/// A rate that is none is a finding, once a file with the first; the others count.
TEST(RouterRates, WordsThatAreNoRate) {
    LineReader lines = lines_of_text(
        "Settings for swp1:\n\tSpeed: 12x\n\tPort: FIBRE\nSettings for swp2:\n\tSpeed: 25000Mb/s\n"
        "/sys/class/net/swp3/speed:fast\n");
    Disagreements disagreements;
    EXPECT_EQ(read_interface_rates(lines, disagreements), (InterfaceRates{{"swp2", 25'000}}));
    std::vector<std::string> const warnings = disagreements.warnings();
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_NE(warnings[0].find("2 rates of interfaces are none (the first: \"12x\" of swp1); left out, as if not told"),
              std::string::npos)
        << warnings[0];
}

/// The fabric with links of hosts at 100 Gb/s and those of leaves to spines at `up`, as leaves alone tell.
void write_with_rates(TemporaryFolder const& folder, std::string const& up) {
    router_fabric::write(folder, router_fabric::routers(), router_fabric::Told::kernel_and_addresses);
    for (int leaf = 1; leaf <= 4; ++leaf) {
        std::string const name = "leaf" + std::to_string(leaf);
        folder.write(name + "/ethtool.txt",
                     "Settings for swp1:\n\tSpeed: 100000Mb/s\nSettings for swp2:\n"
                     "\tSpeed: 100000Mb/s\nSettings for swp3:\n\tSpeed: 100000Mb/s\n"
                     "Settings for swp49:\n\tSpeed: " +
                         up + "Mb/s\n");
        folder.write(name + "/swp50.speed", up + "\n");
    }
}

TEST(RouterRates, AreCapacitiesAndTimes) {
    TemporaryFolder const folder, faster;
    write_with_rates(folder, "100000");
    write_with_rates(faster, "400000");
    auto const evaluated = [](TemporaryFolder const& of) {
        Finished const run = run_tailback({"evaluate", "--network", "frr:" + of.path(), "--pattern", "all-to-all",
                                           "--metric", "hist_acc_band", "--format", "json"});
        EXPECT_EQ(run.code, 0) << run.err;
        return nlohmann::json::parse(run.out);
    };
    nlohmann::json const slow = evaluated(folder), fast = evaluated(faster);
    EXPECT_EQ(slow.at("network").at("base_rate_gbps"), 100);
    EXPECT_EQ(fast.at("network").at("base_rate_gbps"), 100);
    EXPECT_NE(slow.at("network").at("digest"), fast.at("network").at("digest"));
    Finished const diff = run_tailback({"diff", "frr:" + folder.path(), "frr:" + faster.path()});
    EXPECT_EQ(diff.code, 1);
    EXPECT_NE(diff.out.find("100 Gb/s -> 400 Gb/s"), std::string::npos) << diff.out;
    EXPECT_EQ(diff.out.find("LID"), std::string::npos) << diff.out;
}

TEST(RouterRates, ATraceHasWordsOfItsOwn) {
    TemporaryFolder const folder;
    router_fabric::write(folder, router_fabric::routers(), router_fabric::Told::kernel_and_addresses);
    Finished const run = run_tailback({"trace", "--network", "frr:" + folder.path(), "n11", "n42"});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(run.out.substr(0, run.out.find('\n')), "from n11 (10.1.1.1)");
    EXPECT_NE(run.out.find("  n11 eth0 -> swp1 leaf1\n  leaf1 swp"), std::string::npos) << run.out;
    EXPECT_NE(run.out.find("\nto n42 (10.4.2.1)\n"), std::string::npos) << run.out;
    EXPECT_EQ(run.out.find("lid"), std::string::npos) << run.out;
}

}  // namespace
}  // namespace tailback::router_rates_test
