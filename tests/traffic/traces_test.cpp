// mpiP, Open MPI's monitoring, PFProf, GOAL, NCCL, MSCCL: small files of their forms, and what is refused.
#include "host/traffic/traces/traces.hpp"
#include "host/io/gz_source.hpp"
#include "tests/support/programs/shared_data.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/traffic/traffic_text.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace tailback::traces_test {
namespace {

bool holds(std::string const& text, std::string const& part) { return text.find(part) != std::string::npos; }

std::string const mpip = R"(@ mpiP
@ MPI Task Assignment      : 0 node-a
@ MPI Task Assignment      : 1 node-b
------- Start Communication Matrix -------------

Statistics of rank: 0

Source	Target	Total Amount	Total Count
0	0	1000	3
0	1	1000	3

Statistics of rank: 1

Source	Target	Total Amount	Total Count
1	0	50	1
1	1	50	1
------- End Communication Matrix -------------
)";

TEST(MpipReport, SumsOfRowsAreNoTraffic) {
    TrafficMatrix const matrix = matrix_from(mpip);
    EXPECT_EQ(rows_of(matrix), (Rows{{0, 1, 1000, 3}, {1, 0, 50, 1}}));
    EXPECT_EQ(matrix.hosts, (std::vector<std::string>{"node-a", "node-b"}));
    EXPECT_EQ(matrix.sums_checked, 4u);
}

TEST(MpipReport, RowsThatDoNotAddUpAreRefused) {
    EXPECT_TRUE(holds(refusal(replaced(mpip, "0\t1\t1000\t3", "0\t1\t1001\t3")),
                      "file:9: the row of rank 0 adds up to 1,001 bytes in 3 messages (the file states 1,000 bytes"));
    EXPECT_TRUE(holds(refusal(replaced(mpip, "1\t0\t50\t1", "1\t0\t50\t2")), "file:16: the row of rank 1"));
    EXPECT_TRUE(holds(refusal(replaced(mpip, "1\t1\t50\t1\n", "")), "the row of rank 1 has no sum"));
    EXPECT_TRUE(holds(refusal(mpip.substr(0, mpip.find("------- End"))), "stops in the middle"));
    EXPECT_TRUE(holds(refusal(mpip.substr(0, mpip.find("------- Start"))), "no communication matrix in this report"));
    std::string const one =
        mpip.substr(0, mpip.find("Statistics of rank: 1")) + "------- End Communication Matrix ---\n";
    EXPECT_TRUE(holds(refusal(one), "the matrix has the rows of 1 ranks (there are 2 ranks)"));
    EXPECT_TRUE(holds(refusal(replaced(mpip, "0\t1\t1000\t3", "0\t2\t1000\t3")), "file:10: rank 2 is too large"));
    EXPECT_TRUE(holds(refusal(replaced(mpip, "0\t1\t1000\t3", "1\t0\t1000\t3")), "it is not that rank's row"));
    EXPECT_TRUE(holds(refusal(replaced(mpip, "0\t1\t1000\t3", "0\t1\t1000")), "\"\" is not a number of mpiP's matrix"));
}

std::string prof(int rank, std::string const& sends) {
    return "# POINT TO POINT\n" + sends + "# OSC\n# COLLECTIVES\nC\t0\t1\t99 bytes\t9 msgs sent\n" +
           "D\tMPI_COMM_WORLD\tprocs: 0,1,2\nO2A\t" + std::to_string(rank) + "\t0 bytes\t0 msgs sent\n" +
           "D\tMPI_COMM_SELF\tprocs: " + std::to_string(rank) + "\n";
}
std::string const prof0 = prof(0, "E\t0\t1\t10000 bytes\t1 msgs sent\t0,0,1\nI\t0\t1\t4 bytes\t2 msgs sent\t0\n"),
                  prof1 = prof(1, "E\t1\t2\t10000 bytes\t1 msgs sent\t0,0,1\n"), prof2 = prof(2, "");
Rows const profiled = {{0, 1, 10004, 3}, {1, 2, 10000, 1}};

