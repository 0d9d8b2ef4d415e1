// Flows that are not delivered: a study that has no others says so and fails; where some are, both means are told, in
// every form, and a sweep counts the points concerned.
#include "host/io/yaml_tree.hpp"
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/paths.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <sstream>

namespace tailback::undelivered_flows_test {
namespace {

using Json = nlohmann::json;

/// A study of the broken tree of 16 hosts.
Finished broken(std::vector<std::string> const& more) { return run_tailback(on_tree16(more, "file-broken")); }

std::vector<std::string> with(std::vector<std::string> words, std::vector<std::string> const& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

/// One flow, from a host to another that its packets never reach.
class NothingDelivered : public ::testing::Test {
protected:
    std::vector<std::string> study(std::vector<std::string> const& more) const {
        return with({"--subset", "file:" + hosts_, "--pattern", "file:" + flow_, "--mapping", "identity"}, more);
    }
    TemporaryFolder const folder_;
    std::string const hosts_ = folder_.write("hosts", "22\n16\n15\n"), flow_ = folder_.write("flow", "0 1\n");
};

TEST_F(NothingDelivered, SaysSoAndFails) {
    Finished const text = broken(study({"--picture", folder_ / "p.svg"}));
    EXPECT_EQ(text.code, 1);
    EXPECT_NE(text.out.find("\nNOTHING DELIVERED: the only flow fails\n"), std::string::npos) << text.out;
    EXPECT_NE(text.err.find("warning: no flow was delivered (1 flow)"), std::string::npos) << text.err;
    EXPECT_NE(read_whole(folder_ / "p.svg").find("NOTHING DELIVERED"), std::string::npos);
    Finished const json = broken(study({"--format", "json"}));
    EXPECT_EQ(json.code, 1);
    Json const report = Json::parse(json.out);
    EXPECT_EQ(report["pairs"]["delivered"], 0);
    EXPECT_TRUE(report["metrics"]["hist_acc_band"]["mean"].is_null());
    EXPECT_EQ(report["metrics"]["hist_acc_band"].at("mean_all"), 0.0);
    std::string const both = folder_.write("both", "0 1\n0 2\n");  // another host is reached
    Finished const half = broken({"--subset", "file:" + hosts_, "--pattern", "file:" + both, "--mapping", "identity"});
    EXPECT_EQ(half.code, 0);
    EXPECT_EQ(half.out.find("NOTHING DELIVERED"), std::string::npos);
    std::string in_one_line = half.out;
    std::replace(in_one_line.begin(), in_one_line.end(), '\n', ' ');
    EXPECT_NE(in_one_line.find("of delivered flows alone, but for the means of all"), std::string::npos) << half.out;
}

TEST(UndeliveredFlows, DivisionsOfNothingHaveNoNumbers) {
    std::vector<std::string> const words = {"--network", "kary-ntree:k=4,n=2", "--routing", "ar:minimal", "--mappings",
                                            "3",         "--fail-cables",      "100%"};
    for (std::vector<std::string> const& more :
         {std::vector<std::string>{"bracket"}, {"multipath", "--queue-pairs", "1,2"}}) {
        std::vector<std::string> all = more;
        all.insert(all.end(), words.begin(), words.end());
        Finished const ran = run_tailback(all);
        EXPECT_EQ(ran.code, 1);
        EXPECT_NE(ran.out.find("No flow is delivered"), std::string::npos) << ran.out;
        for (char const* const part : {"0.0000", "Hottest", "Over all divisions"})
            EXPECT_EQ(ran.out.find(part), std::string::npos) << ran.out;
        EXPECT_NE(ran.err.find("find out why flows are not delivered: tailback audit"), std::string::npos) << ran.err;
    }
}

TEST(UndeliveredFlows, BothMeansAreTold) {
    TemporaryFolder const folder;
    std::vector<std::string> const words = {"--mappings", "200", "--metric", "hist_acc_band,hist_max_cong"};
    Finished const ran = broken(with(words, {"--format", "json", "--per-mapping", folder / "rows"}));
    EXPECT_EQ(ran.code, 0);
    Json const metrics = Json::parse(ran.out)["metrics"];
    std::istringstream rows(read_whole(folder / "rows"));
    std::string line;
    std::getline(rows, line);
    EXPECT_EQ(line, "mapping,hist_acc_band,delivered,unreachable,loop,misdelivered,local");
    double of_all = 0, bandwidth = 0, all = 0;
    while (std::getline(rows, line)) {
        std::replace(line.begin(), line.end(), ',', ' ');
        std::istringstream fields(line);
        double mapping = 0, mean = 0, delivered = 0, fates[3] = {};
        fields >> mapping >> mean >> delivered >> fates[0] >> fates[1] >> fates[2];
        double const flows = delivered + fates[0] + fates[1] + fates[2];
        of_all += mean * delivered / flows / 200;
        bandwidth += mean * delivered;
        all += flows;
    }
    double const mean = metrics["hist_acc_band"]["mean"], mean_all = metrics["hist_acc_band"].at("mean_all");
    EXPECT_NEAR(mean_all, of_all, 1e-10);
    EXPECT_LT(mean_all, 0.95 * mean);
    EXPECT_NEAR(metrics["hist_max_cong"].at("bw_all").get<double>(), bandwidth / all, 1e-10);
    EXPECT_LT(metrics["hist_max_cong"].at("bw_all"), metrics["hist_max_cong"]["bw"]);

    std::string const csv = broken(with(words, {"--format", "csv"})).out;
    auto const value = [&](std::string const& row) { return std::stod(csv.substr(csv.find(row) + row.size())); };
    EXPECT_NEAR(value("\nhist_acc_band,mean_all,,"), mean_all, 1e-11);
    EXPECT_NEAR(value("\nhist_max_cong,bw_all,,"), metrics["hist_max_cong"].at("bw_all").get<double>(), 1e-11);
    std::string const text = broken(words).out;
    EXPECT_NE(text.find("  of all  0."), std::string::npos) << text;
    EXPECT_NE(text.find("of flows that are not delivered as 0"), std::string::npos);
}

/// Nothing to tell apart: the text does not, and the keys are there.
TEST(UndeliveredFlows, BothMeansAreEqualWhereAllIsDelivered) {
    std::vector<std::string> const words = on_tree16({"--mappings", "50", "--metric", "hist_acc_band,hist_max_cong"});
    EXPECT_EQ(run_tailback(words).out.find("of all"), std::string::npos);
    Json const metrics = Json::parse(run_tailback(with(words, {"--format", "json"})).out)["metrics"];
    EXPECT_EQ(metrics["hist_acc_band"]["mean"], metrics["hist_acc_band"].at("mean_all"));
    EXPECT_EQ(metrics["hist_max_cong"]["bw"], metrics["hist_max_cong"].at("bw_all"));
}

/// A run that goes on from a checkpoint ends with the same bytes.
TEST(UndeliveredFlows, MeansSurviveACheckpoint) {
    TemporaryFolder const folder;
    std::vector<std::string> const words = {"--mappings", "1500", "--format", "json", "--until", "ci=0.000001"};
    Finished const whole = broken(words);
    EXPECT_EQ(whole.code, 1) << whole.err;
    std::vector<std::string> const kept =
        with(words, {"--checkpoint", folder / "c", "--batch", "50", "--checkpoint-every", "0"});
    EXPECT_EQ(broken(kept).out, whole.out);  // leaves its checkpoint, as the goal is not reached
    EXPECT_TRUE(std::filesystem::exists(folder / "c"));
    EXPECT_EQ(broken(kept).out, whole.out);
}

TEST(UndeliveredFlows, SweepCountsThePoints) {
    if (!yaml_is_built_in()) GTEST_SKIP() << "built without yaml-cpp";
    TemporaryFolder const folder;
    std::string const tree = fixture("opensm/ft2-16/minhop/");
    std::string const sweep =
        folder.write("s.yaml", "network: \"" + tree + "ibnetdiscover.out.xz\"\ntables: \"" + tree +
                                   "opensm-lfts.dump.xz\"\nmappings: 50\n"
                                   "fail-cables: [~, \"switch:2\", \"switch:8\"]\n");
    Finished const ran = run_tailback({"sweep", sweep, "--output", folder / "out", "--threads", "1"});
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_NE(ran.err.find("2 of them have flows that are not delivered"), std::string::npos) << ran.err;
    std::istringstream csv(read_whole(folder / "out/sweep.csv"));
    std::string names, row;
    std::getline(csv, names);
    auto const place =
        std::count(names.begin(), names.begin() + std::ptrdiff_t(names.find("hist_acc_band_mean_all")), ',');
    double before = 2;
    while (std::getline(csv, row)) {
        std::size_t at = 0;
        for (auto i = place; i > 0; --i) at = row.find(',', at) + 1;
        double const mean = std::stod(row.substr(at));
        EXPECT_LT(mean, before) << row;
        before = mean;
    }
    EXPECT_LT(before, 0.5);
}

}  // namespace
}  // namespace tailback::undelivered_flows_test
