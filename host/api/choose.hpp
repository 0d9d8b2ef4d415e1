// Which network, routed how, with what failing: a value that is understood before anything is read.
#pragma once

#include "topologies/failures.hpp"
#include "topologies/routing.hpp"
#include "topologies/topology.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tailback::api {

/// Where the routes of a study come from: looked up in tables, or a spec's computed.
/// `trees`: made destination by destination and thrown away, whenever mappings are evaluated.
enum class RoutesForm : std::uint8_t { automatic, tables, arithmetic, trees };

/// `files` and those of `more` that have a name.
model::NamedFiles with_named(model::NamedFiles files, model::NamedFiles const& more);
/// Without what they are for.
std::vector<std::string> paths_of(model::NamedFiles const& files);

/// True when no file has that name and it is written like a spec.
bool is_network_spec(std::string const& word);

/// A network and its routes, as somebody asks for them.
struct NetworkChoice {
    NetworkChoice() = default;
    /// @param words a file (also `-`) or a spec; a file of that very name wins. @throws InputError for a wrong spec
    explicit NetworkChoice(std::string words);

    std::string network;                             ///< in the words in which it was asked for
    std::optional<topologies::TopologySpec> spec;    ///< none = `network` is a file
    std::optional<std::string> tables;               ///< a file
    std::optional<topologies::RoutingSpec> routing;  ///< none = the tables of files, the usual routing of a spec
    std::uint64_t routing_seed = 1;                  ///< of the usual routing; `routing` has its own
    bool wants_draws = false;                        ///< a seed was given: routes that draw nothing are refused
    std::string roots;  ///< a file with the roots of a routing that wants them; empty = it chooses
    topologies::Failures failures;
    std::optional<model::LinkRate> link_rate;  ///< of links whose rate nobody tells
    std::uint8_t lmc = 0;                      ///< of hosts, where the routing is computed and LIDs are given out anew
    RoutesForm form = RoutesForm::automatic;
    /// Of routes of equal cost that were read: those that the tables hold, in place of one picked by a hash of the
    /// flow.
    bool by_static_entries = false;
    bool strict = false;  ///< disagreements of input are errors

    /// What it reads: the network or what its spec names, the tables, what the routing names; `-` is standard input.
    /// @throws InputError when the network has no name.
    model::NamedFiles named_files() const;
    std::vector<std::string> files() const { return paths_of(named_files()); }
};

}  // namespace tailback::api