TEST(Monitoring, TrafficIsThatOfTheApplicationAndOfTheLibrary) {
    TrafficMatrix const matrix = matrix_from(prof0 + prof1 + prof2);
    EXPECT_EQ(rows_of(matrix), profiled);
    EXPECT_EQ(matrix.ranks, 3u);
    EXPECT_TRUE(matrix.warnings.empty());
    EXPECT_TRUE(holds(refusal(prof0 + prof2), "the file of rank 1 is missing (the run had 3 ranks"));
    EXPECT_TRUE(holds(refusal(prof0 + prof1 + replaced(prof2, "0,1,2", "0,1,2,3")), "of different runs"));
    EXPECT_TRUE(holds(refusal(replaced(prof0, "4 bytes\t2 msgs sent\t0", "4 bytes")), "file:3: a line of sends"));
    EXPECT_TRUE(holds(refusal(prof0 + "what is this\n"), "not a line of Open MPI's monitoring"));
    EXPECT_TRUE(
        holds(refusal(replaced(prof0, "procs: 0,1,2", "procs: 0,7000000000,2")), "list of ranks is incomplete"));
}

TEST(Monitoring, OneFileStandsForThoseOfAllRanks) {
    TemporaryFolder const folder;
    folder.write("run.0.prof", prof0);
    folder.write("run.10.prof.old", "something else");
    folder.write("other.1.prof", "something else");
    std::string const one = folder.write("run.1.prof", prof1);
    EXPECT_TRUE(holds(error_of([&] { read_traffic(one); }), "the file of rank 2 is missing"));
    folder.write("run.2.prof", prof2);
    EXPECT_EQ(rows_of(read_traffic(one)), profiled);
    EXPECT_EQ(rows_of(read_traffic(folder / "run.2.prof")), profiled);
}

std::string rank_file(int rank, std::string const& bytes, std::string const& messages, std::string const& sizes) {
    return "{\"n_procs\": 2, \"processor_name\": \"h" + std::to_string(rank) + "\", \"rank\": " + std::to_string(rank) +
           ", \"tx_bytes\": [" + bytes + "], \"tx_messages\": [" + messages + "], \"tx_message_sizes\": [" + sizes +
           "]}";
}

class PfprofArchive : public testing::Test {
protected:
    void SetUp() override {
        try {
            read_pfprof(source_of(""), "file");
        } catch (InputError const& error) {
            if (holds(error.what(), "built without libarchive")) GTEST_SKIP() << error.what();
        }
        folder.write("0.json", rank_file(0, "5, 1000", "1, 2",
                                         "{\"frequency\": 2, \"message_size\": 500}, "
                                         "{\"frequency\": 1, \"message_size\": 5}"));
        folder.write("1.json", rank_file(1, "0, 0", "3, 0", "{\"frequency\": 3, \"message_size\": 0}"));
    }
    /// Packs the folder and reads it.
    TrafficMatrix read(std::string const& how = "czf") const {
        std::string const file = folder / "trace.tar";
        EXPECT_EQ(std::system(("cd " + folder.path() + " && tar " + how + " " + file + " *.json").c_str()), 0);
        return read_traffic(file);
    }
    std::string refused() const {
        return error_of([&] { read(); });
    }
    TemporaryFolder folder;
};

TEST_F(PfprofArchive, IsReadPackedOrNot) {
    for (std::string const how : {"czf", "cf", "cjf", "cJf"}) {
        if (how == "cjf" && std::system("command -v bzip2 >/dev/null") != 0) continue;
        TrafficMatrix const matrix = read(how);
        EXPECT_EQ(rows_of(matrix), (Rows{{0, 0, 5, 1}, {0, 1, 1000, 2}, {1, 0, 0, 3}})) << how;
        EXPECT_EQ(matrix.hosts, (std::vector<std::string>{"h0", "h1"}));
        EXPECT_EQ(matrix.sums_checked, 4u);
        EXPECT_EQ(to_themselves(matrix).bytes, 5u);
    }
}

