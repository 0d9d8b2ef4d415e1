// What an audit takes much memory for is asked for before it is taken: where it does not fit, it is told what, how
// large it is and what to do.
#include "host/api/audit.hpp"
#include "host/api/obtain.hpp"
#include "host/audit/deadlock/channel_cycles.hpp"
#include "host/audit/deadlock/channel_dependencies.hpp"
#include "host/base/memory.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace tailback::audit_memory_test {
namespace {

AuditChoice audit_of(std::string const& spec) {
    AuditChoice choice;
    choice.network = NetworkChoice(spec);
    choice.worst_case.permutations = WorstCaseChoice::none;
    choice.worst_case.shifts = ShiftChoice::none;
    choice.threads = 2;
    return choice;
}

/// A byte for every switch and place; then what threads count.
TEST(AuditMemory, OfShortestPathsAndCountsIsAskedFor) {
    AuditChoice const torus = audit_of("torus:20x20");
    auto const fabric = std::make_shared<Fabric const>(obtain({torus.network}, {}));
    auto const told = [&](std::uint64_t bytes) {
        MemoryLimit const limit(bytes);
        try {
            FabricAudit const audit(torus, fabric, Disagreements(false), {});
        } catch (InputError const& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_EQ(told(159'999),
              "the lengths of the shortest paths from 400 switches to 400 places of 0.00016 GB do not fit into memory "
              "(0.00016 GB are available); audit some of the hosts (--hosts)");
    EXPECT_NE(told(160'000).find("the counts of 2 threads of "), std::string::npos) << told(160'000);
    EXPECT_EQ(told(1 << 20), "");
}

/// Tables and lengths together, before routes are made: each alone would fit.
TEST(AuditMemory, IsAskedForBeforeRoutesAreMade) {
    AuditChoice torus = audit_of("torus:60x60");
    std::uint64_t const switches = 3600, lids = 7200, bytes = switches * (lids + 1 + switches);
    std::vector<std::string> notes;
    AuditListener listener;
    listener.note = [&](std::string const& note) { notes.push_back(note); };
    listener.warn = [](std::string const&) {};
    MemoryLimit const limit(bytes - 1);
    try {
        FabricAudit const audit(torus, listener);
        FAIL() << "it was made";
    } catch (InputError const& error) {
        EXPECT_EQ(std::string(error.what()),
                  "the tables and shortest paths of 3,600 switches and 3,600 hosts of 0.0389 GB do not fit into memory "
                  "(0.0389 GB are available); audit some of the hosts (--hosts), or a smaller network");
    }
    EXPECT_TRUE(notes.empty()) << "routed by ..";
    torus.hosts = "H1";  // fewer places: no refusal here
    try {
        FabricAudit const audit(torus, listener);
    } catch (InputError const& error) {
        EXPECT_EQ(std::string(error.what()).find("the tables and shortest paths"), std::string::npos) << error.what();
    }
    EXPECT_GE(notes.size(), 1u) << "routed by ..";
}

TEST(AuditMemory, OfDependenciesIsAskedFor) {
    AuditChoice const torus = audit_of("torus:20x20");
    auto const fabric = std::make_shared<Fabric const>(obtain({torus.network}, {}));
    Forwarding const forwarding(*fabric);
    auto const message = [](auto const& act) {
        try {
            act();
        } catch (InputError const& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    {
        MemoryLimit const limit(100'000);
        EXPECT_EQ(message([&] { ChannelDependencies const one(forwarding, 1); }), "");
        EXPECT_EQ(message([&] {
                      ChannelDependencies const all(forwarding, 16);
                  }).find("which link waits for which on 16 lanes of 0.00"),
                  0u);
    }
    // A ring of all links into a row and out of it: nothing is left out as sure to be free.
    ChannelDependencies dependencies(forwarding, 1);
    for (std::size_t l = 0; l < fabric->network.links().size(); ++l) {
        LinkRecord const& in = fabric->network[Link{l}];
        std::uint32_t const row = forwarding.row_of(in.to);
        if (row == no_row) continue;
        for (Port out = 1; out < forwarding.ports(); ++out)
            if (Link const next = forwarding.link_behind(row, out); next.exists() && next != in.reverse)
                dependencies.add(Link{l}, 0, row, out, 0);
    }
    MemoryLimit const limit(50'000);
    EXPECT_NE(
        message([&] { (void)find_cycles(forwarding, dependencies); }).find(" dependencies between links of 0.000"),
        std::string::npos);
}

}  // namespace
}  // namespace tailback::audit_memory_test
