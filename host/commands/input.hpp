// What commands have in common about input: reading it, and telling what was odd about it on standard error.
#pragma once

#include "host/tables.hpp"

#include <optional>
#include <string>

namespace tailback {

/// `tailback: KIND: TEXT` on standard error, fit for a terminal whatever names the text holds.
void tell(std::string const& kind, std::string const& text);
/// One warning for every kind of disagreement met.
void tell_warnings(Disagreements const& disagreements);
/// Reads a fabric and tells its warnings; `strict` makes disagreements errors. @throws InputError as read_fabric does.
Fabric read_and_tell(std::string const& network_path, std::optional<std::string> const& tables_path, bool strict);

}  // namespace tailback