TEST_F(PfprofArchive, WhatIsWrongIsRefusedWithItsFile) {
    std::string const good = read_whole(folder / "1.json");
    for (auto const& [from, to, wanted] :
         {std::tuple{"\"message_size\": 0", "\"message_size\": 1", "its message sizes add up to 3 bytes in 3 messages"},
          {"[3, 0]", "[3]", "\"tx_messages\" is not a list of 2 numbers"},
          {"[0, 0]", "[0, -4]", "\"tx_bytes\" is not a whole number below 2^64 (it is -4)"},
          {"[0, 0]", "[0, 1e300]", "\"tx_bytes\" is not a whole number"},
          {"\"rank\": 1", "\"rank\": 2", "rank 2 is too large"},
          {"\"rank\": 1", "\"rank\": 0", "rank 0 comes twice"},
          {"\"n_procs\": 2", "\"n_procs\": 3", "a run of 3 ranks"},
          {"\"tx_bytes\"", "\"rx_bytes\"", "\"tx_bytes\" is missing"},
          {"{", "[", "it is not JSON object"}}) {
        folder.write("1.json", replaced(good, from, to));
        std::string const got = refused();
        EXPECT_TRUE(holds(got, wanted) && holds(got, "trace.tar:1.json: ")) << got;
    }
    std::filesystem::remove(folder / "1.json");
    EXPECT_TRUE(holds(refused(), "the file of rank 1 is missing"));
}

TEST_F(PfprofArchive, WhatIsCutOrNoArchiveIsRefused) {
    read();
    std::string const file = folder / "trace.tar", packed = read_whole(file);
    folder.write("trace.tar", packed.substr(0, packed.size() / 2));
    EXPECT_TRUE(holds(error_of([&] { read_traffic(file); }),
                      io::unpacks_gz() ? "the .gz stream stops in the middle" : "the archive cannot be read"));
    EXPECT_EQ(std::system(("echo 0 1 5 | bzip2 > " + file + " || echo 0 1 5 | zstd > " + file).c_str()), 0);
    EXPECT_TRUE(holds(error_of([&] { read_traffic(file); }), "the archive cannot be read"));
}

// What gzip packed is an archive where a tar is in it, else what is in it.
TEST(Gzip, TrafficIsUnpacked) {
    if (!io::unpacks_gz()) GTEST_SKIP() << "built without zlib";
    TemporaryFolder const folder;
    for (std::string const text : {"0 1 5\n1 2 7\n", "source,destination,bytes\n0,1,5\n1,2,7\n"}) {
        std::string const file = folder.write("traffic", text) + ".gz";
        ASSERT_EQ(std::system(("gzip -kf '" + (folder / "traffic") + "'").c_str()), 0);
        EXPECT_EQ(rows_of(read_traffic(file)), (Rows{{0, 1, 5, 0}, {1, 2, 7, 0}}));
    }
}

std::string const goal = R"(num_ranks 3
// two ranks
rank 0 {
l1: calc 100 cpu 1
l2: send 1024b to 2 tag 7 cpu 0 nic 1
l2 requires l1
l3: send 8b to 2
l3 irequires l2
}
rank 2 {
a: recv 1024b from 0 tag 7
b: recv 8b from 0 }
)";

TEST(Goal, SendsAreTheMatrixAndTheGraphIsKept) {
    TrafficMatrix const matrix = matrix_from(goal);
    EXPECT_EQ(rows_of(matrix), (Rows{{0, 2, 1032, 2}}));
    EXPECT_EQ(matrix.ranks, 3u);
    EXPECT_EQ(matrix.sums_checked, 1u);
    LineReader lines = lines_of_text(goal);
    GoalSchedule const schedule = read_goal(lines);
    ASSERT_EQ(schedule.operations.size(), 5u);
    EXPECT_EQ(schedule.operations[0].kind, GoalOperation::Kind::calculation);
    EXPECT_EQ(schedule.operations[0].amount, 100u);
    EXPECT_EQ(schedule.operations[1].tag, 7u);
    EXPECT_EQ(schedule.operations[1].nic, 1u);
    EXPECT_EQ(schedule.operations[4].kind, GoalOperation::Kind::receive);
    ASSERT_EQ(schedule.dependencies.size(), 2u);
    EXPECT_EQ(schedule.dependencies[0].operation, 1u);
    EXPECT_EQ(schedule.dependencies[0].needs, 0u);
    EXPECT_FALSE(schedule.dependencies[0].start_is_enough);
    EXPECT_TRUE(schedule.dependencies[1].start_is_enough);
}

