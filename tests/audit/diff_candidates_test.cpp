// Two folders compared in what their routes do not show: sets of ports to choose among, and damage that a whole file
// hides; and what counts as better or worse.
#include "host/audit/changes/candidate_changes.hpp"

#include "host/api/diff.hpp"
#include "host/model/routes/candidate_sets.hpp"
#include "host/report/diff/compared.hpp"
#include "tests/support/audited.hpp"
#include "tests/support/oracle/dice.hpp"
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "topologies/families/xgft.hpp"
#include "topologies/routing.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <set>

namespace tailback::diff_candidates_test {
namespace {

Fabric adaptive_tree() {
    Topology const topology = make_topology("xgft:2;4,4;1,3");
    Routes routes = make_routes(topology, {"ar:ftree", 1});
    Fabric fabric{topology.network, std::move(routes.tables), true, std::move(routes.routing), nullptr, {}};
    fabric.candidates = std::move(routes.candidates);
    return fabric;
}

/// The ports that a switch chooses among; empty = it takes the static entry.
std::multiset<Port> choices(Fabric const& fabric, Node node, Lid lid) {
    if (fabric.candidates == nullptr) return {};
    auto const group = fabric.candidates->group(node, lid);
    if (group == CandidateSets::no_group) return {};
    auto const ports = fabric.candidates->ports(node, group);
    return {ports.begin(), ports.end()};
}

void expect_entry_by_entry(Fabric const& before, Fabric const& after) {
    FabricDiff const found = diff(before, after, {});
    std::map<std::uint32_t, std::uint64_t> expected;
    for (std::size_t n = 0; n < before.network.nodes().size(); ++n)
        for (Lid lid = 1; lid <= before.network.max_lid(); ++lid)
            if (before.network.owner(lid).node.exists() &&
                choices(before, Node{n}, lid) != choices(after, Node{n}, lid))
                ++expected[static_cast<std::uint32_t>(n)];
    ASSERT_EQ(found.candidates.size(), expected.size());
    std::uint64_t sum = 0, last = ~std::uint64_t{0};
    for (CandidateChange const& change : found.candidates) {
        EXPECT_EQ(change.entries, expected[change.before.value]);
        EXPECT_LE(change.entries, last);
        last = change.entries, sum += change.entries;
        auto const was = choices(before, change.before, change.first.before),
                   now = choices(after, change.after, change.first.after);
        EXPECT_EQ(change.ports_before, std::vector<Port>(was.begin(), was.end()));
        EXPECT_EQ(change.ports_after, std::vector<Port>(now.begin(), now.end()));
        EXPECT_NE(was, now);
    }
    EXPECT_EQ(found.candidate_entries(), sum);
    EXPECT_EQ(found.equal(), expected.empty());
}

TEST(DiffCandidates, EntriesWhoseSetsDifferAreCountedOneByOne) {
    Fabric const before = adaptive_tree();
    Fabric without = before;
    without.candidates = nullptr;
    expect_entry_by_entry(before, before);
    expect_entry_by_entry(before, without);
    expect_entry_by_entry(without, before);
    Dice dice;
    for (int trial = 0; trial < 20; ++trial) {
        CandidateSets sets = *before.candidates;
        for (int damage = 0; damage < 1 + trial; ++damage) {
            Node const node{before.network.hosts().size() +
                            dice(static_cast<std::uint32_t>(before.network.switches()))};
            if (!sets.has_row(node)) continue;
            std::vector<Port> ports;
            for (Port port = 1; port < 4; ++port)
                if (dice(2) == 0) ports.push_back(port);
            sets.set(node, 1 + dice(static_cast<std::uint32_t>(before.network.max_lid())), LidState::free,
                     sets.group_of(node, ports));
        }
        Fabric after = before;
        after.candidates = std::make_shared<CandidateSets const>(std::move(sets));
        expect_entry_by_entry(before, after);
    }
}

struct TwoFolders {
    TwoFolders() {
        for (std::string const& path : {was, now}) {
            Finished const run = run_tailback(
                {"generate", "xgft:2;4,4;1,2", "--routing", "ar:ftree", "--to", "ibdiagnet2", "--output", path});
            EXPECT_EQ(run.code, 0) << run.err;
        }
    }
    void erase(std::string const& file, std::size_t from, std::size_t to) const {
        std::string text = read_whole(now + "/" + file);
        ASSERT_LT(from, text.size());
        text.erase(from, to - from);
        std::ofstream(now + "/" + file) << text;
    }
    std::string text(std::string const& file) const { return read_whole(now + "/" + file); }
    nlohmann::json json() const {
        Finished const ran = run_tailback({"diff", was, now, "--format", "json", "--quiet"});
        EXPECT_EQ(ran.code, 1) << ran.err;
        return nlohmann::json::parse(ran.out);
    }
    TemporaryFolder folder;
    std::string was = folder / "was", now = folder / "now";
};

TEST(DiffCandidates, AnEmptiedGroupIsADifference) {
    TwoFolders const two;
    EXPECT_EQ(run_tailback({"diff", two.was, two.now}).code, 0);
    std::string const far = two.text("ibdiagnet2.far");
    std::size_t const at = far.find("5,6,", far.find("\"S1_2\""));
    two.erase("ibdiagnet2.far", at, at + 4);
    nlohmann::json const json = two.json();
    EXPECT_EQ(json.at("equal"), false);
    EXPECT_EQ(json.at("choices").at("entries"), 12 + 3);  // hosts of other leaves, and these leaves
    ASSERT_EQ(json.at("choices").at("switches").size(), 1u);
    nlohmann::json const& change = json.at("choices").at("switches").at(0);
    EXPECT_EQ(change.at("name"), "S1_2");
    EXPECT_EQ(change.at("ports_before"), nlohmann::json::parse("[5,6]"));
    EXPECT_EQ(change.at("ports_after"), nlohmann::json::array());
    EXPECT_EQ(json.at("verdict").at("judged_by"), "equal division");
    Finished const text = run_tailback({"diff", two.was, two.now});
    EXPECT_EQ(text.code, 1);
    EXPECT_NE(text.out.find("Sets of ports to choose among differ for 15 entries of 1 switch"), std::string::npos)
        << text.out;
    EXPECT_NE(text.out.find("ports 5,6 -> none (the static entry)"), std::string::npos) << text.out;
    EXPECT_NE(text.out.find("are of equal division"), std::string::npos) << text.out;
}

TEST(DiffCandidates, ATableThatAnotherFileHasIsTrouble) {
    TwoFolders const two;
    std::string const fdbs = two.text("ibdiagnet2.fdbs");
    std::size_t const second = fdbs.find("Switch ", fdbs.find("Switch ") + 1);
    ASSERT_NE(second, std::string::npos);
    two.erase("ibdiagnet2.fdbs", 0, second);
    nlohmann::json const json = two.json();
    EXPECT_EQ(json.at("equal"), false);
    EXPECT_NE(json.at("troubles").at("new").dump().find("its table is missing in ibdiagnet2.fdbs"), std::string::npos)
        << json.at("troubles");
    EXPECT_EQ(json.at("verdict").at("verdict"), "worse");
    Finished const text = run_tailback({"diff", two.was, two.now});
    EXPECT_NE(text.out.find(" with the new files "), std::string::npos) << text.out;
}

/// An audit of a tree, whose numbers a test may set.
struct Numbers {
    explicit Numbers(XgftSpec const& tree = {{4, 4}, {1, 2}}) : fabric(make_xgft(tree)), audit(fabric) {
        choose_endpoints(fabric.network, "", true, audit.request);
        audit.request.execution = {.device = DeviceChoice::cpu, .threads = 1};
        audit_routes(audit);
        audit_apart(audit);
        find_faults(audit, Disagreements());
        audit.sort_findings();
    }
    Comparison to(Numbers const& other, Bandwidth before, Bandwidth after) const {
        AuditReport const was = make_audit_report(audit, kinds_that_fail(), 0),
                          now = make_audit_report(other.audit, kinds_that_fail(), 0);
        return compare({was, before}, {now, after});
    }
    Fabric fabric;
    Audit audit;
};
Change change_of(Comparison const& found, std::string const& what) {
    for (ComparedNumber const& number : found.numbers)
        if (number.what.starts_with(what)) return number.change;
    ADD_FAILURE() << what;
    return Change::unknown;
}

/// Fractions are compared within 1e-4 of the larger and of 1: numbers that are printed alike are the same.
TEST(Compared, FractionsThatArePrintedAlikeAreTheSame) {
    Numbers before, after;
    for (Stage& stage : before.audit.balance.stages) stage.total = 1'000'000, stage.links = 1, stage.most = 3'713'138;
    for (Stage& stage : after.audit.balance.stages) stage.total = 1'000'000, stage.links = 1, stage.most = 3'713'148;
    Comparison const close = before.to(after, {0.500001, 0}, {0.500002, 0});
    EXPECT_EQ(change_of(close, "largest load"), Change::same);
    EXPECT_EQ(change_of(close, "bisection bandwidth"), Change::same);
    EXPECT_EQ(close.verdict(), "equal");
    for (Stage& stage : after.audit.balance.stages) stage.most = 3'723'138;
    ++after.audit.balance.largest_between_switches;
    Comparison const apart = before.to(after, {0.5, 0}, {0.49, 0});
    EXPECT_EQ(change_of(apart, "largest load"), Change::worse);
    EXPECT_EQ(apart.sentence(), "Worse: largest load between switches, x ideal; bisection bandwidth (1,000 mappings).");
}

/// The ideal of a stage is its mean over all links: it rises when an idle cable goes. What carries as many pairs as
/// before is no better for that.
TEST(Compared, ALoadThatMovesAgainstItsIdealAloneIsNoChange) {
    Numbers before, after;
    for (Stage& stage : after.audit.balance.stages) stage.total *= 2;
    Comparison const idle = before.to(after, {0.5, 0}, {0.5, 0});
    EXPECT_EQ(change_of(idle, "largest load"), Change::unknown);
    EXPECT_EQ(idle.verdict(), "equal");
    ++after.audit.balance.largest_between_switches;
    Comparison const opposite = before.to(after, {0.5, 0}, {0.5, 0});
    EXPECT_EQ(change_of(opposite, "largest load"), Change::unknown);
}

/// Hosts that are gone leave room for the others, as lost pairs do: that is not better, and it is told.
TEST(Compared, ASmallerFabricIsNotBetter) {
    Numbers whole, less({{4, 3}, {1, 2}});
    Comparison const lost = whole.to(less, {0.5, 0}, {0.6, 0});
    EXPECT_EQ(change_of(lost, "hosts"), Change::worse);
    EXPECT_EQ(change_of(lost, "cables between switches"), Change::worse);
    EXPECT_EQ(change_of(lost, "bisection bandwidth"), Change::unknown);
    EXPECT_EQ(lost.verdict(), "worse");
    EXPECT_EQ(less.to(whole, {0.6, 0}, {0.5, 0}).verdict(), "better");
}

/// Lost flows make room for others: bandwidth that grows while pairs are lost is neither better nor worse.
TEST(Compared, MoreBandwidthWithLostPairsIsNotBetter) {
    Numbers before, after;
    after.audit.all_pairs.pairs.delivered -= 10, after.audit.all_pairs.pairs.unreachable += 10;
    Comparison const lost = before.to(after, {0.5, 0}, {0.6, 0});
    EXPECT_EQ(change_of(lost, "pairs not delivered"), Change::worse);
    EXPECT_EQ(change_of(lost, "bisection bandwidth"), Change::unknown);
    EXPECT_EQ(lost.verdict(), "worse");
    EXPECT_EQ(change_of(before.to(after, {0.5, 0}, {0.4, 0}), "bisection bandwidth"), Change::worse);
    EXPECT_EQ(change_of(after.to(before, {0.5, 0}, {0.4, 0}), "bisection bandwidth"), Change::unknown);
    EXPECT_EQ(change_of(before.to(before, {0.5, 0}, {0.6, 0}), "bisection bandwidth"), Change::better);
}

}  // namespace
}  // namespace tailback::diff_candidates_test
