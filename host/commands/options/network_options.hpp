// What commands have in common about input: the options that choose a network, and the files that are read and written.
#pragma once

#include "host/api/obtain.hpp"
#include "host/api/placement.hpp"
#include "host/commands/messages.hpp"
#include "host/options/parsed_options.hpp"
#include "host/result/next_step.hpp"
#include "topologies/flow_hash.hpp"

#include <string>
#include <vector>

namespace tailback::commands {

/// Who tells notes and warnings on standard error.
api::Listener listener();

/// Checks before any work that no output replaces an input or another output, and that standard input is read once.
/// @throws InputError
void check_places(std::vector<std::string> const& inputs, std::vector<std::string> const& outputs);
/// The same, and that every output can be written. @throws InputError
void check_files(std::vector<std::string> const& inputs, std::vector<std::string> const& outputs);

/// --group-by, for audit::group_nodes; empty where it is not given. @throws InputError when it is given and empty.
std::string group_by_of(options::ParsedOptions const& options);

/// --hash; where it is not given, the usual one. @throws InputError
topologies::FlowHashOptions hash_of(options::ParsedOptions const& options, std::uint64_t seed);

/// --capacities
model::CapacityKind capacities_of(options::ParsedOptions const& options);

/// An option of a number that 32 bits hold: its row bounds it.
std::uint32_t small_number(options::ParsedOptions const& options, std::string const& name);

/// --queue-pairs and --hash-draws, with --hash, of whatever has these three.
template <class Hashing>
void read_hashing(options::ParsedOptions const& options, std::uint64_t seed, Hashing& hashing) {
    hashing.queue_pairs = small_number(options, "queue-pairs");
    hashing.hash_draws = small_number(options, "hash-draws");
    hashing.hash = hash_of(options, seed);
}

/// The path of `file:PATH`; empty when the option's value is no file. @throws InputError for a file without a name.
std::string listed_file(options::ParsedOptions const& options, std::string const& name);

/// --nodes, --adapters, --rail, --rail-aligned and --ranks-per-node. @throws InputError with `what_to_do` for empty
/// words.
api::PlacementRequest placement_of(options::ParsedOptions const& options, std::string const& what_to_do);

/// The network that is asked for, by --network or the only word of the command line, and how it is routed.
/// @param why the command needs one. @throws InputError
api::NetworkChoice network_choice(options::ParsedOptions const& options, std::string const& why);
/// The same, of a network that is called something else than --network.
api::NetworkChoice network_choice(std::string network, options::ParsedOptions const& options);

/// What tells another command of the same network and routes, of what it has options for.
std::vector<std::string> network_words(options::ParsedOptions const& options, options::Commands command);
/// Those of `others` (bits) that have every option that was given `command` for its network and routes; `place` and
/// `multipath`, which study traffic, for its hosts, too.
result::OtherCommands other_commands(options::ParsedOptions const& options, options::Commands command,
                                     options::Commands others);

}  // namespace tailback::commands
