// What devices are called without what dumps put around their names.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tailback::formats {

/// A node's name without what dumps put around it: `MF0;`, `:MQM8700/U1`; of a director's chip its unit stays.
std::string bare_name(std::string_view name);
/// The same in small letters, and units without zeros before their numbers: `core-1/l3/u2`.
std::string folded_name(std::string_view name);
/// Where the unit of a director's chip begins in its bare or folded name, `/L16/U2`, `/S01` or `/U1`; npos: it is none.
std::size_t chip_at(std::string_view name);
/// `core-1` of `core-1/l16/u2`; the same for what is no chip of a director.
std::string_view system_of(std::string_view folded);
/// Are both chips of one director? Of folded names.
bool are_of_one_director(std::string_view a, std::string_view b);

}  // namespace tailback::formats
