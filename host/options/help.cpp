#include "host/options/help.hpp"

#include "host/base/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tailback::options {
namespace {

constexpr std::size_t text_column = 30;

std::string left_side(Option const& option) {
    std::string text = option.letter != 0 ? fmt::format("  -{}, ", option.letter) : "      ";
    text += std::string("--") + option.name;
    if (*option.metavar != 0) text += std::string(" ") + option.metavar;
    return text;
}

std::string line_of(Option const& option, std::string const& text, std::size_t width) {
    std::string line = left_side(option);
    if (base::columns(line) + 2 > text_column) line += "\n" + std::string(text_column, ' ');
    else line = base::padded(line, text_column);
    return line + wrapped(text, width, text_column, text_column) + "\n";
}

std::string head_of(Synopsis const& synopsis, std::size_t width) {
    std::string const before = fmt::format("usage: tailback {} ", name_of(synopsis.command));
    return fmt::format("{}\n\n{}{}\n", wrapped(synopsis.about, width, 0, 0), before,
                       wrapped(synopsis.usage, width, 7, before.size()));
}

}  // namespace

std::string wrapped(std::string const& text, std::size_t width, std::size_t indent, std::size_t used) {
    std::string result;
    std::size_t column = used;
    bool begins_line = true;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t const end = std::min(text.find(' ', at), text.size());
        std::string const word = text.substr(at, end - at);
        std::size_t const size = base::columns(word);
        if (!begins_line && column + 1 + size > width) {
            result += "\n" + std::string(indent, ' ');
            column = indent, begins_line = true;
        }
        if (!begins_line) result += ' ', ++column;
        result += word, column += size, begins_line = false;
        at = end + 1;
    }
    return result;
}

namespace {

/// A command that a shell takes as one, in lines of at most `width` columns; as it is where it fits, or has a comment.
std::string folded_command(std::string const& command, std::size_t width) {
    if (base::columns(command) <= width || command.find('#') != command.npos) return command;
    std::size_t const begin = command.find_first_not_of(' ');
    std::string lines = command.substr(0, begin) + wrapped(command.substr(begin), width - 2, begin + 6, begin);
    for (std::size_t at = 0; (at = lines.find('\n', at)) != lines.npos; at += 3) lines.insert(at, " \\");
    return lines;
}

std::size_t indent_of(std::string const& line) { return std::min(line.find_first_not_of(' '), line.size()); }

/// Lines that are no paragraph: commands, which stay as they are, and entries: a name and what is said of it, which
/// goes on in lines that begin where it does, and is filled anew.
class Entries {
public:
    explicit Entries(std::size_t width) : width_(width) {}

    void add(std::string const& line) {
        if (is_command_ && lines_.ends_with('\\')) {
            lines_ += "\n" + line;
            return;
        }
        if (text_at_ > 0 && indent_of(line) == text_at_) {
            lines_ += " " + line.substr(text_at_);
            return;
        }
        std::size_t const begin = indent_of(line), gap = line.find("  ", begin);
        end(), waits_ = true;
        lines_ = line;
        is_command_ = line.compare(begin, 9, "tailback ") == 0;
        text_at_ = is_command_ || gap == line.npos ? 0 : line.find_first_not_of(' ', gap);
    }
    /// Of what was added last.
    void end() {
        if (waits_) result += (is_command_ ? command() : filled()) + "\n";
        waits_ = is_command_ = false, text_at_ = 0;
    }

    std::string result;

private:
    /// Its end goes on below its own text, behind the name that it begins with.
    std::string filled() const {
        std::size_t const begin = indent_of(lines_), text = text_at_ > 0 ? text_at_ : begin + 2;
        if (base::columns(lines_) <= width_) return lines_;
        return lines_.substr(0, begin) + wrapped(lines_.substr(begin), width_, std::min(text, width_ / 2), begin);
    }

    std::string command() const { return lines_.find('\n') == lines_.npos ? folded_command(lines_, width_) : lines_; }

    std::size_t width_, text_at_ = 0;
    std::string lines_;
    bool waits_ = false, is_command_ = false;
};

}  // namespace

std::string refilled(std::string const& text, std::size_t width) {
    Entries entries(width);
    std::string paragraph;
    auto const end_paragraph = [&] {
        entries.end();
        if (!paragraph.empty()) entries.result += wrapped(paragraph, width, 0, 0) + "\n";
        paragraph.clear();
    };
    for (std::size_t at = 0; at < text.size();) {
        std::size_t const end = std::min(text.find('\n', at), text.size());
        std::string const line = text.substr(at, end - at);
        at = end + 1;
        if (line.empty() || line[0] == ' ' || line[0] == '#' || line.starts_with("- ")) {
            if (!paragraph.empty()) end_paragraph();
            entries.add(line);
        } else {
            paragraph += (paragraph.empty() ? "" : " ") + line;
            if (line.ends_with(':')) end_paragraph();
        }
    }
    end_paragraph();
    return entries.result;
}

std::string short_help(Synopsis const& synopsis, std::size_t width) {
    std::string text = head_of(synopsis, width) + "\n";
    std::vector<std::pair<Group, std::size_t>> groups;
    std::size_t left = 0;
    for (Option const* const option : options_of(synopsis.command)) {
        if (option->in_short_help) {
            text += line_of(*option, option->brief, width);
            continue;
        }
        if (groups.empty() || groups.back().first != option->group) groups.emplace_back(option->group, 0);
        ++groups.back().second;
        ++left;
    }
    text += "\nexample:\n" + folded_command(std::string("  ") + synopsis.example, width) + "\n";
    if (left == 0) return text + fmt::format("\n`tailback {} --help` says more of each.\n", name_of(synopsis.command));
    std::string more;
    for (auto const& [group, count] : groups)
        more += fmt::format("{}{} {}", more.empty() ? "" : ", ", name_of(group), count);
    return text + "\n" +
           wrapped(fmt::format("{} more ({}): `tailback {} --help` shows all.",
                               base::counted(left, "option", "options"), more, name_of(synopsis.command)),
                   width, 0, 0) +
           "\n";
}

std::string long_help(Synopsis const& synopsis, std::string const& behind, std::size_t width) {
    std::string text = head_of(synopsis, width);
    std::vector<Option const*> const options = options_of(synopsis.command);
    for (std::size_t i = 0; i < options.size(); ++i) {
        if (i == 0 || options[i]->group != options[i - 1]->group)
            text += fmt::format("\n{}:\n", name_of(options[i]->group));
        std::string about = options[i]->text;
        if (options[i]->fallback != nullptr && *options[i]->fallback != 0)
            about += fmt::format(" (default: {})", options[i]->fallback);
        text += line_of(*options[i], about, width);
    }
    return text + "\n  -h, --help                  -h: what matters most; --help: all options\n" +
           refilled(behind, width);
}

}  // namespace tailback::options
