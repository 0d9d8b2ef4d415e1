// `tailback sweep`: every row is what `tailback evaluate` says of that point alone, number by number; whatever stops a
// sweep, the same command continues to the same bytes; and what cannot be run is told, before anything runs where that
// is possible.
#include "host/io/yaml_tree.hpp"
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/paths.hpp"
#include "tests/support/programs/running.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"

#include "host/options/option.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <csignal>
#include <map>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tailback::sweep_command_test {
namespace {

using Json = nlohmann::ordered_json;
using Row = std::map<std::string, std::string>;

std::vector<std::string> fields_of(std::string const& line) {
    std::vector<std::string> fields(1);
    bool quoted = false;
    for (char const c : line) {
        if (c == '"') quoted = !quoted;
        else if (c == ',' && !quoted) fields.emplace_back();
        else fields.back() += c;
    }
    return fields;
}

std::vector<Row> rows_of(std::string const& csv) {
    std::istringstream in(csv);
    std::string line;
    std::getline(in, line);
    std::vector<std::string> const names = fields_of(line);
    std::vector<Row> rows;
    while (std::getline(in, line)) {
        std::vector<std::string> const fields = fields_of(line);
        EXPECT_EQ(fields.size(), names.size()) << line;
        Row row;
        for (std::size_t f = 0; f < std::min(fields.size(), names.size()); ++f) row[names[f]] = fields[f];
        rows.push_back(std::move(row));
    }
    return rows;
}

std::size_t lines_in(std::string const& file) {
    std::string const text = read_whole(file);
    return std::size_t(std::count(text.begin(), text.end(), '\n'));
}

/// The table and the reports, and nothing of how they came about.
std::string results_in(std::string const& folder) {
    return read_whole(folder + "/sweep.csv") + read_whole(folder + "/sweep.json");
}

constexpr char const* everything = R"(
network:
  - "torus:4x4,hosts=2"
  - {network: "xgft:m=4x4,w=1x4", routing: [dmodk, smodk]}
  - {network: "FOLDER/minhop/ibnetdiscover.out.xz", tables: "FOLDER/minhop/opensm-lfts.dump.xz"}
routing: [dor, minhop]
fail-cables: [~, "switch:2"]
pattern:
  - bisect
  - {pattern: ptrnvsptrn, first: ring, first-ranks: 6, second: rand, ranks: [12, 0]}
  - "file:flows.txt"
subset: [linear_bfs, rand]
mappings: 20
seed: [1, 7]
metric: all
)";

class SweepCommand : public ::testing::Test {
protected:
    void SetUp() override {
        if (!yaml_is_built_in()) GTEST_SKIP() << "built without yaml-cpp";
        std::string text = everything;
        for (std::size_t at; (at = text.find("FOLDER")) != std::string::npos;)
            text.replace(at, 6, fixture("opensm/ft2-16"));
        sweep_ = folder_.write("all.yaml", text);
        folder_.write("flows.txt", "level\n0 1\n2 3\nlevel\n1 0\n3 9\n");
    }
    Finished run(std::string const& file, std::string const& output, std::vector<std::string> const& more = {}) const {
        std::vector<std::string> words = {"sweep", file, "--output", folder_ / output};
        if (std::find(more.begin(), more.end(), "--threads") == more.end())
            words.insert(words.end(), {"--threads", "1"});
        words.insert(words.end(), more.begin(), more.end());
        return run_tailback(words);
    }
    void expect_refused(std::string const& yaml, std::string const& message) const {
        SCOPED_TRACE(yaml);
        std::string const file = folder_.write("bad.yaml", yaml);
        Finished const finished = run(file, "bad");
        EXPECT_EQ(finished.code, 2);
        EXPECT_NE(finished.err.find(message), std::string::npos) << finished.err;
        EXPECT_FALSE(std::filesystem::exists(folder_ / "bad"));
    }

    /// Runs sweep_ and sends it `signal` once its journal has so many lines. @return waitpid's status.
    int stop_after(std::size_t lines, int signal, std::string const& output) const {
        pid_t const child = ::fork();
        if (child == 0) {
            int const nowhere = ::open("/dev/null", O_WRONLY);
            ::dup2(nowhere, 2);
            for (int const number : {SIGHUP, SIGUSR1, SIGXCPU}) std::signal(number, SIG_DFL);
            ::execl(tailback_program().c_str(), "tailback", "sweep", sweep_.c_str(), "--output", output.c_str(),
                    "--threads", "1", nullptr);
            ::_exit(127);
        }
        int status = 0;
        for (bool sent = false; ::waitpid(child, &status, WNOHANG) == 0; ::usleep(500)) {
            std::string const journal = read_whole(output + "/sweep.journal");
            if (sent || std::size_t(std::count(journal.begin(), journal.end(), '\n')) < lines) continue;
            ::kill(child, signal);
            sent = true;
        }
        return status;
    }

    TemporaryFolder folder_;
    std::string sweep_;
};

