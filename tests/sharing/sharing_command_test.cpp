// Rates and times through the program: what an exact rational program found, confirmed by SimGrid (tests/fixtures/
// sharing/README.md), to the last digit that reports have; the options; what is refused.
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/running.hpp"
#include "tests/support/programs/shared_data.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <random>
#include <sstream>

namespace tailback::sharing_command_test {
namespace {

using Json = nlohmann::json;

Json report_of(Words const& more) {
    Finished const run = run_tailback(joined({"evaluate", "--device", "cpu", "--format", "json"}, more));
    EXPECT_EQ(run.code, 0) << run.err;
    return run.code == 0 ? Json::parse(run.out) : Json();
}

/// A line of an `.expected` file: words by the names before them.
std::vector<std::map<std::string, double>> expectations(std::string const& name) {
    std::vector<std::map<std::string, double>> all;
    std::ifstream file(fixtures() / "sharing" / name);
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        std::map<std::string, double> one;
        std::string key, value;
        words >> key;  // number of the mapping
        for (; words >> key >> value;) {
            std::size_t const slash = value.find('/');
            one[key] = slash == std::string::npos
                           ? std::stod(value)
                           : std::stod(value.substr(0, slash)) / std::stod(value.substr(slash + 1));
            if (key == "mean_maxmin" || key == "end") words >> value;  // the same as a float
        }
        all.push_back(one);
    }
    return all;
}

struct Golden {
    char const *network, *tables;
};

Words fabric_of(Golden const& golden) {
    std::string const folder = (fixtures() / "sharing").string() + "/";
    return {"--network",    folder + golden.network + ".ibnetdiscover.out.xz",
            "--tables",     folder + golden.tables + ".opensm-lfts.dump.xz",
            "--capacities", "unit",
            "--mapping",    "file:" + folder + golden.tables + ".mappings",
            "--metric",     "hist_acc_band,max_min_band,max_min_least,makespan,completion_time"};
}

void expect_golden(Json const& report, std::map<std::string, double> const& want, double time_unit) {
    EXPECT_EQ(report["pairs"]["delivered"], want.at("flows"));
    Json const& metrics = report["metrics"];
    auto const mean = [&](char const* name) { return metrics[name]["mean"].get<double>(); };
    EXPECT_NEAR(mean("max_min_band"), want.at("mean_maxmin"), 1e-12);
    EXPECT_NEAR(mean("max_min_least"), want.at("least"), 1e-12);
    EXPECT_NEAR(mean("makespan") / time_unit, want.at("end"), 1e-10);
    EXPECT_NEAR(mean("completion_time") / time_unit, want.at("mean_end"), 1e-10);
    if (time_unit == 1) {
        EXPECT_NEAR(mean("hist_acc_band"), want.at("mean_linear"), 1e-12);
    }
}

TEST(SharingCommand, FindsWhatAnExactProgramFound) {
    for (Golden const& golden : {Golden{"ft3-324", "ft3-324-minhop"}, Golden{"torus3d-444", "torus3d-444-dor"}}) {
        SCOPED_TRACE(golden.tables);
        std::string const name = golden.tables;
        auto const bisect = expectations(name + ".bisect.expected");
        ASSERT_EQ(bisect.size(), 3u);
        for (std::size_t m = 0; m < bisect.size(); ++m)
            expect_golden(report_of(joined(fabric_of(golden), {"--pattern", "bisect", "--mappings", "1",
                                                               "--first-mapping", std::to_string(m)})),
                          bisect[m], 1);
        auto const levels = expectations(name + ".two-levels.expected");
        ASSERT_EQ(levels.size(), 2u);
        std::string const flows = "file:" + (fixtures() / "sharing" / (name + ".two-levels.flows")).string();
        constexpr double seconds_a_byte = 8 / 32e9;  // links of 4xQDR
        for (std::size_t l = 0; l < levels.size(); ++l)
            expect_golden(report_of(joined(fabric_of(golden),
                                           {"--pattern", flows, "--mappings", "1", "--level", std::to_string(l)})),
                          levels[l], seconds_a_byte);
    }
}

/// Sizes of real applications. One receiver: its link is full until the last flow has come, and of n flows that share
/// it the one of size b ends when all have sent min(size, b). All to all on a crossbar, where rank s sends b(s) to each
/// of n - 1 others: the links of those that still send are full with n - 1 equal flows, so that they end at (n - 1)
/// b(s).
TEST(SharingCommand, LargeUnevenFlowsHaveTheirTimes) {
    TemporaryFolder const folder;
    std::mt19937_64 dice(5);
    auto const expect_times = [&](std::string const& network, std::string const& edges, double longest, double mean) {
        SCOPED_TRACE(network);
        Json const metrics =
            report_of({"--network", network, "--traffic", folder.write("edges", edges), "--mapping", "identity",
                       "--mappings", "1", "--metric", "makespan,completion_time", "--capacities", "unit"})["metrics"];
        EXPECT_NEAR(metrics["makespan"]["mean"].get<double>() / longest, 1, 1e-6);
        EXPECT_NEAR(metrics["completion_time"]["mean"].get<double>() / mean, 1, 1e-6);
    };

    constexpr unsigned senders = 5000;
    std::vector<double> sizes;
    std::string edges;
    for (unsigned s = 1; s <= senders; ++s) {
        sizes.push_back(double(1'000'000 + dice() % 999'000'001));  // up to 1 GB
        edges += fmt::format("{} 0 {}\n", s, std::uint64_t(sizes.back()));
    }
    std::ranges::sort(sizes);
    double before = 0, ends = 0;
    for (unsigned s = 0; s < senders; ++s) {
        ends += before + sizes[s] * (senders - s);
        before += sizes[s];
    }
    expect_times("star:5001", edges, before, ends / senders);

    constexpr unsigned ranks = 648;
    edges.clear();
    double largest = 0, sum = 0;
    std::vector<std::uint64_t> uneven;
    for (unsigned i = 0; i < 8; ++i) uneven.push_back(500'000 + dice() % 500'001);
    for (unsigned s = 0; s < ranks; ++s) {
        std::uint64_t const size = uneven[s % uneven.size()];
        largest = std::max(largest, double(size)), sum += double(size);
        for (unsigned d = 0; d < ranks; ++d)
            if (d != s) edges += fmt::format("{} {} {}\n", s, d, size);
    }
    expect_times("star:648", edges, (ranks - 1) * largest, (ranks - 1) * sum / ranks);
}

/// hist_acc_band is the mean rate then.
TEST(SharingCommand, TheModelIsAChoice) {
    Words const study = {"--network", "xgft:m=4x4x4,w=1x2x2", "--mappings", "50", "--metric"};
    Json const linear = report_of(joined(study, {"hist_acc_band"})),
               max_min = report_of(joined(study, {"hist_acc_band", "--sharing", "max-min"})),
               band = report_of(joined(study, {"max_min_band"}));
    EXPECT_GT(max_min["metrics"]["hist_acc_band"]["mean"], linear["metrics"]["hist_acc_band"]["mean"]);
    EXPECT_EQ(max_min["metrics"]["hist_acc_band"]["mean"], band["metrics"]["max_min_band"]["mean"]);
    EXPECT_EQ(max_min["study"]["sharing"], "max-min");
    EXPECT_FALSE(linear["study"].contains("sharing"));
    std::uint64_t flows = 0;
    for (Json const& bin : band["metrics"]["max_min_band"]["flows"]) flows += bin["flows"].get<std::uint64_t>();
    EXPECT_EQ(flows, band["pairs"]["delivered"]);
}

TEST(SharingCommand, RefusesWhatHasNoMeaning) {
    Words const study = {"evaluate", "--network", "xgft:m=4x4,w=1x2", "--mappings", "2"};
    for (auto const& [more, message] :
         {std::pair{Words{"--sharing", "max-min", "--metric", "hist_max_cong"}, "has no meaning for hist_max_cong"},
          std::pair{Words{"--sharing", "max-min", "--metric", "throughput"}, "has no meaning for throughput"},
          std::pair{Words{"--metric", "bottlenecks,get_cable_cong"}, "cannot be measured together"},
          std::pair{Words{"--sharing", "fair"}, "sharing"}}) {
        Finished const run = run_tailback(joined(study, more));
        EXPECT_EQ(run.code, 2) << run.out;
        EXPECT_NE(run.err.find(message), std::string::npos) << run.err;
    }
}

/// Ends x flows are what such a mapping takes: said before it begins. 160 ranks send each other 25,440 sizes, which is
/// 25,440^2 x 20 ns; with two sizes alone there is nothing to say.
TEST(SharingCommand, ManyEndsAreToldBeforehand) {
    TemporaryFolder const folder;
    auto const all_to_all = [&](char const* name, int sizes) {
        std::string text;
        for (int i = 0, k = 0; i < 160; ++i)
            for (int j = 0; j < 160; ++j)
                if (i != j) text += fmt::format("{} {} {}\n", i, j, 500'000 + k++ % sizes);
        return folder.write(name, text);
    };
    Words const words = {"evaluate", "xgft:m=12x14,w=1x12", "--time", "--mappings", "1", "--traffic"};
    Running run(tailback_words(joined(words, {all_to_all("many", 1'000'000)})));
    ASSERT_TRUE(run.wait_for([&] { return run.catches(SIGTERM); }));
    run.signal(SIGTERM);
    Finished const many = run.wait();
    EXPECT_NE(many.err.find("note: flows have up to 25,440 sizes at once, and rates are shared anew at every end: a "
                            "mapping may take about 13 s on a core"),
              std::string::npos)
        << many.err;
    Finished const two = run_tailback(joined(words, {all_to_all("two", 2)}));
    EXPECT_EQ(two.code, 0);
    EXPECT_EQ(two.err.find("sizes at once"), std::string::npos) << two.err;
}

}  // namespace
}  // namespace tailback::sharing_command_test
