// From the text of a sweep to its points: the product of all lists, each point so many options of `tailback evaluate`,
// or of another command where a key says so.
#pragma once

#include "host/options/option.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace tailback::sweep {

struct SweepSetting {
    std::size_t option = 0;  ///< place in options::sweep_keys()
    std::string value;
    std::size_t line = 0;  ///< where the file says it

    options::Option const& row() const;
    char const* name() const { return row().name; }
};

/// In order of options::sweep_keys(), none twice.
using SweepPoint = std::vector<SweepSetting>;

/// The value a point has for an option; null when it has none.
SweepSetting const* find_setting(SweepPoint const& point, std::string const& option);
/// `bracket` or `multipath` where the point says so, that of an extension where it has its key, else `evaluate`.
options::Commands command_of(SweepPoint const& point);
/// A key that is a word of the point's command, and none of its options.
bool is_word(SweepSetting const& setting);
/// False for one that the point's command does not have, or that needs another which the point has not.
bool has_effect(SweepPoint const& point, SweepSetting const& setting);
/// As words for this command.
std::vector<std::string> words_of(SweepPoint const& point);

inline constexpr std::size_t most_sweep_points = 100'000;

/// A map of options. A list makes a loop over its entries (of `metric`: a set); an entry that is a map sets several
/// options, lists among them, in place of what stands outside (tables also in place of a routing). `~` leaves an option
/// out.
/// Settings without effect at a point are left out of it, and points that differed in these alone are one; an option
/// that has no effect at any point is refused.
/// @param name what messages call the file. @throws InputError with name:line.
std::vector<SweepPoint> read_sweep(std::string const& text, std::string const& name);

}  // namespace tailback::sweep