TEST_F(SweepCommand, PointsTellBisectionBandwidthByFormula) {
    std::string const file = folder_.write(
        "ebb.yaml", "network: \"xgft:m=4x4,w=1x4\"\nrouting: [minhop, \"ar:minimal\"]\nmappings: 50\nebb: formula\n");
    run(file, "ebb");
    std::vector<Row> rows = rows_of(read_whole(folder_ / "ebb/sweep.csv"));
    ASSERT_EQ(rows.size(), 2u);
    Json const alone = Json::parse(run_tailback({"evaluate", "xgft:m=4x4,w=1x4", "--routing", "minhop", "--mappings",
                                                 "50", "--ebb", "formula", "--format", "json"})
                                       .out);
    EXPECT_EQ(std::stod(rows[0]["ebb_formula"]), alone.at("bisection").at("expected").get<double>());
    EXPECT_EQ(rows[1]["ebb_formula"], "");
    EXPECT_EQ(rows[1]["status"], "failed");
}

TEST_F(SweepCommand, EveryRowIsWhatEvaluateSaysOfThatPoint) {
    Finished const finished = run(sweep_, "out");
    ASSERT_EQ(finished.code, 0) << finished.err;
    Json const json = Json::parse(read_whole(folder_ / "out/sweep.json"));
    std::vector<Row> const rows = rows_of(read_whole(folder_ / "out/sweep.csv"));
    ASSERT_EQ(json.at("points").size(), (2 + 2 + 1) * 2 * 4 * 2 * 2u);
    ASSERT_EQ(rows.size(), json.at("points").size());
    for (std::size_t p = 0; p < rows.size(); p += 3) {  // 3 meets all kinds: no loop has three points
        Json const& point = json.at("points").at(p);
        EXPECT_EQ(point.at("point"), p);
        std::vector<std::string> words = {"evaluate"};
        for (auto const& [option, value] : point.at("options").items()) {
            std::string text = value.get<std::string>();
            if (text.starts_with("file:")) text = "file:" + (folder_ / text.substr(5));
            words.push_back("--" + option + "=" + text);
        }
        SCOPED_TRACE(point.at("options").dump());
        std::vector<std::string> as_json = words, as_csv = words;
        as_json.push_back("--format=json");
        as_csv.push_back("--format=csv");
        Json alone = Json::parse(run_tailback(as_json).out);
        alone.at("metrics").at("get_cable_cong").at("links") = Json::array();
        Json report = point.at("report");
        report.erase("files"), alone.erase("files");  // here without the folder
        EXPECT_EQ(report, alone);

        Row long_form;  // metric_statistic[key] -> value
        std::istringstream in(run_tailback(as_csv).out);
        for (std::string line; std::getline(in, line);) {
            std::vector<std::string> const f = fields_of(line);
            long_form[f[1] == "quantile" ? f[0] + "_q" + f[2] : f[0] + "_" + f[1]] = f[3].empty() ? f[2] : f[3];
        }
        Row row = rows[p];
        EXPECT_EQ(row["point"], std::to_string(p));
        EXPECT_EQ(row["status"], "ok");
        std::size_t same = 0;
        for (auto const& [name, value] : row)
            for (char const* const part : {"", "network_", "study_", "pairs_"})
                if (auto const at = long_form.find(part + name);
                    at != long_form.end() && name != "pattern" && name != "network") {
                    EXPECT_EQ(value, at->second) << name;
                    ++same;
                }
        EXPECT_GE(same, 3 * 16 + 2u + 20u);
        EXPECT_EQ(row["hist_max_cong_min"].empty(), false);
        bool const fails = point.at("options").contains("fail-cables");
        EXPECT_EQ(row["fail_cables"], fails ? "switch:2" : "0");
        EXPECT_EQ(row["failed_cables"], fails ? "2" : "0");
        EXPECT_EQ(row["fail_switches"] + row["failed_switches"], "00");
    }
}

