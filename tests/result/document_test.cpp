// Documents as text, for terminals of several widths.
#include "host/result/document.hpp"
#include "host/base/numbers.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace tailback::document_test {
namespace {

std::string text_of(Document const& document, std::size_t width) {
    std::ostringstream out;
    write_text(out, document, width);
    return out.str();
}

TEST(Documents, SentencesAreWrapped) {
    Document document;
    document.blank().sentence("one two three four").heading("five").sentence("six seven", 2);
    EXPECT_EQ(text_of(document, 100), "one two three four\n\nfive\n  six seven\n");
    EXPECT_EQ(text_of(document, 10), "one two\nthree four\n\nfive\n  six\n  seven\n");
}

TEST(Documents, FactsStandBelowEachOther) {
    Document document;
    document.fact("mean", "0.5 of it").fact("", "and more").fact("saturation", "0.25");
    EXPECT_EQ(text_of(document, 100), "  mean        0.5 of it\n              and more\n  saturation  0.25\n");
    EXPECT_EQ(text_of(document, 18),
              "  mean        0.5\n              of\n              it\n              and\n"
              "              more\n  saturation  0.25\n");
}

/// Names give way, and numbers stay, so that rows keep their columns within the width.
TEST(Documents, TablesKeepTheirColumns) {
    Table table{.columns = {name_column("switch"), {"pairs"}, word_column("verdict")},
                .rows = {{"a-switch-of-a-long-name", "1,000", "better"}, {"b", "7", "worse"}},
                .left_out = 3};
    Document document;
    document.table(table);
    EXPECT_EQ(text_of(document, 100),
              "  switch                   pairs  verdict\n"
              "  a-switch-of-a-long-name  1,000  better\n"
              "  b                            7  worse\n"
              "  and 3 more\n");
    EXPECT_EQ(text_of(document, 30),
              "  switch        pairs  verdict\n"
              "  a-swi…g-name  1,000  better\n"
              "  b                 7  worse\n"
              "  and 3 more\n");
}

/// Of a link the middles of names are left out, and the ports stay.
TEST(Documents, LinksKeepTheirPorts) {
    Document document;
    document.table({.columns = {{"pairs"}, name_column("link")},
                    .rows = {{"12", model::LinkEnds{"a-switch-of-a-long-name", 17, "another-long-name", 3}}}});
    EXPECT_EQ(text_of(document, 40), "  pairs  link\n     12  a-sw…name [17] -> anot…name [3]\n");
}

TEST(Documents, WideTablesFold) {
    Table table{.columns = {word_column()}, .rows = {{"a"}, {"b"}}, .folds = true};
    for (int i = 0; i < 3; ++i) {
        table.columns.push_back({"column" + std::to_string(i)});
        for (auto& row : table.rows) row.emplace_back(std::to_string(i));
    }
    Document document;
    document.table(table);
    Table whole = table;  // one that need not fold does where numbers alone are too wide
    whole.folds = false;
    EXPECT_EQ(text_of(Document().table(whole), 21), text_of(document, 21));
    whole.rows[0].front() = Cell("a name as long as half of it");
    EXPECT_NE(text_of(Document().table(whole), 40).find("a name as long as half of it        0        1        2\n"),
              std::string::npos);
    EXPECT_EQ(text_of(document, 21),
              "     column0  column1\n  a        0        1\n  b        0        1\n"
              "     column2\n  a        2\n  b        2\n");
}

TEST(Documents, BarsFillTheWidth) {
    Document document;
    document.bars({{"low", 1, "1"}, {"high", 2, "2", "mean"}});
    std::string const text = text_of(document, 40);
    EXPECT_NE(text.find("  high │██"), std::string::npos) << text;
    EXPECT_EQ(columns(text.substr(text.find("  high"), text.size() - text.find("  high") - 1)), 40u) << text;
}

/// Whatever names hold, nothing steers the terminal.
TEST(Documents, ManyEmptyBarsAreALine) {
    Document document;
    Bars bars = {{"1", 3, "3"}};
    for (int k = 2; k < 9; ++k) bars.push_back({std::to_string(k), 0, "0", k == 6 ? "mean" : ""});
    bars.push_back({"9", 1, "1"});
    document.bars(bars);
    std::string const text = text_of(document, 40);
    EXPECT_NE(text.find(" .. │ 4 rows without any left out\n"), std::string::npos) << text;  // 2 to 5
    for (char const* kept : {"  6 │", "  7 │", "  8 │"}) EXPECT_NE(text.find(kept), std::string::npos) << kept;
    EXPECT_EQ(text.find("  4 │"), std::string::npos) << text;
}

TEST(Documents, EverythingIsPrintable) {
    std::string const bad = "a\x1b[31m\nb";
    Document document;
    document.sentence(bad).fact(bad, bad).table({.columns = {name_column(bad)}, .rows = {{bad}}});
    document.bars({{bad, 1, bad, bad}});
    document.table({.columns = {name_column()}, .rows = {{model::LinkEnds{bad, 1, bad, 2}}}});
    std::string const text = text_of(document, 100);
    EXPECT_EQ(text.find('\x1b'), std::string::npos) << text;
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 6) << text;
}

}  // namespace
}  // namespace tailback::document_test
