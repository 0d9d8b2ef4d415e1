// From the text of a sweep to its points: the product of all lists, each point so many options of `tailback evaluate`,
// or of `tailback schedule` where it has a workload.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace tailback::sweep {

/// Options of `tailback evaluate` that a sweep may set, outermost loop first: points that share a network, then those
/// that share its routes, are neighbours.
std::span<char const* const> sweep_options();
/// So many of them, from the first on, decide about the network and its routes.
std::size_t sweep_network_options();

struct SweepSetting {
    std::size_t option = 0;  ///< place in sweep_options()
    std::string value;
    std::size_t line = 0;  ///< where the file says it

    char const* name() const { return sweep_options()[option]; }
};

/// In order of sweep_options(), none twice.
using SweepPoint = std::vector<SweepSetting>;

/// The value a point has for an option; null when it has none.
SweepSetting const* find_setting(SweepPoint const& point, std::string const& option);
/// As words for `tailback evaluate`.
std::vector<std::string> evaluate_words(SweepPoint const& point);
/// As words for `tailback schedule`, where the point has a workload.
std::vector<std::string> schedule_words(SweepPoint const& point);

inline constexpr std::size_t most_sweep_points = 100'000;

/// A map of options. A list makes a loop over its entries (of `metric`: a set); an entry that is a map sets several
/// options, lists among them, in place of what stands outside (tables also in place of a routing). `~` leaves an option
/// out.
/// @param name what messages call the file. @throws InputError with name:line.
std::vector<SweepPoint> read_sweep(std::string const& text, std::string const& name);

}  // namespace tailback::sweep
