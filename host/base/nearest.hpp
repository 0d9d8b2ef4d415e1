// The name a person probably meant, and words in either case.
#pragma once

#include <string>
#include <vector>

namespace tailback::base {

/// A to Z as a to z; all else stays.
std::string lower_case(std::string text);

/// Of `names` (not empty) the one with the least edit distance to `typed`; the first of several.
std::string nearest_name(std::string const& typed, std::vector<std::string> const& names);

/// The same when it is near enough to be meant (at most a third of its letters differ); empty otherwise.
std::string meant_name(std::string const& typed, std::vector<std::string> const& names);

/// Why an error may have come about: `the nearest is "NAME"`, or that a colon is missing behind a name and before its
/// options (`NAME,option=value`); empty when none is near enough.
std::string nearest_hint(std::string const& typed, std::vector<std::string> const& names);

}  // namespace tailback::base
