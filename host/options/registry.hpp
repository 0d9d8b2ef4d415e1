// What extensions add to the table of options: commands, rows of their own, and rows that they share with others.
#pragma once

#include "host/options/option.hpp"

#include <vector>

namespace tailback::options {

/// A command of the table.
struct CommandName {
    Commands command = none;  ///< its bit; of an extension it is given out
    std::string_view name;
    char const* reason_to_lack = "";  ///< why it lacks options that others have
    char const* swept_by = "";        ///< the key of a sweep's file that makes a point one of it; a flag, or its word
};

/// The options that say which network is looked at, and how it is routed.
inline constexpr char const* of_routed_networks =
    "network,tables,strict,link-rate,routing,routing-seed,lmc,fail-cables,fail-switches,fail-seed";

struct Registry {
    std::vector<CommandName> commands;
    std::vector<Option> rows;

    /// Gives it a bit, and a place in front of another command.
    Commands add(CommandName command, std::string_view before);
    /// The command takes these options (divided by commas), as another has them.
    void share(Commands command, Commands as, char const* names);
    /// Beside the first row of its name; at the end where it is the first.
    void add(Option row);
    /// Behind the last row of that name that any of its commands has.
    void add_after(std::string_view name, Option row);
    /// In front of the first row of that name: keys of sweeps are loops in the order of the table.
    void add_before(std::string_view name, Option row);
};

/// Calls every extension's register_NAME(Registry&) (generated from extensions.cmake).
void register_extensions(Registry& registry);

}  // namespace tailback::options
