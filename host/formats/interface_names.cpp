#include "host/formats/interface_names.hpp"

#include "host/base/nearest.hpp"

#include <algorithm>
#include <array>

namespace tailback::formats {
namespace {

constexpr std::string_view digits = "0123456789";

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_small(char c) { return c >= 'a' && c <= 'z'; }

/// `400ge` and `1/0/1` of `400ge1/0/1`; a dash or a blank between the two goes.
struct Parts {
    std::string_view word, place;
};
Parts parts_of(std::string_view name) {
    std::size_t at = 0;
    while (at < name.size() && is_digit(name[at])) ++at;  // a rate
    while (at < name.size() && is_small(name[at])) ++at;
    Parts parts{name.substr(0, at), name.substr(at)};
    if (!parts.place.empty() && (parts.place.front() == '-' || parts.place.front() == ' '))
        parts.place.remove_prefix(1);
    return parts;
}

/// `1`, `1/1`, `0/0/0:1`, `49s0`, `1a`: numbers with one sign between two of them, a letter at their end at most.
bool is_place(std::string_view place) {
    bool after_digit = false;
    for (std::size_t i = 0; i < place.size(); ++i) {
        bool const is_last = i + 1 == place.size();
        if (is_digit(place[i])) after_digit = true;
        else if (!after_digit) return false;
        else if (is_last) return is_small(place[i]);
        else if (place[i] == '/' || place[i] == ':' || place[i] == 's') after_digit = false;
        else return false;
    }
    return after_digit;
}

bool has_slot(std::string_view place) { return place.find('/') != place.npos; }

struct ShortWord {
    std::string_view word, whole;
    bool without_slot;  ///< it is of a router even where one number follows: `Ethernet0`
};
/// What one vendor writes in several ways. `eth1` without a slot is an interface of its own, beside `Ethernet1`.
constexpr auto words = std::to_array<ShortWord>({{"swp", "swp", true},
                                                 {"ethernet", "ethernet", true},
                                                 {"et", "ethernet", true},
                                                 {"etp", "etp", true},
                                                 {"eth", "ethernet", false},
                                                 {"xe", "xe", false},
                                                 {"ge", "ge", false},
                                                 {"mge", "mge", false},
                                                 {"fte", "fte", false},
                                                 {"gi", "gigabitethernet", false},
                                                 {"gig", "gigabitethernet", false},
                                                 {"te", "tengigabitethernet", false},
                                                 {"ten", "tengigabitethernet", false},
                                                 {"twe", "twentyfivegige", false},
                                                 {"fo", "fortygige", false},
                                                 {"hu", "hundredgige", false},
                                                 {"fh", "fourhundredgige", false}});

ShortWord const* word_called(std::string_view word) {
    auto const at = std::find_if(words.begin(), words.end(), [&](ShortWord const& one) { return one.word == word; });
    return at == words.end() ? nullptr : &*at;
}

/// `sw1p1`, `sw1p1s0`
bool is_front_panel(std::string_view small) {
    if (!small.starts_with("sw") || small.size() < 3 || !is_digit(small[2])) return false;
    std::size_t const port = small.find_first_not_of(digits, 2);
    return port != small.npos && small[port] == 'p' && is_place(small.substr(port + 1));
}

/// `1/1/c1/1`: a connector behind a slot.
bool is_connector(std::string_view small) {
    std::size_t const at = small.find("/c");
    return at != small.npos && is_place(small.substr(0, at)) && is_place(small.substr(at + 2));
}

}  // namespace

bool is_router_interface(std::string_view small) {
    if (is_front_panel(small) || is_connector(small)) return true;
    auto const [word, place] = parts_of(small);
    if (word.empty() || !is_place(place)) return false;
    if (small[word.size()] == '-' && word.size() == 2)  // `et-0/0/0`; `xx-1/1` may be an adapter
        return word_called(word) != nullptr && std::count(place.begin(), place.end(), '/') == 2;
    if (ShortWord const* const known = word_called(word))
        return has_slot(place) || (known->without_slot && small[word.size()] != ' ');
    return has_slot(place) && (word.ends_with("gige") || word.ends_with("gigabitethernet") ||
                               (is_digit(word.front()) && word.ends_with("ge")));
}

bool is_management_interface(std::string_view small) {
    for (std::string_view const start : {"mgmt", "management", "ma1", "fxp0", "em0", "me0"})
        if (small.starts_with(start)) return true;
    return small == "eth0";
}

std::string folded_interface(std::string_view name) {
    std::string small = base::lower_case(std::string(name));
    auto const [word, place] = parts_of(small);
    ShortWord const* const known = word_called(word);
    if (known == nullptr || !is_place(place) || small[word.size()] == '-') return small;
    if (!known->without_slot && !has_slot(place)) return small;
    return std::string(known->whole) + std::string(place);
}

std::string_view interface_number(std::string_view name) {
    std::size_t const at = name.find_first_of(digits);
    if (at == name.npos || at == 0) return {};
    std::string_view const place = name.substr(at);
    return place.find_first_not_of("0123456789/:") == place.npos ? place : std::string_view();
}

}  // namespace tailback::formats
