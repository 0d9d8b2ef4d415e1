// A simulation as one published version of ORCS runs it, departures from the paper included: --as-orcs.
#pragma once

#include "host/model/tables.hpp"
#include "host/orcs/options.hpp"
#include "host/orcs/results.hpp"

#include <iosfwd>

namespace tailback::orcs {

/// The communicator size of version 1.1 or 2.0: with 0 one host less where their number is odd.
/// @throws InputError where the version gives up, or dies, for a size it cannot take.
std::uint32_t orcs_commsize(OrcsOptions const& options, std::size_t hosts);

/// Runs it. `console` gets what ORCS prints on the way. @throws InputError where ORCS dies with all results lost.
OrcsResults replay_orcs(model::Fabric const& fabric, OrcsOptions const& options, std::uint32_t commsize,
                        std::ostream& console);

/// How many levels the pattern has, as `--getnumlevels` counts them.
std::uint64_t count_orcs_levels(OrcsOptions const& options);

/// `--printptrn` for one level. Version 1.1 knows no names in it.
void print_orcs_pattern(std::ostream& out, OrcsOptions const& options,
                        std::vector<std::pair<std::uint32_t, std::uint32_t>> const& pairs,
                        model::Network const& network, std::vector<model::Host> const& hosts);
/// `--printnamelist`.
void print_orcs_namelist(std::ostream& out, model::Network const& network, std::vector<model::Host> const& hosts);

}  // namespace tailback::orcs
