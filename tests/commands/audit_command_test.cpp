// tailback audit at the command line: exit codes, --fail-on, every form of the report, bad use. The reports of the
// broken 16-host tree are held byte for byte: tests/fixtures/audit.
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/reading.hpp"
#include "tests/support/programs/shared_data.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <set>

namespace tailback::audit_command_test {
namespace {

Finished audit(std::vector<std::string> const& more, std::string const& run = "file-broken") {
    std::vector<std::string> words = on_tree16(more, run);
    words.front() = "audit";
    words.insert(words.end(), {"--device", "cpu"});
    return run_tailback(words);
}

std::string const sound = "minhop";

TEST(AuditCommand, SoundTablesExitWithZeroAndDamagedOnesWithOne) {
    Finished const good = audit({}, sound);
    EXPECT_EQ(good.code, 0) << good.err;
    EXPECT_NE(good.out.find("SOUND: nothing found that counts as a fault"), std::string::npos) << good.out;
    Finished const bad = audit({});
    EXPECT_EQ(bad.code, 1);
    EXPECT_NE(bad.out.find("FAULTS: 1 inconsistent, 2 unreachable, 2 loop, 1 misdelivered"), std::string::npos)
        << bad.out;
}

/// Cables that fail by name are given back by name: by unique parts and by either end; others are refused.
TEST(AuditCommand, CablesThatFailAreReturnedByName) {
    auto const returned = [](std::string const& fails, std::string const& which) {
        std::vector<std::string> words = {"audit", "xgft:m=4x4,w=1x4", "--device", "cpu", "--format", "json"};
        if (!fails.empty()) words.insert(words.end(), {"--fail-cables", fails});
        words.insert(words.end(), {"--return-cables", which});
        return run_tailback(words);
    };
    auto const names = [&](std::string const& which) {
        Finished const done = returned("S1_0:5,S1_0:6,S1_2:7", which);
        std::set<std::string> found;
        EXPECT_LE(done.code, 1) << done.err;
        auto const json = nlohmann::json::parse(done.out);
        for (auto const& one : json["returned_cables"]["cables"]) found.insert(one.dump());
        return found;
    };
    std::set<std::string> const all = names("failed");
    EXPECT_EQ(all.size(), 3u);
    std::set<std::string> const one = names("S1_2:7");
    ASSERT_EQ(one.size(), 1u);
    EXPECT_NE(one.begin()->find("S1_2"), std::string::npos) << *one.begin();
    EXPECT_EQ(names("s1_0:5,S1_0:5,S2_1:1").size(), 2u);  // S2_1 port 1 is the far end of S1_0 port 6
    for (auto const& [fails, which, why] : {std::array{"", "S1_0:5", "this cable is there"},
                                            {"", "failed", "no cable fails here"},
                                            {"S1_0:5", "S1_0:6", "it does not fail"},
                                            {"S1_0:5", "S1_0:1", "it leads to a host"},
                                            {"S1_0:5", "S1_9:6", "S1_9"}}) {
        Finished const done = returned(fails, which);
        EXPECT_EQ(done.code, 2) << which;
        EXPECT_NE(done.err.find(why), std::string::npos) << done.err;
    }
}

TEST(AuditCommand, FailOnChoosesWhatCounts) {
    EXPECT_EQ(audit({"--fail-on", "none"}).code, 0);
    EXPECT_EQ(audit({"--fail-on", "loop"}).code, 1);
    EXPECT_EQ(audit({"--fail-on", "nonminimal,updown"}).code, 0);
    EXPECT_EQ(audit({"--fail-on", "nonminimal,misdelivered"}).code, 1);
    EXPECT_EQ(audit({"--fail-on", "unused"}).code, 1);
    EXPECT_EQ(audit({"--fail-on", "all"}, sound).code, 1);  // asymmetric pairs
    EXPECT_EQ(audit({"--fail-on", "unused"}, sound).code, 0);
}

/// Faults of kinds that --fail-on leaves out do not fail the run, yet nobody may call the fabric sound.
TEST(AuditCommand, FaultsThatAreLeftOutAreNotCalledSound) {
    Finished const ran = audit({"--fail-on", "nonminimal"});
    EXPECT_EQ(ran.code, 0);
    EXPECT_EQ(ran.out.find("\nSOUND"), std::string::npos) << ran.out;
    EXPECT_NE(ran.out.find("NOT SOUND, but no findings of the kinds that --fail-on counts; faults that --fail-on"),
              std::string::npos)
        << ran.out;
    EXPECT_NE(audit({"--fail-on", "loop"})
                  .out.find("FAULTS: 2 loop; faults that --fail-on leaves out: 1 inconsistent, 2 unreachable"),
              std::string::npos);
}

/// Codes of findings count as kinds do, whatever their kind; the report says which.
TEST(AuditCommand, FailOnTakesCodes) {
    EXPECT_EQ(audit({"--fail-on", "lid-owned-twice"}).code, 0);
    Finished const loops = audit({"--fail-on", "lid-owned-twice,forwarding-loop"});
    EXPECT_EQ(loops.code, 1);
    EXPECT_NE(loops.out.find("FAULTS: 2 forwarding-loop; faults that --fail-on leaves out: 1 inconsistent, 2 "
                             "unreachable, 1\nmisdelivered; not counted"),
              std::string::npos)
        << loops.out;
    EXPECT_NE(audit({"--fail-on", "loop,forwarding-loop"}).out.find("FAULTS: 2 loop;"), std::string::npos);
    auto const json = nlohmann::json::parse(audit({"--fail-on", "unused,forwarding-loop", "--format", "json"}).out);
    EXPECT_EQ(json["verdict"]["fail_on"], (nlohmann::json{"unused", "forwarding-loop"}));
    EXPECT_EQ(json["verdict"]["result"], "faults");
}

/// Every finding and every symptom has a code of its kind, and the text tells it behind the place.
TEST(AuditCommand, FindingsHaveCodes) {
    auto const json = nlohmann::json::parse(audit({"--format", "json"}).out);
    std::string const text = audit({"--top", "1000"}).out;
    std::set<std::string> codes;
    for (auto const& finding : json["findings"]) {
        std::string const id = finding["code"];
        std::optional<Code> const code = code_of(id);
        ASSERT_TRUE(code) << finding;
        EXPECT_EQ(finding["kind"], finding_kinds()[std::size_t(kind_of(*code))].name) << finding;
        codes.insert(id);
        if (finding.contains("symptoms"))
            for (auto const& symptom : finding["symptoms"]) {
                EXPECT_TRUE(code_of(symptom["code"].get<std::string>()));
            }
        if (finding["kind"] != "asymmetric") {
            EXPECT_NE(text.find("[" + id + "]"), std::string::npos) << id;
        }
    }
    for (char const* const id : {"forwarding-loop", "wrong-host", "cable-unused"})
        EXPECT_TRUE(codes.contains(id)) << id;
}

/// Nobody's clock, device or threads show in a report.
TEST(AuditCommand, ReportsToTheByte) {
    std::string const folder = (fixtures() / "audit").string() + "/";
    for (auto const& [format, file] :
         {std::pair{"text", "file-broken.txt"}, {"json", "file-broken.json"}, {"csv", "file-broken.csv"}}) {
        Finished const one = audit({"--format", format, "--threads", "1"}),
                       two = audit({"--format", format, "--threads", "2"});
        EXPECT_EQ(one.out, two.out);
        std::string out = replaced(one.out, fixture(), "");  // the files that it names
        for (char const* const commit : {"  \"commit\": ", "report,commit,"})
            if (std::size_t const at = out.find(commit); at != out.npos) out.erase(at, out.find('\n', at) + 1 - at);
        EXPECT_EQ(out, read_whole(folder + file)) << "when the change is meant: write this output to " << file;
    }
}

TEST(AuditCommand, JsonHasTheKeysThatScriptsRelyOn) {
    auto const json = nlohmann::json::parse(audit({"--format", "json"}).out);
    EXPECT_EQ(
        json["pairs"],
        (nlohmann::json{{"total", 240}, {"delivered", 212}, {"unreachable", 8}, {"loop", 16}, {"misdelivered", 4}}));
    EXPECT_EQ(json["hops"], (nlohmann::json{{"2", 48}, {"4", 164}}));
    EXPECT_EQ(json["minimal"]["pairs"], 212);
    EXPECT_EQ(json["minimal"]["longer"], 0);
    EXPECT_TRUE(json.contains("deadlock"));
    for (char const* const key : {"kind", "where", "pairs", "message"})
        EXPECT_TRUE(json["findings"][0].contains(key)) << key;
    ASSERT_EQ(json["links"].size(), 64u);
    std::uint64_t sum = 0;
    for (auto const& link : json["links"]) {
        for (char const* const key : {"from", "from_port", "to", "to_port", "efi", "destinations", "worst_permutation"})
            EXPECT_TRUE(link.contains(key)) << key;
        sum += link["efi"].get<std::uint64_t>();
    }
    EXPECT_EQ(sum, 2u * 48 + 4u * 164);
    EXPECT_EQ(json["findings"][0]["where"], "switch \"MF0;sw-spine2:IS5030/U1\" (0x0002c90200400008) port 3");
    EXPECT_EQ(json["findings"][0]["pairs"], 12);
}

/// What a finding names is there for programs, too: node, GUID, port, ranges of LIDs.
TEST(AuditCommand, FindingsOfTheJsonNameTheirPlaceApart) {
    auto const json = nlohmann::json::parse(audit({"--format", "json"}).out);
    auto const& loop = json["findings"][0];
    EXPECT_EQ(loop["node"], "MF0;sw-spine2:IS5030/U1");  // which leads away, to leaf-02
    EXPECT_EQ(loop["guid"], "0x0002c90200400008");
    EXPECT_EQ(loop["port"], 3);
    EXPECT_EQ(loop["lids"], nlohmann::json::parse("[[16,16]]"));
    EXPECT_EQ(loop["lid_count"], 1);
    for (auto const& finding : json["findings"])
        if (finding["kind"] == "asymmetric") {
            EXPECT_TRUE(finding["node"].is_null() && finding["port"].is_null() && finding["lids"].empty());
        }
}

/// Switches with findings that count have a red frame; sound ones none.
TEST(AuditCommand, PictureMarksFaults) {
    std::string const bad = audit({"--format", "svg"}).out;
    EXPECT_NE(bad.find("red frame"), std::string::npos);
    EXPECT_NE(bad.find("faults found here: "), std::string::npos);
    EXPECT_EQ(audit({"--format", "svg"}, sound).out.find("faults found"), std::string::npos);
}

/// --quiet leaves notes and the closing line out, of any command, wherever it stands; errors stay.
TEST(AuditCommand, QuietTellsErrorsAlone) {
    EXPECT_EQ(audit({"--quiet"}, sound).err, "");
    EXPECT_NE(audit({"--quiet", "--roots", "nowhere"}, sound).err, "");
    EXPECT_EQ(run_tailback(on_tree16({"--quiet", "--mappings", "2", "--pattern", "bisect"})).err, "");
}

/// Cables between switches are the list, those of hosts a sentence; the JSON has all.
TEST(AuditCommand, CriticalityListsCablesBetweenSwitches) {
    std::string const text = audit({"--criticality"}, sound).out;
    std::size_t const at = text.find("Cables between switches by the pairs");
    ASSERT_NE(at, std::string::npos);
    EXPECT_EQ(text.substr(at, text.find("Balance") - at).find("HCA"), std::string::npos);
    EXPECT_NE(text.find("The cables of hosts (16) carry 30 to 30 pairs each"), std::string::npos) << text;
    EXPECT_EQ(nlohmann::json::parse(audit({"--criticality", "--format", "json"}, sound).out)["cables"].size(), 32u);
}

/// Failures that were asked for are no dumps that disagree; a worst case that is left out says so.
TEST(AuditCommand, HeadingsSayWhatIsSo) {
    std::string const text = audit({"--fail-cables", "2", "--worst-case", "none", "--shifts", "none"}, sound).out;
    EXPECT_EQ(text.find("the dumps disagree"), std::string::npos) << text;
    EXPECT_NE(text.find("inconsistent: the tables do not fit the network after the requested failures"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("Worst case: left out"), std::string::npos);
}

TEST(AuditCommand, PicturesAndRunInfoBesideTheReport) {
    TemporaryFolder const folder;
    Finished const ran =
        audit({"--picture", folder / "p.svg", "--run-info", folder / "run.json", "--output", folder / "report"}, sound);
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(ran.out, "");
    EXPECT_NE(ran.err.find("240 pairs audited"), std::string::npos);
    EXPECT_NE(read_whole(folder / "p.svg").find("16 hosts, 6 switches"), std::string::npos);
    EXPECT_EQ(read_whole(folder / "p.svg"), audit({"--format", "svg"}, sound).out);
    EXPECT_TRUE(nlohmann::json::parse(read_whole(folder / "run.json")).contains("audit_s"));
    Finished const dot = audit({"--format", "dot"});
    EXPECT_EQ(std::count(dot.out.begin(), dot.out.end(), '>'), 64);
    EXPECT_EQ(dot.out.substr(0, 15), "digraph fabric ");
}

/// The form of a picture goes by the name of its file; a name without an end is a drawing.
TEST(AuditCommand, PicturesHaveForms) {
    TemporaryFolder const folder;
    for (auto const& [file, begins, lines] :
         {std::tuple{"links.csv", "from,from_guid,from_port,to,to_guid,to_port,rate,from_level,to_level,efi,ideal,",
                     65},
          {"fabric.dot", "digraph fabric {", 0},
          {"fabric", "<svg ", 0}}) {
        ASSERT_EQ(audit({"--picture", folder / file}).code, 1);
        std::string const written = read_whole(folder / file);
        EXPECT_TRUE(written.starts_with(begins)) << written.substr(0, 200);
        if (lines > 0) {
            EXPECT_EQ(std::count(written.begin(), written.end(), '\n'), lines);
        }
    }
    EXPECT_NE(
        read_whole(folder / "links.csv")
            .find("\nleaf-04,0x0002c90200400028,1,node0013 HCA-1,0x0002c903001000c0,1,4xQDR,1,0,11,13.25,1,1,0\n"),
        std::string::npos);
}

TEST(AuditCommand, TopBoundsEveryList) {
    std::string const text = audit({"--top", "1"}).out;
    EXPECT_NE(text.find("loop: pairs that run in a circle (16 pairs)"), std::string::npos);
    EXPECT_NE(text.find("  and 1 more\n"), std::string::npos);
    EXPECT_EQ(text.find("switch \"leaf-03\" (0x0002c90200400020) port 7: 4 pairs"), std::string::npos);
}

TEST(AuditCommand, LinesFitATerminalOf100Columns) {
    std::string const text = audit({}).out;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t const end = text.find('\n', at);
        std::size_t columns = 0;
        for (std::size_t i = at; i < end; ++i) columns += (static_cast<unsigned char>(text[i]) & 0xC0) != 0x80;
        bool const is_command = text.compare(at, 13, "    tailback ") == 0;  // to be copied whole
        EXPECT_TRUE(is_command || columns <= 100) << text.substr(at, end - at);
        at = end + 1;
    }
}

TEST(AuditCommand, HostsMayBeChosenByName) {
    auto const json = nlohmann::json::parse(audit({"--hosts", "node000?*", "--format", "json"}, sound).out);
    EXPECT_EQ(json["network"]["hosts"], 9);
    EXPECT_EQ(json["pairs"]["total"], 72);
    Finished const nobody = audit({"--hosts", "nobody*"}, sound);
    EXPECT_EQ(nobody.code, 2);
    EXPECT_NE(nobody.err.find("no host's name fits --hosts \"nobody*\""), std::string::npos) << nobody.err;
}

TEST(AuditCommand, RootsMayBeGiven) {
    TemporaryFolder const folder;
    std::string const roots = folder.write("roots", "# spines\n0x0002c90200400000\n0x0002c90200400008\n");
    EXPECT_NE(audit({"--roots", roots}, sound).out.find("up*/down* from 2 roots (as given): every route keeps to it"),
              std::string::npos);
    std::string const one =
        folder.write("one", "0x0002c90200400000\n");  // then the way over the other spine is down and up
    EXPECT_EQ(audit({"--roots", one, "--fail-on", "updown"}, sound).code, 1);
    for (auto const& [text, message] : {std::pair{"spine-1\n", "roots:1: \"spine-1\" is neither a GUID"},
                                        {"\n0x77\n", "roots:2: the network has no node"},
                                        {"0x0002c90300100050\n", "is not a switch"},
                                        {"# none\n", "the file lists no roots"}}) {
        Finished const ran = audit({"--roots", folder.write("roots", text)}, sound);
        EXPECT_EQ(ran.code, 2);
        EXPECT_NE(ran.err.find(message), std::string::npos) << ran.err;
        EXPECT_EQ(ran.out, "");
    }
}

TEST(AuditCommand, NetworksOfNames) {
    Finished const ran =
        run_tailback({"audit", "--network", (fixtures() / "orcs/ft16_4ary2.dot").string(), "--format", "json"});
    EXPECT_EQ(ran.code, 0) << ran.err;
    auto const json = nlohmann::json::parse(ran.out);
    EXPECT_EQ(json["pairs"]["delivered"], 240);
    EXPECT_TRUE(json["links"][0]["from_guid"].is_null());
}

TEST(AuditCommand, BadUseExitsWithTwoAndPrintsNothing) {
    std::string const topology = (fixtures() / "opensm/ft2-16/minhop/ibnetdiscover.out.xz").string();
    for (auto const& [words, message] : {
             std::pair{std::vector<std::string>{"--fail-on", "loops"}, "the nearest is \"loop\""},
             {{"--fail-on", "no-entri"}, "the nearest is \"no-entry\""},
             {{"--fail-on", "none,loop"}, "--fail-on none cannot be combined"},
             {{"--format", "xml"}, "--format"},
             {{"--top", "many"}, "--top \"many\" is not a whole number"},
             {{"--output", topology}, "an output would replace an input"},
             {{"--picture", topology}, "does not know the form"},
             {{"--picture", "-"}, "two outputs go to the same place"},
             {{"--bogus"}, "unknown option"},
         }) {
        Finished const ran = audit(words);
        EXPECT_EQ(ran.code, 2) << message;
        EXPECT_NE(ran.err.find(message), std::string::npos) << ran.err;
        EXPECT_EQ(ran.out, "");
    }
    Finished const untabled = run_tailback({"audit", "--network", topology});
    EXPECT_EQ(untabled.code, 2);
    EXPECT_NE(untabled.err.find("there are no forwarding tables"), std::string::npos);
    EXPECT_NE(run_tailback({"audit", "--help"}).out.find("kinds of findings"), std::string::npos);
}

}  // namespace
}  // namespace tailback::audit_command_test
