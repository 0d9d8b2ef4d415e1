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

/// A link that has no numbers has a row as well, and a node that is called `from` is no link.
TEST(Csv, LinksWithoutNumbersHaveRows) {
    Json const link = {{"from", "a"}, {"from_port", 1}, {"to", "b"}, {"to_port", 2}};
    EXPECT_EQ(csv_of({{"worst", {{"flows", 3}, {"link", link}}}, {"none", {{"link", nullptr}}}}),
              "section,statistic,key,value,from,from_port,to,to_port\nworst,flows,,3,,,,\nworst,link,,,a,1,b,2\n");
    EXPECT_EQ(csv_of({{"whole", {{"from", {{"name", "a"}}}, {"to", nullptr}}}}),
              "section,statistic,key,value\nwhole,from_name,a,\n");
}

/// Where first members are alike, items go by their order, and their first member has a row like any other.
TEST(Csv, ItemsThatAreAlikeGoByTheirOrder) {
    EXPECT_EQ(csv_of({{"findings", {{{"kind", "loop"}, {"pairs", 2}}, {{"kind", "loop"}, {"pairs", 5}}}},
                      {"hops", {{"2", 7}, {"4", 9}}}}),
              "section,statistic,key,value\nfindings,kind,0/loop,\nfindings,pairs,0,2\nfindings,kind,1/loop,\n"
              "findings,pairs,1,5\nhops,,2,7\nhops,,4,9\n");
}

/// Lists that are made an item at a time are written as if they were in the value.
TEST(Csv, LongListsAreWrittenAsLists) {
    auto const item = [](std::size_t i) -> Json {
        return {{"from", i == 0 ? "a" : "b"}, {"from_port", 1}, {"to", "c"}, {"to_port", 2}, {"load", 5 + i}};
    };
    auto const named = [](std::size_t i) -> Json { return {{"name", i == 0 ? "x" : "y"}, {"load", i}}; };
    std::vector<LongList> const lists = {{"links", 2, item}, {"switches", 2, named}, {"none", 0, named}};
    Json whole = {{"schema", "x-1"}};
    std::ostringstream streamed, json;
    write_csv(streamed, whole, lists);
    write_json(json, whole, lists);
    for (LongList const& list : lists) whole[list.name] = list.whole();
    EXPECT_EQ(streamed.str(), csv_of(whole));
    EXPECT_EQ(streamed.str(),
              "section,statistic,key,value,from,from_port,to,to_port\nreport,schema,x-1,,,,,\n"
              "links,load,0,5,a,1,c,2\nlinks,load,1,6,b,1,c,2\nswitches,load,x,0,,,,\nswitches,load,y,1,,,,\n");
    EXPECT_EQ(Json::parse(json.str()), whole);
    EXPECT_NE(json.str().find("\n    {\"name\":\"y\",\"load\":1}\n  ],\n  \"none\": []\n}\n"), std::string::npos)
        << json.str();
}

TEST(Csv, TablesHaveEmptyCells) {
    std::ostringstream out;
    CsvTable table(out, {"name", "count", "value", "port"});
    table.row({"a\"b", std::uint64_t{3}, 0.1 + 0.7, -1});
    table.item({{"value", std::nan("")}, {"other", 7}, {"name", "+x"}, {"port", 4}, {"port_name", "swp4"}});
    EXPECT_EQ(out.str(), "name,count,value,port\n\"a\"\"b\",3,0.8,-1\n'+x,,,swp4\n");
}

}  // namespace
}  // namespace tailback::csv_test
