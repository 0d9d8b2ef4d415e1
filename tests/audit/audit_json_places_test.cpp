// What an audit's JSON says for programs: the place of every finding that has one, destinations of every link, and
// fates that agree with the findings.
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/reading.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace tailback::audit_json_places_test {
namespace {

using Json = nlohmann::json;

char const* const tables = R"(Unicast lids [0-4] of switch Lid 1 guid 0x00000000000000a1 ('leaf one'):
0x0002 003
0x0003 001
0x0004 003
3 lids dumped
Unicast lids [0-4] of switch Lid 2 guid 0x00000000000000a2 ('leaf-2'):
0x0001 003
0x0003 003
0x0004 001
3 lids dumped
)";

/// SL2VL tables of both switches: everything on lane 0, but what goes from port 1 of the first to port 3, on `lane`.
std::string lanes(int lane) {
    auto const line = [](int in, int out, int to) {
        std::string text = std::to_string(in) + " " + std::to_string(out) + " :";
        for (int level = 0; level < 16; ++level) text += " " + std::to_string(to);
        return text + "\n";
    };
    std::string text;
    for (char const* const guid : {"0x00000000000000a1", "0x00000000000000a2"}) {
        text += std::string("Switch ") + guid + ", base LID 1, \"x\"\n";
        for (int const in : {0, 1, 3, 4})
            for (int const out : {1, 3, 4}) text += line(in, out, in == 1 && out == 3 && guid[17] == '1' ? lane : 0);
    }
    return text;
}

class AuditJson : public testing::Test {
protected:
    TemporaryFolder const folder;

    Json audit(std::string const& network, std::string const& lfts, Words const& more = {}) {
        Finished const run = run_tailback(joined({"audit", "--network", folder.write("net", network), "--tables",
                                                  folder.write("lfts", lfts), "--fail-on", "none", "--format", "json"},
                                                 more));
        EXPECT_EQ(run.code, 0) << run.err;
        return Json::parse(run.out);
    }
    /// The first finding whose message holds `part`.
    static Json finding(Json const& report, std::string const& part) {
        for (Json const& one : report.at("findings"))
            if (one.at("message").get<std::string>().find(part) != std::string::npos) return one;
        ADD_FAILURE() << "no finding of \"" << part << "\" in " << report.at("findings").dump(1);
        return Json::object();
    }
    static Json place(Json const& one) {
        return {one.value("node", Json()), one.value("guid", Json()), one.value("port", Json())};
    }
};

TEST_F(AuditJson, FindingsOfReadersHaveAPlace) {
    std::string const one_sided =
        replaced(two_leaves, "[4]\t\"S-00000000000000a1\"[4]\t\t# \"leaf one\" lid 1 4xEDR\n", "");
    EXPECT_EQ(place(finding(audit(one_sided, tables), "is not listed there")),
              (Json{"leaf-2", "0x00000000000000a2", 4}));

    std::string const unknown = replaced(tables, "00a2 ('leaf-2')", "beef ('gone')");
    EXPECT_EQ(place(finding(audit(two_leaves, unknown), "which the topology does not have")),
              (Json{nullptr, "0x000000000000beef", nullptr}));

    std::string const twice = replaced(tables, "0x0004 001\n3 lids", "0x0004 001\n0x0004 003\n4 lids");
    EXPECT_EQ(place(finding(audit(two_leaves, twice), "and to port 1 before")),
              (Json{"leaf-2", "0x00000000000000a2", 3}));

    std::string const cut = replaced(tables, "0x0004 001\n3 lids", "0x0004 001\n7 valid lids");
    EXPECT_EQ(place(finding(audit(two_leaves, cut), "the table counts 7")),
              (Json{"leaf-2", "0x00000000000000a2", nullptr}));

    std::string const stale = replaced(tables, "0x0004 001\n3 lids", "0x0004 001\n0x0009 004\n4 lids");
    EXPECT_EQ(place(finding(audit(two_leaves, stale), "which nobody owns")), (Json{"leaf-2", "0x00000000000000a2", 4}));

    std::string const shared = replaced(two_leaves, "lid 4", "lid 3");
    EXPECT_EQ(place(finding(audit(shared, tables), "the tables send LID 4 to it, and its LID is 3 in the topology")),
              (Json{"node 2", "0x00000000000000b2", 1}));

    std::string const far = folder.write("lanes", lanes(0) + "9 1 : 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n");
    EXPECT_EQ(place(finding(audit(two_leaves, tables, {"--sl2vl", far}), "from port 9")),
              (Json{"leaf-2", "0x00000000000000a2", nullptr}));
}

/// Each of a host's pairs has another destination LID.
TEST_F(AuditJson, LinksOutOfHostsHaveDestinations) {
    Json const report = audit(two_leaves, tables);
    for (Json const& link : report.at("links")) {
        bool const used = link.at("efi") > 0;
        EXPECT_EQ(link.at("destinations"), used ? 1 : 0) << link.dump();
        bool const out_of_a_host = link.at("from").get<std::string>().starts_with("node");
        EXPECT_TRUE(used || !out_of_a_host) << link.dump();
    }
}

TEST_F(AuditJson, WhatLaneFifteenDropsIsUnreachable) {
    Json const free = audit(two_leaves, tables, {"--sl2vl", folder.write("lanes", lanes(0))});
    EXPECT_EQ(free.at("pairs").at("delivered"), 2);
    EXPECT_EQ(free.at("pairs").at("unreachable"), 0);
    Json const dropped = audit(two_leaves, tables, {"--sl2vl", folder.write("lanes", lanes(15))});
    EXPECT_EQ(dropped.at("verdict").at("findings").at("unreachable"), 1);
    EXPECT_EQ(finding(dropped, "lane 15").at("pairs"), 1);
    EXPECT_EQ(dropped.at("pairs").at("unreachable"), 1);
    EXPECT_EQ(dropped.at("pairs").at("delivered"), 1);
    EXPECT_EQ(dropped.at("pairs").at("total"), 2);
    // Of a pair with two service levels one is dropped at every switch: it is one pair.
    Json const levels = audit(
        two_leaves, tables,
        {"--sl2vl", folder.write("lanes", lanes(15)), "--path-sl", folder.write("levels", "3 4 0\n3 4 1\n4 3 0\n")});
    EXPECT_EQ(levels.at("pairs").at("unreachable"), 1);
}

}  // namespace
}  // namespace tailback::audit_json_places_test
