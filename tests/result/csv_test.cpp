// Values as CSV: the rule, by small values.
#include "host/result/csv.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

namespace tailback::csv_test {
namespace {

std::string csv_of(Json const& json) {
    std::ostringstream out;
    write_csv(out, json);
    return out.str();
}

TEST(Csv, PathsAreJoined) {
    EXPECT_EQ(csv_of({{"schema", "x-1"},
                      {"network", {{"hosts", 3}, {"spec", nullptr}, {"failed", {{"cables", 1}}}}},
                      {"metrics", {{"bw", {{"mean", 0.5}, {"ci99", {0.25, 1}}, {"no", {nullptr, nullptr}}}}}},
                      {"reached", true}}),
              "section,statistic,key,value\nreport,schema,x-1,\nnetwork,hosts,,3\nnetwork,failed_cables,,1\n"
              "bw,mean,,0.5\nbw,ci99_low,,0.25\nbw,ci99_high,,1\nreport,reached,,1\n");
}

TEST(Csv, ItemsGoByTheirFirstMember) {
    EXPECT_EQ(csv_of({{"jobs",
                       {{{"name", "a,b"}, {"traffic", "ring"}, {"quantiles", {{"0.5", 2}}}},
                        {{"name", "c"}, {"traffic", nullptr}, {"flows", {{"lost", 4}}}}}},
                      {"wait", {{{"value", 1.5}, {"end", 2}, {"pairs", 7u}}}},
                      {"pairs", {{"x", "y"}}},
                      {"warnings", {"one", "two"}}}),
              "section,statistic,key,value\njobs,traffic,\"a,b/ring\",\njobs,quantiles,\"a,b/0.5\",2\n"
              "jobs,flows_lost,c,4\nwait,end,1.5,2\nwait,,1.5,7\npairs,x,y,\nwarnings,,one,\nwarnings,,two,\n");
}

TEST(Csv, LinksHaveColumns) {
    EXPECT_EQ(csv_of({{"links",
                       {{{"from", "a"}, {"from_port", 1}, {"to", "b"}, {"to_port", 2}, {"load", 5}},
                        {{"from", "b"},
                         {"from_port", 3},
                         {"from_port_name", "swp3"},
                         {"to", "=c"},
                         {"to_port", 4},
                         {"load", 6}}}},
                      {"all", 9}}),
              "section,statistic,key,value,from,from_port,to,to_port\nlinks,load,0,5,a,1,b,2\n"
              "links,load,1,6,b,swp3,'=c,4\nreport,all,,9,,,,\n");
}

TEST(Csv, TablesHaveEmptyCells) {
    std::ostringstream out;
    CsvTable table(out, {"name", "count", "value"});
    table.row("a\"b", std::uint64_t{3}, 0.1 + 0.7);
    table.row(std::string("+x"), std::optional<int>(), std::nan(""));
    EXPECT_EQ(out.str(), "name,count,value\n\"a\"\"b\",3,0.8\n'+x,,\n");
}

}  // namespace
}  // namespace tailback::csv_test
