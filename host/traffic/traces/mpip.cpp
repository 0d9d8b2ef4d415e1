// mpiP's report: the matrix between two lines of dashes, and the hosts of the ranks in front. The line of a rank to
// itself holds the sums of its row.
#include "host/base/numbers.hpp"
#include "host/base/scanner.hpp"
#include "host/traffic/read/fields.hpp"
#include "host/traffic/traces/traces.hpp"

#include <fmt/format.h>

namespace tailback::traffic {
namespace {

class MpipReader {
public:
    explicit MpipReader(io::LineReader& lines) : lines_(lines), builder_([this] { return lines_.place(); }) {}

    TrafficMatrix read() {
        bool inside = false, ended = false;
        for (std::string_view line; !ended && lines_.next(line);) {
            if (!inside && line.starts_with("@ MPI Task Assignment")) read_assignment(line);
            if (!inside && line.starts_with("------- Start Communication Matrix")) begin_matrix(inside);
            else if (inside && line.starts_with("------- End Communication Matrix")) ended = true;
            else if (inside) read_line(line);
        }
        if (!inside)
            throw base::InputError({lines_.name(), 0}, "there is no communication matrix in this report",
                                   "mpiP writes one only where it was built to",
                                   "trace the application with such an mpiP, or with Open MPI's monitoring");
        if (!ended)
            throw base::InputError(lines_.place(), "the matrix stops in the middle", "its last line is missing",
                                   "copy the file again");
        check_row();
        if (rows_ != builder_.ranks())
            throw base::InputError(lines_.place(), fmt::format("the matrix has the rows of {} ranks", rows_),
                                   fmt::format("there are {} ranks", builder_.ranks()), "copy the file again");
        TrafficMatrix matrix = builder_.take("an mpiP report");
        matrix.messages_known = true;
        matrix.sums_checked = sums_checked_;
        matrix.hosts = std::move(hosts_);
        matrix.notes.push_back(
            "mpiP records point-to-point messages alone: collectives and Sendrecv are not in its matrix");
        return matrix;
    }

private:
    void read_assignment(std::string_view line) {
        base::Scanner scan(line);
        std::uint64_t rank = 0;
        scan.behind(":");
        if (!scan.blanks().decimal(rank) || rank != hosts_.size())
            throw base::InputError(lines_.place(), "the ranks do not come in their order", "",
                                   "check that the file is complete");
        hosts_.emplace_back(scan.blanks().rest());
        builder_.declare_ranks(hosts_.size());
    }
    void begin_matrix(bool& inside) {
        inside = true;
        if (hosts_.empty())
            throw base::InputError(lines_.place(), "the number of ranks is not known",
                                   "no line `@ MPI Task Assignment` comes before the matrix",
                                   "check that the file is complete");
    }
    void read_line(std::string_view line) {
        if (line.empty() || line.starts_with("Source")) return;
        if (base::Scanner scan(line); scan.accept("Statistics of rank:")) {
            check_row();
            std::uint64_t rank = 0;
            if (!scan.blanks().decimal(rank) || rank != rows_)
                throw base::InputError(lines_.place(), "the rows do not come in their order",
                                       fmt::format("that of rank {} is next", rows_),
                                       "check that the file is complete");
            ++rows_;
            row_ = {};
            return;
        }
        Fields fields(line);
        std::uint64_t number[4];
        for (std::uint64_t& n : number) {
            std::string_view word;
            fields.next(word);
            n = whole(lines_, word, "number of mpiP's matrix");
        }
        std::uint32_t const source = builder_.rank(number[0]), destination = builder_.rank(number[1]);
        if (rows_ == 0 || source != rows_ - 1)
            throw base::InputError(lines_.place(), fmt::format("a line of rank {}", source),
                                   "it is not that rank's row", "check that the file is complete");
        if (source == destination) {
            row_.stated = true;
            row_.stated_bytes = number[2];
            row_.stated_messages = number[3];
            row_.place = lines_.place();
            return;
        }
        builder_.add({source, destination, number[2], number[3]});  // the sum of all fits, so that of a row does
        row_.bytes += number[2];
        row_.messages += number[3];
    }
    /// The sums that the file states for the row that has just ended.
    void check_row() {
        if (rows_ == 0) return;
        if (!row_.stated)
            throw base::InputError(lines_.place(), fmt::format("the row of rank {} has no sum", rows_ - 1),
                                   "the line of the rank to itself holds it", "check that the file is complete");
        if (row_.stated_bytes != row_.bytes || row_.stated_messages != row_.messages)
            throw base::InputError(row_.place,
                                   fmt::format("the row of rank {} adds up to {} bytes in {} messages", rows_ - 1,
                                               base::grouped(row_.bytes), base::grouped(row_.messages)),
                                   fmt::format("the file states {} bytes in {} messages",
                                               base::grouped(row_.stated_bytes), base::grouped(row_.stated_messages)),
                                   "a line of the row is missing or wrong; copy the file again");
        sums_checked_ += 2;
    }

    struct Row {
        bool stated = false;
        std::uint64_t stated_bytes = 0, stated_messages = 0, bytes = 0, messages = 0;
        base::SourceLocation place;
    };
    io::LineReader& lines_;
    MatrixBuilder builder_;
    std::vector<std::string> hosts_;
    Row row_;
    std::uint64_t rows_ = 0, sums_checked_ = 0;
};

}  // namespace

TrafficMatrix read_mpip(io::LineReader& lines) { return MpipReader(lines).read(); }

}  // namespace tailback::traffic
