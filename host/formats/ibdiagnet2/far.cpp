// Reads ibdiagnet2.far: adaptive routing's groups of every switch, and for every LID the static port, whether the port
// is fixed or free, and the group. Of a switch with several private tables one counts: by ibdiagnet2.plft, or number 0.
#include "host/base/scanner.hpp"
#include "host/formats/formats.hpp"
#include "host/formats/ibdiagnet2/private_tables.hpp"
#include "host/formats/read/lid_range.hpp"
#include "host/formats/read/table_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

namespace tailback::formats {
namespace {

constexpr std::uint64_t most_group_number = 0xFFFF;

class FarReader {
public:
    FarReader(io::LineReader& lines, model::Network const& network, model::Disagreements& disagreements,
              PrivateTables const* which)
        : lines_(lines),
          network_(network),
          disagreements_(disagreements),
          which_(which),
          rows_(network, lines, disagreements),
          sets_(std::make_shared<model::CandidateSets>(network.nodes().size(), std::size_t{network.max_lid()} + 1,
                                                       "ibdiagnet2.far")) {}

    AdaptiveTables read() {
        std::string_view line;
        while (lines_.next(line)) take(line);
        at_end_ = true;
        end_table();
        AdaptiveTables found{rows_.finish(), std::move(sets_), std::move(numbers_)};
        return found;
    }

private:
    enum class Part : std::uint8_t { none, groups, entries, other_table };

    void take(std::string_view line) {
        base::Scanner scan(line);
        scan.blanks();
        if (scan.at_end() || line.find_first_not_of("-= \t") == std::string_view::npos) return;
        cut_off_ = false;
        if (scan.accept("Switch 0x")) return begin(scan);
        if (scan.accept("Groups Definition:")) return begin_groups();
        if (scan.accept("LFT Definition:")) return change(Part::entries);
        if (scan.accept("PLFT_NUM:")) return begin_table(scan);
        if (scan.accept("Group ")) return begin_columns(Part::groups, "Groups Definition:");
        if (scan.accept("LID ")) return begin_columns(Part::entries, "LFT Definition:");
        if (scan.accept("File version") || scan.accept("#")) return;
        bool sound = true;
        if (part_ == Part::groups) sound = take_group(scan);
        else if (part_ == Part::entries) sound = take_entry(scan);
        else if (part_ == Part::none && !in_switch_) return;  // what stands above the first switch
        if (!sound) unparsed(line);
    }
    void unparsed(std::string_view line) {
        if (part_ == Part::other_table) return;
        cut_off_ = true;
        std::string const text =
            "\"" + std::string(line.substr(0, 60)) + "\" is neither a group nor an entry of a .far file";
        if (!lines_.terminated()) return rows_.cut_off(diagnosis::Code::line_not_understood, text);
        disagreements_.note(diagnosis::Code::line_not_understood, lines_.place(), text, 1, rows_.present());
    }
    /// Behind entries: the heading of the switch is lost.
    void begin_groups() {
        if (in_switch_ && (part_ == Part::entries || part_ == Part::other_table))
            begin_nameless("the heading of a switch is missing above its groups; its table is left out");
        change(Part::groups);
    }
    void begin_nameless(char const* why) {
        end_table();
        in_switch_ = true;
        reset();
        node_ = {};
        rows_.begin_nameless(why);
    }
    void reset() {
        part_ = Part::none;
        group_of_.clear();
        ports_.clear();
        seen_.clear();
        has_number_ = false;
        top_ = last_ = above_ = left_out_ = 0;
    }
    void change(Part part) { part_ = in_switch_ ? part : Part::none; }

    /// The columns' heading tells what follows, too, where the line above it is lost.
    void begin_columns(Part part, char const* lost) {
        bool const lacks_number = in_switch_ && part == Part::entries && part_ == Part::entries && !has_number_;
        if (lacks_number) lost = "PLFT_NUM: 0";
        else if (!in_switch_ ||
                 (part == Part::groups ? part_ != Part::none : part_ == Part::entries || part_ == Part::other_table))
            return;
        part_ = part;
        has_number_ = true;  // told once
        disagreements_.note(diagnosis::Code::line_not_understood, lines_.place(),
                            std::string("the line \"") + lost + "\" is missing above; what it announces is read", 1,
                            rows_.present());
    }