TEST_F(SweepCommand, NodesRailsAndSharingAreAxesAsOthers) {
    folder_.write("nodes.txt", "N1 slots=2\nN3\nN5 slots=3\n");
    std::string const file = folder_.write("nodes.yaml", R"(
network: "rail:gpus=4,nodes=8"
nodes: ["any:4", "N[1-6]", "nodes.txt"]
rail: [~, nearest]
rail-aligned: [false, true]
mapping: [block, cyclic]
pattern: "allreduce:algorithm=ring,size=1MiB"
mappings: 5
sharing: [linear, max-min]
metric: [hist_acc_band, makespan]
)");
    Finished const finished = run(file, "out");
    ASSERT_EQ(finished.code, 0) << finished.err;
    Json const json = Json::parse(read_whole(folder_ / "out/sweep.json"));
    std::vector<Row> rows = rows_of(read_whole(folder_ / "out/sweep.csv"));
    ASSERT_EQ(json.at("points").size(), 3 * 2 * 2 * 2 * 2u);
    for (std::size_t p = 0; p < rows.size(); ++p) {
        Json const& point = json.at("points").at(p);
        std::vector<std::string> words = {"evaluate", "--format=json"};
        for (auto const& [option, value] : point.at("options").items()) {
            std::string const text = value.get<std::string>();
            if (option != "rail-aligned")
                words.push_back("--" + option + "=" + (text == "nodes.txt" ? folder_ / text : text));
            else if (text == "true") words.push_back("--rail-aligned");
        }
        SCOPED_TRACE(point.at("options").dump());
        Json alone = Json::parse(run_tailback(words).out), report = point.at("report");
        EXPECT_EQ(report.at("metrics"), alone.at("metrics"));
        EXPECT_EQ(report.at("pairs"), alone.at("pairs"));
        EXPECT_EQ(rows[p]["nodes"], point.at("options").at("nodes"));
        EXPECT_EQ(rows[p]["rail_aligned"], point.at("options").at("rail-aligned"));
        EXPECT_EQ(rows[p]["sharing"], point.at("options").at("sharing"));
        EXPECT_EQ(rows[p]["rail"], point.at("options").contains("rail") ? "nearest" : "local-rank");
    }
    // A file of nodes that changed is another point.
    folder_.write("nodes.txt", "N1\nN3\nN5\n");
    std::string const before = read_whole(folder_ / "out/sweep.csv");
    ASSERT_EQ(run(file, "out").code, 0);
    EXPECT_NE(read_whole(folder_ / "out/sweep.csv"), before);
}

TEST_F(SweepCommand, SharedNetworksAndOrderChangeNothing) {
    ASSERT_EQ(run(sweep_, "whole").code, 0);
    Json const whole = Json::parse(read_whole(folder_ / "whole/sweep.json"));
    // The same points, last loop first: networks and hosts alternate, so that other neighbours share.
    std::string yaml = "network:\n";
    std::vector<std::size_t> wanted;
    for (std::size_t p = whole.at("points").size(); p-- > 0;)
        if (p % 5 == 0) {
            wanted.push_back(p);
            yaml += "  - " + whole.at("points").at(p).at("options").dump() + "\n";
        }
    ASSERT_EQ(run(folder_.write("part.yaml", yaml), "part", {"--threads", "2"}).code, 0);
    Json const part = Json::parse(read_whole(folder_ / "part/sweep.json"));
    ASSERT_EQ(part.at("points").size(), wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i)
        EXPECT_EQ(part.at("points").at(i).at("report"), whole.at("points").at(wanted[i]).at("report"));
}

TEST_F(SweepCommand, KilledAtAnyTimeItContinuesToTheSameBytes) {
    ASSERT_EQ(run(sweep_, "whole").code, 0);
    std::string const expected = results_in(folder_ / "whole");
    for (std::size_t const lines : {1u, 2u, 75u}) {
        std::string const output = folder_ / ("killed" + std::to_string(lines));
        int const status = stop_after(lines, SIGKILL, output);
        if (WIFSIGNALED(status)) {
            EXPECT_FALSE(std::filesystem::exists(output + "/sweep.csv"));
        }
        std::string const before = read_whole(output + "/sweep.journal");
        Finished const again = run_tailback({"sweep", sweep_, "--output", output, "--threads", "1"});
        ASSERT_EQ(again.code, 0) << again.err;
        EXPECT_EQ(results_in(output), expected);
        EXPECT_TRUE(read_whole(output + "/sweep.journal").starts_with(before.substr(0, before.rfind('\n') + 1)))
            << "done points stay";
    }
}

TEST_F(SweepCommand, AskedToStopItTellsWhatIsDone) {
    ASSERT_EQ(run(sweep_, "whole").code, 0);
    std::string const expected = results_in(folder_ / "whole"), output = folder_ / "stopped";
    for (int const number : {SIGHUP, SIGUSR1, SIGXCPU}) {
        std::string const other = folder_ / std::to_string(number);
        int const ended = stop_after(2, number, other);
        EXPECT_TRUE(WIFEXITED(ended) && (WEXITSTATUS(ended) == 130 || WEXITSTATUS(ended) == 0)) << number;
        EXPECT_TRUE(std::filesystem::exists(other + "/sweep.csv"));
    }
    int const status = stop_after(3, SIGINT, output);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 130) {
        std::vector<Row> const rows = rows_of(read_whole(output + "/sweep.csv"));
        std::size_t done = 0, open = 0;
        for (Row const& row : rows) {
            done += row.at("status") == "ok";
            open += row.at("status") == "open";
        }
        EXPECT_GE(done, 2u);
        EXPECT_EQ(done + open, rows.size());
        std::string const journal = read_whole(output + "/sweep.journal");
        EXPECT_EQ(std::size_t(std::count(journal.begin(), journal.end(), '\n')), done + 1)
            << "nothing is kept of a point under way";
    } else {
        EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "ends well, or is stopped";
    }
    ASSERT_EQ(run_tailback({"sweep", sweep_, "--output", output, "--threads", "1"}).code, 0);
    EXPECT_EQ(results_in(output), expected);
}

