// Every command that takes --network gets the same network for the same words, or refuses it in the same words: there
// is one way to a fabric.
#include "host/io/yaml_tree.hpp"
#include "tests/support/networks/router_fabric.hpp"
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/paths.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <filesystem>
#include <map>

namespace tailback::same_network_test {
namespace {

using Json = nlohmann::ordered_json;

/// What a command makes of a network: its parts, or why it refuses it.
struct Outcome {
    std::string network, digest, refusal;
};

/// The last message; numbers of memory that is left differ from run to run.
std::string refusal_in(std::string const& err) {
    std::size_t const at = err.rfind("tailback: ");
    return at == std::string::npos ? err : err.substr(at + 10, err.find('\n', at) - at - 10);
}

Outcome outcome_of(Words const& command, Words const& network) {
    Finished const run = run_tailback(joined(joined(command, network), {"--format", "json"}));
    if (run.code == 2) return {"", "", refusal_in(run.err)};
    Json const json = Json::parse(run.out, nullptr, false);
    if (!json.is_object() || !json.contains("network")) return {"", "", "no report: " + run.err};
    Json const& net = json["network"];
    std::string parts;
    for (char const* const key : {"hosts", "endpoints", "switches", "links"})
        parts += net[key].dump() + " " + key + " ";
    return {parts, net["digest"], ""};
}

class SameNetwork : public ::testing::Test {
protected:
    SameNetwork() {
        folder_.write("day.yaml", "jobs: [{name: a, nodes: 2, submit: 0, work: 1, pattern: ring}]\n");
        folder_.write("counters", "");
        std::string const tree = fixture("opensm/ft2-16/minhop/ibnetdiscover.out.xz");
        Finished const plain = run_tailback({"convert", "--network", tree, "--to", "ibnetdiscover"});
        std::string text = plain.out;
        folder_.write("plain.net", text);
        std::string const host = "node0014 HCA-1", engine = "Mellanox Technologies Aggregation Node";
        for (std::size_t at; (at = text.find(host)) != std::string::npos;) text.replace(at, host.size(), engine);
        folder_.write("engine.net", text);
        run_tailback(
            {"convert", "--network", tree, "--tables", tables_, "--to", "ibdiagnet2", "--output", folder_ / "dumps"});
        router_fabric::write(routers_, router_fabric::routers(), router_fabric::Told::kernel_and_addresses);
    }

    /// Those whose reports tell the network.
    std::map<std::string, Words> commands() const {
        return {{"evaluate", {"evaluate", "--pattern", "ring", "--mappings", "1"}},
                {"jobs", {"jobs", "--job", "a:pattern=ring,nodes=any:2", "--mappings", "1"}},
                {"schedule", {"schedule", folder_ / "day.yaml"}},
                {"estimate", {"estimate"}},
                {"place", {"place", "--pattern", "ring", "--ranks", "2", "--moves", "1", "--random-orders", "2"}},
                {"audit", {"audit"}},
                {"improve", {"improve", "--moves", "1"}}};
    }
    /// `network` is the same for all of them but those that `refuse` for a reason of their own.
    void expect_same(Words const& network, std::map<std::string, std::string> const& refuse = {}) const {
        std::string words;
        for (std::string const& word : network) words += word + " ";
        SCOPED_TRACE(words);
        Outcome const evaluated = outcome_of(commands().at("evaluate"), network);
        EXPECT_EQ(evaluated.refusal, "");
        for (auto const& [name, command] : commands()) {
            SCOPED_TRACE(name);
            Outcome const found = outcome_of(command, network);
            if (auto const own = refuse.find(name); own != refuse.end()) {
                EXPECT_NE(found.refusal.find(own->second), std::string::npos) << found.refusal;
                continue;
            }
            EXPECT_EQ(found.refusal, "");
            EXPECT_EQ(found.network, evaluated.network);
            EXPECT_EQ(found.digest, evaluated.digest);
        }
        expect_of_sweep(network, evaluated);
    }
    void expect_all_refuse(Words const& network, std::string const& part,
                           std::vector<std::string> const& leave_out = {}) const {
        std::string words;
        for (std::string const& word : network) words += word + " ";
        SCOPED_TRACE(words);
        Outcome const evaluated = outcome_of(commands().at("evaluate"), network);
        EXPECT_NE(evaluated.refusal.find(part), std::string::npos) << evaluated.refusal;
        std::map<std::string, Words> all = commands();
        all["bracket"] = {"bracket", "--pattern", "ring", "--mappings", "1"};
        all["multipath"] = {"multipath", "--pattern", "ring", "--mappings", "1"};
        all["compare"] = {"compare", "--counters", folder_ / "counters"};
        for (std::string const& name : leave_out) all.erase(name);
        for (auto const& [name, command] : all)
            EXPECT_EQ(outcome_of(command, network).refusal, evaluated.refusal) << name;
        Finished const traced = run_tailback(joined(joined({"trace"}, network), {"1", "2"}));
        EXPECT_EQ(traced.code, 2);
        EXPECT_EQ(refusal_in(traced.err), evaluated.refusal);
        Finished const converted = run_tailback(joined(joined({"convert"}, network), {"--to", "lft-dump"}));
        EXPECT_EQ(converted.code, 2);
        EXPECT_EQ(refusal_in(converted.err), evaluated.refusal);
        expect_of_sweep(network, evaluated);
    }

