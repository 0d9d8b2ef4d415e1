// tailback trace: ibtracert's lines on standard output, the cause of a failure after them, exit codes 0, 1 and 2.
#include "tests/support/programs/shared_data.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

#include <sys/wait.h>

namespace tailback::trace_command_test {
namespace {

struct Ran {
    int code = -1;
    std::string out, err;
};

Ran trace(std::string const& arguments) {
    TemporaryFolder const folder;
    std::string const command =
        tailback_program() + " trace " + arguments + " > " + folder / "out" + " 2> " + folder / "err";
    int const status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_whole(folder / "out"), read_whole(folder / "err")};
}

std::string broken() {
    std::string const folder = (fixtures() / "opensm/ft2-16").string();
    return "--network " + folder + "/minhop/ibnetdiscover.out.xz --tables " + folder +
           "/file-broken/opensm-lfts.dump.xz ";
}

TEST(TraceCommand, DeliveredRouteIsWhatIbtracertPrints) {
    Ran const ran = trace(broken() + "12 10");
    EXPECT_EQ(ran.code, 0);
    EXPECT_EQ(ran.out, R"(From ca {0x0002c90300100050} portnum 1 lid 12-12 "node0006 HCA-1"
[1] -> switch port {0x0002c90200400018}[2] lid 6-6 "leaf-02"
[8] -> switch port {0x0002c90200400008}[4] lid 3-3 "MF0;sw-spine2:IS5030/U1"
[2] -> switch port {0x0002c90200400010}[8] lid 4-4 "leaf-01"
[4] -> ca port {0x0002c90300100031}[1] lid 10-10 "node0004 HCA-1"
To ca {0x0002c90300100030} portnum 1 lid 10-10 "node0004 HCA-1"
)");
    EXPECT_EQ(trace(broken() + "'node0006 HCA-1' 0x0002c90300100031").out, ran.out);
    EXPECT_EQ(trace(broken() + "0xc H-0002c90300100030").out, ran.out);
    EXPECT_NE(ran.err.find("warning: 1 table entry names a port without a cable"), std::string::npos);
}

TEST(TraceCommand, FailedRouteTellsFateCauseAndExitsWithOne) {
    for (
        auto const& [ends, last] : {
            std::pair{"15 20", "loop: switch \"leaf-03\" (0x0002c90200400020) is met twice on the way to LID 20"},
            {"15 22",
             "unreachable: switch \"leaf-03\" (0x0002c90200400020) sends LID 22 to port 30, which has no cable"},
            {"13 21", "unreachable: switch \"leaf-02\" (0x0002c90200400018) has no entry for LID 21"},
            {"13 19",
             "misdelivered: the route ends at host \"node0006 HCA-1\" (0x0002c90300100050), which does not own LID 19"},
            {"18 3",
             "unreachable: switch \"leaf-03\" (0x0002c90200400020) keeps LID 3 for itself (entry 0) without owning it"},
            {"12 99", "LID 99 is owned by nobody"},
        }) {
        Ran const ran = trace(broken() + ends);
        EXPECT_EQ(ran.code, 1) << ends;
        EXPECT_NE(ran.out.find(last), std::string::npos) << ran.out;
        EXPECT_EQ(ran.out.find("To "), std::string::npos);
    }
}

TEST(TraceCommand, NamesStandForGuidsInDotNetworks) {
    Ran const ran = trace("--network " + (fixtures() / "orcs/listing1.dot").string() + " H1 H2");
    EXPECT_EQ(ran.code, 0);
    EXPECT_EQ(ran.out.substr(0, ran.out.find('\n')), "From ca {H1} portnum 1 lid 1-1 \"H1\"");
}

TEST(TraceCommand, BadUseExitsWithTwoAndPrintsNothing) {
    std::string const folder = (fixtures() / "opensm/ft2-16").string();
    for (auto const& [arguments, message] : {
             std::pair{broken() + "12", "a source and a destination are needed"},
             {broken() + "12 10 5", "3 words are given"},
             {broken() + "12 nobody", "nothing in the network is called \"nobody\""},
             {broken() + "99 12", "nobody owns the source LID 99"},
             {broken() + "--bogus 12 10", "bogus"},
             {broken() + "--strict 12 10", "--strict makes every disagreement an error"},
             {std::string("12 10"), "--network is missing"},
             {"--network " + folder + "/minhop/ibnetdiscover.out.xz 12 10", "there are no forwarding tables"},
             {broken() + "--output /nowhere/at/all 12 10", "/nowhere"},
         }) {
        Ran const ran = trace(arguments);
        EXPECT_EQ(ran.code, 2) << arguments;
        EXPECT_EQ(ran.out, "");
        EXPECT_NE(ran.err.find(message), std::string::npos) << ran.err;
    }
}

TEST(TraceCommand, HelpShowsAnExample) {
    Ran const ran = trace("--help");
    EXPECT_EQ(ran.code, 0);
    EXPECT_NE(ran.out.find("tailback trace --network ibnetdiscover.out --tables opensm-lfts.dump 12 10"),
              std::string::npos);
}

}  // namespace
}  // namespace tailback::trace_command_test
