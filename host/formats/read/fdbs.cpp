// Reads opensm.fdbs and ibdiagnet.fdbs: per switch a line for every LID, `0x000C : 001  : 02   : yes`.
#include "host/base/scanner.hpp"
#include "host/formats/formats.hpp"
#include "host/formats/read/table_rows.hpp"

#include <algorithm>

namespace tailback::formats {
namespace {

class FdbsReader {
public:
    FdbsReader(io::LineReader& lines, model::Network const& network, model::Disagreements& disagreements,
               CutOff cut_off)
        : lines_(lines), cut_is_data_(cut_off == CutOff::is_data), rows_(network, lines, disagreements) {}

    model::ForwardingTables read() {
        std::string_view line;
        bool whole = true;
        while (lines_.next(line)) whole = take(line);
        if (!lines_.terminated() && !whole) cut_off("its last line is incomplete");
        end_table();
        if (rows_.tables_met() > 1 && last_top_ < common_top_ && same_top_before_)
            cut_off("the last table ends at LID " + std::to_string(last_top_) + ", all others at " +
                    std::to_string(common_top_));
        return rows_.finish();
    }

private:
    void cut_off(std::string const& why) {
        if (cut_is_data_)
            return rows_.cut_off(diagnosis::Code::table_cut_off, "the file is cut off in its table: " + why);
        throw base::InputError(lines_.place(), "the last table is cut off", why,
                               "the file is truncated; copy or dump it again");
    }

    /// False for a line that may have been cut.
    bool take(std::string_view line) {
        base::Scanner scan(line);
        scan.blanks();
        if (in_table_ && scan.accept("0x")) return take_entry(scan, line);
        if (scan.at_end()) return true;
        if (lines_.terminated() && scan.behind("ucast_routes: Switch")) {
            std::uint64_t guid = 0;
            bool const named = scan.blanks().accept("0x") && scan.hex(guid);
            end_table();
            in_table_ = true;
            if (named) rows_.begin(guid);
            else rows_.begin_nameless("the table header names no switch; its table is left out");
            return false;  // a header alone is no table
        }
        if (!in_table_) return true;
        if (scan.accept("LID ")) {  // the heading of the columns
            again_ = top_ > 0;
            return false;
        }
        if (scan.rest().substr(0, 2) == "-I" || scan.rest().substr(0, 2) == "-W")
            return true;  // ibdiagnet's own remarks
        rows_.left_out("\"" + std::string(line.substr(0, 60)) + "\" is no table entry");
        return false;
    }

    /// Columns a second time, and LIDs from the first again: the header between is lost.
    void begin_headless() {
        end_table();
        in_table_ = true;
        rows_.begin_nameless("the header of a table is missing above its columns; the table is left out");
    }

    bool take_entry(base::Scanner scan, std::string_view line) {
        std::uint64_t lid = 0, port = 255;
        bool const has_lid = scan.hex(lid) && scan.blanks().accept(':');
        bool whole = has_lid && scan.blanks().accept("UNREACHABLE");
        bool sound = whole;
        if (has_lid && !whole) {
            sound =
                scan.blanks().decimal(port) && (scan.at_end() || scan.blanks().at_end() || scan.rest().front() == ':');
            // `: hops : remark`, or `: HOPS UNKNOWN`
            whole = sound && scan.accept(':') &&
                    (scan.rest().find(" : ") != std::string_view::npos ||
                     scan.rest().find("UNKNOWN") != std::string_view::npos);
        }
        if (!sound) {
            rows_.left_out("\"" + std::string(line.substr(0, 60)) + "\" is no table entry");
            return false;
        }
        if (!whole && !lines_.terminated()) return false;  // of the port, too, digits may be missing
        if (again_ && lid <= top_) begin_headless();
        again_ = false;
        rows_.enter(lid, port);
        if (scan.rest().find("0x") != std::string_view::npos)
            rows_.left_out("\"" + std::string(line.substr(0, 60)) + "\" has two entries; the first is read");
        if (lid <= model::max_unicast_lid) top_ = std::max(top_, lid);
        return whole;
    }

    /// All tables of a file end at the same LID; one that does not, at the end of the file, was cut.
    void end_table() {
        if (!in_table_) return;
        in_table_ = false;
        if (ended_ > 0) {
            if (ended_ > 1 && last_top_ != common_top_) same_top_before_ = false;
            common_top_ = std::max(common_top_, last_top_);
        }
        ++ended_;
        last_top_ = top_;
        top_ = 0;
        again_ = false;
    }

    io::LineReader& lines_;
    bool cut_is_data_;
    TableRows rows_;
    bool in_table_ = false;
    bool again_ = false;            // the line before is the heading of the columns, and entries came above it
    std::uint64_t top_ = 0;         // of the table being read
    std::uint64_t last_top_ = 0;    // of the last table that ended
    std::uint64_t common_top_ = 0;  // of those before it
    bool same_top_before_ = true;
    std::size_t ended_ = 0;
};

}  // namespace

model::ForwardingTables read_fdbs(io::LineReader& lines, model::Network const& network,
                                  model::Disagreements& disagreements, CutOff cut_off) {
    return FdbsReader(lines, network, disagreements, cut_off).read();
}

}  // namespace tailback::formats
