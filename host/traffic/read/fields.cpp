#include "host/traffic/read/fields.hpp"

#include "host/base/nearest.hpp"

#include <algorithm>
#include <iterator>

namespace tailback::traffic {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Takes digits off the front of `word`.
std::string_view take_digits(std::string_view& word) {
    auto const end = std::find_if_not(word.begin(), word.end(), is_digit);
    std::string_view const digits = word.substr(0, std::size_t(end - word.begin()));
    word.remove_prefix(digits.size());
    return digits;
}

/// `e+06` off the front; false unless it is one, or nothing is there. Held within what cannot matter.
bool take_exponent(std::string_view& word, long& exponent) {
    exponent = 0;
    if (word.empty()) return true;
    if (word.front() != 'e' && word.front() != 'E') return false;
    word.remove_prefix(1);
    bool const minus = !word.empty() && word.front() == '-';
    if (!word.empty() && (word.front() == '-' || word.front() == '+')) word.remove_prefix(1);
    std::string_view const digits = take_digits(word);
    for (char const c : digits) exponent = std::min(exponent * 10 + (c - '0'), 10'000'000L);
    if (minus) exponent = -exponent;
    return !digits.empty();
}

bool is_not_finite(std::string_view word) {
    std::string const lower = base::lower_case(std::string(word));
    return lower == "nan" || lower == "inf" || lower == "infinity";
}

}  // namespace

bool is_grouped(std::string_view word) {
    std::string_view rest = word;
    std::string_view const first = take_digits(rest);
    if (first.empty() || first.size() > 3 || rest.empty()) return false;
    while (!rest.empty()) {
        if (rest.front() != ',') return false;
        rest.remove_prefix(1);
        if (take_digits(rest).size() != 3) return false;
    }
    return true;
}

void refuse_grouped(std::string_view line, base::SourceLocation const& place) {
    constexpr std::string_view dividers = " \t;";
    if (line.find(',') == line.npos || line.find_first_of(dividers) == line.npos) return;
    std::string_view grouped;
    bool divided = false, comma = true;  // nothing, or a comma, in front of the word
    for (std::size_t at = line.find_first_not_of(dividers); at < line.size();) {
        std::size_t const end = std::min(line.find_first_of(dividers, at), line.size());
        std::string_view const word = line.substr(at, end - at);
        divided = divided || (!comma && word.front() != ',');
        comma = word.back() == ',';
        if (is_grouped(word)) grouped = word;
        at = line.find_first_not_of(dividers, end);
    }
    if (divided && !grouped.empty())
        throw base::InputError(place, shown(grouped) + " is one number or several",
                               "other numbers of this line are divided by blanks or semicolons",
                               "write numbers without commas in them, or all columns divided by commas");
}

NumberFault read_whole_slowly(std::string_view word, std::uint64_t& value) {
    std::string plain;
    if (is_grouped(word)) {
        std::ranges::copy_if(word, std::back_inserter(plain), is_digit);
        word = plain;
    }
    bool const minus = !word.empty() && word.front() == '-';
    if (minus || (!word.empty() && word.front() == '+')) word.remove_prefix(1);
    if (is_not_finite(word)) return NumberFault::not_finite;
    std::string digits(take_digits(word));
    bool const any_before = !digits.empty();
    long behind = 0;
    if (!word.empty() && word.front() == '.') {
        word.remove_prefix(1);
        std::string_view const fraction = take_digits(word);
        behind = long(fraction.size());
        digits += fraction;
    }
    long exponent = 0;
    if ((!any_before && behind == 0) || !take_exponent(word, exponent) || !word.empty()) return NumberFault::no_number;
    digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
    value = 0;
    if (digits.empty()) return NumberFault::none;
    if (minus) return NumberFault::negative;
    long power = exponent - behind;
    for (; digits.back() == '0'; digits.pop_back()) ++power;
    if (power < 0) return NumberFault::fraction;
    if (power > 20 || digits.size() + std::size_t(power) > 20) return NumberFault::too_large;
    digits.append(std::size_t(power), '0');
    for (char const c : digits) {
        std::uint64_t const digit = std::uint64_t(c - '0');
        if (value > (UINT64_MAX - digit) / 10) return NumberFault::too_large;
        value = value * 10 + digit;
    }
    return NumberFault::none;
}

void refuse_number(base::SourceLocation const& place, std::string_view word, std::string const& what,
                   NumberFault fault) {
    std::string const problem = shown(word) + " is not a " + what, check = "check this line";
    switch (fault) {
        case NumberFault::negative: throw base::InputError(place, problem, "it is negative", check);
        case NumberFault::not_finite: throw base::InputError(place, problem, "it is not finite", check);
        case NumberFault::fraction: throw base::InputError(place, problem, "it is not whole", check);
        case NumberFault::too_large:
            throw base::InputError(place, problem, "it is above 18,446,744,073,709,551,615", check);
        default: throw base::InputError(place, problem, "a whole number is needed here", check);
    }
}

}  // namespace tailback::traffic
