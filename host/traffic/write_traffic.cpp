// Traffic written so that other programs, and this one, read it.
#include "host/base/error.hpp"
#include "host/base/numbers.hpp"
#include "host/traffic/formats.hpp"

#include <fmt/format.h>

#include <iterator>
#include <ostream>
#include <utility>

namespace tailback::traffic {
namespace {

/// Collects lines and hands them to the stream in large pieces.
class Lines {
public:
    explicit Lines(std::ostream& out) : out_(out) {}
    ~Lines() { flush(); }
    Lines(Lines const&) = delete;
    Lines& operator=(Lines const&) = delete;

    template <class... Words>
    void print(fmt::format_string<Words...> format, Words&&... words) {
        fmt::format_to(std::back_inserter(text_), format, std::forward<Words>(words)...);
        if (text_.size() > (1 << 16)) flush();
    }

private:
    void flush() {
        out_.write(text_.data(), std::streamsize(text_.size()));
        text_.clear();
    }

    std::ostream& out_;
    fmt::memory_buffer text_;
};

}  // namespace

void write_edges(std::ostream& out, TrafficMatrix const& matrix) {
    Lines lines(out);
    lines.print("# ranks {}\nsource destination bytes{}\n", matrix.ranks, matrix.messages_known ? " messages" : "");
    for (Entry const& entry : matrix.entries)
        if (matrix.messages_known)
            lines.print("{} {} {} {}\n", entry.source, entry.destination, entry.bytes, entry.messages);
        else lines.print("{} {} {}\n", entry.source, entry.destination, entry.bytes);
}

void write_dense(std::ostream& out, TrafficMatrix const& matrix) {
    if (matrix.ranks > most_dense_ranks)
        throw base::InputError({}, "a dense matrix of " + base::grouped(matrix.ranks) + " ranks is too large",
                               "at most " + base::grouped(most_dense_ranks), "write edges or matrix-market");
    Lines lines(out);
    lines.print("# matrix\n");
    auto entry = matrix.entries.begin();
    for (std::uint32_t row = 0; row < matrix.ranks; ++row)
        for (std::uint32_t column = 0; column < matrix.ranks; ++column) {
            bool const here = entry != matrix.entries.end() && entry->source == row && entry->destination == column;
            lines.print("{}{}", here ? entry->bytes : 0, column + 1 == matrix.ranks ? '\n' : ',');
            if (here) ++entry;
        }
}

void write_matrix_market(std::ostream& out, TrafficMatrix const& matrix) {
    Lines lines(out);
    lines.print("%%MatrixMarket matrix coordinate integer general\n% {} from row to column, ranks from 1\n{} {} {}\n",
                name_of(matrix.unit), matrix.ranks, matrix.ranks, matrix.entries.size());
    for (Entry const& entry : matrix.entries)
        lines.print("{} {} {}\n", entry.source + 1, entry.destination + 1, entry.bytes);
}

}  // namespace tailback::traffic
