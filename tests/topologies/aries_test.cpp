// Aries machines from their cables: what the files list is what is there, and routes take one link between groups and
// at most two links in a group.
#include "host/base/error.hpp"
#include "host/model/routes/trace.hpp"
#include "tests/support/networks/network_facts.hpp"
#include "tests/support/programs/shared_data.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/routing.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>

namespace tailback::aries_test {
namespace {

using Integers = std::vector<std::uint32_t>;

std::string write_integers(std::string const& path, Integers const& numbers) {
    std::ofstream file(path, std::ios::binary);
    for (std::uint32_t const number : numbers)
        for (int k = 0; k < 4; ++k) file.put(static_cast<char>(number >> 8 * k & 0xFF));
    return path;
}

void join(Integers& numbers, std::uint32_t a, std::uint32_t b, std::initializer_list<std::uint32_t> type) {
    for (auto const& [from, to] : {std::pair{a, b}, std::pair{b, a}}) {
        numbers.insert(numbers.end(), {from, to});
        numbers.insert(numbers.end(), type);
    }
}

/// Groups of two rows of three routers, two cables in a column; between two of three groups two links.
std::string small_machine(TemporaryFolder const& folder) {
    Integers intra, inter;
    for (std::uint32_t row = 0; row < 2; ++row)
        for (std::uint32_t a = 0; a < 3; ++a)
            for (std::uint32_t b = a + 1; b < 3; ++b) join(intra, 3 * row + a, 3 * row + b, {0});
    for (std::uint32_t column = 0; column < 3; ++column)
        for (int k = 0; k < 2; ++k) join(intra, column, 3 + column, {1});
    for (std::uint32_t g = 0; g < 3; ++g)
        for (std::uint32_t h = g + 1; h < 3; ++h)
            for (std::uint32_t k = 0; k < 2; ++k) join(inter, 6 * g + 2 * k + h % 2, 6 * h + 5 - 2 * k, {});
    return fmt::format("aries:inter={},intra={},hosts=2", write_integers(folder / "inter", inter),
                       write_integers(folder / "intra", intra));
}

/// Every pair arrives by at most one link between groups and two in each group.
void expect_short_routes(Topology const& topology, std::size_t step) {
    Fabric const fabric{topology.network, make_tables(topology, {"minimal", 1}), true};
    Network const& net = topology.network;
    auto const hosts = static_cast<std::uint32_t>(net.hosts().size());
    for (std::uint32_t s = 0; s < hosts; s += std::uint32_t(step))
        for (std::uint32_t d = 0; d < hosts; ++d) {
            if (s == d) continue;
            Route const route = trace_from_host(fabric, Host{s}, net[Host{d}].lid);
            ASSERT_EQ(route.fate, Fate::delivered) << s << " " << d;
            std::uint32_t between = 0, before = 0, after = 0;
            for (Link const link : route.links) {
                if (net[link].from.value < hosts || net[link].to.value < hosts) continue;
                if (topology.groups[net[link].from.value - hosts] != topology.groups[net[link].to.value - hosts])
                    ++between;
                else ++(between == 0 ? before : after);
            }
            EXPECT_LE(before, 2u);
            EXPECT_LE(after, 2u);
            EXPECT_LE(between, 1u);
        }
}

TEST(Aries, SmallMachine) {
    TemporaryFolder const folder;
    Topology const topology = make_topology(small_machine(folder));
    expect_sound_ports(topology.network);
    NetworkFacts const facts = facts_of(topology.network);
    EXPECT_EQ(facts.hosts, 36u);
    EXPECT_EQ(facts.switches, 18u);
    EXPECT_EQ(facts.switch_cables, 3u * (6 + 6) + 3 * 2);
    expect_short_routes(topology, 1);
    // Parallel cables and links between groups are shared by the destination's number.
    Fabric const fabric{topology.network, make_tables(topology, {"minimal", 1}), true};
    auto const second_link = [&](std::uint32_t s, std::uint32_t d) {
        return trace_from_host(fabric, Host{s}, topology.network[Host{d}].lid).links.at(1);
    };
    EXPECT_NE(second_link(0, 6), second_link(0, 7));  // hosts 6 and 7 are on router 3, below router 0
    for (char const* const valiant : {"valiant:via=group", "valiant:via=other-group"}) {
        Routes routes = make_routes(topology, {valiant, 3});
        RoutedPairs const pairs =
            walk_all_pairs({topology.network, std::move(routes.tables), true, std::move(routes.routing)}, false);
        EXPECT_EQ(pairs.failed, 0u) << pairs.first_failure;
    }
}

/// Theta: 9 groups of 6 x 16 routers, 48 links for each ordered pair of groups, three cables in a column.
TEST(Aries, Theta) {
    if (!shared_data_is_there()) GTEST_SKIP() << "no ../shared/data";
    std::string const folder = (shared_data() / "machines").string();
    Topology const theta =
        make_topology("aries:inter=" + folder + "/inter-theta.xz,intra=" + folder + "/intra-theta.xz");
    expect_sound_ports(theta.network);
    NetworkFacts const facts = facts_of(theta.network);
    EXPECT_EQ(facts.switches, 864u);
    EXPECT_EQ(facts.hosts, 3456u);
    EXPECT_EQ(facts.switch_cables, 9u * (6 * 16 * 15 / 2 + 3 * 16 * 6 * 5 / 2) + 36 * 48);
    EXPECT_EQ(facts.degree, (std::map<std::size_t, std::size_t>{{15 + 15 + 4, 864}}));
    expect_short_routes(theta, 97);
}

TEST(Aries, WhatIsWrongIsRefused) {
    TemporaryFolder const folder;
    std::string const good = small_machine(folder);
    auto const refusal = [&](char const* which, Integers const& numbers) {
        std::string const other = std::string(which) == "inter" ? "intra" : "inter";
        std::string const path = write_integers(folder / "bad", numbers);
        try {
            make_topology(fmt::format("aries:{}={},{}={}", which, path, other, folder / other));
        } catch (InputError const& error) {
            return std::string(error.what());
        }
        return std::string("no error");
    };
    for (auto const& [text, part] : std::vector<std::pair<std::string, std::string>>{
             {refusal("inter", {}), "the file has 0 bytes"},
             {refusal("inter", {0, 6, 6}), "records of 2 integers"},
             {refusal("inter", {0, 6}), "has none that goes back"},
             {refusal("inter", {0, 1, 1, 0}), "of one group"},
             {refusal("inter", {0, 0xFFFFFFFF}), "there is no router 4294967295"},
             {refusal("intra", {0, 1, 7}), "record 0: type 7"},
             {refusal("intra", {2, 2, 0}), "router 2 is joined to itself"}})
        EXPECT_NE(text.find(part), std::string::npos) << text;
}

}  // namespace
}  // namespace tailback::aries_test
