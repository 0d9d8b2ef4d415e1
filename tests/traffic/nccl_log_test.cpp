// Logs of NCCL as launchers write them, and logs of several communicators.
#include "tests/traffic/traffic_text.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>

namespace tailback::nccl_log_test {
namespace {

bool holds(std::string const& text, std::string const& part) { return text.find(part) != std::string::npos; }

/// A line of process HOST:PID on a device.
struct Line {
    std::string writer;
    unsigned device, rank;
    std::string text;
};

std::string written(std::vector<Line> const& lines, std::function<std::string(Line const&)> const& tag = {}) {
    std::string text;
    for (Line const& line : lines)
        text += fmt::format("{}{}:9 [{}] NCCL INFO {}\n", tag ? tag(line) : "", line.writer, line.device, line.text);
    return text;
}

Line member(std::string const& writer, unsigned device, unsigned rank, unsigned ranks, std::string const& rest) {
    return {writer, device, rank,
            fmt::format("comm 0x{:x}{}{} rank {} nranks {} cudaDev {} busId {}000 {}", std::hash<std::string>()(writer),
                        ranks, std::hash<std::string>()(rest) % 97, rank, ranks, device, device + 1, rest)};
}
/// Both lines of a connection.
void connect(std::vector<Line>& lines, Line from, Line to) {
    std::string const text = fmt::format("Channel 00/0 : {}[0] -> {}[0] ", from.rank, to.rank);
    lines.push_back({from.writer, from.device, from.rank, text + "[send] via NET/IB/0/GDRDMA"});
    lines.push_back({to.writer, to.device, to.rank, text + "[receive] via NET/IB/0/GDRDMA"});
}

std::vector<Line> two_nodes() {
    std::vector<Line> lines;
    for (unsigned r = 0; r < 4; ++r)
        lines.push_back(member(fmt::format("node{}:{}", r / 2, 20 + r), r % 2, r, 4, "- Init COMPLETE"));
    std::vector<Line> const ranks = lines;
    for (auto const& [a, b] : std::vector<std::pair<int, int>>{{1, 2}, {3, 0}, {1, 2}})
        connect(lines, ranks[a], ranks[b]);
    lines.push_back({"node0:20", 0, 0, "Channel 00 : 0[10] -> 1[10] via P2P/IPC/read"});
    return lines;
}

// A line of NCCL is `HOST:PID:TID [DEVICE] NCCL INFO ..`. Launchers put a tag in front of every line; the log is the
// same with any tag as without.
TEST(NcclLog, TagsInFrontOfLinesChangeNothing) {
    TrafficMatrix const plain = matrix_from(written(two_nodes()));
    EXPECT_EQ(rows_of(plain), (Rows{{1, 2, 2, 2}, {3, 0, 1, 1}}));
    EXPECT_EQ(plain.hosts, (std::vector<std::string>{"node0", "node0", "node1", "node1"}));
    std::vector<std::string> const tags = {"[1,{}]<stdout>:",
                                           "[1,{}]<stderr>: ",
                                           "<stdout>",
                                           "[rank{}]:",
                                           "[default{}]: ",
                                           "[pod/trainer-{}/worker] ",
                                           "[2024-05-01 12:00:0{}] ",
                                           "[2024-05-01T12:00:0{}.123Z] [rank1]:",
                                           "2024-05-01T12:00:0{}.123456789Z ",
                                           "2024-05-01T12:00:0{}.123+02:00 stdout F ",
                                           "12:00:0{}:",
                                           "{}: ",
                                           " {}:\t",
                                           "worker_{}  | ",
                                           "{{\"log\":\""};
    for (std::string const& tag : tags)
        for (std::string const front : {"", "# nThread 1 nGpus 1\n"}) {
            std::string const text = front + written(two_nodes(), [&](Line const& line) {
                                         return fmt::format(fmt::runtime(tag), line.rank);
                                     });
            TrafficMatrix const tagged = matrix_from(text);
            EXPECT_EQ(rows_of(tagged), rows_of(plain)) << text;
            EXPECT_EQ(tagged.hosts, plain.hosts) << text;
            EXPECT_EQ(tagged.notes, plain.notes) << text;
            EXPECT_TRUE(tagged.warnings.empty()) << text;
        }
    EXPECT_TRUE(holds(refusal("[1, 2]\n"), "a JSON file alone is not read here"));
    EXPECT_TRUE(holds(refusal("{\"a\": 2}\n"), "a JSON file alone is not read here"));
}

// Ranks in a log are those of a communicator. The largest one numbers processes; a rank of another is the process
// (HOST:PID and its device) that is told to have it.
TEST(NcclLog, RanksOfGroupsAreProcessesOfTheWorld) {
    auto const world = [](std::string const& rest) {
        return std::vector{member("a:1", 0, 0, 4, rest), member("a:3", 1, 1, 4, rest), member("b:1", 0, 2, 4, rest),
                           member("b:3", 1, 3, 4, rest)};
    };
    for (auto const& [id, group_id] : {std::pair{"commId 0xaa - Init COMPLETE", "commId 0xbb - Init COMPLETE"},
                                       {"- Init COMPLETE", "- Init  COMPLETE"}}) {
        std::vector<Line> lines = world(id);
        std::vector<Line> const group = {member("a:1", 0, 0, 2, group_id), member("b:1", 0, 1, 2, group_id)};
        lines.insert(lines.end(), group.begin(), group.end());
        connect(lines, group[0], group[1]);
        connect(lines, group[1], group[0]);
        TrafficMatrix const matrix = matrix_from(written(lines));
        EXPECT_EQ(rows_of(matrix), (Rows{{0, 2, 1, 1}, {2, 0, 1, 1}}));
        EXPECT_EQ(matrix.hosts, (std::vector<std::string>{"a", "a", "b", "b"}));
        EXPECT_TRUE(matrix.warnings.empty());
        EXPECT_TRUE(holds(matrix.notes.back(), "the log is of 2 communicators"));
    }
    // Two groups of the world, {0, 2} and {1, 3}, of one process a node with two devices each; connections of world and
    // groups are told apart by what was begun and not done.
    std::vector<Line> lines;
    auto const begin = [&](std::vector<Line> members, std::string const& id) {
        for (Line& one : members) {
            std::string const done = one.text;
            one.text += " commId " + id + " - Init START";
            lines.push_back(one);
            one.text = done;
        }
        return members;
    };
    auto const end = [&](std::vector<Line> members, std::string const& id) {
        for (Line& one : members) {
            one.text += " commId " + id + " - Init COMPLETE";
            lines.push_back(one);
        }
    };
    auto all = begin({member("a:1", 0, 0, 4, "w"), member("a:1", 1, 1, 4, "w"), member("b:1", 0, 2, 4, "w"),
                      member("b:1", 1, 3, 4, "w")},
                     "0xa");
    connect(lines, all[1], all[2]);
    end(all, "0xa");
    auto even = begin({member("a:1", 0, 0, 2, "e"), member("b:1", 0, 1, 2, "e")}, "0xb");
    auto odd = begin({member("a:1", 1, 0, 2, "o"), member("b:1", 1, 1, 2, "o")}, "0xc");
    connect(lines, even[0], even[1]);
    connect(lines, odd[0], odd[1]);
    connect(lines, odd[1], odd[0]);
    end(even, "0xb");
    end(odd, "0xc");
    TrafficMatrix const matrix = matrix_from(written(lines));
    EXPECT_EQ(rows_of(matrix), (Rows{{0, 2, 1, 1}, {1, 2, 1, 1}, {1, 3, 1, 1}, {3, 1, 1, 1}}));
    EXPECT_EQ(matrix.sums_checked, 1u);
    EXPECT_TRUE(matrix.warnings.empty());
}

// Communicators that share no process: all processes are ranks, those of the first communicator in front. Without
// commId, one's lines end before the next one's begin; where they are mixed, nothing tells them apart.
TEST(NcclLog, CommunicatorsOfDifferentProcesses) {
    auto const pair = [](std::string const& a, std::string const& b, std::string const& rest) {
        std::vector<Line> lines = {member(a, 0, 0, 2, rest), member(b, 0, 1, 2, rest)};
        std::vector<Line> const members = lines;
        connect(lines, members[0], members[1]);
        connect(lines, members[1], members[0]);
        return lines;
    };
    Rows const wanted = {{0, 1, 1, 1}, {1, 0, 1, 1}, {2, 3, 1, 1}, {3, 2, 1, 1}};
    for (auto const& [one, other] :
         {std::pair{"- Init COMPLETE", "- Init COMPLETE"}, {"commId 0x1 - Init", "commId 0x2 - Init"}}) {
        std::vector<Line> lines = pair("a:1", "b:1", one), more = pair("c:1", "d:1", other);
        lines.insert(lines.end(), more.begin(), more.end());
        TrafficMatrix const matrix = matrix_from(written(lines));
        EXPECT_EQ(matrix.ranks, 4u);
        EXPECT_EQ(rows_of(matrix), wanted);
        EXPECT_EQ(matrix.hosts, (std::vector<std::string>{"a", "b", "c", "d"}));
        EXPECT_TRUE(holds(matrix.notes.back(), "the 2 that are not in it come behind")) << matrix.notes.back();
    }
    std::vector<Line> lines = pair("a:1", "b:1", "- Init"), more = pair("c:1", "d:1", "- Init");
    std::vector<Line> mixed;
    for (std::size_t i = 0; i < lines.size(); ++i) mixed.insert(mixed.end(), {lines[i], more[i]});
    EXPECT_TRUE(holds(refusal(written(mixed)), "the communicators of the log cannot be told apart"));
    // The same communicator made twice is one.
    std::vector<Line> again = pair("a:1", "b:1", "- Init");
    again.insert(again.begin(), {member("a:1", 0, 0, 2, "- Init START"), member("b:1", 0, 1, 2, "- Init START")});
    TrafficMatrix const once = matrix_from(written(again));
    EXPECT_EQ(rows_of(once), (Rows{{0, 1, 1, 1}, {1, 0, 1, 1}}));
    EXPECT_EQ(once.ranks, 2u);
}

// What the log does not tell is left out and told: a connection to a rank of a group that has no line.
TEST(NcclLog, ConnectionsToProcessesWithoutALineAreTold) {
    std::vector<Line> lines = {
        member("a:1", 0, 0, 4, "commId 0x1 - Init"), member("b:1", 0, 1, 4, "commId 0x1 - Init"),
        member("c:1", 0, 2, 4, "commId 0x1 - Init"), member("d:1", 0, 3, 4, "commId 0x1 - Init"),
        member("c:1", 0, 1, 3, "commId 0x2 - Init"), member("a:1", 0, 0, 3, "commId 0x2 - Init")};
    connect(lines, lines[1], lines[2]);                                                        // of the world
    lines.push_back({"x:1", 0, 0, "Channel 00/0 : 0[0] -> 1[0] [send] via NET/IB/0/GDRDMA"});  // of nobody
    TrafficMatrix const matrix = matrix_from(written(lines));
    EXPECT_EQ(rows_of(matrix), (Rows{{1, 2, 1, 1}}));
    ASSERT_EQ(matrix.warnings.size(), 1u);
    EXPECT_TRUE(holds(matrix.warnings[0], "1 connection is left out")) << matrix.warnings[0];
}

}  // namespace
}  // namespace tailback::nccl_log_test
