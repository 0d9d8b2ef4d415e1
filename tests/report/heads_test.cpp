// Every JSON begins with the same head, whichever command wrote it.
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/paths.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>

namespace tailback::heads_test {
namespace {

using Json = nlohmann::ordered_json;

void expect_network(Json const& network, std::string const& title) {
    for (char const* const key : {"hosts", "switches", "links", "endpoints", "base_rate_gbps", "digest", "spec",
                                  "routing", "routing_seed", "failed", "dumped"})
        EXPECT_TRUE(network.contains(key)) << title << " " << key;
}

void expect_head(std::string const& text, std::string const& title) {
    Json const json = Json::parse(text);
    std::vector<std::string> keys;
    for (auto const& [key, value] : json.items()) keys.push_back(key);
    ASSERT_GE(keys.size(), 5u) << title;
    keys.resize(5);
    EXPECT_EQ(keys, (std::vector<std::string>{"schema", "version", "commit", "files", "network"})) << title;
    EXPECT_TRUE(json["schema"].get<std::string>().starts_with("tailback-")) << title;
    EXPECT_TRUE(json["commit"].is_null() || json["commit"].is_string()) << title;
    EXPECT_TRUE(json["files"].is_object()) << title;
    Json const& network = json["network"];
    if (network.contains("before")) expect_network(network["before"], title), expect_network(network["after"], title);
    else if (!network.is_null()) expect_network(network, title);
}

TEST(Heads, EveryCommandHasOne) {
    TemporaryFolder const folder;
    std::ofstream(folder / "edges") << "0 1 5\n1 0 5\n";
    std::ofstream(folder / "workload.yaml")
        << "jobs:\n  - {name: a, nodes: 4, duration: 10, submit: 0}\n  - {name: b, nodes: 2, duration: 5, submit: 1}\n";
    std::ofstream(folder / "sweep.yaml") << "network: torus:4x4\nmappings: 2\nseed: [1, 2]\n";
    std::string const net = fixture("opensm/ft2-16/minhop/ibnetdiscover.out.xz"),
                      tables = fixture("opensm/ft2-16/minhop/opensm-lfts.dump.xz"),
                      broken = fixture("opensm/ft2-16/file-broken/opensm-lfts.dump.xz");
    Words const torus = {"--network", "torus:4x4", "--format", "json"};
    for (Words const& words :
         {joined({"evaluate", "--mappings", "3"}, torus),
          joined({"evaluate", "--pattern", "allgather:algorithm=all,size=1MiB"}, torus),
          joined({"jobs", "--job", "a:pattern=ring,ranks=4"}, torus),
          joined({"bracket", "--routing", "ar:minimal", "--mappings", "2"}, torus),
          joined({"multipath", "--routing", "minhop", "--lmc", "1", "--mappings", "2"}, torus),
          joined({"estimate"}, torus), joined({"place", "--pattern", "ring"}, torus), joined({"audit"}, torus),
          joined({"audit", "--routing", "valiant"}, torus), Words{"traffic", folder / "edges", "--format", "json"},
          joined({"schedule", folder / "workload.yaml"}, torus),
          Words{"compare", "--network", fixture("../../examples/plan/there.csv"), "--plan",
                fixture("../../examples/plan/plan.csv"), "--format", "json"},
          Words{"improve", "--network", net, "--tables", tables, "--moves", "1000", "--format", "json"},
          Words{"diff", net + "," + tables, net + "," + broken, "--format", "json"},
          Words{"diff", net + "," + tables, net + "," + broken, net + "," + tables, "--format", "json"}}) {
        Finished const done = run_tailback(words);
        ASSERT_LE(done.code, 1) << words.front() << done.err;
        expect_head(done.out, words.front());
    }
    ASSERT_EQ(run_tailback({"sweep", folder / "sweep.yaml", "--output", folder / "out"}).code, 0);
    expect_head(read_whole(folder / "out/sweep.json"), "sweep");
    ASSERT_EQ(run_tailback({"evaluate", "--network", "torus:4x4", "--mappings", "1", "--time", "--timeline",
                            folder / "t.json", "--run-info", folder / "run.json"})
                  .code,
              0);
    expect_head(read_whole(folder / "t.json"), "timeline");
    expect_head(read_whole(folder / "run.json"), "run info");
    ASSERT_LE(run_tailback({"audit", "--network", "torus:4x4", "--run-info", folder / "audit.json"}).code, 1);
    expect_head(read_whole(folder / "audit.json"), "run info of an audit");
}

/// Hosts are those that a study may use, for each command alike; the date is that of the file.
TEST(Heads, NetworksAreToldAlike) {
    TemporaryFolder const folder;
    std::string const net = fixture("opensm/ft2-16/minhop/ibnetdiscover.out.xz"),
                      tables = fixture("opensm/ft2-16/minhop/opensm-lfts.dump.xz");
    Words const fabric = {"--network", net, "--tables", tables, "--format", "json"};
    Json const of_study = Json::parse(run_tailback(joined({"evaluate", "--mappings", "1"}, fabric)).out)["network"];
    EXPECT_EQ(of_study["hosts"], 16);
    EXPECT_TRUE(of_study["dumped"].get<std::string>().ends_with(" 2026")) << of_study;
    for (Words const& words : {Words{"estimate"}, Words{"jobs", "--job", "a:pattern=ring,ranks=4"}})
        EXPECT_EQ(Json::parse(run_tailback(joined(words, fabric)).out)["network"], of_study) << words.front();
    EXPECT_EQ(
        Json::parse(
            run_tailback({"diff", net + "," + tables, net + "," + tables, "--format", "json"}).out)["network"]["after"],
        of_study);
}

}  // namespace
}  // namespace tailback::heads_test