    void begin(base::Scanner scan) {
        std::uint64_t guid = 0;
        if (!scan.hex(guid)) return begin_nameless("the heading names no switch; its table is left out");
        end_table();
        in_switch_ = true;
        reset();
        rows_.begin(guid);
        node_ = rows_.present().node;
        std::uint64_t lid = 0;
        if (scan.blanks().accept("LID") && scan.blanks().decimal(lid)) rows_.told_switch_lid(lid);
        wanted_ = 0;
        uniform_ = true;
        if (which_ != nullptr && node_.exists()) wanted_ = which_->followed(node_, uniform_);
        if (!node_.exists()) return;
        if (sets_->has_row(node_)) node_ = {};  // a second table: the first one's groups stay
        else sets_->add_row(node_);
    }

    void begin_table(base::Scanner scan) {
        std::uint64_t number = 0, top = 0;
        bool const sound = scan.blanks().decimal(number);
        has_number_ = true;
        if (sound && scan.blanks().accept(',') && scan.blanks().accept("top:") && scan.blanks().accept("0x"))
            (void)scan.hex(top);
        model::Node const here = rows_.present().node;
        if (here.exists()) numbers_[here.value].push_back(static_cast<std::uint32_t>(number));
        if (number == wanted_) {
            top_ = std::min<std::uint64_t>(top, model::max_unicast_lid);
            return change(Part::entries);
        }
        part_ = Part::other_table;
        ++other_tables_;
        if (which_ != nullptr && which_->has(here) && uniform_) return;  // by other service levels
        disagreements_.note(diagnosis::Code::private_table_not_followed, lines_.place(),
                            "private table " + std::to_string(number) + " is not followed", 1, rows_.present());
    }

    /// `1  0  0  33,34,35,`: sub groups of one number are taken together.
    bool take_group(base::Scanner scan) {
        std::uint64_t group = 0, sub = 0;
        if (!scan.decimal(group) || group > most_group_number || !scan.blanks().decimal(sub)) return false;
        std::string_view rest = scan.blanks().rest();
        std::size_t const ports_at = rest.find_last_of(" \t");
        if (rest.find(',') == std::string_view::npos && ports_at == std::string_view::npos) rest = {};  // WHBF alone
        else if (ports_at != std::string_view::npos) rest = rest.substr(ports_at + 1);
        if (!seen_.emplace(group, sub).second && seen_.emplace(most_group_number + 1, 0).second)
            disagreements_.note(
                diagnosis::Code::group_defined_twice, lines_.place(),
                "group " + std::to_string(group) + " is defined a second time; the ports of both are taken together", 1,
                rows_.present());
        std::vector<model::Port>& ports = ports_[group];
        base::Scanner list(rest);
        while (!list.at_end()) {
            std::uint64_t port = 0;
            if (!list.decimal(port) || port == 0 || port > most_ports) return false;
            if (std::find(ports.begin(), ports.end(), port) == ports.end())
                ports.push_back(static_cast<model::Port>(port));
            if (!list.accept(',')) break;
        }
        return list.blanks().at_end();
    }

    /// `0x0001  18  Free  7`
    bool take_entry(base::Scanner scan) {
        std::uint64_t lid = 0, port = 255, group = 0;
        if (!scan.accept("0x") || !scan.hex(lid) || lid == 0 || lid > model::max_unicast_lid) return false;
        std::string_view rest = scan.blanks().rest();
        if (rest.starts_with("N/A") || rest.starts_with("UNREACHABLE")) return true;
        if (!scan.decimal(port) || port > 255) return false;
        bool const cut = !lines_.terminated() && lid < top_;  // digits of its last number may be missing
        if (cut && scan.at_end()) return false;
        if (top_ > 0 && lid > top_) {
            if (above_++ == 0) first_above_ = lid, place_above_ = lines_.place();
            bool const is_owned = network_.owner(static_cast<model::Lid>(lid)).node.exists();
            left_out_ += !is_owned;
            if (!is_owned) return true;
        }
        rows_.enter(lid, port);
        last_ = std::max(last_, lid);
        rest = scan.blanks().rest();
        if (rest.starts_with("Static")) return true;
        bool const hashed = rest.starts_with("HBF");
        // Of a group, too: bounded flows keep their order on it.
        std::string_view const word = hashed ? "HBF" : rest.starts_with("Bounded") ? "Bounded" : "Free";
        if (!rest.starts_with(word)) return false;
        base::Scanner behind(rest.substr(word.size()));
        if (!behind.blanks().decimal(group) || (cut && behind.at_end())) return false;
        set(lid, group, hashed ? model::LidState::hashed : model::LidState::free);
        return true;
    }
    void set(std::uint64_t lid, std::uint64_t group, model::LidState state) {
        if (!node_.exists() || lid >= sets_->lids()) return;
        auto const known = group_of_.find(group);
        if (known != group_of_.end()) return sets_->set(node_, static_cast<model::Lid>(lid), state, known->second);
        auto const ports = ports_.find(group);
        if (ports == ports_.end()) {
            auto const [at, is_new] = unknown_.try_emplace(group);
            if (is_new) at->second.place = lines_.place();
            return at->second.lids.push_back(static_cast<std::uint32_t>(lid));
        }
        std::sort(ports->second.begin(), ports->second.end());
        model::CandidateSets::Group const made =
            sets_->add_group(node_, ports->second, static_cast<std::uint32_t>(group));
        group_of_.emplace(group, made);
        sets_->set(node_, static_cast<model::Lid>(lid), state, made);
    }