/// A warning names the point that it is about, is told once, and at the end for how many more it holds: of a network
/// for all points that have it, of a study for that study's. Where nothing is drawn seeds make no points of their own.
TEST_F(SweepCommand, WarningsNameTheirPoint) {
    ASSERT_EQ(run_tailback(on_tree16({"--mappings", "4", "--dump-mappings", folder_ / "list"})).code, 0);
    std::string const network = fixture("opensm/ft2-16/");
    std::string const file = folder_.write(
        "s.yaml",
        "network:\n  - torus:4x4\n  - {network: " + network + "minhop/ibnetdiscover.out.xz, tables: " + network +
            "file-broken/opensm-lfts.dump.xz, subset: [~, rand], mapping: 'file:list'}\nseed: [1, 2]\nmappings: 4\n");
    for (bool const dry : {false, true}) {
        Finished const finished = dry ? run_tailback({"sweep", file, "--dry-run"}) : run(file, "out");
        ASSERT_EQ(finished.code, 0) << finished.err;
        std::string const odd = "1 table entry names a port without a cable",
                          unused = "--subset has no effect (the mapping file lists the hosts)";
        EXPECT_NE(finished.err.find("tailback: warning: point 2: " + odd), std::string::npos) << finished.err;
        EXPECT_NE(finished.err.find("tailback: warning: point 3: " + unused + "\n"), std::string::npos) << finished.err;
        EXPECT_NE(finished.err.find("tailback: note: the warning of point 2 also holds for 2 other points: " + odd),
                  std::string::npos)
            << finished.err;
        EXPECT_NE(finished.err.find("tailback: note: the warning of point 3 also holds for 1 other point: " + unused),
                  std::string::npos)
            << finished.err;
        EXPECT_EQ(finished.err.find("tailback: warning: ", finished.err.find("point 4: ")), std::string::npos)
            << "each once";
    }
}

/// Stopped, it counts what is done, not what was asked for.
TEST_F(SweepCommand, StoppedItCountsWhatIsDone) {
    std::string const file =
        folder_.write("s.yaml", "network: torus:3x3\nmappings: [5, 1000000000000, 1000000000001]\n");
    Running run(tailback_words({"sweep", file, "--output", folder_ / "out", "--threads", "1"}));
    ASSERT_TRUE(run.wait_for([&] { return run.catches(SIGINT); }));
    ASSERT_TRUE(run.wait_for([&] { return lines_in(folder_ / "out/sweep.journal") == 2; }));
    run.signal(SIGINT);
    Finished const finished = run.wait();
    EXPECT_EQ(finished.code, 130);
    EXPECT_NE(finished.err.find("done: 1 of 3 points in "), std::string::npos) << finished.err;
    EXPECT_NE(finished.err.find("stopped with 2 points open"), std::string::npos) << finished.err;
}

TEST_F(SweepCommand, AGoalIsReachedAsByEvaluate) {
    std::string const file =
        folder_.write("s.yaml", "network: torus:4x4\nuntil: [ci=0.01, ci=0.00001]\nmappings: 3000\n");
    EXPECT_EQ(run(file, "out").code, 1) << "the second goal is too far";
    std::vector<Row> const rows = rows_of(read_whole(folder_ / "out/sweep.csv"));
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(rows[0].at("until_reached"), "true");
    EXPECT_EQ(rows[1].at("until_reached"), "false");
    Json const json = Json::parse(read_whole(folder_ / "out/sweep.json"));
    Json const alone = Json::parse(run_tailback({"evaluate", "--network", "torus:4x4", "--until", "ci=0.01",
                                                 "--mappings", "3000", "--format", "json"})
                                       .out);
    EXPECT_EQ(json.at("points").at(0).at("report"), alone);
}

TEST_F(SweepCommand, AJournalCutAnywhereIsContinued) {
    std::string const small =
        folder_.write("small.yaml", "network: torus:3x3\npattern: [bisect, rand]\nmappings: 20\nseed: [1, 2]\n");
    ASSERT_EQ(run(small, "whole").code, 0);
    std::string const expected = results_in(folder_ / "whole"), journal = read_whole(folder_ / "whole/sweep.journal");
    std::string const cut = folder_ / "cut";
    std::filesystem::create_directory(cut);
    for (std::size_t size = 0; size <= journal.size(); size += 1 + journal.size() / 25) {
        folder_.write("cut/sweep.journal", journal.substr(0, size));
        Finished const again = run_tailback({"sweep", small, "--output", cut, "--threads", "1"});
        ASSERT_EQ(again.code, 0) << again.err;
        ASSERT_EQ(results_in(cut), expected) << size;
        ASSERT_EQ(read_whole(cut + "/sweep.journal"), journal) << size;
    }
}

