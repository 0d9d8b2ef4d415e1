// A cursor over one line of text: skip blanks, take a character, a word, a number. Nothing it meets can harm it.
#pragma once

#include <cstdint>
#include <string_view>

namespace tailback::base {

/// Without blanks at its ends.
constexpr std::string_view trimmed(std::string_view text, std::string_view blanks = " \t") {
    std::size_t const first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

class Scanner {
public:
    explicit Scanner(std::string_view text) : text_(text) {}

    std::string_view rest() const { return text_; }
    bool at_end() const { return text_.empty(); }
    Scanner& skip(std::size_t count) {
        text_.remove_prefix(count < text_.size() ? count : text_.size());
        return *this;
    }

    Scanner& blanks() {
        while (!text_.empty() && (text_.front() == ' ' || text_.front() == '\t')) text_.remove_prefix(1);
        return *this;
    }
    /// Takes `c` when it comes next.
    bool accept(char c) {
        if (text_.empty() || text_.front() != c) return false;
        text_.remove_prefix(1);
        return true;
    }
    bool accept(std::string_view word) {
        if (text_.substr(0, word.size()) != word) return false;
        text_.remove_prefix(word.size());
        return true;
    }
    /// Goes behind the next `word`; false (and nowhere) when there is none.
    bool behind(std::string_view word) {
        std::size_t const at = text_.find(word);
        if (at == std::string_view::npos) return false;
        text_.remove_prefix(at + word.size());
        return true;
    }
    /// Everything up to `c`, which is taken too; false (and nowhere) when there is no `c`.
    bool until(char c, std::string_view& taken) {
        std::size_t const at = text_.find(c);
        if (at == std::string_view::npos) return false;
        taken = text_.substr(0, at);
        text_.remove_prefix(at + 1);
        return true;
    }
    /// A number of at least one digit; one too large for 64 bits becomes 2^64 - 1, so that range checks see it.
    bool decimal(std::uint64_t& value) { return number(value, 10); }
    /// Without `0x`, either case.
    bool hex(std::uint64_t& value) { return number(value, 16); }

private:
    static unsigned digit(char c) {
        if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
        if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a') + 10;
        if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A') + 10;
        return 99;
    }
    bool number(std::uint64_t& value, unsigned base) {
        std::size_t n = 0;
        std::uint64_t result = 0;
        for (; n < text_.size(); ++n) {
            unsigned const d = digit(text_[n]);
            if (d >= base) break;
            bool const fits = result <= (~std::uint64_t{0} - d) / base;
            result = fits ? result * base + d : ~std::uint64_t{0};
        }
        if (n == 0) return false;
        text_.remove_prefix(n);
        value = result;
        return true;
    }

    std::string_view text_;
};

}  // namespace tailback::base
