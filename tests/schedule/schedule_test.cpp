// Definitions: docs/schedule.md. FCFS begins waiting jobs in their order while they fit. EASY lets a later job begin
// that is over (by the time it asked for) when the first waiting one can begin, or leaves it its nodes. A job's load is
// what its flows put on links; its slowdown the largest load of all on its links over the largest of its own; a job
// with `work` goes on at 1 / (1 - c + c x slowdown).
#include "host/base/numbers.hpp"
#include "host/io/yaml_tree.hpp"
#include "host/model/routes/trace.hpp"
#include "host/schedule/node_choice.hpp"
#include "host/schedule/queue.hpp"
#include "host/schedule/swf.hpp"
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/reading.hpp"
#include "tests/support/programs/running.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/routing.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <csignal>
#include <map>
#include <random>
#include <regex>
#include <set>

namespace tailback::schedule_test {
namespace {

using Json = nlohmann::json;

class Schedules : public ::testing::Test {
protected:
    void SetUp() override {
        if (!yaml_is_built_in()) GTEST_SKIP() << "built without yaml-cpp";
    }
    /// The report of a workload, as JSON.
    Json run(std::string const& workload, Words const& more) const {
        std::string const file = folder_.write("workload", workload);
        Finished const done = run_tailback(joined({"schedule", file, "--format", "json"}, more));
        EXPECT_EQ(done.code, 0) << done.err;
        return Json::parse(done.out);
    }
    void expect_refused(std::string const& workload, std::string const& message, Words const& more = {}) const {
        SCOPED_TRACE(workload);
        std::string const file = folder_.write("workload", workload);
        Finished const done = run_tailback(joined({"schedule", file, "--network", "star:8"}, more));
        EXPECT_EQ(done.code, 2);
        EXPECT_NE(done.err.find(message), std::string::npos) << done.err;
        EXPECT_EQ(done.out, "");
    }
    TemporaryFolder folder_;
};

double start_of(Json const& report, std::string const& name) {
    for (Json const& job : report["jobs"])
        if (job["name"] == name) return job["start"];
    return -1;
}
double end_of(Json const& report, std::string const& name) {
    for (Json const& job : report["jobs"])
        if (job["name"] == name) return job["end"];
    return -1;
}

// By hand, on ten nodes. At 0 a takes six until 100. b needs six: it waits for 100. c (four, 80 s) is over at 82: EASY
// lets it in at 2. d (four, 200 s) would not be over at 100, but b leaves four nodes then: EASY lets it in at 82. e
// (one, 500 s) is behind: at 100 all ten are in use; when b ends at 150 it begins.
TEST_F(Schedules, EasyAsByHand) {
    std::string const workload =
        "jobs:\n"
        "  - {name: a, submit: 0, nodes: 6, duration: 100}\n"
        "  - {name: b, submit: 1, nodes: 6, duration: 50}\n"
        "  - {name: c, submit: 2, nodes: 4, duration: 80}\n"
        "  - {name: d, submit: 3, nodes: 4, duration: 200}\n"
        "  - {name: e, submit: 4, nodes: 1, duration: 500}\n";
    Json const easy = run(workload, {"--network", "star:10", "--queue", "easy"});
    std::map<std::string, double> const wanted = {{"a", 0}, {"b", 100}, {"c", 2}, {"d", 82}, {"e", 150}};
    for (auto const& [name, start] : wanted) EXPECT_EQ(start_of(easy, name), start) << name;
    Json const fcfs = run(workload, {"--network", "star:10"});
    // c begins beside b at 100 and ends at 180; b at 150; d at 150 takes four of six; e one more.
    std::map<std::string, double> const in_order = {{"a", 0}, {"b", 100}, {"c", 100}, {"d", 150}, {"e", 150}};
    for (auto const& [name, start] : in_order) EXPECT_EQ(start_of(fcfs, name), start) << name;
    Json const& sum = fcfs["seeds"][0];
    EXPECT_EQ(sum["makespan"], 650);
    EXPECT_DOUBLE_EQ(sum["wait_mean"], (0 + 99 + 98 + 147 + 146) / 5.0);
    EXPECT_EQ(sum["utilisation"], rounded((600 + 300 + 320 + 800 + 500) / 6500.0));  // to 12 digits
    EXPECT_EQ(sum["slowdown_mean"], 1);
}

// A job that runs longer than it asked for delays the promise, and breaks nothing.
TEST(Queue, WhoIsLateCountsAsEndingNow) {
    std::vector<WaitingJob> const waiting = {{6, 10}, {2, 5}, {2, 500}};
    EXPECT_EQ(jobs_to_start(QueuePolicy::easy, waiting, {{8, 50}}, 2, 100), (std::vector<std::size_t>{1}));
    EXPECT_EQ(jobs_to_start(QueuePolicy::easy, waiting, {{8, 200}}, 2, 100), (std::vector<std::size_t>{1}));
    EXPECT_EQ(jobs_to_start(QueuePolicy::fcfs, waiting, {{8, 200}}, 2, 100), (std::vector<std::size_t>{}));
}

// By hand: two leaves of three nodes, one cable up from each. `filler` has nodes 0 and 1 until 10; `a` begins at 1 on
// nodes 2 and 3 and so crosses; b begins at 11 on 0, 1 and 4 and crosses as well: both have a load of 1 alone and 2
// together. b works 30 s at half speed: until 71. a has worked 10 s by then, and 30 s: its last 60 end at 131. Where
// only half of a is communication it goes on at 1/1.5 beside b: 40 s, and its last 50 end at 121.
TEST_F(Schedules, CongestionLengthensWork) {
    for (auto const& [share, end] : {std::pair("", 131.0), std::pair(", communication: 0.5", 121.0)}) {
        Json const report = run(std::string("jobs:\n  - {name: filler, nodes: 2, duration: 10}\n"
                                            "  - {name: a, submit: 1, nodes: 2, work: 100, pattern: ring") +
                                    share + "}\n  - {name: b, submit: 11, nodes: 3, work: 30, pattern: ring}\n",
                                {"--network", "xgft:m=3x2,w=1x1"});
        EXPECT_NEAR(end_of(report, "b"), 71, 1e-9);
        EXPECT_NEAR(end_of(report, "a"), end, 1e-9);
        EXPECT_EQ(report["jobs"][1]["worst_slowdown"], 2);
        EXPECT_NEAR(double(report["jobs"][1]["slowdown"]), rounded((10 + 60 * 2 + (end - 71)) / (end - 1)), 1e-12);
        EXPECT_EQ(report["seeds"][0]["largest_load"], 2);
    }
    // A duration stays, whatever happens on links.
    Json const fixed =
        run("jobs:\n  - {name: filler, nodes: 2, duration: 10}\n"
            "  - {name: a, submit: 1, nodes: 2, duration: 100, pattern: ring}\n"
            "  - {name: b, submit: 11, nodes: 3, duration: 30, pattern: ring}\n",
            {"--network", "xgft:m=3x2,w=1x1"});
    EXPECT_EQ(end_of(fixed, "a"), 101);
    EXPECT_EQ(fixed["jobs"][1]["worst_slowdown"], 2);
}

/// First come, first served, first free nodes, second by second; loads by walking every route.
struct SecondBySecond {
    struct Job {
        int submit, nodes, duration, shift;
        int start = -1;
        std::vector<int> on;
    };
    std::vector<Job> jobs;
    double largest = 0;