TEST(Goal, WhatIsWrongIsRefusedOrWarnedOf) {
    for (auto const& [from, to, wanted] :
         {std::tuple{"to 2 tag", "to 3 tag", "file:5: \"3\" is not a rank of this schedule (at most 2)"},
          {"num_ranks 3", "num_ranks 1000000000", "file:1: \"1000000000\" is not a number of ranks"},
          {"num_ranks 3", "num_ranks 0", "a schedule of 0 ranks"},
          {"l2 requires l1", "l2 requires l9", "file:6: this is not a line of GOAL (the label \"l9\" is not known)"},
          {"1024b to", "-1b to", "it is negative"},
          {"8b from 0 }", "8b from 0", "rank 2 has no end"},
          {"l3: send", "l2: send", "the label \"l2\" is there already"},
          {"calc 100", "call 100", "\"call\" is not an operation"},
          {"nic 1", "nic 1 x", "\"x\" is not understood"}}) {
        std::string const got = refusal(replaced(goal, from, to));
        EXPECT_TRUE(holds(got, wanted)) << got;
    }
    TrafficMatrix const odd = matrix_from(replaced(goal, "recv 8b", "recv 9b"));
    EXPECT_EQ(rows_of(odd), (Rows{{0, 2, 1032, 2}}));
    ASSERT_EQ(odd.warnings.size(), 1u);
    EXPECT_TRUE(holds(odd.warnings[0], "sends and receives of the schedule do not fit"));
}

std::string nccl(std::string const& host, std::string const& text) {
    return host + ":41:97 [3] NCCL INFO " + text + "\n";
}
std::string const nccl_log =
    "training starts\n" +
    nccl("nodeA", "comm 0x7f00 rank 0 nranks 4 cudaDev 0 busId 1b000 commId 0x5eed - Init START") +
    nccl("nodeA", "comm 0x7f01 rank 1 nranks 4 cudaDev 1 busId 1c000 commId 0x5eed - Init START") +
    nccl("nodeB", "comm 0x7f02 rank 2 nranks 4 cudaDev 0 busId 1b000 commId 0x5eed - Init START") +
    "3: " + nccl("nodeB", "comm 0x7f03 rank 3 nranks 4 cudaDev 1 busId 1c000 commId 0x5eed - Init START") +
    nccl("nodeA", "Channel 00/02 :    0   1   2   3") + nccl("nodeA", "Trees [0] 2/-1/-1->0->-1 [1] -1/-1/-1->0->1") +
    nccl("nodeA", "Channel 00/0 : 0[0] -> 1[1] via P2P/IPC") +
    nccl("nodeA", "Channel 00/0 : 1[1] -> 2[0] [send] via NET/IB/0/GDRDMA") +
    nccl("nodeB", "Channel 00/0 : 1[1] -> 2[0] [receive] via NET/IB/0/GDRDMA") +
    nccl("nodeB", "Channel 01/0 : 1[1] -> 2[0] [receive] via NET/IB/1/GDRDMA") +
    nccl("nodeA", "Channel 01/0 : 1[1] -> 2[0] [send] via NET/IB/1/GDRDMA") +
    nccl("nodeB", "Channel 00 : 3[1c000] -> 0[1b000] [send] via NET/Socket/0") +
    nccl("nodeA", "Channel 00 : 3[1c000] -> 0[1b000] [receive] via NET/Socket/0");

TEST(NcclLog, ConnectionsBetweenNodesAreCounted) {
    TrafficMatrix const matrix = matrix_from(nccl_log);
    EXPECT_EQ(rows_of(matrix), (Rows{{1, 2, 2, 2}, {3, 0, 1, 1}}));
    EXPECT_EQ(matrix.unit, traffic::Unit::connections);
    EXPECT_EQ(matrix.ranks, 4u);
    EXPECT_EQ(matrix.sums_checked, 1u);
    EXPECT_TRUE(matrix.warnings.empty());
    EXPECT_EQ(matrix.hosts, (std::vector<std::string>{"nodeA", "nodeA", "nodeB", "nodeB"}));
    TrafficMatrix const part = matrix_from(replaced(nccl_log, "3[1c000] -> 0[1b000] [receive]", "cut"));
    ASSERT_EQ(part.warnings.size(), 1u);
    EXPECT_TRUE(holds(part.warnings[0], "the lines of some ranks are missing"));
    TrafficMatrix const two = matrix_from(nccl_log + nccl("nodeA", "comm 0x1 rank 0 nranks 2 commId 0x7 - Init"));
    EXPECT_EQ(rows_of(two), rows_of(matrix));
    EXPECT_TRUE(holds(two.notes.back(), "the log is of 2 communicators"));
    EXPECT_TRUE(holds(refusal(replaced(nccl_log, "NET/", "SHM/")), "7 connections stay inside a node"));
    EXPECT_TRUE(holds(refusal(replaced(nccl_log, "3[1c000] ->", "999999999999 ->")), "rank 999999999999 is too large"));
}

