#include "host/formats/device_names.hpp"

#include "host/base/nearest.hpp"
#include "host/base/scanner.hpp"

namespace tailback::formats {

std::string bare_name(std::string_view name) {
    std::string bare(base::trimmed(name));
    if (std::size_t const mark = bare.find(';'); mark != bare.npos && mark > 2 &&
                                                 base::lower_case(bare.substr(0, 2)) == "mf" &&
                                                 bare.find_first_not_of("0123456789", 2) == mark)
        bare.erase(0, mark + 1);
    std::size_t const colon = bare.rfind(':');
    std::size_t const slash = colon == bare.npos ? colon : bare.find('/', colon);
    if (slash == bare.npos || slash == colon + 1) return bare;
    // A model and what is inside: `U1`, `L16/U2`.
    std::string const unit = bare.substr(slash + 1);
    if (unit.size() < 2 || std::string("ULSuls").find(unit[0]) == unit.npos || unit[1] < '0' || unit[1] > '9')
        return bare;
    bare.resize(colon);
    return unit.find('/') == unit.npos ? bare : bare + "/" + unit;
}

namespace {

/// `u2` of these letters and a number, at the end of a name behind a slash: where the slash is; npos: something else
/// is.
std::size_t unit_at(std::string_view name, std::string_view letters) {
    std::size_t const slash = name.rfind('/');
    if (slash == name.npos || slash == 0 || slash + 2 >= name.size()) return name.npos;
    bool const is_unit =
        letters.find(name[slash + 1]) != letters.npos && name.find_first_not_of("0123456789", slash + 2) == name.npos;
    return is_unit ? slash : name.npos;
}

}  // namespace

std::size_t chip_at(std::string_view name) {
    std::size_t const chip = unit_at(name, "uU");
    std::size_t const board = unit_at(name.substr(0, chip), "lLsS");
    return board != name.npos ? board : chip;
}

std::string folded_name(std::string_view name) {
    std::string folded = base::lower_case(bare_name(name));
    std::size_t const chip = chip_at(folded);
    if (chip == folded.npos) return folded;
    std::string unit = folded.substr(chip);
    for (std::size_t at = unit.find('/'); at != unit.npos; at = unit.find('/', at + 1))  // `/l03`: as `/l3`
        while (at + 3 < unit.size() && unit[at + 2] == '0' && unit[at + 3] != '/') unit.erase(at + 2, 1);
    return folded.substr(0, chip) + unit;
}

std::string_view system_of(std::string_view folded) { return folded.substr(0, chip_at(folded)); }

bool are_of_one_director(std::string_view a, std::string_view b) {
    return a != b && chip_at(a) != a.npos && chip_at(b) != b.npos && system_of(a) == system_of(b);
}

}  // namespace tailback::formats
