// The document of an audit: sentences and tables of an audit that is made by hand, line by line.
#include "host/report/audit/audit_report.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/families/xgft.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace tailback::audit_document_test {
namespace {

template <class Write>
std::string written(Write const& write) {
    std::ostringstream out;
    write(out);
    return out.str();
}

std::string part(std::string const& text, std::string const& heading) {
    std::size_t const at = text.find("\n" + heading);
    if (at == text.npos) return "";
    return text.substr(at + 1, text.find("\n\n", at) - at - 1);
}

/// Two leaves of two hosts below two spines; what was found is made up.
struct HandMade {
    Fabric fabric = make_xgft({{2, 2}, {1, 2}});
    Audit audit{fabric};

    HandMade() {
        Network const& net = fabric.network;
        choose_endpoints(net, "", true, audit.request);
        audit.levels = levels_of(net);
        audit.updown.reason = "there is no tree";
        audit.all_pairs.pairs = {.total = 1200, .delivered = 1000, .unreachable = 150, .loop = 50, .misdelivered = 0};
        audit.all_pairs.hops = {0, 0, 400, 0, 600};
        audit.all_pairs.longer = 30;
        audit.all_pairs.excess = {0, 0, 30};
        audit.all_pairs.load.assign(net.links().size(), 10);
        audit.all_pairs.destinations.assign(net.links().size(), 2);
        audit.asymmetry = {.pairs = 6, .differing = 3};
        Link const up = net.link_at(net[net.up_link(Host{0})].to, 3);
        audit.all_pairs.load[up.value] = 1500;
        audit.balance.stage_of.assign(net.links().size(), 0);
        audit.balance.stages = {{.from = 1, .to = 2, .links = 4, .unused = 1, .total = 4000, .least = 0, .most = 1500}};
        audit.balance.stages.front().hottest = up;
        audit.balance.hops = 3200;
        audit.balance.largest = audit.balance.largest_between_switches = 1500;
        audit.balance.hottest = {up, net[up].reverse};
        audit.add({Finding(Code::no_entry, "switch \"S1_1\"", 150, "no entry for LID 3", net[up].from),
                   Finding(Code::forwarding_loop, "switch \"S2_0\" port 1", 50, "LID 4 runs in a circle"),
                   Finding(Code::no_entry, "switch \"S1_0\"", 1, "no entry for LID 2")});
        audit.findings[1].symptoms = {Finding(Code::no_entry, "switch \"S2_1\"", 0, "no entry for LID 4")};
        audit.cables = {{.link = up, .pairs = 1700}};
    }
};

TEST(AuditDocument, SentencesAndTables) {
    HandMade const made;
    AuditReport const report = make_audit_report(made.audit, kinds_that_fail(), 1);
    std::string const text = written([&](std::ostream& out) { write_text(out, document_of(report), 100); });
    EXPECT_EQ(text.substr(0, text.find('\n')), "Audit of 4 hosts, 4 switches, 16 links, digest " + report.digest);
    EXPECT_NE(text.find("\nFAULTS: 3 unreachable, 1 loop"), std::string::npos) << text;
    EXPECT_EQ(part(text, "unreachable:"),
              "unreachable: pairs that are dropped on the way (151 pairs)\n"
              "  switch \"S1_1\": 150 pairs [no-entry]\n      no entry for LID 3\n  and 1 more");
    EXPECT_EQ(part(text, "loop:"),
              "loop: pairs that run in a circle (50 pairs)\n"
              "  switch \"S2_0\" port 1: 50 pairs [forwarding-loop]\n      LID 4 runs in a circle\n"
              "      1 symptom of it: switch \"S2_1\": no entry for LID 4");
    EXPECT_EQ(part(text, "Fates"),
              "Fates of all 1,200 pairs (source port, destination LID)\n"
              "  delivered     1,000  83.3 %\n  unreachable     150  12.5 %\n"
              "  loop             50  4.17 %\n  misdelivered      0     0 %");
    std::string const lengths = part(text, "Links of a route");
    EXPECT_NE(lengths.find(" 400      40 %\n"), std::string::npos) << lengths;
    EXPECT_NE(lengths.find("  30 pairs (3 %) take more links than the shortest path: 30 by 2.\n"
                           "  up*/down* is not checked: there is no tree.\n"
                           "  3 of 6 pairs of endpoints (50 %) return over other cables than they went."),
              std::string::npos)
        << lengths;
    EXPECT_EQ(part(text, "Cables"),
              "Cables between switches by the pairs that depend on them (both directions)\n"
              "  pairs  cable\n  1,700  S1_0 [3] -> S2_0 [1]");
    EXPECT_EQ(part(text, "Balance"),
              "Balance: pairs over a link (edge forwarding index), by stage\n"
              "  stage               links  unused   ideal  least  largest  x ideal\n"
              "  level 1 -> level 2      4       1  1000.0      0    1,500     1.50\n"
              "  The largest between switches is 1,500.");
    EXPECT_EQ(part(text, "Hottest"),
              "Hottest links between switches, by pairs\n"
              "  pairs  x ideal  LIDs  link\n  1,500     1.50     2  S1_0 [3] -> S2_0 [1]\n  and 1 more");
}

/// Wide tables and long names give way on a narrow terminal; sentences are wrapped.
TEST(AuditDocument, IsAsWideAsTheTerminal) {
    HandMade const made;
    AuditReport const report = make_audit_report(made.audit, kinds_that_fail(), 5);
    std::string const text = written([&](std::ostream& out) { write_text(out, document_of(report), 60); });
    for (std::size_t at = 0, end = 0; at < text.size(); at = end + 1) {
        end = text.find('\n', at);
        std::size_t columns = 0;
        for (std::size_t i = at; i < end; ++i) columns += (static_cast<unsigned char>(text[i]) & 0xC0) != 0x80;
        EXPECT_LE(columns, text.compare(at, 7, "  stage") == 0 || text.compare(at, 7, "  level") == 0 ? 69u : 60u)
            << text.substr(at, end - at);
    }
}

/// The value, its long lists, and their CSV.
TEST(AuditDocument, TheValueHasTheSame) {
    HandMade const made;
    AuditReport const report = make_audit_report(made.audit, kinds_that_fail(), 1);
    Json json = value_of(report);
    EXPECT_EQ(json["verdict"]["finding_pairs"]["unreachable"], 151);
    EXPECT_EQ(json["balance"]["stages"][0]["x_ideal"], 1.5);
    std::vector<LongList> const lists = long_lists_of(report);
    for (LongList const& list : lists) json[list.name] = list.whole();
    EXPECT_EQ(json["findings"].size(), 3u);
    EXPECT_EQ(json["links"].size(), 16u);
    EXPECT_EQ(json["cables"][0]["pairs"], 1700);
    std::string const csv = written([&](std::ostream& out) { write_as(out, report, Form::csv, 100); });
    for (std::string const row :
         {"\nverdict,finding_pairs,unreachable,151,", "\nhops,,4,600,", "\nminimal,excess,2,30,",
          "\ncables,pairs,0,1700,S1_0,3,S2_0,1,", "\nbalance,stages_x_ideal,1,1.5,", "\nfindings,pairs,1,50,"})
        EXPECT_NE(csv.find(row), std::string::npos) << row << csv;
    std::string const table = written([&](std::ostream& out) { write_links_csv(out, report); });
    EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 17);
    EXPECT_NE(table.find("\nS1_0,,3,S2_0,,1,"), std::string::npos) << table;
    EXPECT_NE(table.find(",1,2,1500,1000,2,,\n"), std::string::npos) << table;
}

}  // namespace
}  // namespace tailback::audit_document_test
