// Names of hosts as Slurm writes them, and globs.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tailback::study {

/// The most names that a list may stand for.
inline constexpr std::size_t most_names = std::size_t{1} << 20;

/// The items of a list: divided at commas outside brackets, without blanks around them.
/// @throws InputError for brackets that do not match.
std::vector<std::string> split_hostlist(std::string const& words);

/// The names that an item or a list stands for: brackets expanded (`node[001-128,130]`), numbers padded as the first of
/// their range is.
/// @throws InputError for brackets that do not match, ranges that go down, more than most_names names.
std::vector<std::string> expand_hostlist(std::string const& words);
/// The same of one of several lists.
/// @param left how many names there may still be, counted down; 0 once a list was refused
std::vector<std::string> expand_hostlist(std::string const& words, std::size_t& left);

/// The names in their order as one list: those that follow each other with one head and tail and numbers of as many
/// digits go into brackets (`node[001-128,130]`).
std::string fold_hostlist(std::vector<std::string> const& names);

/// Does the whole of `text` match, `*` standing for any characters and `?` for one?
bool matches_glob(std::string_view text, std::string_view glob);

/// Complains about a list. @throws InputError
[[noreturn]] void refuse_list(std::string const& words, std::string const& why);

}  // namespace tailback::study