TEST_F(SweepCommand, ADamagedOrStrangeJournalIsRefused) {
    std::string const small = folder_.write("small.yaml", "network: torus:3x3\nmappings: 20\nseed: [1, 2, 3]\n");
    ASSERT_EQ(run(small, "out").code, 0);
    std::string const journal = read_whole(folder_ / "out/sweep.journal"), expected = results_in(folder_ / "out");
    auto const with = [&](std::string const& text) {
        folder_.write("out/sweep.journal", text);
        return run(small, "out");
    };
    std::string damaged = journal;
    damaged[journal.find('\n') + 40] ^= 1;
    Finished const refused = with(damaged);
    EXPECT_EQ(refused.code, 2);
    EXPECT_NE(refused.err.find("sweep.journal:2: the journal is damaged here"), std::string::npos) << refused.err;
    EXPECT_NE(with("hello\n").err.find("this is not a journal (it does not begin as one)"), std::string::npos);
    EXPECT_NE(with("tailback-sweep-journal-1 0.1.0\n")
                  .err.find("the journal is of another version of the program (its form is another)"),
              std::string::npos);
    EXPECT_NE(with("tailback-sweep-journal-2 0.0.1\n")
                  .err.find("the journal is of another version of the program (0.0.1 there, "),
              std::string::npos);
    EXPECT_EQ(run(small, "out", {"--fresh"}).code, 0);
    EXPECT_EQ(results_in(folder_ / "out"), expected);
    EXPECT_EQ(read_whole(folder_ / "out/sweep.journal"), journal);
}

TEST_F(SweepCommand, OnlyWhatIsNewIsComputed) {
    std::string const file = folder_.write("grow.yaml", "network: torus:3x3\nmappings: 20\nseed: [1, 2]\n");
    ASSERT_EQ(run(file, "out").code, 0);
    std::string const before = read_whole(folder_ / "out/sweep.journal");
    folder_.write("grow.yaml", "network: torus:3x3\nmappings: 20\nseed: [3, 2, 1]\n");
    Finished const more = run(file, "out");
    EXPECT_NE(more.err.find("3 points"), std::string::npos) << more.err;
    EXPECT_NE(more.err.find("2 of them done before"), std::string::npos) << more.err;
    std::string const after = read_whole(folder_ / "out/sweep.journal");
    EXPECT_TRUE(after.starts_with(before));
    EXPECT_EQ(std::count(after.begin(), after.end(), '\n'), std::count(before.begin(), before.end(), '\n') + 1);
    EXPECT_EQ(rows_of(read_whole(folder_ / "out/sweep.csv")).at(0).at("seed"), "3");
}

TEST_F(SweepCommand, AChangedInputFileIsANewPoint) {
    folder_.write("pairs.txt", "0 1\n");
    std::string const file =
        folder_.write("s.yaml", "network: torus:3x3\npattern: 'file:pairs.txt'\nranks: 4\nmappings: 20\n");
    ASSERT_EQ(run(file, "out").code, 0);
    folder_.write("pairs.txt", "0 1\n2 1\n");
    Finished const again = run(file, "out");
    EXPECT_NE(again.err.find("0 of them done before"), std::string::npos) << again.err;
    EXPECT_EQ(rows_of(read_whole(folder_ / "out/sweep.csv")).at(0).at("delivered"), "40");
}

TEST_F(SweepCommand, AFileThatARoutingNamesIsAnInput) {
    // Up*/down* on a ring sends everything over its root or not, so that another root is another row.
    folder_.write("graph.txt", "a b\nb c\nc d\nd e\ne a\n");
    for (std::string const routing : {"updn:roots=file:r.txt", "valiant:by=updn:roots=file:r.txt"}) {
        folder_.write("r.txt", "Sa\n");
        std::string const file = folder_.write(
            "s.yaml", "network: 'edge-list:graph.txt,hosts=2'\nrouting: '" + routing + "'\nmappings: 50\n");
        std::string const out = "out" + std::to_string(routing.size());
        Finished const first = run(file, out);
        ASSERT_EQ(first.code, 0) << first.err;
        std::string const before = read_whole(folder_ / (out + "/sweep.csv"));
        EXPECT_NE(run(file, out).err.find("1 of them done before"), std::string::npos);
        folder_.write("r.txt", "Sc\n");
        Finished const again = run(file, out);
        EXPECT_NE(again.err.find("0 of them done before"), std::string::npos) << again.err;
        EXPECT_NE(read_whole(folder_ / (out + "/sweep.csv")), before);
    }
    // And no output takes the place of one.
    std::filesystem::create_directory(folder_ / "o");
    std::string const roots = folder_.write("o/sweep.csv", "Sa\n");
    Finished const refused =
        run(folder_.write("t.yaml", "network: ring:5\nrouting: 'updn:roots=file:o/sweep.csv'\nmappings: 5\n"), "o");
    EXPECT_EQ(refused.code, 2);
    EXPECT_NE(refused.err.find("an output would replace an input"), std::string::npos) << refused.err;
    EXPECT_EQ(read_whole(roots), "Sa\n");
}

