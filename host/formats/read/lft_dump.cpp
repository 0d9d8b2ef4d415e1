// Reads linear forwarding tables as OpenSM (opensm-lfts.dump), dump_fts (dump_lfts) and ibroute print them.
#include "host/base/scanner.hpp"
#include "host/formats/formats.hpp"
#include "host/formats/read/table_rows.hpp"

#include <array>

namespace tailback::formats {
namespace {

constexpr std::array<std::uint8_t, 256> make_hex_digits() {
    std::array<std::uint8_t, 256> digits{};
    for (auto& d : digits) d = 0xFF;
    for (unsigned i = 0; i < 10; ++i) digits['0' + i] = static_cast<std::uint8_t>(i);
    for (unsigned i = 0; i < 6; ++i) digits['a' + i] = digits['A' + i] = static_cast<std::uint8_t>(10 + i);
    return digits;
}
constexpr std::array<std::uint8_t, 256> hex_digits = make_hex_digits();

/// `0x0005 001` and then a blank or nothing: the form of nearly every line.
bool parse_usual_entry(std::string_view line, unsigned& lid, unsigned& port) {
    if (line.size() < 10 || line[0] != '0' || line[1] != 'x' || line[6] != ' ') return false;
    auto const at = [&](std::size_t i) { return static_cast<unsigned char>(line[i]); };
    unsigned const a = hex_digits[at(2)], b = hex_digits[at(3)], c = hex_digits[at(4)], d = hex_digits[at(5)];
    unsigned const p = at(7) - '0', q = at(8) - '0', r = at(9) - '0';
    if ((a | b | c | d) > 15 || p > 9 || q > 9 || r > 9) return false;
    if (line.size() > 10 && line[10] != ' ') return false;
    lid = a << 12 | b << 8 | c << 4 | d;
    port = p * 100 + q * 10 + r;
    return true;
}

class LftDumpReader {
public:
    LftDumpReader(io::LineReader& lines, model::Network const& network, model::Disagreements& disagreements,
                  CutOff cut_off)
        : lines_(lines),
          disagreements_(disagreements),
          cut_is_data_(cut_off == CutOff::is_data),
          rows_(network, lines, disagreements) {}

    model::ForwardingTables read() {
        std::string_view line;
        unsigned lid = 0, port = 0;
        while (lines_.next(line)) {
            if (state_ == State::unicast && parse_usual_entry(line, lid, port)) {
                ++entries_;
                rows_.enter(lid, port);
                if (line.size() > 30) rows_.told_owner(lid, line);
            } else {
                take_other(line);
            }
        }
        if (state_ == State::unicast) {
            std::string const why =
                "its header is in line " + std::to_string(header_line_) + ", its \"lids dumped\" line is missing";
            if (!cut_is_data_)
                throw base::InputError(lines_.place(), "the last table is cut off", why,
                                       "the file is truncated; copy or dump it again");
            rows_.cut_off(diagnosis::Code::table_cut_off, "the file is cut off in its table: " + why);
        }
        return rows_.finish();
    }

private:
    enum class State { between, unicast, multicast };

    void take_other(std::string_view line) {
        base::Scanner scan(line);
        scan.blanks();
        if (scan.at_end()) return;
        if (scan.rest().find("Unicast lids") != std::string_view::npos) return take_header(scan);
        if (scan.accept("Multicast mlids")) {
            end_table(false, 0);
            state_ = State::multicast;
            return;
        }
        if (state_ != State::unicast) return;
        if (scan.rest().find("lids dumped") != std::string_view::npos) return take_trailer(scan);
        if (scan.accept("0x")) return take_unusual_entry(scan, line);
        if (scan.accept("Lid  Out") || scan.accept("Port ") || is_log_line(scan.rest())) return;
        rows_.left_out("\"" + std::string(line.substr(0, 60)) + "\" is no table entry");
    }

