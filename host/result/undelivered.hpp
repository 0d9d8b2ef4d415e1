// The words for flows and pairs that no route delivers, the same in every report.
#pragma once

#include "host/result/next_step.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace tailback::result {

struct Undelivered {
    std::uint64_t count = 0;
    std::uint64_t all = 0;  ///< of how many; 0 = that is not told
    std::string_view one = "flow", many = "flows";
    std::string share = {};  ///< `25 %`; empty: that is not told
};

/// `3 flows are not delivered`, `3 of 12 flows are not delivered`
std::string not_delivered(Undelivered const& lost);
/// `3 flows are not delivered: they load no link`
std::string load_nothing(Undelivered const& lost);
/// A sentence below numbers: `3 of 12 flows (25 %) are not delivered: they load no link, and the numbers above are of
/// delivered flows alone.` @param but what is an exception, as `, but for the means of all`
std::string left_out_above(Undelivered const& lost, std::string_view but = "");

/// What tells why.
inline constexpr std::string_view audit_says_why = "`tailback audit` says why";
NextStep find_out_why(OtherCommands const& others);

}  // namespace tailback::result
