// Dense matrices: a row a rank. Also where Open MPI's profile2mat is refused.
#include "host/traffic/formats.hpp"
#include "host/traffic/read/fields.hpp"
#include "host/traffic/read/table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tailback::traffic {
namespace {

class DenseReader {
public:
    explicit DenseReader(io::LineReader& lines) : lines_(lines), builder_([this] { return lines_.place(); }) {}

    TrafficMatrix read() {
        for (std::string_view line; lines_.next(line);) {
            if (is_comment(line)) continue;
            if (columns_ == 0 && is_header(line)) {
                read_labels(line);
                continue;
            }
            blanks_end_rows_ =
                blanks_end_rows_ && line.back() == ' ' && line.find_first_of("\t,;") == std::string_view::npos;
            read_row(line);
        }
        if (rows_ < columns_ || columns_ == 0)
            throw base::InputError(
                {lines_.name(), 0}, fmt::format("the matrix has {} rows and {} columns", rows_, columns_),
                "a matrix of traffic has a row and a column for every rank", "check that the file is complete");
        TrafficMatrix matrix = builder_.take("a dense matrix");
        if (blanks_end_rows_ && matrix.ranks > 1 && !matrix.entries.empty() && is_symmetric(matrix))
            refuse_profile2mat();
        return matrix;
    }

private:
    void read_labels(std::string_view line) {
        std::string_view field;
        std::uint64_t count = 0;
        for (Fields fields(line); fields.next(field);) ++count;
        labels_ = true;
        begin(count - 1);
    }
    void begin(std::uint64_t columns) {
        columns_ = columns;
        builder_.declare_ranks(columns);
    }
    void read_row(std::string_view line) {
        if (columns_ > 0 && rows_ == columns_)
            throw base::InputError(lines_.place(), "a row too many",
                                   fmt::format("the first row has {} columns, and as many rows came", columns_),
                                   "a matrix of traffic has a row and a column for every rank");
        std::uint64_t column = 0;
        refuse_grouped(line, lines_.place());
        std::string_view field;
        Fields fields(line);
        if (labels_) fields.next(field);
        first_row_.clear();
        for (; fields.next(field); ++column) {
            std::uint64_t const bytes = whole(lines_, field, "number of bytes");
            if (columns_ == 0) {
                first_row_.push_back(bytes);
            } else if (column < columns_) {
                builder_.add({std::uint32_t(rows_), std::uint32_t(column), bytes, 0});
            }
        }
        if (columns_ == 0) {
            begin(column);
            for (std::size_t c = 0; c < first_row_.size(); ++c) builder_.add({0, std::uint32_t(c), first_row_[c], 0});
        }
        if (column != columns_)
            throw base::InputError(lines_.place(), fmt::format("row {} has {} columns", rows_, column),
                                   fmt::format("the rows before it have {}", columns_),
                                   "check this line, and whether the file is complete");
        ++rows_;
    }
    [[noreturn]] void refuse_profile2mat() const {
        throw base::InputError(
            {lines_.name(), 0}, "this is a matrix of Open MPI's profile2mat",
            "it is symmetric and every row ends with a blank: profile2mat adds both directions and halves the sum",
            "give one of the files PREFIX.RANK.prof, which have the directions; for a matrix of your own, take the "
            "blanks off the ends of its rows");
    }

    io::LineReader& lines_;
    MatrixBuilder builder_;
    std::vector<std::uint64_t> first_row_;
    std::uint64_t rows_ = 0, columns_ = 0;
    bool labels_ = false, blanks_end_rows_ = true;
};

}  // namespace

TrafficMatrix read_dense(io::LineReader& lines) { return DenseReader(lines).read(); }

}  // namespace tailback::traffic
