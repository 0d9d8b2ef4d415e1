// The table of codes: every code has a row with all that a reader of a report asks for, and docs/findings.md is it.
#include "host/base/extensions.hpp"
#include "host/diagnosis/code.hpp"
#include "tests/support/programs/paths.hpp"
#include "tests/support/programs/running.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace tailback::codes_test {
namespace {

/// Lower case, digits, hyphens inside.
bool is_an_id(std::string const& id) {
    return id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string::npos && id.front() != '-' &&
           id.back() != '-' && id.find('-') != std::string::npos;
}

TEST(Codes, EachHasARowThatSaysAll) {
    std::set<std::string> ids, titles;
    for (CodeInfo const& row : all_codes()) {
        std::string const id = row.id;
        EXPECT_TRUE(is_an_id(id)) << id;
        EXPECT_TRUE(ids.insert(id).second) << id;
        EXPECT_TRUE(titles.insert(row.title).second) << id << ": " << row.title;
        EXPECT_EQ(code_of(id), row.code);
        EXPECT_EQ(&info_of(row.code), &row);
        EXPECT_TRUE(row.kind || row.noted) << id;
        EXPECT_NE(std::string(row.title), "");
        for (std::string const& text : {std::string(row.meaning), std::string(row.remedy)})
            EXPECT_TRUE(text.ends_with('.') || text.ends_with(".)")) << id << ": " << text;
    }
    if (std::string(base::names_of_extensions()) == "all")
        for (std::size_t i = 0; i < all_codes().size(); ++i) EXPECT_EQ(std::size_t(all_codes()[i].code), i);
    EXPECT_EQ(code_of("no-such-code"), std::nullopt);
    EXPECT_EQ(info_of(Code::no_entry).kind, FindingKind::unreachable);
    EXPECT_EQ(disagreement_of(Code::two_nodes_one_guid), Disagreement::duplicate_guid);
}

/// A word of --fail-on is a kind or a code, never both.
TEST(Codes, NoneIsCalledAsAKind) {
    for (FindingKindInfo const& kind : finding_kinds()) EXPECT_EQ(code_of(kind.name), std::nullopt) << kind.name;
}

/// Whatever readers count has a code by which they note it, and every kind of findings has one.
TEST(Codes, EveryDisagreementAndEveryKindHasOne) {
    std::set<Disagreement> noted;
    std::set<FindingKind> kinds;
    for (CodeInfo const& row : all_codes()) {
        if (row.noted) noted.insert(*row.noted);
        if (row.kind) kinds.insert(*row.kind);
    }
    EXPECT_EQ(noted.size(), disagreement_kinds);
    EXPECT_EQ(kinds.size(), finding_kinds().size());
}

TEST(Codes, TheDocumentIsWhatTheProgramWrites) {
    EXPECT_EQ(read_whole(fixture("../../docs/findings.md")), run_tailback({"list", "findings"}).out)
        << "write it anew: tailback list findings > docs/findings.md";
}

TEST(Codes, OneIsExplained) {
    Finished const ran = run_tailback({"list", "findings", "no-entry"});
    EXPECT_EQ(ran.code, 0);
    EXPECT_EQ(ran.out.find("no-entry: no entry\n  (kind unreachable, a fault)\n\nUsually the routing engine"), 0u)
        << ran.out;
    EXPECT_NE(ran.out.find("To do: Check the roots, and let the manager sweep again.\n"), std::string::npos) << ran.out;
    Finished const wrong = run_tailback({"list", "findings", "no-entri"});
    EXPECT_EQ(wrong.code, 2);
    EXPECT_NE(wrong.err.find("the nearest is \"no-entry\""), std::string::npos) << wrong.err;
}

}  // namespace
}  // namespace tailback::codes_test
