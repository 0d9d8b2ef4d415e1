// When a file was made, as its first comments say.
#include "host/formats/fabric/read_fabric.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

namespace tailback::date_of_dump_test {
namespace {

TEST(DateOfDump, IsInTheCommentsAtTheFront) {
    EXPECT_EQ(date_of_dump("#\n# Topology file: generated on Tue Jun 15 19:06:08 2021\n#\nSwitch 3\n"),
              "Tue Jun 15 19:06:08 2021");
    EXPECT_EQ(date_of_dump("# Timestamp    : 2021-11-16 08:52:12 \nSTART_NODES\n"), "2021-11-16 08:52:12");
    EXPECT_EQ(date_of_dump("# Running date=2020-01-02\nx\n"), "2020-01-02");
    EXPECT_EQ(date_of_dump("#\r\n# Topology file: generated on Tue Jun 15 19:06:08 2021\r\n#\r\n"),
              "Tue Jun 15 19:06:08 2021");  // lines that end as on Windows
}

TEST(DateOfDump, IsEmptyWhereTheFileDoesNotSay) {
    EXPECT_EQ(date_of_dump(""), "");
    EXPECT_EQ(date_of_dump("# Topology file: written by tailback\n"), "");
    EXPECT_EQ(date_of_dump("Switch 3\n# generated on Monday\n"), "");
    EXPECT_EQ(date_of_dump("# generated on Mon"), "");  // cut
    EXPECT_EQ(date_of_dump("# Timestamp\n"), "");
}

}  // namespace
}  // namespace tailback::date_of_dump_test
