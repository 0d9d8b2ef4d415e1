// What commands have in common about input: the options that choose a network, and the files that are read and written.
#pragma once

#include "host/api/obtain.hpp"
#include "host/commands/messages.hpp"
#include "host/commands/options/options.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace cxxopts {
class Options;
}

namespace tailback::commands {

/// Who tells notes and warnings on standard error.
api::Listener listener();

/// Checks before any work that no output replaces an input or another output, and that standard input is read once.
/// @throws InputError
void check_places(std::vector<std::string> const& inputs, std::vector<std::string> const& outputs);
/// The same, and that every output can be written. @throws InputError
void check_files(std::vector<std::string> const& inputs, std::vector<std::string> const& outputs);

/// --group-by, for audit::group_nodes; empty where it is not given. @throws InputError when it is given and empty.
std::string group_by_of(ParsedOptions const& options);

/// Declares --tables, --routing, --routing-seed, --fail-cables, --fail-switches, --fail-seed and, if `with_network`,
/// --network.
void declare_network(cxxopts::Options& options, std::string const& group, bool with_network);
/// The names of the options above that take a value, with their dashes.
std::vector<std::string> const& network_option_names();
/// Reads them. @param network the value of --network. @param text the value of an option; none when it is not given.
/// @throws InputError
api::NetworkChoice network_choice(std::string network,
                                  std::function<std::optional<std::string>(std::string const&)> const& text);

}  // namespace tailback::commands
