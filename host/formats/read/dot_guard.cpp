// Walks the tokens of dot text, no grammar: enough to see what it would cost to build the graph.
#include "host/formats/read/dot_guard.hpp"

#include <algorithm>
#include <cctype>
#include <unordered_set>

namespace tailback::formats {
namespace {

constexpr std::size_t most_nesting = 50;
constexpr std::size_t most_attributes = 200;

class Guard {
public:
    Guard(std::string_view text, std::string const& file) : text_(text), place_{file, 1} {}

    void check() {
        while (at_ < text_.size()) step();
    }

private:
    /// What the token before was, as far as it matters for edges.
    enum class Before : std::uint8_t { other, word, close_brace, edge, subgraph, subgraph_name };

    [[noreturn]] void fail(std::string const& problem, std::string const& why, std::string const& what_to_do) const {
        throw base::InputError(place_, problem, why, what_to_do);
    }
    bool next_is(char c) const { return at_ + 1 < text_.size() && text_[at_ + 1] == c; }

    void step() {
        char const c = text_[at_];
        switch (c) {
            case '\0': fail("not a text file", "a NUL byte", "check that it is dot and not something packed or binary");
            case '\n':
                ++place_.line;
                ++at_;
                if (at_ < text_.size() && text_[at_] == '#') skip_line();  // a preprocessor's line
                return;
            case ' ':
            case '\t':
            case '\r': ++at_; return;
            case '/':
                if (next_is('/')) return skip_line();
                if (next_is('*')) return skip_comment();
                break;
            case '"': return quoted();
            case '<':
                fail("an HTML-like string", "no attribute of an ORCS file has one", "put the text in double quotes");
            case '[': in_brackets_ = true; break;
            case ']': in_brackets_ = false; break;
            case '{': return open_brace();
            case '}':
                if (depth_ > 0) --depth_;
                ++at_;
                before_ = Before::close_brace;
                return;
            case '-':
                if (next_is('>') || next_is('-')) return edge();
                break;
            case ',':
                if (!in_brackets_)
                    fail("a list of nodes", "`a, b -> c, d` stands for every combination",
                         "write one edge a statement");
                break;
            case '=': return attribute();
            case '+': ++at_; return;  // joins two strings: the token before stays what it is
            default:
                if (is_word(c)) return word();
        }
        ++at_;
        before_ = Before::other;
    }

    static bool is_word(char c) {
        return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
    }

    void skip_line() { at_ = std::min(text_.find('\n', at_), text_.size()); }

    void skip_comment() {
        std::size_t const end = text_.find("*/", at_ + 2);
        if (end == std::string_view::npos)
            fail("a comment without end", "`/*` begins it", "check that the file is whole");
        place_.line += std::size_t(std::count(text_.begin() + long(at_), text_.begin() + long(end), '\n'));
        at_ = end + 2;
    }

    void quoted() {
        std::size_t const begin = ++at_;
        std::size_t line = place_.line;
        for (;; ++at_) {
            at_ = text_.find_first_of("\"\\\n", at_);
            if (at_ == std::string_view::npos || (text_[at_] == '\\' && at_ + 1 == text_.size()))
                fail("a string without end", "its quote opens here", "check that the file is whole");
            if (text_[at_] == '"') break;
            if (text_[at_] == '\\') ++at_;
            if (text_[at_] == '\n') ++line;
        }
        std::string_view const content = text_.substr(begin, at_ - begin);
        if (content.find('\0') != std::string_view::npos)
            fail("not a text file", "a NUL byte", "check that it is dot and not something packed or binary");
        place_.line = line;
        ++at_;
        name(content);
    }

    void word() {
        std::size_t const begin = at_;
        while (at_ < text_.size() && (is_word(text_[at_]) || text_[at_] == '.')) ++at_;
        std::string_view const content = text_.substr(begin, at_ - begin);
        constexpr std::string_view keyword = "subgraph";
        bool const is_subgraph =
            std::equal(content.begin(), content.end(), keyword.begin(), keyword.end(),
                       [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; });
        if (!is_subgraph) return name(content);
        if (before_ == Before::edge) group();
        before_ = Before::subgraph;
    }

    void name(std::string_view content) {
        name_ = content;
        before_ =
            before_ == Before::subgraph || before_ == Before::subgraph_name ? Before::subgraph_name : Before::word;
    }

    void open_brace() {
        if (before_ == Before::edge) group();
        if (++depth_ > most_nesting)
            fail("braces nested more than " + std::to_string(most_nesting) + " deep", "an ORCS file nests one",
                 "take the subgraphs out");
        ++at_;
        before_ = Before::other;
    }

    void edge() {
        if (before_ == Before::close_brace || before_ == Before::subgraph_name) group();
        at_ += 2;
        before_ = Before::edge;
    }

    [[noreturn]] void group() const {
        fail("an edge from or to a group of nodes", "it stands for every combination", "write one edge a statement");
    }

    void attribute() {
        if (before_ == Before::word && attributes_.insert(name_).second && attributes_.size() > most_attributes)
            fail("more than " + std::to_string(most_attributes) + " different attributes", "ORCS knows one, `comment`",
                 "take out the attributes that are not needed");
        ++at_;
        before_ = Before::other;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    base::SourceLocation place_;
    std::size_t depth_ = 0;
    bool in_brackets_ = false;
    Before before_ = Before::other;
    std::string_view name_;
    std::unordered_set<std::string_view> attributes_;
};

}  // namespace

void check_dot_text(std::string_view text, std::string const& file) { Guard(text, file).check(); }

}  // namespace tailback::formats