TEST_F(SweepCommand, APointThatCannotBeRunIsARowWithItsReason) {
    std::string const file = folder_.write(
        "s.yaml", "network: [torus:3x3, torus:4x4]\nrouting: [dor, dmodk]\nranks: [9, 16]\nmappings: 5\n");
    Finished const finished = run(file, "out");
    EXPECT_EQ(finished.code, 1) << finished.err;
    std::vector<Row> const rows = rows_of(read_whole(folder_ / "out/sweep.csv"));
    ASSERT_EQ(rows.size(), 8u);
    std::string states;
    for (Row const& row : rows) states += row.at("status") + " ";
    EXPECT_EQ(states, "ok failed failed failed ok ok failed failed ");
    EXPECT_NE(rows[1].at("reason").find("16 ranks do not fit on 9 hosts"), std::string::npos);
    EXPECT_NE(rows[2].at("reason").find("this network has no routing"), std::string::npos);
    EXPECT_EQ(rows[3].at("ranks"), "16");
    EXPECT_EQ(rows[3].at("hist_acc_band_mean"), "");
    Json const json = Json::parse(read_whole(folder_ / "out/sweep.json"));
    EXPECT_EQ(json.at("points").at(1).at("status"), "failed");
    EXPECT_EQ(json.at("points").at(1).at("reason"), rows[1].at("reason"));
    EXPECT_EQ(run(file, "out").code, 1) << "and it stays so";
}

TEST_F(SweepCommand, WhatIsWrongInItselfIsToldBeforeAnythingRuns) {
    expect_refused("network: torus:4x4\nseed: [1, x]\n", "bad.yaml:2: --seed \"x\" is not a whole number");
    expect_refused("network: torus:4x4\npattern:\n  - rand\n  - bisct\n",
                   "bad.yaml:4: unknown pattern \"bisct\" (the nearest is \"bisect\")");
    expect_refused("network:\n  - torus:4x4\n  - tours:4x4\n", "bad.yaml:3: unknown topology \"tours\"");
    expect_refused("network:\n  - torus:4x4\n  - torus:4y4\n", "bad.yaml:3: ");
    expect_refused("network: nowhere.net\n", "bad.yaml:1: \"nowhere.net\" is neither a file nor the spec of a network");
    expect_refused("network: [torus:4x4,hosts=2]\n", "put quotes around a spec with commas inside [ ]");
    expect_refused("network: '-'\n", "bad.yaml:1: a network cannot come from standard input");
    expect_refused("network: torus:4x4\nrouting: mihnop\n", "bad.yaml:2: unknown routing \"mihnop\"");
    expect_refused("network: torus:4x4\nrouting: dor:ties=sideways\n", "bad.yaml:2: ");
    expect_refused("network: torus:4x4\ntables: t\n", "bad.yaml:2: tables do not go with the spec");
    expect_refused("network: torus:4x4\nmetric: [hist_acc_bnd]\n", "bad.yaml:2: unknown metric \"hist_acc_bnd\"");
    expect_refused("network: torus:4x4\nfail-cables: 200%\n", "bad.yaml:2: ");
    expect_refused("network: torus:4x4\npattern: 'file:none.txt'\n", "bad.yaml:2: none.txt");
    expect_refused("network: torus:4x4\nsubset: 'file:none.txt'\n", "bad.yaml:2: none.txt");
    expect_refused("network: torus:4x4\npattern: ptrnvsptrn\n", "bad.yaml:2: --first is missing");
    expect_refused("network: torus:4x4\nranks: 4294967296\n", "bad.yaml:2: --ranks");
    expect_refused("network: ring:8\nmappings: 1e-3\nseed: 0x10\n", "bad.yaml:2: --mappings");
    expect_refused("network: ring:8\nseed: 0x10\nmappings: 10\nlevel: x\n", "bad.yaml:4: --level");
    expect_refused("network: ring:8\nrouting: updn:roots=file:none.txt\n", "bad.yaml:2: none.txt");
    expect_refused("network: edge-list:none.txt\n", "bad.yaml:1: none.txt");
    expect_refused("network: ring:8\nfail-seed: [1, 2]\n", "bad.yaml:2: \"fail-seed\" has no effect at any point");
}

/// Every key of a sweep, but `strict` and those of brackets and metrics, is a column: points can be told apart by it.
TEST_F(SweepCommand, KeysAreColumns) {
    std::string const file = folder_.write("small.yaml",
                                           "network: \"xgft:m=4x4,w=1x2\"\nrouting: minhop\nlmc: [0, 1]\nmappings: 3\n"
                                           "time: true\npattern: \"rand\"\n");
    ASSERT_EQ(run(file, "columns").code, 0);
    std::string const csv = read_whole(folder_ / "columns/sweep.csv");
    std::string const head = "," + csv.substr(0, csv.find('\n')) + ",";
    for (options::Option const* const key : options::sweep_keys()) {
        std::string name = key->name;
        bool const elsewhere = name == "strict" || name == "metric" || name == "bracket" || name == "multipath" ||
                               name == "spread" || key->is_of(options::bracket) != key->is_of(options::evaluate) ||
                               (key->is_of(options::multipath) && !key->is_of(options::evaluate));
        if (elsewhere && !key->is_of(options::command_named("schedule"))) continue;
        std::replace(name.begin(), name.end(), '-', '_');
        EXPECT_EQ(head.find("," + name + ",") != std::string::npos, name != "strict") << name;
    }
    EXPECT_NE(head.find(",makespan_mean,"), std::string::npos) << head;
}