std::string const msccl = R"(<?xml version="1.0"?>
<algo name="ring" nchannels="1" ngpus="3" coll="allgather" proto="LL">
  <gpu id="0"><tb id="0" send="1" recv="2" chan="0">
    <step s="0" type="s" srcbuf="i" srcoff="0" dstbuf="o" dstoff="0" cnt="2" depid="-1" deps="-1" hasdep="0"/>
    <step s="1" type="rcs" srcbuf="o" srcoff="4" dstbuf="o" dstoff="4" cnt="2" depid="-1" deps="-1" hasdep="0"/>
    <step s="2" type="cpy" srcbuf="i" srcoff="0" dstbuf="o" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/>
  </tb></gpu>
  <gpu id="1"><tb id="0" send="-1" recv="0" chan="0"><step s="0" type="r" cnt="2"/><step s="1" type="rrc" cnt="2"/></tb></gpu>
  <gpu id="2"><tb id="0" send="0" recv="-1" chan="0"><step s="0" type="s" cnt="2"/></tb></gpu>
</algo>
)";

TEST(Msccl, ChunksOfStepsThatSendAreCounted) {
    if (holds(refusal(msccl), "built without expat")) GTEST_SKIP() << refusal(msccl);
    TrafficMatrix const matrix = matrix_from(msccl);
    EXPECT_EQ(rows_of(matrix), (Rows{{0, 1, 4, 2}, {2, 0, 2, 1}}));
    EXPECT_EQ(matrix.unit, traffic::Unit::chunks);
    EXPECT_EQ(matrix.sums_checked, 1u);
    for (auto const& [from, to, wanted] :
         {std::tuple{"send=\"1\"", "send=\"3\"", "file:3: rank 3 is too large"},
          {"send=\"1\"", "send=\"-1\"", "file:4: a step sends, and its <tb> has nobody"},
          {"type=\"rrc\"", "type=\"xyz\"", "file:8: the step \"xyz\" is not known"},
          {"<step s=\"1\" type=\"rrc\" cnt=\"2\"/>", "<step s=\"1\" type=\"rrc\"/>", "`cnt` is missing"},
          {"</algo>", "", "the XML is damaged"},
          {"ngpus=\"3\"", "ngpus=\"1000000000\"", "file:2: a matrix of 1,000,000,000 ranks"},
          {"cnt=\"2\"", "cnt=\"18446744073709551615\"", "the sum of all bytes exceeds 64 bits"},
          {"<gpu id=\"0\">", "<gpx id=\"0\">", "<tb> outside <gpu>"}})
        EXPECT_TRUE(holds(refusal(replaced(msccl, from, to)), wanted)) << refusal(replaced(msccl, from, to));
    EXPECT_TRUE(holds(matrix_from(replaced(msccl, "type=\"rrc\"", "type=\"nop\"")).warnings.at(0), "do not fit"));
}

TEST(Traffic, TellsHowMuchWasRead) {
    TemporaryFolder const folder;
    std::string text = "source destination bytes\n";
    for (int i = 0; i < 50'000; ++i) text += "1 0 1000\n";
    std::string const file = folder.write("edges", text);
    std::vector<std::uint64_t> told;
    EXPECT_EQ(read_traffic(file, [&](std::uint64_t read) { told.push_back(read); }).bytes, 50'000'000u);
    ASSERT_GT(told.size(), 3u);
    EXPECT_TRUE(std::is_sorted(told.begin(), told.end()));
    EXPECT_EQ(told.back(), text.size());
}

TEST(Traffic, WhatIsNoTrafficIsRefused) {
    EXPECT_TRUE(holds(refusal("<graphml/>"), "it has no <algo>"));
    EXPECT_TRUE(holds(refusal("{\"n_procs\": 2}"), "a JSON file alone"));
    EXPECT_TRUE(holds(refusal(std::string("0 1 5\n\0\n", 8)), "binary file"));
    EXPECT_TRUE(holds(refusal("\x1f\x8b"
                              "abc"),
                      io::unpacks_gz() ? "the .gz stream" : "archive"));
    EXPECT_TRUE(holds(error_of([] { read_traffic("/nonexistent"); }), "cannot be opened"));
}

}  // namespace
}  // namespace tailback::traces_test
