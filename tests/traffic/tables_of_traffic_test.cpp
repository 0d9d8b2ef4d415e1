// Edge lists, dense matrices, MatrixMarket and graphStats.txt: what is read, and what is refused with its line.
#include "tests/traffic/traffic_text.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace tailback::tables_of_traffic_test {
namespace {

Rows const three = {{0, 1, 100, 0}, {1, 2, 18446744073709551000u, 0}, {2, 0, 7, 0}};

TEST(EdgeList, IsReadWithEveryDivider) {
    for (std::string const text :
         {"source destination bytes\n0 1 100\n1 2 18446744073709551000\n2 0 7\n",
          "# comment\n\nsrc,dst,size\n0,1,100\n1,2,18446744073709551000\n2,0,7",
          "from;to;volume\r\n2;0;7\r\n1; 2;18446744073709551000\r\n0 ;1;100\r\n",
          "\xEF\xBB\xBF"
          "0\t1\t60\n0\t1\t40\n% note\n1\t2\t18446744073709551000\n2\t0\t7.0\n// end\n",
          "\"source\",\"target\",\"weight\"\n\"0\",\"1\",\"1e2\"\n1,2,18446744073709551000\n2,0,0.07E+2\n",
          "ranks 3\n  0 1 100\n1 2 18446744073709551000\n2 0 7\n"}) {
        TrafficMatrix const matrix = matrix_from(text);
        EXPECT_EQ(rows_of(matrix), three) << text;
        EXPECT_EQ(matrix.ranks, 3u);
        EXPECT_EQ(matrix.bytes, 18446744073709551107u);
        EXPECT_FALSE(matrix.messages_known);
    }
}

TEST(EdgeList, HasMessagesAndColumnsInAnyOrder) {
    Rows const wanted = {{0, 1, 100, 2}, {3, 3, 5, 1}};
    EXPECT_EQ(rows_of(matrix_from("0 1 100 2\n3 3 5 1\n")), wanted);
    TrafficMatrix const turned = matrix_from("messages,bytes,dest,source\n2,100,1,0\n1,5,3,3\n");
    EXPECT_EQ(rows_of(turned), wanted);
    EXPECT_TRUE(turned.messages_known);
    EXPECT_EQ(turned.messages, 3u);
    EXPECT_EQ(turned.ranks, 4u);
}

TEST(EdgeList, RanksMayBeSilent) {
    TrafficMatrix const matrix = matrix_from("# ranks 9\n0 1 100\n");
    EXPECT_EQ(matrix.ranks, 9u);
    EXPECT_EQ(matrix_from("0 1 0\n5 4 0\n1 0 1\n4 3 0\n").ranks, 6u) << "an edge of nothing names its ranks";
    EXPECT_EQ(row_sums(matrix).size(), 1u);
}

TEST(EdgeList, WhatIsWrongIsRefusedWithItsLine) {
    std::string const front = "source destination bytes\n0 1 5\n";
    for (auto const& [line, wanted] : {std::pair{"0 1 -5", "file:3: \"-5\" is not a number of bytes (it is negative)"},
                                       {"0 1 nan", "it is not finite"},
                                       {"0 1 inf", "it is not finite"},
                                       {"0 1 2.5", "it is not whole"},
                                       {"0 1 1e-3", "it is not whole"},
                                       {"0 1 18446744073709551616", "it is above 18,446,744,073,709,551,615"},
                                       {"0 1 1e400", "it is above"},
                                       {"0 1 18446744073709551615", "the sum of all bytes exceeds 64 bits"},
                                       {"0 1000000000 1", "file:3: rank 1000000000 is too large (at most 16,777,215)"},
                                       {"0 -1 1", "\"-1\" is not a rank (it is negative)"},
                                       {"0 1", "file:3: an edge is incomplete"},
                                       {"0,,1", "\"\" is not a rank"},
                                       {"0 1 5 6", "too many columns"},
                                       {"0 1 5x", "\"5x\" is not a number of bytes"},
                                       {"ranks 4", "file:3: the number of ranks comes too late"}}) {
        std::string const got = refusal(front + line + "\n");
        EXPECT_NE(got.find(wanted), std::string::npos) << line << ": " << got;
    }
    EXPECT_NE(refusal("# ranks 4\n0 4 1\n").find("file:2: rank 4 is too large (there are 4 ranks"), std::string::npos);
    EXPECT_NE(refusal("ranks 1000000000\n0 4 1\n").find("file:1: a matrix of 1,000,000,000 ranks"), std::string::npos);
    EXPECT_NE(refusal("ranks 0\n0 4 1\n").find("0 ranks"), std::string::npos);
    EXPECT_NE(refusal("source destination colour\n0 1 5\n").find("\"colour\" is not understood"), std::string::npos);
    EXPECT_NE(refusal("source source bytes\n0 1 5\n").find("one of that meaning already"), std::string::npos);
    EXPECT_NE(refusal("").find("the file is empty"), std::string::npos);
    EXPECT_NE(refusal("hello world\n").find("it begins with \"hello world\""), std::string::npos);
    EXPECT_NE(refusal("1 2\n3 4\n5 6\n").find("file:1: an edge is incomplete"), std::string::npos);
}

/// Many lines of one pair take the memory of one pair; many pairs are sorted whatever their order.
TEST(EdgeList, IsMergedOnTheWay) {
    std::string text;
    for (int i = 0; i < 1'100'000; ++i) text += i % 2 == 0 ? "1 0 3\n" : "0 1 2\n";
    EXPECT_EQ(rows_of(matrix_from(text)), (Rows{{0, 1, 1'100'000, 0}, {1, 0, 1'650'000, 0}}));
    std::string pairs;
    for (int i = 0; i < 3000; ++i) pairs += std::to_string(i * 7 % 100) + " " + std::to_string(i * 13 % 89) + " 1\n";
    TrafficMatrix const matrix = matrix_from(pairs);
    EXPECT_EQ(matrix.bytes, 3000u);
    EXPECT_TRUE(std::is_sorted(matrix.entries.begin(), matrix.entries.end(), [](Entry const& a, Entry const& b) {
        return std::pair(a.source, a.destination) < std::pair(b.source, b.destination);
    }));
    EXPECT_EQ(matrix_from("16777215 3 1\n2 16777214 1\n0 0 1\n2 1 1\n").entries.size(), 4u) << "few of many ranks";
}

TEST(DenseMatrix, IsReadWithAndWithoutLabels) {
    Rows const wanted = {{0, 1, 2, 0}, {1, 0, 3, 0}, {1, 4, 9, 0}, {4, 4, 1, 0}};
    std::string const rows[] = {"0,2,0,0,0", "3,0,0,0,9", "0,0,0,0,0", "0,0,0,0,0", "0,0,0,0,1"};
    std::string plain, labelled = ",a,b,c,d,e\n", tabs;
    for (std::string const& row : rows) {
        plain += row + "\n";
        labelled += "r," + row + "\n";
        tabs += replaced(row, ",", "\t") + ".0\r\n";
    }
    for (std::string const& text : {plain, labelled, tabs, replaced(plain, ",", " "), "# a comment\n" + plain}) {
        TrafficMatrix const matrix = matrix_from(text);
        EXPECT_EQ(rows_of(matrix), wanted) << text;
        EXPECT_EQ(matrix.ranks, 5u);
    }
    EXPECT_EQ(rows_of(matrix_from("0 4\n5 0\n")), (Rows{{0, 1, 4, 0}, {1, 0, 5, 0}}));
}

TEST(DenseMatrix, WhatIsRaggedOrCutIsRefused) {
    EXPECT_NE(refusal("0,1,2,3,4\n1,0,2,3\n").find("file:2: row 1 has 4 columns (the rows before it have 5)"),
              std::string::npos);
    EXPECT_NE(refusal("0,1,2,3,4\n1,0,2,3,4,5\n").find("row 1 has 6 columns"), std::string::npos);
    EXPECT_NE(refusal("0,1,2,3,4\n0,0,0,0,0\n").find("2 rows and 5 columns"), std::string::npos);
    EXPECT_NE(refusal("0 1\n1 0\n0 0\n").find("edge is incomplete"), std::string::npos);
    std::string five;
    for (int i = 0; i < 6; ++i) five += "0,0,0,0,0\n";
    EXPECT_NE(refusal(five).find("file:6: a row too many"), std::string::npos);
    EXPECT_NE(refusal("0,1,2,3,4\n1,0,nan,3,4\n").find("file:2: \"nan\" is not a number of bytes"), std::string::npos);
    EXPECT_NE(refusal("0,1,2,3,4\n1,,0,3,4\n").find("file:2: \"\" is not a number of bytes"), std::string::npos);
}

/// Three lines of three numbers are both.
TEST(DenseMatrix, WhatIsAmbiguousIsRefused) {
    EXPECT_NE(refusal("0 1 5\n1 0 5\n1 2 5\n").find("an edge list or a dense matrix?"), std::string::npos);
    EXPECT_EQ(matrix_from("source destination bytes\n0 1 5\n1 0 5\n1 2 5\n").ranks, 3u);
}

/// 10,000 bytes from each rank to the next: profile2mat writes 5,000 in both directions.
TEST(DenseMatrix, HalfSumsOfProfile2matAreRefused) {
    std::string const written = "0 5000 0 5000 \n5000 0 5000 0 \n0 5000 0 5000 \n5000 0 5000 0 \n";
    EXPECT_NE(refusal(written).find("a matrix of Open MPI's profile2mat"), std::string::npos);
    EXPECT_NE(refusal("0 5000 \n5000 0 \n").find("adds both directions and halves the sum"), std::string::npos);
    EXPECT_EQ(matrix_from("0 5000\n5000 0\n").bytes, 10000u) << "without the blanks it may be anybody's";
    EXPECT_EQ(matrix_from("0 5000 \n4000 0 \n").bytes, 9000u) << "it is not symmetric";
}

TEST(MatrixMarket, IsReadInEveryForm) {
    Rows const wanted = {{0, 1, 8, 0}, {2, 0, 9, 0}};
    for (std::string const text : {"%%MatrixMarket matrix coordinate integer general\n% note\n3 3 2\n1 2 8\n3 1 9\n",
                                   "%%MatrixMarket MATRIX Coordinate Real General\n3 3 2\n3 1 9.000e+00\n1 2 8.0\n",
                                   "%%MatrixMarket matrix array real general\n3 3\n0\n0\n9\n8\n0\n0\n0\n0\n0\n"})
        EXPECT_EQ(rows_of(matrix_from(text)), wanted) << text;
    Rows const both = {{0, 0, 1, 0}, {0, 1, 8, 0}, {1, 0, 8, 0}};
    EXPECT_EQ(rows_of(matrix_from("%%MatrixMarket matrix coordinate integer symmetric\n2 2 2\n1 1 1\n2 1 8\n")), both);
    EXPECT_EQ(rows_of(matrix_from("%%MatrixMarket matrix array integer symmetric\n2 2\n1\n8\n0\n")), both);
    EXPECT_EQ(matrix_from("%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n").bytes, 1u);
}

TEST(MatrixMarket, WhatIsWrongIsRefused) {
    std::string const front = "%%MatrixMarket matrix coordinate integer general\n";
    for (auto const& [rest, wanted] : {std::pair{"3 3 2\n1 2 8\n", "the file has 1 entries and states 2"},
                                       {"3 3 1\n1 2 8\n1 3 8\n", "the file has 2 entries and states 1"},
                                       {"3 4 1\n1 2 8\n", "3 rows and 4 columns"},
                                       {"3 3 1\n0 2 8\n", "file:3: an entry in row or column 0"},
                                       {"3 3 1\n4 2 8\n", "file:3: entry 4 2 is outside the matrix"},
                                       {"3 3 1\n1 2 8 9\n", "too many numbers"},
                                       {"3 3 1\n1 2 -8\n", "it is negative"},
                                       {"1000000000 1000000000 0\n", "1,000,000,000 ranks is too large"},
                                       {"", "\"\" is not a number of rows"}}) {
        std::string const got = refusal(front + rest);
        EXPECT_NE(got.find(wanted), std::string::npos) << rest << ": " << got;
    }
    EXPECT_NE(refusal("%%MatrixMarket matrix coordinate complex general\n").find("\"complex\" is not read"),
              std::string::npos);
    EXPECT_NE(refusal("%%MatrixMarket matrix coordinate real skew-symmetric\n").find("\"skew-symmetric\""),
              std::string::npos);
}

TEST(GraphStats, HalvesOfUndirectedEdgesAddUpToThem) {
    std::string const text =
        "--------------- Graph Information----------------\n0 , 2 = 7.0\n1 , 0 = 10.0\n"
        "----------------Graph info end -------------------\n--------------- Connectivity Statistics----------------\n"
        "Average Degree:  1.33333333333\n";
    TrafficMatrix const matrix = matrix_from(text);
    EXPECT_EQ(rows_of(matrix), (Rows{{0, 1, 5, 0}, {0, 2, 4, 0}, {1, 0, 5, 0}, {2, 0, 3, 0}}));
    EXPECT_EQ(matrix.bytes, 17u);
    EXPECT_EQ(matrix.sums_checked, 1u);
    EXPECT_EQ(matrix_from(replaced(text, "1.33333333333", "1.0")).ranks, 4u) << "one rank is in no edge";
    EXPECT_EQ(matrix_from(replaced(text, "0 , 2", "0 , 8")).ranks, 9u) << "only the three ranks of edges count";
    EXPECT_NE(refusal(replaced(text, "0 , 2 = 7.0\n", "")).find("1 edges of 2 ranks make 1"), std::string::npos);
    EXPECT_NE(refusal(replaced(text, "1.333", "1.334")).find("file:6: the edges do not add up"), std::string::npos);
    EXPECT_NE(refusal(text.substr(0, text.find("----------------Graph info"))).find("stops in the middle"),
              std::string::npos);
    EXPECT_NE(refusal(replaced(text, "1 , 0 =", "1 - 0 =")).find("file:3: this is not an edge"), std::string::npos);
}

TEST(TrafficMatrixSums, AreThoseOfANaiveCount) {
    TrafficMatrix const matrix = matrix_from("# ranks 7\n5 1 10 1\n1 1 99 2\n0 5 10 3\n5 0 30 4\n2 1 0 5\n1 5 7 6\n");
    Rows rows, columns;
    for (RankSum const& sum : row_sums(matrix)) rows.push_back({sum.rank, sum.partners, sum.bytes, sum.messages});
    for (RankSum const& sum : column_sums(matrix)) columns.push_back({sum.rank, sum.partners, sum.bytes, sum.messages});
    EXPECT_EQ(rows, (Rows{{0, 1, 10, 3}, {1, 2, 106, 8}, {2, 1, 0, 5}, {5, 2, 40, 5}}));
    EXPECT_EQ(columns, (Rows{{0, 1, 30, 4}, {1, 3, 109, 8}, {5, 2, 17, 9}}));
    std::vector<Entry> const three = heaviest(matrix, 3);
    EXPECT_EQ(three, (std::vector<Entry>{{5, 0, 30, 4}, {0, 5, 10, 3}, {5, 1, 10, 1}}));
    EXPECT_EQ(heaviest(matrix, 100).size(), 5u) << "a rank's own is no pair";
    EXPECT_TRUE(heaviest(matrix, 0).empty());
    EXPECT_EQ(to_themselves(matrix).bytes, 99u);
    EXPECT_FALSE(is_symmetric(matrix));
    EXPECT_TRUE(is_symmetric(matrix_from("# ranks 3\n0 1 5\n1 0 5\n2 2 1\n")));
}

/// What is written in one form and read again is the same matrix.
TEST(WrittenTraffic, IsReadAgain) {
    TrafficMatrix const matrix = matrix_from("# ranks 6\n0 1 100 2\n1 2 18446744073709551000 1\n4 4 7 7\n");
    std::ostringstream edges, dense, market;
    write_edges(edges, matrix);
    write_dense(dense, matrix);
    write_matrix_market(market, matrix);
    TrafficMatrix const again = matrix_from(edges.str());
    EXPECT_EQ(again.entries, matrix.entries);
    EXPECT_EQ(again.ranks, 6u);
    EXPECT_TRUE(again.messages_known);
    Rows const bytes = {{0, 1, 100, 0}, {1, 2, 18446744073709551000u, 0}, {4, 4, 7, 0}};
    for (std::string const& text : {dense.str(), market.str()}) {
        EXPECT_EQ(rows_of(matrix_from(text)), bytes) << text;
        EXPECT_EQ(matrix_from(text).ranks, 6u);
    }
    TrafficMatrix large;
    large.ranks = most_dense_ranks + 1;
    EXPECT_NE(error_of([&] { write_dense(dense, large); }).find("too large (at most 16,384)"), std::string::npos);
}

/// Also where as many rows as columns could be edges, and where nobody sends anything.
TEST(WrittenTraffic, IsReadAgainAtEverySize) {
    for (std::uint32_t ranks = 1; ranks <= 6; ++ranks)
        for (bool const sends : {true, false}) {
            TrafficMatrix matrix;
            matrix.ranks = ranks;
            for (std::uint32_t r = 0; sends && r < ranks; ++r)
                for (std::uint32_t other = 0; other < ranks; ++other) matrix.entries.push_back({r, other, r + 2, 0});
            for (auto const write : {write_edges, write_dense, write_matrix_market}) {
                std::ostringstream out;
                write(out, matrix);
                TrafficMatrix const again = matrix_from(out.str());
                EXPECT_EQ(again.ranks, ranks) << out.str();
                EXPECT_EQ(again.entries, matrix.entries) << out.str();
            }
        }
    EXPECT_EQ(matrix_from("#matrix\n0 1 5\n1 0 5\n1 2 5\n").ranks, 3u);
    EXPECT_NE(refusal("# a matrix\n0 1 5\n1 0 5\n1 2 5\n").find("a line `# matrix`"), std::string::npos);
}

// A comma in a number: where commas divide columns it begins the next one. Where blanks or semicolons do, `1,024` would
// be one number to who wrote it and two columns to a reader: it is refused. In quotes it is one number.
TEST(Tables, NumbersWithThousandsSeparators) {
    for (char const* const text :
         {"0 1 1,024\n1 0 5\n", "0\t1\t1,024\n1\t0\t5\n", "0;1;1,024,000\n1;0;5\n", "ranks 3\n0 1 12,000\n",
          "source destination bytes\n0 1 1,024\n", "1 2,000\n3 4\n", "0 1 2 3 4\n1,000 2 3 4 5\n"}) {
        std::string const got = refusal(text);
        EXPECT_NE(got.find("is one number or several"), std::string::npos) << text << got;
        EXPECT_NE(got.find("file:"), std::string::npos) << got;
    }
    Rows const wanted = {{0, 1, 1024, 0}, {1, 0, 5, 0}};
    for (char const* const text :
         {"0,1,\"1,024\"\n1,0,5\n1,1,0\n0,0,0\n", "0, 1, \"1,024\"\n1, 0, 5\n", "0 1 \"1,024\"\n1 0 5\n",
          "from;to;bytes\n0;1;\"1,024\"\n\"1\";0;5\n", "0,1,1024\n1,0,5\n", "0 ,1 ,1024\n1,0, 5\n"})
        EXPECT_EQ(rows_of(matrix_from(text)), wanted) << text;
    // Commas alone, or with blanks beside them, divide as ever.
    EXPECT_EQ(rows_of(matrix_from("0,1,100,200\n1,0,5,7\n")), (Rows{{0, 1, 100, 200}, {1, 0, 5, 7}}));
    EXPECT_EQ(rows_of(matrix_from("0, 1,100, 200\n1 , 0 , 5 , 7\n")), (Rows{{0, 1, 100, 200}, {1, 0, 5, 7}}));
    EXPECT_NE(refusal("0,1,\"1,02\"\n1,0,5\n1,1,1\n2,1,1\n").find("\"1,02\" is not a number of bytes"),
              std::string::npos);
}

}  // namespace
}  // namespace tailback::tables_of_traffic_test