    /// `Unicast lids [0x0-0x47] of switch DR path ... guid 0x0002c90200400028 (name):`. The name may hold anything.
    void take_header(base::Scanner scan) {
        end_table(false, 0);
        header_line_ = lines_.place().line;
        std::uint64_t top = 0, guid = 0;
        std::string_view from;
        std::uint64_t lid = 0;
        base::Scanner told = scan;
        bool const has_lid = told.behind("of switch Lid ") && told.decimal(lid) && told.blanks().accept("guid 0x");
        scan.behind("Unicast lids");
        if (scan.blanks().accept('[') && scan.until('-', from)) {
            if (scan.accept("0x")) scan.hex(top);
            else scan.decimal(top);
        }
        if (top > model::max_unicast_lid) {
            disagreements_.note(
                diagnosis::Code::entry_out_of_range, lines_.place(),
                "the table header promises LIDs up to " + std::to_string(top) + ", and they end at 49151 (0xbfff)");
            top = 0;
        }
        if (!lines_.terminated()) {  // of the GUID digits may be missing; that the file is cut off is told
            rows_.skip();
        } else if (scan.behind("guid 0x") && scan.hex(guid)) {
            rows_.begin(guid, name_in(scan.rest()));
        } else {
            rows_.begin_nameless("the table header names no switch; its table is left out");
        }
        rows_.expect_lids_up_to(top);
        if (has_lid) rows_.told_switch_lid(lid);
        state_ = State::unicast;
        entries_ = 0;
    }

    /// ` ('leaf-01'):` or ` (leaf-01):`; the name may hold parentheses itself.
    static std::string_view name_in(std::string_view text) {
        std::size_t const first = text.find('('), last = text.rfind(')');
        if (first == std::string_view::npos || last == std::string_view::npos || last < first) return {};
        text = text.substr(first + 1, last - first - 1);
        if (text.size() >= 2 && text.front() == '\'' && text.back() == '\'') text = text.substr(1, text.size() - 2);
        return text;
    }

    /// `34 lids dumped` (the largest LID, or with -a the number of lines), `22 valid lids dumped ` (the number of
    /// lines).
    void take_trailer(base::Scanner scan) {
        std::uint64_t promised = 0;
        bool const counted = scan.decimal(promised) && scan.blanks().accept("valid");
        end_table(true, counted ? promised : entries_);
    }

    void end_table(bool with_trailer, std::uint64_t promised) {
        if (state_ == State::unicast && (!with_trailer || promised != entries_))
            disagreements_.note(diagnosis::Code::table_incomplete, {lines_.name(), header_line_},
                                with_trailer ? "the table counts " + std::to_string(promised) + " entries and has " +
                                                   std::to_string(entries_)
                                             : std::string("the table has no \"lids dumped\" line at its end"),
                                1, rows_.present());
        state_ = State::between;
    }

    /// Behind the `0x` of an entry with other widths than the tools print today.
    void take_unusual_entry(base::Scanner scan, std::string_view line) {
        std::uint64_t lid = 0, port = 0;
        if (!scan.hex(lid) || !scan.blanks().decimal(port) ||
            (!scan.at_end() && scan.rest().find_first_of(" \t:#") != 0) || (scan.at_end() && !lines_.terminated())) {
            rows_.left_out("\"" + std::string(line.substr(0, 60)) + "\" is no table entry");
            return;
        }
        ++entries_;
        rows_.enter(lid, port);
    }

    /// What the tools write to their error output, where both went into one file.
    static bool is_log_line(std::string_view text) {
        return text.substr(0, 7) == "ibwarn:" || text.substr(0, 4) == "src/" || text.substr(0, 8) == "ibroute:" ||
               text.substr(0, 9) == "dump_fts:" || text.front() == '#';
    }

    io::LineReader& lines_;
    model::Disagreements& disagreements_;
    bool cut_is_data_;
    TableRows rows_;
    State state_ = State::between;
    std::uint64_t entries_ = 0;
    std::size_t header_line_ = 0;
};

}  // namespace

model::ForwardingTables read_lft_dump(io::LineReader& lines, model::Network const& network,
                                      model::Disagreements& disagreements, CutOff cut_off) {
    return LftDumpReader(lines, network, disagreements, cut_off).read();
}

}  // namespace tailback::formats
