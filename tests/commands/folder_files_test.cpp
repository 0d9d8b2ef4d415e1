// Which files of a folder an audit uses, and what it says of the others: the head of the report, files of no use,
// tables of another run, lost rows of LINKS.
#include "host/audit/findings/finding.hpp"
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/paths.hpp"
#include "tests/support/programs/temporary_folder.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <sstream>

namespace tailback::folder_files_test {
namespace {

struct GeneratedRun {
    explicit GeneratedRun(std::string const& spec = "xgft:2;4,4;1,2") : path(folder / "run") {
        Finished const made =
            run_tailback({"generate", spec, "--routing", "ar:ftree", "--to", "ibdiagnet2", "--output", path});
        EXPECT_EQ(made.code, 0) << made.err;
    }
    std::string text(std::string const& file) const { return read_whole(path + "/" + file); }
    void write(std::string const& file, std::string const& text) const { std::ofstream(path + "/" + file) << text; }
    nlohmann::json audit() const {
        Finished const ran = run_tailback({"audit", "--network", path, "--format", "json", "--quiet"});
        EXPECT_NE(ran.code, 2) << ran.err;
        return nlohmann::json::parse(ran.out);
    }
    TemporaryFolder folder;
    std::string path;
};

/// The files of a torus of 64 switches and 128 hosts: LIDs 1 to 192.
struct Dumped {
    Dumped() {
        TemporaryFolder const made;
        Finished const ran = run_tailback({"generate", "torus:4x4x4,hosts=2", "--to", "ibnetdiscover,lft-dump,fdbs",
                                           "--output", made.path(), "--quiet"});
        EXPECT_EQ(ran.code, 0) << ran.err;
        for (auto const& file : std::filesystem::directory_iterator(made.path())) {
            std::string const name = file.path().filename().string(), text = read_whole(file.path().string());
            if (name.ends_with(".fdbs")) fdbs = text;
            else if (name.ends_with(".dump")) lft_dump = text;
            else folder.write(name, text);
        }
    }
    TemporaryFolder folder;
    std::string lft_dump, fdbs;
};

/// Every file of the folder is named once: by what it is used for, or as one that is held against those.
TEST(FolderFiles, TheHeadSaysWhichFilesAreUsed) {
    GeneratedRun const run;
    std::string out = run_tailback({"audit", "--network", run.path, "--quiet"}).out;
    for (std::size_t at = 0; (at = out.find('\n', at)) != out.npos;) out[at] = ' ';
    EXPECT_NE(out.find("Files of the folder: network: ibdiagnet2.db_csv; tables: ibdiagnet2.fdbs; groups: "
                       "ibdiagnet2.far; compared with them: "),
              std::string::npos)
        << out;
    for (char const* const beside : {"ibdiagnet2.lst", "ibdiagnet2.net_dump", "ibnetdiscover.out"})
        EXPECT_NE(out.find(beside), std::string::npos) << beside;
    EXPECT_EQ(run_tailback({"audit", "--network", "torus:3x3"}).out.find("Files of the folder"), std::string::npos);
}

/// A file whose text speaks of SL2VL and that has no such table is no reason to refuse a folder.
TEST(FolderFiles, AFileOfNoUseIsPassedOver) {
    GeneratedRun const run;
    nlohmann::json const before = run.audit();
    run.write("smpquery-sl2vl.out",
              "# SL2VL table: Lid 4\n#                 SL: | 0| 1|\nports: in  0, out  0: | 0| 1|\n");
    Finished const ran = run_tailback({"audit", "--network", run.path});
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_NE(ran.err.find("smpquery-sl2vl.out is passed over"), std::string::npos) << ran.err;
    EXPECT_EQ(run.audit().at("verdict"), before.at("verdict"));
}

/// A file that is named as SL2VL tables and cannot be read is damage, which counts as a fault.
TEST(FolderFiles, DamagedLanesAreAFinding) {
    GeneratedRun const run;
    run.write("ibdiagnet.slvl", "SL2VL\n%%%%\n");
    nlohmann::json const audit = run.audit();
    EXPECT_EQ(audit.at("verdict").at("findings").at("inconsistent"), 1);
    EXPECT_EQ(audit.at("findings").at(0).at("where"), "ibdiagnet.slvl");
}

/// Tables of another run differ at many switches: one finding, which names both files.
TEST(FolderFiles, GroupsOfAnotherRunAreOneFinding) {
    GeneratedRun const run("xgft:2;4,8;1,4");
    std::string far = run.text("ibdiagnet2.far");
    std::size_t switches = 0;
    for (std::size_t at = 0; (at = far.find("LFT Definition", at)) != far.npos; ++switches) {
        at = far.find("\n0x", at) + 1;  // the first entry of each table goes to another port
        std::size_t const port = far.find_first_not_of(' ', far.find(' ', at));
        far.replace(port, 1, far[port] == '3' ? "4" : "3");
    }
    ASSERT_GT(switches, 4u);
    run.write("ibdiagnet2.far", far);
    nlohmann::json const audit = run.audit();
    std::size_t apart = 0;
    for (auto const& finding : audit.at("findings"))
        if (finding.at("kind") == "inconsistent") {
            ++apart;
            EXPECT_EQ(finding.at("where"), "ibdiagnet2.far");
            EXPECT_NE(finding.at("message").get<std::string>().find("it is of another run"), std::string::npos);
            EXPECT_NE(finding.at("message").get<std::string>().find("differ from ibdiagnet2.fdbs, which is used"),
                      std::string::npos);
        }
    EXPECT_EQ(apart, 1u);
}

/// Rows of LINKS that are lost are the cause of all ports without a cable.
TEST(FolderFiles, LostLinksAreOneCause) {
    GeneratedRun const run;
    for (char const* const file : {"ibdiagnet2.far", "ibdiagnet2.lst", "ibdiagnet2.net_dump", "ibnetdiscover.out"})
        std::filesystem::remove(run.path + "/" + file);
    std::string text = run.text("ibdiagnet2.db_csv");
    std::size_t const end = text.find("END_LINKS");
    std::size_t from = end;
    for (int row = 0; row < 12; ++row) from = text.rfind('\n', from - 2) + 1;
    run.write("ibdiagnet2.db_csv", text.erase(from, end - from));
    nlohmann::json const audit = run.audit();
    ASSERT_FALSE(audit.at("findings").empty());
    nlohmann::json const& first = audit.at("findings").at(0);
    EXPECT_EQ(first.at("where"), "section LINKS");
    EXPECT_GT(first.at("pairs"), 0);
    EXPECT_GE(first.at("symptoms").size(), 12u);
    for (auto const& finding : audit.at("findings"))
        EXPECT_EQ(finding.at("message").get<std::string>().find("no cable"), std::string::npos) << finding;
}

/// dump_fts leaves out the last LID of all tables where that is a multiple of 64, as it did for a torus of 192 nodes:
/// no finding, and what another file has is taken. Of any other LID it is one finding.
TEST(FolderFiles, LidsThatAFileOfTablesLacks) {
    Dumped const torus;  // 192 LIDs
    auto const audit_without = [&](Lid lid) {
        std::string const entry = fmt::format("0x{:04x} ", lid);
        std::istringstream in(torus.lft_dump);
        std::string dump, line;
        while (std::getline(in, line))
            if (!line.starts_with(entry)) dump += line + "\n";
        torus.folder.write("dump_fts.out", dump);
        torus.folder.write("ibdiagnet2.fdbs", torus.fdbs);
        Finished const ran = run_tailback({"audit", "--network", torus.folder.path(), "--format", "json", "--quiet"});
        nlohmann::json audit = nlohmann::json::parse(ran.out);
        EXPECT_EQ(audit.at("pairs").at("unreachable"), 0);
        nlohmann::json found = nlohmann::json::array();
        for (auto const& finding : audit.at("findings"))
            if (finding.at("kind") == "inconsistent") found.push_back(finding);
        return found;
    };
    EXPECT_EQ(audit_without(1000).size(), 0u);
    EXPECT_EQ(audit_without(192).size(), 0u);
    nlohmann::json const found = audit_without(100);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found.at(0).at("where"), "dump_fts.out");
    EXPECT_EQ(found.at(0).at("message"),
              "no table has an entry for LID 100, which ibdiagnet2.fdbs has; those are used");
}

/// Of two files of a kind the one with the shorter name is used, the other held against it.
TEST(FolderFiles, OfOneKindTheShortestNameIsUsed) {
    GeneratedRun const run;
    run.write("ibdiagnet2-before.fdbs", run.text("ibdiagnet2.fdbs"));
    run.write("a-long-name-of-yesterday.fdbs", run.text("ibdiagnet2.fdbs"));
    std::string out = run_tailback({"audit", "--network", run.path, "--quiet"}).out;
    for (std::size_t at = 0; (at = out.find('\n', at)) != out.npos;) out[at] = ' ';
    EXPECT_NE(out.find("tables: ibdiagnet2.fdbs;"), std::string::npos) << out;
    EXPECT_NE(out.find("ibdiagnet2-before.fdbs"), std::string::npos) << out;
}

/// docs/audit.md names the kinds that count as faults unless --fail-on says otherwise.
TEST(FolderFiles, TheGuideNamesTheKindsThatFail) {
    std::string kinds;
    for (FindingKind const kind : kinds_that_fail())
        kinds += (kinds.empty() ? "" : ",") + std::string(finding_kinds()[std::size_t(kind)].name);
    EXPECT_NE(read_whole(fixture("../../docs/audit.md")).find("--fail-on " + kinds + " "), std::string::npos) << kinds;
}

}  // namespace
}  // namespace tailback::folder_files_test
