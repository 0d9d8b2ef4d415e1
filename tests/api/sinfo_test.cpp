// Free nodes as sinfo and scontrol tell (host/api/slurm/sinfo.cpp): the same machine in the forms that people have.
#include "host/api/slurm/slurm.hpp"
#include "host/base/error.hpp"
#include "tests/support/programs/reading.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

namespace tailback::sinfo_test {
namespace {

using Names = std::vector<std::string>;

IdleNodes read(std::string const& text) {
    LineReader lines(source_of(text), "free");
    return read_sinfo(lines);
}

/// n1 works, n2 to n4 are free (n4 is switched off), n5 drains, n6 is idle and reserved.
TEST(Sinfo, TellsFreeNodesInEveryForm) {
    for (std::string const text :
         {"PARTITION AVAIL  TIMELIMIT  NODES  STATE NODELIST\n"
          "debug*       up   infinite      1   drng n5\n"
          "debug*       up   infinite      1  idle$ n6\n"
          "debug*       up   infinite      1  alloc n1\n"
          "debug*       up   infinite      2   idle n[2-3]\n"
          "debug*       up   infinite      1  idle~ n4\n"
          "empty        up   infinite      0    n/a \n",
          "NODELIST   NODES PARTITION STATE \n"
          "n1             1    debug* alloc \nn2             1    debug* idle  \nn2             1    other  idle  \n"
          "n3             1    debug* idle- \nn4             1    debug* idle~ \nn5             1    debug* drng  \n"
          "n6             1    debug* resv  \nn6             1    other  idle$ \n",
          "Fri Nov 27 19:21:57 2026\n"
          "NODELIST   NODES PARTITION STATE     CPUS    S:C:T MEMORY TMP_DISK WEIGHT AVAIL_FE REASON\n"
          "n1             1    debug* mixed     128    2:64:1 515000        0      1   (null) none\n"
          "n[2-4]         3    debug* idle      128    2:64:1 515000        0      1   (null) none\n"
          "n5             1    debug* drained   128    2:64:1 515000        0      1   (null) bad cable at port 7\n",
          "NodeName=n1 Arch=x86_64 CoresPerSocket=64\n   CPUAlloc=128\n   State=ALLOCATED ThreadsPerCore=1\n\n"
          "NodeName=n2 Arch=x86_64\n   State=IDLE ThreadsPerCore=1\n   Comment=left (idle)\n\n"
          "NodeName=n3 Arch=x86_64\n   State=IDLE+PLANNED ThreadsPerCore=1\n\n"
          "NodeName=n4 Arch=x86_64\n   State=IDLE+CLOUD+POWERED_DOWN ThreadsPerCore=1\n\n"
          "NodeName=n5 Arch=x86_64\n   State=IDLE+DRAIN ThreadsPerCore=1\n   Reason=bad [root@2026]\n",
          "n[2-3]\nn4\n", "n2 idle\nn1 alloc\nn[3-4] idle\n"}) {
        Names names = read(text).names;
        std::sort(names.begin(), names.end());
        EXPECT_EQ(names, (Names{"n2", "n3", "n4"})) << text;
    }
    IdleNodes const idle = read("NODELIST STATE\nn1 idle*\nn2 idle\nn3 down*\nn4 IDLE+MAINTENANCE\nn5 idle@\n");
    EXPECT_EQ(idle.names, Names{"n2"});
    EXPECT_EQ(idle.other_idle, (Names{"n1", "n4", "n5"}));
    EXPECT_EQ(idle.busy, 1u);
}

/// n3 and n4 are in no other partition than one that is down; n2 is in one that is up, too.
TEST(Sinfo, NodesOfPartitionsThatTakeNoJobsAreKept) {
    IdleNodes const idle = read(
        "PARTITION AVAIL  TIMELIMIT  NODES  STATE NODELIST\n"
        "maint      down   infinite      3   idle n[2-4]\n"
        "batch*       up   infinite      2   idle n[1-2]\n"
        "old       inact   infinite      1  alloc n5\n");
    EXPECT_EQ(idle.names, (Names{"n2", "n1"}));
    EXPECT_EQ(idle.other_idle, (Names{"n3", "n4"}));
    EXPECT_EQ(idle.busy, 1u);
}

TEST(Sinfo, RefusesWhatItIsNot) {
    auto const refused = [](std::string const& text, char const* why) {
        try {
            read(text);
            ADD_FAILURE() << text;
        } catch (InputError const& error) {
            EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
        }
    };
    refused("", "the file has no node");
    refused("NODELIST NODES\nn1 1\n", "there is no column STATE");
    refused("PARTITION NODES STATE NODELIST\nx 1 idle\n", "free:2: this is not a row of the columns above");
    refused("a b c d\n", "neither a list of nodes");
    refused("n[3-1]\n", "free:1");
    refused("n[0-999999]\nm[0-999999]\n", "free:2");
}

/// Every beginning, and every byte in turn another: nodes within the list's bound, or a refusal with the line.
TEST(Sinfo, DamagedFilesAreReadOrRefused) {
    std::string const text =
        "NODELIST   NODES PARTITION STATE \nn[1-2]         1    debug* idle~ \nNodeName=n3 Arch=x\n   "
        "State=IDLE+CLOUD+X a\n";
    std::size_t refused = 0, taken = 0;
    auto const try_it = [&](std::string const& damaged) {
        try {
            IdleNodes const idle = read(damaged);
            EXPECT_LE(idle.names.size() + idle.other_idle.size() + idle.busy, 200u) << damaged;
            ++taken;
        } catch (InputError const& error) {
            EXPECT_EQ(error.place().file, "free") << damaged;
            ++refused;
        }
    };
    for (std::size_t end = 0; end <= text.size(); ++end) try_it(text.substr(0, end));
    for (std::size_t at = 0; at < text.size(); ++at)
        for (char const byte : {'\0', ' ', '\n', '=', '[', ']', '9', 'N', '\xFF'}) {
            std::string damaged = text;
            damaged[at] = byte;
            try_it(damaged);
        }
    EXPECT_GT(refused, 50u);
    EXPECT_GT(taken, 500u);
}

}  // namespace
}  // namespace tailback::sinfo_test
