// Ctrl-C, SIGTERM and what batch systems send: a whole report over the first mappings, said to be no more than that;
// another Ctrl-C or SIGTERM ends at once.
#include "host/evaluation/evaluation.hpp"
#include "tests/support/programs/checkpoint_file.hpp"
#include "tests/support/programs/running.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/families/xgft.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <atomic>
#include <csignal>

namespace tailback::interruption_test {
namespace {

using Json = nlohmann::json;

Words const endless = on_tree16({"--metric", "all", "--batch", "100", "--mappings", "1000000000000"}, "file-broken");

Words with_nohup(Words words) {
    words.insert(words.begin(), "nohup");
    return words;
}

/// The evaluation is under way when some of --per-mapping is out.
bool rows_were_written(TemporaryFolder const& folder) {
    for (auto const& file : std::filesystem::directory_iterator(folder.path()))
        if (file.file_size() > 0) return true;
    return false;
}

TEST(Interruption, TellsWhatIsKnown) {
    for (int const number : {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGXCPU}) {
        TemporaryFolder const folder;
        Running run(tailback_words(joined(endless, {"--format", "json", "--output", folder / "report", "--picture",
                                                    folder / "picture", "--per-mapping", folder / "rows"})));
        ASSERT_TRUE(run.wait_for([&] { return rows_were_written(folder) && run.catches(number); }));
        run.signal(number);
        Finished const finished = run.wait();
        EXPECT_EQ(finished.code, 130) << finished.err;
        EXPECT_NE(finished.err.find("tailback: note: interrupted after "), std::string::npos) << finished.err;
        Json json = Json::parse(read_whole(folder / "report"));
        EXPECT_EQ(json.at("interrupted"), Json({{"of_mappings", 1000000000000}}));
        std::uint64_t const mappings = json.at("study").at("mappings");
        EXPECT_GT(mappings, 0u);
        EXPECT_EQ(mappings % 100, 0u);
        EXPECT_TRUE(read_whole(folder / "picture").ends_with("</svg>\n"));
        EXPECT_NE(read_whole(folder / "picture").find(">INTERRUPTED after "), std::string::npos);
        json["interrupted"] = nullptr;
        EXPECT_EQ(json, Json::parse(run_tailback(on_tree16({"--metric", "all", "--format", "json", "--mappings",
                                                            std::to_string(mappings)},
                                                           "file-broken"))
                                        .out));
    }
}

TEST(Interruption, TextAndCsvSayIt) {
    for (char const* const format : {"text", "csv"}) {
        TemporaryFolder const folder;
        Running run(tailback_words(
            joined(endless, {"--format", format, "--until", "ci=0.0000001", "--per-mapping", folder / "rows"})));
        ASSERT_TRUE(run.wait_for([&] { return rows_were_written(folder) && run.catches(SIGINT); }));
        run.signal(SIGINT);
        Finished const finished = run.wait();
        EXPECT_EQ(finished.code, 130);
        bool const text = std::string(format) == "text";
        for (char const* const part :
             text ? std::vector<char const*>{"INTERRUPTED after ", "of at most 1,000,000,000,000 mappings",
                                             "NOT REACHED"}
                  : std::vector<char const*>{"interrupted,of_mappings,,1000000000000,", "until,reached,,0,"})
            EXPECT_NE(finished.out.find(part), std::string::npos) << finished.out.substr(0, 500);
    }
}

/// Mappings of several seconds each, by one thread.
Words const long_mappings = {"evaluate",  "--device",   "cpu",      "--network", "torus:32x32",
                             "--pattern", "all-to-all", "--metric", "makespan",  "--mappings",
                             "1000",      "--format",   "json",     "--threads", "1"};

/// A mapping that takes long is ended in its middle and left out, the first and any later one.
TEST(Interruption, LongMappingsAreLeftOut) {
    {
        Running run(tailback_words(long_mappings));
        ASSERT_TRUE(run.wait_for([&] { return run.catches(SIGTERM); }));
        run.signal(SIGTERM);
        Finished const finished = run.wait();
        EXPECT_EQ(finished.code, 130) << finished.err;
        EXPECT_NE(finished.err.find("there is nothing to report"), std::string::npos) << finished.err;
        EXPECT_EQ(finished.out, "");
    }
    TemporaryFolder const folder;
    std::string const file = folder / "checkpoint";
    Running run(tailback_words(joined(long_mappings, {"--checkpoint", file, "--checkpoint-every", "0"})));
    ASSERT_TRUE(run.wait_for([&] { return mappings_in(file) == 1; }));
    run.signal(SIGTERM);
    Finished const finished = run.wait();
    EXPECT_EQ(finished.code, 130) << finished.err;
    EXPECT_NE(finished.err.find("interrupted after 1 of 1,000 mappings"), std::string::npos) << finished.err;
    Json json = Json::parse(finished.out);
    EXPECT_EQ(json.at("study").at("mappings"), 1);
    json["interrupted"] = nullptr;
    Words one = long_mappings;
    *std::find(one.begin(), one.end(), "1000") = "1";
    EXPECT_EQ(json, Json::parse(run_tailback(one).out));
    EXPECT_EQ(mappings_in(file), 1u);
}

/// The same of jobs whose times are simulated.
TEST(Interruption, LongMappingsOfJobsAreLeftOut) {
    Words const words = {"jobs",
                         "torus:24x24",
                         "--time",
                         "--mappings",
                         "1000",
                         "--job",
                         "a:pattern=all-to-all:size=1MiB,ranks=500",
                         "--job",
                         "b:pattern=ring,ranks=50",
                         "--format",
                         "json",
                         "--threads",
                         "1"};
    Running run(tailback_words(words));
    ASSERT_TRUE(run.wait_for([&] { return run.catches(SIGTERM); }));
    run.signal(SIGTERM);
    Finished const finished = run.wait();
    EXPECT_EQ(finished.code, 130) << finished.err;
    EXPECT_NE(finished.err.find("there is nothing to report"), std::string::npos) << finished.err;
    EXPECT_EQ(finished.out, "");
}

/// However much of the batch is done: what is found are the mappings before it, to the bit.
TEST(Interruption, ABatchThatIsEndedInItsMiddleLeavesNoTrace) {
    for (unsigned const threads : {1u, 3u})
        for (bool const rows : {false, true}) {
            Study study;
            study.traffic.pattern = "rand";
            study.sample.mappings = 60;
            study.measures.metrics = {Metric::max_min_band, Metric::makespan, Metric::completion_time,
                                      Metric::slowdown};
            Fabric const fabric = make_xgft({{4, 4}, {1, 2}, 0});
            StudyPlan const plan = make_plan(fabric, study);
            std::atomic<bool> wish = false;
            ExecutionOptions options{.device = DeviceChoice::cpu, .threads = threads, .batch = threads};
            options.wish = &wish;
            options.progress = [&](std::uint64_t done) { wish = done >= 12; };
            std::uint64_t seen = 0;
            if (rows)
                options.per_mapping = [&](std::uint64_t m, std::span<MappingTally const>) { EXPECT_EQ(m, seen++); };
            Evaluation const result = evaluate(plan, options);
            EXPECT_TRUE(result.interrupted);
            EXPECT_EQ(result.mappings, 12u);
            EXPECT_EQ(seen, rows ? 12u : 0u);

            study.sample.mappings = 12;
            StudyPlan const twelve = make_plan(fabric, study);
            options.wish = nullptr;
            options.per_mapping = nullptr;
            options.progress = nullptr;
            options.batch = 6;
            Evaluation const want = evaluate(twelve, options);
            for (Metric const metric : study.measures.metrics)
                EXPECT_EQ(result.numbers.at(metric).mean(), want.numbers.at(metric).mean());
            EXPECT_EQ(result.delivered, want.delivered);
            EXPECT_EQ(result.flows.at(Metric::completion_time).counts, want.flows.at(Metric::completion_time).counts);
        }
}

/// Where each mapping is told, batches have so few that their tallies take little memory, whatever is asked for.
TEST(Interruption, RowsComeInBatchesThatTakeLittleMemory) {
    Study study;
    study.traffic.pattern = "bisect";
    study.sample.mappings = 600'000;
    study.measures.metrics = {Metric::sum_max_cong};
    Fabric const fabric = make_xgft({{2, 2}, {1, 2}, 0});
    StudyPlan const plan = make_plan(fabric, study);
    for (bool const rows : {false, true}) {
        ExecutionOptions options{.device = DeviceChoice::cpu, .threads = 1, .batch = 500'000};
        std::uint64_t before = 0, largest = 0, seen = 0;
        options.progress = [&](std::uint64_t done) {
            largest = std::max(largest, done - before);
            before = done;
        };
        if (rows)
            options.per_mapping = [&](std::uint64_t m, std::span<MappingTally const> row) {
                if (m == seen && row.size() == 1) ++seen;
            };
        EXPECT_EQ(evaluate(plan, options).mappings, 600'000u);
        EXPECT_EQ(seen, rows ? 600'000u : 0u);
        EXPECT_EQ(largest, rows ? 1u << 18 : 500'000u);
    }
}

/// Two signals that wait together: the first is a wish, the second an end, and no output is there, half or whole.
TEST(Interruption, TheSecondEndsAtOnce) {
    TemporaryFolder const folder;
    Running run(tailback_words(joined(endless, {"--output", folder / "report", "--per-mapping", folder / "rows"})));
    ASSERT_TRUE(run.wait_for([&] { return rows_were_written(folder); }));
    run.signal(SIGSTOP);
    run.signal(SIGINT);
    run.signal(SIGTERM);
    run.signal(SIGCONT);
    int const code = run.wait().code;
    EXPECT_TRUE(code == -SIGINT || code == -SIGTERM || code == 130)
        << code;  // 130 only when the first was seen in between
    if (code != 130) {
        EXPECT_EQ(folder.files(), 0u);
    }
}

/// What an interruption leaves in the checkpoint goes on to the bytes of a run that nothing disturbed.
TEST(Interruption, LeavesACheckpoint) {
    for (int const number : {SIGTERM, SIGUSR1}) {
        TemporaryFolder const folder;
        std::string const file = folder / "checkpoint";
        Words const study = on_tree16({"--metric", "all", "--mappings", "150000"});
        {
            Running run(tailback_words(joined(study, {"--checkpoint", file, "--batch", "10", "--threads", "1"})));
            ASSERT_TRUE(run.wait_for([&] { return run.catches(number); }));
            run.signal(number);
            Finished const finished = run.wait();
            ASSERT_EQ(finished.code, 130) << finished.err;
            EXPECT_NE(finished.out.find("INTERRUPTED"), std::string::npos);
        }
        EXPECT_GT(mappings_in(file), 0u);
        expect_to_go_on(study, file);
        EXPECT_EQ(folder.files(), 0u);
    }
}

/// SIGXCPU comes every second once the limit is passed, SIGHUP by shell and terminal: all of them are one wish.
TEST(Interruption, AnnouncementsMayComeAgain) {
    TemporaryFolder const folder;
    Running run(tailback_words(joined(endless, {"--output", folder / "report", "--per-mapping", folder / "rows"})));
    ASSERT_TRUE(run.wait_for([&] { return rows_were_written(folder); }));
    run.signal(SIGSTOP);
    for (int const number : {SIGHUP, SIGUSR1, SIGXCPU}) run.signal(number);
    run.signal(SIGCONT);
    for (int i = 0; i < 1000; ++i) run.signal(SIGXCPU);
    Finished const finished = run.wait();
    EXPECT_EQ(finished.code, 130) << finished.err;
    EXPECT_NE(read_whole(folder / "report").find("INTERRUPTED"), std::string::npos);
    EXPECT_EQ(folder.files(), 2u);
}

/// Under nohup the terminal may go.
TEST(Interruption, AnIgnoredHangUpStaysSo) {
    TemporaryFolder const folder;
    std::string const file = folder / "checkpoint";
    Words const study = with_nohup(tailback_words(joined(endless, {"--checkpoint", file, "--checkpoint-every", "0"})));
    Running run(study);
    ASSERT_TRUE(run.wait_for([&] { return mappings_in(file) > 0; }));
    run.signal(SIGHUP);
    std::uint64_t const before = mappings_in(file);
    EXPECT_TRUE(run.wait_for([&] { return mappings_in(file) > before + 1000; }));
    run.signal(SIGTERM);
    EXPECT_EQ(run.wait().code, 130);
}

/// Rows that were written on the way are those of the mappings of the report.
TEST(Interruption, RowsAreWhole) {
    TemporaryFolder const folder;
    Running run(tailback_words(joined(endless, {"--format", "json", "--per-mapping", folder / "rows"})));
    ASSERT_TRUE(run.wait_for([&] { return rows_were_written(folder); }));
    run.signal(SIGTERM);
    Finished const finished = run.wait();
    EXPECT_EQ(finished.code, 130) << finished.err;
    std::string const rows = read_whole(folder / "rows");
    EXPECT_EQ(std::uint64_t(std::count(rows.begin(), rows.end(), '\n')),
              1 + Json::parse(finished.out).at("study").at("mappings").get<std::uint64_t>());
}

}  // namespace
}  // namespace tailback::interruption_test
