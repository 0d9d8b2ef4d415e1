// LineReader: LF and CR LF, last lines without an end, lines across buffers, limits, binary files, .xz, .gz.
#include "host/io/gz_source.hpp"
#include "tests/support/programs/reading.hpp"
#include "tests/support/programs/shared_data.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

namespace tailback::line_reader_test {
namespace {

std::vector<std::string> all_lines(LineReader& lines) {
    std::vector<std::string> result;
    std::string_view line;
    while (lines.next(line)) result.emplace_back(line);
    return result;
}

/// Gives its bytes one at a time, as a slow pipe might.
class Trickle final : public ByteSource {
public:
    explicit Trickle(std::string bytes) : bytes_(std::move(bytes)) {}
    std::size_t read(char* to, std::size_t size) override {
        if (at_ == bytes_.size() || size == 0) return 0;
        *to = bytes_[at_++];
        return 1;
    }

private:
    std::string bytes_;
    std::size_t at_ = 0;
};

TEST(LineReader, SplitsAtLfAndCrLfAndCountsLines) {
    LineReader lines = lines_of_text("a\r\n\nb c\n\r\nlast");
    EXPECT_EQ(all_lines(lines), (std::vector<std::string>{"a", "", "b c", "", "last"}));
    EXPECT_EQ(lines.place().line, 5u);
    EXPECT_EQ(lines.bytes(), 14u);
    EXPECT_FALSE(lines.terminated());
    LineReader ended = lines_of_text("x\n");
    EXPECT_EQ(all_lines(ended).size(), 1u);
    EXPECT_TRUE(ended.terminated());
    LineReader nothing = lines_of_text("");
    EXPECT_TRUE(all_lines(nothing).empty());
}

TEST(LineReader, DropsAByteOrderMark) {
    LineReader lines = lines_of_text("\xEF\xBB\xBFone\n\xEF\xBB\xBFtwo\n");
    EXPECT_EQ(lines.peek(), "one\n\xEF\xBB\xBFtwo\n");
    EXPECT_EQ(all_lines(lines), (std::vector<std::string>{"one", "\xEF\xBB\xBFtwo"}));
    std::string const text(70000, 'x');
    EXPECT_EQ(lines_of_text("\xEF\xBB\xBF" + text).peek(), text.substr(0, 65536));
}

TEST(LineReader, SourceThatGivesByteByByteMakesNoDifference) {
    LineReader lines(std::make_unique<Trickle>("ab\r\ncd\n\nef"), "trickle");
    EXPECT_EQ(lines.peek(), "ab\r\ncd\n\nef");
    EXPECT_EQ(all_lines(lines), (std::vector<std::string>{"ab", "cd", "", "ef"}));
}

TEST(LineReader, LongFilesComeWholeThroughOneBuffer) {
    std::string text;
    std::vector<std::string> expected;
    for (int i = 0; i < 60000; ++i) {
        expected.push_back(std::string(std::size_t(i % 97), 'x') + std::to_string(i));
        text += expected.back() + (i % 3 ? "\n" : "\r\n");
    }
    LineReader lines = lines_of_text(text);
    EXPECT_EQ(lines.peek(), text.substr(0, 65536));
    EXPECT_EQ(all_lines(lines), expected);
    EXPECT_EQ(lines.bytes(), text.size());
}

TEST(LineReader, ALineMayBeNearlyAMebibyteLongAndNoLonger) {
    LineReader lines = lines_of_text("a\n" + std::string((1 << 20) - 1, 'b') + "\n");
    EXPECT_EQ(all_lines(lines).back().size(), std::size_t{(1 << 20) - 1});
    LineReader longer = lines_of_text("a\n" + std::string((1 << 20) + 1, 'b') + "\n");
    EXPECT_NE(error_of([&] { all_lines(longer); }).find("file:2: a line is longer than 1 MiB"), std::string::npos);
}

/// Packed they are a small file: they are not read to their end, and lines of text between them count anew.
TEST(LineReader, EndlessBlankLinesAreRefused) {
    std::string const most((std::size_t{1} << 20), '\n');
    LineReader some = lines_of_text(most + "a\n" + most + "b");
    EXPECT_EQ(all_lines(some).size(), 2 * most.size() + 2);
    for (std::string const& blank : {std::string("\n"), std::string(" \t\r\n")}) {
        std::string text = "a\n";
        for (std::size_t i = 0; i <= most.size(); ++i) text += blank;
        LineReader lines = lines_of_text(text);
        try {
            (void)all_lines(lines);
            FAIL();
        } catch (InputError const& error) {
            EXPECT_NE(std::string(error.what()).find("more than a million blank lines in a row"), std::string::npos);
            EXPECT_EQ(lines.line(), most.size() + 2);
        }
    }
}

TEST(LineReader, NulByteIsABinaryFile) {
    LineReader lines = lines_of_text(std::string("ab\0c\n", 5));
    EXPECT_NE(error_of([&] { all_lines(lines); }).find("file: this is a binary file"), std::string::npos);
}

TEST(LineReader, RestIsEverythingNotYetConsumedUpToALimit) {
    LineReader lines = lines_of_text("one\ntwo\nthree");
    std::string_view line;
    lines.next(line);
    EXPECT_EQ(lines.rest(100), "two\nthree");
    EXPECT_EQ(lines.rest(100), "");
    LineReader large = lines_of_text(std::string(3 << 20, '\n'));
    EXPECT_NE(error_of([&] { large.rest(2 << 20); }).find("larger than 2 MiB"), std::string::npos);
}

TEST(OpenSource, MissingFilesAndFoldersAreErrors) {
    TemporaryFolder const folder;
    EXPECT_NE(error_of([&] { open_source(folder / "none"); }).find("cannot be opened (No such file"),
              std::string::npos);
    EXPECT_NE(error_of([&] { open_source(folder.path()); }).find("cannot be read (Is a directory)"), std::string::npos);
}

TEST(OpenSource, OtherPackersAreNamed) {
    TemporaryFolder const folder;
    std::string const path = folder.write("a.bz2", "BZh9rest");
    EXPECT_NE(error_of([&] { open_source(path); }).find("packed with bzip2 (only .xz and .gz are"), std::string::npos);
}

// A file of gzip is one stream or several, each whole; zeros may follow. Its bytes are those that were packed.
TEST(OpenSource, UnpacksGzAndRefusesDamagedAndTruncatedStreams) {
    TemporaryFolder const folder;
    std::string text;
    for (int i = 0; i < 40'000; ++i) text += "line " + std::to_string(i * 7919 % 10'007) + "\n";
    std::string const plain = folder.write("plain", text);
    if (!unpacks_gz() || std::system(("gzip -k '" + plain + "'").c_str()) != 0) GTEST_SKIP() << "no gzip";
    std::string const packed = read_whole(plain + ".gz");
    auto const read = [&](std::string const& bytes) {
        LineReader lines(open_source(folder.write("packed", bytes)), "packed");
        std::string all;
        for (std::string_view line; lines.next(line);) all += std::string(line) + "\n";
        return all;
    };
    EXPECT_TRUE(read(packed) == text);
    EXPECT_TRUE(read(packed + packed) == text + text);
    EXPECT_TRUE(read(packed + std::string(700, '\0')) == text);
    EXPECT_TRUE(read(packed + std::string(3, '\0') + packed) == text + text);
    for (std::size_t const size : {std::size_t{5}, packed.size() / 2, packed.size() - 1})
        EXPECT_NE(error_of([&] { read(packed.substr(0, size)); }).find("the .gz stream stops in the middle"),
                  std::string::npos)
            << size;
    std::string spoilt = packed;
    spoilt[spoilt.size() / 2] ^= 0x55;
    for (std::string const& damaged : {spoilt, packed + "rest", std::string("\x1f\x8b\x09rest and more")})
        EXPECT_NE(error_of([&] { read(damaged); }).find("the .gz stream is damaged"), std::string::npos);
}

TEST(OpenSource, UnpacksXzAndRefusesDamagedAndTruncatedStreams) {
    std::string const path = (fixtures() / "opensm/ft2-16/minhop/opensm.fdbs.xz").string();
    LineReader lines(open_source(path), path);
    EXPECT_EQ(all_lines(lines).front(), "dump_ucast_routes: Switch 0x0002c90200400000");

    TemporaryFolder const folder;
    std::string const packed = read_whole(path);
    LineReader twice(open_source(folder.write("twice.xz", packed + packed)), "twice");
    EXPECT_EQ(twice.bytes(), 0u);
    EXPECT_EQ(all_lines(twice).size(), 2 * lines.place().line);
    std::string const cut = folder.write("cut.xz", packed.substr(0, packed.size() - 40));
    EXPECT_NE(error_of([&] {
                  LineReader reader(open_source(cut), cut);
                  all_lines(reader);
              }).find("stops in the middle"),
              std::string::npos);
    std::string spoilt = packed;
    spoilt[spoilt.size() / 2] ^= 0x55;
    std::string const damaged = folder.write("damaged.xz", spoilt);
    EXPECT_NE(error_of([&] {
                  LineReader reader(open_source(damaged), damaged);
                  all_lines(reader);
              }).find("is damaged"),
              std::string::npos);
}

}  // namespace
}  // namespace tailback::line_reader_test
