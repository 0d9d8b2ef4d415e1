// Aggregation nodes inside switches are no hosts: `diff` counts hosts and pairs as `audit` does, `compare` expects
// nothing of their ports and misses no pair of theirs.
#include "host/formats/formats.hpp"
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/families/xgft.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sstream>

namespace tailback::aggregation_test {
namespace {

using Json = nlohmann::json;

/// A dump of a tree of four leaves with three end nodes each, two of which are aggregation nodes: H3 (LID 3) and H8
/// (LID 8).
class Dump {
public:
    Dump() : fabric_(make_xgft({{3, 4}, {1, 2}})) {
        std::ostringstream net, tables;
        write_ibnetdiscover(net, fabric_.network);
        write_lft_dump(tables, fabric_);
        tables_ = tables.str();
        net_ = net.str();
        for (char const* const name : {"\"H3\"", "\"H8\""})
            for (std::size_t at; (at = net_.find(name)) != std::string::npos;)
                net_.replace(at, 4, "\"Mellanox Technologies Aggregation Node\"");
    }
    std::string const& net() const { return net_; }
    /// Without the lines in which end node `number` stands.
    std::string net_without(unsigned number) const {
        return lines_of(net_, [guid = fmt::format("H-02544200{:06x}00", number)](std::string const& line) {
            return line.find(guid) == std::string::npos ? line : "";
        });
    }
    /// Of all switches. `0`: to no port.
    std::string tables_with(unsigned lid, unsigned port) const {
        return lines_of(tables_, [&](std::string const& line) {
            return line.starts_with(fmt::format("0x{:04x} ", lid)) ? fmt::format("0x{:04x} {:03}", lid, port) : line;
        });
    }
    std::string const& tables() const { return tables_; }
    /// PM_INFO of every link: 1,000 words, and of those of aggregation nodes, which speak to their switch, a million.
    std::string counters() const {
        std::string text = "START_PM_INFO\nNodeGUID,PortNumber,PortXmitDataExtended,PortXmitWaitExtended\n";
        for (std::size_t l = 0; l < fabric_.network.links().size(); ++l) {
            LinkRecord const& link = fabric_.network[Link{l}];
            bool const apart = is_apart(link.from) || is_apart(link.to);
            text += fmt::format("0x{:016x},{},{},0\n", guid_of(link.from), link.from_port, apart ? 1'000'000 : 1'000);
        }
        return text + "END_PM_INFO\n";
    }
    std::size_t links() const { return fabric_.network.links().size(); }

private:
    template <class Change>
    static std::string lines_of(std::string const& text, Change change) {
        std::istringstream in(text);
        std::string all;
        for (std::string line; std::getline(in, line);) all += change(line) + "\n";
        return all;
    }
    bool is_apart(Node node) const { return fabric_.network[node].name == "H3" || fabric_.network[node].name == "H8"; }
    /// As the written file has it.
    std::uint64_t guid_of(Node node) const { return 0x0254420000000000 + 0x100 * (node.value + 1); }

    Fabric fabric_;
    std::string net_, tables_;
};

Json json_of(Words words, int code) {
    words.insert(words.end(), {"--format", "json"});
    Finished const run = run_tailback(words);
    EXPECT_EQ(run.code, code) << run.err;
    return Json::parse(run.out, nullptr, false);
}
Json number_of(Json const& diff, std::string const& what) {
    for (Json const& number : diff["verdict"]["numbers"])
        if (number["what"] == what) return number;
    return {};
}

TEST(Aggregation, DiffCountsHostsAsAuditDoes) {
    TemporaryFolder folder;
    Dump const dump;
    // H8, an aggregation node, has gone (but not from the tables), and no switch delivers to H3, the other one.
    std::string const old_net = folder.write("old-net", dump.net()), old_tables = folder.write("old", dump.tables());
    std::string const new_net = folder.write("new-net", dump.net_without(8));
    std::string const new_tables = folder.write("new", dump.tables_with(3, 0));
    for (auto const& [how, hosts_before, hosts_now, lost_now, verdict] :
         {std::tuple{"apart", 10, 10, 0, "same"}, {"hosts", 12, 11, 10, "worse"}}) {
        SCOPED_TRACE(how);
        Words const choice = {"--aggregation-nodes", how};
        Json const found = json_of(joined({"diff", old_net + "," + old_tables, new_net + "," + new_tables}, choice), 1);
        Json const before = json_of(joined({"audit", "--network", old_net, "--tables", old_tables}, choice), 0);
        Json const now = json_of(joined({"audit", "--network", new_net, "--tables", new_tables}, choice), 1);
        EXPECT_EQ(before["network"]["hosts"], hosts_before);
        EXPECT_EQ(now["network"]["hosts"], hosts_now);
        Json const hosts = number_of(found, "hosts");
        EXPECT_EQ(hosts["old"], hosts_before);
        EXPECT_EQ(hosts["new"], hosts_now);
        EXPECT_EQ(hosts["verdict"], verdict);
        EXPECT_EQ(found["pairs"]["before"], before["pairs"]["total"]);
        EXPECT_EQ(found["pairs"]["after"], now["pairs"]["total"]);
        EXPECT_EQ(found["pairs"]["other_fate"], lost_now);
        EXPECT_EQ(number_of(found, "pairs not delivered")["new"], lost_now);
        EXPECT_EQ(now["pairs"]["unreachable"], lost_now);
    }
}

TEST(Aggregation, CompareLeavesTheirPortsOut) {
    TemporaryFolder folder;
    Dump const dump;
    Words const words = {"compare",
                         "--network",
                         folder.write("net", dump.net()),
                         "--counters",
                         folder.write("counters", dump.counters()),
                         "--tables",
                         folder.write("lfts", dump.tables())};
    Json const found = json_of(words, 0);
    EXPECT_EQ(found["ports_apart"], 4);  // both ends of two cables
    EXPECT_EQ(found["ports"].size(), dump.links() - 4);
    for (Json const& port : found["ports"]) {
        EXPECT_EQ(port["sent_words"], 1000);
        EXPECT_EQ(port.dump().find("Aggregation"), std::string::npos) << port;
    }
    EXPECT_EQ(found["not_delivered"], 0);
    Finished const text = run_tailback(words);
    EXPECT_NE(text.out.find("Not compared: 4 ports of aggregation nodes"), std::string::npos) << text.out;
    EXPECT_EQ(text.out.find("not delivered"), std::string::npos) << text.out;
    EXPECT_EQ(text.out.find("Aggregation Node"), std::string::npos) << text.out;
}

/// Ten hosts: nine pairs are lost with the LID of one of them, none with that of an aggregation node.
TEST(Aggregation, CompareMissesPairsOfHostsAlone) {
    TemporaryFolder folder;
    Dump const dump;
    Words const words = {"compare", "--network", folder.write("net", dump.net()), "--counters",
                         folder.write("counters", dump.counters())};
    for (auto const& [lid, lost] : {std::pair{3u, 0}, {4u, 9}}) {
        std::string const tables = folder.write(fmt::format("lfts-{}", lid), dump.tables_with(lid, 0));
        EXPECT_EQ(json_of(joined(words, {"--tables", tables}), 0)["not_delivered"], lost) << lid;
    }
}

}  // namespace
}  // namespace tailback::aggregation_test