/// A setting that has no effect at a point is no part of it: points that differ in it alone are one.
TEST_F(SweepCommand, SettingsWithoutEffectMakeNoPoints) {
    auto const points = [&](std::string const& yaml) {
        std::string const file = folder_.write("mixed.yaml", yaml);
        Finished const done = run(file, "mixed", {"--fresh"});
        EXPECT_EQ(done.code, 0) << done.err;
        return nlohmann::json::parse(read_whole(folder_ / "mixed/sweep.json")).at("points").size();
    };
    std::string const small = "network: torus:4x4\nmappings: 3\n";
    EXPECT_EQ(points(small + "fail-cables: [~, 2]\nfail-seed: [1, 2, 3]\nrouting: minhop\n"), 4u);
    EXPECT_EQ(points(small + "routing: \"ar:minimal\"\nbracket: [false, true]\nhash-draws: [1, 2]\n"), 3u);
    EXPECT_EQ(points(small + "pattern: [ring, ptrnvsptrn]\nfirst: bisect\nfirst-ranks: [4, 8]\nsecond: ring\n"), 3u);
    expect_refused(small + "time: [true, false]\nlatency: link=1\n",
                   "bad.yaml:3: \"time\" is false beside \"latency\"");
    expect_refused(small + "hash-draws: 5\n",
                   "bad.yaml:3: \"hash-draws\" has no effect at any point (`tailback evaluate` does not have it)");
}

TEST_F(SweepCommand, UsageIsChecked) {
    auto const message = [](std::vector<std::string> const& words) {
        Finished const finished = run_tailback(words);
        EXPECT_EQ(finished.code, 2);
        return finished.err;
    };
    EXPECT_NE(message({"sweep"}).find("the sweep's file is missing"), std::string::npos);
    EXPECT_NE(message({"sweep", sweep_}).find("--output is missing"), std::string::npos);
    EXPECT_NE(message({"sweep", sweep_, "other.yaml"}).find("one word too many"), std::string::npos);
    EXPECT_NE(message({"sweep", folder_ / "none.yaml", "--output", folder_ / "o"}).find("none.yaml"),
              std::string::npos);
    EXPECT_NE(message({"sweep", sweep_, "--output", sweep_}).find("the folder cannot be created"), std::string::npos);
    EXPECT_NE(message({"sweep", sweep_, "--outputs", "x"}).find("unknown option"), std::string::npos);
    EXPECT_EQ(run_tailback({"sweep", "--help"}).code, 0);
}

TEST_F(SweepCommand, ADryRunListsPointsAndWritesNothing) {
    std::string const file = folder_.write("dry/s.yaml", "");
    std::filesystem::create_directory(folder_ / "dry");
    folder_.write("dry/s.yaml", "network: [torus:3x3, torus:4x4]\nranks: [9, 16]\nmappings: 5\n");
    Finished const finished = run_tailback({"sweep", folder_ / "dry/s.yaml", "--dry-run"});
    EXPECT_EQ(finished.code, 1);
    EXPECT_NE(finished.out.find("cannot be run: 16 ranks do not fit on 9 hosts"), std::string::npos) << finished.out;
    EXPECT_NE(finished.out.find("4 points on 2 networks"), std::string::npos) << finished.out;
    std::size_t files = 0;
    for ([[maybe_unused]] auto const& entry : std::filesystem::directory_iterator(folder_ / "dry")) ++files;
    EXPECT_EQ(files, 1u);
}

/// The flows of a point are those on its own network, also behind a point that cannot be run: on n hosts `rand` has n a
/// mapping.
TEST_F(SweepCommand, ADryRunGoesOnBehindAPointThatCannotBeRun) {
    std::string const file = folder_.write(
        "s.yaml",
        "network: [torus:3x3, {network: torus:5x5, routing: dmodk}, torus:3x3]\npattern: rand\nmappings: 1\n");
    Finished const finished = run_tailback({"sweep", file, "--dry-run"});
    EXPECT_EQ(finished.code, 1);
    EXPECT_NE(finished.out.find("     0  network=torus:3x3  9 flows\n"), std::string::npos) << finished.out;
    EXPECT_NE(finished.out.find("     2  network=torus:3x3  9 flows\n"), std::string::npos) << finished.out;
}

