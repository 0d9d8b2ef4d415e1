// Edge lists: a pair of ranks a line, its bytes and perhaps its messages.
#include "host/base/nearest.hpp"
#include "host/traffic/formats.hpp"
#include "host/traffic/read/fields.hpp"
#include "host/traffic/read/table.hpp"

#include <algorithm>
#include <array>

namespace tailback::traffic {
namespace {

enum Column : std::uint8_t { source, destination, bytes, messages, columns };

/// What a column may be called.
bool names(Column column, std::string const& word) {
    static std::array<std::vector<std::string>, columns> const known = {
        {{"source", "src", "from", "sender", "i", "row"},
         {"destination", "dest", "dst", "target", "to", "receiver", "j", "col", "column"},
         {"bytes", "size", "weight", "volume", "amount", "value"},
         {"messages", "msgs", "count", "sends"}}};
    return std::find(known[column].begin(), known[column].end(), word) != known[column].end();
}

/// Where which column stands; by default in the order of Column.
struct Order {
    std::array<int, columns> at = {0, 1, 2, 3};
    std::size_t least = 3, most = 4;  ///< fields of a line
};

Order read_header(std::string_view line, base::SourceLocation const& place) {
    Order order{{-1, -1, -1, -1}, 0, 0};
    std::string_view field;
    for (Fields fields(line); fields.next(field); ++order.most) {
        std::string const word = base::lower_case(std::string(field));
        Column column = source;
        while (column != columns && !names(column, word)) column = Column(column + 1);
        if (column == columns || order.at[column] >= 0)
            throw base::InputError(place, "the column " + shown(field) + " is not understood",
                                   column == columns ? "" : "there is one of that meaning already",
                                   "name the columns source, destination, bytes and, where known, messages");
        order.at[column] = int(order.most);
    }
    order.least = order.most;
    for (Column const needed : {source, destination, bytes})
        if (order.at[needed] < 0)
            throw base::InputError(place, "the header names no column of sources, of destinations, or of bytes", "",
                                   "name the columns source, destination, bytes and, where known, messages");
    return order;
}

class EdgeReader {
public:
    explicit EdgeReader(io::LineReader& lines) : lines_(lines), builder_([this] { return lines_.place(); }) {}

    TrafficMatrix read() {
        for (std::string_view line; lines_.next(line);) {
            if (std::uint64_t count = 0; is_rank_count(line, count)) {
                if (builder_.ranks_declared() || edges_ > 0)
                    throw base::InputError(lines_.place(), "the number of ranks comes too late",
                                           edges_ > 0 ? "edges come before it" : "it is given already",
                                           "give it once, in front");
                builder_.declare_ranks(count);
            } else if (!is_comment(line)) {
                if (edges_ == 0 && !header_ && is_header(line)) {
                    order_ = read_header(line, lines_.place());
                    header_ = true;
                } else {
                    read_edge(line);
                }
            }
        }
        TrafficMatrix matrix = builder_.take("an edge list");
        matrix.messages_known = edges_ > 0 && with_messages_ == edges_;
        if (with_messages_ > 0 && with_messages_ < edges_)
            matrix.warnings.push_back("some lines of the edge list have no number of messages");
        return matrix;
    }

private:
    void read_edge(std::string_view line) {
        std::array<std::string_view, columns> field;
        std::size_t count = 0;
        refuse_grouped(line, lines_.place());
        Fields fields(line);
        while (count < order_.most && fields.next(field[count])) ++count;
        if (count < order_.least || !fields.at_end())
            throw base::InputError(lines_.place(),
                                   count < order_.least ? "an edge is incomplete" : "an edge has too many columns",
                                   "a line is a source, a destination, its bytes and perhaps its messages",
                                   "check this line, and whether the file is complete");
        Entry entry{rank_in(field, source), rank_in(field, destination), number_in(field, bytes, "number of bytes"), 0};
        if (order_.at[messages] >= 0 && std::size_t(order_.at[messages]) < count) {
            entry.messages = number_in(field, messages, "number of messages");
            ++with_messages_;
        }
        builder_.add(entry);
        ++edges_;
    }
    std::uint64_t number_in(std::array<std::string_view, columns> const& field, Column column, char const* what) {
        return whole(lines_, field[std::size_t(order_.at[column])], what);
    }
    std::uint32_t rank_in(std::array<std::string_view, columns> const& field, Column column) {
        return builder_.rank(number_in(field, column, "rank"));
    }

    io::LineReader& lines_;
    MatrixBuilder builder_;
    Order order_;
    bool header_ = false;
    std::uint64_t edges_ = 0, with_messages_ = 0;
};

}  // namespace

TrafficMatrix read_edge_list(io::LineReader& lines) { return EdgeReader(lines).read(); }

}  // namespace tailback::traffic
