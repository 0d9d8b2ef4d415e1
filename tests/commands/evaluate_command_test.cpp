// `tailback evaluate` as a program: its reports hold what they promise, are the same to the byte however it runs, and
// can be replayed from the mappings it dumped.
#include "host/base/numbers.hpp"
#include "host/study/metrics.hpp"
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/paths.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>
#include <sstream>
#include <thread>
#include <tuple>

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace tailback::evaluate_command_test {
namespace {

using Json = nlohmann::json;

Json report_of(std::vector<std::string> const& arguments) {
    Finished const run = run_tailback(arguments);
    EXPECT_EQ(run.code, 0) << run.err;
    return Json::parse(run.out);
}

/// Rows of fields; quotes as RFC 4180 has them.
std::vector<std::vector<std::string>> csv_rows(std::string const& text) {
    std::vector<std::vector<std::string>> rows(1, {""});
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        char const c = text[i];
        if (quoted && c == '"' && i + 1 < text.size() && text[i + 1] == '"') rows.back().back() += text[++i];
        else if (c == '"') quoted = !quoted;
        else if (c == ',' && !quoted) rows.back().emplace_back();
        else if (c == '\n' && !quoted) rows.push_back({""});
        else rows.back().back() += c;
    }
    rows.pop_back();
    return rows;
}

/// As audits have it, and near what is sampled.
TEST(EvaluateCommand, TellsBisectionBandwidthByFormula) {
    for (char const* const spec : {"xgft:m=6x6,w=1x6", "torus:4x4,hosts=2", "dragonfly:a=4,p=2,h=2"}) {
        std::vector<std::string> const network = {spec, "--routing", "minhop"};
        auto const with = [&](std::string const& command, std::vector<std::string> const& more) {
            std::vector<std::string> words = {command};
            words.insert(words.end(), network.begin(), network.end());
            words.insert(words.end(), more.begin(), more.end());
            return words;
        };
        Json const report =
            report_of(with("evaluate", {"--ebb", "formula", "--mappings", "20000", "--format", "json"}));
        double const expected = report.at("bisection").at("expected");
        EXPECT_NEAR(expected, report.at("metrics").at("hist_acc_band").at("mean").get<double>(), 0.006) << spec;
        Finished const audit = run_tailback(with("audit", {"--format", "json"}));
        EXPECT_NEAR(Json::parse(audit.out).at("bisection").at("expected").get<double>(), expected, 1e-6) << spec;
        std::string const text = run_tailback(with("evaluate", {"--ebb", "formula", "--mappings", "10"})).out;
        EXPECT_NE(text.find("Effective bisection bandwidth by formula: 0."), text.npos) << text;
        EXPECT_FALSE(report_of(with("evaluate", {"--mappings", "10", "--format", "json"})).contains("bisection"));
    }
    Json const some = report_of({"evaluate", "xgft:m=6x6,w=1x3", "--routing", "minhop", "--ranks", "20", "--ebb",
                                 "formula", "--mappings", "20000", "--format", "json"});
    EXPECT_NEAR(some.at("bisection").at("expected").get<double>(),
                some.at("metrics").at("hist_acc_band").at("mean").get<double>(), 0.006);
    // Flows go to base LIDs, whatever others hosts have.
    Json const several = report_of({"evaluate", "xgft:m=4x4,w=1x3", "--routing", "minhop", "--lmc", "2", "--ebb",
                                    "formula", "--mappings", "20000", "--format", "json"});
    EXPECT_NEAR(several.at("bisection").at("expected").get<double>(),
                several.at("metrics").at("hist_acc_band").at("mean").get<double>(), 0.006);
    for (auto const& [words, why] : std::vector<std::pair<std::vector<std::string>, std::string>>{
             {{"xgft:m=4x4,w=1x4", "--routing", "minhop", "--pattern", "rand"}, "the pattern is rand"},
             {{"xgft:m=4x4,w=1x4", "--routing", "ar:minimal"}, "choose among several ports"},
             {{"xgft:m=4x4,w=1x4", "--routing", "minhop", "--mapping", "identity"}, "all hosts of a study"},
             {{"xgft:m=4x4,w=1x4", "--routing", "minhop", "--sharing", "max-min"}, "max-min"}}) {
        std::vector<std::string> all = {"evaluate", "--ebb", "formula"};
        all.insert(all.end(), words.begin(), words.end());
        Finished const refused = run_tailback(all);
        EXPECT_EQ(refused.code, 2) << why;
        EXPECT_NE(refused.err.find(why), refused.err.npos) << refused.err;
    }
}

/// Two leaves of two hosts each, joined by a cable; the rates of host 1's cable and of that between the leaves.
std::string two_leaves(std::string const& of_host, std::string const& between) {
    std::string text;
    for (int leaf = 1; leaf <= 2; ++leaf) {
        text += fmt::format("Switch\t3 \"S-{}\"\t# \"leaf{}\" base port 0 lid {} lmc 0\n", leaf, leaf, 10 + leaf);
        for (int port = 1; port <= 2; ++port)
            text += fmt::format("[{}]\t\"H-{}{}\"[1](a{}{})\t# \"h{}{}\" lid {} {}\n", port, leaf, port, leaf, port,
                                leaf, port, 2 * leaf + port, leaf == 1 && port == 1 ? of_host : "4xQDR");
        text += fmt::format("[3]\t\"S-{}\"[3]\t# \"leaf{}\" lid {} {}\n\n", 3 - leaf, 3 - leaf, 13 - leaf, between);
    }
    for (int leaf = 1; leaf <= 2; ++leaf)
        for (int port = 1; port <= 2; ++port)
            text += fmt::format(
                "Ca\t1 \"H-{}{}\"\t# \"h{}{}\"\n[1](a{}{})\t\"S-{}\"[{}]\t# lid {} lmc 0 \"leaf{}\" lid {} {}\n\n",
                leaf, port, leaf, port, leaf, port, leaf, port, 2 * leaf + port, leaf, 10 + leaf,
                leaf == 1 && port == 1 ? of_host : "4xQDR");
    return text;
}

TEST(EvaluateCommand, BandwidthByFormulaIsOfLinksThatAreAlike) {
    TemporaryFolder const folder;
    std::string const alike = folder.write("alike", two_leaves("4xQDR", "4xQDR")),
                      host = folder.write("host", two_leaves("1xQDR", "4xQDR")),
                      trunk = folder.write("trunk", two_leaves("4xQDR", "4xEDR"));
    std::vector<std::string> const words = {"evaluate", "--routing", "minhop", "--ebb", "formula", "--mappings", "10"};
    auto const with = [&](std::vector<std::string> const& more) {
        std::vector<std::string> all = words;
        all.insert(all.end(), more.begin(), more.end());
        return run_tailback(all);
    };
    EXPECT_EQ(with({"--network", alike}).code, 0) << with({"--network", alike}).err;
    for (std::string const& file : {host, trunk}) {
        EXPECT_EQ(with({"--network", file}).code, 2);
        EXPECT_NE(with({"--network", file}).err.find("links have several rates"), std::string::npos);
        EXPECT_EQ(with({"--network", file, "--capacities", "unit"}).code, 0);
    }
}

TEST(EvaluateCommand, JsonHasThePromisedKeys) {
    Json const json = report_of(on_tree16({"--metric", "all", "--mappings", "200", "--format", "json"}));
    EXPECT_EQ(json.at("network").at("hosts"), 16);
    EXPECT_EQ(json.at("network").at("switches"), 6);
    EXPECT_EQ(json.at("network").at("links"), 64);
    EXPECT_EQ(json.at("network").at("digest").get<std::string>().size(), 16u);
    EXPECT_TRUE(json.at("schema").is_string());
    EXPECT_TRUE(json.at("version").is_string());
    Json const& study = json.at("study");
    EXPECT_EQ(study.at("pattern"), "bisect");
    EXPECT_EQ(study.at("ranks"), 16);
    EXPECT_EQ(study.at("subset"), "linear_bfs");
    EXPECT_EQ(study.at("mapping"), "random");
    EXPECT_EQ(study.at("mappings"), 200);
    EXPECT_EQ(study.at("seed"), 1);
    EXPECT_EQ(json.at("pairs"),
              Json({{"delivered", 1600}, {"unreachable", 0}, {"loop", 0}, {"misdelivered", 0}, {"local", 0}}));

    Json const& metrics = json.at("metrics");
    EXPECT_EQ(metrics.size(), 8u);
    for (char const* const name : {"sum_max_cong", "hist_acc_band", "dep_max_delay"}) {
        Json const& metric = metrics.at(name);
        double const mean = metric.at("mean");
        EXPECT_LE(metric.at("ci99").at(0), mean);
        EXPECT_GE(metric.at("ci99").at(1), mean);
        EXPECT_LE(metric.at("min"), mean);
        EXPECT_GE(metric.at("max"), mean);
        EXPECT_GT(metric.at("stderr"), 0);
        EXPECT_GT(metric.at("variance"), 0);
        EXPECT_LT(metric.at("worst_mapping"), 200);
        for (char const* const q : {"0.01", "0.05", "0.25", "0.5", "0.75", "0.95", "0.99"})
            EXPECT_TRUE(metric.at("quantiles").at(q).is_number());
        std::uint64_t mappings = metric.value("above", 0);
        for (Json const& bin : metric.at("histogram")) mappings += bin.at("mappings").get<std::uint64_t>();
        EXPECT_EQ(mappings, 200u) << name;
    }
    EXPECT_EQ(metrics.at("hist_acc_band").at("histogram").size(), 20u);
    EXPECT_EQ(metrics.at("hist_acc_band").at("histogram").at(19).at("high"), 1.01);
    std::uint64_t flows = 0;
    double shares = 0;
    for (Json const& bin : metrics.at("hist_max_cong").at("histogram")) {
        flows += bin.at("flows").get<std::uint64_t>();
        shares += bin.at("flows").get<double>() / bin.at("congestion").get<double>();
    }
    EXPECT_EQ(flows, 1600u);
    EXPECT_NEAR(metrics.at("hist_max_cong").at("bw"), shares / 1600, 1e-9);
    Json const& cables = metrics.at("get_cable_cong");
    EXPECT_EQ(cables.at("links").size(), 64u);
    for (Json const& link : cables.at("links")) {
        for (char const* const key : {"from", "from_port", "to", "to_port"}) EXPECT_TRUE(link.contains(key));
        EXPECT_NEAR(link.at("scaled"), link.at("sum").get<double>() / cables.at("max").get<double>(), 1e-9);
    }
}

/// Metrics have names that people know beside those of ORCS; reports say the latter.
TEST(EvaluateCommand, MetricsHaveAliases) {
    std::set<std::string> names;
    for (study::MetricInfo const& metric : study::all_metrics()) {
        EXPECT_TRUE(names.insert(metric.name).second) << metric.name;
        for (std::string const& alias : metric.aliases) {
            EXPECT_TRUE(names.insert(alias).second) << alias;
            EXPECT_EQ(study::metric_named(alias), metric.metric) << alias;
        }
    }
    for (auto const& [alias, name] : {std::pair<std::string, std::string>{"ebb", "hist_acc_band"},
                                      {"bandwidth", "hist_acc_band"},
                                      {"time", "makespan"},
                                      {"congestion", "sum_max_cong"},
                                      {"link_loads", "get_cable_cong"}})
        EXPECT_EQ(run_tailback(on_tree16({"--metric", alias, "--mappings", "5"})).out,
                  run_tailback(on_tree16({"--metric", name, "--mappings", "5"})).out)
            << alias;
}

TEST(EvaluateCommand, OnlyTheMetricsAskedForAppear) {
    Json const one = report_of(on_tree16({"--mappings", "3", "--format", "json"}));
    EXPECT_EQ(one.at("metrics").size(), 1u);
    EXPECT_TRUE(one.at("metrics").contains("hist_acc_band"));
    Json const two = report_of(on_tree16(
        {"--mappings", "3", "--format", "json", "--metric", "sum_max_cong,hist_max_cong", "--metric", "sum_max_cong"}));
    EXPECT_EQ(two.at("metrics").size(), 2u);
}

TEST(EvaluateCommand, WhatHasNoMeaningIsNull) {
    Json const json =
        report_of(on_tree16({"--pattern", "null", "--metric", "all", "--mappings", "3", "--format", "json"}));
    Json const& band = json.at("metrics").at("hist_acc_band");
    EXPECT_TRUE(band.at("mean").is_null());
    EXPECT_TRUE(band.at("ci99").at(0).is_null());
    EXPECT_TRUE(band.at("worst_mapping").is_null());
    EXPECT_EQ(band.at("undefined"), 3);
    EXPECT_TRUE(json.at("metrics").at("hist_max_cong").at("bw").is_null());
    EXPECT_EQ(run_tailback(on_tree16({"--pattern", "null", "--metric", "all", "--mappings", "3"})).code, 0);
    EXPECT_EQ(
        run_tailback(on_tree16({"--pattern", "null", "--metric", "all", "--mappings", "3", "--format", "csv"})).code,
        0);
}

/// One mapping leaves no degree of freedom: nothing is known of the spread, in any form.
TEST(EvaluateCommand, OneMappingHasNoSpread) {
    Words const study = on_tree16({"--mappings", "1", "--metric", "hist_acc_band,sum_max_cong,dep_max_delay"});
    Json const json = report_of(joined(study, {"--format", "json"}));
    auto const rows = csv_rows(run_tailback(joined(study, {"--format", "csv"})).out);
    for (auto const& [name, metric] : json.at("metrics").items()) {
        EXPECT_TRUE(metric.at("stderr").is_null() && metric.at("variance").is_null() &&
                    metric.at("ci99").at(0).is_null())
            << name;
        EXPECT_TRUE(metric.at("mean").is_number()) << name;
        for (char const* const statistic : {"stderr", "variance", "ci99_low"})  // what is null has no row
            EXPECT_FALSE(std::any_of(rows.begin(), rows.end(),
                                     [&, of = name](auto const& row) { return row[0] == of && row[1] == statistic; }))
                << name << statistic;
    }
}

TEST(EvaluateCommand, ReportsAreTheSameToTheByteHoweverItRuns) {
    for (char const* const format : {"text", "json", "csv"})
        for (char const* const pattern : {"bisect", "rand", "recdbl"}) {
            std::vector<std::string> const base = {"--metric", "all", "--pattern",  pattern, "--subset", "rand",
                                                   "--ranks",  "9",   "--mappings", "300",   "--format", format};
            auto with = [&](std::vector<std::string> more) {
                more.insert(more.begin(), base.begin(), base.end());
                Finished const run = run_tailback(on_tree16(more, "file-broken"));
                EXPECT_EQ(run.code, 0) << run.err;
                return run.out;
            };
            std::string const first = with({"--device", "cpu", "--threads", "1"});
            EXPECT_FALSE(first.empty());
            EXPECT_EQ(first, with({"--threads", "2"}));
            EXPECT_EQ(first, with({"--device", "cpu", "--threads", "3", "--batch", "7"}));
            EXPECT_EQ(first, with({"--device", "auto", "--batch", "1000"}));
        }
}

/// Files for programs name their inputs; people have just typed them.
TEST(EvaluateCommand, ReportsNameNoDeviceAndTextNoFile) {
    for (char const* const format : {"text", "json", "csv"}) {
        Finished const run =
            run_tailback(on_tree16({"--mappings", "20", "--metric", "all", "--format", format}, "file-broken"));
        EXPECT_EQ(run.out.find("ibnetdiscover") == std::string::npos, format == std::string("text"));
        EXPECT_EQ(run.out.find("thread"), std::string::npos);
        EXPECT_EQ(run.out.find("cpu"), std::string::npos);
        EXPECT_NE(run.err.find("tailback: done: 20 mappings in"), std::string::npos);
        EXPECT_NE(run.err.find("tailback: warning: 1 table entry names a port without a cable"), std::string::npos);
        EXPECT_EQ(run.err.find('\r'), std::string::npos) << "a progress bar where there is no terminal";
    }
}

TEST(EvaluateCommand, DumpedMappingsReplayToTheSameNumbers) {
    TemporaryFolder const folder;
    for (char const* const pattern : {"bisect", "rand"}) {
        std::vector<std::string> const common = {"--metric",   "all", "--pattern", pattern,
                                                 "--mappings", "50",  "--format",  "json"};
        auto with = [&](std::vector<std::string> more) {
            more.insert(more.begin(), common.begin(), common.end());
            return report_of(on_tree16(more));
        };
        std::string const file = folder / "mappings";
        Json const drawn = with({"--dump-mappings", file, "--subset", "rand", "--ranks", "11"});
        EXPECT_TRUE(read_whole(file).starts_with("# mappings 0 .. 49 of pattern " + std::string(pattern) +
                                                 " on 11 ranks, subset rand, mapping random, seed 1\n"));
        Json const replayed = with({"--mapping", "file:" + file});
        EXPECT_EQ(drawn.at("metrics"), replayed.at("metrics"));
        EXPECT_EQ(drawn.at("pairs"), replayed.at("pairs"));
        EXPECT_EQ(replayed.at("study").at("mapping"), "file");
        // A dump of a replay is the same list again.
        with({"--mapping", "file:" + file, "--dump-mappings", folder / "again"});
        auto const lines = [](std::string const& text) { return text.substr(text.find("\n#")); };
        EXPECT_EQ(lines(read_whole(folder / "again")), lines(read_whole(file)));
    }
}

TEST(EvaluateCommand, DumpedMappingsReplayByNameInNetworksOfNames) {
    TemporaryFolder const folder;
    std::vector<std::string> const base = {
        "evaluate", "--network", fixture("orcs/ft16_2leaf.dot"), "--format", "json", "--mappings", "20"};
    auto with = [&](std::vector<std::string> more) {
        more.insert(more.begin(), base.begin(), base.end());
        return report_of(more);
    };
    Json const drawn = with({"--dump-mappings", folder / "m"});
    EXPECT_EQ(read_whole(folder / "m").find_first_of('"'), std::string::npos);
    EXPECT_EQ(drawn.at("metrics"), with({"--mapping", "file:" + (folder / "m")}).at("metrics"));
}

TEST(EvaluateCommand, TheWorstMappingCanBeSeenAgain) {
    Json const all = report_of(on_tree16({"--mappings", "400", "--format", "json"}));
    Json const& band = all.at("metrics").at("hist_acc_band");
    std::string const worst = std::to_string(band.at("worst_mapping").get<std::uint64_t>());
    Json const again = report_of(on_tree16({"--first-mapping", worst, "--mappings", "1", "--format", "json"}));
    EXPECT_EQ(again.at("metrics").at("hist_acc_band").at("mean"), band.at("min"));
    EXPECT_EQ(again.at("metrics").at("hist_acc_band").at("worst_mapping"), band.at("worst_mapping"));
}

/// Mappings have the numbers 0 to 2^64 - 1, the last one too: the mapping that is last is the worst of itself alone,
/// and two of them are the first of both and that one.
TEST(EvaluateCommand, TheLastMappingOfAllHasANumber) {
    auto const numbers = [](std::string const& first, char const* mappings, Words const& more = {}) {
        return report_of(on_tree16(joined(
                             {"--metric", "all", "--first-mapping", first, "--mappings", mappings, "--format", "json"},
                             more)))
            .at("metrics");
    };
    TemporaryFolder const folder;
    std::string const last = "18446744073709551615", before = "18446744073709551614";
    Json const one = numbers(last, "1"), other = numbers(before, "1"), both = numbers(before, "2");
    EXPECT_EQ(one.at("sum_max_cong").at("worst_mapping").get<std::uint64_t>(), UINT64_MAX);
    for (char const* const metric : {"sum_max_cong", "hist_acc_band", "dep_max_delay"})
        EXPECT_DOUBLE_EQ(both.at(metric).at("mean"),
                         (one.at(metric).at("mean").get<double>() + other.at(metric).at("mean").get<double>()) / 2);
    Json const many = numbers("18446744073709551000", "616").at("sum_max_cong");
    std::uint64_t counted = 0;
    for (Json const& bin : many.at("histogram")) counted += bin.at("mappings").get<std::uint64_t>();
    EXPECT_EQ(counted, 616u);
    for (Words const& more : {Words{"--batch", "1"}, Words{"--threads", "3"},
                              Words{"--checkpoint-every", "0", "--batch", "64", "--checkpoint", folder / "c"}})
        EXPECT_EQ(numbers("18446744073709551000", "616", more).at("sum_max_cong"), many) << more.front();
    Words const rows = {"--per-mapping", folder / "rows", "--dump-mappings", folder / "dump"};
    EXPECT_EQ(numbers(before, "2", rows), both);
    EXPECT_NE(read_whole(folder / "rows").find("\n18446744073709551615,"), std::string::npos);
}

/// Of every mapping's bandwidth, in units of 10^-12: as the rows say it.
std::vector<std::uint64_t> bandwidths_in(std::string const& rows) {
    std::vector<std::uint64_t> values;
    for (auto const& row : csv_rows(rows))
        if (row[0] != "mapping") values.push_back(static_cast<std::uint64_t>(std::llround(std::stod(row[1]) * 1e12)));
    return values;
}

/// A bin holds low <= value < high: on this tree bandwidths are sixteenths and forty-eighths, many of them edges of
/// bins.
TEST(EvaluateCommand, BandwidthsOnAnEdgeAreInTheBinAboveInEveryFormat) {
    TemporaryFolder const folder;
    for (char const* const pattern : {"rand", "bisect"}) {
        Words const study = {"evaluate", "--network", "xgft:m=4x4,w=1x2", "--pattern", pattern, "--mappings", "20000"};
        Json const band = report_of(joined(study, {"--format", "json", "--per-mapping", folder / "rows"}))
                              .at("metrics")
                              .at("hist_acc_band");
        std::map<std::uint64_t, std::uint64_t> fine, coarse;  // by number of the bin
        for (std::uint64_t const value : bandwidths_in(read_whole(folder / "rows"))) {
            ++fine[value / 5'000'000'000];
            ++coarse[value / 50'500'000'000];
        }
        std::map<std::uint64_t, std::uint64_t> told_fine, told_coarse, csv_fine;
        for (Json const& bin : band.at("histogram_fine"))
            told_fine[std::uint64_t(std::llround(bin.at("low").get<double>() * 200))] = bin.at("mappings");
        for (Json const& bin : band.at("histogram"))
            if (bin.at("mappings") != 0)
                told_coarse[std::uint64_t(std::llround(bin.at("low").get<double>() / 0.0505))] = bin.at("mappings");
        for (auto const& row : csv_rows(run_tailback(joined(study, {"--format", "csv"})).out))
            if (row[1] == "histogram_fine")
                csv_fine[std::uint64_t(std::llround(std::stod(row[2]) * 200))] = std::stoull(row[3]);
        EXPECT_EQ(told_fine, fine) << pattern;
        EXPECT_EQ(told_coarse, coarse) << pattern;
        EXPECT_EQ(csv_fine, fine) << pattern;
    }
}

/// The worst mapping is the first of those with the lowest bandwidth, whatever flows make up that bandwidth.
TEST(EvaluateCommand, TheWorstMappingIsTheFirstOfEquals) {
    TemporaryFolder const folder;
    for (char const* const network : {"xgft:m=4x4,w=1x2", "torus:4x4", "torus:16"})
        for (char const* const pattern : {"rand", "ptrnvsptrn"})
            for (char const* const seed : {"1", "2", "3", "4", "5", "6", "7"}) {
                Words study = {"evaluate",   "--network", network,  "--pattern", pattern,
                               "--mappings", "300",       "--seed", seed};
                if (std::string(pattern) == "ptrnvsptrn")
                    study = joined(study, {"--first", "recdbl", "--first-ranks", "8", "--second", "ring"});
                Json const json = report_of(joined(study, {"--format", "json", "--per-mapping", folder / "rows"}));
                std::vector<std::uint64_t> const values = bandwidths_in(read_whole(folder / "rows"));
                EXPECT_EQ(json.at("metrics").at("hist_acc_band").at("worst_mapping"),
                          std::min_element(values.begin(), values.end()) - values.begin())
                    << network << ' ' << pattern << ' ' << seed;
            }
}

TEST(EvaluateCommand, PerMappingRowsAddUpToTheReport) {
    TemporaryFolder const folder;
    Json const json = report_of(on_tree16({"--mappings", "100", "--metric", "hist_acc_band,sum_max_cong", "--format",
                                           "json", "--per-mapping", folder / "m.csv"},
                                          "file-broken"));
    auto const rows = csv_rows(read_whole(folder / "m.csv"));
    ASSERT_EQ(rows.size(), 101u);
    EXPECT_EQ(rows[0], (std::vector<std::string>{"mapping", "sum_max_cong", "hist_acc_band", "delivered", "unreachable",
                                                 "loop", "misdelivered", "local"}));
    double band = 0;
    std::uint64_t delivered = 0, loop = 0;
    for (std::size_t r = 1; r < rows.size(); ++r) {
        EXPECT_EQ(rows[r][0], std::to_string(r - 1));
        band += std::stod(rows[r][2]);
        delivered += std::stoull(rows[r][3]);
        loop += std::stoull(rows[r][5]);
    }
    EXPECT_NEAR(band / 100, json.at("metrics").at("hist_acc_band").at("mean"), 1e-9);
    EXPECT_EQ(delivered, json.at("pairs").at("delivered"));
    EXPECT_EQ(loop, json.at("pairs").at("loop"));
    EXPECT_GT(loop, 0u);
}

TEST(EvaluateCommand, CsvIsTidyAndSaysTheSameAsJson) {
    std::vector<std::string> const base = {"--mappings", "100", "--metric", "all"};
    auto with = [&](std::string const& format) {
        std::vector<std::string> words = base;
        words.insert(words.end(), {"--format", format});
        return run_tailback(on_tree16(words)).out;
    };
    auto const rows = csv_rows(with("csv"));
    Json const json = Json::parse(with("json"));
    ASSERT_FALSE(rows.empty());
    EXPECT_EQ(rows[0], (std::vector<std::string>{"section", "statistic", "key", "value", "from", "from_port", "to",
                                                 "to_port", "from_guid", "to_guid"}));
    for (char const* const part : {"network", "study", "pairs", "undeliverable"})
        for (auto const& [key, value] : json.at(part).items()) {
            bool const met = std::any_of(rows.begin(), rows.end(),
                                         [&, name = key](auto const& row) { return row[0] == part && row[1] == name; });
            EXPECT_TRUE(met || value.is_null() || value.is_structured()) << part << " " << key;
        }
    std::size_t links = 0;
    for (std::size_t r = 1; r < rows.size(); ++r) {
        auto const& row = rows[r];
        ASSERT_EQ(row.size(), rows[0].size());
        if (!row[3].empty()) {
            EXPECT_NO_THROW((void)std::stod(row[3])) << row[3];
        }
        links += row[0] == "get_cable_cong" && row[1] == "links_sum";
        if (json.at("metrics").contains(row[0]) && (row[1] == "mean" || row[1] == "variance" || row[1] == "stderr")) {
            EXPECT_EQ(std::stod(row[3]), json.at("metrics").at(row[0]).at(row[1]));
        }
        if ((row[0] == "network" || row[0] == "study" || row[0] == "pairs" || row[0] == "undeliverable") &&
            json.at(row[0]).contains(row[1])) {
            Json const& same = json.at(row[0]).at(row[1]);
            if (same.is_string()) {
                EXPECT_EQ(row[2], same);
            } else {
                EXPECT_EQ(std::stod(row[3]), same) << row[1];
            }
        }
        if (row[1] == "quantiles") {
            EXPECT_EQ(std::stod(row[3]), json.at("metrics").at(row[0]).at("quantiles").at(row[2]));
        }
    }
    EXPECT_EQ(links, 64u);
}

TEST(EvaluateCommand, TextTellsMeanWorstMappingAndWhatIsLeftOut) {
    std::string const text = run_tailback(on_tree16({"--mappings", "100"}, "file-broken")).out;
    for (char const* const part :
         {"Effective bisection bandwidth (eBB)", "mean    0.", "99 % confidence", "--first-mapping", "█",
          "Undeliverable: 28 of 240 pairs of these hosts\n  8 unreachable, 16 loop, 4 misdelivered", "and 18 more",
          "flows (", "load no link"})
        EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        std::size_t columns = 0;
        for (char const c : line) columns += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
        if (!line.starts_with("               ")) {  // why a pair fails, with names of any length
            EXPECT_LE(columns, 100u) << line;
        }
    }
}

/// A pseudo-terminal's near end; -1 where the system has none to give, as in a folder that became the root without
/// /dev/pts.
int open_terminal() {
    int const terminal = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (terminal >= 0 && ::grantpt(terminal) == 0 && ::unlockpt(terminal) == 0 && ::ptsname(terminal) != nullptr)
        return terminal;
    if (terminal >= 0) ::close(terminal);
    return -1;
}

/// The longest bar with its count, in columns, as a terminal so wide shows them (0: one that does not say) and COLUMNS
/// says.
std::size_t longest_bar_on_terminal(unsigned short wide, char const* told) {
    int const terminal = open_terminal();
    std::string const name = ::ptsname(terminal);
    int const kept_open = ::open(name.c_str(), O_RDWR | O_NOCTTY | O_CLOEXEC);
    struct winsize size {};
    size.ws_col = wide;
    EXPECT_EQ(::ioctl(terminal, TIOCSWINSZ, &size), 0);
    ::setenv("COLUMNS", told, 1);
    std::string text;
    std::thread reader([&] {
        char part[4096];
        for (ssize_t n; (n = ::read(terminal, part, sizeof part)) > 0;) text.append(part, std::size_t(n));
    });
    EXPECT_EQ(run_tailback(on_tree16({"--mappings", "50"}), "", name).code, 0);
    ::close(kept_open);
    reader.join();
    ::close(terminal);
    ::unsetenv("COLUMNS");
    std::size_t longest = 0;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (line.find("│") == std::string::npos) continue;
        longest = std::max(longest, columns(line.substr(0, line.find('\r'))));
    }
    return longest;
}

/// Bars are as long as the terminal is wide, from 60 to 200 columns; it says how wide it is, or else COLUMNS does,
/// or else it is as wide as a pipe (mpirun's says nothing).
/// Whatever COLUMNS says, pipes and files get the bytes they always do.
TEST(EvaluateCommand, TextFitsTheTerminal) {
    int const probe = open_terminal();
    if (probe < 0) GTEST_SKIP() << "this system has no pseudo-terminals to give";
    ::close(probe);
    std::size_t const note = columns(" mean");  // stands behind a bar, which need not be the longest
    for (auto const& [wide, told, wanted] : {std::tuple<unsigned short, char const*, std::size_t>{120, "90", 120},
                                             {0, "100", 100},
                                             {0, "", 100},
                                             {0, "wide", 100},
                                             {500, "", 200},
                                             {0, "99999999999999999999", 100},
                                             {20, "", 60},
                                             {80, "120", 80}}) {
        std::size_t const longest = longest_bar_on_terminal(wide, told);
        EXPECT_TRUE(longest == wanted || longest == wanted - note) << longest << " of " << wanted;
    }
    std::string const usual = run_tailback(on_tree16({"--mappings", "50"})).out;
    ::setenv("COLUMNS", "120", 1);
    EXPECT_EQ(run_tailback(on_tree16({"--mappings", "50"})).out, usual);
    ::unsetenv("COLUMNS");
}

TEST(EvaluateCommand, TextNamesBothEndsOfALinkHoweverLongTheNames) {
    TemporaryFolder const folder;
    std::string dot = read_whole(fixture("orcs/ft16_2leaf.dot"));
    for (std::string const leaf : {"L0", "L1"})
        for (std::size_t at = 0; (at = dot.find('"' + leaf + '"', at)) != std::string::npos;)
            dot.replace(at, 4, '"' + leaf + std::string(90, 'x') + '"');
    std::string const text =
        run_tailback({"evaluate", "--network", folder.write("long.dot", dot), "--metric", "get_cable_cong"}).out;
    std::istringstream lines(text);
    std::size_t links = 0;
    for (std::string line; std::getline(lines, line);) {
        if (line.find(" -> ") == std::string::npos || line.find("level ") != std::string::npos) continue;  // stages
        ++links;
        EXPECT_NE(line.find("xxx"), std::string::npos) << line;  // all links between switches begin or end at a leaf
        EXPECT_NE(line.find("…"), std::string::npos) << line;
        EXPECT_NE(line.find("] -> "), std::string::npos) << line;
        EXPECT_NE(line.find("]", line.find(" -> ")), std::string::npos) << line;
        std::size_t columns = 0;
        for (char const c : line) columns += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
        EXPECT_LE(columns, 100u) << line;
    }
    EXPECT_EQ(links, 12u) << text;
}

TEST(EvaluateCommand, RunInfoHoldsWhatTheReportMayNot) {
    TemporaryFolder const folder;
    ASSERT_EQ(run_tailback(on_tree16({"--mappings", "100", "--device", "cpu", "--threads", "2", "--run-info",
                                      folder / "run.json"}))
                  .code,
              0);
    Json const run = Json::parse(read_whole(folder / "run.json"));
    EXPECT_EQ(run.at("device"), "cpu");
    EXPECT_EQ(run.at("threads"), 2);
    for (char const* const key : {"read_s", "evaluate_s", "mappings_per_s", "hops_per_s"})
        EXPECT_GT(run.at(key), 0) << key;
}

/// All of 256 ranks but one send to that one: 1/255 of a link each, as 1/65,535 of 65,536; people can read it.
TEST(EvaluateCommand, SmallBandwidthsCanBeRead) {
    TemporaryFolder const folder;
    for (auto const& [network, number] :
         {std::pair("torus:16x16", "0.003922"), std::pair("torus:256x256", "0.00001526")}) {
        Words const study = {"evaluate", "--network", network, "--pattern", "gather", "--picture", folder / "p.svg"};
        std::string const text = run_tailback(joined(study, {"--mappings", "2"})).out;
        EXPECT_NE(text.find(number + std::string(" in each of 2 mappings")), std::string::npos) << text;
        EXPECT_NE(read_whole(folder / "p.svg").find("mean " + std::string(number) + "<"), std::string::npos);
        EXPECT_NE(run_tailback(joined(study, {"--mappings", "1"})).out.find("mean    " + std::string(number)),
                  std::string::npos);
    }
    std::string const spread = run_tailback({"evaluate", "--network", "torus:16x16", "--pattern", "rand", "--mappings",
                                             "20", "--capacities", "unit"})
                                   .out;
    EXPECT_NE(spread.find("  spread     min     1 %     5 %    25 %  median    75 %    95 %    99 %     max\n"),
              std::string::npos)
        << spread;
}

TEST(EvaluateCommand, PictureIsAnSvg) {
    TemporaryFolder const folder;
    for (char const* const metric : {"hist_acc_band", "sum_max_cong", "dep_max_delay"})
        for (char const* const pattern : {"bisect", "null", "recdbl"}) {
            ASSERT_EQ(run_tailback(on_tree16({"--mappings", "50", "--pattern", pattern, "--metric", metric, "--picture",
                                              folder / "p.svg"}))
                          .code,
                      0);
            std::string const svg = read_whole(folder / "p.svg");
            EXPECT_TRUE(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
            EXPECT_TRUE(svg.ends_with("</svg>\n"));
            EXPECT_EQ(svg.find("nan"), std::string::npos);
        }
}

TEST(EvaluateCommand, ReadsStandardInput) {
    std::string const dot = read_whole(fixture("orcs/ft16_2leaf.dot"));
    Finished const run = run_tailback({"evaluate", "--network", "-", "--mappings", "5"}, dot);
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_NE(run.out.find("16 ranks on all 16 hosts, 5 random mappings"), std::string::npos);
}

TEST(EvaluateCommand, SubsetFilesListHostsByLidOrName) {
    TemporaryFolder const folder;
    std::string const file = folder.write("hosts", "# four hosts\n1\n\nnode0002 HCA-1\n\"node0003 HCA-1\"\n  10\n");
    Json const json = report_of(on_tree16({"--subset", "file:" + file, "--mappings", "5", "--format", "json"}));
    EXPECT_EQ(json.at("study").at("ranks"), 4);
    EXPECT_EQ(json.at("study").at("subset"), "file");
}

/// What was made, and not read, is told in every form of the report: it can be made again from it.
TEST(EvaluateCommand, ReportsSayHowANetworkWasMade) {
    std::vector<std::string> const made = {
        "evaluate", "--network",   "torus:4x4", "--routing",  "random", "--routing-seed", "7", "--fail-cables",
        "2",        "--fail-seed", "3",         "--mappings", "3"};
    auto const as = [&](std::string const& format) {
        std::vector<std::string> words = made;
        words.insert(words.end(), {"--format", format});
        return run_tailback(words).out;
    };
    auto const network = nlohmann::json::parse(as("json")).at("network");
    EXPECT_EQ(network.at("spec"), "torus:4x4");
    EXPECT_EQ(network.at("routing"), "random");
    EXPECT_EQ(network.at("routing_seed"), 7);
    EXPECT_EQ(network.at("failed"), (nlohmann::json{{"cables", 2}, {"switches", 0}, {"seed", 3}}));
    EXPECT_NE(as("text").find("torus:4x4, routed by random (seed 7), without 2 of 48 cables (seed 3)"),
              std::string::npos);
    EXPECT_NE(as("csv").find("network,failed_cables,,2"), std::string::npos);
    auto const computed = nlohmann::json::parse(run_tailback({"evaluate", "--network", "torus:4x4", "--routes",
                                                              "arithmetic", "--mappings", "3", "--format", "json"})
                                                    .out);
    EXPECT_EQ(computed.at("network").at("routing"), "dor");
}

}  // namespace
}  // namespace tailback::evaluate_command_test