/// A network that several points have, and that cannot be had, is each point's reason.
TEST_F(SweepCommand, ABrokenNetworkIsTheReasonOfAllItsPoints) {
    folder_.write("graph.txt", "a b\na\n");
    std::string const file = folder_.write(
        "s.yaml", "network: [edge-list:graph.txt, torus:3x3]\nrouting: [minhop, bfs]\nseed: [1, 2]\nmappings: 5\n");
    EXPECT_EQ(run(file, "out").code, 1);
    std::vector<Row> const rows = rows_of(read_whole(folder_ / "out/sweep.csv"));
    ASSERT_EQ(rows.size(), 8u);
    for (std::size_t r = 0; r < 4; ++r)
        EXPECT_NE(rows[r].at("reason").find("graph.txt:2: "), std::string::npos) << rows[r].at("reason");
    for (std::size_t r = 4; r < 8; ++r) EXPECT_EQ(rows[r].at("status"), "ok");
    Finished const dry = run_tailback({"sweep", file, "--dry-run"});
    EXPECT_NE(dry.out.find("4 of them cannot be run"), std::string::npos) << dry.out;
}

TEST_F(SweepCommand, NamesOfFilesAreRelativeToTheSweep) {
    std::filesystem::create_directory(folder_ / "deep");
    folder_.write("deep/graph.txt", "a b\nb c\nc a\n");
    folder_.write("deep/s.yaml", "network: edge-list:graph.txt\nmappings: 5\n");
    Finished const finished = run(folder_ / "deep/s.yaml", "out");
    EXPECT_EQ(finished.code, 0) << finished.err;
    EXPECT_EQ(rows_of(read_whole(folder_ / "out/sweep.csv")).at(0).at("hosts"), "3");
}

/// A point with a workload is `tailback schedule`; its numbers are means over the seeds.
TEST(SweepOfSchedules, AreThoseOfTheCommand) {
    TemporaryFolder const folder;
    folder.write("own.edges", "0 1 8\n1 0 8\n");
    folder.write("day.yaml",
                 "jobs:\n  - {name: a, count: 30, every: \"exponential:5\", nodes: [1, 2, 6], work: "
                 "\"exponential:40\", requested: 60, pattern: [bisect, ring]}\n"
                 "  - {name: b, nodes: 2, work: 9, submit: 4, traffic: own.edges}\n");
    std::string const file =
        folder.write("s.yaml",
                     "network: [torus:4x3, \"xgft:m=4x3,w=1x2\"]\nworkload: day.yaml\nqueue: [fcfs, easy]\n"
                     "select: [first, random]\nseeds: 5\nseed: 3\n");
    Finished const done = run_tailback({"sweep", file, "--output", folder / "out"});
    ASSERT_EQ(done.code, 0) << done.err;
    Json const table = Json::parse(read_whole(folder / "out/sweep.json"));
    ASSERT_EQ(table["points"].size(), 8u);
    for (Json const& point : table["points"]) {
        Json const& options = point["options"];
        Finished const alone =
            run_tailback({"schedule", folder / "day.yaml", "--network", options["network"], "--queue", options["queue"],
                          "--select", options["select"], "--seeds", "5", "--seed", "3", "--format", "json"});
        ASSERT_EQ(alone.code, 0) << alone.err;
        Json const seeds = Json::parse(alone.out)["seeds"];
        ASSERT_EQ(seeds.size(), 5u);
        for (auto const& [name, key] : {std::pair{"wait", "wait_mean"}, {"job_slowdown", "slowdown_mean"}}) {
            double sum = 0, least = 1e300;
            for (Json const& seed : seeds)
                sum += seed[key].get<double>(), least = std::min(least, seed[key].get<double>());
            EXPECT_NEAR(point["report"]["metrics"][name]["mean"].get<double>(), sum / 5, 1e-12 * sum);
            EXPECT_EQ(point["report"]["metrics"][name]["min"], least);
        }
    }
    std::string const csv = read_whole(folder / "out/sweep.csv");
    EXPECT_NE(csv.find(",wait_mean,wait_stderr,wait_min,wait_max,"), std::string::npos);
    EXPECT_NE(csv.find(",day.yaml,easy,random,"), std::string::npos);
    // The journal knows what is done; another traffic of the workload is another point.
    EXPECT_NE(run_tailback({"sweep", file, "--output", folder / "out"}).err.find("8 of them done before"),
              std::string::npos);
    folder.write("own.edges", "0 1 9\n1 0 8\n");
    EXPECT_NE(run_tailback({"sweep", file, "--output", folder / "out"}).err.find("0 of them done before"),
              std::string::npos);
    std::string const wrong = folder.write("w.yaml", "network: torus:4x3\nworkload: day.yaml\nmetric: hop_bytes\n");
    Finished const refused = run_tailback({"sweep", wrong, "--output", folder / "out2"});
    EXPECT_EQ(refused.code, 2);
    EXPECT_NE(
        refused.err.find(
            "w.yaml:3: \"metric\" has no effect at any point (`tailback schedule` does not have it); leave it out"),
        std::string::npos)
        << refused.err;
}

}  // namespace
}  // namespace tailback::sweep_command_test