    void run(Fabric const& fabric) {
        std::vector<int> owner(fabric.network.hosts().size(), -1);
        std::size_t next = 0, ended = 0;
        for (int second = 0; ended < jobs.size(); ++second) {
            for (std::size_t j = 0; j < jobs.size(); ++j)
                if (jobs[j].start >= 0 && jobs[j].start + jobs[j].duration == second) {
                    ++ended;
                    for (int const node : jobs[j].on) owner[std::size_t(node)] = -1;
                }
            while (next < jobs.size() && jobs[next].submit <= second) {
                Job& job = jobs[next];
                if (std::count(owner.begin(), owner.end(), -1) < job.nodes) break;
                for (std::size_t n = 0; int(job.on.size()) < job.nodes; ++n)
                    if (owner[n] == -1) owner[n] = int(next), job.on.push_back(int(n));
                job.start = second;
                ++next;
            }
            std::map<std::size_t, int> load;
            for (Job const& job : jobs) {
                if (job.start < 0 || second < job.start || second >= job.start + job.duration) continue;
                for (int r = 0; r < job.nodes; ++r) {
                    int const to = (r + job.shift) % job.nodes;
                    if (to == r) continue;
                    Host const source{std::size_t(job.on[std::size_t(r)])},
                        target{std::size_t(job.on[std::size_t(to)])};
                    for (Link const link : fabric.routing->trace(fabric, source, fabric.network[target].lid).links)
                        largest = std::max(largest, double(++load[link.value]));
                }
            }
        }
    }
};

TEST_F(Schedules, AgreesWithSecondBySecond) {
    std::mt19937 random(7);
    for (std::string const spec : {"xgft:m=4x4,w=1x2", "torus:4x4", "dragonfly:p=2,a=4,h=2"}) {
        SCOPED_TRACE(spec);
        Topology const topology = make_topology(spec);
        Fabric const fabric{topology.network, make_tables(topology, {"minhop", 1}), true};
        auto const hosts = static_cast<int>(topology.network.hosts().size());
        SecondBySecond naive;
        std::string yaml = "jobs:\n";
        int clock = 0;
        for (int j = 0; j < 40; ++j) {
            clock += int(random() % 12);
            SecondBySecond::Job const job{
                clock, 1 + int(random() % unsigned(hosts / 2)), 1 + int(random() % 60), 1 + int(random() % 3), -1, {}};
            naive.jobs.push_back(job);
            yaml += fmt::format("  - {{name: j{}, submit: {}, nodes: {}, duration: {}, pattern: \"shift:by={}\"}}\n", j,
                                job.submit, job.nodes, job.duration, job.shift);
        }
        naive.run(fabric);
        Json const report = run(yaml, {"--network", spec, "--routing", "minhop"});
        for (std::size_t j = 0; j < naive.jobs.size(); ++j) {
            EXPECT_EQ(report["jobs"][j]["start"], naive.jobs[j].start) << j;
            EXPECT_EQ(report["jobs"][j]["on"], naive.jobs[j].on) << j;
        }
        EXPECT_EQ(report["seeds"][0]["largest_load"], naive.largest);
    }
}

// The slowdown of two jobs of one level is that of `tailback jobs`.
TEST_F(Schedules, SlowsDownAsJobsDo) {
    Words const network = {"--network", "torus:4x4", "--routing", "dor"};
    Json const report =
        run("jobs:\n  - {name: a, nodes: 7, duration: 5, pattern: \"shift:by=3\"}\n"
            "  - {name: b, nodes: 9, duration: 5, pattern: \"shift:by=4\"}\n",
            network);
    Finished const jobs = run_tailback(joined(
        {"jobs", "--format", "json", "--job", "a:pattern=shift:by=3,ranks=7", "--job", "b:pattern=shift:by=4,ranks=9"},
        network));
    ASSERT_EQ(jobs.code, 0) << jobs.err;
    Json const together = Json::parse(jobs.out);
    for (std::size_t j : {0u, 1u})
        EXPECT_NEAR(double(report["jobs"][j]["slowdown"]), double(together["jobs"][j]["slowdown"]["mean"]), 1e-6);
}

TEST(FreeNodes, AreTakenByPolicy) {
    std::vector<std::uint32_t> const leaf = {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2};
    using Nodes = std::vector<std::uint32_t>;
    FreeNodes free(leaf);
    free.take(2, NodePolicy::first, 1, 0);  // leaves 2, 4 and 4
    EXPECT_EQ(FreeNodes(free).take(3, NodePolicy::first, 1, 0), (Nodes{2, 3, 4}));
    EXPECT_EQ(FreeNodes(free).take(2, NodePolicy::leaf, 1, 0), (Nodes{2, 3}));  // the tightest that suffices
    EXPECT_EQ(FreeNodes(free).take(3, NodePolicy::leaf, 1, 0), (Nodes{4, 5, 6}));
    EXPECT_EQ(FreeNodes(free).take(6, NodePolicy::leaf, 1, 0), (Nodes{4, 5, 6, 7, 8, 9}));  // the emptiest first
    free.take(1, NodePolicy::first, 1, 0);
    free.give_back({0});
    EXPECT_EQ(FreeNodes(free).take(3, NodePolicy::contiguous, 1, 0), (Nodes{3, 4, 5}));
    EXPECT_EQ(FreeNodes(free).take(10, NodePolicy::contiguous, 1, 0), (Nodes{0, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
    std::map<std::uint32_t, int> drawn;
    for (std::uint64_t k = 0; k < 3000; ++k) {
        Nodes const nodes = FreeNodes(free).take(4, NodePolicy::random, 5, k);
        EXPECT_EQ(std::set<std::uint32_t>(nodes.begin(), nodes.end()).size(), 4u);
        for (std::uint32_t const node : nodes) ++drawn[node];
    }
    EXPECT_EQ(drawn.size(), 10u);
    EXPECT_FALSE(drawn.contains(1) || drawn.contains(2));
    for (auto const& [node, times] : drawn) EXPECT_NEAR(times, 1200, 5 * 27) << node;  // binomial: 3000 x 4/10
}

constexpr char const* swf =
    "; UnixStartTime: 0\n"
    "1 10 5 100 8 -1 -1 16 200 -1 1 1 1 1 1 -1 -1 -1\n"
    "2 0 -1 0 4 -1 -1 4 50 -1 0 1 1 1 1 -1 -1 -1\n"
    "\n"
    "3 2.5 1 30 3 -1 -1 -1 10 -1 1 1 1 1 1 -1 -1 -1\n";

TEST_F(Schedules, StandardWorkloadFormat) {
    LineReader lines(source_of(swf), "log.swf");
    SwfFile const file = read_swf(lines);
    ASSERT_EQ(file.jobs.size(), 2u);
    EXPECT_EQ(file.left_out, 1u);
    EXPECT_EQ(file.jobs[0].name, "3");
    EXPECT_EQ(file.jobs[0].processors, 3u);
    EXPECT_EQ(file.jobs[0].requested, 30);  // it ran longer than it had asked for
    EXPECT_EQ(file.jobs[1].processors, 16u);
    EXPECT_EQ(file.jobs[1].requested, 200);
    Json const report = run(swf, {"--network", "star:8", "--ranks-per-node", "4", "--pattern", "bisect"});
    EXPECT_EQ(report["jobs"][0]["nodes"], 1);
    EXPECT_EQ(report["jobs"][1]["nodes"], 4);
    EXPECT_EQ(report["jobs"][1]["traffic"], "bisect");
    EXPECT_EQ(report["jobs"][1]["end"], 110);
}

// A log of a larger machine: jobs that want more nodes than the fabric has are left out and told: how many, the widest,
// the first of the file. The rest is scheduled as if they were not there.
TEST_F(Schedules, JobsWiderThanTheFabricAreLeftOut) {
    auto const job = [](int number, double submit, int processors) {
        return fmt::format("{} {} 5 100 {} -1 -1 {} 200 -1 1 1 1 -1 1 -1 -1 -1\n", number, submit, processors,
                           processors);
    };
    std::string const fitting = job(2, 1, 2) + job(4, 3, 8);
    std::string const file = folder_.write("log.swf", job(1, 4, 9) + job(2, 1, 2) + job(3, 2, 64) + job(4, 3, 8));
    Words const options = {"--network", "star:8", "--pattern", "bisect", "--format", "json"};
    Finished const done = run_tailback(joined({"schedule", file}, options));
    EXPECT_EQ(done.code, 0) << done.err;
    EXPECT_NE(
        done.err.find("2 jobs want more nodes than the 8 of the fabric, and are left out: the widest is job 3 with "
                      "64, the first job 1 (line 1) with 9"),
        std::string::npos)
        << done.err;
    EXPECT_EQ(Json::parse(done.out)["seeds"], run(fitting, {"--network", "star:8", "--pattern", "bisect"})["seeds"]);
    // Processors make nodes: 64 are eight nodes of eight.
    EXPECT_EQ(run(job(1, 0, 9) + job(3, 2, 64), {"--network", "star:8", "--ranks-per-node", "8"})["jobs"].size(), 2u);
    expect_refused(job(7, 0, 9) + job(8, 1, 12),
                   "all 2 jobs want more nodes than the 8 of the fabric (the widest is job 8 with 12, the first job 7 "
                   "(line 1) with 9)");
}

// What one line says in two ways is told once, and counts of one are told as one.
TEST_F(Schedules, LogsThatContradictThemselves) {
    auto const told = [&](std::string const& text) {
        return run_tailback({"schedule", folder_.write("log.swf", text), "--network", "star:16"}).err;
    };
    std::string const asked = "1 10 5 100 8 -1 -1 16 200 -1 1 1 1 1 1 -1 -1 -1\n",
                      same = "2 11 5 100 8 -1 -1 8 200 -1 1 1 1 1 1 -1 -1 -1\n",
                      never = "3 12 -1 0 4 -1 -1 4 50 -1 0 1 1 1 1 -1 -1 -1\n",
                      part = "3 12 1 9 4 -1 -1 4 50 -1 2 1 1 1 1 -1 -1 -1\n";
    EXPECT_NE(told(same + asked + asked)
                  .find("2 jobs got another number of processors than asked for (the first: line 2, "
                        "8 for 16); those asked for are taken (field 8)"),
              std::string::npos)
        << told(same + asked + asked);
    EXPECT_NE(told(same + asked).find("1 job got another number"), std::string::npos);
    EXPECT_EQ(told(same).find("processors"), std::string::npos) << told(same);
    EXPECT_NE(told(same + never).find("note: 1 job that never ran is left out"), std::string::npos);
    EXPECT_NE(told(same + never + never).find("note: 2 jobs that never ran are left out"), std::string::npos);
    EXPECT_NE(told(same + part).find("1 line of a part of a job (status 2 to 4) is left out"), std::string::npos);
    expect_refused("1 0 5 100 99 -1 -1 99 200 -1 1 1 1 1 1 -1 -1 -1\n", "the one job wants more nodes than the 8");
    // Names of columns in another order than the format's.
    std::string const names =
        "id\tsubmit\twait\tcpus\truntime\tc\tm\tcpusreq\twalltime\tq\tstatus\tu\tg\ta\tq\tp\tj\tt\n";
    EXPECT_NE(
        told(names + same).find("line 1 calls column 4 \"cpus\", which the Standard Workload Format has in column 5"),
        std::string::npos)
        << told(names + same);
    EXPECT_EQ(
        told("id\tsubmit_time\tw\truntime\tcpus\tc\tm\tcpusreq\twalltime\tq\tstatus\tu\tg\ta\tq\tp\tj\tt\n" + same)
            .find("calls column"),
        std::string::npos);
}

// Columns behind the 18th, and a first line of names, change nothing but a note.
TEST_F(Schedules, ExtendedLogs) {
    Json const plain = run(swf, {"--network", "star:16"});
    auto const extended = [](std::string const& front, std::string const& behind) {
        std::string text(swf);
        for (std::size_t at = 0; (at = text.find(" -1 -1 -1\n", at)) != std::string::npos; at += 10 + behind.size())
            text.insert(at + 9, behind);
        return front + text;
    };
    std::string const names =
        "id\tsubmit\twait\truntime\tcpus\tcputimeused\tusedmem\tcpusreq\twalltime\tmemreq\tstatus\tuser\tgroup\t"
        "application\tqueue\tpartition\tprecjob\tthinktime\n";
    for (auto const& [text, note] :
         {std::pair{extended("", " {1,1,1,1} q_1d 1:ppn=4"), "3 lines have more than 18 columns"},
          {extended("", "\t7 8"), "3 lines have more than 18 columns"},
          {extended(names, ""), "line 1 names the columns"},
          {extended("; Version: 2\n" + names, ""), "line 2 names the columns"},
          {extended("\n" + names + "\r\n", " x"), "line 2 names the columns"}}) {
        std::string const file = folder_.write("log", text);
        Finished const done = run_tailback({"schedule", file, "--network", "star:16", "--format", "json"});
        EXPECT_EQ(done.code, 0) << text << done.err;
        EXPECT_NE(done.err.find(note), std::string::npos) << done.err;
        EXPECT_EQ(Json::parse(done.out)["seeds"], plain["seeds"]) << text;
    }
    expect_refused(names + "1 2 3\n", "workload");
    expect_refused("; x\n" + names + names,
                   "workload:3: no line of the Standard Workload Format (\"id\" is not a number)");
    expect_refused("1 0 0 5 1,024 0 0 1 5 0 0 0 0 0 0 0 0 0\n", "\"1,024\" is not a number");
}

/// Whoever waits for a schedule hears which share of its jobs has ended.
TEST_F(Schedules, LongOnesTellTheirShare) {
    std::string const file = folder_.write("workload", "jobs:\n  - {nodes: 2, every: 0, duration: 2, count: 200000}\n");
    auto const words = [&](char const* seeds) {
        return tailback_words({"schedule", file, "--network", "star:8", "--seeds", seeds, "--threads", "1"});
    };
    Running one(words("1")), three(words("3"));
    for (auto const& [run, what] : {std::pair{&one, "running the schedule: [0-9]+ % of 200,000 jobs in .*, .* left"},
                                    {&three, "running the schedules: [0-9]+ % of 600,000 jobs in .*, .* left"}}) {
        EXPECT_TRUE(run->wait_for([&, run = run, what = what] {
            return std::regex_search(run->err(), std::regex(what));
        })) << run->err();
        run->signal(SIGTERM);
        EXPECT_EQ(run->wait().code, 130) << run->err();
    }
}

/// Definition: flows without bytes beside others that have them count as a byte each, and that is said.
TEST_F(Schedules, FlowsWithoutBytesBesideOthersAreTold) {
    TemporaryFolder const folder;
    std::string const file = folder / "jobs.yaml", a = "jobs:\n  - {name: a, nodes: 2, work: 1, pattern: 1shift}\n",
                      with = "  - {name: b, nodes: 2, work: 1, pattern: \"1shift:size=2\"}\n",
                      none = "  - {name: c, nodes: 2, work: 1, pattern: \"null\"}\n";
    for (bool const has : {false, true}) {
        folder.write("jobs.yaml", a + (has ? with : "") + none);
        Finished const run = run_tailback({"schedule", file, "--network", "ring:4"});
        EXPECT_EQ(run.code, 0) << run.err;
        EXPECT_EQ(run.err.find("the flows of a have no bytes") != std::string::npos, has) << run.err;
    }
}

TEST_F(Schedules, WrongWorkloadsAreRefusedWithTheirLine) {
    expect_refused("jobs:\n  - {name: a, nodes: 4}\n", "workload:2: a job does not say how long it runs");
    expect_refused("jobs:\n  - {name: a, nodes: 4, work: 1, duration: 2}\n", "workload:2: a job has two lengths");
    expect_refused("jobs:\n  - {name: a, duration: 2}\n", "workload:2: a job does not say how many nodes");
    expect_refused("jobs:\n  - {nodes: 2, duration: 5, patern: ring}\n", "\"pattern\"");
    expect_refused("jobs:\n  - {nodes: 2, duration: 5, pattern: rimg}\n", "ring");
    expect_refused("jobs:\n  - {nodes: 2, duration: \"exponential\"}\n", "nor a way to draw one");
    expect_refused("jobs:\n  - {nodes: 2, duration: \"uniform:5..2\"}\n", "nor a way to draw one");
    expect_refused("jobs:\n  - {nodes: 2, duration: -1}\n", "neither a number");
    expect_refused("jobs:\n  - {nodes: 2, duration: 1, submit: 3, every: 2}\n", "both submit and every");
    expect_refused("jobs:\n  - {nodes: 2, duration: 1, count: 99999999999}\n", "not a number of jobs");
    expect_refused("jobs:\n  - {name: big, nodes: 9, duration: 1}\n", "job \"big\" wants 9 nodes");
    expect_refused("jobs:\n  - {nodes: 2, duration: 1, count: [3, x]}\n", "workload:2: count of a job is a list");
    expect_refused("jobs:\n  - {nodes: 2, duration: 1, pattern: ring, traffic: x}\n", "both pattern and traffic");
    expect_refused("jobs:\n  - {nodes: 2.5, duration: 1}\n", "a job wants 2.5 nodes");
    expect_refused("jobs:\n  - {nodes: [1, 0], duration: 1}\n", "a job wants 0 nodes");
    expect_refused("jobs:\n  - {nodes: 2, work: 1, communication: 1.5}\n", "communication is 1.5");
    expect_refused("jobs:\n  - {nodes: 2, duration: 1, communication: 0.5}\n", "communication has no effect");
    expect_refused("jobs:\n  - {nodes: 2, work: 1, communication: 0.5}\n", "communication has no effect");
    expect_refused("jobs:\n  - {nodes: 2, work: 1, mapping: cyclic}\n", "mapping has no effect");
    expect_refused("jobs:\n  - {nodes: 2, duration: 1}\nother: 5\n", "workload:3: \"other\" stands beside the jobs");
    expect_refused("1 0 0 5 2.5 0 0 -1 5 0 1 0 0 0 0 0 0 0\n", "workload:1: a job has 2.5 processors");
    expect_refused("1 0 0 5 2 0 0 2 5 0 3 0 0 0 0 0 0 0\n", "no job that ran");  // a part of a job
    expect_refused("jobs: []\n", "not a workload");
    expect_refused("a: 1\n", "not a workload");
    expect_refused("jobs:\n  - {nodes: 2, duration: 1}\n", "--pattern goes with", {"--pattern", "ring"});
    expect_refused("1 2 3\n", "workload:1: no line of the Standard Workload Format (it has 3 fields)");
    expect_refused("1 0 0 5 1 x 0 1 5 0 0 0 0 0 0 0 0 0\n", "\"x\" is not a number");
    expect_refused("; nothing\n", "no job that ran");
    expect_refused("1 -5 0 5 1 0 0 1 5 0 0 0 0 0 0 0 0 0\n", "before the beginning");
    expect_refused("1 2e12 0 5 1 0 0 1 5 0 0 0 0 0 0 0 0 0\n", "a job has a time of 2e+12 seconds");
}

// Drawn workloads: the same bytes for any number of threads; another seed is another schedule.
TEST_F(Schedules, AreFunctionsOfTheirSeed) {
    std::string const workload =
        "jobs:\n  - {name: m, count: 60, every: \"exponential:20\", nodes: [1, 2, 3, 5, 8], "
        "work: \"uniform:10..200\", requested: 300, pattern: [rand, bisect, ring], mapping: random}\n";
    Words const options = {"--network", "dragonfly:p=2,a=4,h=2", "--queue", "easy", "--select", "random"};
    std::string const file = folder_.write("drawn.yaml", workload);
    auto const output = [&](Words const& more) {
        return run_tailback(joined(joined({"schedule", file, "--format", "json"}, options), more)).out;
    };
    std::string const one = output({"--threads", "1", "--seeds", "6"});
    EXPECT_EQ(one, output({"--threads", "4", "--seeds", "6"}));
    Json const six = Json::parse(one), fifth = Json::parse(output({"--seed", "5"}));
    ASSERT_EQ(six["seeds"].size(), 6u);
    EXPECT_EQ(six["seeds"][4], fifth["seeds"][0]);
    EXPECT_NE(six["seeds"][0], six["seeds"][1]);
    double submitted = 0;
    for (Json const& job : six["jobs"]) {
        EXPECT_GE(double(job["submit"]), submitted);
        submitted = job["submit"];
        EXPECT_GE(double(job["start"]), submitted);
        double const rounding = 1e-11 * double(job["end"]);  // times have 12 digits
        EXPECT_GE(double(job["end"]) - double(job["start"]), double(job["seconds"]) - rounding);
        EXPECT_EQ(job["on"].size(), job["nodes"]);
    }
}

// At no time has a node two jobs.
TEST_F(Schedules, NodesHaveOneJobAtATime) {
    for (std::string const queue : {"fcfs", "easy"})
        for (std::string const select : {"first", "contiguous", "leaf", "random", "search"}) {
            Json const report =
                run("jobs:\n  - {count: 80, every: \"exponential:5\", nodes: [1, 2, 3, 7, 12], "
                    "work: \"exponential:40\", requested: 100, pattern: [bisect, 1shift]}\n",
                    {"--network", "xgft:m=4x4,w=1x2", "--queue", queue, "--select", select});
            std::map<int, std::vector<std::pair<double, double>>> uses;
            for (Json const& job : report["jobs"])
                for (int const node : job["on"]) uses[node].push_back({job["start"], job["end"]});
            for (auto& [node, times] : uses) {
                std::sort(times.begin(), times.end());
                for (std::size_t i = 1; i < times.size(); ++i) EXPECT_GE(times[i].first, times[i - 1].second) << node;
            }
        }
}

/// A tree of three leaves of four nodes with one cable up each, where nothing but the leaves decides the ways.
class NaiveTree {
public:
    using Nodes = std::vector<std::uint32_t>;
    /// Loads of a ring of the nodes in their order: of nodes up and down, of leaves up and down.
    static std::map<std::pair<char, std::uint32_t>, double> ring(Nodes const& nodes) {
        std::map<std::pair<char, std::uint32_t>, double> load;
        for (std::size_t r = 0; r < nodes.size(); ++r) {
            std::uint32_t const from = nodes[r], to = nodes[(r + 1) % nodes.size()];
            ++load[{'u', from}], ++load[{'d', to}];
            if (from / 4 != to / 4) ++load[{'U', from / 4}], ++load[{'D', to / 4}];
        }
        return load;
    }
    /// Node-seconds that docs/schedule.md has for b (50 s) on these nodes beside a (90 s left).
    static double lost(Nodes const& a, Nodes const& b) {
        auto const one = ring(a), other = ring(b);
        auto const largest = [](auto const& own, auto const& more) {
            double most = 0;
            for (auto const& [link, load] : own)
                most = std::max(most, load + (more.contains(link) ? more.at(link) : 0));
            return most;
        };
        decltype(ring(a)) const none;
        double const alone = largest(one, none), own = largest(other, none);
        double between = 0;
        for (auto const& [link, load] : other) between += link.first == 'U' || link.first == 'D' ? load : 0;
        return double(a.size()) * 90 * (largest(one, other) / alone - 1) +
               double(b.size()) * 50 * (largest(other, one) / own - 1) +
               50 * (12.0 / 6) * between * (1 + 1 / alone) / 2;
    }
};

TEST_F(Schedules, SearchLosesNoMoreThanOthers) {
    int better = 0;
    for (int nodes = 2; nodes <= 6; ++nodes)
        for (int other = 2; other + nodes <= 12; ++other) {
            Json const report = run(fmt::format("jobs:\n  - {{nodes: {}, duration: 100, pattern: 1shift}}\n"
                                                "  - {{nodes: {}, submit: 10, duration: 50, pattern: 1shift}}\n",
                                                nodes, other),
                                    {"--network", "xgft:m=4x3,w=1x1", "--select", "search"});
            NaiveTree::Nodes const a = report["jobs"][0]["on"], b = report["jobs"][1]["on"];
            NaiveTree::Nodes leaf(12);
            std::vector<char> is_free(12, 1);
            for (std::uint32_t n = 0; n < 12; ++n) leaf[n] = n / 4;
            for (std::uint32_t const node : a) is_free[node] = 0;
            for (std::uint32_t const node : b) EXPECT_TRUE(is_free[node]);
            for (NodePolicy const policy : {NodePolicy::leaf, NodePolicy::contiguous, NodePolicy::first}) {
                FreeNodes free(leaf, is_free);
                NaiveTree::Nodes const theirs = free.take(static_cast<std::uint32_t>(other), policy, 1, 0);
                EXPECT_LE(NaiveTree::lost(a, b), NaiveTree::lost(a, theirs) + 1e-9) << nodes << " " << other;
                better += NaiveTree::lost(a, b) < NaiveTree::lost(a, theirs) - 1e-9;
            }
        }
    EXPECT_GT(better, 0);
}

TEST_F(Schedules, SearchSaysWhatOthersComeTo) {
    std::string const file =
        folder_.write("searched.yaml",
                      "jobs:\n  - {count: 40, every: \"exponential:20\", nodes: [2, 3, 5, 9], work: "
                      "\"exponential:90\", pattern: [all-to-all, 1shift, \"stencil-2d\"], communication: 0.5}\n");
    auto const output = [&](Words const& more) {
        return run_tailback(joined({"schedule", file, "--format", "json", "--network", "dragonfly:p=2,a=4,h=2"}, more))
            .out;
    };
    Words const search = {"--select", "search", "--seeds", "3"};
    std::string const one = output(joined(search, {"--threads", "1"}));
    EXPECT_EQ(output(joined(search, {"--threads", "3"})), one);
    Json const searched = Json::parse(one);
    ASSERT_EQ(searched["others"].size(), 4u);
    for (Json const& other : searched["others"]) {
        Json const alone = Json::parse(output({"--select", other["select"], "--seeds", "3"}));
        EXPECT_EQ(other["seeds"], alone["seeds"]) << other["select"];
        EXPECT_FALSE(alone.contains("others"));
    }
    // By rails of two, where flows leave on that of their destination; not where nodes differ.
    Json const rails =
        Json::parse(run_tailback({"schedule", file, "--network", "rail:gpus=2,nodes=6,groups=2", "--rail-aligned",
                                  "--ranks-per-node", "2", "--select", "search", "--format", "json"})
                        .out);
    EXPECT_EQ(rails["jobs"].size(), 40u);
    for (Json const& job : rails["jobs"]) EXPECT_EQ(job["on"].size(), job["nodes"]);
    std::string const adapters = "file:" + folder_.write("adapters", "a, H1, H2\nb, H3\n");
    expect_refused("jobs:\n  - {nodes: 1, duration: 1}\n", "a has 2 adapters, b has 1",
                   {"--adapters", adapters, "--select", "search"});
}

TEST_F(Schedules, TheTimelineHasEveryMoment) {
    std::string const file = folder_.write("w.yaml",
                                           "jobs:\n  - {nodes: 6, duration: 10}\n"
                                           "  - {nodes: 4, duration: 10, submit: 5}\n");
    std::string const moments = folder_ / "moments.csv";
    Finished const done = run_tailback({"schedule", file, "--network", "star:8", "--timeline", moments});
    ASSERT_EQ(done.code, 0) << done.err;
    EXPECT_EQ(read_whole(moments),
              "time,running,waiting,busy_nodes,largest_load,slowdown\n"
              "0,1,0,6,0,1\n5,1,1,6,0,1\n10,1,0,4,0,1\n20,0,0,0,0,1\n");
}

}  // namespace
}  // namespace tailback::schedule_test
