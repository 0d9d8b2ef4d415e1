// What commands have in common about input: which network, how it is routed, and telling what was odd about it.
#pragma once

#include "host/model/tables.hpp"
#include "topologies/failures.hpp"
#include "topologies/regular.hpp"
#include "topologies/topology.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cxxopts {
class Options;
}

namespace tailback {

/// `tailback: KIND: TEXT` on standard error, fit for a terminal whatever names the text holds.
void tell(std::string const& kind, std::string const& text);
/// From now on `tell` tells nothing: another process of the same study does.
void tell_no_more();
/// While one lives, warnings name the point of a sweep that they are about, and each is told at the first such point
/// only. One at a time; at its end it tells how many more points there were.
class WarningsByPoint {
public:
    WarningsByPoint();
    ~WarningsByPoint();
    WarningsByPoint(WarningsByPoint const&) = delete;
    WarningsByPoint& operator=(WarningsByPoint const&) = delete;

    /// Warnings are about point `number` from now on.
    void turn_to(std::size_t number) { point_ = number; }
    void take(std::string const& warning);

private:
    struct Met {
        std::string warning;
        std::size_t first, last, points;
    };
    std::size_t point_ = 0;
    std::vector<Met> met_;
};
/// One warning for every kind of disagreement met.
void tell_warnings(Disagreements const& disagreements);
/// Reads a fabric and tells its warnings; `strict` makes disagreements errors. @throws InputError as read_fabric does.
Fabric read_and_tell(std::string const& network_path, std::optional<std::string> const& tables_path, bool strict);

/// A network and its routes, as the options ask for them.
struct NetworkChoice {
    std::string network;                 ///< a file (also `-`) or a spec; a file of that very name wins
    std::optional<std::string> tables;   ///< a file
    std::optional<std::string> routing;  ///< `NAME[:options]`
    std::uint64_t routing_seed = 1;
    std::string roots;  ///< a file with the roots of a routing that wants them; empty = it chooses
    Failures failures;
    bool strict = false;

    /// True when no file has that name and it is written like a spec.
    bool is_spec() const;
    /// What it reads: the network or what its spec names, the tables, what the routing names; `-` is standard input.
    /// @throws InputError
    std::vector<std::string> files() const;
};

/// Checks before any work that no output replaces an input or another output, and that standard input is read once.
/// @throws InputError
void check_places(std::vector<std::string> const& inputs, std::vector<std::string> const& outputs);
/// The same, and that every output can be written. @throws InputError
void check_files(std::vector<std::string> const& inputs, std::vector<std::string> const& outputs);

/// Declares --tables, --routing, --routing-seed, --fail-cables, --fail-switches, --fail-seed and, if `with_network`,
/// --network.
void declare_network(cxxopts::Options& options, std::string const& group, bool with_network);
/// The names of the options above that take a value, with their dashes.
std::vector<std::string> const& network_option_names();
/// Reads them. @param text the value of an option; none when it is not given. --network is left to the caller.
/// @throws InputError
NetworkChoice network_choice(std::function<std::optional<std::string>(std::string const&)> const& text);

/// Where the routes of a study come from: looked up in tables, or a spec's computed.
/// `trees`: made destination by destination and thrown away, whenever mappings are evaluated.
enum class RoutesForm : std::uint8_t { automatic, tables, arithmetic, trees };
/// The network as arithmetic, where that is asked for, or tables would take more than `most_table_bytes`; null
/// otherwise.
/// @param wants_tables something needs a network with tables: then `automatic` keeps to them.
/// @throws InputError when arithmetic is asked for and there is none.
std::unique_ptr<RegularNetwork> obtain_regular(NetworkChoice const& choice, RoutesForm form, bool wants_tables);
inline constexpr std::uint64_t most_table_bytes = std::uint64_t{1} << 30;

/// `automatic`: what tables and the packed routes of all hosts may take before routes by destination alone are trees.
inline constexpr std::uint64_t most_route_bytes = std::uint64_t{8} << 30;

/// Gets what was chosen for the user, a sentence at a time.
using TakeNote = std::function<void(std::string const&)>;
/// The same; notes go to `note` instead of standard error.
std::unique_ptr<RegularNetwork> obtain_regular(NetworkChoice const& choice, RoutesForm form, bool wants_tables,
                                               TakeNote const& note);

/// Reads or makes the network, routes it and lets things fail: a routing for any graph routes what is left, other
/// tables stay as they are and the routes they break are counted. What was chosen for the user is told on standard
/// error.
/// @param wants_routes false: a spec without --routing stays without tables.
/// @throws InputError
/// @param form tables, or for what evaluates: also trees or automatic.
Fabric obtain_fabric(NetworkChoice const& choice, bool wants_routes, RoutesForm form = RoutesForm::tables);

/// A network read or made, for any number of routings and failures.
struct NetworkInput {
    Fabric read;                   ///< of files, with their tables
    std::optional<Topology> made;  ///< of a spec
    Network const& network() const { return made ? made->network : read.network; }
};
/// Reads or makes the network of a choice; warnings go to `warn`. @throws InputError
NetworkInput obtain_network(NetworkChoice const& choice, TakeNote const& warn);
/// The rest of obtain_fabric: routes `input`, which obtain_network gave for the same network and tables. @throws
/// InputError
Fabric route_network(NetworkInput input, NetworkChoice const& choice, bool wants_routes, RoutesForm form,
                     TakeNote const& note);

/// For what only tables can give. @throws InputError when the routes of the fabric depend on the source.
void require_tables(Fabric const& fabric, std::string const& what);

}  // namespace tailback
