// MatrixMarket: coordinate and array, general and symmetric.
#include "host/base/nearest.hpp"
#include "host/base/numbers.hpp"
#include "host/traffic/formats.hpp"
#include "host/traffic/read/fields.hpp"
#include "host/traffic/read/table.hpp"

#include <fmt/format.h>

namespace tailback::traffic {
namespace {

class MarketReader {
public:
    explicit MarketReader(io::LineReader& lines) : lines_(lines), builder_([this] { return lines_.place(); }) {}

    TrafficMatrix read() {
        read_banner();
        read_sizes();
        for (std::string_view line; lines_.next(line);)
            if (!is_comment(line)) coordinate_ ? read_coordinate(line) : read_element(line);
        if (read_ != wanted_)
            throw base::InputError(
                {lines_.name(), 0},
                fmt::format("the file has {} entries and states {}", base::grouped(read_), base::grouped(wanted_)), "",
                "check that the file is complete");
        TrafficMatrix matrix = builder_.take("a MatrixMarket file");
        matrix.sums_checked = 1;
        if (pattern_) matrix.notes.push_back("a pattern without numbers: every entry counts as one byte");
        return matrix;
    }

private:
    [[noreturn]] void refuse_kind(std::string_view word, char const* why) const {
        throw base::InputError(lines_.place(), "a matrix that is " + shown(word) + " is not read here", why,
                               "write it as `matrix coordinate integer general`");
    }
    void read_banner() {
        std::string_view line, word;
        lines_.next(line);
        std::string const lower = base::lower_case(std::string(line));
        Fields fields(lower);
        for (char const* const wanted : {"%%matrixmarket", "matrix"})
            if (!fields.next(word) || word != wanted)
                throw base::InputError(lines_.place(), "this is not a banner of MatrixMarket", "",
                                       "it begins with `%%MatrixMarket matrix`");
        fields.next(word);
        coordinate_ = word == "coordinate";
        if (!coordinate_ && word != "array") refuse_kind(word, "only coordinate and array are known");
        fields.next(word);
        pattern_ = word == "pattern";
        if (word == "complex") refuse_kind(word, "traffic is a real number");
        if (!pattern_ && word != "real" && word != "integer" && word != "double")
            refuse_kind(word, "only real, integer and pattern are known");
        fields.next(word);
        symmetric_ = word == "symmetric";
        if (!symmetric_ && word != "general") refuse_kind(word, "only general and symmetric are known");
    }
    void read_sizes() {
        std::string_view line;
        bool any = false;
        while (!any && lines_.next(line)) any = !is_comment(line);
        Fields fields(any ? line : std::string_view());
        std::uint64_t const rows = number(fields, "number of rows"), columns = number(fields, "number of columns");
        if (rows != columns)
            throw base::InputError(lines_.place(), fmt::format("the matrix has {} rows and {} columns", rows, columns),
                                   "a matrix of traffic has a row and a column for every rank",
                                   "check that this is the right file");
        builder_.declare_ranks(rows);
        ranks_ = rows;
        wanted_ = coordinate_  ? number(fields, "number of entries")
                  : symmetric_ ? ranks_ * (ranks_ + 1) / 2
                               : ranks_ * ranks_;
    }
    std::uint64_t number(Fields& fields, char const* what) {
        std::string_view word;
        fields.next(word);
        return whole(lines_, word, what);
    }
    void read_coordinate(std::string_view line) {
        Fields fields(line);
        std::uint64_t const row = number(fields, "row"), column = number(fields, "column");
        if (row == 0 || column == 0)
            throw base::InputError(lines_.place(), "an entry in row or column 0", "MatrixMarket counts from 1",
                                   "check this line");
        take(row - 1, column - 1, pattern_ ? 1 : number(fields, "number of bytes"), fields);
    }
    /// Columns one after the other; of a symmetric matrix what is below its diagonal.
    void read_element(std::string_view line) {
        Fields fields(line);
        std::uint64_t const bytes = number(fields, "number of bytes");
        if (next_column_ == ranks_)
            throw base::InputError(lines_.place(), "an entry too many", fmt::format("there are {}", wanted_),
                                   "check the sizes in front");
        take(next_row_, next_column_, bytes, fields);
        if (++next_row_ == ranks_) next_row_ = symmetric_ ? ++next_column_ : (++next_column_, 0);
    }
    void take(std::uint64_t row, std::uint64_t column, std::uint64_t bytes, Fields const& fields) {
        if (!fields.at_end())
            throw base::InputError(lines_.place(), "an entry has too many numbers", "", "check this line");
        if (row >= ranks_ || column >= ranks_)
            throw base::InputError(lines_.place(),
                                   fmt::format("entry {} {} is outside the matrix", row + 1, column + 1),
                                   fmt::format("it has {} rows and columns", ranks_), "check this line");
        builder_.add({builder_.rank(row), builder_.rank(column), bytes, 0});
        if (symmetric_ && row != column) builder_.add({builder_.rank(column), builder_.rank(row), bytes, 0});
        ++read_;
    }

    io::LineReader& lines_;
    MatrixBuilder builder_;
    bool coordinate_ = true, pattern_ = false, symmetric_ = false;
    std::uint64_t ranks_ = 0, wanted_ = 0, read_ = 0, next_row_ = 0, next_column_ = 0;
};

}  // namespace

TrafficMatrix read_matrix_market(io::LineReader& lines) { return MarketReader(lines).read(); }

}  // namespace tailback::traffic