    /// A note a group that the switch does not have.
    void note_unknown_groups() {
        for (auto& [group, sent] : unknown_) {
            bool const one = sent.lids.size() == 1;
            std::string const lids =
                one ? "LID " + std::to_string(sent.lids.front())
                    : std::to_string(sent.lids.size()) + " LIDs, the first " + std::to_string(sent.lids.front()) + ",";
            model::FabricPlace where = rows_.present();
            where.lids = std::move(sent.lids);
            disagreements_.note(diagnosis::Code::group_unknown, sent.place,
                                lids + (one ? " is" : " are") + " sent to group " + std::to_string(group) +
                                    ", which the switch does not have; the static entr" + (one ? "y is" : "ies are") +
                                    " taken",
                                1, where);
        }
        unknown_.clear();
    }

    void note_above() {
        if (above_ == 0) return;
        std::string const which = above_ == 1
                                      ? fmt::format("LID {} is above the top of its table, {}", first_above_, top_)
                                      : fmt::format("LID {} and {} more are above the top of their table, {}",
                                                    first_above_, above_ - 1, top_);
        disagreements_.note(diagnosis::Code::entries_above_top, place_above_,
                            which + (left_out_ == 0        ? ""
                                     : left_out_ == above_ ? "; nobody owns a LID of them, and they are left out"
                                                           : "; those that nobody owns are left out"),
                            1, rows_.present());
    }

    void end_table() {
        note_unknown_groups();
        note_above();
        // Where the file ends within a line, that line has been told.
        if (at_end_ && !cut_off_ && in_switch_ && last_ == 0 && part_ != Part::other_table)
            return rows_.cut_off(diagnosis::Code::table_cut_off, "the file ends before its entries");
        if (cut_off_ || !in_switch_ || top_ == 0 || last_ >= top_ || last_ >= network_.max_lid()) return;
        std::string const text =
            "the table ends at LID " + std::to_string(last_) + ", its heading says " + std::to_string(top_);
        if (at_end_) rows_.cut_off(diagnosis::Code::table_cut_off, text);
        else disagreements_.note(diagnosis::Code::table_incomplete, lines_.place(), text, 1, rows_.present());
    }

    io::LineReader& lines_;
    model::Network const& network_;
    model::Disagreements& disagreements_;
    PrivateTables const* which_;
    TableRows rows_;
    std::shared_ptr<model::CandidateSets> sets_;
    Part part_ = Part::none;
    bool in_switch_ = false;
    bool at_end_ = false;   // of the file
    bool cut_off_ = false;  // the line before was none that is known
    model::Node node_;      // of the present switch; none: its groups go nowhere
    std::unordered_map<std::uint64_t, std::vector<model::Port>> ports_;        // by group
    std::set<std::pair<std::uint64_t, std::uint64_t>> seen_;                   // groups and sub groups
    bool has_number_ = false;                                                  // of the present table
    std::unordered_map<std::uint64_t, model::CandidateSets::Group> group_of_;  // of those in use
    struct Sent {
        base::SourceLocation place;  // of the first
        std::vector<std::uint32_t> lids;
    };
    std::map<std::uint64_t, Sent> unknown_;  // by groups that the present switch does not have
    std::uint64_t top_ = 0, last_ = 0, other_tables_ = 0;
    std::uint64_t above_ = 0, first_above_ = 0;  // LIDs above the top of the present table
    std::uint64_t left_out_ = 0;                 // those of them that nobody owns
    base::SourceLocation place_above_;
    std::uint64_t wanted_ = 0;  // number of the table that counts at the present switch
    bool uniform_ = true;
    std::map<std::uint32_t, std::vector<std::uint32_t>> numbers_;  // of the tables met, by node
};

}  // namespace

AdaptiveTables read_far(io::LineReader& lines, model::Network const& network, model::Disagreements& disagreements,
                        PrivateTables const* which) {
    return FarReader(lines, network, disagreements, which).read();
}

}  // namespace tailback::formats
