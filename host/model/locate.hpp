// From what a person types (an LID, a GUID, a name) to the endpoint or the switch that is meant.
#pragma once

#include "host/model/network.hpp"

#include <string>

namespace tailback::model {

/// What a word stands for.
struct Located {
    Node node;    ///< none for an LID that nobody owns
    Host host;    ///< none for a switch
    Lid lid = 0;  ///< the LID typed, or the base LID of what was found; 0 = it has none
};

/// Finds what `word` means, in this order:
/// - in networks of names (ORCS dot): the node of exactly this name;
/// - digits, or `0x` and up to four hex digits: an LID (any of the 2^LMC of its owner; it may have none);
/// - `0x` and more hex digits, or an id `H-..`, `S-..`, `R-..`: the GUID of a port, else of a node;
/// - anything else: the node of exactly this name (blanks at its ends may be left out);
/// - what reports print of a node or a port: `switch "leaf 1" (0x0002c90300000001) port 7`, `"leaf 1"`, `LID 5`,
///   `node09 [eth0]`;
/// - a glob (`leaf-0?`, `*-19ib0*`) of a name, or else of a part of it; the node in front of an adapter (`n1` of
///   `n1 ib0`), or else a part of a name; that one thing has alone; capitals count where that tells things apart.
/// @param place where the word stands, for messages; {} for the command line.
/// @throws InputError when nothing is meant (with the nearest names) or several things are (with all of them).
Located locate(Network const& network, std::string const& word, base::SourceLocation const& place = {});

/// The same for words that must mean an endpoint.
/// @throws InputError also for a switch and for an LID nobody owns.
Host locate_host(Network const& network, std::string const& word, base::SourceLocation const& place = {});

/// A cable by one of its ends: what `locate` finds, and a port by its number, label or name: `leaf-07:31`,
/// `leaf01:swp49`, `leaf-07 [31]`, `leaf-07/P31`, `switch "leaf-07" (0x0002c90300000001) port 31`; or by both, as
/// reports print links: `leaf-07 [31] -> spine-2 [7]`. The link that leaves that port (the first of two).
/// @param option that the word stands behind, for messages. @throws InputError as `locate`, and where there is no cable
Link locate_cable(Network const& network, std::string const& word, std::string const& option);
/// Does a word name a port beside a node?
bool names_a_port(std::string_view word);

}  // namespace tailback::model
