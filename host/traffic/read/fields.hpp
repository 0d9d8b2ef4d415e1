// A line of a table as fields, and a field as a whole number: quick, and exact to the last of 64 bits.
#pragma once

#include "host/base/error.hpp"

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace tailback::traffic {

/// Fields divided by blanks, or by a comma or semicolon with or without blanks; quotes around a field are taken off.
class Fields {
public:
    explicit Fields(std::string_view line) : at_(line.data()), end_(line.data() + line.size()) { skip_blanks(); }

    bool next(std::string_view& field) {
        if (at_ == end_) {
            bool const empty_one = after_comma_;
            after_comma_ = false;
            field = {};
            return empty_one;
        }
        char const* const from = at_;
        if (*at_ == '"')
            if (void const* const quote = std::memchr(at_ + 1, '"', std::size_t(end_ - at_ - 1)); quote != nullptr)
                at_ = static_cast<char const*>(quote) + 1;
        while (at_ != end_ && !is_divider(*at_)) ++at_;
        field = {from, std::size_t(at_ - from)};
        if (field.size() > 1 && field.front() == '"' && field.back() == '"') field = field.substr(1, field.size() - 2);
        skip_blanks();
        after_comma_ = at_ != end_ && is_comma(*at_);
        if (after_comma_) {
            ++at_;
            skip_blanks();
        }
        return true;
    }
    bool at_end() const { return at_ == end_ && !after_comma_; }

private:
    static bool is_blank(char c) { return c == ' ' || c == '\t'; }
    static bool is_comma(char c) { return c == ',' || c == ';'; }
    static bool is_divider(char c) { return is_blank(c) || is_comma(c); }
    void skip_blanks() {
        while (at_ != end_ && is_blank(*at_)) ++at_;
    }

    char const* at_;
    char const* end_;
    bool after_comma_ = false;
};

enum class NumberFault : std::uint8_t { none, no_number, negative, not_finite, fraction, too_large };

/// Is it `1,024`: digits in groups of three, all but the first?
bool is_grouped(std::string_view word);
/// @throws InputError for a line whose fields are divided by blanks or semicolons and one of them is `1,024`: is that a
/// number, or are these two?
void refuse_grouped(std::string_view line, base::SourceLocation const& place);

/// `216`, `216.0`, `2.16e2`, in quotes also `1,024`: whole numbers as programs write them, without rounding.
NumberFault read_whole_slowly(std::string_view word, std::uint64_t& value);

inline NumberFault read_whole(std::string_view word, std::uint64_t& value) {
    if (word.empty() || word.size() > 19) return read_whole_slowly(word, value);
    std::uint64_t result = 0;
    for (char const c : word) {
        unsigned const digit = static_cast<unsigned char>(c) - unsigned{'0'};
        if (digit > 9) return read_whole_slowly(word, value);
        result = result * 10 + digit;
    }
    value = result;
    return NumberFault::none;
}

/// @param what `number of bytes`
[[noreturn]] void refuse_number(base::SourceLocation const& place, std::string_view word, std::string const& what,
                                NumberFault fault);

/// @throws InputError unless `word` is a whole number of 64 bits. @param reader has `place()`.
template <class Reader>
std::uint64_t whole(Reader const& reader, std::string_view word, char const* what) {
    std::uint64_t value = 0;
    if (NumberFault const fault = read_whole(word, value); fault != NumberFault::none)
        refuse_number(reader.place(), word, what, fault);
    return value;
}

/// The word as messages show it: quoted, its first 40 bytes.
inline std::string shown(std::string_view word) { return "\"" + std::string(word.substr(0, 40)) + "\""; }

}  // namespace tailback::traffic
