// --timeline through the program: what is in each form, that the forms agree with the report, and what is refused.
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>
#include <sstream>

namespace tailback::timeline_command_test {
namespace {

using Json = nlohmann::json;

std::string text_of(std::string const& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

/// 0 -> 2 and 1 -> 2 with 100 and 10, then 2 -> 0 with 50; links of 1.
class Timelines : public ::testing::Test {
protected:
    Timelines() {
        folder_.write("flows", "ranks 3\nlevel\n0 2 100\n1 2 10\nlevel\n2 0 50\n");
        study_ = {"evaluate",  "--network", "crossbar:4", "--pattern", "file:" + (folder_ / "flows"),
                  "--mapping", "identity",  "--format",   "json"};
    }
    std::string timeline(std::string const& file, Words const& more = {}) {
        Finished const run = run_tailback(joined(joined(study_, {"--timeline", folder_ / file}), more));
        EXPECT_EQ(run.code, 0) << run.err;
        report_ = run.out;
        return text_of(folder_ / file);
    }
    TemporaryFolder folder_;
    Words study_;
    std::string report_;
};

TEST_F(Timelines, Table) {
    EXPECT_EQ(timeline("t.csv", {"--dependencies", "causal", "--compute", "7", "--latency", "link=1,switch=3"}),
              "kind,source,destination,level,size,start,sent,end,fate,source_host,destination_host\n"
              "flow,0,2,0,100,0,110,115,delivered,H1,H3\n"
              "flow,1,2,0,10,0,20,25,delivered,H2,H3\n"
              "flow,2,0,1,50,122,172,177,delivered,H3,H1\n"
              "computation,0,,0,,110,,117,,H1,\n"
              "computation,2,,0,,115,,122,,H3,\n");
    EXPECT_EQ(Json::parse(report_)["metrics"]["makespan"]["mean"], 177);
}

TEST_F(Timelines, Values) {
    Json const json = Json::parse(timeline("t.json"));
    EXPECT_EQ(json["schema"], "tailback-timeline-1");
    EXPECT_FALSE(json.contains("format"));
    EXPECT_EQ(json["makespan"], 160);
    EXPECT_EQ(json["unit"], "units");
    EXPECT_EQ(json["levels"],
              (Json{{{"level", 0}, {"start", 0}, {"end", 110}}, {{"level", 1}, {"start", 110}, {"end", 160}}}));
    ASSERT_EQ(json["flows"].size(), 3u);
    EXPECT_EQ(json["flows"][1]["end"], 20);
    // The down link of host 2 is full until 110, and then idle; 2 flows run until 20, then 1.
    Json const& hot = json["hottest"][0];
    EXPECT_EQ(hot["to"], "H3");
    EXPECT_NEAR(double(hot["mean"]), 110.0 / 160, 1e-9);
    ASSERT_EQ(hot["utilisation"].size(), 200u);
    EXPECT_EQ(hot["utilisation"][0], 1);
    EXPECT_EQ(hot["utilisation"][136], 1);
    EXPECT_NEAR(double(hot["utilisation"][137]), 0.5, 1e-9);  // 109.6 .. 110.4
    EXPECT_EQ(hot["utilisation"][138], 0);
    EXPECT_EQ(json["running"][0], 2);
    EXPECT_EQ(json["running"][25], 1);
    double flow_time = 0, parts = 0;
    for (Json const& flow : json["flows"]) flow_time += double(flow["end"]) - double(flow["start"]);
    for (Json const& mean : json["running"]) parts += double(mean) * double(json["part"]);
    EXPECT_NEAR(parts, flow_time, 1e-6);
}

TEST_F(Timelines, StoreAndForward) {
    Json const json = Json::parse(timeline("t.json", {"--switching", "store-and-forward"}));
    EXPECT_EQ(json["flows"][0]["sent"], 100);  // behind its own link
    EXPECT_EQ(json["flows"][0]["end"], 200);
    EXPECT_EQ(json["flows"][1]["end"], 20);
    EXPECT_EQ(json["makespan"], 300);
}

TEST_F(Timelines, Picture) {
    std::string const picture = timeline("t.svg");
    EXPECT_TRUE(picture.starts_with("<svg ")) << picture.substr(0, 80);
    EXPECT_TRUE(picture.ends_with("</svg>\n"));
    EXPECT_NE(picture.find("busy 68.8 % of the time"), std::string::npos);
    EXPECT_EQ(picture.find("nan"), std::string::npos);
}

/// No two events of a track overlap: viewers would nest them.
TEST_F(Timelines, Trace) {
    folder_.write("flows", "ranks 4\nlevel\n0 1 4\n0 2 9\n0 3 5\n1 2 8\nlevel\n0 1 2\n3 1 7\n");
    Json const json = Json::parse(timeline("t.trace", {"--dependencies", "causal"}));
    std::map<std::pair<int, int>, std::vector<std::pair<double, double>>> tracks;
    int flows = 0, counters = 0;
    for (Json const& event : json["traceEvents"]) {
        counters += event["ph"] == "C";
        if (event["ph"] != "X") continue;
        flows += event["cat"] == "flow";
        tracks[{event["pid"], event["tid"]}].emplace_back(event["ts"], double(event["ts"]) + double(event["dur"]));
    }
    EXPECT_EQ(flows, 6);
    EXPECT_GT(counters, 0);
    for (auto& [track, spans] : tracks) {
        std::sort(spans.begin(), spans.end());
        for (std::size_t i = 0; i + 1 < spans.size(); ++i) EXPECT_LE(spans[i].second, spans[i + 1].first);
    }
}

TEST_F(Timelines, OfASchedule) {
    folder_.write("some.goal",
                  "num_ranks 2\nrank 0 {\na: calc 5\nb: send 9b to 1\nb requires a\n}\n"
                  "rank 1 {\nrecv 9b from 0\n}\n");
    Finished const run = run_tailback({"evaluate", "--network", "crossbar:2", "--traffic", folder_ / "some.goal",
                                       "--mapping", "identity", "--timeline", folder_ / "t.csv"});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(text_of(folder_ / "t.csv"),
              "kind,source,destination,line,size,start,sent,end,fate,source_host,destination_host\n"
              "flow,0,1,4,9,5,14,14,delivered,H1,H2\ncomputation,0,,3,,0,,5,,H1,\n");
}

TEST_F(Timelines, WhatCannotBeToldIsRefused) {
    for (auto const& [words, why] : {std::pair<Words, char const*>{{"--timeline", "t.txt"}, "does not know the form"},
                                     {{"--timeline", "t.csv", "--metric", "sum_max_cong"}, "add --time"},
                                     {{"--timeline", "t.csv", "--shared-by", "bytes"}, "--shared-by bytes"}}) {
        Finished const run = run_tailback(joined(study_, words));
        EXPECT_EQ(run.code, 2);
        EXPECT_NE(run.err.find(why), std::string::npos) << run.err;
    }
}

}  // namespace
}  // namespace tailback::timeline_command_test
