// GOAL, as text: `rank R { l1: send 8b to 1 tag 0 .. l2 requires l1 }`.
#include "host/base/numbers.hpp"
#include "host/base/scanner.hpp"
#include "host/traffic/formats.hpp"
#include "host/traffic/read/fields.hpp"

#include <fmt/format.h>

#include <unordered_map>

namespace tailback::traffic {
namespace {

constexpr std::string_view goal_line =
    "a line is `LABEL: send BYTESb to RANK`, `recv BYTESb from RANK`, `calc TIME` or `LABEL requires LABEL`";

class GoalReader {
public:
    explicit GoalReader(io::LineReader& lines) : lines_(lines) {}

    GoalSchedule read() {
        for (std::string_view line; lines_.next(line);) {
            line = line.substr(0, std::min(line.find("//"), line.find('#')));
            base::Scanner scan(line);
            while (!scan.blanks().at_end()) read_statement(scan);
        }
        if (schedule_.ranks == 0) refuse("no line `num_ranks N`");
        if (inside_)
            throw base::InputError(lines_.place(), fmt::format("rank {} has no end", rank_), "its `}` is missing",
                                   "check that the file is complete");
        return std::move(schedule_);
    }

private:
    [[noreturn]] void refuse(std::string const& why) const {
        throw base::InputError(lines_.place(), "this is not a line of GOAL", why, std::string(goal_line));
    }
    static std::string_view word(base::Scanner& scan) {
        std::string_view const rest = scan.blanks().rest();
        std::size_t end = 0;
        while (end < rest.size() && std::string_view(" \t:{}").find(rest[end]) == std::string_view::npos) ++end;
        scan.skip(end);
        return rest.substr(0, end);
    }
    std::uint64_t number(base::Scanner& scan, char const* what, std::uint64_t most) {
        std::string_view const text = word(scan);
        std::uint64_t const value = whole(lines_, text, what);
        if (value > most)
            throw base::InputError(lines_.place(), shown(text) + " is not a " + what, fmt::format("at most {}", most),
                                   "check this line");
        return value;
    }
    std::uint32_t rank(base::Scanner& scan) {
        if (schedule_.ranks == 0) refuse("`num_ranks N` must come first");
        return static_cast<std::uint32_t>(number(scan, "rank of this schedule", schedule_.ranks - 1));
    }

    void read_statement(base::Scanner& scan) {
        if (scan.accept('}')) {
            if (!inside_) refuse("a `}` without a rank");
            inside_ = false;
            labels_.clear();
            return;
        }
        std::string_view const first = word(scan);
        if (!inside_ && first == "num_ranks") {
            if (schedule_.ranks > 0) refuse("a second `num_ranks`");
            schedule_.ranks = static_cast<std::uint32_t>(number(scan, "number of ranks", most_ranks));
            if (schedule_.ranks == 0) refuse("a schedule of 0 ranks");
        } else if (!inside_ && first == "rank") {
            rank_ = rank(scan);
            if (!scan.blanks().accept('{')) refuse("a rank's operations stand between `{` and `}`");
            inside_ = true;
        } else if (inside_ && scan.blanks().accept(':')) {
            if (!labels_.emplace(first, schedule_.operations.size()).second)
                refuse("the label " + shown(first) + " is there already");
            read_operation(word(scan), scan);
        } else if (inside_ && (first == "send" || first == "recv" || first == "calc")) {
            read_operation(first, scan);
        } else if (inside_) {
            read_dependency(first, scan);
        } else {
            refuse("it begins with " + shown(first));
        }
    }
    void read_operation(std::string_view kind, base::Scanner& scan) {
        GoalOperation operation{.rank = rank_, .line = static_cast<std::uint32_t>(lines_.line())};
        if (kind == "calc") {
            operation.amount = number(scan, "time", UINT64_MAX);
        } else if (kind == "send" || kind == "recv") {
            bool const sends = kind == "send";
            operation.kind = sends ? GoalOperation::Kind::send : GoalOperation::Kind::receive;
            std::string_view bytes = word(scan);
            if (!bytes.empty() && bytes.back() == 'b') bytes.remove_suffix(1);
            operation.amount = whole(lines_, bytes, "number of bytes");
            if (word(scan) != (sends ? "to" : "from"))
                refuse(sends ? "`to RANK` is missing" : "`from RANK` is missing");
            operation.peer = rank(scan);
        } else {
            refuse(shown(kind) + " is not an operation");
        }
        while (!scan.blanks().at_end() && scan.rest().front() != '}') {
            std::string_view const name = word(scan);
            std::uint32_t* const value = name == "tag"   ? &operation.tag
                                         : name == "cpu" ? &operation.cpu
                                         : name == "nic" ? &operation.nic
                                                         : nullptr;
            if (value == nullptr) refuse(shown(name) + " is not understood");
            *value = static_cast<std::uint32_t>(number(scan, "number of 32 bits", UINT32_MAX));
        }
        schedule_.operations.push_back(operation);
    }
    void read_dependency(std::string_view label, base::Scanner& scan) {
        std::string_view const kind = word(scan);
        if (kind != "requires" && kind != "irequires") refuse(shown(kind) + " follows a label");
        std::size_t const operation = labelled(label);
        schedule_.dependencies.push_back({operation, labelled(word(scan)), kind == "irequires"});
    }
    std::size_t labelled(std::string_view label) const {
        auto const found = labels_.find(std::string(label));
        if (found == labels_.end()) refuse("the label " + shown(label) + " is not known");
        return found->second;
    }

    io::LineReader& lines_;
    GoalSchedule schedule_;
    std::unordered_map<std::string, std::size_t> labels_;  ///< of the rank at hand
    std::uint32_t rank_ = 0;
    bool inside_ = false;
};

}  // namespace

GoalSchedule read_goal(io::LineReader& lines) { return GoalReader(lines).read(); }

TrafficMatrix matrix_of(GoalSchedule const& schedule, std::string const& file) {
    auto const place = [&] { return base::SourceLocation{file, 0}; };
    MatrixBuilder sends(place), receives(place);
    sends.declare_ranks(schedule.ranks);
    receives.declare_ranks(schedule.ranks);
    for (GoalOperation const& operation : schedule.operations) {
        if (operation.kind == GoalOperation::Kind::send)
            sends.add({operation.rank, operation.peer, operation.amount, 1});
        if (operation.kind == GoalOperation::Kind::receive)
            receives.add({operation.peer, operation.rank, operation.amount, 1});
    }
    TrafficMatrix matrix = sends.take("a GOAL schedule");
    matrix.messages_known = true;
    matrix.notes.push_back(
        fmt::format("all sends of the schedule were taken together: the order that its {} make is not in the matrix",
                    base::counted(schedule.dependencies.size(), "dependency", "dependencies")));
    if (receives.take("").entries == matrix.entries) ++matrix.sums_checked;
    else matrix.warnings.push_back("sends and receives of the schedule do not fit each other; its sends were taken");
    return matrix;
}

}  // namespace tailback::traffic