    std::string const tables_ = fixture("opensm/ft2-16/minhop/opensm.fdbs.xz");
    TemporaryFolder folder_, routers_;

private:
    /// A sweep of one point: the same hosts, or the same refusal as the reason of its row (or before anything runs).
    void expect_of_sweep(Words const& network, Outcome const& evaluated) const {
        if (!yaml_is_built_in()) return;
        std::string yaml = "pattern: ring\nmappings: 1\n";
        for (std::size_t i = 0; i < network.size(); i += 2)
            yaml += network[i].substr(2) + ": \"" + network[i + 1] + "\"\n";
        std::string const file = folder_.write("one.yaml", yaml);
        std::filesystem::remove_all(folder_ / "swept");
        Finished const run = run_tailback({"sweep", file, "--output", folder_ / "swept"});
        Finished const estimated = run_tailback({"sweep", file, "--dry-run"});
        if (!evaluated.refusal.empty()) {
            std::string const table = run.code == 2 ? run.err : read_whole(folder_ / "swept/sweep.json");
            std::string quoted = Json(evaluated.refusal).dump();
            if (run.code == 2) quoted = evaluated.refusal;
            EXPECT_NE(table.find(quoted), std::string::npos) << table;
            EXPECT_NE((estimated.out + estimated.err).find(evaluated.refusal), std::string::npos) << estimated.out;
            return;
        }
        ASSERT_EQ(run.code, 0) << run.err;
        EXPECT_EQ(estimated.code, 0) << estimated.err;
        Json const net = Json::parse(read_whole(folder_ / "swept/sweep.json"))["points"][0]["report"]["network"];
        std::string parts;
        for (char const* const key : {"hosts", "endpoints", "switches", "links"})
            parts += net[key].dump() + " " + key + " ";
        EXPECT_EQ(parts, evaluated.network);
        EXPECT_EQ(net["digest"], evaluated.digest);
    }
};

TEST_F(SameNetwork, ASpec) {
    expect_same({"--network", "torus:4x4"});
    expect_same({"--network", "xgft:m=4x4,w=1x4", "--routing", "minhop", "--lmc", "1"});
    expect_same({"--network", "torus:4x4", "--routing", "updn", "--fail-cables", "switch:3", "--fail-seed", "2"});
}

TEST_F(SameNetwork, AFile) {
    expect_same({"--network", folder_ / "plain.net", "--tables", tables_});
    expect_same({"--network", folder_ / "plain.net", "--routing", "minhop", "--fail-cables", "switch:1"});
    expect_same({"--network", folder_ / "plain.net", "--tables", tables_, "--fail-cables", "2"},
                {{"place", "pairs of the places are not delivered"}});
}

TEST_F(SameNetwork, AFolder) { expect_same({"--network", folder_ / "dumps"}); }

/// An aggregation node is no host of any command.
TEST_F(SameNetwork, AggregationNodes) {
    expect_same({"--network", folder_ / "engine.net", "--routing", "minhop"});
    EXPECT_TRUE(outcome_of({"evaluate"}, {"--network", folder_ / "engine.net", "--routing", "minhop"})
                    .network.starts_with("15 hosts 16 endpoints"));
    std::string const text =
        run_tailback({"diff", folder_ / "engine.net", folder_ / "plain.net", "--format", "json"}).out;
    Json const json = Json::parse(text);
    EXPECT_EQ(json["network"]["before"]["hosts"], 15) << text;
    EXPECT_EQ(json["network"]["after"]["hosts"], 16) << text;
}

/// Audits look at the tables of routers, studies at what a hash chooses among routes of equal cost.
TEST_F(SameNetwork, AFolderOfRouters) {
    Words const network = {"--network", "frr:" + routers_.path()};
    Outcome const audited = outcome_of({"audit"}, network), evaluated = outcome_of({"evaluate"}, network);
    EXPECT_EQ(audited.network, evaluated.network);
    EXPECT_EQ(outcome_of({"bracket"}, network).digest, audited.digest);
    expect_same(joined(network, {"--routing", "ecmp"}), {{"improve", "needs forwarding tables"}});
    expect_same(network, {{"improve", "these routes are not forwarding tables by LID"}, {"audit", ""}});
}

TEST_F(SameNetwork, IsRefusedInTheSameWords) {
    expect_all_refuse({"--network", "torus:4x4", "--routing", "dor", "--lmc", "1"},
                      "--lmc needs a routing by destination for any graph");
    expect_all_refuse({"--network", folder_ / "plain.net", "--tables", tables_, "--lmc", "1"},
                      "--lmc needs a --routing");
    expect_all_refuse({"--network", folder_ / "plain.net"}, "there are no forwarding tables", {"improve"});
    expect_all_refuse({"--network", "torus:4x4", "--routing", "dmodk"}, "this network has no routing \"dmodk\"");
    expect_all_refuse({"--network", "torus:300x300x300", "--fail-cables", "1"}, "it is too large");
}

/// Routes that depend on the source are refused by who needs tables before any route is made.
TEST_F(SameNetwork, TablesAreRefusedInTheSameWords) {
    for (Words const& network : {Words{"--network", "torus:4x4", "--routing", "valiant"},
                                 Words{"--network", "torus:4x4", "--routing", "dor:ties=random-pair"},
                                 Words{"--network", "dcell:n=3,k=1", "--routing", "proxy"},
                                 Words{"--network", "xgft:m=4x4,w=1x4", "--routing", "smodk"}}) {
        std::string const why = " needs forwarding tables (routes by " + network[3] +
                                " also depend on the source); choose a routing that depends on the destination alone";
        std::map<std::string, Words> const all = {
            {"a comparison with counters", {"compare", "--counters", folder_ / "counters"}},
            {"a search for tables", {"improve"}},
            {"lft-dump", {"convert", "--to", "lft-dump"}}};
        for (auto const& [user, command] : all) {
            Finished const run = run_tailback(joined(command, network));
            EXPECT_EQ(run.code, 2);
            EXPECT_EQ(refusal_in(run.err), user + why);
        }
        EXPECT_EQ(outcome_of({"audit"}, network).refusal, "");
    }
    // Only tori and rings draw ways for pairs: elsewhere `ties` changes nothing, and tables hold the routes.
    for (char const* const network : {"hyperx:3x3,hosts=2", "hypercube:3"}) {
        Finished const audited = run_tailback({"audit", "--network", network, "--routing", "dor:ties=random-pair"});
        EXPECT_EQ(audited.code, 0) << audited.err;
        EXPECT_NE(audited.out.find("SOUND"), std::string::npos) << audited.out;
    }
}

/// Rows of pairs that cannot fit are refused before they fill memory, by a sweep as by the command.
TEST_F(SameNetwork, WhatDoesNotFitIsRefusedByTheSameCheck) {
    Words const network = {"--network", "jellyfish:switches=10000,degree=20,hosts=4", "--routing", "valiant"};
    Finished const alone = run_tailback(joined({"evaluate", "--mappings", "1"}, network));
    ASSERT_EQ(alone.code, 2);
    if (!yaml_is_built_in()) GTEST_SKIP() << "built without yaml-cpp";
    std::string const file = folder_.write(
        "large.yaml", "network: \"" + network[1] + "\"\nrouting: valiant\nmappings: 1\nranks: [null, 4]\n");
    Finished const run = run_tailback({"sweep", file, "--dry-run"});
    EXPECT_NE(run.out.find(refusal_in(alone.err)), std::string::npos) << run.out << refusal_in(alone.err);
    EXPECT_NE(run.out.find("1 of them cannot be run"), std::string::npos) << run.out;
}

}  // namespace
}  // namespace tailback::same_network_test
